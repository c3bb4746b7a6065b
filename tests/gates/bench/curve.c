/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * curve.c - measures how an operation's cost grows with a packet's length, its
 * extension headers, the hops in its telemetry, the prefixes in a list, or the flows in
 * a table. curve.sh runs it under callgrind. Each dump is named CURVE N. Packets are
 * made here, byte by byte, without the library.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

#include "rocecc/rocecc.h"

#define CALLS 100u
#define FRAME_MAX 8300u
#define PREFIXES_MAX 16384u
#define BUCKETS 32768u

static volatile uint32_t sink;
static uint8_t frame[FRAME_MAX];
static uint64_t random_state = 1;

static uint32_t at_random(void)
{
    random_state =
        random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 32);
}

static void put16(uint8_t *b, size_t x)
{
    b[0] = (uint8_t)(x >> 8);
    b[1] = (uint8_t)x;
}

/*
 * Makes a frame of Ethernet, IPv6 with this many Destination Options headers (8 bytes,
 * PadN), UDP to 4791, a BTH, data, and an ICRC of zeros. Returns its length.
 */
static size_t ipv6_frame(unsigned headers, size_t data)
{
    const size_t upper = 8 + 12 + data + 4, payload = 8 * headers + upper;
    uint8_t *b = frame + 54;
    unsigned i;
    memset(frame, 0, sizeof frame);
    put16(frame + 12, 0x86dd);
    frame[14] = 0x60;
    put16(frame + 18, payload);
    frame[20] = headers == 0 ? 17 : 60;
    frame[21] = 64;
    frame[22] = frame[38] = 0xfd;
    for (i = 0; i < headers; i++, b += 8) {
        b[0] = i + 1 == headers ? 17 : 60;
        b[2] = 1; /* PadN of 6 bytes */
        b[3] = 4;
    }
    put16(b, 49152);
    put16(b + 2, 4791);
    put16(b + 4, upper);
    b[8] = 4; /* SEND Only, RC */
    return 54 + payload;
}

static void measure(const char *curve, unsigned n, void (*run)(unsigned n))
{
    char name[40];
    unsigned i;
    run(n);
    CALLGRIND_ZERO_STATS;
    for (i = 0; i < CALLS; i++)
        run(n);
    snprintf(name, sizeof name, "%s %u", curve, n);
    CALLGRIND_DUMP_STATS_AT(name);
}

static rocecc_domain domain;
static size_t frame_bytes;

static void walk(unsigned n)
{
    rocecc_packet p;
    (void)n;
    sink = (uint32_t)rocecc_packet_parse(
        &domain, rocecc_reader_of(frame, frame + frame_bytes), &p);
}

static void verify(unsigned n)
{
    rocecc_packet p;
    rocecc_icrc icrc;
    (void)n;
    if (rocecc_packet_parse(&domain, rocecc_reader_of(frame, frame + frame_bytes),
                            &p) != ROCECC_OK ||
        rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &icrc) != ROCECC_OK)
        abort();
    sink = icrc.computed;
}

/* n nodes of 5 words: node id, interfaces, time, queue depth. Trace type 0xf40000. */
static uint8_t trace[8 + 32 * 20];
static rocecc_ioam_config ioam_config;
static rocecc_telemetry_config telemetry;

static void ioam(unsigned n)
{
    rocecc_ioam_option o = ROCECC_ZERO;
    rocecc_ioam_view v;
    rocecc_hop hops[32];
    rocecc_telemetry_path path;
    o.opt_type = ROCECC_IOAM_PREALLOCATED;
    o.data = rocecc_reader_of(trace, trace + 8 + 20 * n);
    if (rocecc_ioam_view_parse(&ioam_config, &o, &v) != ROCECC_OK ||
        rocecc_telemetry_ioam_path(&telemetry, &v, hops, 32, &path) != ROCECC_OK)
        abort();
    sink = (uint32_t)hops[n - 1].id;
}

static rocecc_acl_entry entries[PREFIXES_MAX];
static rocecc_acl acl;

static void prefixes(unsigned n)
{
    rocecc_ip6 a = entries[at_random() % n].prefix;
    a.b[15] = 1;
    sink = rocecc_acl_lookup(&acl, &a).tag;
}

static void prefixes_start(unsigned n)
{
    uint32_t i, j, at;
    for (i = 0; i < n; i++) {
        memset(&entries[i], 0, sizeof entries[i]);
        entries[i].prefix.b[0] = 0xfd;
        for (j = 2; j < 8; j++)
            entries[i].prefix.b[j] = (uint8_t)at_random();
        entries[i].length = 64;
        entries[i].permit = 1;
    }
    if (rocecc_acl_init(&acl, entries, n, &at) != ROCECC_ACL_ACCEPTED) abort();
}

static rocecc_flowtable_params params;
static rocecc_flowtable table;
static rocecc_flowtable_memory memory;

static rocecc_flowtable_entry flow_of(uint32_t i)
{
    rocecc_flowtable_entry e;
    memset(&e, 0, sizeof e);
    memcpy(e.flow.src.b + 12, &i, sizeof i);
    e.flow.proto = 17;
    return e;
}

static void flows(unsigned n)
{
    const rocecc_flowtable_entry e = flow_of(at_random() % n);
    sink = rocecc_flowtable_learn(&params, &table, &memory, &e, 0).slot;
}

int main(void)
{
    static const unsigned bytes[] = {0, 64, 128, 256, 512, 1024, 2048, 4096, 8192};
    static const unsigned counts[] = {2, 3, 4, 5, 6, 7, 8}; /* 1 takes a shortcut */
    static const unsigned hops[] = {1, 2, 3, 5, 8, 12, 16, 24, 31};
    size_t k;
    uint32_t i, n;
    for (k = 0; k < sizeof bytes / sizeof bytes[0]; k++) {
        frame_bytes = ipv6_frame(0, bytes[k]);
        measure("verify-by-bytes", bytes[k], verify);
    }
    for (k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        frame_bytes = ipv6_frame(counts[k], 0);
        measure("walk-by-extension-headers", counts[k], walk);
    }
    trace[2] = 5 << 3; /* NodeLen 5, no flags, RemainingLen 0 */
    trace[4] = 0xf4;
    rocecc_ioam_layout_update(&ioam_config, 0xf40000, &telemetry.layout);
    for (k = 0; k < sizeof hops / sizeof hops[0]; k++)
        measure("ioam-by-hops", hops[k], ioam);
    for (n = 1; n <= PREFIXES_MAX; n *= 4) {
        prefixes_start(n);
        measure("acl-by-prefixes", n, prefixes);
    }
    params = rocecc_flowtable_l3qcn();
    params.secret[0] = 1;
    params.buckets = BUCKETS;
    memory.bucket = (rocecc_flowtable_bucket *)calloc(BUCKETS, sizeof *memory.bucket);
    memory.slot = (rocecc_flowtable_slot *)calloc(BUCKETS * ROCECC_FLOWTABLE_WAYS,
                                                  sizeof *memory.slot);
    if (memory.bucket == NULL || memory.slot == NULL) abort();
    table = rocecc_flowtable_start(&params, &memory);
    for (i = 0, n = 128; n <= 131072; n *= 4) {
        for (; i < n; i++) {
            const rocecc_flowtable_entry e = flow_of(i);
            if (rocecc_flowtable_learn(&params, &table, &memory, &e, 0).slot ==
                ROCECC_FLOWTABLE_NONE)
                abort();
        }
        measure("flowtable-by-flows", n, flows);
    }
    free(memory.bucket);
    free(memory.slot);
    return 0;
}
