/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 512
#include "prove.h"
#include "rocecc/wire/pfc.h"

/* Returns any bytes from offset 0 to any end. */
static rocecc_reader first(void)
{
    rocecc_reader r = rocecc_reader_of(prove_bytes, prove_bytes + PROVE_BYTES);
    Frama_C_make_unknown((char *)prove_bytes, PROVE_BYTES);
    r.end = (size_t)Frama_C_interval(0, PROVE_BYTES);
    return r;
}

static void read_first(void)
{
    rocecc_reader r = first();
    static rocecc_pfc_config c;
    rocecc_pfc_pause p;
    rocecc_pfc h;
    uint16_t quanta;
    rocecc_status status = rocecc_pfc_parse(&r, &h);
    if (status == ROCECC_OK) {
        unsigned priority = (unsigned)Frama_C_interval(0, 9);
        /*@ assert r.at == ROCECC_PFC_BYTES; */
        /*@ assert r.at <= r.end; */
        status = rocecc_pfc_find(&h, priority, &quanta);
        if (status == ROCECC_OK) {
            /*@ assert priority < 8; */
        }
    } else {
        /*@ assert r.at == 0; */
    }
    Frama_C_make_unknown((char *)&c, sizeof c);
    r = first();
    status = rocecc_pfc_pause_parse(&c, &r, &p);
    if (status == ROCECC_OK) {
        /*@ assert r.at == ROCECC_PFC_PAUSE_BYTES; */
        /*@ assert r.at <= r.end; */
    }
}

/* Reads and writes frames with any values at any offset. */
static void any(void)
{
    rocecc_reader r = prove_reader();
    rocecc_writer w = prove_writer();
    static rocecc_pfc_config c;
    static rocecc_pfc_pause p;
    static rocecc_pfc h;
    Frama_C_make_unknown((char *)&c, sizeof c);
    Frama_C_make_unknown((char *)&p, sizeof p);
    Frama_C_make_unknown((char *)&h, sizeof h);
    (void)rocecc_pfc_emit(&w, &h);
    w = prove_writer();
    (void)rocecc_pfc_build(&w, &h);
    w = prove_writer();
    (void)rocecc_pfc_pause_emit(&w, &p);
    w = prove_writer();
    (void)rocecc_pfc_pause_build(&w, &p);
    (void)rocecc_pfc_parse(&r, &h);
    (void)rocecc_pfc_pause_parse(&c, &r, &p);
}

/* Checks that no product overflows, and that 0 quanta last 0 ns. */
static void times(void)
{
    const uint16_t q = (uint16_t)Frama_C_interval(0, 0xffff);
    const uint64_t rate = prove_any();
    const uint64_t ns = rocecc_pfc_ns(q, rate);
    uint16_t back;
    if (q == 0) {
        /*@ assert ns == 0; */
    }
    back = rocecc_pfc_quanta(prove_any(), rate);
    /*@ assert back <= 0xffff; */
}

void main(void)
{
    read_first();
    /*@ slevel merge; */
    any();
    /*@ slevel merge; */
    times();
}
