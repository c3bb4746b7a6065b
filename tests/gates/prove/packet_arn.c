/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 1 -eva-slevel 20 -eva-auto-loop-unroll 0 */
#define PROVE_BYTES 64
#define ROCECC_ARN_REST_MAX_BYTES 40
#include "any.h"
#include "rocecc/packet/arn.h"

static const rocecc_arn_config *any_config(void)
{
    prove_agree();
    return &prove_domain.arn;
}

/* Writes packets with values of any width and addresses of either family. */
void main(void)
{
    static uint8_t any[64], out[250];
    const rocecc_arn_config *c = any_config();
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    rocecc_datagram d = rocecc_arn_datagram(c, (uint32_t)prove_any());
    rocecc_arn h = rocecc_arn_default(c, (uint8_t)Frama_C_interval(0, 255),
                                      (uint8_t)Frama_C_interval(0, 255));
    uint32_t pseudo;
    rocecc_packet p;
    rocecc_writer data;
    Frama_C_make_unknown((char *)any, sizeof any);
    d.src = rocecc_ip6_load(any);
    d.dst = rocecc_ip6_load(any + 16);
    d.flow_label = (uint32_t)prove_any();
    d.dscp = (uint8_t)Frama_C_interval(0, 255);
    d.ecn = (uint8_t)Frama_C_interval(0, 255);
    h.flow.src = rocecc_ip6_load(any + 32);
    h.flow.dst = rocecc_ip6_load(any + 48);
    h.tuple_bytes = (uint8_t)Frama_C_interval(0, 255);
    h.priority = (uint32_t)prove_any();
    h.rest = prove_reader();
    (void)rocecc_put(&w, (size_t)Frama_C_interval(0, sizeof out));
    (void)rocecc_arn_build(&w, c, &d, &h);
    /*@ slevel merge; */
    w = rocecc_writer_of(out, out + sizeof out);
    (void)rocecc_put(&w, (size_t)Frama_C_interval(0, sizeof out));
    (void)rocecc_datagram_ip_emit(&w, &d, prove_any(),
                                  (uint16_t)Frama_C_interval(0, 65535), &pseudo);
    /*@ slevel merge; */
    data = w;
    (void)rocecc_put(&data, prove_any());
    (void)rocecc_datagram_emit(&w, &d, &data);
    /*@ slevel merge; */
    p = prove_packet();
    (void)rocecc_arn_find(&p, &h);
}
