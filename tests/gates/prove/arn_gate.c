/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 1 -eva-slevel 60 -eva-auto-loop-unroll 0 */
/* prove-options: -eva-slevel-function rocecc_packet_ip:300,rocecc_flow_read_:300 */
/* prove-options: -eva-slevel-function rocecc_packet_flow:600 */
/* prove-options: -eva-slevel-function rocecc_flow_without_telemetry_:300 */
/* prove-options: -eva-slevel-function rocecc_flow_original_port_:300 */
/* prove-options: -eva-slevel-function rocecc_packet_ip_flow:600 */
/* prove-options: -eva-slevel-function rocecc_arn_gate_is_arn_:2000 */
/* prove-options: -eva-slevel-function rocecc_arrival_check_options_:600 */
/* prove-options: -eva-slevel-function rocecc_arrival_check:600 */
/* prove-options: -eva-slevel-function rocecc_ip6opt_next:100 */
/* prove-options: -eva-slevel-function rocecc_udp_verify:300 */
#define PROVE_BYTES 96
#define ROCECC_ARN_REST_MAX_BYTES 40
#include "any.h"
#include "rocecc/role/arn_gate.h"

/* Sets any limits. */
static void prove_admission(rocecc_admission_params *p)
{
    p->unlimited = Frama_C_interval(0, 1) != 0;
    p->misbehaving = (uint16_t)prove_any();
    p->source.rate_per_s = prove_any();
    p->source.burst = (uint32_t)prove_any();
    p->verify.rate_per_s = prove_any();
    p->verify.burst = (uint32_t)prove_any();
    p->shared.rate_per_s = prove_any();
    p->shared.burst = (uint32_t)prove_any();
}

static rocecc_arn_gate_config config(void)
{
    static rocecc_arn_gate_config c;
    c.tunnels = Frama_C_interval(0, 1) != 0;
    c.any_hops = Frama_C_interval(0, 1) != 0;
    c.no_checksum = Frama_C_interval(0, 1) != 0;
    Frama_C_make_unknown((char *)&c.group, sizeof c.group);
    prove_admission(&c.admission);
    return c;
}

/* Runs a step with any packet, list and buckets. */
void main(void)
{
    static rocecc_acl_entry entries[2];
    static rocecc_arn_gate s;
    static rocecc_admission_source sources[2];
    rocecc_arn_gate_config c = config();
    rocecc_acl access = {NULL, 0, 0};
    rocecc_admission_event e;
    rocecc_packet p;
    rocecc_arn_gate_result out;
    prove_agree();
    Frama_C_make_unknown((char *)entries, sizeof entries);
    access.entries = entries;
    access.n = (uint32_t)Frama_C_interval(0, 2);
    access.half = (uint32_t)prove_any();
    (void)rocecc_arn_gate_init(&c, &prove_domain, &access);
    s = rocecc_arn_gate_start(&c, prove_any());
    Frama_C_make_unknown((char *)&s, sizeof s);
    p = prove_packet();
    e.now_ns = prove_any();
    e.list = &access;
    e.index = NULL;
    Frama_C_make_unknown((char *)sources, sizeof sources);
    e.sources = sources;
    e.n_sources = (uint32_t)Frama_C_interval(0, 2);
    rocecc_arn_gate_step(&c, &s, &p, &e, &out);
    (void)rocecc_arn_gate_needs_action(out.verdict);
    /* Includes verdicts that find() never writes. */
    out.verdict = (uint8_t)Frama_C_interval(0, 255);
    out.arrival = (uint8_t)Frama_C_interval(0, 255);
    rocecc_arn_gate_admit(&c, &s, &p, &e, &out);
}
