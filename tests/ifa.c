/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ifa.h"
#include "lib/edits.h"
#include "lib/noun.h"

#include <stdlib.h>
#include <string.h>

#define UNTOUCHED 0xa5
#define ANY_MTU 0xffffffffu

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

/* Of a plan, what a row says: where its bytes go. */
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

/* Sets the members that pairs name, after a prefix; how many there were. */
static size_t set(const vec_pair *pairs, size_t n, const char *prefix, const field *f,
                  size_t n_fields, void *record)
{
    const size_t skip = strlen(prefix);
    size_t i, k, named = 0;
    for (i = 0; i < n; i++)
        for (k = 0; k < n_fields; k++) {
            if (strncmp(pairs[i].key, prefix, skip) != 0 ||
                strcmp(pairs[i].key + skip, f[k].name) != 0)
                continue;
            named++;
            if (!field_set(&f[k], record, pairs[i].value))
                test_fail(__FILE__, __LINE__, "%s=%s is no value", pairs[i].key,
                          pairs[i].value);
        }
    return named;
}

static rocecc_ifa_config config_of(const vec_row *row)
{
    rocecc_ifa_config c = law_ifa_config(0, 0);
    CHECK_EQ(set(row->config, row->n_config, "ifa.", config_fields,
                 NOUN_COUNT(config_fields), &c),
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

static rocecc_status find(const rocecc_domain *d, rocecc_reader r, rocecc_ifa *h)
{
    rocecc_packet p;
    (void)rocecc_packet_parse(d, r, &p);
    return rocecc_ifa_find(&p, h);
}

static rocecc_ifa_node node_of(const vec_row *row)
{
    rocecc_ifa_node n;
    memset(&n, 0, sizeof n);
    CHECK_EQ(set(row->in, row->n_in, "", node_fields, NOUN_COUNT(node_fields), &n),
             row->n_in);
    return n;
}

static size_t untouched(const uint8_t *p, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++)
        if (p[i] != UNTOUCHED) break;
    return i;
}

/* What guard_start() has, as a writer. */
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

/* A record in every room, at both guard pages. */
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

/* Every prefix: SHORT up to the payload; nothing is written unless OK. */
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
            status = find(&d, r, &h);
            CHECK_EQ(status, law_ifa_status(&d.ifa, r.base + r.at, n));
            if (status != ROCECC_OK)
                CHECK_EQ(untouched((uint8_t *)&h, sizeof h), sizeof h);
            if (n == row->n)
                noun_check_out(row, fields, NOUN_COUNT(fields), status, &h);
            else if (row->status == ROCECC_OK)
                CHECK_EQ(status, n < need ? ROCECC_ERR_SHORT : ROCECC_OK);
            if (status == ROCECC_OK && n == row->n &&
                (h.header.flags & ROCECC_IFA_FLAG_TS) == 0)
                need = h.payload.at - r.at; /* a tail stamp needs all of it */
        }
    }
}

/* What nodes do to the packet of a row. */
typedef struct change {
    rocecc_ifa_node node;
    rocecc_ifa_source source;
    uint32_t mtu_bytes;
} change;

static rocecc_edit_verdict make_push(const rocecc_packet *p, const void *arg,
                                     rocecc_edit *e)
{
    const change *what = (const change *)arg;
    return rocecc_ifa_push(p, &what->node, what->mtu_bytes, e);
}

static rocecc_edit_verdict make_strip(const rocecc_packet *p, const void *arg,
                                      rocecc_edit *e)
{
    (void)arg;
    return rocecc_ifa_strip(p, e);
}

static rocecc_edit_verdict make_insert(const rocecc_packet *p, const void *arg,
                                       rocecc_edit *e)
{
    const change *what = (const change *)arg;
    return rocecc_ifa_insert(p, &what->source, what->mtu_bytes, e);
}

static change change_of(uint32_t mtu_bytes)
{
    change what;
    memset(&what, 0, sizeof what);
    what.node = law_ifa_a_node();
    what.source.header.version = ROCECC_IFA_VERSION;
    what.source.header.gns = ROCECC_IFA_GNS_NONE;
    what.source.header.flags = ROCECC_IFA_FLAG_I;
    what.source.header.max_length = 255;
    what.mtu_bytes = mtu_bytes;
    return what;
}

static rocecc_edit changed(const vec_row *row, edits_make make, const change *what,
                           view *v)
{
    static uint8_t b[VEC_BYTES + LAW_EDIT_MORE];
    const rocecc_domain d = domain_of(row);
    rocecc_edit e;
    size_t n;
    memcpy(b, row->bytes, row->n);
    n = edits(&d, b, row->n, make, what, &e);
    v->packet = rocecc_reader_of(b, b + n);
    return e;
}

/* A plan: what it says, and that it does what it says. */
static void check_plan(const vec_row *row, edits_make make)
{
    const change what = change_of((uint32_t)noun_arg(row, "mtu_bytes"));
    view v;
    const rocecc_edit e = changed(row, make, &what, &v);
    noun_check_out(row, plan_fields, NOUN_COUNT(plan_fields), ROCECC_OK, &e);
    if (e.verdict != ROCECC_EDIT_CHANGE)
        CHECK(!rocecc_edit_needs_action(&e) && rocecc_left(&v.packet) == row->n);
}

