/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-slevel 100 */
#define PROVE_BYTES 24
#include "law/csig.h"
#include "prove.h"

static rocecc_csig_config config(void)
{
    rocecc_csig_config c;
    c.compact_tpid = (uint16_t)Frama_C_interval(0, 65535);
    c.wide_tpid = (uint16_t)Frama_C_interval(0, 65535);
    c.uec = Frama_C_interval(0, 1) != 0;
    return c;
}

static rocecc_csig tag(void)
{
    rocecc_csig h;
    h.tpid = (uint16_t)Frama_C_interval(0, 65535);
    h.wide = Frama_C_interval(0, 1) != 0;
    h.type = (uint8_t)Frama_C_interval(0, 255);
    h.reserved = (uint8_t)Frama_C_interval(0, 255);
    h.value = (uint32_t)prove_any();
    h.locator = (uint16_t)Frama_C_interval(0, 65535);
    h.no_update = Frama_C_interval(0, 1) != 0;
    return h;
}

/* Returns an unchecked table with any bounds and counts. */
static const rocecc_csig_table *table(void)
{
    static rocecc_csig_table t;
    int i;
    Frama_C_make_unknown((char *)&t, sizeof t);
    for (i = 0; i < ROCECC_CSIG_TYPES; i++)
        t.type[i].wide = Frama_C_interval(0, 1) != 0;
    return &t;
}

/*
 * Checks that a parsed tag has the length of its form, lies in the buffer, and has
 * fields that fit their bits.
 */
static void read_compact(rocecc_csig_config c, rocecc_reader r)
{
    const size_t at = r.at;
    rocecc_csig h;
    rocecc_status status;
    c.wide_tpid = 0;
    status = rocecc_csig_parse(&c, &r, &h);
    if (status == ROCECC_OK) {
        /*@ assert r.at == at + 4 && r.at <= r.end; */
        /*@ assert h.wide == 0 && h.type < 8 && h.reserved < 2; */
        /*@ assert h.value < 32 && h.locator < 128; */
    } else {
        /*@ assert r.at == at; */
    }
}

static void read_wide(rocecc_csig_config c, rocecc_reader r)
{
    const size_t at = r.at;
    rocecc_csig h;
    rocecc_status status;
    c.compact_tpid = 0;
    status = rocecc_csig_parse(&c, &r, &h);
    if (status == ROCECC_OK) {
        /*@ assert r.at == at + 8 && r.at <= r.end; */
        /*@ assert h.wide == 1 && h.type < 16 && h.value < 0x100000; */
    } else {
        /*@ assert r.at == at; */
    }
}

/* Reads at each offset separately, so that Eva knows how far a reader has moved. */
static void read_each(void)
{
    const rocecc_csig_config c = config();
    size_t n;
    /*@ loop unroll PROVE_BYTES + 1; */
    for (n = 0; n <= PROVE_BYTES; n++) {
        rocecc_reader r = rocecc_reader_of(prove_bytes, prove_bytes + PROVE_BYTES);
        Frama_C_make_unknown((char *)prove_bytes, PROVE_BYTES);
        (void)rocecc_take(&r, n);
        read_compact(c, r);
        read_wide(c, r);
    }
}

static void read_any(void)
{
    const rocecc_csig_config c = config();
    rocecc_reader r = prove_reader();
    rocecc_csig h;
    (void)rocecc_csig_parse(&c, &r, &h);
    (void)rocecc_csig_init(&c);
    (void)rocecc_csig_bytes(&c, (uint16_t)Frama_C_interval(0, 65535));
    h = rocecc_csig_neutral(&c, Frama_C_interval(0, 1) != 0,
                            (uint8_t)Frama_C_interval(0, 255));
    /*@ assert h.value < 0x100000; */
}

static void write_any(void)
{
    const rocecc_csig_config c = config();
    const rocecc_csig h = tag();
    const bool uec = Frama_C_interval(0, 1) != 0;
    rocecc_writer w = prove_writer();
    uint8_t b[8];
    (void)rocecc_csig_emit(&c, &w, &h);
    rocecc_csig_compact_store(b, &h, uec);
    rocecc_csig_wide_store(b, &h, uec);
    (void)rocecc_csig_compact_load(b, uec);
    (void)rocecc_csig_wide_load(b, uec);
}

/* Quantises any value, checks the bucket's bounds, and dequantises the bucket. */
static void buckets_any(void)
{
    const rocecc_csig_table *t = table();
    rocecc_csig h = tag();
    uint32_t bucket = 0;
    uint64_t v = 0;
    rocecc_status status;
    (void)rocecc_csig_table_init(t);
    (void)rocecc_csig_dequantise(t, &h, &v);
    h.type = (uint8_t)Frama_C_interval(0, 5);
    /*@ split h.type; */
    /*@ split h.wide; */
    status = rocecc_csig_quantise(t, &h, (uint64_t)prove_any(), &bucket);
    /*@ assert bucket < 0x100000; */
    /*@ assert h.wide == 0 ==> bucket < 32; */
    if (status != ROCECC_OK) return;
    h.value = bucket;
    (void)rocecc_csig_dequantise(t, &h, &v);
}

static void hop_any(void)
{
    rocecc_csig_port port;
    rocecc_csig h = tag();
    static rocecc_csig_measured local;
    Frama_C_make_unknown((char *)&local, sizeof local);
    port.action = (uint8_t)Frama_C_interval(0, 255);
    port.ignore_d = Frama_C_interval(0, 1) != 0;
    port.locator = (uint16_t)Frama_C_interval(0, 65535);
    (void)rocecc_csig_fold(table(), &port, &local, &h);
}

/* Reads and edits a packet with any `where`, in any domain. */
static void packet_any(void)
{
    static rocecc_headers where;
    static rocecc_edit e;
    static rocecc_csig_measured local;
    static rocecc_domain d;
    const rocecc_csig h = tag();
    rocecc_csig_port port;
    rocecc_packet p;
    rocecc_csig found;
    d.csig = config();
    d.link = (uint8_t)Frama_C_interval(0, 1);
    Frama_C_make_unknown((char *)&where, sizeof where);
    Frama_C_make_unknown((char *)&local, sizeof local);
    where.cut = false;
    port.action = (uint8_t)Frama_C_interval(0, 255);
    port.ignore_d = Frama_C_interval(0, 1) != 0;
    port.locator = (uint16_t)Frama_C_interval(0, 65535);
    p = rocecc_packet_attach(&d, prove_reader(), &where);
    (void)rocecc_csig_find(&p, &found);
    (void)rocecc_csig_insert(&p, &h, &e);
    /*@ slevel merge; */
    (void)rocecc_csig_push(&p, table(), &port, &local, &e);
    /*@ slevel merge; */
    (void)rocecc_csig_strip(&p, &e);
}

void main(void)
{
    (void)law_csig(prove_reader());
    /*@ slevel merge; */
    read_each();
    /*@ slevel merge; */
    read_any();
    /*@ slevel merge; */
    write_any();
    /*@ slevel merge; */
    buckets_any();
    /*@ slevel merge; */
    hop_any();
    /*@ slevel merge; */
    packet_any();
}
