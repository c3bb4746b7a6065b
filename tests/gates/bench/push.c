/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * push.c - measures the cost of a hop at a transit. It adds a node to a parsed packet
 * with 1 KiB of data and none to four nodes, over IPv4 and IPv6 (IOAM: IPv6). The peer
 * is the same push by hand, to the same bytes: for this type of record only, from the
 * parsed offsets, with bounds and values checked, and without a plan.
 *
 * bench: with: gcc -O2
 * bench: with: clang-19 -O2
 * bench: with: clang-19 -Os
 */
#include "bench.h"
#include "rocecc/packet/push.h"

#define PAYLOAD 1024
#define INPUTS 20
#define NODES 5  /* before the push: 0 to 4 */
#define HEAD 80u /* all bytes that a push changes, except the record */
#define MTU 4200u

typedef struct input {
    uint8_t b[1536];
    uint8_t head[HEAD];
    size_t n, from, gap; /* bytes after `from` move by `gap` */
    rocecc_packet p;
} input;

static input ioam[INPUTS], intmd[INPUTS], ifa[INPUTS];
static rocecc_domain domain;
static rocecc_ioam_node ioam_node;
static rocecc_intmd_node intmd_node;
static rocecc_ifa_node ifa_node;

static rocecc_reader none(void)
{
    return rocecc_reader_of(NULL, NULL);
}

/* Restores the head of a packet. The rest may stay as the last push left it. */
static inline input *again(input *in)
{
    memcpy(in->b, in->head, HEAD);
    return in;
}

static inline size_t carry_out(const rocecc_edit *e, input *in)
{
    rocecc_writer w = rocecc_writer_of(in->b, in->b + sizeof in->b);
    w.at = in->n;
    if (rocecc_edit_apply(e, &w) != ROCECC_OK) abort();
    return w.at;
}

static inline void write_out(const rocecc_edit *e, input *in)
{
    const rocecc_writer w = rocecc_writer_of(in->b, in->b + in->n + in->gap);
    if (rocecc_edit_write(e, w) != ROCECC_OK) abort();
    bench_keep(in->b);
}

static inline rocecc_edit_verdict ioam_plan(const rocecc_packet *p, rocecc_edit *e)
{
    return rocecc_ioam_push(p, &ioam_node, none(), MTU, e);
}

static inline rocecc_edit_verdict intmd_plan(const rocecc_packet *p, rocecc_edit *e)
{
    return rocecc_intmd_push(p, &intmd_node, none(), MTU, e);
}

static inline rocecc_edit_verdict ifa_plan(const rocecc_packet *p, rocecc_edit *e)
{
    return rocecc_ifa_push(p, &ifa_node, MTU, e);
}

/* Pushes without a plan, by the layout that a transit keeps. */

static rocecc_report_layout ioam_layout, intmd_layout;

static inline rocecc_status ioam_at_once(const rocecc_packet *p, rocecc_writer *w)
{
    return rocecc_push_ioam(p, &ioam_layout, &ioam_node, MTU, w);
}

static inline rocecc_status intmd_at_once(const rocecc_packet *p, rocecc_writer *w)
{
    return rocecc_push_intmd(p, &intmd_layout, &intmd_node, MTU, w);
}

static inline rocecc_status ifa_at_once(const rocecc_packet *p, rocecc_writer *w)
{
    return rocecc_push_ifa(p, &ifa_node, MTU, w);
}

/* Pushes by hand. */

/* Updates a checksum (RFC 1624, equation 3). */
static inline void patch(uint8_t *sum, uint32_t was, uint32_t is)
{
    uint32_t s = (uint16_t)~rocecc_load16(sum) + (uint32_t)(uint16_t)~was + is;
    s = (s & 0xffff) + (s >> 16);
    rocecc_store16(sum, (uint16_t) ~(s + (s >> 16)));
}