static void call_ifa_plan_push(const vec_row *row)
{
    check_plan(row, make_push);
}

static void call_ifa_plan_strip(const vec_row *row)
{
    check_plan(row, make_strip);
}

static void call_ifa_plan_insert(const vec_row *row)
{
    check_plan(row, make_insert);
}

static void check_change(const vec_row *row, edits_make make, const change *what)
{
    view v;
    const rocecc_edit e = changed(row, make, what, &v);
    CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
    noun_check_out(row, view_fields, 1, ROCECC_OK, &v);
}

static void call_ifa_push(const vec_row *row)
{
    change what = change_of(ANY_MTU);
    what.node = node_of(row);
    check_change(row, make_push, &what);
}

/* A record in place of a stack, for which it found no room. */
static void call_ifa_fragment(const vec_row *row)
{
    change what = change_of(ANY_MTU);
    view v;
    what.node = node_of(row);
    CHECK_EQ(changed(row, make_push, &what, &v).verdict, ROCECC_EDIT_FRAGMENT);
    noun_check_out(row, view_fields, 1, ROCECC_OK, &v);
}

static void call_ifa_verify(const vec_row *row)
{
    const rocecc_domain d = domain_of(row);
    rocecc_ifa h;
    CHECK_EQ(find(&d, rocecc_reader_of(row->bytes, row->bytes + row->n), &h),
             ROCECC_OK);
    CHECK_EQ(rocecc_ifa_verify(&h), row->status);
}

static void call_ifa_strip(const vec_row *row)
{
    const change what = change_of(ANY_MTU);
    check_change(row, make_strip, &what);
}

