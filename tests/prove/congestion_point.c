/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 60 */
/* prove-options: -eva-slevel-function rocecc_congestion_fast_cnp_:1 */
/* prove-options: -eva-slevel-function rocecc_frame_addresses_:4000 */
/* prove-options: -eva-slevel-function rocecc_frame_flow_:400,rocecc_frame_flow:400 */
/* prove-options: -eva-slevel-function rocecc_frame_told_flow_:400 */
/* prove-options: -eva-slevel-function rocecc_ip6_load:4000,rocecc_ip4_load:4000 */
/* prove-options: -eva-slevel-function rocecc_ip6_of_ip4:4000,rocecc_ipv6_parse:400 */
/* prove-options: -eva-slevel-function rocecc_congestion_flow_:400 */
/* prove-options: -eva-slevel-function rocecc_congestion_standard_:1 */
/* prove-options: -eva-slevel-function rocecc_congestion_qcn_:1 */
/* prove-options: -eva-slevel-function rocecc_congestion_rocev2_:1 */
/* prove-options: -eva-slevel-function rocecc_congestion_point_step:1 */
#define PROVE_BYTES 160
#define ROCECC_CHECKSUM_MAX_BYTES 64 /* the loop ends by its cap, too */
#include "prove.h"
#include "rocecc/role/congestion_point.h"

static rocecc_frame f;
static rocecc_congestion_config c;
static rocecc_congestion_point s;
static rocecc_cnpgate gate;
static rocecc_congestion_event e;

/* Any values; the policy is a reader of any length, too long ones included. */
static void any_config(void)
{
    static uint8_t src[16];
    static uint8_t policy[ROCECC_SRH_REST_MAX_BYTES + 16];
    Frama_C_make_unknown((char *)src, sizeof src);
    c.enabled = Frama_C_interval(0, 1) != 0;
    c.fastcnp.type_plain = (uint8_t)Frama_C_interval(0, 255);
    c.fastcnp.type_ioam = (uint8_t)Frama_C_interval(0, 255);
    c.fastcnp.form = (uint8_t)Frama_C_interval(0, 255);
    c.fastcnp.address_first = Frama_C_interval(0, 1) != 0;
    c.fastcnp.align8 = Frama_C_interval(0, 1) != 0;
    c.cnp = rocecc_cnp_default();
    c.cnp.src = rocecc_ip6_load(src);
    c.cnp.dscp = (uint8_t)Frama_C_interval(0, 255);
    c.cnp.ecn = (uint8_t)Frama_C_interval(0, 255);
    c.cnp.flow_label = (uint32_t)prove_any();
    c.cnp.udp_checksum = Frama_C_interval(0, 1) != 0;
    c.icrc_rule =
        (rocecc_icrc_rule)Frama_C_interval(ROCECC_ICRC_AUTO, ROCECC_ICRC_NONE + 1);
    c.mark_known_only = Frama_C_interval(0, 1) != 0;
    c.quiet_if_told = Frama_C_interval(0, 1) != 0;
    c.plain_only = Frama_C_interval(0, 1) != 0;
    c.plain_if_long = Frama_C_interval(0, 1) != 0;
    c.end_con = Frama_C_interval(0, 1) != 0;
    c.flow_label = (uint32_t)prove_any();
    Frama_C_make_unknown((char *)policy, sizeof policy);
    c.policy = rocecc_reader_of(policy, policy + sizeof policy);
    (void)rocecc_take(&c.policy, (size_t)Frama_C_interval(0, sizeof policy));
    c.gate.interval_ns = (uint32_t)prove_any();
    c.gate.defer = (uint8_t)Frama_C_interval(0, 255);
    c.unlimited = Frama_C_interval(0, 1) != 0;
    c.limit.rate_per_s = prove_any();
    c.limit.burst = (uint32_t)prove_any();
    c.limit.full_ns = prove_any();
    c.standard_cnp = Frama_C_interval(0, 1) != 0;
    c.qcn_priorities = (uint8_t)Frama_C_interval(0, 255);
    c.l3qcn.port = (uint16_t)Frama_C_interval(0, 0xffff);
    c.l3qcn.reserved_bit = Frama_C_interval(0, 1) != 0;
    c.l3qcn.cnm.signs = (uint8_t)Frama_C_interval(0, 255);
    c.l3qcn.cnm.fixed_msdu = Frama_C_interval(0, 1) != 0;
    c.l3qcn_outer.dscp = (uint8_t)Frama_C_interval(0, 255);
    c.l3qcn_outer.ecn = (uint8_t)Frama_C_interval(0, 255);
    c.l3qcn_outer.hop_limit = (uint8_t)Frama_C_interval(0, 255);
    c.l3qcn_outer.flow_label = (uint32_t)prove_any();
    c.l3qcn_outer.identification = (uint16_t)Frama_C_interval(0, 0xffff);
    c.l3qcn_outer.src_port = (uint16_t)Frama_C_interval(0, 0xffff);
    c.msdu_bytes = (uint8_t)Frama_C_interval(0, 255);
}

/* Any frame, any verdict; what QCN says is within its bounds or not. */
static void any_event(void)
{
    e.priority = (uint8_t)Frama_C_interval(0, 255);
    e.verdict = (uint8_t)Frama_C_interval(0, 255);
    e.sender = (uint8_t)Frama_C_interval(0, 255);
    e.has_qpn = Frama_C_interval(0, 1) != 0;
    e.qpn = (uint32_t)prove_any();
    e.qcn.cnm = Frama_C_interval(0, 1) != 0;
    e.qcn.sampled = Frama_C_interval(0, 1) != 0;
    e.qcn.qntz_fb = (uint8_t)Frama_C_interval(0, 255);
    e.qcn.offset_bytes = (int64_t)prove_any();
    e.qcn.delta_bytes = (int64_t)prove_any();
    e.cpid = prove_any();
}

/* Whatever stands in the located frame, and in the state. */
static void step_any(void)
{
    static uint8_t out[500];
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    (void)rocecc_put(&w, (size_t)Frama_C_interval(0, sizeof out));
    any_event();
    (void)rocecc_congestion_point_step(&c, &s, &gate, prove_reader(), &f, &e,
                                       prove_any(), &w);
}

/* A frame to be marked, of any bytes. */
static void mark_any(void)
{
    static uint8_t bytes[80];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    (void)rocecc_congestion_point_mark(w, &f);
}

static void unknown_any(void)
{
    rocecc_icmp6_problem problem;
    problem.code = (uint8_t)Frama_C_interval(0, 255);
    problem.checksum = 0;
    problem.pointer = (uint32_t)prove_any();
    problem.packet = prove_reader();
    (void)rocecc_congestion_point_unknown(&c.fastcnp, &problem);
}

void main(void)
{
    any_config();
    Frama_C_make_unknown((char *)&f, sizeof f);
    mark_any();
    unknown_any();
    /*@ slevel merge; */
    (void)rocecc_congestion_point_init(&c);
    s = rocecc_congestion_point_start(&c, prove_any());
    any_config();
    Frama_C_make_unknown((char *)&s, sizeof s);
    Frama_C_make_unknown((char *)&gate, sizeof gate);
    /*@ slevel merge; */
    step_any();
}
