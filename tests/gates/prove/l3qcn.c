/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-slevel 60 -eva-auto-loop-unroll 0 */
/* prove-options: -eva-slevel-function lengths:6000,length:500,founds:6000,found:500 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_header_parse:3000 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_parse:3000,read_any:500 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_find_:3000 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_find:3000 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_pdu_parse:3000 */
/* prove-options: -eva-slevel-function rocecc_ip6_is_ip4:1 */
#define PROVE_BYTES 160
#define ROCECC_CHECKSUM_MAX_BYTES 64 /* low, so that the loop also reaches it */
#include "any.h"
#include "rocecc/packet/l3qcn.h"
#include "rocecc/packet/udp.h"

static rocecc_l3qcn_config config(void)
{
    rocecc_l3qcn_config c = {0, false, {0, false, false, false, {{0}}}};
    c.port = (uint16_t)Frama_C_interval(0, 0xffff);
    c.reserved_bit = Frama_C_interval(0, 1) != 0;
    c.cnm.fixed_msdu = Frama_C_interval(0, 1) != 0;
    c.cnm.tolerate_long = Frama_C_interval(0, 1) != 0;
    c.cnm.strict_version = Frama_C_interval(0, 1) != 0;
    return c;
}

/* Parses `end` bytes. The header declares the lengths `header` and `total`. */
static void length(int v6, int header, int total, int end)
{
    const rocecc_l3qcn_config c = config();
    rocecc_reader r = rocecc_reader_of(prove_bytes, prove_bytes + PROVE_BYTES);
    const int fixed = v6 ? 44 : 20;
    rocecc_l3qcn h;
    rocecc_status status;
    Frama_C_make_unknown((char *)prove_bytes, PROVE_BYTES);
    prove_bytes[2] = (uint8_t)(0x10 + 8 * v6);
    prove_bytes[4] = 0;
    prove_bytes[5] = (uint8_t)total;
    prove_bytes[6] = (uint8_t)header;
    r.end = (size_t)end;
    status = rocecc_l3qcn_parse(&c, &r, &h);
    if (status == ROCECC_OK) {
        /*@ assert total <= end; */
        /*@ assert h.extension.at == fixed; */
        /*@ assert h.extension.end == header >= fixed; */
        /*@ assert h.pdu_offset == header; */
        /*@ assert h.cnm.msdu.at == header + ROCECC_CNM_BYTES; */
        /*@ assert h.cnm.msdu.end <= total; */
        /*@ assert r.at == total; */
        /*@ assert r.at <= r.end; */
    }
}

/*
 * Parses headers of either family, with lengths at and around their bounds. The parts
 * follow each other within their declared lengths.
 */
static void lengths(void)
{
    int v6, header, total, end;
    for (v6 = 0; v6 <= 1; v6++)
        for (header = 19; header <= 49; header += 5)
            for (total = 43; total < PROVE_BYTES; total += 13)
                for (end = total - 1; end <= total + 1; end++) {
                    length(v6, header, total, end);
                    /*@ slevel merge; */
                }
}

/* Finds a private CNM of `total` bytes in an IPv4 packet of `bytes` bytes. */
static void found(int total, int bytes)
{
    static rocecc_headers f;
    rocecc_packet p;
    rocecc_l3qcn_verdict verdict;
    rocecc_l3qcn h;
    rocecc_status status;
    Frama_C_make_unknown((char *)prove_bytes, PROVE_BYTES);
    prove_bytes[28 + 2] = 0x10;
    prove_bytes[28 + 4] = 0;
    prove_bytes[28 + 5] = (uint8_t)total;
    prove_bytes[28 + 6] = 20;
    f.kind = ROCECC_PACKET_KIND_UDP;
    f.ip.version = 4;
    f.ip.upper = f.udp = 20;
    f.ip.end = f.end = (uint32_t)bytes;
    prove_domain.l3qcn = config();
    p = rocecc_packet_attach(
        &prove_domain, rocecc_reader_of(prove_bytes, prove_bytes + PROVE_BYTES), &f);
    status = rocecc_l3qcn_find(&p, &h, &verdict);
    if (status == ROCECC_OK) {
        /*@ assert 28 + total <= bytes; */
        /*@ assert h.pdu_offset == 28 + 20; */
        /*@ assert h.extension.at == h.extension.end == 48; */
        /*@ assert h.cnm.msdu.at == 48 + ROCECC_CNM_BYTES; */
        /*@ assert h.cnm.msdu.end <= bytes; */
    }
}

static void founds(void)
{
    int total;
    for (total = 43; total < 120; total += 11) {
        found(total, 28 + total - 1);
        /*@ slevel merge; */
        found(total, 28 + total);
        /*@ slevel merge; */
    }
}

static void read_any(void)
{
    const rocecc_l3qcn_config c = config();
    rocecc_reader r = prove_reader();
    rocecc_packet p;
    rocecc_l3qcn_verdict verdict;
    rocecc_l3qcn h;
    rocecc_status status;
    prove_domain.l3qcn = c;
    (void)rocecc_l3qcn_init(&c);
    status = rocecc_l3qcn_parse(&c, &r, &h);
    if (status == ROCECC_OK) (void)rocecc_l3qcn_flow(&h);
    /*@ slevel merge; */
    p = prove_packet();
    (void)rocecc_l3qcn_find(&p, &h, &verdict);
    /*@ slevel merge; */
    (void)rocecc_l3qcn_match(&p);
    (void)rocecc_udp_verify(&p);
}

/* Writes a private CNM with values of any width and addresses of either family. */
static void write_any(void)
{
    const rocecc_l3qcn_config c = config();
    static uint8_t any[32], out[400], far[300];
    rocecc_l3qcn_outer o = rocecc_l3qcn_outer_default((uint32_t)prove_any());
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    rocecc_l3qcn h = {0};
    Frama_C_make_unknown((char *)any, sizeof any);
    h.src = rocecc_ip6_load(any);
    h.dst = rocecc_ip6_load(any + 16);
    h.flags = (uint8_t)Frama_C_interval(0, 255);
    h.ports = Frama_C_interval(0, 1) != 0;
    h.extension = rocecc_reader_of(far, far + sizeof far);
    (void)rocecc_take(&h.extension, (size_t)Frama_C_interval(0, sizeof far));
    h.cnm.qntz_fb = (uint8_t)Frama_C_interval(0, 255);
    h.cnm.msdu = prove_reader();
    o.dscp = (uint8_t)Frama_C_interval(0, 255);
    o.ecn = (uint8_t)Frama_C_interval(0, 255);
    o.flow_label = (uint32_t)prove_any();
    (void)rocecc_put(&w, (size_t)Frama_C_interval(0, sizeof out));
    (void)rocecc_l3qcn_emit(&w, &c, &h);
    w = rocecc_writer_of(out, out + sizeof out);
    (void)rocecc_put(&w, (size_t)Frama_C_interval(0, sizeof out));
    (void)rocecc_l3qcn_build(&w, &c, &o, &h);
}

void main(void)
{
    founds();
    /*@ slevel merge; */
    lengths();
    /*@ slevel merge; */
    read_any();
    /*@ slevel merge; */
    write_any();
}
