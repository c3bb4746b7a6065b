/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * push.c - tests packet/push.h. Each push accepts packets up to its bounds, writes the
 * same bytes as the plan, and leaves all others to the plan (law/shortcuts.h has any
 * packet).
 */
#include "lib/frame.h"
#include "rocecc/packet/push.h"

#define SRC "20010db8 00000000 00000000 00000001"
#define DST "20010db8 00000000 00000000 00000002"
#define MACS "020000000001 020000000002"
#define BTH "0400ffff 00000012 00000000"
#define REST "00000000 00000000 00000000 00000000 00000000"
#define ROCE "c00012b7 00280000" BTH REST

/* Offsets in the packets below. */
enum { V6 = 14, HBH = 54, TRACE = 58, UPPER4 = 34, SHIM4 = 42, IFA4 = 34, META4 = 46 };

/* Returns IPv6, Hop-by-Hop with PadN and a trace of n HPCC nodes, and RoCE. */
static test_frame ioam_frame(unsigned nodes)
{
    test_frame x = frame_of(MACS "86dd 60000000 0000 0040" SRC DST);
    const size_t option = 4 + 8 + 20 * (size_t)nodes, header = (4 + option + 7) / 8 * 8;
    const test_frame roce = frame_of(ROCE);
    x.b[HBH] = 17;
    x.b[HBH + 1] = (uint8_t)(header / 8 - 1);
    x.b[HBH + 2] = 1;
    x.b[TRACE] = 0x31;
    x.b[TRACE + 1] = (uint8_t)(option - 2);
    x.b[TRACE + 3] = 1;
    rocecc_store16(x.b + TRACE + 4, 123);
    x.b[TRACE + 6] = 5 << 3;
    x.b[TRACE + 7] = 40;
    rocecc_store32(x.b + TRACE + 8, (uint32_t)ROCECC_IOAM_TYPE_HPCC << 8);
    if (header > 4 + option) x.b[HBH + 4 + option] = 1, x.b[HBH + 5 + option] = 2;
    memcpy(x.b + HBH + header, roce.b, roce.n);
    x.n = HBH + header + roce.n;
    rocecc_store16(x.b + V6 + 4, (uint16_t)(header + roce.n));
    return x;
}

/* All arguments of a push. */
typedef struct attempt {
    test_frame x;
    rocecc_domain d;
    rocecc_packet p;
    rocecc_writer w;
    rocecc_report_layout layout;
    rocecc_ioam_node ioam;
    rocecc_intmd_node intmd;
    rocecc_ifa_node ifa;
    uint32_t mtu_bytes;
    char format; /* o, t, f: IOAM, INT, IFA */
} attempt;

static void walk(attempt *a)
{
    a->w = rocecc_writer_of(a->x.b, a->x.b + sizeof a->x.b);
    a->w.at = a->x.n;
    (void)rocecc_packet_parse(&a->d, rocecc_written(&a->w), &a->p);
}

static void start(attempt *a, char format, test_frame x)
{
    unsigned i;
    memset(a, 0, sizeof *a);
    a->format = format;
    a->x = x;
    a->mtu_bytes = 1500;
    a->d.ioam.namespace_id = 123;
    a->d.ioam.tx_bytes_bit = 12;
    a->d.intmd.udp_port = 5000;
    a->d.ifa.protocol = 253;
    a->d.ifa.layout_a = 1 << 1;
    rocecc_ioam_node_init(&a->ioam);
    rocecc_intmd_node_init(&a->intmd);
    for (i = 0; i < 25; i++)
        a->ioam.word[i] = a->intmd.word[i] = 0x01020304u * i;
    a->ioam.word[ROCECC_IOAM_WORD_TX_BYTES] = 77;
    a->ifa.layout = ROCECC_IFA_LAYOUT_A;
    a->ifa.lns = 1;
    a->ifa.device_id = 0x54321;
    a->ifa.present = ROCECC_IFA_PRESENT_A;
    a->ifa.speed = 5;
    if (format == 'o')
        rocecc_ioam_layout_update(&a->d.ioam, ROCECC_IOAM_TYPE_HPCC, &a->layout);
    if (format == 't') rocecc_intmd_layout_update(ROCECC_INTMD_HPCC, &a->layout);
    walk(a);
    CHECK_EQ(a->p.headers.status, ROCECC_OK);
}

