/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * telemetry.c - measures the cost of reading telemetry: the records of five nodes
 * become hops in path order. IOAM is read from the Ethernet frame, INT and IFA from
 * their headers. A type with one bit more than HPCC++'s needs a layout, which is kept
 * in the configuration or made for each packet. HPCC++'s type needs no layout. The peer
 * of each row is written by hand for this type or layout, with constant offsets. push.c
 * has the other direction.
 *
 * bench: with: gcc -O2
 * bench: with: gcc -Os
 * bench: with: clang-19 -O2
 * bench: with: clang-19 -Os
 */
#include "bench.h"

#include "by_hand.h"
#include "rocecc/packet/intmd.h"
#include "rocecc/packet/ioam.h"
#include "rocecc/telemetry/path.h"

#define HOPS 5
#define INPUTS 50                               /* packets, in turn */
#define MORE_IOAM 0xf20800                      /* with the time's seconds */
#define MORE_INTMD (ROCECC_INTMD_HPCC | 0x2000) /* with the node's latency */

typedef struct input {
    uint8_t ioam[512], ioam_more[512]; /* Ethernet, IPv6, the trace, UDP, a BTH */
    size_t ioam_bytes, ioam_more_bytes;
    uint8_t intmd[12 + HOPS * 24];
    uint8_t intmd_more[12 + HOPS * 28];
    uint8_t ifa[16 + HOPS * 32]; /* IFA header, UDP, metadata header, nodes */
} input;

/* Telemetry from a packet. */
typedef struct report {
    rocecc_hop hops[8];
    uint32_t n;
    rocecc_telemetry_completeness complete;
} report;

static input inputs[INPUTS];
static rocecc_domain domain;
static rocecc_ifa_config ifa_config = {.protocol = 253, .layout_a = 1 << 1};
static rocecc_telemetry_config config, config_more; /* config_more has seconds */
static rocecc_telemetry_config ioam_kept, intmd_kept;
static report read;

/* By hand. */

/* Reads nodes of 5 words, or 6 with seconds. Returns false if a node is missing. */
INLINED bool hand_ioam_nodes(const uint8_t *b, unsigned count, bool seconds,
                             const rocecc_telemetry_config *c, rocecc_hop *out)
{
    const size_t words = seconds ? 6 : 5, more = seconds ? 4 : 0;
    uint8_t newer = 255; /* Hop_Lim, or 255 if unknown */
    bool whole = true;
    unsigned i;
    for (i = count; i > 0; i--, b += 4 * words) {
        rocecc_hop *h = &out[i - 1];
        const uint32_t ns = hand_load32(b + 8 + more),
                       queue = hand_load32(b + 12 + more);
        const uint32_t tx = hand_load32(b + 16 + more);
        unsigned valid = ROCECC_HOP_ID | ROCECC_HOP_RATE;
        if (newer != 255 && b[0] != 255 && b[0] != newer + 1) whole = false;
        newer = b[0];
        h->id = (uint64_t)(hand_load32(b) & 0xffffff) << 32 | hand_load16(b + 6);
        h->rate_bps = c->rate_bps;
        h->queue_bytes = queue * c->queue_unit_bytes;
        h->tx_bytes = tx;
        h->util_q20 = 0;
        h->ts_ns = ns;
        if (seconds) h->ts_ns += (uint64_t)hand_load32(b + 8) * 1000000000u;
        if (queue != UINT32_MAX) valid |= ROCECC_HOP_QUEUE;
        if (tx != UINT32_MAX) valid |= ROCECC_HOP_TX;
        if (ns < 1000000000) valid |= ROCECC_HOP_TS;
        h->valid = (uint8_t)valid;
    }
    return whole;
}

