/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 1 -eva-auto-loop-unroll 0 -eva-slevel 60 */
#define PROVE_BYTES                                                                    \
    160 /* a tunnel with two segments and a TLV, and a packet inside                   \
         */
#define ROCECC_SRV6_INNER_MAX_BYTES 64
#include "law/srv6.h"
#include "any.h"

/* Writes headers with values of any width and lists of any length. */
static void write_any(void)
{
    static const uint8_t long_list[ROCECC_SRH_REST_MAX_BYTES + 8];
    static rocecc_srv6 h;
    rocecc_writer out = prove_writer();
    rocecc_ip6 segment;
    h.outer.dscp = (uint8_t)Frama_C_interval(0, 255);
    h.outer.ecn = (uint8_t)Frama_C_interval(0, 255);
    h.outer.flow_label = (uint32_t)prove_any();
    h.srh.segments_left = (uint8_t)Frama_C_interval(0, 255);
    h.srh.segments = prove_reader();
    h.srh.tlvs = prove_reader();
    h.ip.version = (uint8_t)Frama_C_interval(0, 255);
    h.ip.bytes = (uint32_t)prove_any();
    h.inner = prove_reader();
    (void)rocecc_srh_segment(&h.srh, (uint8_t)Frama_C_interval(0, 255), &segment);
    (void)rocecc_srh_emit(&out, &h.srh);
    out = prove_writer();
    (void)rocecc_srv6_emit(&out, &h);
    out = prove_writer();
    (void)rocecc_srv6_build(&out, &h);
    h.srh.segments = rocecc_reader_of(long_list, long_list + sizeof long_list);
    (void)rocecc_srh_emit(&out, &h.srh);
    (void)rocecc_srv6_emit(&out, &h);
    h.srh.segments = rocecc_reader_of(long_list, long_list + 1040);
    h.srh.tlvs = rocecc_reader_of(long_list, long_list + 1008);
    (void)rocecc_srh_emit(&out, &h.srh);
    h.srh.tlvs = rocecc_reader_of(long_list, long_list + sizeof long_list);
    (void)rocecc_srh_emit(&out, &h.srh);
}

static void init_any(void)
{
    static rocecc_srv6 h;
    rocecc_ip6 src = {{0}};
    (void)rocecc_srv6_init(&h, &src, prove_reader(), Frama_C_interval(0, 1) != 0);
}

static void read_any(void)
{
    const rocecc_packet p = prove_packet();
    rocecc_reader rest = p.bytes;
    rocecc_ip6 sid = {{0}};
    rocecc_srh srh;
    rocecc_srv6 h;
    bool match;
    (void)law_srh(rocecc_subrange(rest, rest.at, 48), &match);
    sid.b[0] = (uint8_t)Frama_C_interval(0, 255);
    (void)rocecc_srh_parse(&rest, &srh);
    (void)rocecc_srh_find(&p, &p.headers.ip, &srh);
    (void)rocecc_srv6_segments_left(&p, &p.headers.outer);
    rocecc_packet_final_dst(&p, &p.headers.ip, &sid);
    /*@ slevel merge; */
    (void)rocecc_srv6_parse(&p, &h);
    (void)rocecc_srv6_decapsulate(&p, &sid, &h);
}

void main(void)
{
    read_any();
    /*@ slevel merge; */
    init_any();
    /*@ slevel merge; */
    write_any();
}
