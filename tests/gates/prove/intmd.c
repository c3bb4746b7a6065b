/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-slevel 100 -eva-auto-loop-unroll 0 */
/* prove-options: -eva-slevel-function lengths_all:5000 */
/* prove-options: -eva-slevel-function walks:5000 */
/* prove-options: -eva-slevel-function walk:2000 */
/* prove-options: -eva-slevel-function rocecc_intmd_count_source_words_:200 */
/* prove-options: -eva-slevel-function rocecc_checksum_update:1 */
/* prove-options: -eva-slevel-function rocecc_append:1 */
/* prove-options: -eva-slevel-function rocecc_intmd_node_emit:1 */
/* prove-options: -eva-slevel-function rocecc_edit_fill_sum:1 */
#define PROVE_BYTES 160
#define ROCECC_IP6EXT_MAX 2
#define ROCECC_CHECKSUM_MAX_BYTES 64
#include "law/intmd.h"
#include "prove.h"

static rocecc_intmd_config config;

static void config_any(void)
{
    Frama_C_make_unknown((char *)&config, sizeof config);
    config.before_options = Frama_C_interval(0, 1) != 0;
    config.pad_unknown = Frama_C_interval(0, 1) != 0;
    config.complement = Frama_C_interval(0, 1) != 0;
}

/*
 * Checks the lengths from parse(), for a Hop ML of `hop_ml` and `words` words after the
 * header.
 */
static void lengths(uint8_t hop_ml, size_t words, uint8_t ds)
{
    rocecc_reader body = rocecc_reader_of(prove_bytes, prove_bytes + 12 + 4 * words);
    rocecc_intmd h;
    rocecc_status status;
    Frama_C_make_unknown((char *)prove_bytes, PROVE_BYTES);
    prove_bytes[0] = 0x20; /* known, because an interval would lose Hop ML */
    prove_bytes[1] = 0;
    prove_bytes[2] = hop_ml;
    prove_bytes[3] = 7;
    prove_bytes[6] = 0;
    prove_bytes[7] = 1; /* the known domain */
    prove_bytes[8] = (uint8_t)(ds << 6);
    prove_bytes[9] = 1;
    status = rocecc_intmd_parse(&config, body, &h);
    if (status != ROCECC_OK) return;
    /*@ assert h.header.hop_ml == hop_ml >= 1; */
    /*@ assert h.nodes.at == 12; */
    /*@ assert h.nodes.end - h.nodes.at == 4 * words; */
    /*@ assert h.n_nodes * hop_ml <= words; */
    /*@ assert h.n_nodes * hop_ml + h.source_words == words; */
}

static void lengths_all(void)
{
    size_t words;
    uint8_t hop_ml;
    /*@ loop unroll 40; */
    for (hop_ml = 0; hop_ml < 32; hop_ml++) {
        /*@ loop unroll 40; */
        for (words = 0; words <= 9; words++) {
            lengths(hop_ml, words, 0);
            lengths(hop_ml, words, 1);
            lengths(hop_ml, words, 2);
            lengths(hop_ml, words, 3);
            /*@ slevel merge; */
        }
    }
}

/*
 * Walks over `count` nodes of any bytes. The walk reads each node and then returns END.
 */
static void walk(uint16_t instructions, uint8_t ds, size_t count, uint8_t source)
{
    const uint8_t hop_ml = (uint8_t)(rocecc_intmd_words(instructions) + ds);
    const size_t words = count * hop_ml + source;
    rocecc_reader nodes = rocecc_reader_of(prove_bytes, prove_bytes + 4 * words);
    rocecc_report_layout l = {0};
    rocecc_intmd_node n;
    rocecc_intmd h;
    rocecc_reader rest;
    rocecc_status status = ROCECC_OK;
    size_t k;
    Frama_C_make_unknown((char *)prove_bytes, PROVE_BYTES);
    h.header = rocecc_intmd_header_init(instructions, 0);
    h.header.hop_ml = hop_ml;
    h.header.ds_instruction = 1;
    h.source_words = source;
    h.n_nodes = (uint8_t)count;
    h.nodes = nodes;
    rocecc_intmd_layout_update(instructions, &l);
    for (k = 0; k < count; k++) {
        status = rocecc_intmd_node_next(&h, &l, &nodes, &n);
        /*@ slevel merge; */
        /*@ assert status == 0; */
        /*@ assert k + 1 < count ==> nodes.at == 4 * hop_ml * (k + 1); */
        rest = rocecc_intmd_ds(&h, nodes);
        /*@ assert rest.end - rest.at >= 4 * ds; */
        /*@ assert rest.end <= nodes.at; */
    }
    status = rocecc_intmd_node_next(&h, &l, &nodes, &n);
    /*@ assert status == 1; */
    /*@ assert nodes.at == 4 * words; */
}

static void walks(void)
{
    size_t count;
    uint8_t bit;
    for (count = 1; count <= 2; count++) {
        for (bit = 0; bit < 16; bit++)
            walk((uint16_t)(0x8000u >> bit), 0, count, 0);
        walk(0xd500, 0, count, 0);
        walk(0xff81, 0, count, 0);
        walk(0x007e, 3, count, 2);
        walk(0x8001, 1, count, 1);
    }
    walk(0xffff, 1, 1, 2);
}

static rocecc_intmd_node node_any(void)
{
    static rocecc_intmd_node n;
    Frama_C_make_unknown((char *)&n, sizeof n);
    return n;
}

static rocecc_intmd_header header_any(void)
{
    static rocecc_intmd_header h;
    Frama_C_make_unknown((char *)&h, sizeof h);
    h.d = Frama_C_interval(0, 1) != 0;
    h.e = Frama_C_interval(0, 1) != 0;
    h.m = Frama_C_interval(0, 1) != 0;
    return h;
}