/* Reads a trace from Namespace-ID on. */
INLINED bool hand_trace(const uint8_t *b, size_t n, bool seconds,
                        const rocecc_telemetry_config *c, report *out)
{
    const size_t node = seconds ? 24 : 20;
    size_t bytes;
    if (n < 8 || hand_load16(b) != 123 || b[2] >> 3 != node / 4 ||
        hand_load32(b + 4) >> 8 != (seconds ? MORE_IOAM : ROCECC_IOAM_TYPE_HPCC))
        return false;
    bytes = n - 8;
    if (bytes < 4u * (b[3] & 0x7f)) return false;
    bytes -= 4u * (b[3] & 0x7f);
    if (bytes % node != 0 || bytes / node > 8) return false;
    out->n = (uint32_t)(bytes / node);
    out->complete = ROCECC_TELEMETRY_COMPLETE_UNKNOWN;
    if (!hand_ioam_nodes(b + n - bytes, out->n, seconds, c, out->hops) ||
        (b[2] & 4) != 0) /* Overflow */
        out->complete = ROCECC_TELEMETRY_COMPLETE_NO;
    return true;
}

/* Reads from Ethernet on: IPv6, Hop-by-Hop Options with the trace, UDP to 4791. */
INLINED bool hand_ioam(const uint8_t *b, size_t n, bool seconds,
                       const rocecc_telemetry_config *c, report *out)
{
    const uint8_t *header = b + 54, *udp, *o;
    size_t end, bytes;
    unsigned options;
    if (n < 54 + 8 || hand_load16(b + 12) != 0x86dd || b[14] >> 4 != 6 || b[20] != 0)
        return false;
    end = 54 + hand_load16(b + 18);
    bytes = 8 + 8 * (size_t)header[1];
    if (end > n || 54 + bytes + 8 + 16 > end || header[0] != 17) return false;
    udp = header + bytes;
    if (hand_load16(udp + 2) != 4791 || hand_load16(udp + 4) < 8 + 16 ||
        54 + bytes + hand_load16(udp + 4) > end)
        return false;
    for (o = header + 2, options = 0; o + 2 <= udp && options < 8; options++) {
        if (*o == 0) { /* Pad1 */
            o++;
            continue;
        }
        if (o + 2 + o[1] > udp) return false;
        if (o[0] == 0x31 && o[1] >= 2 + 8 && o[3] == ROCECC_IOAM_INCREMENTAL)
            return hand_trace(o + 4, o[1] - 2u, seconds, c, out);
        o += 2 + o[1];
    }
    return false;
}

/* Reads nodes of 6 words, or 7 with a latency. */
INLINED bool hand_intmd(const uint8_t *b, size_t n, bool latency,
                        const rocecc_telemetry_config *c, report *out)
{
    const size_t node = latency ? 28 : 24, more = latency ? 4 : 0;
    unsigned i;
    if (n < 12 || b[0] >> 4 != 2 || (b[2] & 0x1f) != node / 4 ||
        hand_load16(b + 4) != (latency ? MORE_INTMD : ROCECC_INTMD_HPCC) ||
        (n - 12) % node != 0 || (n - 12) / node > 8)
        return false;
    out->n = (uint32_t)((n - 12) / node);
    out->complete = (b[0] & 0x06) != 0 /* E, M */
                        ? ROCECC_TELEMETRY_COMPLETE_NO
                        : ROCECC_TELEMETRY_COMPLETE_UNKNOWN;
    b += 12;
    for (i = out->n; i > 0; i--, b += node) {
        rocecc_hop *h = &out->hops[i - 1];
        const uint32_t queue = hand_load32(b + 8 + more) & 0xffffff;
        const uint32_t used = hand_load32(b + 20 + more);
        unsigned valid = ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_TS;
        h->id = (uint64_t)hand_load32(b) << 32 | hand_load16(b + 6);
        h->rate_bps = c->rate_bps;
        h->queue_bytes = queue * c->queue_unit_bytes;
        h->ts_ns = hand_load64(b + 12 + more);
        h->tx_bytes = 0;
        h->util_q20 =
            (uint32_t)((((uint64_t)used << 20) + c->util_one / 2) / c->util_one);
        if (queue != 0xffffff) valid |= ROCECC_HOP_QUEUE;
        if (used != UINT32_MAX) valid |= ROCECC_HOP_UTIL;
        h->valid = (uint8_t)valid;
    }
    return true;
}

