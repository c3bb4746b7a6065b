/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 60 */
/* prove-options: -eva-slevel-function rocecc_notification_point_step:1 */
#define PROVE_BYTES 96
#define ROCECC_CHECKSUM_MAX_BYTES 64 /* low, so that the loop also reaches it */
#include "any.h"
#include "rocecc/role/notification_point.h"

/* Runs a step with any packet, any gate and any room. */
void main(void)
{
    static rocecc_cnpgate s;
    static rocecc_notification_config c;
    rocecc_writer w = prove_writer();
    rocecc_notification_event e;
    rocecc_packet p;
    rocecc_notification_result out;
    c.cnp = rocecc_cnp_default();
    c.cnp.dscp = (uint8_t)Frama_C_interval(0, 255);
    c.cnp.hop_limit = (uint8_t)Frama_C_interval(0, 255);
    c.cnp.ecn = (uint8_t)Frama_C_interval(0, 255);
    c.cnp.flow_label = (uint32_t)prove_any();
    c.cnp.udp_checksum = Frama_C_interval(0, 1) != 0;
    c.gate.interval_ns = (uint32_t)prove_any();
    c.gate.defer = (uint8_t)Frama_C_interval(0, 255);
    c.own = (uint8_t)Frama_C_interval(0, 255);
    (void)rocecc_notification_point_init(&c);
    Frama_C_make_unknown((char *)&s, sizeof s);
    prove_agree();
    p = prove_packet();
    e.now_ns = prove_any();
    e.src_qp = (uint32_t)prove_any();
    e.own_congestion = Frama_C_interval(0, 1) != 0;
    out = rocecc_notification_point_step(&c, &s, &p, e, &w);
    (void)rocecc_notification_needs_action(out.verdict);
}