static void start_ioam(attempt *a)
{
    start(a, 'o', ioam_frame(2));
}

/* Starts with INT-MD with one node, over IPv4 and UDP with a checksum. */
static void start_intmd(attempt *a)
{
    start(a, 't',
          frame_of(MACS
                   "0800 45000064 00004000 40110000 c0000201 c0000202"
                   "c0001388 00501234 140912b7 20000640 d5000000 00000000"
                   "00000a01 00030011 03000100 17979cfe 362a0000 00002328" BTH REST));
}

/* Starts with IFA with one record, over IPv4. */
static void start_ifa(attempt *a)
{
    start(a, 'f',
          frame_of(MACS "0800 45000064 00004000 40fd0000 c0000201 c0000202"
                        "2f110040 c00012b7 00280000 ff004008"
                        "10000a01 50300000 00110003 00000001 00000002 00000003"
                        "00000004 00000005" BTH REST));
}

static rocecc_status pushed(attempt *a)
{
    if (a->format == 'o')
        return rocecc_push_ioam(&a->p, &a->layout, &a->ioam, a->mtu_bytes, &a->w);
    if (a->format == 't')
        return rocecc_push_intmd(&a->p, &a->layout, &a->intmd, a->mtu_bytes, &a->w);
    return rocecc_push_ifa(&a->p, &a->ifa, a->mtu_bytes, &a->w);
}

/* Pushes with a plan. Returns false if the plan does not push. */
static bool planned(attempt *a)
{
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    rocecc_edit e;
    if (a->format == 'o')
        (void)rocecc_ioam_push(&a->p, &a->ioam, none, a->mtu_bytes, &e);
    else if (a->format == 't')
        (void)rocecc_intmd_push(&a->p, &a->intmd, none, a->mtu_bytes, &e);
    else
        (void)rocecc_ifa_push(&a->p, &a->ifa, a->mtu_bytes, &e);
    return e.verdict == ROCECC_EDIT_CHANGE && rocecc_edit_apply(&e, &a->w) == ROCECC_OK;
}

static void taken(attempt *a, int line)
{
    static attempt other;
    other = *a;
    other.p.bytes.base = other.w.base = other.x.b;
    if (pushed(a) != ROCECC_OK)
        test_fail(__FILE__, line, "this push was not done");
    else if (!planned(&other) || other.w.at != a->w.at ||
             memcmp(other.x.b, a->x.b, other.w.at) != 0)
        test_fail(__FILE__, line, "the plan does something else");
    else if (other.w.at - a->p.bytes.end < 4)
        test_fail(__FILE__, line, "nothing was pushed");
}

static void left(attempt *a, int line)
{
    static attempt before;
    before = *a;
    if (pushed(a) != ROCECC_NO_MATCH)
        test_fail(__FILE__, line, "this push was done");
    else if (a->w.at != before.w.at || memcmp(a->x.b, before.x.b, sizeof a->x.b) != 0)
        test_fail(__FILE__, line, "a push that was not done has changed bytes");
}

static attempt a;
#define TAKEN(format, change)                                                          \
    do {                                                                               \
        start_##format(&a);                                                            \
        change;                                                                        \
        taken(&a, __LINE__);                                                           \
    } while (0)
#define LEFT(format, change)                                                           \
    do {                                                                               \
        start_##format(&a);                                                            \
        change;                                                                        \
        left(&a, __LINE__);                                                            \
    } while (0)
#define BYTE(offset, value) (a.x.b[offset] = (uint8_t)(value), walk(&a))
#define ROOM(n) (a.w.end = a.w.at + (n))
#define FRAME(frame) (a.x = (frame), walk(&a))

