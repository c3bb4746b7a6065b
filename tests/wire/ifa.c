/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ifa.h"
#include "lib/edits.h"
#include "lib/guard.h"
#include "lib/ifa.h"
#include "lib/noun.h"
#include "rocecc/wire/ifa.h"
#include "rocecc/wire/ifanode.h"

#include <stdlib.h>
#include <string.h>

#define UNTOUCHED 0xa5

NOUN_WORD(ifa_header, ROCECC_IFA_HEADER_BYTES, ROCECC_IFA_HEADER_FIELDS);
NOUN_WORD(ifa_metadata, ROCECC_IFA_METADATA_BYTES, ROCECC_IFA_METADATA_FIELDS);
NOUN_WORD(ifa_checksum, ROCECC_IFA_CHECKSUM_BYTES, ROCECC_IFA_CHECKSUM_FIELDS);
NOUN_WORD(ifa_fragment, ROCECC_IFA_FRAGMENT_BYTES, ROCECC_IFA_FRAGMENT_FIELDS);

/* A packet that a call has written. */
typedef struct view {
    rocecc_reader packet;
} view;

static const field config_fields[] = {
    ROCECC_IFA_CONFIG_FIELDS(FIELD_ROW, rocecc_ifa_config)};
static const field node_fields[] = {ROCECC_IFA_NODE_FIELDS(FIELD_ROW, rocecc_ifa_node)};
static const field fields[] = {ROCECC_IFA_FIELDS(FIELD_ROW, rocecc_ifa)};

/* Members of a plan in a row. */
#define PLAN_FIELDS(F, T)                                                              \
    F(T, ENUM, verdict, EDIT_VERDICTS)                                                 \
    F(T, UINT, n_splices, NULL)                                                        \
    F(T, UINT, splice[0].offset, NULL)                                                 \
    F(T, UINT, splice[0].old_bytes, NULL)                                              \
    F(T, UINT, splice[0].new_bytes, NULL)                                              \
    F(T, UINT, splice[1].offset, NULL)                                                 \
    F(T, UINT, splice[1].old_bytes, NULL)                                              \
    F(T, UINT, splice[1].new_bytes, NULL)

static const field plan_fields[] = {PLAN_FIELDS(FIELD_ROW, rocecc_edit)};
static const field source_fields[] = {
    FIELD_ROW(rocecc_ifa_source, UINT, packet_id, NULL)};
static const field view_fields[] = {FIELD_ROW(view, VIEW, packet, NULL)};

/* A record and the members that rows may name. */
typedef struct members {
    const field *fields;
    size_t n;
    void *record;
} members;

#define MEMBERS(fields, record) ((members){fields, NOUN_COUNT(fields), record})

/* Sets the members that `pairs` name after a prefix, and returns their number. */
static size_t set(const vec_pair *pairs, size_t n, const char *prefix, members to)
{
    const size_t skip = strlen(prefix);
    size_t i, k, named = 0;
    for (i = 0; i < n; i++)
        for (k = 0; k < to.n; k++) {
            if (strncmp(pairs[i].key, prefix, skip) != 0 ||
                strcmp(pairs[i].key + skip, to.fields[k].name) != 0)
                continue;
            named++;
            if (!field_set(&to.fields[k], to.record, pairs[i].value))
                test_fail(__FILE__, __LINE__, "%s=%s is not a value", pairs[i].key,
                          pairs[i].value);
        }
    return named;
}

static rocecc_ifa_config config_of(const vec_row *row)
{
    rocecc_ifa_config c = law_ifa_config(0, 0);
    CHECK_EQ(set(row->config, row->n_config, "ifa.", MEMBERS(config_fields, &c)),
             row->n_config);
    CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_ACCEPTED);
    return c;
}

static rocecc_domain domain_of(const vec_row *row)
{
    rocecc_domain d = law_ifa_domain();
    d.ifa = config_of(row);
    return d;
}

static rocecc_ifa_node node_of(const vec_row *row)
{
    rocecc_ifa_node n;
    memset(&n, 0, sizeof n);
    CHECK_EQ(set(row->in, row->n_in, "", MEMBERS(node_fields, &n)), row->n_in);
    return n;
}

static size_t untouched(const uint8_t *p, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++)
        if (p[i] != UNTOUCHED) break;
    return i;
}

/* Returns guard_start() as a writer. */
static rocecc_writer at_start(const void *bytes, size_t n)
{
    uint8_t *at = guard_start(bytes, n);
    return rocecc_writer_of(at, at + n);
}

static rocecc_reader from_start(const void *bytes, size_t n)
{
    const uint8_t *at = guard_start(bytes, n);
    return rocecc_reader_of(at, at + n);
}

/* Checks emit() for a record, in each room at both guard pages. */
static void check_node_emit(const rocecc_ifa_node *n, const uint8_t *bytes,
                            rocecc_status should)
{
    size_t room;
    int i;
    for (room = 0; room <= ROCECC_IFA_NODE_BYTES; room++) {
        const bool fits = should == ROCECC_OK && room == ROCECC_IFA_NODE_BYTES;
        rocecc_writer rooms[2];
        rooms[0] = noun_writer(room);
        rooms[1] = at_start(NULL, room);
        for (i = 0; i < 2; i++) {
            rocecc_writer w = rooms[i];
            uint8_t *at = w.base + w.at;
            memset(at, UNTOUCHED, room);
            CHECK_EQ(rocecc_ifa_node_emit(&w, n), should == ROCECC_ERR_RANGE
                                                      ? ROCECC_ERR_RANGE
                                                  : fits ? ROCECC_OK
                                                         : ROCECC_ERR_SPACE);
            CHECK_EQ(w.at, rooms[i].at + (fits ? room : 0));
            if (fits)
                CHECK(memcmp(at, bytes, room) == 0);
            else
                CHECK_EQ(untouched(at, room), room);
        }
    }
}