/* Adds `more` to the IP length. Returns false above the MTU. */
static inline bool hand_grow(uint8_t *ip, unsigned more)
{
    const bool v4 = ip[0] >> 4 == 4;
    uint8_t *length = ip + (v4 ? 2 : 4);
    const unsigned was = rocecc_load16(length);
    if (was + more + (v4 ? 0 : 40) > MTU) return false;
    rocecc_store16(length, (uint16_t)(was + more));
    if (v4) patch(ip + 10, was, was + more);
    return true;
}

/* Pushes into a trace that follows PadN, which keeps the header whole. */
static inline size_t ioam_by_hand(uint8_t *b, size_t n, size_t room, size_t ip,
                                  size_t hbh)
{
    const size_t pad = b[hbh + 2] == 1 ? 2u + b[hbh + 3] : 0;
    const size_t end = hbh + 8 + 8u * b[hbh + 1];
    const size_t more = pad == 2 ? 24 : 16, now = pad == 2 ? 6 : 2;
    const uint32_t *word = ioam_node.word;
    uint8_t *o = b + hbh + 2 + pad, head[12];
    if ((pad != 2 && pad != 6) || n < end || hbh + 2 + pad + 12 > end || o[0] != 0x31 ||
        o[3] != 1 || o + 2 + o[1] > b + end || o[1] > 255 - 20 ||
        rocecc_load16(o + 4) != domain.ioam.namespace_id || o[6] >> 3 != 5 ||
        rocecc_load32(o + 8) != (uint32_t)ROCECC_IOAM_TYPE_HPCC << 8 ||
        (o[7] & 0x7f) < 5 || b[hbh + 1] > 255 - 3 || n + more > room ||
        !hand_grow(b + ip, (unsigned)more))
        return 0;
    memcpy(head, o, 12);
    memmove(o + 12 + more, o + 12, n - (size_t)(o + 12 - b));
    b[hbh + 1] = (uint8_t)(b[hbh + 1] + more / 8);
    b[hbh + 3] = (uint8_t)(now - 2);
    memset(b + hbh + 4, 0, 4);
    o = b + hbh + 2 + now;
    memcpy(o, head, 12);
    o[1] = (uint8_t)(o[1] + 20);
    o[7] = (uint8_t)(o[7] - 5);
    rocecc_store32(o + 12, word[0]);
    rocecc_store32(o + 16, word[1]);
    rocecc_store32(o + 20, word[3]);
    rocecc_store32(o + 24, word[6]);
    rocecc_store32(o + 28, word[ROCECC_IOAM_WORD_TX_BYTES]);
    return n + more;
}

/* Pushes after UDP without a checksum, as RoCE sends it. */
static inline size_t intmd_by_hand(uint8_t *b, size_t n, size_t room, size_t ip,
                                   size_t shim)
{
    uint8_t *h = b + shim, *udp = h - 8;
    const uint32_t *word = intmd_node.word;
    const unsigned words = h[1], length = rocecc_load16(h - 4);
    if (h[0] >> 4 != 1 || n < shim + 16 || n < shim + 4 + words * 4u || words < 3 ||
        h[4] >> 4 != 2 || (h[6] & 0x1f) != 6 ||
        rocecc_load16(h + 8) != ROCECC_INTMD_HPCC || h[7] == 0 || words + 6 > 255 ||
        rocecc_load16(udp + 6) != 0 || n + 24 > room || !hand_grow(b + ip, 24))
        return 0;
    memmove(h + 40, h + 16, n - shim - 16);
    rocecc_store32(h + 16, word[0]);
    rocecc_store32(h + 20, word[1]);
    rocecc_store32(h + 24, word[3]);
    rocecc_store32(h + 28, word[6]);
    rocecc_store32(h + 32, word[7]);
    rocecc_store32(h + 36, word[10]);
    h[1] = (uint8_t)(words + 6);
    h[7]--;
    rocecc_store16(udp + 4, (uint16_t)(length + 24));
    return n + 24;
}

