/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-slevel 60 -eva-auto-loop-unroll 0 */
/* prove-options: -eva-slevel-function rocecc_telemetry_ioam_path:2000 */
/* prove-options: -eva-slevel-function rocecc_telemetry_ifa_path:2000 */
/* prove-options: -eva-slevel-function rocecc_telemetry_intmd_path:2000 */
/* prove-options: -eva-slevel-function rocecc_telemetry_csig_sample:500 */
/* prove-options: -eva-slevel-function tags:500 */
#define PROVE_BYTES 256
#include "prove.h"
#include "rocecc/telemetry/csig.h"
#include "rocecc/telemetry/path.h"

#define HOPS 8

static rocecc_ifa_node ifa;
static rocecc_hop hop;

/* Returns any units, clocks and widths, even if init() refuses them. */
static rocecc_telemetry_config config(void)
{
    rocecc_telemetry_config c;
    int i;
    /*@ loop unroll 63; */
    for (i = 0; i < ROCECC_TELEMETRY_SPEEDS; i++)
        c.speeds_bps[i] = prove_any();
    c.rate_bps = prove_any();
    c.queue_unit_bytes = (uint32_t)prove_any();
    c.util_one = (uint32_t)prove_any();
    c.clock = (uint8_t)Frama_C_interval(0, 255);
    c.seconds = Frama_C_interval(0, 1) != 0;
    c.ts_bits = (uint8_t)Frama_C_interval(0, 255);
    c.tx_bits = (uint8_t)Frama_C_interval(0, 255);
    c.every_node = Frama_C_interval(0, 1) != 0;
    c.layout.bitmap = (uint32_t)prove_any();
    c.layout.tx_bytes_bit = (uint8_t)Frama_C_interval(0, 255);
    c.layout.interface_bit = (uint8_t)Frama_C_interval(0, 255);
    c.layout.n = (uint8_t)Frama_C_interval(0, 255);
    /*@ loop unroll 32; */
    for (i = 0; i < ROCECC_REPORT_WORDS; i++)
        c.layout.word[i] = (uint8_t)Frama_C_interval(0, 255);
    return c;
}

static void hop_any(void)
{
    Frama_C_make_unknown((char *)&hop, sizeof hop);
}

static void ioam_any(rocecc_ioam_node *n)
{
    Frama_C_make_unknown((char *)n, sizeof *n);
}

static void ifa_any(void)
{
    Frama_C_make_unknown((char *)&ifa, sizeof ifa);
}

static void intmd_any(rocecc_intmd_node *n)
{
    Frama_C_make_unknown((char *)n, sizeof *n);
}

/* Converts any record and any hop, with any configuration. */
static void records(void)
{
    static rocecc_ioam_node ioam;
    static rocecc_intmd_node intmd;
    const rocecc_telemetry_config c = config();
    rocecc_status status;
    (void)rocecc_telemetry_init(&c);
    (void)rocecc_telemetry_moduli_derive(
        &c, (rocecc_telemetry_format)Frama_C_interval(0, ROCECC_TELEMETRY_INTMD),
        prove_any(), (uint32_t)prove_any());
    ioam_any(&ioam);
    hop = rocecc_telemetry_ioam_load(&c, &ioam);
    hop_any();
    rocecc_telemetry_ioam_store(&c, &hop, &ioam);
    ifa_any();
    hop = rocecc_telemetry_ifa_load(&c, &ifa);
    hop_any();
    status = rocecc_telemetry_ifa_emit(&c, &hop, &ifa);
    intmd_any(&intmd);
    hop = rocecc_telemetry_intmd_load(&c, &intmd);
    hop_any();
    rocecc_telemetry_intmd_store(&c, &hop, &intmd);
}

/* Checks that clocks and counters are below the moduli from moduli_derive(). */
static void below_the_moduli(void)
{
    static rocecc_ioam_node ioam;
    rocecc_telemetry_config c = config();
    rocecc_telemetry_moduli m;
    rocecc_hop h;
    c.seconds = false;
    c.tx_bits = 0;
    c.ts_bits = 0;
    m = rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_IOAM, prove_any(), 0);
    /*@ assert m.ts_mod_ns == 1000000000 && m.tx_mod_bytes == 0x100000000; */
    ioam_any(&ioam);
    h = rocecc_telemetry_ioam_load(&c, &ioam);
    /*@ assert h.ts_ns < 1000000000 && h.tx_bytes < 0x100000000; */
    c.seconds = true;
    m = rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_IOAM, prove_any(), 0);
    /*@ assert m.ts_mod_ns == 1000000000 * 0x100000000; */
    h = rocecc_telemetry_ioam_load(&c, &ioam);
    /*@ assert h.ts_ns < 1000000000 * 0x100000000; */
    ifa_any();
    ifa.layout = ROCECC_IFA_LAYOUT_A;
    m = rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_IFA_A, prove_any(), 0);
    /*@ assert m.ts_mod_ns == 1000000000 * 0x100000; */
    h = rocecc_telemetry_ifa_load(&c, &ifa);
    /*@ assert h.ts_ns < 1000000000 * 0x100000 && h.tx_bytes < 0x100000000; */
    ifa.layout = ROCECC_IFA_LAYOUT_B;
    m = rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_IFA_B, prove_any(), 0);
    /*@ assert m.ts_mod_ns == 1000000000 && m.tx_mod_bytes == 0x100000000; */
    h = rocecc_telemetry_ifa_load(&c, &ifa);
    /*@ assert h.ts_ns < 1000000000 && h.tx_bytes < 0x100000000; */
    c.tx_bits = 40;
    c.ts_bits = 32;
    m = rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_IFA_B, prove_any(), 0);
    /*@ assert m.ts_mod_ns == 0x100000000 && m.tx_mod_bytes == 0x10000000000; */
    h = rocecc_telemetry_ifa_load(&c, &ifa);
    /*@ assert h.ts_ns < 0x100000000 && h.tx_bytes < 0x10000000000; */
}