static void call_ifa_node_next(const vec_row *row)
{
    const rocecc_ifa_config c = config_of(row);
    size_t n, i;
    rocecc_ifa_node node;
    for (n = 0; n <= row->n; n++) {
        rocecc_reader from[2];
        from[0] = noun_reader(row->bytes, n);
        from[1] = from_start(row->bytes, n);
        for (i = 0; i < 2; i++) {
            rocecc_reader r = from[i];
            rocecc_status status;
            memset(&node, UNTOUCHED, sizeof node);
            status = rocecc_ifa_node_next(&c, &r, &node);
            if (status != ROCECC_OK)
                CHECK(r.at == from[i].at &&
                      untouched((uint8_t *)&node, sizeof node) == sizeof node);
            if (n == row->n)
                noun_check_out(row, node_fields, NOUN_COUNT(node_fields), status,
                               &node);
            else if (n < 32)
                CHECK_EQ(status, n == 0 ? ROCECC_END : ROCECC_ERR_FORMAT);
        }
    }
    if (row->status == ROCECC_OK) check_node_emit(&node, row->bytes, ROCECC_OK);
}

static void call_ifa_node_emit(const vec_row *row)
{
    const rocecc_ifa_node n = node_of(row);
    if (row->status == ROCECC_OK) CHECK_EQ(row->n, ROCECC_IFA_NODE_BYTES);
    if (row->status == ROCECC_ERR_SPACE) {
        rocecc_writer w = rocecc_writer_of(NULL, NULL);
        CHECK_EQ(rocecc_ifa_node_emit(&w, &n), ROCECC_ERR_SPACE);
        return;
    }
    check_node_emit(&n, row->bytes, row->status);
}

/*
 * Checks each prefix. A prefix of a valid row is SHORT if it ends before the payload.
 * A failure leaves *h unchanged.
 */
static void call_ifa_find(const vec_row *row)
{
    const rocecc_domain d = domain_of(row);
    rocecc_ifa h;
    size_t n, i, need = row->n;
    for (n = row->n + 1; n-- > 0;) {
        rocecc_reader from[2];
        from[0] = noun_reader(row->bytes, n);
        from[1] = from_start(row->bytes, n);
        test_context("%s, the first %zu bytes at %zu", row->id, n, from[0].at);
        for (i = 0; i < 2; i++) {
            const rocecc_reader r = from[i];
            rocecc_status status;
            memset(&h, UNTOUCHED, sizeof h);
            status = ifa_find_in(&d, r, &h);
            CHECK_EQ(status, law_ifa_status(&d.ifa, r.base + r.at, n));
            if (status != ROCECC_OK)
                CHECK_EQ(untouched((uint8_t *)&h, sizeof h), sizeof h);
            if (n == row->n)
                noun_check_out(row, fields, NOUN_COUNT(fields), status, &h);
            else if (row->status == ROCECC_OK)
                CHECK_EQ(status, n < need ? ROCECC_ERR_SHORT : ROCECC_OK);
            if (status == ROCECC_OK && n == row->n &&
                (h.header.flags & ROCECC_IFA_FLAG_TS) == 0)
                need = h.payload.at - r.at; /* a tail stamp needs the whole packet */
        }
    }
}

static rocecc_edit changed(const vec_row *row, edits_make make, const ifa_change *what,
                           view *v)
{
    static uint8_t b[VEC_BYTES + LAW_EDIT_MORE];
    const rocecc_domain d = domain_of(row);
    rocecc_edit e;
    size_t n = row->n;
    memcpy(b, row->bytes, row->n);
    e = edits(&d, b, &n, make, what);
    v->packet = rocecc_reader_of(b, b + n);
    return e;
}

/* Checks a plan and its effect. */
static void check_plan(const vec_row *row, edits_make make)
{
    const ifa_change what = ifa_change_of((uint32_t)noun_arg(row, "mtu_bytes"));
    view v;
    const rocecc_edit e = changed(row, make, &what, &v);
    noun_check_out(row, plan_fields, NOUN_COUNT(plan_fields), ROCECC_OK, &e);
    if (e.verdict != ROCECC_EDIT_CHANGE)
        CHECK(!rocecc_edit_needs_action(&e) && rocecc_left(&v.packet) == row->n);
}

static void call_ifa_plan_push(const vec_row *row)
{
    check_plan(row, ifa_make_push);
}

static void call_ifa_plan_strip(const vec_row *row)
{
    check_plan(row, ifa_make_strip);
}

static void call_ifa_plan_insert(const vec_row *row)
{
    check_plan(row, ifa_make_insert);
}

static void check_change(const vec_row *row, edits_make make, const ifa_change *what)
{
    view v;
    const rocecc_edit e = changed(row, make, what, &v);
    CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
    noun_check_out(row, view_fields, 1, ROCECC_OK, &v);
}

static void call_ifa_push(const vec_row *row)
{
    ifa_change what = ifa_change_of(IFA_ANY_MTU);
    what.node = node_of(row);
    check_change(row, ifa_make_push, &what);
}

/* Checks a record that starts a new stack, because the old stack has no room. */
static void call_ifa_fragment(const vec_row *row)
{
    ifa_change what = ifa_change_of(IFA_ANY_MTU);
    view v;
    what.node = node_of(row);
    CHECK_EQ(changed(row, ifa_make_push, &what, &v).verdict, ROCECC_EDIT_FRAGMENT);
    noun_check_out(row, view_fields, 1, ROCECC_OK, &v);
}

static void call_ifa_verify(const vec_row *row)
{
    const rocecc_domain d = domain_of(row);
    rocecc_ifa h;
    CHECK_EQ(ifa_find_in(&d, rocecc_reader_of(row->bytes, row->bytes + row->n), &h),
             ROCECC_OK);
    CHECK_EQ(rocecc_ifa_verify(&h), row->status);
}