static void call_ifa_insert(const vec_row *row)
{
    change what = change_of(ANY_MTU);
    memset(&what.source.header, 0, sizeof what.source.header);
    CHECK_EQ(set(row->in, row->n_in, "", ifa_header_fields,
                 NOUN_COUNT(ifa_header_fields), &what.source.header) +
                 set(row->in, row->n_in, "", ifa_metadata_fields,
                     NOUN_COUNT(ifa_metadata_fields), &what.source.metadata) +
                 set(row->in, row->n_in, "", source_fields, 1, &what.source),
             row->n_in);
    check_change(row, make_insert, &what);
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

/* Rows by tests/peers/ifa.py, as many as it was asked for. */
TEST(ifa_peer)
{
    const char *path = getenv("IFA_ROWS");
    if (path != NULL) CHECK(vec_read(path, peer_row, NULL) > 0);
}

TEST(ifa_header_bits)
{
    noun_bits(&ifa_header_noun, ROCECC_IFA_HEADER_BYTES);
    noun_bits(&ifa_metadata_noun, ROCECC_IFA_METADATA_BYTES);
    noun_bits(&ifa_checksum_noun, ROCECC_IFA_CHECKSUM_BYTES);
    noun_bits(&ifa_fragment_noun, ROCECC_IFA_FRAGMENT_BYTES);
}

/* The record in 32 bytes, which are all of it. */
static rocecc_status load(const rocecc_ifa_config *c, const uint8_t *b,
                          rocecc_ifa_node *n)
{
    rocecc_reader r = rocecc_reader_of(b, b + ROCECC_IFA_NODE_BYTES);
    memset(n, 0, sizeof *n);
    return rocecc_ifa_node_next(c, &r, n);
}

/* Every bit belongs to one item, unless it tells the layout, and survives. */
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

TEST(ifa_node_bits)
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

/* Every code, and every speed in Gbit/s: 400G is the last, and nothing is rounded. */
TEST(ifa_speed)
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

/* A packet: IP, an L4 of a kind, 24 bytes of payload. */
typedef struct packet {
    uint8_t b[2048 + LAW_EDIT_MORE];
    size_t n;
} packet;

static void packet_make(packet *p, int version, uint8_t proto)
{
    static const uint8_t v4[20] = {0x45, 0x02, 0,   0, 0x12, 0x34, 0x40, 0, 64, 0,
                                   0,    0,    192, 0, 2,    1,    192,  0, 2,  2};
    const size_t l4 = proto == 17 ? 8 : 32, head = version == 4 ? 20 : 40;
    size_t i;
    memset(p, 0, sizeof *p);
    p->n = head + l4 + 24;
    for (i = head; i < p->n; i++)
        p->b[i] = (uint8_t)(i * 7);
    if (proto == 17) rocecc_store16(p->b + head + 4, 8 + 24);
    if (proto == 6) p->b[head + 12] = 0x80;
    if (version == 4) {
        memcpy(p->b, v4, sizeof v4);
        p->b[9] = proto;
        rocecc_store16(p->b + 2, (uint16_t)p->n);
        rocecc_store16(p->b + 10,
                       rocecc_ipv4_checksum(rocecc_reader_of(p->b, p->b + 20)));
    } else {
        p->b[0] = 0x60;
        rocecc_store16(p->b + 4, (uint16_t)(p->n - 40));
        p->b[6] = proto;
        p->b[7] = 64;
        p->b[8] = p->b[24] = 0x20;
    }
}

static rocecc_reader packet_reader(const packet *p)
{
    return rocecc_reader_of(p->b, p->b + p->n);
}

static rocecc_status found_in(const packet *p, rocecc_ifa *h)
{
    const rocecc_domain d = law_ifa_domain();
    return find(&d, packet_reader(p), h);
}

static rocecc_edit_verdict change_packet(packet *p, edits_make make, const change *what)
{
    const rocecc_domain d = law_ifa_domain();
    rocecc_edit e;
    p->n = edits(&d, p->b, p->n, make, what, &e);
    return e.verdict;
}

static void insert(packet *p, uint8_t max_length, uint8_t hop_limit)
{
    change what = change_of(ANY_MTU);
    what.source.header.max_length = max_length;
    what.source.metadata.request_vector = 0xff;
    what.source.metadata.hop_limit = hop_limit;
    what.source.metadata.current_length = 77;
    CHECK_EQ(change_packet(p, make_insert, &what), ROCECC_EDIT_CHANGE);
}

/* One transit; its record tells which. */
static rocecc_edit_verdict push(packet *p, unsigned hop, uint32_t mtu_bytes)
{
    change what = change_of(mtu_bytes);
    what.node.device_id = hop;
    if (hop % 2 == 1) { /* the other devices write the other layout */
        what.node.layout = ROCECC_IFA_LAYOUT_B;
        what.node.lns = 2;
    }
    return change_packet(p, make_push, &what);
}

/* The sink's view: hops records, the last node's first. */
static void check_stack(const packet *p, unsigned hops)
{
    const rocecc_ifa_config c = law_ifa_lab();
    rocecc_ifa h;
    rocecc_ifa_node n;
    unsigned i;
    CHECK_EQ(found_in(p, &h), ROCECC_OK);
    CHECK_EQ(h.metadata.current_length, 8 * hops);
    if (p->b[0] >> 4 == 4)
        CHECK_EQ(rocecc_ipv4_checksum(rocecc_reader_of(p->b, p->b + 20)),
                 rocecc_load16(p->b + 10));
    for (i = hops; i > 0; i--) {
        CHECK_EQ(rocecc_ifa_node_next(&c, &h.nodes, &n), ROCECC_OK);
        CHECK_EQ(n.device_id, i - 1);
        CHECK_EQ(n.queue_length, 99);
    }
    CHECK_EQ(rocecc_ifa_node_next(&c, &h.nodes, &n), ROCECC_END);
}

static void strip(packet *p)
{
    const change what = change_of(ANY_MTU);
    CHECK_EQ(change_packet(p, make_strip, &what), ROCECC_EDIT_CHANGE);
}

/* The plan of a packet, which is not carried out. */
static rocecc_edit planned(const packet *p, edits_make make, uint32_t mtu_bytes)
{
    const rocecc_domain d = law_ifa_domain();
    const change what = change_of(mtu_bytes);
    rocecc_packet at;
    rocecc_edit e;
    memset(&e, 0, sizeof e);
    (void)rocecc_packet_parse(&d, packet_reader(p), &at);
    (void)make(&at, &what, &e);
    return e;
}

/* Puts n bytes of 0 at an offset. */
static void open_at(packet *p, size_t at, size_t n)
{
    memmove(p->b + at + n, p->b + at, p->n - at);
    memset(p->b + at, 0, n);
    p->n += n;
}

/* IPv4 and IPv6, UDP and TCP. */
static void each_kind(void (*run)(int version, uint8_t proto))
{
    int version;
    for (version = 4; version <= 6; version += 2) {
        test_context("IPv%d, UDP", version);
        run(version, 17);
        test_context("IPv%d, TCP", version);
        run(version, 6);
    }
}

static void run_path(int version, uint8_t proto)
{
    packet p, was;
    unsigned hop;
    packet_make(&p, version, proto);
    was = p;
    insert(&p, 255, 255);
    check_stack(&p, 0);
    for (hop = 0; hop < 5; hop++) {
        CHECK_EQ(push(&p, hop, 1500), ROCECC_EDIT_CHANGE);
        check_stack(&p, hop + 1);
    }
    CHECK_EQ(p.n, was.n + 8 + 5 * 32);
    strip(&p);
    CHECK_EQ(p.n, was.n);
    CHECK(memcmp(p.b, was.b, was.n) == 0);
}

TEST(ifa_five_hops_and_a_sink)
{
    each_kind(run_path);
}

/* The stack stops growing at each hop in turn, and the packet still comes through. */
static void check_stops(int version, uint8_t proto, uint8_t max_length,
                        uint8_t hop_limit, uint32_t room, unsigned hops,
                        rocecc_edit_verdict verdict)
{
    packet p, was, before;
    unsigned hop;
    packet_make(&p, version, proto);
    was = p;
    insert(&p, max_length, hop_limit);
    for (hop = 0; hop < 5; hop++) {
        before = p;
        CHECK_EQ(push(&p, hop, (uint32_t)was.n + 8 + room),
                 hop < hops ? ROCECC_EDIT_CHANGE : verdict);
        if (hop >= hops) CHECK(memcmp(&before, &p, sizeof p) == 0);
        check_stack(&p, hop < hops ? hop + 1 : hops);
    }
    strip(&p);
    CHECK(p.n == was.n && memcmp(p.b, was.b, was.n) == 0);
}

static void run_stops(int version, uint8_t proto)
{
    unsigned n;
    for (n = 0; n <= 5; n++) {
        check_stops(version, proto, 255, (uint8_t)n, 500, n, ROCECC_EDIT_HOPS);
        check_stops(version, proto, (uint8_t)(8 * n), 255, 500, n, ROCECC_EDIT_FULL);
        check_stops(version, proto, (uint8_t)(8 * n + 7), 255, 500, n,
                    ROCECC_EDIT_FULL);
        check_stops(version, proto, 255, 255, 32 * n, n, ROCECC_EDIT_MTU);
        check_stops(version, proto, 255, 255, 32 * n + 31, n, ROCECC_EDIT_MTU);
    }
}

TEST(ifa_stops_at_every_hop)
{
    each_kind(run_stops);
}

static rocecc_status found(const packet *p)
{
    rocecc_ifa h;
    return found_in(p, &h);
}

/* 31 records are the most, whatever the limits say. */
TEST(ifa_31_records)
{
    packet p, was;
    unsigned hop;
    packet_make(&p, 4, 17);
    was = p;
    insert(&p, 255, 255);
    for (hop = 0; hop < 31; hop++)
        CHECK_EQ(push(&p, hop, 9000), ROCECC_EDIT_CHANGE);
    check_stack(&p, 31);
    p.b[36 + 30 * 32] ^= 0x20; /* the last record is looked at, too */
    CHECK_EQ(found(&p), ROCECC_ERR_UNSUPPORTED);
    p.b[36 + 30 * 32] ^= 0x20;
    CHECK_EQ(push(&p, hop, 9000), ROCECC_EDIT_FULL);
    strip(&p);
    CHECK(p.n == was.n && memcmp(p.b, was.b, was.n) == 0);
}

/* The 16 bits of a length, whatever the MTU: the capture need not be that long. */
TEST(ifa_ip_length_is_full)
{
    int version;
    for (version = 4; version <= 6; version += 2) {
        const size_t at = version == 4 ? 2 : 4;
        packet p, plain;
        packet_make(&p, version, 6);
        plain = p;
        insert(&p, 255, 255);
        rocecc_store16(p.b + at, 0xffff - 32);
        CHECK_EQ(planned(&p, make_push, ANY_MTU).verdict, ROCECC_EDIT_CHANGE);
        rocecc_store16(p.b + at, 0xffff - 31);
        CHECK_EQ(planned(&p, make_push, ANY_MTU).verdict, ROCECC_EDIT_FULL);
        rocecc_store16(plain.b + at, 0xffff - 8);
        CHECK_EQ(planned(&plain, make_insert, ANY_MTU).verdict, ROCECC_EDIT_CHANGE);
        rocecc_store16(plain.b + at, 0xffff - 7);
        CHECK_EQ(planned(&plain, make_insert, ANY_MTU).verdict, ROCECC_EDIT_FULL);
    }
}

/* Every Max Length with every Current Length, over packets of every few records. */
TEST(ifa_lengths_all)
{
    const rocecc_ifa_config lab = law_ifa_lab();
    unsigned records, max, now, udp;
    for (records = 0; records < 33; records += records < 3 ? 1 : 29)
        for (udp = 0; udp < 2; udp++) {
            packet p;
            size_t i;
            packet_make(&p, 4, udp ? 17 : 6);
            insert(&p, 255, 255);
            for (i = 0; i < records; i++) {
                open_at(&p, udp ? 36 : 60, 32);
                p.b[udp ? 36 : 60] = 0x10;
            }
            rocecc_store16(p.b + 2, (uint16_t)p.n);
            for (max = 0; max < 256; max++)
                for (now = 0; now < 256; now++) {
                    rocecc_ifa h;
                    rocecc_status status;
                    p.b[23] = (uint8_t)max;
                    p.b[(udp ? 32 : 56) + 3] = (uint8_t)now;
                    status = found_in(&p, &h);
                    if (status == law_ifa_status(&lab, p.b, p.n)) continue;
                    test_context("%u records, max %u, current %u", records, max, now);
                    CHECK_EQ(status, law_ifa_status(&lab, p.b, p.n));
                }
        }
}

/* A named test for each pair of lengths that can contradict each other. */

/* Two records over IPv4 and UDP: IFA at 20, UDP 24, metadata 32, stack 36 to 100. */
static void two(packet *p)
{
    packet_make(p, 4, 17);
    insert(p, 24, 9);
    CHECK_EQ(push(p, 0, 1500), ROCECC_EDIT_CHANGE);
    CHECK_EQ(push(p, 2, 1500), ROCECC_EDIT_CHANGE);
    CHECK_EQ(found(p), ROCECC_OK);
    CHECK_EQ(p->n, 20 + 4 + 8 + 4 + 64 + 24);
}

TEST(ifa_current_length_above_max_length)
{
    packet p;
    two(&p);
    p.b[23] = 16;
    CHECK_EQ(found(&p), ROCECC_OK);
    p.b[23] = 15;
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
}

TEST(ifa_current_length_of_no_whole_records)
{
    packet p;
    two(&p);
    p.b[35] = 4; /* as OpenBCM's samples have it for one record */
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
    p.b[35] = 17;
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
}

TEST(ifa_current_length_beyond_ip_length)
{
    packet p;
    two(&p);
    rocecc_store16(p.b + 2, 99);
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
}

TEST(ifa_current_length_beyond_capture)
{
    packet p;
    two(&p);
    p.n = 99;
    CHECK_EQ(found(&p), ROCECC_ERR_SHORT);
    p.n = 100;
    CHECK_EQ(found(&p), ROCECC_OK);
}

/* As OpenBCM's samples have it for two records: the third would be payload. */
TEST(ifa_current_length_against_udp_length)
{
    packet p;
    two(&p);
    p.b[35] = 24;
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
    rocecc_store16(p.b + 2, (uint16_t)(p.n + 8)); /* and with 8 bytes of padding */
    p.n += 8;
    p.b[100] = 0x10;
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
}

TEST(ifa_current_length_against_records)
{
    packet p;
    two(&p);
    rocecc_store16(p.b + 28, 8);
    p.b[35] = 24;
    rocecc_store16(p.b + 2, 132);
    p.n = 132;
    p.b[100] = 0x30; /* payload: no record */
    CHECK_EQ(found(&p), ROCECC_ERR_UNSUPPORTED);
}

TEST(ifa_udp_length_beyond_ip_length)
{
    packet p;
    two(&p);
    rocecc_store16(p.b + 28, 8 + 25);
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
    rocecc_store16(p.b + 28, 7);
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
}

TEST(ifa_tcp_data_offset_beyond_ip_length)
{
    packet p;
    packet_make(&p, 4, 6);
    insert(&p, 255, 255);
    p.b[24 + 12] = 0x40;
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
    p.b[24 + 12] = 0xf0;
    rocecc_store16(p.b + 2, 24 + 59);
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
    rocecc_store16(p.b + 2, 24 + 60);
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
}

TEST(ifa_ip_length_inside_each_header)
{
    packet p;
    unsigned n;
    two(&p);
    for (n = 0; n < p.n; n++) {
        rocecc_store16(p.b + 2, (uint16_t)n);
        CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
    }
}

/* The optional headers, and a stack that reaches where they should be. */
TEST(ifa_optional_headers_beyond_ip_length)
{
    packet p;
    packet_make(&p, 4, 6);
    insert(&p, 255, 255);
    p.b[22] |= ROCECC_IFA_FLAG_C | ROCECC_IFA_FLAG_MF;
    rocecc_store16(p.b + 2, 20 + 4 + 32 + 4 + 7);
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
    rocecc_store16(p.b + 2, 20 + 4 + 32 + 4 + 8);
    CHECK_EQ(found(&p), ROCECC_OK);
}

/* Flag bits count from the least significant one. */
TEST(ifa_trap_flags)
{
    packet p;
    rocecc_ifa h;
    packet_make(&p, 4, 17);
    insert(&p, 255, 255);
    CHECK_EQ(p.b[22], 0x04);
    p.b[22] = 0x10;
    CHECK_EQ(found_in(&p, &h), ROCECC_ERR_FORMAT); /* UDP */
    rocecc_store16(p.b + 28, 8);
    CHECK_EQ(found_in(&p, &h), ROCECC_OK);
    CHECK_EQ(h.nodes.at, 40);
    CHECK(h.fragment.packet_id != 0 && h.checksum.checksum == 0);
    p.b[22] = 0x01;
    CHECK_EQ(found_in(&p, &h), ROCECC_OK);
    CHECK_EQ(h.nodes.at, 40);
    CHECK(h.fragment.packet_id == 0 && h.checksum.checksum != 0);
    p.b[22] = 0x08;
    CHECK_EQ(found_in(&p, &h), ROCECC_ERR_UNSUPPORTED);
}

/* Layout A has the egress port first, layout B the ingress port. */
TEST(ifa_trap_port_order)
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

/* cn is 2 bits and shifted, the queue 6; code 3 is 50G, and 4 is 100G. */
TEST(ifa_trap_speed_cn_queue)
{
    const rocecc_ifa_config c = law_ifa_lab();
    const uint8_t b[32] = {[0] = 0x10, [4] = 0x3c, [5] = 0x10};
    rocecc_ifa_node n;
    CHECK_EQ(load(&c, b, &n), ROCECC_OK);
    CHECK(n.cn == 3 && n.queue == 1 && n.rx_timestamp_sec == 0);
    CHECK_EQ(rocecc_ifa_speed_bps(n.speed), UINT64_C(50000000000));
}

/* The metadata header follows the L4 header, options included. */
TEST(ifa_trap_metadata_behind_l4)
{
    packet p;
    rocecc_ifa h;
    packet_make(&p, 6, 6);
    insert(&p, 255, 200);
    CHECK_EQ(p.b[40 + 4 + 32 + 2], 200);
    CHECK_EQ(found_in(&p, &h), ROCECC_OK);
    CHECK_EQ(h.metadata.hop_limit, 200);
    CHECK_EQ(rocecc_left(&h.l4), 32);
}

TEST(ifa_init)
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
    c = law_ifa_config(0, 0); /* a layout of one GNS is one */
    c.protocol = 253;
    c.gns_b = 2;
    CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_ACCEPTED);
    c.gns_b = 0;
    c.gns_a = 2;
    CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_ACCEPTED);
}