/* Reads layout A with LNS 1. The time is the departure time. */
INLINED bool hand_ifa(const uint8_t *b, size_t n, const rocecc_telemetry_config *c,
                      report *out)
{
    static const uint64_t speed_bps[7] = {10000000000, 25000000000,  40000000000,
                                          50000000000, 100000000000, 200000000000,
                                          400000000000};
    const uint32_t second = 1000000000;
    unsigned udp, i;
    if (n < 16 || b[0] >> 4 != 2 || b[1] != 17 || (b[2] & 0x19) != 0) return false;
    if (b[15] % 8 != 0 || n < 16 + b[15] * 4u || b[15] / 8 > 8) return false;
    udp = hand_load16(b + 8);
    if (udp < 8 || udp - 8 > n - 16 - b[15] * 4u) return false;
    out->n = b[15] / 8u;
    out->complete = ROCECC_TELEMETRY_COMPLETE_UNKNOWN;
    b += 16;
    for (i = out->n; i > 0; i--, b += 32) {
        rocecc_hop *h = &out->hops[i - 1];
        const uint32_t w0 = hand_load32(b), w1 = hand_load32(b + 4);
        const uint32_t ns = hand_load32(b + 12), residence = hand_load32(b + 16);
        const uint32_t speed = w1 >> 28;
        unsigned valid = ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TX;
        if (w0 >> 28 != 1) return false;
        h->id = (uint64_t)(w0 >> 8 & 0xfffff) << 32 | hand_load16(b + 8);
        h->rate_bps = speed < 7 ? speed_bps[speed] : 0;
        if (speed < 7) valid |= ROCECC_HOP_RATE;
        h->queue_bytes = hand_load16(b + 26) * c->queue_unit_bytes;
        h->tx_bytes = hand_load32(b + 20);
        h->util_q20 = 0;
        h->ts_ns = (uint64_t)(w1 & 0xfffff) * second + ns + residence;
        if (ns < second && residence < second) valid |= ROCECC_HOP_TS;
        h->valid = (uint8_t)valid;
    }
    return true;
}

/*
 * The library. Each format is called in one place, as in a program, so that compilers
 * inline as much of it.
 */
#define ONE_PLACE static __attribute__((noinline))

ONE_PLACE bool ioam_read(const rocecc_telemetry_config *c, const uint8_t *b, size_t n,
                         report *out)
{
    rocecc_telemetry_path path;
    rocecc_packet p;
    rocecc_ioam_option o;
    rocecc_ioam_view v;
    if (rocecc_packet_parse(&domain, rocecc_reader_of(b, b + n), &p) != ROCECC_OK ||
        rocecc_ioam_find(&p, &o) != ROCECC_OK ||
        rocecc_ioam_view_parse(&domain.ioam, &o, &v) != ROCECC_OK ||
        rocecc_telemetry_ioam_path(c, &v, out->hops, 8, &path) != ROCECC_OK)
        return false;
    out->n = path.n;
    out->complete = path.complete;
    return true;
}

ONE_PLACE bool intmd_read(const rocecc_telemetry_config *c, const uint8_t *b, size_t n,
                          report *out)
{
    rocecc_telemetry_path path;
    rocecc_intmd v;
    if (rocecc_intmd_parse(&domain.intmd, rocecc_reader_of(b, b + n), &v) !=
            ROCECC_OK ||
        rocecc_telemetry_intmd_path(c, &v, out->hops, 8, &path) != ROCECC_OK)
        return false;
    out->n = path.n;
    out->complete = path.complete;
    return true;
}