static void call_ifa_strip(const vec_row *row)
{
    const ifa_change what = ifa_change_of(IFA_ANY_MTU);
    check_change(row, ifa_make_strip, &what);
}

static void call_ifa_insert(const vec_row *row)
{
    ifa_change what = ifa_change_of(IFA_ANY_MTU);
    memset(&what.source.header, 0, sizeof what.source.header);
    CHECK_EQ(
        set(row->in, row->n_in, "", MEMBERS(ifa_header_fields, &what.source.header)) +
            set(row->in, row->n_in, "",
                MEMBERS(ifa_metadata_fields, &what.source.metadata)) +
            set(row->in, row->n_in, "", MEMBERS(source_fields, &what.source)),
        row->n_in);
    check_change(row, ifa_make_insert, &what);
}

static const noun_call calls[] = {{"ifa_node_next", call_ifa_node_next},
                                  {"ifa_node_emit", call_ifa_node_emit},
                                  {"ifa_find", call_ifa_find},
                                  {"ifa_plan_push", call_ifa_plan_push},
                                  {"ifa_plan_strip", call_ifa_plan_strip},
                                  {"ifa_plan_insert", call_ifa_plan_insert},
                                  {"ifa_push", call_ifa_push},
                                  {"ifa_fragment", call_ifa_fragment},
                                  {"ifa_verify", call_ifa_verify},
                                  {"ifa_strip", call_ifa_strip},
                                  {"ifa_insert", call_ifa_insert}};

TEST(ifa_vectors)
{
    noun nouns[4];
    noun_file file = {"ifa", law_ifa, NULL, 4, calls, NOUN_COUNT(calls)};
    nouns[0] = ifa_header_noun;
    nouns[1] = ifa_metadata_noun;
    nouns[2] = ifa_checksum_noun;
    nouns[3] = ifa_fragment_noun;
    file.nouns = nouns;
    noun_frame_vectors(&file);
}

static void peer_row(const vec_row *row, void *arg)
{
    size_t i;
    (void)arg;
    test_context("%s", row->id);
    for (i = 0; i < NOUN_COUNT(calls); i++)
        if (strcmp(calls[i].name, row->noun) == 0) calls[i].check(row);
}

/* Rows from tests/gates/peers/ifa.py, in the file that IFA_ROWS names. */
TEST(ifa_peer)
{
    const char *path = getenv("IFA_ROWS");
    if (path != NULL) CHECK(vec_read(path, peer_row, NULL) > 0);
}

TEST(ifa_header_bits_belong_to_one_member)
{
    noun_bits(&ifa_header_noun, ROCECC_IFA_HEADER_BYTES);
    noun_bits(&ifa_metadata_noun, ROCECC_IFA_METADATA_BYTES);
    noun_bits(&ifa_checksum_noun, ROCECC_IFA_CHECKSUM_BYTES);
    noun_bits(&ifa_fragment_noun, ROCECC_IFA_FRAGMENT_BYTES);
}

/* Loads a record of 32 bytes. */
static rocecc_status load(const rocecc_ifa_config *c, const uint8_t *b,
                          rocecc_ifa_node *n)
{
    rocecc_reader r = rocecc_reader_of(b, b + ROCECC_IFA_NODE_BYTES);
    memset(n, 0, sizeof *n);
    return rocecc_ifa_node_next(c, &r, n);
}

/*
 * Checks that each bit belongs to one item, unless it selects the layout, and is
 * emitted again.
 */