TEST(ifa_init_choices)
{
    rocecc_ifa_config c = law_ifa_choices().ifa;
    unsigned i;
    CHECK_EQ(rocecc_ifa_init(&c), ROCECC_IFA_ACCEPTED);
    c.layout_a = c.layout_b = 0; /* under 15 no record is known, under others all */
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

/*
 * Under a name space of a domain every record has its layout, whatever its LNS and
 * whatever layout that has under 15.
 */
TEST(ifa_name_space_decides_the_layout)
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
                CHECK_EQ(find(&d, rocecc_reader_of(f.bytes, f.bytes + f.n), &h),
                         a || b ? ROCECC_OK : ROCECC_ERR_UNSUPPORTED);
                if (!a && !b) continue;
                CHECK_EQ(rocecc_ifa_node_next(&h.config, &h.nodes, &node), ROCECC_OK);
                CHECK_EQ(node.layout, a ? ROCECC_IFA_LAYOUT_A : ROCECC_IFA_LAYOUT_B);
            }
}

/* Every flag and name space of a source, under every choice of a domain. */
TEST(ifa_source_all)
{
    unsigned choices, flags, gns;
    for (choices = 0; choices < 8; choices++)
        for (flags = 0; flags < 32; flags++)
            for (gns = 0; gns < 17; gns++) {
                const bool c = (flags & 1) != 0, ts = (flags & 8) != 0,
                           mf = (flags & 16) != 0;
                const bool fits = (!c || (choices & 1)) && (!mf || (choices & 2)) &&
                                  (!ts || ((choices & 4) && !c && !mf)) &&
                                  (gns == 15 || gns == 3);
                rocecc_domain d = law_ifa_domain();
                change what = change_of(ANY_MTU);
                packet p;
                rocecc_edit e;
                packet_make(&p, 4, 17);
                d.ifa.gns_b = 1u << 3;
                d.ifa.checksum = choices & 1 ? ROCECC_IFA_COVERS_STACK : 0;
                d.ifa.fragments = (choices & 2) != 0;
                d.ifa.tail = choices & 4 ? ROCECC_IFA_TAIL_NEWEST_LAST : 0;
                what.source.header.flags = (uint8_t)flags;
                what.source.header.gns = (uint8_t)gns;
                what.source.packet_id = 0x3ffffff;
                p.n = edits(&d, p.b, p.n, make_insert, &what, &e);
                CHECK_EQ(e.verdict, fits ? ROCECC_EDIT_CHANGE : ROCECC_EDIT_RANGE);
                if (!mf) continue;
                packet_make(&p, 4, 17);
                what.source.packet_id++;
                (void)edits(&d, p.b, p.n, make_insert, &what, &e);
                CHECK_EQ(e.verdict, ROCECC_EDIT_RANGE);
            }
}

