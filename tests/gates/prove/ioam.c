/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 60 */
/* prove-options: -eva-slevel-function relations:20000 */
#define PROVE_BYTES 64
#define ROCECC_IOAM_NODES_MAX 5 /* low, so that traces exceed it */
#include "prove.h"
#include "rocecc/wire/ioamdex.h"

static rocecc_ioam_config config(void)
{
    rocecc_ioam_config c;
    c.namespace_id = (uint16_t)Frama_C_interval(0, 65535);
    c.tx_bytes_bit = (uint8_t)Frama_C_interval(0, 255);
    c.interface_bit = (uint8_t)Frama_C_interval(0, 255);
    c.leave_undefined = Frama_C_interval(0, 1) != 0;
    return c;
}

static rocecc_ioam_option option(void)
{
    rocecc_ioam_option o = {0, 0, prove_reader()};
    o.opt_type = (uint8_t)Frama_C_interval(0, 255);
    return o;
}

static rocecc_ioam_node node(void)
{
    rocecc_ioam_node n;
    int i;
    for (i = 0; i < ROCECC_REPORT_WORDS; i++)
        n.word[i] = (uint32_t)prove_any();
    return n;
}

/* Reads and writes every item of any node, with any value. */
static void items_any(void)
{
    static const rocecc_ioam_item items[] = {ROCECC_IOAM_ITEM_HOP_LIMIT,
                                             ROCECC_IOAM_ITEM_NODE_ID,
                                             ROCECC_IOAM_ITEM_INGRESS_ID,
                                             ROCECC_IOAM_ITEM_EGRESS_ID,
                                             ROCECC_IOAM_ITEM_TIMESTAMP_SEC,
                                             ROCECC_IOAM_ITEM_TIMESTAMP_FRAC,
                                             ROCECC_IOAM_ITEM_TRANSIT_DELAY,
                                             ROCECC_IOAM_ITEM_NAMESPACE_DATA,
                                             ROCECC_IOAM_ITEM_QUEUE_DEPTH,
                                             ROCECC_IOAM_ITEM_CHECKSUM_COMPLEMENT,
                                             ROCECC_IOAM_ITEM_HOP_LIMIT_WIDE,
                                             ROCECC_IOAM_ITEM_NODE_ID_WIDE,
                                             ROCECC_IOAM_ITEM_INGRESS_ID_WIDE,
                                             ROCECC_IOAM_ITEM_EGRESS_ID_WIDE,
                                             ROCECC_IOAM_ITEM_NAMESPACE_DATA_WIDE,
                                             ROCECC_IOAM_ITEM_BUFFER_OCCUPANCY,
                                             ROCECC_IOAM_ITEM_BIT_12,
                                             ROCECC_IOAM_ITEM_BIT_21,
                                             ROCECC_IOAM_ITEM_TX_BYTES,
                                             ROCECC_IOAM_ITEM_INTERFACE_SPEED,
                                             ROCECC_IOAM_ITEM_INTERFACE_ERRORS};
    size_t i;
    /*@ loop unroll 22; */
    for (i = 0; i < sizeof items / sizeof items[0]; i++) {
        rocecc_ioam_node n = node();
        (void)rocecc_ioam_get(&n, items[i]);
        (void)rocecc_ioam_has(&n, items[i]);
        (void)rocecc_ioam_set(&n, items[i], (uint64_t)prove_any());
        rocecc_ioam_clear(&n, items[i]);
        (void)rocecc_ioam_schema_id(&n);
    }
}

static void read_any(void)
{
    const rocecc_ioam_config c = config();
    const rocecc_ioam_option o = option();
    rocecc_reader nodes = prove_reader(), options = nodes, trace = nodes;
    rocecc_ioam_option found = o;
    rocecc_ioam_trace h;
    rocecc_ioam_view v = {0};
    rocecc_report_layout l = {0};
    rocecc_ioam_node n;
    rocecc_ioam_dex dex;
    rocecc_ioam_e2e e2e;
    rocecc_ioam_pot pot;
    int i;
    (void)rocecc_ioam_option_parse(nodes, &found);
    (void)rocecc_ioam_trace_find(nodes, &found);
    (void)rocecc_ioam_option_next(&options, (uint8_t)Frama_C_interval(0, 255), &found);
    /*@ slevel merge; */
    (void)rocecc_ioam_trace_parse(&trace, &h);
    /*@ slevel merge; */
    (void)rocecc_ioam_trace_match(o.opt_type, o.data);
    (void)rocecc_ioam_view_parse(&c, &o, &v);
    /*@ slevel merge; */
    v.trace.trace_type = (uint32_t)prove_any();
    v.trace.node_len = (uint8_t)Frama_C_interval(0, 31);
    for (i = 0; i < 32; i++)
        l.word[i] = (uint8_t)Frama_C_interval(0, 255);
    l.bitmap = (uint32_t)prove_any();
    if (rocecc_ioam_node_next(&v, &l, &nodes, &n) == ROCECC_OK)
        (void)rocecc_ioam_snapshot(&n, nodes);
    /*@ slevel merge; */
    (void)rocecc_ioam_dex_parse(&o, &dex);
    (void)rocecc_ioam_e2e_parse(&o, &e2e);
    (void)rocecc_ioam_pot_parse(&o, &pot);
}