static void check_node_bits(const rocecc_ifa_config *c, const uint8_t *ground)
{
    uint8_t wire[ROCECC_IFA_NODE_BYTES], back[ROCECC_IFA_NODE_BYTES];
    rocecc_ifa_node plain, flipped;
    size_t bit, f, alone = 0;
    CHECK_EQ(load(c, ground, &plain), ROCECC_OK);
    for (bit = 0; bit < 256; bit++) {
        rocecc_writer w = rocecc_writer_of(back, back + sizeof back);
        int changed = 0;
        test_context("bit %zu", bit);
        memcpy(wire, ground, sizeof wire);
        wire[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        if (load(c, wire, &flipped) != ROCECC_OK) continue;
        CHECK_EQ(rocecc_ifa_node_emit(&w, &flipped), ROCECC_OK);
        CHECK(memcmp(wire, back, sizeof wire) == 0);
        if (flipped.layout != plain.layout) continue;
        for (f = 0; f < NOUN_COUNT(node_fields); f++)
            changed += strcmp(node_fields[f].name, "present") != 0 &&
                       !field_equal(&node_fields[f], &plain, &flipped);
        CHECK_EQ(changed, 1);
        alone++;
    }
    test_context("layout %d", plain.layout);
    CHECK_EQ(alone, plain.layout == ROCECC_IFA_LAYOUT_A   ? 256
                    : plain.layout == ROCECC_IFA_LAYOUT_B ? 256 - 3 - (ground[8] == 0)
                                                          : 256 - 3 - 16);
}

/* Records of each layout, over zeros and over ones, where the layout allows it. */
TEST(ifa_record_bits_belong_to_one_item)
{
    const rocecc_ifa_config a = law_ifa_config(0xffff, 0),
                            b = law_ifa_config(0, 0xffff);
    uint8_t ground[ROCECC_IFA_NODE_BYTES] = {0};
    check_node_bits(&a, ground);
    ground[4] = 0x40;
    check_node_bits(&b, ground);
    ground[8] = 0x80;
    check_node_bits(&b, ground);
    memset(ground, 0xff, sizeof ground);
    check_node_bits(&a, ground);
    ground[4] = 0x5f;
    check_node_bits(&b, ground);
}

/*
 * Every code, and every speed in Gbit/s up to 1600. Codes end at 400G, and no speed is
 * rounded.
 */
TEST(ifa_speed_codes_end_at_400g_without_rounding)
{
    static const unsigned gbps[7] = {10, 25, 40, 50, 100, 200, 400};
    unsigned code, g, i;
    for (code = 0; code < 256; code++)
        CHECK_EQ(rocecc_ifa_speed_bps((uint8_t)code),
                 code < 7 ? gbps[code] * UINT64_C(1000000000) : 0);
    for (g = 0; g <= 1600; g++) {
        for (i = 0; i < 7; i++)
            if (gbps[i] == g) break;
        CHECK_EQ(rocecc_ifa_speed_code(g * UINT64_C(1000000000)), i < 7 ? i : 15);
        CHECK_EQ(rocecc_ifa_speed_code(g * UINT64_C(1000000000) + 1), 15);
    }
}

/*
 * 800G has no code. A record with this speed gives RANGE, and a record without a speed
 * is read back without one.
 */
TEST(ifa_speed_800g_is_not_reported)
{
    const rocecc_ifa_config c = law_ifa_lab();
    rocecc_ifa_node n = law_ifa_a_node();
    uint8_t b[ROCECC_IFA_NODE_BYTES];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    n.speed = rocecc_ifa_speed_code(UINT64_C(800000000000));
    CHECK_EQ(rocecc_ifa_node_emit(&w, &n), ROCECC_ERR_RANGE); /* present, but no code */
    n.present &= (uint16_t)~ROCECC_IFA_SPEED;
    CHECK_EQ(rocecc_ifa_node_emit(&w, &n), ROCECC_OK);
    CHECK_EQ(load(&c, b, &n), ROCECC_OK);
    CHECK_EQ(n.speed, 15);
    CHECK_EQ(n.present & ROCECC_IFA_SPEED, 0);
}

/* The egress port precedes the ingress port in layout A, and follows it in layout B. */
TEST(ifa_egress_precedes_ingress_only_in_layout_A)
{
    const rocecc_ifa_config c = law_ifa_lab();
    const uint8_t a[32] = {[0] = 0x10, [8] = 0, [9] = 102, [10] = 0, [11] = 101};
    const uint8_t b[32] = {[0] = 0x20, [4] = 0x40, [25] = 101, [27] = 102};
    rocecc_ifa_node n;
    CHECK_EQ(load(&c, a, &n), ROCECC_OK);
    CHECK(n.ingress_port == 101 && n.egress_port == 102);
    CHECK_EQ(load(&c, b, &n), ROCECC_OK);
    CHECK(n.ingress_port == 101 && n.egress_port == 102);
}

/*
 * In layout A, cn has 2 bits and is shifted, and the queue has 6 bits. Speed code 3 is
 * 50G, because code 4 is 100G.
 */
TEST(ifa_layout_A_has_2_bits_of_cn_and_6_of_queue)
{
    const rocecc_ifa_config c = law_ifa_lab();
    const uint8_t b[32] = {[0] = 0x10, [4] = 0x3c, [5] = 0x10};
    rocecc_ifa_node n;
    CHECK_EQ(load(&c, b, &n), ROCECC_OK);
    CHECK(n.cn == 3 && n.queue == 1 && n.rx_timestamp_sec == 0);
    CHECK_EQ(rocecc_ifa_speed_bps(n.speed), UINT64_C(50000000000));
}

/*
 * init() rejects the numbers of the L4 protocols that IFA carries and of IPv6 extension
 * headers, an LNS with two layouts, and a configuration without a layout.
 */
TEST(ifa_init_rejects_taken_protocols_and_shared_lns)
{
    unsigned p;
    rocecc_ifa_config c = law_ifa_config(0, 0);
    CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_REFUSED_OFF);
    for (p = 1; p < 256; p++) {
        const bool taken = p == 6 || p == 17 || p == 47 || p == 50 || p == 43 ||
                           p == 44 || p == 51 || p == 59 || p == 60 || p == 135 ||
                           p == 139 || p == 140;
        c.protocol = (uint8_t)p;
        c.layout_a = 2;
        c.layout_b = 0;
        CHECK_EQ(rocecc_ifa_init(&c),
                 taken ? ROCECC_IFA_REFUSED_PROTOCOL : ROCECC_IFA_ACCEPTED);
        c.layout_a = 0;
        CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_REFUSED_OFF);
        c.layout_b = 0x8000;
        CHECK_EQ(rocecc_ifa_init(&c),
                 taken ? ROCECC_IFA_REFUSED_PROTOCOL : ROCECC_IFA_ACCEPTED);
    }
    c = law_ifa_config(6, 4);
    CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_REFUSED_LAYOUT);
    c = law_ifa_config(0, 0); /* a layout for one GNS is enough */
    c.protocol = 253;
    c.gns_b = 2;
    CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_ACCEPTED);
    c.gns_b = 0;
    c.gns_a = 2;
    CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_ACCEPTED);
}

/* init() rejects a GNS with two layouts, GNS 15, and unknown coverages and tails. */
TEST(ifa_init_rejects_shared_gns_and_unknown_choices)
{
    rocecc_ifa_config c = law_ifa_choices().ifa;
    unsigned i;
    CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_ACCEPTED);
    c.layout_a = c.layout_b = 0; /* only layouts by GNS, none by LNS */
    CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_ACCEPTED);
    c.gns_b = c.gns_a;
    CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_REFUSED_GNS);
    c.gns_b = 0x8000;
    CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_REFUSED_GNS);
    c.gns_b = 0;
    c.gns_a = 0x8000;
    CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_REFUSED_GNS);
    c.gns_a = 0x7fff;
    for (i = 0; i < 256; i++) {
        c.checksum = (rocecc_ifa_coverage)i;
        CHECK_EQ(rocecc_ifa_init(&c),
                 i < 3 ? ROCECC_IFA_ACCEPTED : ROCECC_IFA_REFUSED_CHOICE);
        c.checksum = 0;
        c.tail = (rocecc_ifa_tail)i;
        CHECK_EQ(rocecc_ifa_init(&c),
                 i < 3 ? ROCECC_IFA_ACCEPTED : ROCECC_IFA_REFUSED_CHOICE);
        c.tail = 0;
    }
}

