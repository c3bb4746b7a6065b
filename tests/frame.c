/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/frame.h"
#include "bench/overlay.h"
#include "lib/noun.h"

#include <stdlib.h>
#include <string.h>

static const field frame_fields[] = {FRAME_FIELDS(FIELD_ROW, rocecc_frame)};
static const field flow_fields[] = {FLOW_FIELDS(FIELD_ROW, rocecc_flow)};

static size_t argument(const vec_row *row, const char *key)
{
    const char *value = vec_value(row->in, row->n_in, key);
    return value != NULL ? (size_t)strtoul(value, NULL, 0) : 0;
}

static void check_same(const rocecc_frame *a, const rocecc_frame *b)
{
    size_t i;
    CHECK_EQ(a->status, b->status);
    for (i = 0; i < NOUN_COUNT(frame_fields); i++)
        if (!field_equal(&frame_fields[i], a, b))
            test_fail(__FILE__, __LINE__, "%s differs", frame_fields[i].name);
}

static rocecc_frame_config config_of(const vec_row *row)
{
    rocecc_frame_config c = {0};
    c.ip_first = argument(row, "ip_first") != 0;
    c.rocev2_port = (uint16_t)argument(row, "rocev2_port");
    c.csig.compact_tpid = (uint16_t)argument(row, "csig.compact_tpid");
    c.csig.wide_tpid = (uint16_t)argument(row, "csig.wide_tpid");
    c.ifa_protocol = (uint8_t)argument(row, "ifa_protocol");
    c.intmd_port = (uint16_t)argument(row, "intmd_port");
    return c;
}

/* What the row says, whatever the status; and every prefix before a guard page. */
static void call_frame_locate(const vec_row *row)
{
    const rocecc_frame_config c = config_of(row);
    const uint8_t *at = guard_start(row->bytes, row->n);
    vec_row said = *row;
    rocecc_frame whole, part;
    size_t n;
    CHECK_EQ(rocecc_frame_locate(&c, rocecc_reader_of(at, at + row->n), &whole),
             row->status);
    CHECK_EQ(whole.status, row->status);
    said.status = ROCECC_OK;
    noun_check_out(&said, frame_fields, NOUN_COUNT(frame_fields), ROCECC_OK, &whole);
    for (n = 0; n <= row->n; n++) {
        rocecc_status status;
        test_context("%s, the first %zu bytes", row->id, n);
        at = guard_end(row->bytes, n);
        status = rocecc_frame_locate(&c, rocecc_reader_of(at, at + n), &part);
        if (row->status == ROCECC_OK) { /* the headers are enough */
            CHECK_EQ(status, n < whole.bth + 12u ? ROCECC_ERR_SHORT : ROCECC_OK);
            if (status == ROCECC_OK) check_same(&part, &whole);
        } else { /* what is refused is not accepted for being shorter */
            CHECK(status == row->status || status == ROCECC_ERR_SHORT);
        }
        CHECK(part.n_vlan <= whole.n_vlan);
        if (part.csig != 0)
            CHECK(part.csig == whole.csig && part.csig_bytes == whole.csig_bytes);
        if (part.cntag != 0) CHECK_EQ(part.cntag, whole.cntag);
        if (part.ifa != 0) CHECK_EQ(part.ifa, whole.ifa);
        if (part.ifa_metadata != 0) CHECK_EQ(part.ifa_metadata, whole.ifa_metadata);
        if (part.intmd != 0) CHECK_EQ(part.intmd, whole.intmd);
        if (part.udp != 0) /* the first of two, where INT has added one */
            CHECK(part.udp == whole.udp || part.udp == whole.ip.upper);
        if (part.grh != 0) CHECK_EQ(part.grh, whole.grh);
        if (part.outer.version != 0)
            CHECK(part.outer.version == whole.outer.version &&
                  part.outer.upper == whole.outer.upper);
    }
}

typedef rocecc_status (*flow_of)(rocecc_reader frame, const rocecc_frame *f,
                                 rocecc_flow *flow);