/* Conditions of all three pushes on packet, link and buffer. Each grows by `more`. */
#define BOUNDS(format, more, ip_bytes)                                                 \
    TAKEN(format, (void)0);                                                            \
    TAKEN(format, a.mtu_bytes = (ip_bytes) + (more));                                  \
    LEFT(format, a.mtu_bytes = (ip_bytes) + (more)-1);                                 \
    TAKEN(format, ROOM(more));                                                         \
    LEFT(format, ROOM((more)-1));                                                      \
    LEFT(format, ROOM(0));                                                             \
    LEFT(format, a.p.headers.link = 12);                                               \
    LEFT(format, a.p.headers.outer.version = 6);                                       \
    LEFT(format, a.p.headers.partial = ROCECC_PARTIAL_TRIMMED);                        \
    LEFT(format, a.p.bytes.end--);                                                     \
    LEFT(format, a.p.bytes.end++);                                                     \
    LEFT(format, a.p.bytes.base++)

TEST(push_needs_room_in_buffer_and_link)
{
    BOUNDS(ioam, 24, 40 + 56 + 40);
    BOUNDS(intmd, 24, 100);
    BOUNDS(ifa, 32, 100);
}

/* The new IP length must fit in 16 bits, even in a shorter capture. */
TEST(push_needs_an_ip_length_of_16_bits)
{
#define LONG(offset, value)                                                            \
    (rocecc_store16(a.x.b + (offset), (uint16_t)(value)), a.mtu_bytes = 70000, walk(&a))
    TAKEN(ioam, LONG(V6 + 4, 0xffff - 24));
    LEFT(ioam, LONG(V6 + 4, 0xffff - 23));
    TAKEN(intmd, LONG(V6 + 2, 0xffff - 24));
    LEFT(intmd, LONG(V6 + 2, 0xffff - 23));
    TAKEN(ifa, LONG(V6 + 2, 0xffff - 32));
    LEFT(ifa, LONG(V6 + 2, 0xffff - 31));
}

TEST(push_checks_the_place_of_ioam)
{
    unsigned nodes;
    for (nodes = 0; nodes < 12; nodes++) {
        test_context("%u nodes", nodes);
        TAKEN(ioam, FRAME(ioam_frame(nodes)));
    }
    LEFT(ioam, FRAME(ioam_frame(12))); /* 270 bytes of option data */
    LEFT(ioam, a.p.headers.ip.version = 4);
    LEFT(ioam, a.p.headers.ip.n_ext = 2);
    LEFT(ioam, a.p.headers.ip.n_ext = 0);
    LEFT(ioam, a.p.headers.ip.offset++);
    LEFT(ioam, a.p.headers.ip.hop_by_hop = 0);
    LEFT(ioam, a.p.headers.ip.end = HBH + 55);
    TAKEN(ioam, a.p.headers.ip.end = HBH + 56);
    LEFT(ioam, BYTE(HBH + 2, 0));
    LEFT(ioam, BYTE(HBH + 2, 2));
    LEFT(ioam, BYTE(HBH + 3, 1));
    LEFT(ioam, BYTE(TRACE, 0x11));
    LEFT(ioam, BYTE(TRACE + 1, 0x33));
    LEFT(ioam, BYTE(TRACE + 1, 0x31));
    LEFT(ioam, BYTE(TRACE + 1, 9));
    LEFT(ioam, BYTE(TRACE + 3, 0));
    LEFT(ioam, BYTE(TRACE + 3, 2));
    TAKEN(ioam, BYTE(TRACE + 2, 9)); /* Reserved */
    TAKEN(ioam, (FRAME(ioam_frame(0)), a.p.headers.ip.end = HBH + 24));
    LEFT(ioam, (FRAME(ioam_frame(0)), a.p.headers.ip.end = HBH + 23));
}

/* Puts PadN of 6 before the trace. padded_twice() adds 4 bytes after it. */
static test_frame padded(void)
{
    test_frame x = ioam_frame(2);
    memmove(x.b + TRACE + 4 + 52, x.b + TRACE + 52, x.n - TRACE - 52);
    memmove(x.b + TRACE + 4, x.b + TRACE, 52);
    memset(x.b + HBH + 4, 0, 4);
    x.b[HBH + 3] = 4;
    return x;
}

static test_frame padded_twice(void)
{
    test_frame x = padded();
    const size_t at = TRACE + 4 + 52;
    memmove(x.b + at + 4, x.b + at, x.n + 4 - at);
    rocecc_store32(x.b + at, 0x01020000);
    x.b[HBH + 1]++;
    x.n += 8;
    rocecc_store16(x.b + V6 + 4, (uint16_t)(rocecc_load16(x.b + V6 + 4) + 8));
    return x;
}