/* A GNS other than 15 determines the layout of all records, whatever their LNS. */
TEST(ifa_gns_determines_the_layout_of_all_records)
{
    vec_packet f = vec_find("vectors/ifa.vec", "x-gns");
    uint8_t *const gns = f.bytes + 20, *const lns = f.bytes + 36;
    unsigned lays, n, k;
    for (lays = 0; lays < 3; lays++)
        for (n = 0; n < 16; n++)
            for (k = 0; k < 16; k++) {
                const bool a = n == 15 ? lays == 1 : n == 1;
                const bool b = n == 15 ? lays == 2 : n == 2;
                rocecc_domain d = law_ifa_choices();
                rocecc_ifa_node node;
                rocecc_ifa h;
                d.ifa.layout_a = lays & 1 ? 0xffff : 0;
                d.ifa.layout_b = lays & 2 ? 0xffff : 0;
                *gns = (uint8_t)(0x20 | n);
                *lns = (uint8_t)(k << 4);
                test_context("GNS %u, LNS %u, layouts %u", n, k, lays);
                CHECK_EQ(ifa_find_in(&d, rocecc_reader_of(f.bytes, f.bytes + f.n), &h),
                         a || b ? ROCECC_OK : ROCECC_ERR_UNSUPPORTED);
                if (!a && !b) continue;
                CHECK_EQ(rocecc_ifa_node_next(&h.config, &h.nodes, &node), ROCECC_OK);
                CHECK_EQ(node.layout, a ? ROCECC_IFA_LAYOUT_A : ROCECC_IFA_LAYOUT_B);
            }
}

/* A value too wide loses its high bits and changes no other field. */
TEST(ifa_header_store_drops_high_bits)
{
    const rocecc_ifa_header version = {0xf3, 0, 0, 0, 0}, gns = {0, 0xf3, 0, 0, 0};
    uint8_t b[4];
    rocecc_ifa_header_store(b, &version);
    CHECK_EQ(rocecc_load32(b), 0x30000000);
    rocecc_ifa_header_store(b, &gns);
    CHECK_EQ(rocecc_load32(b), 0x03000000);
}

/* packet_id has 26 bits, mf_id 5 and `last` 1. store() drops higher bits. */
TEST(ifa_fragment_store_drops_high_bits)
{
    static const struct {
        rocecc_ifa_fragment h;
        uint32_t word;
    } rows[] = {{{0, 0xff, false}, 0x3e},
                {{0, 0x15, true}, 0x2b},
                {{0xffffffff, 0, false}, 0xffffffc0}};
    size_t i;
    for (i = 0; i < NOUN_COUNT(rows); i++) {
        uint8_t b[4];
        rocecc_ifa_fragment_store(b, &rows[i].h);
        CHECK_EQ(rocecc_load32(b), rows[i].word);
    }
}

/*
 * C, K and S announce 4 bytes each, and s and Recur none (RFC 2784, 2.1; RFC 2890, 2).
 * R announces a route of unknown length (RFC 1701), and RFC 2784 discards such a
 * packet. R or a version other than 0 gives UNSUPPORTED.
 */
TEST(ifa_gre_flags_c_k_and_s_add_4_bytes_each)
{
    static const uint8_t header[4] = {0x2f, 47, 0x04, 255};
    const rocecc_ifa_config c = law_ifa_lab();
    unsigned flags, version;
    for (flags = 0; flags < 256; flags++)
        for (version = 0; version < 256; version++) {
            const size_t gre =
                4 + 4 * ((flags >> 7) + (flags >> 5 & 1) + (flags >> 4 & 1));
            const bool known = (flags & 0x40) == 0 && version % 8 == 0;
            uint8_t b[4 + 16 + 4 + 8] = {0};
            rocecc_ifa h;
            memcpy(b, header, sizeof header);
            b[4] = (uint8_t)flags;
            b[5] = (uint8_t)version;
            test_context("flags %02x, version %02x", flags, version);
            CHECK_EQ(
                rocecc_ifa_parse(&c, rocecc_reader_of(b, b + sizeof b), sizeof b, &h),
                known ? ROCECC_OK : ROCECC_ERR_UNSUPPORTED);
            if (!known) continue;
            CHECK_EQ(rocecc_left(&h.l4), gre);
            CHECK_EQ(rocecc_left(&h.payload), sizeof b - 4 - gre - 4);
        }
}

/* Before a node adds a record, a tail stamp is only 4 bytes after UDP. */
TEST(ifa_tail_stamp_without_records_is_parsed)
{
    static const uint8_t wire[] = {0x2f, 17, 0x08, 255, /* TS, 255 words at most */
                                   0,    1,  0,    2,   0, 8, 0, 0, /* only UDP */
                                   0xff, 0,  9,    0};
    rocecc_ifa_config c = {0, 0, 0, 0, 0, 0, 0, false};
    const uint8_t *at = guard_end(wire, sizeof wire);
    rocecc_ifa h;
    c.protocol = 253;
    c.layout_a = 0xffff;
    c.tail = ROCECC_IFA_TAIL_NEWEST_LAST;
    memset(&h, UNTOUCHED, sizeof h);
    CHECK_EQ(
        rocecc_ifa_parse(&c, rocecc_reader_of(at, at + sizeof wire), sizeof wire, &h),
        ROCECC_OK);
    CHECK(h.metadata.hop_limit == 9 && h.metadata.current_length == 0);
    CHECK(rocecc_left(&h.nodes) == 0 && rocecc_left(&h.payload) == 0);
}