ONE_PLACE bool ifa_read(const rocecc_telemetry_config *c, const uint8_t *b, size_t n,
                        report *out)
{
    rocecc_telemetry_path path;
    rocecc_ifa v;
    if (rocecc_ifa_parse(&ifa_config, rocecc_reader_of(b, b + n), n, &v) != ROCECC_OK ||
        rocecc_telemetry_ifa_path(c, &v, out->hops, 8, &path) != ROCECC_OK)
        return false;
    out->n = path.n;
    out->complete = path.complete;
    return true;
}

#define SIDE(name, call)                                                               \
    static void name(unsigned i)                                                       \
    {                                                                                  \
        const input *in = &inputs[i % INPUTS];                                         \
        if (!(call) || read.n != HOPS) bench_differs(#name, i);                        \
        bench_keep(&read);                                                             \
    }
SIDE(ioam_ours, ioam_read(&config, in->ioam, in->ioam_bytes, &read))
SIDE(ioam_hand, hand_ioam(in->ioam, in->ioam_bytes, false, &config, &read))
SIDE(ioam_more_kept, ioam_read(&ioam_kept, in->ioam_more, in->ioam_more_bytes, &read))
SIDE(ioam_more_made, ioam_read(&config_more, in->ioam_more, in->ioam_more_bytes, &read))
SIDE(ioam_more_hand,
     hand_ioam(in->ioam_more, in->ioam_more_bytes, true, &config_more, &read))
SIDE(intmd_ours, intmd_read(&config, in->intmd, sizeof in->intmd, &read))
SIDE(intmd_hand, hand_intmd(in->intmd, sizeof in->intmd, false, &config, &read))
SIDE(intmd_more_kept,
     intmd_read(&intmd_kept, in->intmd_more, sizeof in->intmd_more, &read))
SIDE(intmd_more_made, intmd_read(&config, in->intmd_more, sizeof in->intmd_more, &read))
SIDE(intmd_more_hand,
     hand_intmd(in->intmd_more, sizeof in->intmd_more, true, &config, &read))
SIDE(ifa_ours, ifa_read(&config, in->ifa, sizeof in->ifa, &read))
SIDE(ifa_hand, hand_ifa(in->ifa, sizeof in->ifa, &config, &read))

/*
 * Parts: the walk alone, five hops that are cleared once and copied three times, the
 * words of five nodes set to ones, and a layout. gcc -Os copies and sets them with
 * string instructions, and each step of these counts.
 */
static void ioam_walk(unsigned i)
{
    const input *in = &inputs[i % INPUTS];
    rocecc_packet p;
    bench_keep(rocecc_packet_parse(
        &domain, rocecc_reader_of(in->ioam, in->ioam + in->ioam_bytes), &p));
    bench_keep(&p);
}

static void hops_copied(unsigned i)
{
    rocecc_hop copy[4];
    unsigned k, j;
    (void)i;
    for (k = 0; k < HOPS; k++) {
        memset(&copy[0], 0, sizeof copy[0]);
        for (j = 0; j < 3; j++) {
            bench_keep(copy);
            copy[j + 1] = copy[j];
        }
        bench_keep(copy);
    }
}

static void nodes_cleared(unsigned i)
{
    unsigned k;
    (void)i;
    for (k = 0; k < HOPS; k++) {
        rocecc_ioam_node node;
        rocecc_ioam_node_init(&node);
        bench_keep(&node);
    }
}

static void layout_made(unsigned i)
{
    rocecc_report_layout l = ROCECC_ZERO;
    (void)i;
    rocecc_ioam_layout_update(&domain.ioam, MORE_IOAM, &l);
    bench_keep(&l);
}

/* Checks that both read the same from each packet. */
static void same(void (*ours)(unsigned i), void (*by_hand)(unsigned i))
{
    unsigned i, k;
    for (i = 0; i < INPUTS; i++) {
        report was;
        ours(i);
        was = read;
        memset(&read, 0, sizeof read);
        by_hand(i);
        for (k = 0; k < HOPS; k++) {
            const rocecc_hop *a = &was.hops[k], *b = &read.hops[k];
            if (a->id != b->id || a->rate_bps != b->rate_bps ||
                a->queue_bytes != b->queue_bytes || a->ts_ns != b->ts_ns ||
                a->tx_bytes != b->tx_bytes || a->util_q20 != b->util_q20 ||
                a->valid != b->valid)
                bench_differs("telemetry by hand", i);
        }
        if (was.n != read.n || was.complete != read.complete)
            bench_differs("a path by hand", i);
    }
}

static uint32_t drawn = 1;

static uint32_t draw(void)
{
    drawn = drawn * 1664525u + 1013904223u;
    return drawn >> 8;
}

static void make_ioam(uint8_t *b, bool seconds)
{
    const rocecc_ioam_trace h = {123,
                                 (uint8_t)(seconds ? 6 : 5),
                                 0,
                                 0,
                                 seconds ? MORE_IOAM : ROCECC_IOAM_TYPE_HPCC,
                                 0};
    unsigned k;
    rocecc_ioam_trace_store(b, &h);
    b += 8;
    for (k = 0; k < HOPS; k++) {
        rocecc_store32(b, (60 + k) << 24 | (0xa00 + draw() % 64));
        rocecc_store32(b + 4, (draw() % 64) << 16 | draw() % 64);
        b += 8;
        if (seconds) {
            rocecc_store32(b, 1700000000 + draw() % 8);
            b += 4;
        }
        rocecc_store32(b, draw() * 59 % 1000000000u);
        rocecc_store32(b + 4, draw() % 4096);
        rocecc_store32(b + 8, draw() * 250);
        b += 12;
    }
}

static void make_intmd(uint8_t *b, bool latency)
{
    const rocecc_intmd_header h = rocecc_intmd_header_init(
        latency ? MORE_INTMD : ROCECC_INTMD_HPCC, (uint8_t)(draw() % 3));
    unsigned k;
    rocecc_intmd_header_store(b, &h);
    b += 12;
    for (k = 0; k < HOPS; k++) {
        rocecc_store32(b, 0xa00 + draw() % 64);
        rocecc_store32(b + 4, (draw() % 64) << 16 | draw() % 64);
        b += 8;
        if (latency) {
            rocecc_store32(b, draw() % 100000);
            b += 4;
        }
        rocecc_store32(b, 3u << 24 | draw() % 4096);
        rocecc_store64(b + 4, UINT64_C(1700000000000000000) + draw());
        rocecc_store32(b + 12, draw() % 10000);
        b += 16;
    }
}

static void make_ifa(uint8_t *b)
{
    unsigned k;
    rocecc_store32(b, 0x2f1104ff);
    rocecc_store32(b + 8, 8u << 16);
    rocecc_store32(b + 12, 0xff000000 | (draw() % 64 + 1) << 8 | HOPS * 8);
    b += 16;
    for (k = 0; k < HOPS; k++, b += 32) {
        rocecc_store32(b, 1u << 28 | (0xa00 + draw() % 64) << 8 | (60 + k));
        rocecc_store32(b + 4, (draw() % 7) << 28 | 3u << 20 | draw() % (1u << 20));
        rocecc_store32(b + 8, (draw() % 64) << 16 | draw() % 64);
        rocecc_store32(b + 12, draw() * 59 % 1000000000u);
        rocecc_store32(b + 16, draw() % 100000);
        rocecc_store32(b + 20, draw() * 250);
        rocecc_store32(b + 24, draw() % 4096);
    }
}

/*
 * Makes a trace in Hop-by-Hop Options after PadN, UDP, a BTH, data. Returns the length.
 */
static size_t make_frame(uint8_t *b, bool seconds)
{
    const size_t n = 8 + HOPS * (seconds ? 24 : 20);
    const size_t header = (2 + 2 + 4 + n + 7) / 8 * 8, upper = 8 + 12 + 64 + 4;
    uint8_t *o = b + 54 + 2, *udp = b + 54 + header;
    rocecc_store16(b + 12, 0x86dd);
    rocecc_store16(b + 14, 0x6000);
    rocecc_store16(b + 18, (uint16_t)(header + upper));
    b[21] = 64;
    b[22] = b[38] = 0xfd;
    b[54] = 17;
    b[55] = (uint8_t)(header / 8 - 1);
    o[0] = 1; /* PadN of 2 bytes aligns the trace */
    o[2] = 0x31;
    o[3] = (uint8_t)(2 + n);
    o[5] = ROCECC_IOAM_INCREMENTAL;
    make_ioam(o + 6, seconds);
    o += 6 + n;
    if (udp - o >= 2) {
        o[0] = 1;
        o[1] = (uint8_t)(udp - o - 2);
    }
    rocecc_store16(udp, 49152);
    rocecc_store16(udp + 2, 4791);
    rocecc_store16(udp + 4, (uint16_t)upper);
    udp[8] = 4;
    return 54 + header + upper;
}

static void make(void)
{
    unsigned i;
    for (i = 0; i < INPUTS; i++) {
        input *in = &inputs[i];
        make_intmd(in->intmd, false);
        make_intmd(in->intmd_more, true);
        make_ifa(in->ifa);
        in->ioam_bytes = make_frame(in->ioam, false);
        in->ioam_more_bytes = make_frame(in->ioam_more, true);
    }
    domain.ioam.namespace_id = 123;
    domain.ioam.tx_bytes_bit = 12;
    domain.intmd.udp_port = 5000;
    config.queue_unit_bytes = 80;
    config.util_one = 10000;
    config.rate_bps = UINT64_C(400000000000);
    ioam_kept = config_more = intmd_kept = config;
    ioam_kept.seconds = config_more.seconds = true;
    rocecc_ioam_layout_update(&domain.ioam, MORE_IOAM, &ioam_kept.layout);
    rocecc_intmd_layout_update(MORE_INTMD, &intmd_kept.layout);
}

#define READ(what, ours, by_hand, goal)                                                \
    {                                                                                  \
        "5 hops read, " what, "by hand", ours, by_hand, BENCH_INSTRUCTIONS, goal       \
    }

static const bench_row rows[] = {
    READ("IOAM", ioam_ours, ioam_hand, 1.5),
    READ("IOAM, a bit more, layout kept", ioam_more_kept, ioam_more_hand, 2),
    READ("IOAM, a bit more, layout made", ioam_more_made, ioam_more_hand, 3),
    READ("INT", intmd_ours, intmd_hand, 2),
    READ("INT, a bit more, layout kept", intmd_more_kept, intmd_more_hand, 2),
    READ("INT, a bit more, layout made", intmd_more_made, intmd_more_hand, 3),
    READ("IFA", ifa_ours, ifa_hand, 2),
    {"the frame walked", NULL, ioam_walk, NULL, BENCH_INSTRUCTIONS, 0},
    {"5 hops cleared and copied", NULL, hops_copied, NULL, BENCH_INSTRUCTIONS, 0},
    {"5 nodes set to ones", NULL, nodes_cleared, NULL, BENCH_INSTRUCTIONS, 0},
    {"a layout made", NULL, layout_made, NULL, BENCH_INSTRUCTIONS, 0},
};

int main(int argc, char **argv)
{
    make();
    same(ioam_ours, ioam_hand);
    same(ioam_more_kept, ioam_more_hand);
    same(ioam_more_made, ioam_more_hand);
    same(intmd_ours, intmd_hand);
    same(intmd_more_kept, intmd_more_hand);
    same(intmd_more_made, intmd_more_hand);
    same(ifa_ours, ifa_hand);
    return BENCH_MAIN(rows);
}
