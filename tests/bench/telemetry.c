/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * telemetry.c - what reading telemetry costs: the records of five nodes, of IOAM and
 * INT as HPCC++ asks for them, become hops, the first of the path first. Beside each is
 * the same by hand, for this one trace type or layout: its offsets are constants,
 * nothing is cleared, nothing is reported. push.c has the other direction.
 *
 * bench: with: gcc -O2
 * bench: with: gcc -Os
 * bench: with: clang-19 -O2
 */
#include "bench.h"
#include "rocecc/packet/intmd.h"
#include "rocecc/packet/ioam.h"
#include "rocecc/role/telemetry_path.h"

#define HOPS 5
#define INPUTS 64 /* packets, one after the other */

typedef struct input {
    uint8_t ioam[8 + HOPS * 20]; /* a trace, from Namespace-ID on */
    uint8_t intmd[12 + HOPS * 24];
    uint8_t ifa[16 + HOPS * 32]; /* from the IFA header on; UDP, the metadata header */
} input;

static input inputs[INPUTS];
static rocecc_ioam_config ioam_config = {123, 12, 0, false};
static rocecc_intmd_config intmd_config;
static rocecc_ifa_config ifa_config = {.protocol = 253, .layout_a = 1 << 1};
static rocecc_telemetry_config cold, ioam_warm, intmd_warm;
static rocecc_hop hops[8];

/* By hand: no layout, no node between; ones are not known here, too. */
static inline uint32_t be32(const uint8_t *b)
{
    uint32_t v;
    memcpy(&v, b, 4);
    return __builtin_bswap32(v);
}

static inline uint32_t be16(const uint8_t *b)
{
    uint16_t v;
    memcpy(&v, b, 2);
    return __builtin_bswap16(v);
}

static inline uint64_t be64(const uint8_t *b)
{
    uint64_t v;
    memcpy(&v, b, 8);
    return __builtin_bswap64(v);
}

static inline unsigned hand_trace(const uint8_t *b, size_t n,
                                  const rocecc_telemetry_config *c, rocecc_hop *out,
                                  unsigned max)
{
    const uint8_t *end = b + n;
    unsigned count, i;
    size_t bytes;
    if (n < 8 || be32(b + 4) >> 8 != 0xd20800 || b[2] >> 3 != 5) return 0;
    bytes = n - 8;
    if (bytes < 4u * (b[3] & 0x7f)) return 0;
    bytes -= 4u * (b[3] & 0x7f);
    if (bytes % 20 != 0 || bytes / 20 > max) return 0;
    count = (unsigned)(bytes / 20);
    b = end - bytes;
    for (i = count; i > 0; i--, b += 20) {
        rocecc_hop *h = &out[i - 1];
        const uint32_t queue = be32(b + 12), ns = be32(b + 8), tx = be32(b + 16);
        unsigned valid = ROCECC_HOP_ID;
        h->id = (uint64_t)(be32(b) & 0xffffff) << 32 | (be32(b + 4) & 0xffff);
        h->queue_bytes = queue * c->queue_unit_bytes;
        h->tx_bytes = tx;
        h->ts_ns = ns;
        if (queue != UINT32_MAX) valid |= ROCECC_HOP_QUEUE;
        if (tx != UINT32_MAX) valid |= ROCECC_HOP_TX;
        if (ns < 1000000000) valid |= ROCECC_HOP_TS;
        h->valid = (uint8_t)valid;
    }
    return count;
}

static inline unsigned hand_intmd(const uint8_t *b, size_t n,
                                  const rocecc_telemetry_config *c, rocecc_hop *out,
                                  unsigned max)
{
    unsigned count, i;
    if (n < 12 || b[0] >> 4 != 2 || (b[2] & 0x1f) != 6 || b[4] != 0xd5 || b[5] != 0)
        return 0;
    if ((n - 12) % 24 != 0 || (n - 12) / 24 > max) return 0;
    count = (unsigned)((n - 12) / 24);
    b += 12;
    for (i = count; i > 0; i--, b += 24) {
        rocecc_hop *h = &out[i - 1];
        const uint32_t queue = be32(b + 8) & 0xffffff, used = be32(b + 20);
        unsigned valid = ROCECC_HOP_ID | ROCECC_HOP_TS;
        h->id = (uint64_t)be32(b) << 32 | (be32(b + 4) & 0xffff);
        h->queue_bytes = queue * c->queue_unit_bytes;
        h->ts_ns = be64(b + 12);
        h->util_q20 =
            (uint32_t)((((uint64_t)used << 20) + c->util_one / 2) / c->util_one);
        if (queue != 0xffffff) valid |= ROCECC_HOP_QUEUE;
        if (used != UINT32_MAX) valid |= ROCECC_HOP_UTIL;
        h->valid = (uint8_t)valid;
    }
    return count;
}