/* Lengths in a tail stamp, for a packet with 4 bytes of payload and one record. */
TEST(ifa_tail_stamp_lengths_must_agree)
{
    enum { AFTER = 4 + 8, ALL = AFTER + 4 + ROCECC_IFA_NODE_BYTES + 4 };
    static const struct {
        uint8_t max, current; /* words */
        uint16_t udp;
        rocecc_status status;
    } rows[] = {
        {8, 8, 12, ROCECC_OK},
        {255, 8, 8, ROCECC_OK},
        {7, 8, 12, ROCECC_ERR_FORMAT},    /* Current Length above Max Length */
        {8, 4, 12, ROCECC_ERR_FORMAT},    /* half a record */
        {255, 16, 12, ROCECC_ERR_FORMAT}, /* a missing record */
        {8, 8, 13, ROCECC_ERR_FORMAT},    /* UDP would include the stack */
        {8, 0, 8 + 36, ROCECC_OK},        /* without records, it is payload */
        {8, 0, 8 + 37, ROCECC_ERR_FORMAT},
    };
    rocecc_ifa_config c = {0, 0, 0, 0, 0, 0, 0, false};
    size_t i;
    c.protocol = 253;
    c.layout_a = 0xffff;
    c.tail = ROCECC_IFA_TAIL_NEWEST_LAST;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t b[ALL] = {0x2f, 17, 0x08};
        rocecc_ifa h;
        test_context("row %u", (unsigned)i);
        b[3] = rows[i].max;
        rocecc_store16(b + 8, rows[i].udp);
        b[ALL - 1] = rows[i].current;
        CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + ALL), ALL, &h),
                 rows[i].status);
        if (rows[i].status != ROCECC_OK) continue;
        CHECK_EQ(rocecc_left(&h.nodes), 4u * rows[i].current);
        CHECK_EQ(rocecc_left(&h.payload), 36 - 4u * rows[i].current);
    }
}

/* Returns the member of a record for a bit of `present`. */
static uint64_t ifa_item(const rocecc_ifa_node *n, unsigned bit)
{
    switch (bit) {
    case ROCECC_IFA_TTL:
        return n->ttl;
    case ROCECC_IFA_SPEED:
        return n->speed;
    case ROCECC_IFA_CN:
        return n->cn;
    case ROCECC_IFA_QUEUE:
        return n->queue;
    case ROCECC_IFA_RX_SEC:
        return n->rx_timestamp_sec;
    case ROCECC_IFA_RX_NS:
        return n->rx_timestamp_ns;
    case ROCECC_IFA_TX_NS:
        return n->tx_timestamp_ns;
    case ROCECC_IFA_RESIDENCE:
        return n->residence_time;
    case ROCECC_IFA_EGRESS:
        return n->egress_port;
    case ROCECC_IFA_INGRESS:
        return n->ingress_port;
    case ROCECC_IFA_TX_BYTES:
        return n->tx_bytes;
    default:
        return n->queue_length;
    }
}

/*
 * An item that is not present is written as 0 instead of its member, and a speed with
 * an assigned code as 15. The other items stay.
 */
TEST(ifa_absent_items_are_written_as_0)
{
    unsigned layout, gone, bit;
    for (layout = ROCECC_IFA_LAYOUT_A; layout <= ROCECC_IFA_LAYOUT_B_OCTETS; layout++)
        for (gone = 0; gone < 12; gone++) {
            const unsigned has = layout == ROCECC_IFA_LAYOUT_A ? ROCECC_IFA_PRESENT_A
                                 : layout == ROCECC_IFA_LAYOUT_B
                                     ? ROCECC_IFA_PRESENT_B
                                     : ROCECC_IFA_PRESENT_B_OCTETS;
            rocecc_ifa_config c = {0, 0, 0, 0, 0, 0, 0, false};
            uint8_t b[ROCECC_IFA_NODE_BYTES];
            rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
            rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
            rocecc_ifa_node n, back;
            if ((has >> gone & 1) == 0) continue;
            test_context("layout %u without item %u", layout, gone);
            memset(&n, 0, sizeof n);
            n.layout = (rocecc_ifa_layout)layout;
            n.ttl = 11;
            n.speed = 5;
            n.cn = 3;
            n.queue = 14;
            n.rx_timestamp_sec = 15;
            n.rx_timestamp_ns = 16;
            n.tx_timestamp_ns = 17;
            n.residence_time = 18;
            n.egress_port = 19;
            n.ingress_port = 20;
            n.tx_bytes = 21;
            n.queue_length = 22;
            n.present = (uint16_t)(has & ~(1u << gone));
            CHECK_EQ(rocecc_ifa_node_emit(&w, &n), ROCECC_OK);
            if (layout == ROCECC_IFA_LAYOUT_A)
                c.layout_a = 0xffff;
            else
                c.layout_b = 0xffff;
            CHECK_EQ(rocecc_ifa_node_next(&c, &r, &back), ROCECC_OK);
            CHECK_EQ(back.layout, layout);
            for (bit = 1; bit < 1u << 12; bit <<= 1)
                if ((has & bit) != 0)
                    CHECK_EQ(ifa_item(&back, bit), bit != 1u << gone ? ifa_item(&n, bit)
                                                   : bit == ROCECC_IFA_SPEED ? 15
                                                                             : 0);
        }
}

/*
 * COVERS_METADATA includes the 16 reserved bits of the checksum header. 0x4008 plus
 * 0x5678 is 0x9680, and ~0x9680 is 0x697f. COVERS_STACK gives 0xffff for a stack of
 * zeros.
 */