/* The row, and every prefix before a guard page: the same flow, or SHORT. */
static void check_flow(const vec_row *row, flow_of of)
{
    const rocecc_frame_config c = config_of(row);
    rocecc_flow whole, part, untouched;
    size_t n;
    memset(&whole, 0, sizeof whole);
    memset(&untouched, 0xa5, sizeof untouched);
    for (n = row->n + 1; n-- > 0;) {
        const uint8_t *at = guard_end(row->bytes, n);
        const rocecc_reader r = rocecc_reader_of(at, at + n);
        rocecc_status status;
        rocecc_frame f;
        test_context("%s, the first %zu bytes", row->id, n);
        part = untouched;
        (void)rocecc_frame_locate(&c, r, &f);
        status = of(r, &f, &part);
        if (n == row->n) {
            noun_check_out(row, flow_fields, NOUN_COUNT(flow_fields), status, &part);
            whole = part;
        }
        if (status != ROCECC_ERR_SHORT) CHECK_EQ(status, row->status);
        if (status != ROCECC_OK)
            CHECK(memcmp(&part, &untouched, sizeof part) == 0);
        else
            CHECK(rocecc_flow_match(&part, &whole));
    }
}

static void call_frame_flow(const vec_row *row)
{
    check_flow(row, rocecc_frame_flow);
}

static void call_frame_outer_flow(const vec_row *row)
{
    check_flow(row, rocecc_frame_outer_flow);
}

static const noun_call calls[] = {{"frame_locate", call_frame_locate},
                                  {"frame_flow", call_frame_flow},
                                  {"frame_outer_flow", call_frame_outer_flow}};
static const noun_file file = {"frame", law_frame, NULL, 0, calls, NOUN_COUNT(calls)};

/* A datagram ends where its header says, wherever in a buffer it begins. */
TEST(frame_ends_anywhere)
{
    static const uint8_t udp[28] = {0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 1, 2,
                                    3,    4, 5, 6,  7, 8, 1, 2, 3,  4,  0, 8, 0, 0};
    const rocecc_frame_config c = {.ip_first = true};
    uint8_t bytes[28 + 8];
    size_t start;
    for (start = 0; start < 4; start++) {
        rocecc_reader r = rocecc_reader_of(bytes, bytes + sizeof bytes);
        rocecc_frame f;
        memset(bytes, 0xa5, sizeof bytes);
        memcpy(bytes + start, udp, sizeof udp);
        r.at = start;
        CHECK_EQ(rocecc_frame_locate(&c, r, &f), ROCECC_NO_MATCH); /* no RoCEv2 */
        CHECK_EQ(f.kind, ROCECC_FRAME_UDP);
        CHECK_EQ(f.udp, start + 20);
        CHECK_EQ(f.end, start + 28);
        bytes[start + 3] = 27; /* and a byte that is there all the same is not its */
        CHECK_EQ(rocecc_frame_locate(&c, r, &f), ROCECC_ERR_FORMAT);
    }
}

TEST(frame_vectors)
{
    noun_frame_vectors(&file);
}