/* Reads a tag of any form and value, with an unchecked table. */
static void tags(void)
{
    static rocecc_csig_table t;
    static rocecc_telemetry_rate entries[4];
    const rocecc_telemetry_rates rates = rocecc_telemetry_rates_attach(entries, 4);
    rocecc_telemetry_config c = config();
    rocecc_hpcc_csig_event s = {0, 0, 0, 0, 0, 0};
    rocecc_csig tag;
    rocecc_csig_measured local;
    bool is;
    int i;
    Frama_C_make_unknown((char *)&t, sizeof t);
    Frama_C_make_unknown((char *)entries, sizeof entries);
    for (i = 0; i < ROCECC_CSIG_TYPES; i++)
        t.type[i].wide = Frama_C_interval(0, 1) != 0;
    tag.tpid = tag.reserved = 0;
    tag.locator = (uint16_t)Frama_C_interval(0, 65535);
    tag.no_update = false;
    tag.wide = Frama_C_interval(0, 1) != 0;
    tag.type = (uint8_t)Frama_C_interval(0, 255);
    tag.value = (uint32_t)prove_any();
    is = rocecc_telemetry_csig_sample(&c, &rates, &t, &tag, &s);
    if (is) {
        /*@ assert 1 <= s.signal <= 3; */
    }
    hop = rocecc_telemetry_csig_load(&c, &rates, &t, &tag);
    hop_any();
    local = rocecc_telemetry_csig_store(&hop);
    /*@ assert local.value[2] == 0; */
}

static void ioam_path(void)
{
    static rocecc_hop hops[HOPS];
    const rocecc_telemetry_config c = config();
    rocecc_ioam_config of = {0, 0, 0, false};
    rocecc_telemetry_path path = {0, 0};
    rocecc_ioam_option o = {0, 0, {NULL, 0, 0}};
    rocecc_ioam_view v;
    rocecc_status status;
    of.tx_bytes_bit = (uint8_t)Frama_C_interval(0, 255);
    of.interface_bit = (uint8_t)Frama_C_interval(0, 255);
    o.opt_type = (uint8_t)Frama_C_interval(0, 1);
    o.data = prove_reader();
    status = rocecc_ioam_view_parse(&of, &o, &v);
    if (status != ROCECC_OK) return;
    status = rocecc_telemetry_ioam_path(&c, &v, hops, HOPS, &path);
    if (status == ROCECC_OK) {
        /*@ assert path.n <= HOPS; */
    }
    v.count = (uint8_t)Frama_C_interval(0, 255); /* not from a parser */
    status = rocecc_telemetry_ioam_path(&c, &v, hops, HOPS, &path);
}

static void ifa_path(void)
{
    static rocecc_hop hops[HOPS];
    const rocecc_telemetry_config c = config();
    rocecc_telemetry_path path = {0, 0};
    static rocecc_ifa v;
    rocecc_status status;
    v.config.layout_a = (uint16_t)Frama_C_interval(0, 65535);
    v.config.layout_b = (uint16_t)Frama_C_interval(0, 65535);
    v.config.checksum = (uint8_t)Frama_C_interval(0, 255);
    v.config.tail = (uint8_t)Frama_C_interval(0, 255);
    v.config.fragments = Frama_C_interval(0, 1) != 0;
    v.fragment.mf_id = (uint8_t)Frama_C_interval(0, 255);
    v.checksum.checksum = (uint16_t)Frama_C_interval(0, 65535);
    v.header.flags = (uint8_t)Frama_C_interval(0, 255);
    v.header.max_length = (uint8_t)Frama_C_interval(0, 255);
    v.metadata.hop_limit = (uint8_t)Frama_C_interval(0, 255);
    v.metadata.current_length = (uint8_t)Frama_C_interval(0, 255);
    v.nodes = prove_reader();
    status = rocecc_telemetry_ifa_path(&c, &v, hops, HOPS, &path);
    if (status == ROCECC_OK) {
        /*@ assert path.n <= HOPS; */
    }
    v.nodes.end = (size_t)Frama_C_interval(0, 4096); /* no byte is read */
    v.nodes.at = 0;
    v.config.checksum = ROCECC_IFA_COVERS_UNKNOWN;
    status = rocecc_telemetry_ifa_path(&c, &v, hops, 0, &path);
}

static void intmd_path(void)
{
    static rocecc_hop hops[HOPS];
    const rocecc_telemetry_config c = config();
    rocecc_telemetry_path path = {0, 0};
    static rocecc_intmd v;
    rocecc_status status;
    v.header.e = Frama_C_interval(0, 1) != 0;
    v.header.m = Frama_C_interval(0, 1) != 0;
    v.header.hop_ml = (uint8_t)Frama_C_interval(0, 255);
    v.header.instructions = (uint16_t)Frama_C_interval(0, 65535);
    v.source_words = (uint8_t)Frama_C_interval(0, 255);
    v.n_nodes = (uint8_t)Frama_C_interval(0, 255);
    v.nodes = prove_reader();
    status = rocecc_telemetry_intmd_path(&c, &v, hops, HOPS, &path);
    if (status == ROCECC_OK) {
        /*@ assert path.n <= HOPS; */
    }
}

void main(void)
{
    records();
    /*@ slevel merge; */
    below_the_moduli();
    /*@ slevel merge; */
    tags();
    /*@ slevel merge; */
    ioam_path();
    /*@ slevel merge; */
    ifa_path();
    /*@ slevel merge; */
    intmd_path();
}