TEST(ifa_checksum_covers_reserved_bits)
{
    uint8_t b[4 + 8 + 8 + 32] = {0x2f, 17, ROCECC_IFA_FLAG_C, 255, 0, 0, 0, 0, 0, 8};
    rocecc_ifa_config c = ROCECC_ZERO;
    rocecc_ifa h;
    unsigned of;
    c.protocol = 253;
    c.layout_a = 1; /* LNS 0 */
    rocecc_store32(b + 12, 0x4008);
    for (of = ROCECC_IFA_COVERS_STACK; of <= ROCECC_IFA_COVERS_METADATA; of++) {
        const bool all = of == ROCECC_IFA_COVERS_METADATA;
        c.checksum = (rocecc_ifa_coverage)of;
        rocecc_store32(b + 16, all ? 0x697f5678 : 0xffff5678);
        CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + sizeof b), sizeof b, &h),
                 ROCECC_OK);
        CHECK_EQ(rocecc_ifa_verify(&h), ROCECC_OK);
        b[19] ^= 1; /* a reserved bit */
        CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + sizeof b), sizeof b, &h),
                 ROCECC_OK);
        CHECK_EQ(rocecc_ifa_verify(&h), all ? ROCECC_ERR_FORMAT : ROCECC_OK);
    }
}

/* Protocol 0 is off, even with a layout. */
TEST(ifa_without_a_protocol_is_off)
{
    rocecc_ifa_config c = {0, 0, 0, 0, 0, 0, 0, false};
    c.layout_a = 1;
    CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_REFUSED_OFF);
    c.protocol = 253;
    CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_ACCEPTED);
}

/*
 * A tail stamp of 4 bytes and one record gives FORMAT if the packet after UDP is
 * shorter. A capture that ends inside the IFA header gives SHORT.
 */
TEST(ifa_cut_tail_is_malformed)
{
    enum { STACK = ROCECC_IFA_NODE_BYTES, AFTER = 4 + 8 };
    uint8_t b[AFTER + STACK + 4] = {0x2f, 17, 0x08, 255}; /* TS, next is UDP */
    rocecc_ifa_config c = {0, 0, 0, 0, 0, 0, 0, false};
    rocecc_ifa h, was;
    size_t n;
    memset(&h, UNTOUCHED, sizeof h);
    was = h;
    c.protocol = 253;
    c.layout_a = 0xffff;
    c.tail = ROCECC_IFA_TAIL_NEWEST_LAST;
    b[9] = 8; /* UDP Length, header only */
    for (n = AFTER; n <= sizeof b; n++) {
        const rocecc_status status = n == sizeof b ? ROCECC_OK : ROCECC_ERR_FORMAT;
        const uint8_t *at;
        b[n - 1] = STACK / 4; /* Current Length, the last byte */
        at = guard_end(b, n);
        b[n - 1] = 0;
        CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(at, at + n), n, &h), status);
        if (status != ROCECC_OK) CHECK(memcmp(&h, &was, sizeof h) == 0);
    }
    CHECK_EQ(rocecc_left(&h.nodes), STACK);
    for (n = 0; n < 4; n++) {
        const uint8_t *at = guard_end(b, n);
        CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(at, at + n), sizeof b, &h),
                 ROCECC_ERR_SHORT);
    }
}

/*
 * A queue length of 65536 fits in B_OCTETS (32 bits, in bytes), but not in B (16 bits,
 * in cells).
 */
TEST(ifa_long_queue_fits_only_in_octets)
{
    rocecc_ifa_node n;
    memset(&n, 0, sizeof n);
    n.present = ROCECC_IFA_QUEUE_LENGTH;
    n.queue_length = 0x10000;
    n.layout = ROCECC_IFA_LAYOUT_B_OCTETS;
    CHECK(rocecc_ifa_node_fits(&n));
    n.layout = ROCECC_IFA_LAYOUT_B;
    CHECK(!rocecc_ifa_node_fits(&n));
    n.queue_length = 0xffff;
    CHECK(rocecc_ifa_node_fits(&n));
}

/* Writes 52 bytes with 16 bytes of headers, one record and 4 bytes of payload. */
static void ifa_head_stamp(uint8_t *b)
{
    memset(b, 0, 52);
    b[0] = 0x2f;
    b[1] = 17;
    b[3] = 255;
    b[9] = 12; /* UDP Length */
    b[15] = ROCECC_IFA_NODE_WORDS;
}

/*
 * 3 records in a complete packet of 52 bytes give FORMAT, because they do not fit. They
 * give SHORT if one byte of the packet is not captured.
 */
TEST(ifa_stack_beyond_a_cut_packet_is_short)
{
    const rocecc_ifa_config c = law_ifa_config(1, 0);
    uint8_t b[52];
    rocecc_ifa h;
    ifa_head_stamp(b);
    b[15] = 3 * ROCECC_IFA_NODE_WORDS;
    CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + 52), 52, &h),
             ROCECC_ERR_FORMAT);
    CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + 51), 52, &h),
             ROCECC_ERR_SHORT);
}

/* An unknown LNS and a UDP Length 1 byte too long give FORMAT, not UNSUPPORTED. */
TEST(ifa_unknown_record_is_reported_after_all_lengths)
{
    const rocecc_ifa_config c = law_ifa_config(0, 0);
    uint8_t b[52];
    rocecc_ifa h;
    ifa_head_stamp(b);
    CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + 52), 52, &h),
             ROCECC_ERR_UNSUPPORTED);
    b[9] = 13;
    CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + 52), 52, &h),
             ROCECC_ERR_FORMAT);
}

