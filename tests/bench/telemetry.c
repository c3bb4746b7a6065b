/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * telemetry.c - what reading and pushing telemetry costs: a trace of five nodes as
 * HPCC++ asks for them becomes hops, the first of the path first; one node more goes
 * into a packet. Beside each is the same by hand, for this one trace type: its offsets
 * are constants, nothing is cleared, nothing is reported.
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
} input;

static input inputs[INPUTS];
static rocecc_ioam_config ioam_config = {123, 12, 0, false};
static rocecc_intmd_config intmd_config;
static rocecc_telemetry_config cold, ioam_warm, intmd_warm;
static rocecc_hop hops[8];

/* By hand: no layout, no node between; ones are not known here, too. */
static inline uint32_t be32(const uint8_t *b)
{
    uint32_t v;
    memcpy(&v, b, 4);
    return __builtin_bswap32(v);
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
};

int main(int argc, char **argv)
{
    make();
    return BENCH_MAIN(rows);
}