/* A cut-off packet: its end, where a tail stamp would go, is not there. */
TEST(ifa_tail_of_a_cut_packet)
{
    rocecc_domain d = law_ifa_choices();
    change what = change_of(ANY_MTU);
    packet p;
    rocecc_packet at;
    rocecc_edit e;
    d.ifa.tail = ROCECC_IFA_TAIL_NEWEST_FIRST;
    packet_make(&p, 6, 17);
    what.source.header.flags = ROCECC_IFA_FLAG_TS | ROCECC_IFA_FLAG_I;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(p.b, p.b + p.n - 1), &at);
    CHECK_EQ(make_insert(&at, &what, &e), ROCECC_EDIT_BROKEN);
    (void)rocecc_packet_parse(&d, packet_reader(&p), &at);
    CHECK_EQ(make_insert(&at, &what, &e), ROCECC_EDIT_CHANGE);
}

/* One packet of MF and C and a record; then one more for which there is no room. */
static rocecc_edit_verdict second(rocecc_domain d, uint8_t max_length, uint32_t room,
                                  uint8_t mf_id, bool last)
{
    change what = change_of(ANY_MTU);
    packet p;
    rocecc_edit e;
    packet_make(&p, 6, 17);
    what.source.header.flags =
        ROCECC_IFA_FLAG_I | ROCECC_IFA_FLAG_MF | ROCECC_IFA_FLAG_C;
    what.source.header.max_length = max_length;
    what.source.metadata.hop_limit = 9;
    p.n = edits(&d, p.b, p.n, make_insert, &what, &e);
    CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
    p.n = edits(&d, p.b, p.n, make_push, &what, &e);
    if (max_length < 8) return e.verdict;
    CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
    p.b[52 + 8 + 3] = (uint8_t)(mf_id << 1 | last);
    what.mtu_bytes = (uint32_t)p.n + room;
    d.ifa.fragments = d.ifa.fragments && room != 1000;
    (void)edits(&d, p.b, p.n, make_push, &what, &e);
    return e.verdict;
}