static void write_any(void)
{
    static const uint8_t long_data[256];
    rocecc_writer w = prove_writer();
    rocecc_ioam_trace h = {0};
    rocecc_ioam_source s;
    rocecc_ioam_option o = option();
    rocecc_ioam_dex dex = {0};
    h.node_len = (uint8_t)Frama_C_interval(0, 255);
    h.flags = (uint8_t)Frama_C_interval(0, 255);
    h.remaining_len = (uint8_t)Frama_C_interval(0, 255);
    h.trace_type = (uint32_t)prove_any();
    (void)rocecc_ioam_trace_emit(&w, &h);
    (void)rocecc_ioam_loopback_match(&h);
    (void)rocecc_ioam_option_emit(&w, 0x31, &o);
    o.data = rocecc_reader_of(long_data, long_data + sizeof long_data);
    (void)rocecc_ioam_option_emit(&w, 0x31, &o);
    /*@ slevel merge; */
    w = prove_writer();
    dex.extension_flags = (uint8_t)Frama_C_interval(0, 255);
    dex.trace_type = (uint32_t)prove_any();
    dex.others = prove_reader();
    (void)rocecc_ioam_dex_emit(&w, &dex);
    /*@ slevel merge; */
    w = prove_writer();
    s.next_header = 0;
    s.namespace_id = 0;
    s.opt_type = (uint8_t)Frama_C_interval(0, 255);
    s.flags = (uint8_t)Frama_C_interval(0, 255);
    s.trace_type = (uint32_t)prove_any();
    s.words = (uint8_t)Frama_C_interval(0, 255);
    (void)rocecc_ioam_build(&w, &s);
    /*@ slevel merge; */
    w = prove_writer();
    (void)rocecc_ioam_source_emit(&w, &s);
}

/* Reads and writes a node with more words than PROVE_BYTES hold. */
static void long_node(void)
{
    static uint8_t b[4 * 31];
    rocecc_reader nodes = rocecc_reader_of(b, b + sizeof b);
    const rocecc_ioam_config c = config();
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_ioam_view v = {0};
    rocecc_report_layout l = {0};
    rocecc_ioam_node n;
    v.trace.node_len = 31;
    (void)rocecc_ioam_node_next(&v, &l, &nodes, &n);
    n = node();
    (void)rocecc_ioam_node_emit(&w, &c, 0xfffffc, &n, rocecc_subrange(nodes, 0, 0));
}

static void node_any(void)
{
    static const uint8_t long_snapshot[1024];
    const rocecc_ioam_config c = config();
    const rocecc_ioam_node n = node(), older = node();
    rocecc_writer w = prove_writer();
    rocecc_report_layout l;
    uint8_t routers;
    l.bitmap = (uint32_t)prove_any();
    l.tx_bytes_bit = l.interface_bit = 0;
    rocecc_ioam_layout_update(&c, (uint32_t)prove_any(), &l);
    /*@ slevel merge; */
    (void)rocecc_ioam_node_emit(&w, &c, (uint32_t)prove_any(), &n, prove_reader());
    (void)rocecc_ioam_node_gap(&n, &older, &routers);
    /*@ slevel merge; */
    w = prove_writer();
    (void)rocecc_ioam_node_emit(
        &w, &c, (uint32_t)prove_any(), &n,
        rocecc_reader_of(long_snapshot, long_snapshot + sizeof long_snapshot));
}

/*
 * Checks each parsed view. RemainingLen is the free space of a pre-allocated trace, the
 * nodes are whole, and their number and NodeLen give their bytes. The loops try traces
 * of 0 to 6 words, a NodeLen from 1 to 4 and a RemainingLen from 0 to 6, so that Eva
 * knows each of these numbers.
 */
static void relations(void)
{
    static const rocecc_ioam_config c = {0, 0, 0, false};
    static uint8_t b[8 + 4 * 6];
    size_t words;
    unsigned node_len, remaining, kind;
    for (kind = 0; kind < 2; kind++)
        for (words = 0; words <= 6; words++)
            for (node_len = 1; node_len < 5; node_len++)
                for (remaining = 0; remaining < 7; remaining++) {
                    rocecc_ioam_option o = {0, 0,
                                            rocecc_reader_of(b, b + 8 + 4 * words)};
                    rocecc_ioam_view v;
                    rocecc_status status;
                    o.opt_type = (uint8_t)kind;
                    Frama_C_make_unknown((char *)b, sizeof b);
                    b[0] = b[1] = 0;
                    b[2] = (uint8_t)(node_len << 3);
                    b[3] = (uint8_t)remaining;
                    b[4] = (uint8_t)(0xff00 >> node_len); /* the first node_len bits */
                    b[5] = b[6] = b[7] = 0;
                    status = rocecc_ioam_view_parse(&c, &o, &v);
                    if (status == ROCECC_OK) {
                        const size_t left = v.nodes.end - v.nodes.at;
                        const size_t space = v.free_space.end - v.free_space.at;
                        /*@ assert v.trace.node_len == node_len; */
                        /*@ assert v.count * v.trace.node_len * 4 == left; */
                        /*@ assert v.free_space.end == v.nodes.at; */
                        /*@ assert kind == 1 || space == 4 * remaining; */
                        /*@ assert kind == 0 || space == 0; */
                        /*@ assert v.nodes.end == 8 + 4 * words; */
                    }
                    /*@ slevel merge; */
                }
}

/* Makes a layout of any words, and of all 32 words. */
static void layout_any(void)
{
    rocecc_report_layout l;
    rocecc_report_layout_init(&l, (uint32_t)prove_any(), (uint32_t)prove_any());
    /*@ slevel merge; */
    rocecc_report_layout_init(&l, 0, 0xffffffff);
}

void main(void)
{
    layout_any();
    /*@ slevel merge; */
    read_any();
    /*@ slevel merge; */
    write_any();
    /*@ slevel merge; */
    items_any();
    /*@ slevel merge; */
    node_any();
    /*@ slevel merge; */
    long_node();
    /*@ slevel merge; */
    relations();
}