/* Each row again, some bytes changed and its end cut: the overlay finds the same. */
static void mutate(const vec_row *row, void *arg)
{
    static const uint8_t telling[] = {
        0,    1,    2,    4,    6,    0x11, 0x29, 0x2b, 0x2c, 0x32, 0x33, 0x3c, 0x45,
        0x60, 0x81, 0x86, 0xdd, 0x89, 0x15, 0x88, 0xa8, 0x12, 0xb7, 0x14, 0x16, 0x18,
        0x20, 0x28, 0x99, 0x22, 0xe9, 0xfd, 0x2f, 0x13, 0x0f, 0x0c, 0xff};
    uint64_t *random = arg;
    uint64_t rounds = test_rounds(4000);
    rocecc_frame a, b;
    if (row->n == 0) return;
    for (; rounds > 0; rounds--) {
        const uint32_t how = test_random(random);
        const bool csig = (how & 32) == 0;
        const rocecc_frame_config c = {(how & 3) == 0,
                                       (how & 12) == 0 ? 4790 : 0,
                                       {csig ? 0x9900 : 0,
                                        csig              ? 0x9901
                                        : (how & 64) == 0 ? 0x9900
                                                          : 0,
                                        false},
                                       (how & 0x7000) != 0 ? 253 : 17,
                                       (how & 0x38000) != 0 ? 5000 : 4791};
        const size_t n = (how & 16) == 0 ? test_random(random) % (row->n + 1) : row->n;
        uint8_t *at = guard_end(row->bytes, n);
        rocecc_reader r = rocecc_reader_of(at, at + n);
        int i;
        for (i = (int)(how >> 8 & 3); i > 0 && n > 0; i--) {
            const size_t where = test_random(random) % n;
            at[where] = (uint8_t)(test_random(random) >> 24);
            /* mostly a number that means something */
            if (test_random(random) & 1)
                at[where] = telling[test_random(random) % sizeof telling];
        }
        test_context("%s, changed %llu", row->id, (unsigned long long)rounds);
        (void)rocecc_frame_locate(&c, r, &a);
        (void)overlay_locate(&c, r, &b);
        check_same(&a, &b);
    }
}

/* A row with IFA or INT, what is behind the IP headers changed: bytes that lengths,
 * flags, versions and types are in, and the law. */
static void retell(const vec_row *row, void *arg)
{
    const rocecc_frame_config c = {.ifa_protocol = 253, .intmd_port = 5000};
    uint64_t *random = arg;
    uint64_t rounds = test_rounds(2000);
    rocecc_frame a, b;
    uint8_t *at = guard_end(row->bytes, row->n);
    (void)rocecc_frame_locate(&c, rocecc_reader_of(at, at + row->n), &a);
    if (a.ifa == 0 && a.intmd == 0) return;
    for (; rounds > 0; rounds--) {
        const size_t n = (rounds & 3) == 0 ? test_random(random) % row->n : row->n;
        const size_t first = a.ip.upper;
        size_t i;
        at = guard_end(row->bytes, n);
        for (i = test_random(random) % 3 + 1; i > 0; i--) {
            const size_t where =
                first + test_random(random) % (i == 1 ? 28 : row->n - first);
            const uint8_t by = (uint8_t)(1u << test_random(random) % 8);
            if (where < n) at[where] = (uint8_t)(at[where] + by);
        }
        test_context("%s, told otherwise %llu", row->id, (unsigned long long)rounds);
        (void)law_frame(rocecc_reader_of(at, at + n));
        (void)rocecc_frame_locate(&c, rocecc_reader_of(at, at + n), &a);
        (void)overlay_locate(&c, rocecc_reader_of(at, at + n), &b);
        check_same(&a, &b);
        at = guard_end(row->bytes, row->n);
        (void)rocecc_frame_locate(&c, rocecc_reader_of(at, at + row->n), &a);
    }
}

TEST(frame_telemetry)
{
    uint64_t random = 3;
    vec_read("vectors/frame.vec", retell, &random);
}

TEST(frame_overlay)
{
    uint64_t random = 1;
    vec_read("vectors/frame.vec", mutate, &random);
}

/* A tag changed into any other, in twos of bytes as the types are. */
static void retag(const vec_row *row, void *arg)
{
    static const uint16_t types[] = {0x8100, 0x88a8, 0x9900, 0x9901, 0x22e9,
                                     0x0800, 0x86dd, 0x8915, 0};
    const rocecc_frame_config c = {.csig = {0x9900, 0x9901, false}};
    uint64_t *random = arg;
    uint64_t rounds = test_rounds(1000);
    rocecc_frame a, b;
    size_t first;
    if (row->n < 40) return;
    for (; rounds > 0; rounds--) {
        const size_t n = (rounds & 3) == 0 ? test_random(random) % row->n : row->n;
        uint8_t *at = guard_end(row->bytes, n);
        const rocecc_reader r = rocecc_reader_of(at, at + n);
        for (first = 12; first <= 36 && first + 2 <= n;
             first += test_random(random) % 8 == 0 ? 2 : 4)
            rocecc_store16(at + first, types[test_random(random) % NOUN_COUNT(types)]);
        test_context("%s, tags changed %llu", row->id, (unsigned long long)rounds);
        (void)law_frame(r);
        (void)rocecc_frame_locate(&c, r, &a);
        (void)overlay_locate(&c, r, &b);
        check_same(&a, &b);
    }
}

