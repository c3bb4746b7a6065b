/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 300 */
#define PROVE_BYTES 160
#include "prove.h"
#include "rocecc/packet/ifa.h"

static rocecc_ifa_config config(void)
{
    rocecc_ifa_config c;
    c.protocol = (uint8_t)Frama_C_interval(0, 255);
    c.layout_a = (uint16_t)Frama_C_interval(0, 65535);
    c.layout_b = (uint16_t)Frama_C_interval(0, 65535);
    c.gns_a = (uint16_t)Frama_C_interval(0, 65535);
    c.gns_b = (uint16_t)Frama_C_interval(0, 65535);
    c.checksum = (uint8_t)Frama_C_interval(0, 255);
    c.tail = (uint8_t)Frama_C_interval(0, 255);
    c.fragments = Frama_C_interval(0, 1) != 0;
    return c;
}

static uint8_t packet[PROVE_BYTES];

/*
 * Checks the lengths in a parsed view. The L4 header has the length `l4`, as the byte
 * at `at` declares, and the stack has `words` words.
 */
static void lengths(uint8_t next_hdr, size_t l4, int at, uint8_t value, uint8_t words)
{
    const rocecc_ifa_config c = config();
    rocecc_ifa h;
    rocecc_status status;
    Frama_C_make_unknown((char *)packet, sizeof packet);
    packet[1] = next_hdr;
    packet[2] = (uint8_t)(Frama_C_interval(0, 1) * 16 + Frama_C_interval(0, 1));
    packet[at] = value;
    packet[4 + l4 + 3] = words;
    status = rocecc_ifa_parse(&c, rocecc_reader_of(packet, packet + sizeof packet),
                              prove_any(), &h);
    if (status == ROCECC_OK) {
        /*@ assert current: h.metadata.current_length <= h.header.max_length; */
        /*@ assert records: h.nodes.end - h.nodes.at == 4 * h.metadata.current_length;*/
        /*@ assert whole: (h.nodes.end - h.nodes.at) % 32 == 0; */
        /*@ assert l4: h.l4.end - h.l4.at == l4; */
        /*@ assert behind: h.l4.end + 4 <= h.nodes.at <= h.l4.end + 12; */
        /*@ assert payload: h.payload.at == h.nodes.end; */
        /*@ assert end: h.payload.at <= h.payload.end <= PROVE_BYTES; */
    }
    Frama_C_make_unknown((char *)packet, sizeof packet); /* merges Eva's states */
}

/* Checks every L4 header length that parse() accepts. */
static void all_l4(uint8_t words)
{
    int n;
    lengths(17, 8, 0, 0x2f, words);
    //@ loop unroll 16;
    for (n = 5; n < 16; n++)
        lengths(6, 4 * (size_t)n, 4 + 12, (uint8_t)(n << 4), words);
    //@ loop unroll 8;
    for (n = 0; n < 8; n++)
        lengths(47, 4 + 4 * (size_t)((n >> 2) + (n >> 1 & 1) + (n & 1)), 4,
                (uint8_t)((n >> 2) << 7 | (n & 3) << 4), words);
}

/*
 * Checks every Current Length. An accepted stack has whole records and is in the
 * packet.
 */
static void all_lengths(void)
{
    int words;
    //@ loop unroll 256;
    for (words = 0; words < 256; words++) {
        rocecc_ifa h = {0};
        rocecc_reader r = prove_reader();
        rocecc_status status;
        h.metadata.current_length = (uint8_t)words;
        h.header.max_length = (uint8_t)Frama_C_interval(0, 255);
        status = rocecc_ifa_take_stack_(&r, &h);
        if (status == ROCECC_OK) {
            /*@ assert multiple: words % 8 == 0; */
            /*@ assert fits: words <= PROVE_BYTES / 4; */
            /*@ assert maximum: words <= h.header.max_length; */
        }
    }
    //@ loop unroll 6;
    for (words = 0; words <= PROVE_BYTES / 4; words += 8)
        all_l4((uint8_t)words);
}