TEST(push_checks_the_padding_of_ioam)
{
    size_t i;
    TAKEN(ioam, FRAME(padded_twice()));
    CHECK_EQ(a.w.at, padded_twice().n + 16);
    for (i = 4; i < 8; i++)
        LEFT(ioam, (FRAME(padded_twice()), BYTE(HBH + i, 1)));
    LEFT(ioam, (FRAME(padded_twice()), BYTE(HBH + 3, 3)));
    LEFT(ioam, (FRAME(padded_twice()), BYTE(HBH + 3, 5)));
}

#define TYPE(type, n)                                                                  \
    (rocecc_store32(a.x.b + TRACE + 8, (uint32_t)(type) << 8),                         \
     a.x.b[TRACE + 6] = (uint8_t)((n) << 3), FRAME(a.x),                               \
     rocecc_ioam_layout_update(&a.d.ioam, (type), &a.layout))
#define EMPTY_TYPE(type, n) (FRAME(ioam_frame(0)), TYPE(type, n))

TEST(push_checks_the_trace_of_ioam)
{
    TAKEN(ioam, BYTE(TRACE + 7, 5));
    LEFT(ioam, BYTE(TRACE + 7, 4));
    TAKEN(ioam, BYTE(TRACE + 7, 127));
    LEFT(ioam, BYTE(TRACE + 6, 5 << 3 | 4)); /* Overflow */
    TAKEN(ioam, BYTE(TRACE + 6, 5 << 3 | 3));
    TAKEN(ioam, BYTE(TRACE + 7, 0x80 | 40));
    LEFT(ioam, BYTE(TRACE + 6, 4 << 3));
    LEFT(ioam, BYTE(TRACE + 5, 122));
    LEFT(ioam, BYTE(TRACE + 10, 8));
    TAKEN(ioam, BYTE(TRACE + 11, 9)); /* Reserved */
    LEFT(ioam, a.layout.bitmap ^= 0x800000);
    LEFT(ioam, a.layout.n = 4);
    LEFT(ioam, a.layout.tx_bytes_bit = 13);
    LEFT(ioam, a.layout.interface_bit = 13);
    LEFT(ioam, a.ioam.word[ROCECC_IOAM_WORD_SNAPSHOT] = 1u << 24);
    LEFT(ioam, EMPTY_TYPE(0xd20802, 5));
    LEFT(ioam, EMPTY_TYPE(0, 0));
    LEFT(ioam, EMPTY_TYPE(0x000002, 0));
    LEFT(ioam, (a.d.ioam.leave_undefined = true, EMPTY_TYPE(0x800004, 2)));
    LEFT(ioam, (a.d.ioam.leave_undefined = true, EMPTY_TYPE(0x800800, 2),
                a.d.ioam.tx_bytes_bit = a.layout.tx_bytes_bit = 13));
    TAKEN(ioam, EMPTY_TYPE(0xd20800, 5));
    TAKEN(ioam, EMPTY_TYPE(0xf20800, 6));
    TAKEN(ioam, EMPTY_TYPE(0xd20a00, 6)); /* bit 14 is undefined */
    LEFT(ioam, (a.d.ioam.leave_undefined = true, EMPTY_TYPE(0xd20a00, 6)));
    TAKEN(ioam, (a.d.ioam.leave_undefined = true, EMPTY_TYPE(0xd20800, 5)));
    TAKEN(ioam, (a.d.ioam.leave_undefined = true, a.d.ioam.interface_bit = 14,
                 EMPTY_TYPE(0xd20a00, 6)));
    LEFT(ioam, TYPE(0xf20800, 6));  /* 40 bytes are not nodes of 24 */
    TAKEN(ioam, TYPE(0xc00000, 2)); /* they are 5 of 8 */
}

/* Returns a packet with a Hop-by-Hop header of this length. A push makes at most 2048
 * bytes. */
