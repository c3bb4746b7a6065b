/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 60 */
/* prove-options: -eva-slevel-function relations:20000 */
#define PROVE_BYTES 64
#define ROCECC_IOAM_NODES_MAX 5 /* so that the cap is passed */
#include "prove.h"
#include "rocecc/wire/ioam.h"

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

/* Values of any width. */
static rocecc_ioam_node node(rocecc_reader snapshot)
{
    rocecc_ioam_node n;
    int i;
    for (i = 0; i < 10; i++)
        n.undefined[i] = (uint32_t)prove_any();
    n.present = (uint32_t)prove_any();
    n.node_id = (uint32_t)prove_any();
    n.timestamp_sec = (uint32_t)prove_any();
    n.timestamp_frac = (uint32_t)prove_any();
    n.transit_delay = (uint32_t)prove_any();
    n.namespace_data = (uint32_t)prove_any();
    n.queue_depth = (uint32_t)prove_any();
    n.checksum_complement = (uint32_t)prove_any();
    n.ingress_id_wide = (uint32_t)prove_any();
    n.egress_id_wide = (uint32_t)prove_any();
    n.buffer_occupancy = (uint32_t)prove_any();
    n.tx_bytes = (uint32_t)prove_any();
    n.interface_errors = (uint32_t)prove_any();
    n.schema_id = (uint32_t)prove_any();
    n.hop_limit = (uint8_t)Frama_C_interval(0, 255);
    n.hop_limit_wide = (uint8_t)Frama_C_interval(0, 255);
    n.interface_speed = (uint8_t)Frama_C_interval(0, 255);
    n.ingress_id = (uint16_t)Frama_C_interval(0, 65535);
    n.egress_id = (uint16_t)Frama_C_interval(0, 65535);
    n.node_id_wide = prove_any();
    n.namespace_data_wide = prove_any();
    n.delay_overflow = Frama_C_interval(0, 1) != 0;
    n.snapshot = snapshot;
    return n;
}

static void read_any(void)
{
    const rocecc_ioam_config c = config();
    const rocecc_ioam_option o = option();
    rocecc_reader nodes = prove_reader(), options = nodes;
    rocecc_ioam_option found = o;
    rocecc_ioam_view v = {0};
    rocecc_ioam_node n;
    rocecc_ioam_dex dex;
    rocecc_ioam_e2e e2e;
    (void)rocecc_ioam_option_parse(nodes, &found);
    (void)rocecc_ioam_trace_find(nodes, &found);
    (void)rocecc_ioam_option_next(&options, (uint8_t)Frama_C_interval(0, 255), &found);
    /*@ slevel merge; */
    (void)rocecc_ioam_trace_match(o.opt_type, o.data);
    (void)rocecc_ioam_view_parse(&o, &v);
    /*@ slevel merge; */
    v.trace.trace_type = (uint32_t)prove_any();
    v.trace.node_len = (uint8_t)Frama_C_interval(0, 31);
    (void)rocecc_ioam_node_next(&c, &v, &nodes, &n);
    /*@ slevel merge; */
    (void)rocecc_ioam_dex_parse(&o, &dex);
    (void)rocecc_ioam_e2e_parse(&o, &e2e);
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
}

static void node_any(void)
{
    const rocecc_ioam_config c = config();
    const rocecc_ioam_node n = node(prove_reader()), older = node(prove_reader());
    rocecc_writer w = prove_writer();
    uint8_t routers;
    (void)rocecc_ioam_node_emit(&w, &c, (uint32_t)prove_any(), &n);
    (void)rocecc_ioam_node_gap(&n, &older, &routers);
    /*@ slevel merge; */
    w = prove_writer();
    {
        static const uint8_t long_snapshot[1024];
        const rocecc_ioam_node longer =
            node(rocecc_reader_of(long_snapshot, long_snapshot + 1024));
        (void)rocecc_ioam_node_emit(&w, &c, (uint32_t)prove_any(), &longer);
    }
}

static void update_any(void)
{
    const rocecc_ioam_config c = config();
    const rocecc_ioam_option o = option();
    const rocecc_ioam_node n = node(prove_reader());
    (void)rocecc_ioam_update(&c, &o, prove_writer(), &n);
}

/* Whatever the plan is, and whatever packet it was made for. */
static void push_any(void)
{
    const rocecc_ioam_config c = config();
    const rocecc_ioam_node n = node(prove_reader());
    rocecc_ioam_plan plan = rocecc_ioam_plan_push(&c, prove_reader(), prove_any(), &n);
    static uint8_t packet[PROVE_BYTES];
    rocecc_writer w = rocecc_writer_of(packet, packet + PROVE_BYTES);
    Frama_C_make_unknown((char *)packet, sizeof packet);
    Frama_C_make_unknown((char *)&plan, sizeof plan);
    (void)rocecc_put(&w, (size_t)Frama_C_interval(0, PROVE_BYTES));
    (void)rocecc_ioam_push(&c, w, &plan, &n);
}

/*
 * What holds of every view that was parsed: RemainingLen is the free space, the nodes
 * are whole, and their number and NodeLen give their bytes. By every length, NodeLen
 * and RemainingLen, so that each is one number to the analyzer.
 */
static void relations(void)
{
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
                    b[4] = (uint8_t)(0xff00 >> node_len); /* the first bits */
                    b[5] = b[6] = b[7] = 0;
                    status = rocecc_ioam_view_parse(&o, &v);
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

void main(void)
{
    read_any();
    /*@ slevel merge; */
    write_any();
    /*@ slevel merge; */
    node_any();
    /*@ slevel merge; */
    update_any();
    /*@ slevel merge; */
    push_any();
    /*@ slevel merge; */
    relations();
}
