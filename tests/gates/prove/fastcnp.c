/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 1 -eva-auto-loop-unroll 0 -eva-slevel 60 */
/* prove-options: -eva-slevel-function rocecc_fastcnp_build_plain_:500 */
/* prove-options: -eva-slevel-function rocecc_cnp_build_ipv6_:500 */
/* prove-options: -eva-slevel-function rocecc_icrc_add_adjacent_headers_:2000 */
/* prove-options: -eva-slevel-function rocecc_icrc_copy_:2000 */
/* prove-options: -eva-slevel-function rocecc_fastcnp_too_many_dst_opts_:2000 */
#define PROVE_BYTES 96
#define ROCECC_CHECKSUM_MAX_BYTES 64 /* low, so that the loop also reaches it */
#include "any.h"
#include "rocecc/packet/build.h"
#include "rocecc/packet/fastcnp.h"

/* Writes values of any width, and a trace of any bytes and kind. */
static void write_any(void)
{
    const rocecc_fastcnp_config c = prove_domain.fastcnp;
    rocecc_writer w = prove_writer();
    static uint8_t any[48], out[300];
    rocecc_cnp cnp = rocecc_cnp_default();
    rocecc_packet p;
    rocecc_fastcnp h;
    rocecc_headers_clear(&p.headers);
    p.bytes = prove_reader();
    p.domain = &prove_domain;
    Frama_C_make_unknown((char *)any, sizeof any);
    cnp.src = rocecc_ip6_load(any);
    cnp.dst = rocecc_ip6_load(any + 16);
    cnp.dscp = (uint8_t)Frama_C_interval(0, 255);
    cnp.flow_label = (uint32_t)prove_any();
    cnp.dest_qp = (uint32_t)prove_any();
    cnp.udp_checksum = Frama_C_interval(0, 1) != 0;
    h.kind = (uint8_t)Frama_C_interval(0, 255);
    h.flow_dst = rocecc_ip6_load(any + 32);
    h.reserved = (uint8_t)Frama_C_interval(0, 255);
    h.opt_type = (uint8_t)Frama_C_interval(0, 255);
    h.trace_bytes = (uint16_t)Frama_C_interval(0, 0xffff);
    h.trace_at = (uint32_t)prove_any();
    h.at = 0;
    (void)rocecc_fastcnp_emit(&w, &c, &h, p.bytes);
    w = rocecc_writer_of(out, out + sizeof out);
    (void)rocecc_put(&w, (size_t)Frama_C_interval(0, sizeof out));
    /*@ slevel merge; */
    (void)rocecc_fastcnp_build(
        &w, &p, (rocecc_icrc_rule)Frama_C_interval(ROCECC_ICRC_AUTO, ROCECC_ICRC_NONE),
        &cnp, &h);
}

/* Writes a trace that does not fit, and builds a CNP without an option. */
static void write_other(void)
{
    static const uint8_t long_trace[ROCECC_FASTCNP_IOAM_MAX_BYTES + 1];
    const rocecc_fastcnp_config c = prove_domain.fastcnp;
    const rocecc_cnp cnp = rocecc_cnp_default();
    rocecc_writer w = prove_writer();
    rocecc_fastcnp h = {ROCECC_FASTCNP_IOAM, {{0}}, 0, 0, sizeof long_trace, 0, 0};
    (void)rocecc_fastcnp_emit(
        &w, &c, &h, rocecc_reader_of(long_trace, long_trace + sizeof long_trace));
    (void)rocecc_cnp_build(&w, &cnp);
}

static void read_any(void)
{
    const rocecc_packet p = prove_packet();
    const rocecc_fastcnp_config *c = &prove_domain.fastcnp;
    rocecc_fastcnp h;
    (void)rocecc_fastcnp_init(c);
    (void)rocecc_fastcnp_parse(c, prove_reader(), &h);
    (void)rocecc_fastcnp_find(&p, &h);
    (void)rocecc_fastcnp_match(&p);
    (void)rocecc_fastcnp_border(&p);
    (void)rocecc_fastcnp_derive(&p, &h);
}

void main(void)
{
    prove_agree();
    read_any();
    /*@ slevel merge; */
    write_any();
    /*@ slevel merge; */
    write_other();
}