TEST(ifa_fragment_limits)
{
    const rocecc_domain d = law_ifa_choices();
    unsigned id;
    for (id = 0; id < 32; id++) {
        CHECK_EQ(second(d, 8, 99, (uint8_t)id, false),
                 id < 31 ? ROCECC_EDIT_FRAGMENT : ROCECC_EDIT_FULL);
        CHECK_EQ(second(d, 255, 31, (uint8_t)id, false),
                 id < 31 ? ROCECC_EDIT_FRAGMENT : ROCECC_EDIT_MTU);
        CHECK_EQ(second(d, 8, 99, (uint8_t)id, true), ROCECC_EDIT_FULL);
    }
    CHECK_EQ(second(d, 255, 32, 0, false), ROCECC_EDIT_CHANGE);
    CHECK_EQ(second(d, 8, 1000, 0, false), ROCECC_EDIT_FULL);    /* fragments are off */
    CHECK_EQ(second(d, 7, 99, 0, false), ROCECC_EDIT_FULL);      /* there is no stack */
    CHECK_EQ(second(d, 255, 0, 0, false), ROCECC_EDIT_FRAGMENT); /* as long as before */
    CHECK_EQ(second(d, 255, (uint32_t)-1, 0, false), ROCECC_EDIT_MTU); /* not even so */
}