static test_frame much(size_t header)
{
    test_frame x = ioam_frame(0);
    const test_frame roce = frame_of(ROCE);
    size_t at = TRACE + 12, end = HBH + header;
    while (at < end) {
        const size_t n = end - at > 257 ? 257 : end - at;
        x.b[at] = 0x1e;
        x.b[at + 1] = (uint8_t)(n - 2);
        memset(x.b + at + 2, 0, n - 2);
        at += n;
    }
    x.b[HBH + 1] = (uint8_t)(header / 8 - 1);
    memcpy(x.b + end, roce.b, roce.n);
    x.n = end + roce.n;
    rocecc_store16(x.b + V6 + 4, (uint16_t)(header + roce.n));
    return x;
}

TEST(push_of_ioam_stops_at_hdr_ext_len_255)
{
    TAKEN(ioam, (FRAME(much(2024)), a.mtu_bytes = 9000));
    CHECK_EQ(a.x.b[HBH + 1], 255);
    LEFT(ioam, (FRAME(much(2032)), a.mtu_bytes = 9000));
}

TEST(push_checks_the_place_of_intmd)
{
    LEFT(intmd, a.p.headers.intmd = 0);
    LEFT(intmd, a.p.headers.intmd++);
    LEFT(intmd, a.p.headers.ip.upper++);
    LEFT(intmd, a.p.headers.ip.n_ext = 1);
    LEFT(intmd, a.p.headers.ip.proto = ROCECC_PROTO_TCP);
    LEFT(intmd, a.p.headers.ip.end = SHIM4 + 39);
    TAKEN(intmd, a.p.headers.ip.end = SHIM4 + 40);
    TAKEN(intmd, (a.x.b[SHIM4 + 1] = 3, a.p.headers.ip.end = SHIM4 + 16));
    LEFT(intmd, (a.x.b[SHIM4 + 1] = 3, a.p.headers.ip.end = SHIM4 + 15));
}

TEST(push_checks_the_header_of_intmd)
{
    static const uint16_t checksums[] = {0, 1, 0x1234, 0xfffe, 0xffff};
    size_t i;
    for (i = 0; i < sizeof checksums / sizeof checksums[0]; i++)
        TAKEN(intmd, (rocecc_store16(a.x.b + UPPER4 + 6, checksums[i]), walk(&a)));
    LEFT(intmd, a.x.b[SHIM4] = 0x24);
    LEFT(intmd, a.x.b[SHIM4 + 1] = 8);
    LEFT(intmd, a.x.b[SHIM4 + 1] = 10);
    LEFT(intmd, a.x.b[SHIM4 + 1] = 2);
    TAKEN(intmd, a.x.b[SHIM4 + 1] = 3);
    LEFT(intmd, a.x.b[SHIM4 + 4] = 0x10);
    TAKEN(intmd, a.x.b[SHIM4 + 4] = 0x2e); /* D, E and M */
    LEFT(intmd, a.x.b[SHIM4 + 6] = 7);
    LEFT(intmd, a.x.b[SHIM4 + 7] = 0);
    TAKEN(intmd, a.x.b[SHIM4 + 7] = 1);
    LEFT(intmd, a.x.b[SHIM4 + 8] = 0xd4);
    LEFT(intmd, a.x.b[SHIM4 + 11] = 1);
    LEFT(intmd, a.layout.n = 5);
    LEFT(intmd, a.layout.n = 0);
    LEFT(intmd, (a.layout.n = 0, a.x.b[SHIM4 + 6] = 0));
    LEFT(intmd, a.layout.bitmap &= 0xffff);
}

#define ASKED(instructions, n)                                                         \
    (a.x.b[SHIM4 + 1] = 3, rocecc_store16(a.x.b + SHIM4 + 8, (instructions)),          \
     a.x.b[SHIM4 + 6] = (n), walk(&a),                                                 \
     rocecc_intmd_layout_update((instructions), &a.layout))

TEST(push_checks_the_instructions_of_intmd)
{
    TAKEN(intmd, ASKED(0xd500, 6));
    LEFT(intmd, ASKED(0xd502, 7)); /* reserved */
    TAKEN(intmd, (a.d.intmd.pad_unknown = true, ASKED(0xd502, 7)));
    TAKEN(intmd, ASKED(0xd501, 7)); /* a complement, all ones */
    LEFT(intmd, (a.d.intmd.complement = true, ASKED(0xd501, 7)));
    TAKEN(intmd, (a.d.intmd.complement = true, ASKED(0xd500, 6)));
}

