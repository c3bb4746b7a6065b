/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ldcp.h"
#include "prove.h"

/* Runs each event with any accepted parameters and any bits as the state. */
void main(void)
{
    static rocecc_ldcp_params p;
    static rocecc_ldcp s;
    static rocecc_ldcp_receiver v;
    static rocecc_ldcp_space a;
    const uint32_t x = (uint32_t)prove_any(), y = (uint32_t)prove_any();
    const bool flag = Frama_C_interval(0, 1) != 0;
    Frama_C_make_unknown((char *)&p, sizeof p);
    Frama_C_make_unknown((char *)&s, sizeof s);
    Frama_C_make_unknown((char *)&v, sizeof v);
    Frama_C_make_unknown((char *)&a, sizeof a);
    p.split = Frama_C_interval(0, 1) != 0;
    p.continuous = Frama_C_interval(0, 1) != 0;
    (void)law_ldcp(prove_reader());
    (void)rocecc_ldcp_hns(x);
    if (rocecc_ldcp_init(&p) != ROCECC_LDCP_ACCEPTED) return;
    (void)rocecc_ldcp_start(&p);
    (void)rocecc_ldcp_may_send(&s, x, y);
    (void)rocecc_ldcp_may_send_bytes(&p, &s, (rocecc_ldcp_next_packet){x, y},
                                     (uint32_t)prove_any(), x);
    (void)rocecc_ldcp_window_bytes(&p, &s);
    (void)rocecc_ldcp_ask_packets(&s);
    (void)rocecc_ldcp_send(&p, &s, flag, x);
    rocecc_ldcp_ack(&p, &s, (rocecc_ldcp_ack_event){x, flag, y > x});
    (void)rocecc_ldcp_nak(&p, &s);
    (void)rocecc_ldcp_timeout(&p, &s);
    rocecc_ldcp_relink(&p, &s);
    (void)rocecc_ldcp_receiver_start();
    (void)rocecc_ldcp_received(&p, &v, flag);
    (void)rocecc_ldcp_flush(&v);
    (void)rocecc_ldcp_confirm(&a, x, y, (uint16_t)x);
}