/* A checksum that was wrong stays wrong when a record is pushed. */
TEST(ifa_checksum_wrong_stays_wrong)
{
    unsigned coverage, bit;
    for (coverage = 1; coverage <= 2; coverage++)
        for (bit = 0; bit <= 16; bit++) {
            rocecc_domain d = law_ifa_choices();
            change what = change_of(ANY_MTU);
            packet p;
            rocecc_edit e;
            rocecc_ifa h;
            d.ifa.checksum = (rocecc_ifa_coverage)coverage;
            packet_make(&p, 4, 6);
            what.source.header.flags = ROCECC_IFA_FLAG_I | ROCECC_IFA_FLAG_C;
            what.source.metadata.hop_limit = 2;
            p.n = edits(&d, p.b, p.n, make_insert, &what, &e);
            if (bit < 16) p.b[20 + 4 + 32 + 4 + bit / 8] ^= (uint8_t)(1u << bit % 8);
            p.n = edits(&d, p.b, p.n, make_push, &what, &e);
            CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
            CHECK_EQ(find(&d, packet_reader(&p), &h), ROCECC_OK);
            CHECK_EQ(rocecc_ifa_verify(&h), bit < 16 ? ROCECC_ERR_FORMAT : ROCECC_OK);
        }
}

/* All 0: nothing is found and nothing done, by any protocol number. */
TEST(ifa_off)
{
    const rocecc_domain off = {.link = ROCECC_LINK_IP};
    const change what = change_of(1500);
    const edits_make makers[3] = {make_push, make_strip, make_insert};
    unsigned proto, i;
    for (proto = 0; proto < 256; proto++) {
        packet p;
        rocecc_ifa h;
        packet_make(&p, 4, 17);
        p.b[9] = (uint8_t)proto;
        CHECK_EQ(find(&off, packet_reader(&p), &h), ROCECC_NO_MATCH);
        for (i = 0; i < 3; i++) {
            rocecc_edit e;
            CHECK_EQ(edits(&off, p.b, p.n, makers[i], &what, &e), p.n);
            CHECK_EQ(e.verdict, ROCECC_EDIT_NONE);
            CHECK(!rocecc_edit_needs_action(&e));
        }
    }
}

/* What a record or a header has to be; a plan of what is not does nothing. */
TEST(ifa_refused)
{
    packet p;
    change what = change_of(1500);
    unsigned flags;
    two(&p);
    what.node.lns = 2; /* which is layout B's */
    CHECK_EQ(change_packet(&p, make_push, &what), ROCECC_EDIT_RANGE);
    what.node.lns = 3; /* nobody's */
    CHECK_EQ(change_packet(&p, make_push, &what), ROCECC_EDIT_RANGE);
    what.node.lns = 1;
    what.node.layout = ROCECC_IFA_LAYOUT_B;
    CHECK_EQ(change_packet(&p, make_push, &what), ROCECC_EDIT_RANGE);
    what.node.lns = 2;
    what.node.device_id = 1u << 28;
    CHECK_EQ(change_packet(&p, make_push, &what), ROCECC_EDIT_RANGE);
    what.node.device_id--;
    CHECK_EQ(change_packet(&p, make_push, &what), ROCECC_EDIT_CHANGE);
    for (flags = 0; flags < 256; flags++) {
        packet_make(&p, 4, 17);
        what.source.header.flags = (uint8_t)flags;
        CHECK_EQ(change_packet(&p, make_insert, &what),
                 (flags & 0x19) != 0 ? ROCECC_EDIT_RANGE : ROCECC_EDIT_CHANGE);
    }
    packet_make(&p, 4, 17);
    what = change_of(1500);
    what.source.header.version = 3;
    CHECK_EQ(change_packet(&p, make_insert, &what), ROCECC_EDIT_RANGE);
    what.source.header.version = 2;
    what.source.header.gns = 1;
    CHECK_EQ(change_packet(&p, make_insert, &what), ROCECC_EDIT_RANGE);
}