/* Returns a packet with this many nodes. INT-MD has at most 255 words. */
static test_frame full(unsigned nodes)
{
    test_frame x;
    attempt *full_of = &a;
    start_intmd(full_of);
    x = full_of->x;
    memmove(x.b + SHIM4 + 16 + 24 * (size_t)nodes, x.b + SHIM4 + 40, 32);
    x.n = SHIM4 + 16 + 24 * (size_t)nodes + 32;
    x.b[SHIM4 + 1] = (uint8_t)(3 + 6 * nodes);
    rocecc_store16(x.b + V6 + 2, (uint16_t)(x.n - V6));
    rocecc_store16(x.b + UPPER4 + 4, (uint16_t)(x.n - UPPER4));
    return x;
}

TEST(push_of_intmd_stops_at_255_words)
{
    const test_frame forty_one = full(41), forty_two = full(42);
    TAKEN(intmd, FRAME(forty_one));
    CHECK_EQ(a.x.b[SHIM4 + 1], 255);
    LEFT(intmd, FRAME(forty_two));
}

/* A trace must not continue after its header. */
TEST(push_rejects_an_ioam_trace_beyond_its_header)
{
    unsigned words;
    for (words = 0; words < 2; words++) {
        attempt at_once, was;
        start_ioam(&at_once);
        rocecc_store16(at_once.x.b + HBH, (uint16_t)(0x1100 | words));
        if (words != 0) { /* PadN of 6 bytes before it */
            rocecc_store16(at_once.x.b + HBH + 2, 0x0104);
            rocecc_store32(at_once.x.b + HBH + 4, 0);
            rocecc_store16(at_once.x.b + HBH + 8, 0x3132);
            rocecc_store16(at_once.x.b + HBH + 10, 0x0001);
        }
        walk(&at_once);
        CHECK_EQ(at_once.p.headers.ip.hop_by_hop, HBH);
        was = at_once;
        CHECK_EQ(pushed(&at_once), ROCECC_NO_MATCH);
        CHECK(memcmp(&at_once, &was, sizeof at_once) == 0);
    }
}

/* Each UDP checksum, even if it becomes 0, is the same as with the plan. */
TEST(push_of_intmd_updates_any_udp_checksum)
{
    uint32_t sum;
    for (sum = 0; sum < 0x10000; sum++) {
        attempt at_once, by_plan;
        start_intmd(&at_once);
        rocecc_store16(at_once.x.b + UPPER4 + 6, (uint16_t)sum);
        by_plan = at_once;
        by_plan.p.domain = &by_plan.d;
        by_plan.p.bytes.base = by_plan.w.base = by_plan.x.b;
        CHECK(planned(&by_plan));
        CHECK_EQ(pushed(&at_once), ROCECC_OK);
        CHECK(memcmp(at_once.x.b, by_plan.x.b, sizeof at_once.x.b) == 0);
    }
}

/* INT ends with its packet, at odd offsets, and the buffer ends with the pushed node.
 * Push and plan write the same. */
TEST(push_of_intmd_at_the_end_of_packet_and_buffer)
{
    static const char *const frames[] = {
        "4500002c 00004000 40110000 c0000201 c0000202 c0001388 00181234"
        "140312b7 20000640 d5000000 00000000",
        "45000044 00004000 40110000 c0000201 c0000202 c0001388 00301234"
        "140912b7 20000640 d5000000 00000000"
        "00000a01 00030011 03000100 17979cfe 362a0000 00002328"};
    size_t i;
    for (i = 0; i < 2; i++) {
        attempt at_once, by_plan;
        const test_frame x = frame_of(frames[i]);
        const size_t end = 1 + x.n + 24;
        start_intmd(&at_once);
        at_once.d.link = ROCECC_LINK_IP;
        memcpy(at_once.x.b + 1, x.b, x.n);
        at_once.w = rocecc_writer_of(at_once.x.b, at_once.x.b + end);
        at_once.w.at = 1 + x.n;
        at_once.p.bytes = rocecc_written(&at_once.w);
        at_once.p.bytes.at = 1;
        (void)rocecc_headers_parse(&at_once.d, at_once.p.bytes, &at_once.p.headers);
        CHECK_EQ(at_once.p.headers.intmd, 29);
        by_plan = at_once;
        by_plan.p.domain = &by_plan.d;
        by_plan.p.bytes.base = by_plan.w.base = by_plan.x.b;
        CHECK(planned(&by_plan));
        CHECK_EQ(pushed(&at_once), ROCECC_OK);
        CHECK(at_once.w.at == end && by_plan.w.at == end);
        CHECK(memcmp(at_once.x.b, by_plan.x.b, end) == 0);
    }
}