/* Layout A under LNS 1; the time is that of the departure. */
static inline unsigned hand_ifa(const uint8_t *b, size_t n,
                                const rocecc_telemetry_config *c, rocecc_hop *out,
                                unsigned max)
{
    static const uint64_t speed_bps[7] = {10000000000, 25000000000,  40000000000,
                                          50000000000, 100000000000, 200000000000,
                                          400000000000};
    const uint32_t second = 1000000000;
    unsigned count, udp, i;
    if (n < 16 || b[0] >> 4 != 2 || b[1] != 17 || (b[2] & 0x19) != 0) return 0;
    count = b[15] / 8u;
    if (b[15] % 8 != 0 || n < 16 + b[15] * 4u || count > max) return 0;
    udp = be16(b + 8);
    if (udp < 8 || udp - 8 > n - 16 - b[15] * 4u) return 0;
    b += 16;
    for (i = count; i > 0; i--, b += 32) {
        rocecc_hop *h = &out[i - 1];
        const uint32_t w0 = be32(b), w1 = be32(b + 4), ns = be32(b + 12);
        const uint32_t residence = be32(b + 16), speed = w1 >> 28;
        unsigned valid = ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TX;
        if (w0 >> 28 != 1) return 0;
        h->id = (uint64_t)(w0 >> 8 & 0xfffff) << 32 | be16(b + 8);
        h->queue_bytes = be16(b + 26) * c->queue_unit_bytes;
        h->tx_bytes = be32(b + 20);
        h->ts_ns = (uint64_t)(w1 & 0xfffff) * second + ns + residence;
        if (speed < 7) {
            h->rate_bps = speed_bps[speed];
            valid |= ROCECC_HOP_RATE;
        }
        if (ns < second && residence < second) valid |= ROCECC_HOP_TS;
        h->valid = (uint8_t)valid;
    }
    return count;
}

static void ioam_by(const rocecc_telemetry_config *c, unsigned i)
{
    const input *in = &inputs[i % INPUTS];
    rocecc_telemetry_path path;
    rocecc_ioam_view v;
    rocecc_ioam_option o = {0, ROCECC_IOAM_PREALLOCATED, {NULL, 0, 0}};
    o.data = rocecc_reader_of(in->ioam, in->ioam + sizeof in->ioam);
    if (rocecc_ioam_view_parse(&ioam_config, &o, &v) != ROCECC_OK ||
        rocecc_telemetry_ioam_path(c, &v, hops, 8, &path) != ROCECC_OK ||
        path.n != HOPS)
        abort();
    bench_keep(hops);
}

static void ioam_layout_kept(unsigned i)
{
    ioam_by(&ioam_warm, i);
}

static void ioam_layout_made(unsigned i)
{
    ioam_by(&cold, i);
}

static void ioam_hand(unsigned i)
{
    const input *in = &inputs[i % INPUTS];
    if (hand_trace(in->ioam, sizeof in->ioam, &ioam_warm, hops, 8) != HOPS) abort();
    bench_keep(hops);
}

static void intmd_by(const rocecc_telemetry_config *c, unsigned i)
{
    const input *in = &inputs[i % INPUTS];
    rocecc_telemetry_path path;
    rocecc_intmd v;
    if (rocecc_intmd_parse(&intmd_config,
                           rocecc_reader_of(in->intmd, in->intmd + sizeof in->intmd),
                           &v) != ROCECC_OK ||
        rocecc_telemetry_intmd_path(c, &v, hops, 8, &path) != ROCECC_OK ||
        path.n != HOPS)
        abort();
    bench_keep(hops);
}

static void intmd_layout_kept(unsigned i)
{
    intmd_by(&intmd_warm, i);
}

static void intmd_layout_made(unsigned i)
{
    intmd_by(&cold, i);
}

static void intmd_hand(unsigned i)
{
    const input *in = &inputs[i % INPUTS];
    if (hand_intmd(in->intmd, sizeof in->intmd, &intmd_warm, hops, 8) != HOPS) abort();
    bench_keep(hops);
}

static void ifa_read(unsigned i)
{
    const input *in = &inputs[i % INPUTS];
    rocecc_telemetry_path path;
    rocecc_ifa v;
    if (rocecc_ifa_parse(&ifa_config,
                         rocecc_reader_of(in->ifa, in->ifa + sizeof in->ifa),
                         sizeof in->ifa, &v) != ROCECC_OK ||
        rocecc_telemetry_ifa_path(&cold, &v, hops, 8, &path) != ROCECC_OK ||
        path.n != HOPS)
        abort();
    bench_keep(hops);
}