/* Another packet in place of the one that was planned for: one more record, or none. */
TEST(ifa_another_packet)
{
    packet one, more;
    rocecc_edit e;
    two(&one);
    more = one;
    CHECK_EQ(push(&more, 7, 1500), ROCECC_EDIT_CHANGE);
    e = planned(&one, make_strip, 1500);
    CHECK_EQ(rocecc_edit_write(&e, rocecc_writer_of(more.b, more.b + more.n)),
             ROCECC_NO_MATCH);
    rocecc_store16(more.b + 2, (uint16_t)one.n); /* only the stack tells them apart */
    more.b[10] = one.b[10];
    more.b[11] = one.b[11];
    CHECK_EQ(rocecc_edit_write(&e, rocecc_writer_of(more.b, more.b + more.n)),
             ROCECC_NO_MATCH);
    CHECK_EQ(rocecc_edit_write(&e, rocecc_writer_of(one.b, one.b + one.n)), ROCECC_OK);
}

/* Where TCP ends is where the metadata header goes: another Data Offset is another
 * packet. */
TEST(ifa_another_data_offset)
{
    packet p;
    rocecc_edit e;
    rocecc_writer w;
    packet_make(&p, 6, 6);
    e = planned(&p, make_insert, 1500);
    CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
    w = rocecc_writer_of(p.b, p.b + sizeof p.b);
    w.at = p.n;
    p.b[40 + 12] ^= 0x10;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_NO_MATCH);
    p.b[40 + 12] ^= 0x10;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
}

/* IFA in a packet that another one carries: both IP headers have its bytes. */
TEST(ifa_ip_in_ip)
{
    int outer, version;
    for (outer = 4; outer <= 6; outer += 2)
        for (version = 4; version <= 6; version += 2) {
            const size_t head = outer == 4 ? 20 : 40;
            packet p, around, was;
            rocecc_edit e;
            packet_make(&p, version, 17);
            packet_make(&around, outer, version == 4 ? 4 : 41);
            memcpy(around.b + head, p.b, p.n);
            around.n = head + p.n;
            rocecc_store16(around.b + (outer == 4 ? 2 : 4),
                           (uint16_t)(outer == 4 ? around.n : p.n));
            if (outer == 4) {
                rocecc_store16(around.b + 10, 0);
                rocecc_store16(around.b + 10, rocecc_ipv4_checksum(rocecc_reader_of(
                                                  around.b, around.b + 20)));
            }
            was = around;
            insert(&around, 255, 255);
            CHECK_EQ(push(&around, 0, 1500), ROCECC_EDIT_CHANGE);
            check_stack(&around, 1);
            CHECK_EQ(around.n, was.n + 8 + 32);
            e = planned(&around, make_push, (uint32_t)around.n + 31);
            CHECK_EQ(e.verdict, ROCECC_EDIT_MTU); /* of the outer packet */
            strip(&around);
            CHECK(around.n == was.n && memcmp(around.b, was.b, was.n) == 0);
        }
}

/* Extension headers up to the cap, and one more; the last one tells of IFA. */
TEST(ifa_extension_headers)
{
    unsigned n, i;
    for (n = 0; n <= ROCECC_IP6EXT_MAX + 1; n++) {
        packet p, was;
        packet_make(&p, 6, 17);
        for (i = 0; i < n; i++) {
            open_at(&p, 40, 8);
            p.b[40] = i == 0 ? 17 : 60;
            p.b[6] = 60;
        }
        rocecc_store16(p.b + 4, (uint16_t)(p.n - 40));
        was = p;
        if (n > ROCECC_IP6EXT_MAX) {
            CHECK_EQ(planned(&p, make_insert, 1500).verdict, ROCECC_EDIT_UNSUPPORTED);
            continue;
        }
        insert(&p, 255, 255);
        CHECK_EQ(p.b[n == 0 ? 6 : 40 + 8 * (n - 1)], 253);
        CHECK_EQ(push(&p, 0, 1500), ROCECC_EDIT_CHANGE);
        check_stack(&p, 1);
        strip(&p);
        CHECK(p.n == was.n && memcmp(p.b, was.b, was.n) == 0);
    }
}

/* Too wide a value loses its high bits, and touches no neighbour. */
TEST(ifa_header_store_too_wide)
{
    const rocecc_ifa_header version = {0xf3, 0, 0, 0, 0}, gns = {0, 0xf3, 0, 0, 0};
    uint8_t b[4];
    rocecc_ifa_header_store(b, &version);
    CHECK_EQ(rocecc_load32(b), 0x30000000);
    rocecc_ifa_header_store(b, &gns);
    CHECK_EQ(rocecc_load32(b), 0x03000000);
}

/* Too wide a value loses its high bits: packet_id is 26 bits, mf_id 5, last 1. */
TEST(ifa_fragment_store_too_wide)
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
 * RFC 2784, 2.1, RFC 2890, 2: C, K and S announce 4 bytes each; R (RFC 1701) a route of
 * unknown length, which RFC 2784 has discarded; s and Recur no bytes. The version is 0.
 */
TEST(ifa_gre_flags_all)
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