/* Checks a tail stamp. Its metadata header ends the packet. */
static void tail(uint8_t words)
{
    const rocecc_ifa_config c = config();
    rocecc_ifa h;
    rocecc_status status;
    Frama_C_make_unknown((char *)packet, sizeof packet);
    packet[1] = 17;
    packet[2] = 0x08;
    packet[PROVE_BYTES - 1] = words;
    status = rocecc_ifa_parse(&c, rocecc_reader_of(packet, packet + sizeof packet),
                              sizeof packet, &h);
    if (status == ROCECC_OK) {
        /*@ assert stacked: h.nodes.end - h.nodes.at == 4 * words; */
        /*@ assert last: h.nodes.end == PROVE_BYTES - 4; */
        /*@ assert between: h.payload.at == 12 && h.payload.end == h.nodes.at; */
    }
    Frama_C_make_unknown((char *)packet, sizeof packet);
}

static void all_tails(void)
{
    int words;
    //@ loop unroll 6;
    for (words = 0; words <= PROVE_BYTES / 4; words += 8)
        tail((uint8_t)words);
}

/* Reads any bytes with any declared length, and records of any layout. */
static void read_any(void)
{
    const rocecc_ifa_config c = config();
    rocecc_reader nodes = prove_reader();
    rocecc_ifa h;
    rocecc_ifa_node n;
    (void)rocecc_ifa_init(&c);
    if (rocecc_ifa_node_next(&c, &nodes, &n) == ROCECC_OK) {
        (void)rocecc_ifa_speed_bps(n.speed);
    }
    (void)rocecc_ifa_speed_code(prove_any());
    /*@ slevel merge; */
    if (rocecc_ifa_parse(&c, prove_reader(), prove_any(), &h) == ROCECC_OK) {
        (void)rocecc_ifa_verify(&h);
    }
}

/* Changes a packet with any `where`, even with offsets beyond the buffer. */
static void change_any(void)
{
    static rocecc_domain d;
    static rocecc_headers where;
    static rocecc_ifa_node n;
    static rocecc_ifa_source source;
    static rocecc_edit e;
    rocecc_packet p;
    rocecc_ifa h;
    d.ifa = config();
    Frama_C_make_unknown((char *)&where, sizeof where);
    Frama_C_make_unknown((char *)&n, sizeof n);
    Frama_C_make_unknown((char *)&source, sizeof source);
    where.cut = Frama_C_interval(0, 1) != 0;
    p = rocecc_packet_attach(&d, prove_reader(), &where);
    (void)rocecc_ifa_find(&p, &h);
    /*@ slevel merge; */
    (void)rocecc_ifa_push(&p, &n, (uint32_t)prove_any(), &e);
    /*@ slevel merge; */
    (void)rocecc_ifa_strip(&p, &e);
    /*@ slevel merge; */
    (void)rocecc_ifa_insert(&p, &source, (uint32_t)prove_any(), &e);
}

/* Writes records and headers with any values, and reads the layouts of a long stack. */
static void write_any(void)
{
    const rocecc_ifa_config c = config();
    static rocecc_ifa_node n;
    static uint8_t many[ROCECC_IFA_NODES_MAX * ROCECC_IFA_NODE_BYTES + 1];
    rocecc_writer w = prove_writer();
    static uint8_t b[4];
    rocecc_ifa_header h;
    rocecc_ifa_metadata m;
    rocecc_ifa_checksum checksum;
    rocecc_ifa_fragment f;
    Frama_C_make_unknown((char *)&n, sizeof n);
    Frama_C_make_unknown((char *)b, sizeof b);
    Frama_C_make_unknown((char *)many, sizeof many);
    (void)rocecc_ifa_layouts_known_(&c, rocecc_reader_of(many, many + sizeof many));
    h = rocecc_ifa_header_load(b);
    m = rocecc_ifa_metadata_load(b);
    checksum = rocecc_ifa_checksum_load(b);
    f = rocecc_ifa_fragment_load(b);
    rocecc_ifa_header_store(b, &h);
    rocecc_ifa_metadata_store(b, &m);
    rocecc_ifa_checksum_store(b, &checksum);
    rocecc_ifa_fragment_store(b, &f);
    (void)rocecc_ifa_node_emit(&w, &n);
}

void main(void)
{
    all_lengths();
    /*@ slevel merge; */
    all_tails();
    /*@ slevel merge; */
    read_any();
    /*@ slevel merge; */
    change_any();
    /*@ slevel merge; */
    write_any();
}