static void ifa_hand(unsigned i)
{
    const input *in = &inputs[i % INPUTS];
    if (hand_ifa(in->ifa, sizeof in->ifa, &cold, hops, 8) != HOPS) abort();
    bench_keep(hops);
}

/* Both say the same of each hop; all else ends the bench. */
static void same(void (*ours)(unsigned i), void (*by_hand)(unsigned i))
{
    rocecc_hop was[HOPS];
    unsigned i, k;
    for (i = 0; i < INPUTS; i++) {
        ours(i);
        memcpy(was, hops, sizeof was);
        memset(hops, 0, sizeof hops);
        by_hand(i);
        for (k = 0; k < HOPS; k++) {
            const rocecc_hop *a = &was[k], *b = &hops[k];
            if (a->id == b->id && a->queue_bytes == b->queue_bytes &&
                a->ts_ns == b->ts_ns && a->tx_bytes == b->tx_bytes &&
                a->util_q20 == b->util_q20 &&
                (b->rate_bps == 0 || a->rate_bps == b->rate_bps) &&
                (a->valid & ~(unsigned)ROCECC_HOP_RATE) ==
                    (b->valid & ~(unsigned)ROCECC_HOP_RATE))
                continue;
            fprintf(stderr, "bench: by hand hop %u is another one\n", k);
            exit(1);
        }
    }
}

static uint32_t drawn = 1;

static uint32_t draw(void)
{
    drawn = drawn * 1664525u + 1013904223u;
    return drawn >> 8;
}

static void make(void)
{
    unsigned i, k;
    for (i = 0; i < INPUTS; i++) {
        uint8_t *b = inputs[i].ioam;
        const rocecc_ioam_trace h = {123, 5, 0, 0, ROCECC_IOAM_TYPE_HPCC, 0};
        rocecc_intmd_header m =
            rocecc_intmd_header_init(ROCECC_INTMD_HPCC, (uint8_t)(draw() % 3));
        rocecc_ioam_trace_store(b, &h);
        b += 8;
        for (k = 0; k < HOPS; k++, b += 20) {
            rocecc_store32(b, (60 + k) << 24 | (0xa00 + draw() % 64));
            rocecc_store32(b + 4, (draw() % 64) << 16 | draw() % 64);
            rocecc_store32(b + 8, draw() * 59 % 1000000000u);
            rocecc_store32(b + 12, draw() % 4096);
            rocecc_store32(b + 16, draw() * 250);
        }
        b = inputs[i].intmd;
        rocecc_intmd_header_store(b, &m);
        b += 12;
        for (k = 0; k < HOPS; k++, b += 24) {
            rocecc_store32(b, 0xa00 + draw() % 64);
            rocecc_store32(b + 4, (draw() % 64) << 16 | draw() % 64);
            rocecc_store32(b + 8, 3u << 24 | draw() % 4096);
            rocecc_store64(b + 12, UINT64_C(1700000000000000000) + draw());
            rocecc_store32(b + 20, draw() % 10000);
        }
        b = inputs[i].ifa;
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
    cold.queue_unit_bytes = 80;
    cold.util_one = 10000;
    cold.rate_bps = UINT64_C(400000000000);
    ioam_warm = intmd_warm = cold;
    rocecc_ioam_layout_of(&ioam_config, ROCECC_IOAM_TYPE_HPCC, &ioam_warm.layout);
    rocecc_intmd_layout_of(ROCECC_INTMD_HPCC, &intmd_warm.layout);
}

static const bench_row rows[] = {
    {"5 hops read, IOAM, layout kept", "overlay", ioam_layout_kept, ioam_hand,
     BENCH_INSTRUCTIONS, 2.5},
    {"5 hops read, IOAM, layout made", "overlay", ioam_layout_made, ioam_hand,
     BENCH_INSTRUCTIONS, 3.5},
    {"5 hops read, INT, layout kept", "overlay", intmd_layout_kept, intmd_hand,
     BENCH_INSTRUCTIONS, 2.5},
    {"5 hops read, INT, layout made", "overlay", intmd_layout_made, intmd_hand,
     BENCH_INSTRUCTIONS, 3.5},
    {"5 hops read, IFA", "overlay", ifa_read, ifa_hand, BENCH_INSTRUCTIONS, 2.5},
};

int main(int argc, char **argv)
{
    make();
    same(ioam_layout_kept, ioam_hand);
    same(intmd_layout_kept, intmd_hand);
    same(ifa_read, ifa_hand);
    return BENCH_MAIN(rows);
}