static inline size_t ifa_by_hand(uint8_t *b, size_t n, size_t room, size_t ip,
                                 size_t at)
{
    const rocecc_ifa_node *r = &ifa_node;
    uint8_t *h = b + at, *m = h + 12, *to = m + 4;
    if (n < at + 16 || h[0] >> 4 != 2 || h[1] != 17 || (h[2] & 0x19) != 0 ||
        n < at + 16 + m[3] * 4u || m[2] == 0 || m[3] + 8u > h[3] || n + 32 > room ||
        r->device_id >> 20 != 0 || r->speed > 6 || r->cn >> 2 != 0 ||
        r->queue >> 6 != 0 || r->rx_timestamp_sec >> 20 != 0 ||
        r->tx_bytes >> 32 != 0 || r->queue_length >> 16 != 0 || !hand_grow(b + ip, 32))
        return 0;
    memmove(to + 32, to, n - at - 16);
    m[2]--;
    m[3] = (uint8_t)(m[3] + 8);
    rocecc_store32(to, (uint32_t)r->lns << 28 | r->device_id << 8 | r->ttl);
    rocecc_store32(to + 4, (uint32_t)r->speed << 28 | (uint32_t)r->cn << 26 |
                               (uint32_t)r->queue << 20 |
                               (uint32_t)r->rx_timestamp_sec);
    rocecc_store16(to + 8, r->egress_port);
    rocecc_store16(to + 10, r->ingress_port);
    rocecc_store32(to + 12, r->rx_timestamp_ns);
    rocecc_store32(to + 16, r->residence_time);
    rocecc_store32(to + 20, (uint32_t)r->tx_bytes);
    rocecc_store16(to + 24, r->reserved16);
    rocecc_store16(to + 26, (uint16_t)r->queue_length);
    rocecc_store32(to + 28, r->reserved32);
    return n + 32;
}