TEST(push_checks_the_place_of_ifa)
{
    LEFT(ifa, a.p.headers.ifa = 0);
    LEFT(ifa, a.p.headers.ifa++);
    LEFT(ifa, a.p.headers.ip.n_ext = 1);
    LEFT(ifa, (memmove(a.x.b, a.x.b + IFA4, 48),
               a.p.headers.ifa = a.p.headers.ip.upper = 0));
    TAKEN(ifa, (a.x.b[META4 + 3] = 0, rocecc_store16(a.x.b + IFA4 + 8, 8),
                a.p.headers.ip.end = IFA4 + 16));
    LEFT(ifa, (a.x.b[META4 + 3] = 0, rocecc_store16(a.x.b + IFA4 + 8, 8),
               a.p.headers.ip.end = IFA4 + 15));
    LEFT(ifa, a.p.headers.ip.end = META4 + 4 + 32 + 31);
    TAKEN(ifa, a.p.headers.ip.end = META4 + 4 + 32 + 32);
}

TEST(push_checks_the_headers_of_ifa)
{
    LEFT(ifa, a.x.b[IFA4] = 0x3f);
    LEFT(ifa, a.x.b[IFA4] = 0x2e);
    LEFT(ifa, a.x.b[IFA4 + 1] = 6);
    LEFT(ifa, a.x.b[IFA4 + 2] |= ROCECC_IFA_FLAG_C);
    LEFT(ifa, a.x.b[IFA4 + 2] |= ROCECC_IFA_FLAG_TS);
    LEFT(ifa, a.x.b[IFA4 + 2] |= ROCECC_IFA_FLAG_MF);
    TAKEN(ifa, a.x.b[IFA4 + 2] |= ROCECC_IFA_FLAG_I);
    TAKEN(ifa, a.x.b[IFA4 + 3] = 16);
    LEFT(ifa, a.x.b[IFA4 + 3] = 15);
    LEFT(ifa, a.x.b[META4 + 2] = 0);
    TAKEN(ifa, a.x.b[META4 + 2] = 1);
    LEFT(ifa, a.x.b[META4 + 3] = 7);
    TAKEN(ifa, a.x.b[META4 + 3] = 0);
    LEFT(ifa, rocecc_store16(a.x.b + IFA4 + 8, 7));
    TAKEN(ifa, rocecc_store16(a.x.b + IFA4 + 8, 8));
    TAKEN(ifa, rocecc_store16(a.x.b + IFA4 + 8, 40));
    LEFT(ifa, rocecc_store16(a.x.b + IFA4 + 8, 41));
    LEFT(ifa, a.x.b[META4 + 4] = 0x20); /* a record of unknown layout */
}

TEST(push_checks_the_record_of_ifa)
{
    LEFT(ifa, a.ifa.device_id = 1 << 20);
    LEFT(ifa, a.ifa.lns = 2);
    LEFT(ifa, (a.d.ifa.layout_b = 1 << 1, a.d.ifa.layout_a = 0,
               a.x.b[META4 + 8] = 0x40)); /* records are of layout B */
    TAKEN(ifa, a.ifa.present = 0);
}

/* Without a new parse, a second push changes nothing. After a new parse it is done. */
TEST(push_needs_a_new_parse_after_each_push)
{
    static const char formats[] = {'o', 't', 'f'};
    size_t i;
    for (i = 0; i < sizeof formats; i++) {
        test_context("format %c", formats[i]);
        if (formats[i] == 'o') start_ioam(&a);
        if (formats[i] == 't') start_intmd(&a);
        if (formats[i] == 'f') start_ifa(&a);
        CHECK_EQ(pushed(&a), ROCECC_OK);
        left(&a, __LINE__);
        a.x.n = a.w.at;
        walk(&a);
        taken(&a, __LINE__);
    }
}