/* Only the IFA header is captured. Its version and name space are checked before L4. */
TEST(ifa_version_is_reported_before_a_missing_l4_header)
{
    const rocecc_ifa_config c = law_ifa_config(1, 0);
    uint8_t b[52];
    rocecc_ifa h;
    ifa_head_stamp(b);
    CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + 4), 52, &h),
             ROCECC_ERR_SHORT);
    b[0] = 0x20; /* GNS 0 */
    CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + 4), 52, &h),
             ROCECC_ERR_UNSUPPORTED);
    b[0] = 0x3f; /* version 3 */
    CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + 4), 52, &h),
             ROCECC_ERR_UNSUPPORTED);
}

/*
 * The headers of C and MF are read, although this configuration does not support
 * writing them. verify() returns NO_MATCH, because the coverage is unknown.
 */
TEST(ifa_optional_headers_are_read_although_their_choices_are_off)
{
    uint8_t b[24] = {0x2f, 17, ROCECC_IFA_FLAG_C | ROCECC_IFA_FLAG_MF, 255, [9] = 8};
    const rocecc_ifa_config c = law_ifa_lab();
    rocecc_ifa h;
    rocecc_store32(b + 16, 0x12340000);
    rocecc_store32(b + 20, 5u << 6 | 1u << 1 | 1);
    CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + sizeof b), sizeof b, &h),
             ROCECC_OK);
    CHECK_EQ(h.checksum.checksum, 0x1234);
    CHECK(h.fragment.packet_id == 5 && h.fragment.mf_id == 1 && h.fragment.last);
    CHECK_EQ(rocecc_ifa_verify(&h), ROCECC_NO_MATCH);
}

/*
 * With COVERS_STACK, C covers no bytes if there are no records. Their sum is 0, and its
 * complement is all ones.
 */
TEST(ifa_checksum_of_an_empty_stack_is_all_ones)
{
    uint8_t b[20] = {0x2f, 17, ROCECC_IFA_FLAG_C, 255, [9] = 8};
    rocecc_ifa_config c = law_ifa_lab();
    rocecc_ifa h;
    c.checksum = ROCECC_IFA_COVERS_STACK;
    CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + sizeof b), sizeof b, &h),
             ROCECC_OK);
    CHECK_EQ(rocecc_ifa_verify(&h), ROCECC_ERR_FORMAT);
    rocecc_store16(b + 16, 0xffff);
    CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + sizeof b), sizeof b, &h),
             ROCECC_OK);
    CHECK_EQ(rocecc_ifa_verify(&h), ROCECC_OK);
}

/* A frame of 52 bytes with a packet of 50 has 2 bytes of payload. */
TEST(ifa_padding_of_the_frame_is_not_payload)
{
    const rocecc_ifa_config c = law_ifa_config(1, 0);
    uint8_t b[52];
    rocecc_ifa h;
    ifa_head_stamp(b);
    b[9] = 10;
    CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + 52), 50, &h), ROCECC_OK);
    CHECK(h.payload.at == 48 && h.payload.end == 50);
}

/* The records of a tail stamp are read in wire order, newest first or last. */
TEST(ifa_newest_last_is_read_in_wire_order)
{
    uint8_t b[12 + 64 + 4] = {0x2f, 17, ROCECC_IFA_FLAG_TS, 255, [9] = 8};
    rocecc_ifa_config c = law_ifa_config(1, 0);
    unsigned tail;
    b[12 + 2] = 1; /* device_id */
    b[12 + 32 + 2] = 2;
    b[sizeof b - 1] = 2 * ROCECC_IFA_NODE_WORDS;
    for (tail = ROCECC_IFA_TAIL_NEWEST_FIRST; tail <= ROCECC_IFA_TAIL_NEWEST_LAST;
         tail++) {
        rocecc_ifa_node n;
        rocecc_ifa h;
        c.tail = (rocecc_ifa_tail)tail;
        test_context("tail %u", tail);
        CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + sizeof b), sizeof b, &h),
                 ROCECC_OK);
        CHECK_EQ(rocecc_ifa_node_next(&h.config, &h.nodes, &n), ROCECC_OK);
        CHECK_EQ(n.device_id, 1);
        CHECK_EQ(rocecc_ifa_node_next(&h.config, &h.nodes, &n), ROCECC_OK);
        CHECK_EQ(n.device_id, 2);
        CHECK_EQ(rocecc_ifa_node_next(&h.config, &h.nodes, &n), ROCECC_END);
    }
}

/*
 * B_OCTETS has neither seconds nor a speed, so fits() does not check them. B has
 * seconds, and fits() rejects a value that is too wide.
 */
TEST(ifa_items_outside_the_layout_are_not_checked)
{
    const rocecc_ifa_config c = law_ifa_config(0, 0xffff);
    uint8_t b[ROCECC_IFA_NODE_BYTES];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_ifa_node n;
    memset(&n, 0, sizeof n);
    n.layout = ROCECC_IFA_LAYOUT_B_OCTETS;
    n.present = ROCECC_IFA_RX_SEC | ROCECC_IFA_SPEED | ROCECC_IFA_QUEUE_LENGTH;
    n.rx_timestamp_sec = UINT64_MAX;
    n.speed = 255;
    n.queue_length = 0x12345678;
    CHECK_EQ(rocecc_ifa_node_emit(&w, &n), ROCECC_OK);
    CHECK_EQ(load(&c, b, &n), ROCECC_OK);
    CHECK(n.layout == ROCECC_IFA_LAYOUT_B_OCTETS && n.queue_length == 0x12345678);
    CHECK_EQ(n.rx_timestamp_sec, 0);
    n.layout = ROCECC_IFA_LAYOUT_B;
    n.present |= ROCECC_IFA_RX_SEC;
    n.rx_timestamp_sec = UINT64_MAX;
    CHECK(!rocecc_ifa_node_fits(&n));
}
