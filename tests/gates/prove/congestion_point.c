/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 60 */
/* prove-options: -eva-slevel-function rocecc_congestion_send_fastcnp_:1 */
/* prove-options: -eva-slevel-function rocecc_packet_ip:4000 */
/* prove-options: -eva-slevel-function rocecc_flow_read_:400,rocecc_packet_flow:400 */
/* prove-options: -eva-slevel-function rocecc_flow_without_telemetry_:400 */
/* prove-options: -eva-slevel-function rocecc_ip6_load:4000,rocecc_ip4_load:4000 */
/* prove-options: -eva-slevel-function rocecc_ip6_of_ip4:4000,rocecc_ipv6_parse:400 */
/* prove-options: -eva-slevel-function rocecc_congestion_answerable_flow_:400 */
/* prove-options: -eva-slevel-function rocecc_congestion_send_cnp_:1 */
/* prove-options: -eva-slevel-function rocecc_congestion_send_cnm_:1 */
/* prove-options: -eva-slevel-function rocecc_congestion_notify_rocev2_:1 */
/* prove-options: -eva-slevel-function rocecc_congestion_point_step:1 */
/* prove-options: -eva-slevel-function rocecc_congestion_point_rejects_fastcnp:600 */
/* prove-options: -eva-slevel-function rocecc_headers_parse_as:1 */
/* prove-options: -eva-slevel-function rocecc_walk_from_type_:1 */
/* prove-options: -eva-slevel-function rocecc_plain_fastcnp_:1 */
/* prove-options: -eva-slevel-function rocecc_icrc_ip_bytes_:1,rocecc_icrc_init:1 */
/* prove-options: -eva-slevel-function rocecc_icrc_add_adjacent_headers_:300 */
/* prove-options: -eva-slevel-function rocecc_icrc_copy_:300 */
/* prove-options: -eva-slevel-function rocecc_icrc_add_rocev2_:1 */
/* prove-options: -eva-slevel-function rocecc_icrc_add_ip_:1 */
/* prove-options: -eva-slevel-function rocecc_icrc_add_ipv6_:1,rocecc_cnp_put_tail_:1 */
/* prove-options: -eva-slevel-function rocecc_icrc_add_ext_:1,rocecc_icrc_add_tlvs_:1 */
/* prove-options: -eva-slevel-function rocecc_icrc_add_exts_:1,rocecc_icrc_bytes:1 */
/* prove-options: -eva-slevel-function rocecc_icrc_update_upto:1,rocecc_icrc_ones:1 */
#define PROVE_BYTES 160
#define ROCECC_CHECKSUM_MAX_BYTES 64 /* low, so that the loop also reaches it */
#include "any.h"
#include "rocecc/role/congestion_point.h"

static rocecc_congestion_config c;
static rocecc_congestion_point s;
static rocecc_cnpgate gate;
static rocecc_congestion_event e;
static rocecc_acl access_list, tunnels;
static rocecc_congestion_policy policies[2];
static rocecc_admission_source sources[2];

static void any_bucket(rocecc_tokenbucket_params *p)
{
    p->rate_per_s = prove_any();
    p->burst = (uint32_t)prove_any();
    p->full_ns = prove_any();
}

/* Sets any configuration. */
static void any_config(void)
{
    static uint8_t src[16];
    Frama_C_make_unknown((char *)src, sizeof src);
    c.fastcnp_enabled = Frama_C_interval(0, 1) != 0;
    c.cnp = rocecc_cnp_default();
    c.cnp.src = rocecc_ip6_load(src);
    c.cnp.dscp = (uint8_t)Frama_C_interval(0, 255);
    c.cnp.hop_limit = (uint8_t)Frama_C_interval(0, 255);
    c.cnp.ecn = (uint8_t)Frama_C_interval(0, 255);
    c.cnp.flow_label = (uint32_t)prove_any();
    c.cnp.udp_checksum = Frama_C_interval(0, 1) != 0;
    c.icrc_rule = (uint8_t)Frama_C_interval(ROCECC_ICRC_AUTO, ROCECC_ICRC_NONE + 1);
    c.mark_known_only = Frama_C_interval(0, 1) != 0;
    c.quiet_if_told = Frama_C_interval(0, 1) != 0;
    c.plain_only = Frama_C_interval(0, 1) != 0;
    c.plain_if_long = Frama_C_interval(0, 1) != 0;
    c.flow_label = (uint32_t)prove_any();
    Frama_C_make_unknown((char *)&c.answer, sizeof c.answer);
    c.gate.interval_ns = (uint32_t)prove_any();
    c.gate.defer = (uint8_t)Frama_C_interval(0, 255);
    any_bucket(&c.admission.source);
    any_bucket(&c.admission.verify);
    any_bucket(&c.admission.shared);
    c.admission.unlimited = Frama_C_interval(0, 1) != 0;
    c.admission.misbehaving = (uint16_t)prove_any();
    c.standard_cnp = Frama_C_interval(0, 1) != 0;
    c.qcn_priorities = (uint8_t)Frama_C_interval(0, 255);
    c.l3qcn_outer.dscp = (uint8_t)Frama_C_interval(0, 255);
    c.l3qcn_outer.ecn = (uint8_t)Frama_C_interval(0, 255);
    c.l3qcn_outer.hop_limit = (uint8_t)Frama_C_interval(0, 255);
    c.l3qcn_outer.flow_label = (uint32_t)prove_any();
    c.l3qcn_outer.identification = (uint16_t)Frama_C_interval(0, 0xffff);
    c.l3qcn_outer.src_port = (uint16_t)Frama_C_interval(0, 0xffff);
    c.msdu_bytes = (uint8_t)Frama_C_interval(0, 255);
}