TEST(frame_tags)
{
    uint64_t random = 2;
    vec_read("vectors/frame.vec", retag, &random);
}

/* The longest headers that there can be still have offsets of 16 bits. */
static size_t far_headers(uint8_t *b, uint8_t upper)
{
    size_t at = 0;
    int level, i;
    for (i = 0; i <= 5; i++, at += 4) {
        static const uint16_t types[] = {0x8100, 0x8100, 0x9901, 0, 0x8100, 0x22e9};
        rocecc_store16(b + at + 12, types[i]);
    }
    rocecc_store16(b + at + 12, 0x86dd);
    at += 14;
    for (level = 0; level < 2; level++) {
        b[at] = 0x60;
        rocecc_store16(b + at + 4, (uint16_t)(level == 0 ? 34000 : 17500));
        b[at + 6] = 60;
        at += 40;
        for (i = 0; i < 8; i++, at += 2048) {
            b[at] = i < 7 ? 60 : level == 0 ? 41 : upper;
            b[at + 1] = 255;
        }
    }
    return at;
}

TEST(frame_far)
{
    static uint8_t big[3 * 65536];
    const rocecc_frame_config c = {
        .csig = {0, 0x9901, false}, .ifa_protocol = 253, .intmd_port = 5000};
    rocecc_reader r = rocecc_reader_of(big, big + sizeof big);
    rocecc_frame f;
    uint8_t *b = big + ROCECC_FRAME_START_MAX;
    size_t at = far_headers(b, 17);
    CHECK(rocecc_take(&r, ROCECC_FRAME_START_MAX) != NULL);
    rocecc_store16(b + at + 2, 4791);
    rocecc_store16(b + at + 4, 24);
    CHECK_EQ(rocecc_frame_locate(&c, r, &f), ROCECC_OK);
    CHECK_EQ(f.bth, ROCECC_FRAME_START_MAX + at + 8);
    CHECK_EQ(f.ip.ext[7], ROCECC_FRAME_START_MAX + at - 2048);
    rocecc_store16(b + at + 2, 5000);
    rocecc_store16(b + at + 4, 1100);
    rocecc_store16(b + at + 8, 0x18ff);
    rocecc_store16(b + at + 10, 17);
    rocecc_store16(b + at + 1032 + 2, 4791);
    rocecc_store16(b + at + 1032 + 4, 24);
    CHECK_EQ(rocecc_frame_locate(&c, r, &f), ROCECC_OK);
    CHECK_EQ(f.bth, ROCECC_FRAME_START_MAX + at + 1040);
    at = far_headers(b, 253);
    memcpy(b + at, "\x2f\x11\x11\xff\0\0\x12\xb7\0\x18\0\0\xff\0\0\xff", 16);
    CHECK_EQ(rocecc_frame_locate(&c, r, &f), ROCECC_OK);
    CHECK_EQ(f.bth, ROCECC_FRAME_START_MAX + at + 1044);
    CHECK_EQ(f.end, f.bth + 16u);
    CHECK(rocecc_take(&r, 1) != NULL);
    CHECK_EQ(rocecc_frame_locate(&c, r, &f), ROCECC_ERR_RANGE);
    CHECK_EQ(f.status, ROCECC_ERR_RANGE);
}