/* Writes headers with values of any width and bodies of any length. */
static void write_any(void)
{
    static const uint8_t long_view[ROCECC_INTMD_BODY_MAX_BYTES + 4];
    const rocecc_intmd_header header = header_any();
    static rocecc_intmd_shim shim;
    static rocecc_intmd_geneve geneve;
    rocecc_writer out = prove_writer();
    rocecc_intmd_gre gre;
    rocecc_intmd_gpe gpe;
    uint8_t b[12];
    Frama_C_make_unknown((char *)&shim, sizeof shim);
    Frama_C_make_unknown((char *)&geneve, sizeof geneve);
    gre.type = gpe.type = (uint8_t)Frama_C_interval(0, 255);
    gre.g = gpe.g = Frama_C_interval(0, 1) != 0;
    gre.reserved = gpe.reserved = gpe.reserved7 = (uint8_t)Frama_C_interval(0, 255);
    gre.next_protocol = (uint16_t)Frama_C_interval(0, 65535);
    gpe.next_protocol = (uint8_t)Frama_C_interval(0, 255);
    shim.body = gre.body = gpe.body = geneve.body = prove_reader();
    (void)rocecc_intmd_shim_emit(&out, &shim);
    (void)rocecc_intmd_gre_emit(&out, &gre);
    (void)rocecc_intmd_gpe_emit(&out, &gpe);
    (void)rocecc_intmd_geneve_emit(&out, &geneve);
    /*@ slevel merge; */
    shim.body = rocecc_reader_of(long_view, long_view + sizeof long_view);
    (void)rocecc_intmd_shim_emit(&out, &shim);
    rocecc_intmd_header_store(b, &header);
}

/* Writes a node for any header, and sets items to any values. */
static void node_write_any(void)
{
    const rocecc_intmd_header header = header_any();
    rocecc_intmd_node node = node_any();
    rocecc_writer out = prove_writer();
    (void)rocecc_intmd_node_emit(&out, &header, &node, prove_reader());
    (void)rocecc_intmd_set(&node, ROCECC_INTMD_ITEM_BUFFER_OCCUPANCY, prove_any());
    (void)rocecc_intmd_set(&node, ROCECC_INTMD_ITEM_L2_INTERFACES, prove_any());
    (void)rocecc_intmd_get(&node, ROCECC_INTMD_ITEM_CHECKSUM_COMPLEMENT);
    rocecc_intmd_clear(&node, ROCECC_INTMD_ITEM_L2_INTERFACES);
    (void)rocecc_intmd_has(&node, ROCECC_INTMD_ITEM_EGRESS_ID);
    rocecc_intmd_node_init(&node);
}

/* Changes a packet with any `where`, even with offsets beyond the buffer. */
static void change_any(void)
{
    static rocecc_domain d;
    static rocecc_headers where;
    static rocecc_intmd_source source;
    static rocecc_edit e;
    const rocecc_intmd_node node = node_any();
    rocecc_packet p;
    rocecc_intmd_shim shim;
    d.intmd = config;
    Frama_C_make_unknown((char *)&where, sizeof where);
    where.cut = Frama_C_interval(0, 1) != 0;
    source.mark = (uint8_t)Frama_C_interval(0, 255);
    source.src_port = (uint16_t)Frama_C_interval(0, 65535);
    source.mtu_bytes = (uint32_t)prove_any();
    source.header = header_any();
    p = rocecc_packet_attach(&d, prove_reader(), &where);
    if (rocecc_intmd_find(&p, &shim) == ROCECC_OK)
        (void)rocecc_intmd_mark_find(&p, &shim);
    /*@ slevel merge; */
    (void)rocecc_intmd_push(&p, &node, p.bytes, (uint32_t)prove_any(), &e);
    /*@ slevel merge; */
    (void)rocecc_intmd_insert(&p, &source, &node, p.bytes, &e);
    /*@ slevel merge; */
    (void)rocecc_intmd_insert(&p, &source, NULL, p.bytes, &e);
    /*@ slevel merge; */
    (void)rocecc_intmd_strip(&p, &e);
}

/* Reads any bytes as each kind of header and node. */
static void read_any(void)
{
    rocecc_reader r = prove_reader();
    rocecc_intmd_shim shim;
    rocecc_intmd_gre gre;
    rocecc_intmd_gpe gpe;
    rocecc_intmd_geneve geneve;
    rocecc_intmd_header header;
    rocecc_intmd_node n;
    static rocecc_intmd h;
    static rocecc_report_layout l;
    static uint8_t b[12];
    Frama_C_make_unknown((char *)b, sizeof b);
    Frama_C_make_unknown((char *)&l, sizeof l);
    (void)rocecc_intmd_match(r);
    (void)rocecc_intmd_shim_parse(&r, &shim);
    (void)rocecc_intmd_gre_parse(&r, &gre);
    (void)rocecc_intmd_gpe_parse(&r, &gpe);
    (void)rocecc_intmd_geneve_parse(&r, &geneve);
    /*@ slevel merge; */
    header = rocecc_intmd_header_load(b);
    /*@ slevel merge; */
    h.header = header_any();
    h.source_words = (uint8_t)Frama_C_interval(0, 255);
    r = prove_reader();
    (void)rocecc_intmd_node_next(&h, &l, &r, &n);
    (void)rocecc_intmd_parse(&config, prove_reader(), &h);
}

void main(void)
{
    config_any();
    read_any();
    /*@ slevel merge; */
    write_any();
    /*@ slevel merge; */
    node_write_any();
    /*@ slevel merge; */
    change_any();
    /*@ slevel merge; */
    config = law_intmd_config(0);
    walks();
    /*@ slevel merge; */
    lengths_all();
}