#define SIDES(format, where_it_is)                                                     \
    static void format##_move(unsigned i)                                              \
    {                                                                                  \
        input *in = &format[i % INPUTS];                                               \
        memmove(in->b + in->from + in->gap, in->b + in->from, in->n - in->from);       \
        bench_keep(in->b);                                                             \
    }                                                                                  \
    static void format##_planned(unsigned i)                                           \
    {                                                                                  \
        input *in = again(&format[i % INPUTS]);                                        \
        rocecc_edit e;                                                                 \
        if (format##_plan(&in->p, &e) != ROCECC_EDIT_CHANGE) abort();                  \
        bench_keep(&e);                                                                \
    }                                                                                  \
    static void format##_ours(unsigned i)                                              \
    {                                                                                  \
        input *in = again(&format[i % INPUTS]);                                        \
        rocecc_edit e;                                                                 \
        if (format##_plan(&in->p, &e) != ROCECC_EDIT_CHANGE) abort();                  \
        bench_keep(carry_out(&e, in));                                                 \
    }                                                                                  \
    static void format##_once(unsigned i)                                              \
    {                                                                                  \
        input *in = again(&format[i % INPUTS]);                                        \
        rocecc_writer w = rocecc_writer_of(in->b, in->b + sizeof in->b);               \
        w.at = in->n;                                                                  \
        if (format##_at_once(&in->p, &w) != ROCECC_OK) abort();                        \
        bench_keep(w.at);                                                              \
    }                                                                                  \
    static void format##_room(unsigned i)                                              \
    {                                                                                  \
        input *in = again(&format[i % INPUTS]);                                        \
        rocecc_edit e;                                                                 \
        if (format##_plan(&in->p, &e) != ROCECC_EDIT_CHANGE) abort();                  \
        format##_move(i);                                                              \
        write_out(&e, in);                                                             \
    }                                                                                  \
    static size_t format##_hand_push(input *in)                                        \
    {                                                                                  \
        const rocecc_headers *f = &in->p.headers;                                      \
        return format##_by_hand(in->b, in->n, sizeof in->b, f->ip.offset,              \
                                where_it_is);                                          \
    }                                                                                  \
    static void format##_hand(unsigned i)                                              \
    {                                                                                  \
        input *in = again(&format[i % INPUTS]);                                        \
        if (format##_hand_push(in) == 0) abort();                                      \
        bench_keep(in->b);                                                             \
    }
SIDES(ioam, f->ip.hop_by_hop)
SIDES(intmd, f->intmd)
SIDES(ifa, f->ifa)

/* Makes Ethernet, IP, UDP without a checksum, BTH, data, and an ICRC of zeros. */
static void data_packet(input *in, bool v6)
{
    const size_t udp = v6 ? 54 : 34, bytes = 8 + 12 + PAYLOAD + 4;
    uint8_t *b = in->b;
    memset(b, 0, sizeof in->b);
    rocecc_store16(b + 12, v6 ? 0x86dd : 0x0800);
    if (v6) {
        rocecc_store32(b + 14, 0x60000000);
        rocecc_store16(b + 18, (uint16_t)bytes);
        b[20] = 17;
        b[21] = 64;
        b[22] = b[38] = 0xfd;
    } else {
        rocecc_store32(b + 14, 0x45000000 | (uint32_t)(20 + bytes));
        b[22] = 64;
        b[23] = 17;
        b[26] = b[30] = 10;
        rocecc_store16(b + 24, (uint16_t)~rocecc_load16(b + 16)); /* any value does */
    }
    rocecc_store16(b + udp, 49152);
    rocecc_store16(b + udp + 2, 4791);
    rocecc_store16(b + udp + 4, (uint16_t)bytes);
    b[udp + 8] = 4;
    in->n = udp + bytes;
}

static void walk(input *in)
{
    if (rocecc_packet_parse(&domain, rocecc_reader_of(in->b, in->b + in->n), &in->p) !=
        ROCECC_OK)
        abort();
}

static rocecc_edit_verdict ioam_insert(const rocecc_packet *p, rocecc_edit *e)
{
    rocecc_ioam_source s = ROCECC_ZERO;
    s.opt_type = ROCECC_IOAM_INCREMENTAL;
    s.namespace_id = 123;
    s.trace_type = ROCECC_IOAM_TYPE_HPCC;
    s.words = 40;
    return rocecc_ioam_insert(p, &s, MTU, e);
}

static rocecc_edit_verdict intmd_insert(const rocecc_packet *p, rocecc_edit *e)
{
    rocecc_intmd_source s = ROCECC_ZERO;
    s.mark = ROCECC_INTMD_MARK_PORT;
    s.mtu_bytes = MTU;
    s.header = rocecc_intmd_header_init(ROCECC_INTMD_HPCC, 64);
    return rocecc_intmd_insert(p, &s, NULL, none(), e);
}

static rocecc_edit_verdict ifa_insert(const rocecc_packet *p, rocecc_edit *e)
{
    static const rocecc_ifa_source s = {
        {2, ROCECC_IFA_GNS_NONE, 0, ROCECC_IFA_FLAG_I, 255}, {0xff, 0, 64, 0}, 0};
    return rocecc_ifa_insert(p, &s, MTU, e);
}

typedef rocecc_edit_verdict (*planner)(const rocecc_packet *p, rocecc_edit *e);

static void change(input *in, planner plan)
{
    rocecc_edit e;
    if (plan(&in->p, &e) != ROCECC_EDIT_CHANGE) abort();
    in->n = carry_out(&e, in);
    walk(in);
}

/* Makes packets with nodes, and checks that pushes by hand give the same bytes. */
static void make(input *all, planner insert, planner push, size_t (*by_hand)(input *in))
{
    static input copy, other;
    unsigned i, k;
    rocecc_edit e;
    for (i = 0; i < INPUTS; i++) {
        input *in = &all[i];
        data_packet(in, all == ioam || i % 2 != 0);
        walk(in);
        change(in, insert);
        for (k = 0; k < i % NODES; k++)
            change(in, push);
        memcpy(in->head, in->b, HEAD);
        (void)push(&in->p, &e);
        in->from = (size_t)e.splice[0].offset + e.splice[0].old_bytes;
        in->gap = (size_t)e.splice[0].new_bytes - e.splice[0].old_bytes;
        copy = other = *in;
        walk(&copy);
        change(&copy, push);
        if (e.n_splices == 1 && by_hand(&other) == copy.n &&
            memcmp(copy.b, other.b, copy.n) == 0)
            continue;
        fprintf(stderr, "bench: the push by hand gives other bytes\n");
        exit(1);
    }
}

static void nodes(void)
{
    rocecc_ioam_node_init(&ioam_node);
    ioam_node.word[0] = 60u << 24 | 0xa01;
    ioam_node.word[1] = 3u << 16 | 17;
    ioam_node.word[3] = 123456789;
    ioam_node.word[6] = 1500;
    ioam_node.word[ROCECC_IOAM_WORD_TX_BYTES] = 0x12345678;
    rocecc_intmd_node_init(&intmd_node);
    intmd_node.word[0] = 0xa01;
    intmd_node.word[1] = 3u << 16 | 17;
    intmd_node.word[3] = 3u << 24 | 1500;
    intmd_node.word[6] = 0x17979cfe;
    intmd_node.word[7] = 0x362a0000;
    intmd_node.word[10] = 9000;
    ifa_node.layout = ROCECC_IFA_LAYOUT_A;
    ifa_node.lns = 1;
    ifa_node.device_id = 0xa01;
    ifa_node.ttl = 60;
    ifa_node.speed = 5;
    ifa_node.queue = 3;
    ifa_node.rx_timestamp_sec = 77;
    ifa_node.egress_port = 17;
    ifa_node.ingress_port = 3;
    ifa_node.rx_timestamp_ns = 123456789;
    ifa_node.residence_time = 900;
    ifa_node.tx_bytes = 0x12345678;
    ifa_node.queue_length = 1500;
    ifa_node.present = ROCECC_IFA_PRESENT_A;
}

#define ROWS(name, format)                                                               \
    {"one hop pushed, " name, "by hand",          format##_once,                         \
     format##_hand,           BENCH_INSTRUCTIONS, 1.5},                                  \
        {"one hop pushed by a plan, " name, NULL, format##_ours, NULL,                   \
         BENCH_INSTRUCTIONS, 0},                                                         \
        {"one hop written, " name ", in room",                                           \
         "by hand",                                                                      \
         format##_room,                                                                  \
         format##_hand,                                                                  \
         BENCH_INSTRUCTIONS,                                                             \
         2.5},                                                                           \
        {"one hop planned, " name, NULL, format##_planned, NULL, BENCH_INSTRUCTIONS, 0}, \
    {                                                                                    \
        "tail moved, " name, NULL, format##_move, NULL, BENCH_INSTRUCTIONS, 0            \
    }

static const bench_row rows[] = {ROWS("IOAM", ioam), ROWS("INT", intmd),
                                 ROWS("IFA", ifa)};

int main(int argc, char **argv)
{
    domain.ioam.namespace_id = 123;
    domain.ioam.tx_bytes_bit = 12;
    domain.intmd.udp_port = 5000;
    domain.ifa.protocol = ROCECC_IFA_LAB_PROTOCOL;
    domain.ifa.layout_a = ROCECC_IFA_LAB_LAYOUT_A;
    nodes();
    rocecc_ioam_layout_update(&domain.ioam, ROCECC_IOAM_TYPE_HPCC, &ioam_layout);
    rocecc_intmd_layout_update(ROCECC_INTMD_HPCC, &intmd_layout);
    make(ioam, ioam_insert, ioam_plan, ioam_hand_push);
    make(intmd, intmd_insert, intmd_plan, intmd_hand_push);
    make(ifa, ifa_insert, ifa_plan, ifa_hand_push);
    return BENCH_MAIN(rows);
}