/* Any other bit anywhere is another flow. */
TEST(flow_match)
{
    uint8_t bytes[2][37];
    rocecc_flow flow[2];
    size_t bit, i;
    for (bit = 0; bit <= 8 * sizeof bytes[0]; bit++) {
        for (i = 0; i < sizeof bytes[0]; i++)
            bytes[0][i] = bytes[1][i] = (uint8_t)(0x5a + 7 * i);
        if (bit < 8 * sizeof bytes[0]) bytes[1][bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        for (i = 0; i < 2; i++) {
            flow[i].src = rocecc_ip6_load(bytes[i]);
            flow[i].dst = rocecc_ip6_load(bytes[i] + 16);
            flow[i].src_port = rocecc_load16(bytes[i] + 32);
            flow[i].dst_port = rocecc_load16(bytes[i] + 34);
            flow[i].proto = bytes[i][36];
        }
        test_context("bit %zu", bit);
        CHECK_EQ(rocecc_flow_match(&flow[0], &flow[1]), bit == 8 * sizeof bytes[0]);
        CHECK_EQ(rocecc_flow_match(&flow[1], &flow[0]), bit == 8 * sizeof bytes[0]);
    }
}

/* Of IANA's protocol numbers, those whose header begins with two ports. */
TEST(flow_has_ports)
{
    static const uint8_t with[] = {6, 17, 33, 132, 136};
    unsigned proto, next = 0;
    for (proto = 0; proto < 256; proto++) {
        const bool has = next < sizeof with && with[next] == proto;
        CHECK_EQ(rocecc_flow_has_ports((uint8_t)proto), has);
        next += has;
    }
    CHECK_EQ(next, sizeof with);
}

/*
 * A frame that was located whole, of which less is given later: its ports, its fragment
 * header or its addresses are not there.
 */
TEST(frame_flow_of_less)
{
    static const char *const ids[] = {"flow-first-6", "flow-roce-4", "flow-6-in-6",
                                      "flow-int-4", "flow-ifa-6"};
    unsigned i;
    for (i = 0; i < NOUN_COUNT(ids); i++) {
        const vec_packet p = vec_find("vectors/frame.vec", ids[i]);
        const rocecc_frame_config c = {
            .ip_first = true, .ifa_protocol = 253, .intmd_port = 5000};
        rocecc_flow flow, untouched;
        rocecc_frame f;
        size_t n;
        (void)rocecc_frame_locate(&c, rocecc_reader_of(p.bytes, p.bytes + p.n), &f);
        memset(&untouched, 0xa5, sizeof untouched);
        for (n = 0; n < p.n; n++) {
            const uint8_t *at = guard_end(p.bytes, n);
            const rocecc_reader r = rocecc_reader_of(at, at + n);
            const size_t ports = f.udp != 0 ? f.udp + 4u : f.ip.upper + 4u;
            test_context("%s, %zu bytes", ids[i], n);
            flow = untouched;
            if (rocecc_frame_flow(r, &f, &flow) != ROCECC_OK)
                CHECK(memcmp(&flow, &untouched, sizeof flow) == 0);
            else
                CHECK(n >= ports);
            flow = untouched;
            if (rocecc_frame_outer_flow(r, &f, &flow) != ROCECC_OK)
                CHECK(memcmp(&flow, &untouched, sizeof flow) == 0);
            else
                CHECK(n >= (f.outer.version != 0 ? f.outer.upper : ports));
        }
    }
}

TEST(frame_burst)
{
    const rocecc_frame_config c = {.ip_first = true};
    static uint8_t bytes[3][64] = {{0x60}, {0x45}, {0x60}};
    rocecc_reader frames[3];
    rocecc_frame f[3];
    int i;
    for (i = 0; i < 3; i++) {
        frames[i] = rocecc_reader_of(bytes[i], bytes[i] + 64);
        bytes[i][5] = 24;
        bytes[i][6] = 17;
        rocecc_store16(bytes[i] + 42, 4791);
        rocecc_store16(bytes[i] + 44, 24);
    }
    CHECK_EQ(rocecc_frame_locate_burst(&c, frames, f, 3), 2);
    CHECK_EQ(f[0].bth, 48);
    CHECK_EQ(f[1].status, ROCECC_ERR_FORMAT);
    CHECK_EQ(f[2].bth, 48);
    CHECK_EQ(rocecc_frame_locate_burst(&c, frames, f, 0), 0);
}
