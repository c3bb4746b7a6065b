/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 60 */
#define PROVE_BYTES 96
#define ROCECC_CHECKSUM_MAX_BYTES 64 /* the loop ends by its cap, too */
#include "prove.h"
#include "rocecc/wire/fastcnp.h"

static rocecc_fastcnp_config config(void)
{
    rocecc_fastcnp_config c;
    c.type_plain = (uint8_t)Frama_C_interval(0, 255);
    c.type_ioam = (uint8_t)Frama_C_interval(0, 255);
    c.form = (uint8_t)Frama_C_interval(0, 255);
    c.address_first = Frama_C_interval(0, 1) != 0;
    c.align8 = Frama_C_interval(0, 1) != 0;
    return c;
}

/* Values of any width, a trace of any bytes and kind. */
static void write_any(void)
{
    const rocecc_fastcnp_config c = config();
    rocecc_writer w = prove_writer();
    static uint8_t any[48], out[300];
    rocecc_cnp cnp = rocecc_cnp_default();
    rocecc_fastcnp h;
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
    h.trace = prove_reader();
    h.at = 0;
    (void)rocecc_fastcnp_emit(&w, &c, &h);
    w = rocecc_writer_of(out, out + sizeof out);
    (void)rocecc_put(&w, (size_t)Frama_C_interval(0, sizeof out));
    (void)rocecc_fastcnp_build(
        &w, &c, (rocecc_icrc_rule)Frama_C_interval(ROCECC_ICRC_AUTO, ROCECC_ICRC_NONE),
        &cnp, &h);
}

/* A trace that does not fit; a CNP without an option, by what builds both. */
static void write_other(void)
{
    static const uint8_t long_trace[ROCECC_FASTCNP_IOAM_MAX_BYTES + 1];
    const rocecc_fastcnp_config c = config();
    const rocecc_cnp cnp = rocecc_cnp_default();
    rocecc_writer w = prove_writer();
    rocecc_fastcnp h = {ROCECC_FASTCNP_IOAM, {{0}}, 0, 0, prove_reader(), 0};
    h.trace = rocecc_reader_of(long_trace, long_trace + sizeof long_trace);
    (void)rocecc_fastcnp_emit(&w, &c, &h);
    (void)rocecc_cnp_build(&w, &cnp);
}

/* Whatever stands in the located frame: offsets beyond the buffer, too. */
static void read_any(void)
{
    const rocecc_fastcnp_config c = config();
    static rocecc_frame f;
    rocecc_fastcnp h;
    Frama_C_make_unknown((char *)&f, sizeof f);
    (void)rocecc_fastcnp_init(&c);
    (void)rocecc_fastcnp_parse(&c, prove_reader(), &h);
    (void)rocecc_fastcnp_find(&c, prove_reader(), &f, &h);
    (void)rocecc_fastcnp_match(&c, prove_reader(), &f);
    (void)rocecc_fastcnp_of(prove_reader(), &f, &h);
}

void main(void)
{
    read_any();
    /*@ slevel merge; */
    write_any();
    /*@ slevel merge; */
    write_other();
}