/*
 * Sets lists with any entries and links, and policies of any length, even too long
 * ones.
 */
static void any_lists(void)
{
    static rocecc_acl_entry entries[2];
    Frama_C_make_unknown((char *)entries, sizeof entries);
    access_list.entries = tunnels.entries = entries;
    access_list.n = (uint32_t)Frama_C_interval(0, 2);
    access_list.half = (uint32_t)prove_any();
    tunnels.n = (uint32_t)Frama_C_interval(0, 2);
    tunnels.half = (uint32_t)prove_any();
    Frama_C_make_unknown((char *)policies, sizeof policies);
    e.admission.list = prove_bit() ? &access_list : NULL;
    e.admission.index = NULL;
    e.admission.sources = sources;
    e.admission.n_sources = (uint32_t)Frama_C_interval(0, 2);
    e.tunnels = prove_bit() ? &tunnels : NULL;
    e.policies = policies;
    e.n_policies = (uint32_t)Frama_C_interval(0, 2);
}

/* Sets an event with any verdict and any QCN values, even out of bounds. */
static void any_event(void)
{
    e.admission.now_ns = prove_any();
    e.gate = &gate;
    e.priority = (uint8_t)Frama_C_interval(0, 255);
    e.verdict = (uint8_t)Frama_C_interval(0, 255);
    e.sender_support = (uint8_t)Frama_C_interval(0, 255);
    e.has_qpn = Frama_C_interval(0, 1) != 0;
    e.qpn = (uint32_t)prove_any();
    e.qcn.cnm = Frama_C_interval(0, 1) != 0;
    e.qcn.sampled = Frama_C_interval(0, 1) != 0;
    e.qcn.qntz_fb = (uint8_t)Frama_C_interval(0, 255);
    e.qcn.offset_bytes = (int64_t)prove_any();
    e.qcn.delta_bytes = (int64_t)prove_any();
    e.cpid = prove_any();
}

/* Runs a step with any packet, configuration, event and state. */
static void step_any(void)
{
    static uint8_t out[ROCECC_PACKET_START_MAX + 500];
    const rocecc_packet p = prove_packet();
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    (void)rocecc_put(&w, (size_t)Frama_C_interval(0, sizeof out));
    any_event();
    any_lists();
    (void)rocecc_congestion_point_step(&c, &s, &p, &e, &w);
}

/* Marks a packet of any bytes. */
static void mark_any(void)
{
    static uint8_t bytes[80];
    const rocecc_packet p = prove_packet();
    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    (void)rocecc_congestion_point_mark(&p,
                                       rocecc_writer_of(bytes, bytes + sizeof bytes));
}

/* Checks an error with any quote from any sender. */
static void rejects_any(void)
{
    static rocecc_ip6 sender;
    rocecc_icmp_message m;
    Frama_C_make_unknown((char *)&sender, sizeof sender);
    m.type = (uint8_t)Frama_C_interval(0, 255);
    m.code = (uint8_t)Frama_C_interval(0, 255);
    m.checksum = 0;
    m.value = (uint32_t)prove_any();
    m.packet = prove_reader();
    (void)rocecc_congestion_point_rejects_fastcnp(&c, &prove_domain, &m, &sender);
}

void main(void)
{
    any_config();
    prove_agree();
    mark_any();
    rejects_any();
    any_lists();
    (void)rocecc_congestion_policy_init(&policies[0]);
    /*@ slevel merge; */
    (void)rocecc_congestion_point_init(&c, &prove_domain, e.admission.list);
    s = rocecc_congestion_point_start(&c, prove_any());
    any_config();
    Frama_C_make_unknown((char *)&s, sizeof s);
    Frama_C_make_unknown((char *)sources, sizeof sources);
    Frama_C_make_unknown((char *)&gate, sizeof gate);
    /*@ slevel merge; */
    step_any();
}
