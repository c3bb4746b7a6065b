/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/intmd.h"
#include "lib/edits.h"
#include "lib/noun.h"
#include "rocecc/wire/intmd.h"

#include <string.h>

NOUN(intmd_shim, parse, false, ROCECC_INTMD_SHIM_FIELDS);
NOUN(intmd_gre, parse, false, ROCECC_INTMD_GRE_FIELDS);
NOUN(intmd_gpe, parse, false, ROCECC_INTMD_GPE_FIELDS);
NOUN(intmd_geneve, parse, false, ROCECC_INTMD_GENEVE_FIELDS);
NOUN_WORD(intmd_header, ROCECC_INTMD_HEADER_BYTES, ROCECC_INTMD_HEADER_FIELDS);
NOUN_LOADED(intmd_mx, intmd_mx, ROCECC_INTMD_HEADER_BYTES, ROCECC_INTMD_MX_FIELDS);

/* Arguments and results of the calls, besides a node. */
typedef struct answer {
    intmd_shown node;
    rocecc_intmd_header header;
    uint16_t instructions;
    uint8_t words;
    uint8_t kind;
    uint8_t i;
    rocecc_edit_verdict verdict;
    rocecc_intmd_mark_type mark;
    uint8_t hops;
    uint16_t src_port;
    uint16_t upper; /* offset in the packet, as is `shim` */
    uint16_t shim;
    uint16_t at;
    uint16_t bytes;
    uint32_t mtu_bytes;
    rocecc_reader packet;
} answer;

#define INTMD_FIELDS(F, T)                                                             \
    F(T, UINT, header.ver, NULL)                                                       \
    F(T, BOOL, header.d, NULL)                                                         \
    F(T, BOOL, header.e, NULL)                                                         \
    F(T, BOOL, header.m, NULL)                                                         \
    F(T, UINT, header.reserved, NULL)                                                  \
    F(T, UINT, header.hop_ml, NULL)                                                    \
    F(T, UINT, header.remaining_hop_count, NULL)                                       \
    F(T, UINT, header.instructions, NULL)                                              \
    F(T, UINT, header.ds_id, NULL)                                                     \
    F(T, UINT, header.ds_instruction, NULL)                                            \
    F(T, UINT, header.ds_flags, NULL)                                                  \
    F(T, UINT, source_words, NULL)                                                     \
    F(T, UINT, n_nodes, NULL)                                                          \
    F(T, VIEW, nodes, NULL)

#define ANSWER_FIELDS(F, T)                                                            \
    F(T, UINT, instructions, NULL)                                                     \
    F(T, UINT, i, NULL)                                                                \
    F(T, ENUM, mark, INTMD_MARKS)                                                      \
    F(T, UINT, hops, NULL)                                                             \
    F(T, UINT, src_port, NULL)                                                         \
    F(T, UINT, mtu_bytes, NULL)                                                        \
    F(T, UINT, header.hop_ml, NULL)                                                    \
    F(T, UINT, header.instructions, NULL)                                              \
    F(T, UINT, header.ds_id, NULL)                                                     \
    F(T, UINT, header.ds_instruction, NULL)

#define CONFIG_FIELDS(F, T)                                                            \
    F(T, UINT, udp_port, NULL)                                                         \
    F(T, UINT, dscp, NULL)                                                             \
    F(T, UINT, dscp_mask, NULL)                                                        \
    F(T, HEX, probe_marker, NULL)                                                      \
    F(T, BOOL, before_options, NULL)                                                   \
    F(T, BOOL, pad_unknown, NULL)                                                      \
    F(T, BOOL, complement, NULL)                                                       \
    F(T, UINT, ds_id, NULL)                                                            \
    F(T, BYTES, source_words, NULL)

static const field md_fields[] = {INTMD_FIELDS(FIELD_ROW, rocecc_intmd)};
static const field node_fields[] = {ROCECC_INTMD_NODE_FIELDS(FIELD_ROW, intmd_shown)};
static const field args[] = {ANSWER_FIELDS(FIELD_ROW, answer)};
static const field config_fields[] = {CONFIG_FIELDS(FIELD_ROW, rocecc_intmd_config)};
static const field words_out[] = {FIELD_ROW(answer, UINT, words, NULL)};
static const field kind_out[] = {FIELD_ROW(answer, ENUM, kind, INTMD_KINDS)};
static const field find_out[] = {FIELD_ROW(answer, ENUM, mark, INTMD_MARKS) FIELD_ROW(
    answer, UINT, upper, NULL) FIELD_ROW(answer, UINT, shim, NULL)};
static const field plan_out[] = {FIELD_ROW(answer, ENUM, verdict, EDIT_VERDICTS)
                                     FIELD_ROW(answer, UINT, at, NULL)
                                         FIELD_ROW(answer, UINT, bytes, NULL)};
static const field packet_out[] = {FIELD_ROW(answer, ENUM, verdict, EDIT_VERDICTS)
                                       FIELD_ROW(answer, VIEW, packet, NULL)};

static rocecc_reader row_reader(const vec_row *row)
{
    return noun_reader(row->bytes, row->n);
}

static bool set(const field *f, size_t n, void *record, const vec_pair *pair,
                const char *key)
{
    size_t k;
    for (k = 0; k < n; k++)
        if (strcmp(f[k].name, key) == 0) return field_set(&f[k], record, pair->value);
    return false;
}

static rocecc_intmd_config config_of(const vec_row *row)
{
    rocecc_intmd_config c = {0};
    size_t i;
    for (i = 0; i < row->n_config; i++)
        CHECK(strncmp(row->config[i].key, "intmd.", 6) == 0 &&
              set(config_fields, NOUN_COUNT(config_fields), &c, &row->config[i],
                  row->config[i].key + 6));
    return c;
}

static rocecc_domain domain_of(const vec_row *row)
{
    rocecc_domain d = law_intmd_domain(0);
    d.intmd = config_of(row);
    return d;
}

/* Sets members of the answer and of its node from a row's arguments. */
static answer args_of(const vec_row *row)
{
    answer a = {0};
    size_t i;
    a.node.reserved = a.node.ds = a.packet = rocecc_reader_of(NULL, NULL);
    for (i = 0; i < row->n_in; i++)
        if (!set(args, NOUN_COUNT(args), &a, &row->in[i], row->in[i].key) &&
            !set(node_fields, NOUN_COUNT(node_fields), &a.node, &row->in[i],
                 row->in[i].key))
            test_fail(__FILE__, __LINE__, "%s is not an argument", row->in[i].key);
    return a;
}

static void call_words(const vec_row *row)
{
    answer a = args_of(row);
    a.words = rocecc_intmd_words(a.instructions);
    noun_check_out(row, words_out, 1, ROCECC_OK, &a);
}

static void call_match(const vec_row *row)
{
    answer a = args_of(row);
    a.kind = (uint8_t)rocecc_intmd_match(row_reader(row));
    noun_check_out(row, kind_out, 1, ROCECC_OK, &a);
}

static void call_parse(const vec_row *row)
{
    static const rocecc_intmd zero;
    const rocecc_intmd_config c = config_of(row);
    rocecc_intmd h = zero;
    const rocecc_status status = rocecc_intmd_parse(&c, row_reader(row), &h);
    if (status != ROCECC_OK) CHECK(memcmp(&h, &zero, sizeof h) == 0);
    noun_check_out(row, md_fields, NOUN_COUNT(md_fields), status, &h);
}

/* Checks node i. If there are only i nodes, the status is END. */
static void call_node(const vec_row *row)
{
    const rocecc_intmd_config c = config_of(row);
    const answer a = args_of(row);
    rocecc_intmd h;
    rocecc_intmd_node n;
    rocecc_reader nodes;
    rocecc_report_layout l = ROCECC_ZERO;
    intmd_shown shown;
    rocecc_status status = ROCECC_OK;
    unsigned i;
    memset(&shown, 0, sizeof shown);
    CHECK_EQ(rocecc_intmd_parse(&c, row_reader(row), &h), ROCECC_OK);
    nodes = h.nodes;
    rocecc_intmd_layout_update(h.header.instructions, &l);
    for (i = 0; i <= a.i && status == ROCECC_OK; i++)
        status = rocecc_intmd_node_next(&h, &l, &nodes, &n);
    CHECK(status == ROCECC_OK || i == a.i + 1u);
    if (status == ROCECC_OK) shown = intmd_show(&h, &n, nodes);
    noun_check_out(row, node_fields, NOUN_COUNT(node_fields), status, &shown);
}

/* Checks a node that emit() writes. RANGE may come from set() or from emit(). */
static void call_node_emit(const vec_row *row)
{
    const answer a = args_of(row);
    const size_t room = row->status == ROCECC_OK ? row->n : 4096;
    rocecc_writer w = noun_writer(room);
    const size_t start = w.at;
    uint8_t *at = w.base + start;
    rocecc_intmd_node n;
    rocecc_status status = intmd_node_of(&a.node, a.header.instructions, &n);
    memset(at, 0xa5, room);
    if (status == ROCECC_OK) {
        status = rocecc_intmd_node_emit(&w, &a.header, &n, a.node.ds);
        CHECK_EQ(rocecc_intmd_node_bytes(&a.header, &a.node.ds), row->n);
    }
    CHECK_EQ(status, row->status);
    CHECK_EQ(w.at - start, row->n);
    if (row->status == ROCECC_OK)
        CHECK(memcmp(at, row->bytes, row->n) == 0);
    else
        CHECK(at[0] == 0xa5 && memcmp(at, at + 1, room - 1) == 0);
}

static void call_find(const vec_row *row)
{
    static const rocecc_intmd_shim zero;
    const rocecc_domain d = domain_of(row);
    const rocecc_reader r = row_reader(row);
    rocecc_intmd_shim h = zero;
    rocecc_packet p;
    answer a = {0};
    rocecc_status status;
    (void)rocecc_packet_parse(&d, r, &p);
    status = rocecc_intmd_find(&p, &h);
    if (status != ROCECC_OK) CHECK(memcmp(&h, &zero, sizeof h) == 0);
    a.upper = (uint16_t)(p.headers.ip.upper - r.at);
    a.shim = (uint16_t)(p.headers.intmd - r.at);
    if (status == ROCECC_OK) a.mark = rocecc_intmd_mark_find(&p, &h);
    noun_check_out(row, find_out, NOUN_COUNT(find_out), status, &a);
}

/* A node's change to a packet. */
typedef struct change {
    rocecc_intmd_source source;
    rocecc_intmd_node node;
    rocecc_reader ds;
    bool without; /* without a source's own node */
} change;

static rocecc_edit_verdict make_push(const rocecc_packet *p, const void *arg,
                                     rocecc_edit *e)
{
    const change *what = (const change *)arg;
    return rocecc_intmd_push(p, &what->node, what->ds, what->source.mtu_bytes, e);
}

static rocecc_edit_verdict make_insert(const rocecc_packet *p, const void *arg,
                                       rocecc_edit *e)
{
    const change *what = (const change *)arg;
    return rocecc_intmd_insert(p, &what->source, what->without ? NULL : &what->node,
                               what->ds, e);
}

static rocecc_edit_verdict make_strip(const rocecc_packet *p, const void *arg,
                                      rocecc_edit *e)
{
    (void)arg;
    return rocecc_intmd_strip(p, e);
}

static change change_of(uint8_t mark, uint16_t instructions, uint8_t hops,
                        uint32_t mtu_bytes)
{
    change what;
    memset(&what, 0, sizeof what);
    rocecc_intmd_node_init(&what.node);
    what.ds = rocecc_reader_of(NULL, NULL);
    what.source.mark = mark;
    what.source.mtu_bytes = mtu_bytes;
    what.source.header = rocecc_intmd_header_init(instructions, hops);
    return what;
}

static void check_change(const vec_row *row, edits_make make, const change *what)
{
    static uint8_t b[VEC_BYTES + LAW_EDIT_MORE];
    const rocecc_domain d = domain_of(row);
    answer a = {0};
    rocecc_edit e;
    size_t n = row->n;
    memcpy(b, row->bytes, row->n);
    e = edits(&d, b, &n, make, what);
    a.verdict = e.verdict;
    a.packet = rocecc_reader_of(b, b + n);
    if (!rocecc_edit_needs_action(&e))
        CHECK(n == row->n && memcmp(b, row->bytes, n) == 0);
    noun_check_out(row, packet_out, NOUN_COUNT(packet_out), ROCECC_OK, &a);
}

/* Returns a row's change. The node has the items of all instructions. */
static change change_of_row(const vec_row *row)
{
    const answer a = args_of(row);
    change what = change_of(a.mark, a.instructions, a.hops, a.mtu_bytes);
    what.source.src_port = a.src_port;
    CHECK_EQ(intmd_node_of(&a.node, 0xffff, &what.node), ROCECC_OK);
    what.ds = a.node.ds;
    return what;
}

static void call_plan_push(const vec_row *row)
{
    const change what = change_of_row(row);
    const rocecc_domain d = domain_of(row);
    const rocecc_reader r = row_reader(row);
    rocecc_packet p;
    rocecc_edit e;
    answer a = {0};
    (void)rocecc_packet_parse(&d, r, &p);
    a.verdict = make_push(&p, &what, &e);
    if (e.n_splices != 0) {
        CHECK_EQ(e.splice[0].offset, p.headers.intmd + 16u);
        CHECK_EQ(e.splice[0].old_bytes, 0);
        a.at = (uint16_t)(e.splice[0].offset - r.at);
        a.bytes = e.splice[0].new_bytes;
    }
    noun_check_out(row, plan_out, NOUN_COUNT(plan_out), ROCECC_OK, &a);
}

static void call_push(const vec_row *row)
{
    const change what = change_of_row(row);
    check_change(row, make_push, &what);
}

static void call_insert(const vec_row *row)
{
    const change what = change_of_row(row);
    check_change(row, make_insert, &what);
}

static void call_strip(const vec_row *row)
{
    const change what = change_of_row(row);
    check_change(row, make_strip, &what);
}

static const noun_call calls[] = {
    {"intmd_words", call_words},         {"intmd_match", call_match},
    {"intmd_parse", call_parse},         {"intmd_node", call_node},
    {"intmd_node_emit", call_node_emit}, {"intmd_find", call_find},
    {"intmd_plan_push", call_plan_push}, {"intmd_push", call_push},
    {"intmd_insert", call_insert},       {"intmd_strip", call_strip}};

TEST(intmd_vectors)
{
    const noun nouns[] = {intmd_shim_noun,   intmd_gre_noun,    intmd_gpe_noun,
                          intmd_geneve_noun, intmd_header_noun, intmd_mx_noun};
    const noun_file file = {"intmd",           law_intmd, nouns,
                            NOUN_COUNT(nouns), calls,     NOUN_COUNT(calls)};
    noun_frame_vectors(&file);
}

/*
 * init() sets version 2, the instructions' words as Hop ML, and no domain (INT 2.1,
 * 5.7).
 */
TEST(intmd_header_init_counts_the_words_of_instructions)
{
    static const struct {
        uint16_t instructions;
        uint8_t words;
    } rows[] = {{0x8000, 1}, {0x0800, 2},  {0x0400, 2}, {0x0200, 2}, {0x0100, 1},
                {0xd500, 6}, {0xff80, 12}, {0x0001, 1}, {0x0000, 0}};
    size_t i;
    for (i = 0; i < NOUN_COUNT(rows); i++) {
        const rocecc_intmd_header h =
            rocecc_intmd_header_init(rows[i].instructions, (uint8_t)(200 + i));
        test_context("%04x", rows[i].instructions);
        CHECK_EQ(h.ver, 2);
        CHECK(!h.d && !h.e && !h.m);
        CHECK_EQ(h.reserved, 0);
        CHECK_EQ(h.hop_ml, rows[i].words);
        CHECK_EQ(h.remaining_hop_count, 200 + i);
        CHECK_EQ(h.instructions, rows[i].instructions);
        CHECK(h.ds_id == 0 && h.ds_instruction == 0 && h.ds_flags == 0);
    }
}

TEST(intmd_header_bits_belong_to_one_member)
{
    noun_bits(&intmd_header_noun, ROCECC_INTMD_HEADER_BYTES);
    noun_bits(&intmd_mx_noun, ROCECC_INTMD_HEADER_BYTES);
}

/*
 * The widest hop has 31 words, all for a domain's instruction. Without values, they are
 * ones.
 */
TEST(intmd_absent_domain_words_are_written_as_ones)
{
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    rocecc_intmd_header h = rocecc_intmd_header_init(0, 1);
    rocecc_intmd_node n;
    rocecc_writer w = noun_writer(124);
    size_t i;
    h.hop_ml = 31;
    h.ds_instruction = 1;
    memset(&n, 0, sizeof n);
    CHECK_EQ(rocecc_intmd_node_bytes(&h, &none), 124);
    CHECK_EQ(rocecc_intmd_node_emit(&w, &h, &n, none), ROCECC_OK);
    CHECK_EQ(rocecc_room(&w), 0);
    for (i = 1; i <= 124; i++)
        CHECK_EQ(w.base[w.at - i], 0xff);
}

/*
 * Each item keeps to its width, changes no neighbour, and is absent if it is all ones.
 */
TEST(intmd_items_keep_to_their_width)
{
    static const struct {
        rocecc_intmd_item item, all;
    } rows[] = {
#define ROW(mask, whole, type, member, name)                                           \
    {ROCECC_INTMD_ITEM_##name, ROCECC_INTMD_ITEM_##whole},
        INTMD_ITEMS(ROW)};
    size_t i, k;
    for (i = 0; i < NOUN_COUNT(rows); i++) {
        const unsigned bits = rows[i].item & 0xff;
        const uint64_t ones = UINT64_MAX >> (64 - bits);
        rocecc_intmd_node n;
        test_context("item %zu", i);
        memset(&n, 0, sizeof n);
        CHECK_EQ(rocecc_intmd_set(&n, rows[i].item, ones), ROCECC_OK);
        CHECK_EQ(rocecc_intmd_get(&n, rows[i].item), ones);
        CHECK(!rocecc_intmd_has(&n, rows[i].item));
        CHECK_EQ(rocecc_intmd_has(&n, rows[i].all), rows[i].item != rows[i].all);
        for (k = 0; k < NOUN_COUNT(rows); k++)
            if (k != i) CHECK_EQ(rocecc_intmd_get(&n, rows[k].item), 0);
        CHECK_EQ(rocecc_intmd_set(&n, rows[i].item, ones - 1), ROCECC_OK);
        CHECK_EQ(rocecc_intmd_get(&n, rows[i].item), ones - 1);
        CHECK(rocecc_intmd_has(&n, rows[i].item));
        if (bits < 64)
            CHECK_EQ(rocecc_intmd_set(&n, rows[i].item, ones + 1), ROCECC_ERR_RANGE);
        CHECK_EQ(rocecc_intmd_get(&n, rows[i].item), ones - 1);
        rocecc_intmd_node_init(&n);
        CHECK(!rocecc_intmd_has(&n, rows[i].all));
    }
}

/*
 * Every instruction bitmap has the words of the table. With 0 to 2 nodes, parse()
 * accepts this number as Hop ML, and one word more only with a DS Instruction. One word
 * less, or Hop ML 0, gives FORMAT.
 */
TEST(intmd_hop_ml_must_fit_every_bitmap)
{
    static uint8_t b[12 + 4 * 64];
    const rocecc_intmd_config c = law_intmd_config(0);
    uint32_t i;
    unsigned bad = 0;
    for (i = 0; i < 0x10000; i++) {
        const unsigned words = law_intmd_words(i);
        unsigned ml, n, ds;
        if (rocecc_intmd_words((uint16_t)i) != words) bad++;
        b[0] = 0x20;
        rocecc_store16(b + 4, (uint16_t)i);
        for (ml = words == 0 ? 0 : words - 1; ml <= words + 1; ml++)
            for (ds = 0; ds < 2; ds++)
                for (n = 0; n <= 2; n++) {
                    const rocecc_reader r = rocecc_reader_of(b, b + 12 + 4 * ml * n);
                    const bool fits = ml > 0 && (ml == words || (ml > words && ds));
                    rocecc_intmd h;
                    rocecc_status status;
                    b[2] = (uint8_t)ml;
                    b[9] = (uint8_t)ds;
                    status = rocecc_intmd_parse(&c, r, &h);
                    if (status != (fits ? ROCECC_OK : ROCECC_ERR_FORMAT)) bad++;
                    if (status == ROCECC_OK && h.n_nodes != n) bad++;
                }
    }
    CHECK_EQ(bad, 0);
    CHECK_EQ(rocecc_intmd_words(ROCECC_INTMD_HPCC), 6);
    CHECK_EQ(rocecc_intmd_words(ROCECC_INTMD_HPCC_UNTIMED), 4);
}

/* Every Hop ML and many stack lengths, against the model. */
TEST(intmd_parse_follows_the_model_for_every_hop_ml)
{
    static uint8_t b[12 + 4 * 260];
    const rocecc_intmd_config c = law_intmd_config(0);
    unsigned ml, dsi, id;
    size_t n;
    b[0] = 0x20;
    for (ml = 0; ml < 32; ml++)
        for (dsi = 0; dsi < 4; dsi++)
            for (id = 0; id < 3; id++)
                for (n = 12; n <= sizeof b; n += n < 100 ? 1 : 4) {
                    const rocecc_reader r = rocecc_reader_of(b, b + n);
                    rocecc_intmd h;
                    b[2] = (uint8_t)ml;
                    b[4] = ml == 0 ? 0 : 0x80;
                    b[7] = (uint8_t)id;
                    b[8] = (uint8_t)(dsi << 6);
                    test_context("Hop ML %u, DS %u of %u, %zu bytes", ml, dsi, id, n);
                    CHECK_EQ(rocecc_intmd_parse(&c, r, &h), law_intmd_status(&c, r));
                }
}

/* Writes a UDP or TCP packet over IPv4 or IPv6 with correct checksums. */
static size_t original_packet(uint8_t *b, int version, uint8_t proto, uint64_t *seed)
{
    const size_t ip = version == 4 ? 20 : 40, l4 = proto == 17 ? 8 : 20;
    const size_t n = ip + l4 + test_random(seed) % 64;
    law_intmd_upper p;
    uint32_t sum;
    size_t i;
    for (i = 0; i < n; i++)
        b[i] = (uint8_t)(test_random(seed) >> 8);
    memset(b, 0, 12);
    b[0] = version == 4 ? 0x45 : 0x60;
    rocecc_store16(b + (version == 4 ? 2 : 4), (uint16_t)(version == 4 ? n : n - 40));
    b[version == 4 ? 8 : 7] = 64;
    b[version == 4 ? 9 : 6] = proto;
    if (version == 4) {
        rocecc_reader header = rocecc_reader_of(b, b + 20);
        rocecc_store16(b + 10, rocecc_ipv4_checksum(header));
    }
    rocecc_store16(b + ip + 2, 4791);
    if (proto == 17) rocecc_store16(b + ip + 4, (uint16_t)(n - ip));
    if (proto == 6) b[ip + 12] = 0x50;
    p.proto = proto;
    p.at = ip;
    p.end = n;
    rocecc_store16(b + ip + (proto == 17 ? 6 : 16), 0);
    sum = law_intmd_residue(b, &p);
    if (sum == 0x10000) { /* UDP: 0xffff stands for 0 */
        rocecc_store16(b + ip + 6, 0xffff);
        sum = law_intmd_residue(b, &p);
    }
    sum = 0xffff - sum;
    rocecc_store16(b + ip + (proto == 17 ? 6 : 16),
                   (uint16_t)(sum == 0xffff && proto == 6 ? 0 : sum));
    CHECK_EQ(law_intmd_residue(b, &p), 0);
    return n;
}

/* Returns the items of a hop. */
static intmd_shown shown_of(unsigned hop)
{
    intmd_shown n = {0};
    n.present = hop % 2 == 0 ? 0xd500 : 0xd100; /* odd hops have no clock */
    n.node_id = 0xa00 + hop;
    n.ingress_id = (uint16_t)(100 * hop);
    n.egress_id = (uint16_t)(100 * hop + 1);
    n.queue_id = 3;
    n.queue_occupancy = 1000 * hop;
    n.egress_timestamp = hop % 2 == 0 ? UINT64_C(0x17979cfe00000000) + hop : 0;
    n.egress_tx_utilization = 9000 + hop;
    n.reserved = n.ds = rocecc_reader_of(NULL, NULL);
    return n;
}

static rocecc_intmd_node node_of(unsigned hop)
{
    const intmd_shown shown = shown_of(hop);
    rocecc_intmd_node n;
    CHECK_EQ(intmd_node_of(&shown, 0xffff, &n), ROCECC_OK);
    return n;
}

/* A path with a source and hops. A hop may find no hop count left, or no room. */
typedef struct path {
    rocecc_intmd_config config;
    rocecc_intmd_mark_type mark;
    uint16_t instructions;
    uint8_t allowed; /* initial hop count */
    unsigned hops;   /* after the source */
    unsigned narrow; /* hop with a too narrow link; 0: none */
} path;

static rocecc_domain domain_on(const path *way)
{
    rocecc_domain d = law_intmd_domain(0);
    d.intmd = way->config;
    return d;
}

/* Returns a hop's expected verdict. An earlier hop without room used no count. */
static rocecc_edit_verdict verdict_of(const path *way, unsigned hop)
{
    const unsigned used = hop - (way->narrow != 0 && way->narrow < hop ? 1 : 0);
    if (used >= way->allowed) return ROCECC_EDIT_HOPS;
    return hop == way->narrow ? ROCECC_EDIT_MTU : ROCECC_EDIT_CHANGE;
}

/* Applies a node's plan to a packet of *n bytes, sets its new length in *n, and returns
 * the verdict. */
static rocecc_edit_verdict apply(const rocecc_domain *d, uint8_t *b, size_t *n,
                                 edits_make make, const change *what)
{
    rocecc_writer w = rocecc_writer_of(b, b + 2048);
    rocecc_packet p;
    rocecc_edit e;
    rocecc_edit_verdict verdict;
    (void)rocecc_packet_parse(d, rocecc_reader_of(b, b + *n), &p);
    verdict = make(&p, what, &e);
    w.at = *n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    *n = w.at;
    return verdict;
}

/* Sends a packet of n bytes along a path, and returns its length at the sink. */
static size_t walk(const path *way, uint8_t *b, size_t n)
{
    const rocecc_domain d = domain_on(way);
    change what = change_of(way->mark, way->instructions, way->allowed, 1500);
    unsigned hop;
    what.source.src_port = 0xe000;
    what.node = node_of(0);
    CHECK_EQ(apply(&d, b, &n, make_insert, &what), ROCECC_EDIT_CHANGE);
    for (hop = 1; hop <= way->hops; hop++) {
        what.node = node_of(hop);
        what.source.mtu_bytes = hop == way->narrow ? (uint32_t)n + 3 : 1500;
        CHECK_EQ(apply(&d, b, &n, make_push, &what), verdict_of(way, hop));
    }
    return n;
}

/* Checks the nodes at the sink, newest first, and the packet after a strip. */
static void end_of_path(const path *way, uint8_t *b, size_t n, const uint8_t *was,
                        size_t m)
{
    const rocecc_domain d = domain_on(way);
    const change what = change_of(0, 0, 0, 0);
    rocecc_reader nodes;
    rocecc_packet p;
    rocecc_intmd_shim shim;
    rocecc_intmd h;
    rocecc_intmd_node node;
    rocecc_report_layout l = ROCECC_ZERO;
    law_intmd_upper u;
    size_t k;
    int hop;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
    CHECK_EQ(rocecc_intmd_find(&p, &shim), ROCECC_OK);
    CHECK_EQ(rocecc_intmd_parse(&d.intmd, shim.body, &h), ROCECC_OK);
    CHECK_EQ(rocecc_intmd_mark_find(&p, &shim), way->mark);
    u.proto = p.headers.ip.proto;
    u.at = p.headers.ip.upper;
    u.end = n;
    CHECK_EQ(law_intmd_ip_residue(b), 0);
    if (way->mark != ROCECC_INTMD_MARK_NEW_UDP) CHECK_EQ(law_intmd_residue(b, &u), 0);
    CHECK_EQ(h.header.m, way->narrow != 0 && way->narrow < way->allowed);
    CHECK_EQ(h.header.e, verdict_of(way, way->hops) == ROCECC_EDIT_HOPS);
    nodes = h.nodes;
    rocecc_intmd_layout_update(h.header.instructions, &l);
    for (hop = (int)way->hops; hop >= 0; hop--) {
        const intmd_shown should = shown_of((unsigned)hop);
        intmd_shown is;
        if (hop > 0 && verdict_of(way, (unsigned)hop) != ROCECC_EDIT_CHANGE) continue;
        CHECK_EQ(rocecc_intmd_node_next(&h, &l, &nodes, &node), ROCECC_OK);
        is = intmd_show(&h, &node, nodes);
        is.present = (uint16_t)(is.present & 0xff80u);
        for (k = 0; k < NOUN_COUNT(node_fields); k++)
            if (node_fields[k].kind != ROCECC_FIELD_VIEW &&
                strcmp(node_fields[k].name, "checksum_complement") != 0)
                CHECK(field_equal(&node_fields[k], &is, &should));
    }
    CHECK_EQ(rocecc_intmd_node_next(&h, &l, &nodes, &node), ROCECC_END);
    CHECK_EQ(apply(&d, b, &n, make_strip, &what), ROCECC_EDIT_CHANGE);
    CHECK_EQ(n, m);
    CHECK(memcmp(b, was, m) == 0);
}

/*
 * A source and five transits, by every mark, with and without a complement. The sink
 * reads their nodes and restores the packet. A transit sets E if it finds Remaining Hop
 * Count 0, and otherwise M if its link is too narrow.
 */
TEST(intmd_sink_reads_the_path_and_restores_the_packet)
{
    static uint8_t was[2048], b[2048];
    uint64_t seed = 1;
    unsigned variant, round;
    int version;
    for (round = 0; round < (unsigned)test_rounds(400); round++)
        for (version = 4; version <= 6; version += 2)
            for (variant = 0; variant < 2 * 2 * 4; variant++) {
                const uint8_t proto = variant & 1 ? 6 : 17;
                const size_t n = original_packet(was, version, proto, &seed);
                path way;
                way.config = law_intmd_config(variant & 2 ? LAW_INTMD_COMPLEMENT : 0);
                way.mark = (rocecc_intmd_mark_type)(variant >> 2);
                way.instructions =
                    (uint16_t)(ROCECC_INTMD_HPCC | (variant & 2 ? 1u : 0u));
                way.allowed = (uint8_t)(1 + round % 8);
                way.hops = 5;
                way.narrow = round / 8 % 6;
                if (proto == 6 && way.mark == ROCECC_INTMD_MARK_PORT) continue;
                test_context("round %u, IPv%d, variant %u", round, version, variant);
                memcpy(b, was, n);
                end_of_path(&way, b, walk(&way, b, n), was, n);
            }
}

/* A transit without a configuration leaves INT unchanged. */
TEST(intmd_transit_without_configuration_changes_nothing)
{
    static uint8_t was[2048], b[2048];
    uint64_t seed = 7;
    const rocecc_domain off = {.link = ROCECC_LINK_IP};
    const size_t n = original_packet(was, 4, 17, &seed);
    const change what = change_of(0, ROCECC_INTMD_HPCC, 8, 1500);
    path way = {{0}, ROCECC_INTMD_MARK_PORT, ROCECC_INTMD_HPCC, 8, 2, 0};
    size_t m, after;
    way.config = law_intmd_config(0);
    memcpy(b, was, n);
    after = m = walk(&way, b, n);
    CHECK_EQ(apply(&off, b, &after, make_push, &what), ROCECC_EDIT_NONE);
    CHECK_EQ(after, m);
    end_of_path(&way, b, m, was, n);
}

/* Returns a node's plan for a packet. */
static rocecc_edit planned(const uint8_t *b, size_t n, edits_make make,
                           const change *what)
{
    const rocecc_domain d = law_intmd_domain(0);
    rocecc_packet p;
    rocecc_edit e;
    memset(&e, 0, sizeof e);
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
    CHECK_EQ(make(&p, what, &e), e.verdict);
    return e;
}

/* Packets too long for a row grow up to the limit of IP. Beyond it, they give FULL. */
TEST(intmd_packet_beyond_the_limit_of_ip_is_full)
{
    static uint8_t b[65536 + 64];
    const change what = change_of(0, 0xd500, 4, UINT32_MAX);
    size_t total;
    int version;
    for (version = 4; version <= 6; version += 2)
        for (total = 65500; total <= 65535; total++) {
            const size_t ip = version == 4 ? 20 : 40, own = version == 4 ? 0 : 40;
            const size_t n = total + own;
            const rocecc_intmd_header h = rocecc_intmd_header_init(0xd500, 4);
            rocecc_edit e;
            memset(b, 0, ip + 24);
            b[0] = version == 4 ? 0x45 : 0x60;
            rocecc_store16(b + (version == 4 ? 2 : 4), (uint16_t)total);
            b[version == 4 ? 9 : 6] = 17;
            rocecc_store16(b + ip + 2, LAW_INTMD_PORT);
            rocecc_store16(b + ip + 4, (uint16_t)(n - ip));
            rocecc_store32(b + ip + 8, 0x140312b7);
            rocecc_intmd_header_store(b + ip + 12, &h);
            test_context("IPv%d, %zu", version, total);
            e = planned(b, n, make_push, &what);
            CHECK_EQ(e.verdict,
                     total + 24 > 65535 ? ROCECC_EDIT_FULL : ROCECC_EDIT_CHANGE);
            rocecc_store16(b + ip + 2, 4791); /* an insertion has 16 + 24 bytes */
            e = planned(b, n, make_insert, &what);
            CHECK_EQ(e.verdict,
                     total + 40 > 65535 ? ROCECC_EDIT_FULL : ROCECC_EDIT_CHANGE);
        }
}

/* Readers and headers that are not from parse() give FORMAT, and nothing is read. */
TEST(intmd_node_next_rejects_unparsed_headers)
{
    static const uint8_t b[64];
    rocecc_reader r = rocecc_reader_of(b, b + 7);
    rocecc_intmd h = {{0}, 0, 0, {0}};
    rocecc_report_layout l = ROCECC_ZERO;
    rocecc_intmd_node n;
    CHECK_EQ(rocecc_intmd_node_next(&h, &l, &r, &n), ROCECC_ERR_FORMAT); /* no layout */
    rocecc_intmd_layout_update(0, &l);
    CHECK_EQ(rocecc_intmd_node_next(&h, &l, &r, &n), ROCECC_ERR_FORMAT);
    h.header.hop_ml = 2;
    CHECK_EQ(rocecc_intmd_node_next(&h, &l, &r, &n), ROCECC_ERR_FORMAT);
    h.header.hop_ml = 1;
    h.header.instructions = 0x007f;
    rocecc_intmd_layout_update(0x007f, &l);
    CHECK_EQ(rocecc_intmd_node_next(&h, &l, &r, &n), ROCECC_ERR_FORMAT);
    CHECK_EQ(r.at, 0);
}

/* Length counts up to 255 words. 256 words give RANGE. */
TEST(intmd_shim_length_is_at_most_255_words)
{
    static const uint8_t body[1024];
    static uint8_t b[1024 + 4];
    size_t words;
    for (words = 0; words <= 256; words++) {
        const rocecc_intmd_shim h = {1, 2, 3, 0x1234,
                                     rocecc_reader_of(body, body + 4 * words)};
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        const rocecc_status status = rocecc_intmd_shim_emit(&w, &h);
        CHECK_EQ(status, words < 256 ? ROCECC_OK : ROCECC_ERR_RANGE);
        if (status == ROCECC_OK)
            CHECK_EQ(rocecc_load32(b), 0x1b001234 | (uint32_t)words << 16);
    }
}

/*
 * IPv4, TCP, shim and header without payload are 56 bytes in a capture of 64, at
 * offsets 0 to 7 of a buffer. A Total Length below 56 gives FORMAT.
 */
TEST(intmd_headers_must_lie_within_the_total_length)
{
    static const uint8_t shim[4] = {0x10, 3, 0, 0};
    const rocecc_domain d = law_intmd_domain(0);
    const rocecc_intmd_header header = rocecc_intmd_header_init(0xd500, 4);
    uint8_t b[8 + 64];
    size_t at, total;
    for (at = 0; at < 8; at++)
        for (total = 20; total <= 64; total++) {
            rocecc_reader r = rocecc_reader_of(b, b + at + 64);
            rocecc_packet p;
            rocecc_intmd_shim h;
            memset(b, 0, sizeof b);
            r.at = at;
            b[at] = 0x45;
            b[at + 1] = (uint8_t)(d.intmd.dscp << 2);
            rocecc_store16(b + at + 2, (uint16_t)total);
            b[at + 9] = 6;
            b[at + 20 + 12] = 0x50;
            memcpy(b + at + 40, shim, sizeof shim);
            rocecc_intmd_header_store(b + at + 44, &header);
            test_context("at %zu, %zu bytes", at, total);
            (void)rocecc_packet_parse(&d, r, &p);
            CHECK_EQ(rocecc_intmd_find(&p, &h),
                     total < 56 ? ROCECC_ERR_FORMAT : ROCECC_OK);
            if (total >= 56) CHECK_EQ(p.headers.intmd, at + 40);
        }
}

/*
 * insert() clears E. It returns RANGE if the hop count does not allow the node, Hop ML
 * does not fit the instructions, Reserved is too wide, or the version is not 2.
 */
TEST(intmd_insert_clears_e_and_rejects_bad_headers)
{
    static uint8_t was[2048];
    uint64_t seed = 3;
    const size_t n = original_packet(was, 4, 17, &seed);
    change what = change_of(0, ROCECC_INTMD_HPCC, 4, 1500);
    rocecc_edit e;
    what.source.header.e = true;
    e = planned(was, n, make_insert, &what);
    CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
    CHECK_EQ(e.splice[0].new_bytes, 40);
    CHECK_EQ(e.fill[4], 0x20); /* version 2, D, E and M clear */
    what.without = true;
    e = planned(was, n, make_insert, &what);
    CHECK_EQ(e.splice[0].new_bytes, 16);
    CHECK_EQ(e.fill[4], 0x20);
    what.source.header.remaining_hop_count = 0;
    e = planned(was, n, make_insert, &what);
    CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
    what.without = false;
    e = planned(was, n, make_insert, &what);
    CHECK_EQ(e.verdict, ROCECC_EDIT_RANGE);
    what.source.header.remaining_hop_count = 1;
    what.source.header.hop_ml++;
    e = planned(was, n, make_insert, &what);
    CHECK_EQ(e.verdict, ROCECC_EDIT_RANGE);
    what.source.header.hop_ml--;
    what.source.header.reserved = 0x1000;
    e = planned(was, n, make_insert, &what);
    CHECK_EQ(e.verdict, ROCECC_EDIT_RANGE);
    what.source.header.reserved = 0xfff;
    what.source.header.ver = 1;
    e = planned(was, n, make_insert, &what);
    CHECK_EQ(e.verdict, ROCECC_EDIT_RANGE);
}

/* A record with a source's domain-specific words may have at most 240 bytes. */
TEST(intmd_insert_limits_a_record_to_240_bytes)
{
    static uint8_t was[2048];
    static const uint8_t words[256];
    uint64_t seed = 3;
    const size_t n = original_packet(was, 4, 17, &seed);
    change what = change_of(0, 0x8000, 4, 1500);
    size_t bytes;
    what.source.header.hop_ml = 2;
    what.source.header.ds_instruction = 1;
    for (bytes = 0; bytes <= 256; bytes += 4) {
        const size_t record = bytes == 0 ? 8 : 4 + bytes;
        rocecc_edit e;
        test_context("%zu bytes", bytes);
        what.ds = rocecc_reader_of(words, words + bytes);
        e = planned(was, n, make_insert, &what);
        CHECK_EQ(e.verdict, record <= 240 ? ROCECC_EDIT_CHANGE : ROCECC_EDIT_RANGE);
        if (record > 240) continue;
        CHECK_EQ(e.splice[0].new_bytes, 16 + record);
        CHECK_EQ(e.fill[1], 3 + record / 4); /* Length */
        CHECK_EQ(rocecc_load32(e.fill + 20), bytes == 0 ? UINT32_MAX : 0);
    }
}

/*
 * INT directly follows the UDP header, even if UDP Length is 20 of 28 bytes in IP, and
 * the capture has 2 bytes more.
 */
TEST(intmd_insert_directly_follows_the_udp_header)
{
    static const uint8_t b[50] = {0x45, 0, 0, 48, [9] = 17, [22] = 0x12, [25] = 20};
    const change what = change_of(0, ROCECC_INTMD_HPCC, 4, 1500);
    const rocecc_edit e = planned(b, sizeof b, make_insert, &what);
    CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
    CHECK_EQ(e.splice[0].offset, 28);
    CHECK_EQ(e.word[ROCECC_EDIT_UDP_LENGTH].new_value, 20 + 40);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_LENGTH].new_value, 48 + 40);
}

/* The four words of this probe marker are odd, and each counts in the checksum. */
TEST(intmd_probe_marker_counts_in_the_checksum)
{
    static uint8_t was[2048], b[2048];
    uint64_t seed = 5;
    unsigned i;
    for (i = 0; i < 8; i++) {
        const size_t n = original_packet(was, i & 1 ? 4 : 6, i & 2 ? 6 : 17, &seed);
        path way = {{0}, ROCECC_INTMD_MARK_PROBE, ROCECC_INTMD_HPCC, 8, 2, 0};
        way.config = law_intmd_config(0);
        way.config.probe_marker = UINT64_C(0x0001000300050007);
        test_context("%u", i);
        memcpy(b, was, n);
        end_of_path(&way, b, walk(&way, b, n), was, n);
    }
}

/*
 * A push depends on the first 10 bytes from the shim on, and a strip on the shim. Any
 * other value gives NO_MATCH.
 */
TEST(intmd_plan_does_not_fit_another_packet)
{
    static uint8_t was[2048], b[2048];
    uint64_t seed = 9;
    path way = {{0}, ROCECC_INTMD_MARK_PORT, ROCECC_INTMD_HPCC, 8, 0, 0};
    const change what = change_of(0, ROCECC_INTMD_HPCC, 8, 1500);
    rocecc_edit push, strip;
    size_t n = original_packet(b, 4, 17, &seed), i;
    way.config = law_intmd_config(0);
    n = walk(&way, b, n);
    push = planned(b, n, make_push, &what);
    strip = planned(b, n, make_strip, &what);
    CHECK(push.splice[0].new_bytes == 24 && strip.splice[0].old_bytes == 40);
    for (i = 28; i < 38; i++) {
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        memcpy(was, b, sizeof b);
        was[i] ^= 1;
        w = rocecc_writer_of(was, was + sizeof was);
        w.at = n;
        CHECK_EQ(rocecc_edit_apply(&push, &w), ROCECC_NO_MATCH);
        if (i < 32) CHECK_EQ(rocecc_edit_apply(&strip, &w), ROCECC_NO_MATCH);
        was[i] ^= 1;
        CHECK(memcmp(was, b, sizeof b) == 0);
    }
}

/* An insertion depends on Data Offset, because INT follows the TCP header. */
TEST(intmd_insert_depends_on_the_data_offset)
{
    static uint8_t b[2048];
    uint64_t seed = 11;
    const change what = change_of(ROCECC_INTMD_MARK_DSCP, ROCECC_INTMD_HPCC, 8, 1500);
    const size_t n = original_packet(b, 6, 6, &seed);
    const rocecc_edit e = planned(b, n, make_insert, &what);
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
    w.at = n;
    b[40 + 12] ^= 0x10;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_NO_MATCH);
    b[40 + 12] ^= 0x10;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
}

/*
 * A new UDP header precedes any bytes after IP, here 11 bytes that IP declares as TCP.
 * Found by a fuzzer.
 */
TEST(intmd_new_udp_header_precedes_a_cut_tcp_header)
{
    static uint8_t b[64 + LAW_EDIT_MORE] = {0x45, 0, 0, 31, [9] = 6};
    const rocecc_domain d = law_intmd_domain(0);
    const change what =
        change_of(ROCECC_INTMD_MARK_NEW_UDP, ROCECC_INTMD_HPCC, 8, 1500);
    size_t n = 31;
    CHECK_EQ(edits(&d, b, &n, make_insert, &what).verdict, ROCECC_EDIT_CHANGE);
    CHECK_EQ(n, 31 + 48);
    CHECK(b[3] == 79 && b[9] == 17 && b[20 + 5] == 59 && b[20 + 8 + 3] == 6);
}

/* A source adds words only in the configured domain. Id 0 is not a domain. */
TEST(intmd_source_words_need_the_configured_domain)
{
    static const uint8_t bytes[12 + 4 * 3] = {0x20, 0, 1, 9, 0x80, 0, 0, 7, 0x80, 0};
    uint8_t b[sizeof bytes];
    rocecc_intmd_config c;
    rocecc_intmd h;
    memset(&c, 0, sizeof c); /* no mark is enabled */
    memcpy(b, bytes, sizeof b);
    c.ds_id = 7;
    c.source_words[0] = 2; /* for bit 0x8000 */
    CHECK_EQ(rocecc_intmd_parse(&c, rocecc_reader_of(b, b + sizeof b), &h), ROCECC_OK);
    CHECK(h.source_words == 2 && h.n_nodes == 1);
    c.ds_id = 0;
    c.udp_port = 5000;
    b[7] = 0;
    CHECK_EQ(rocecc_intmd_parse(&c, rocecc_reader_of(b, b + sizeof b), &h), ROCECC_OK);
    CHECK(h.source_words == 0 && h.n_nodes == 3);
}

/* Each bit of DS Instruction has its own words, even the lowest bit. */
TEST(intmd_each_ds_bit_has_its_own_source_words)
{
    uint8_t b[12 + 4 * 17] = {0x20, 0, 1, 9, 0x80, 0, 0, 7};
    rocecc_intmd_config c;
    unsigned i;
    memset(&c, 0, sizeof c);
    c.ds_id = 7;
    for (i = 0; i < 16; i++)
        c.source_words[i] = (uint8_t)(i + 1);
    for (i = 0; i < 16; i++) { /* a node of one word, and these */
        rocecc_intmd h;
        rocecc_store16(b + 8, (uint16_t)(0x8000 >> i));
        test_context("bit %u", i);
        CHECK_EQ(rocecc_intmd_parse(&c, rocecc_reader_of(b, b + 12 + 4 * (i + 2)), &h),
                 ROCECC_OK);
        CHECK(h.source_words == i + 1 && h.n_nodes == 1);
    }
}

/* A layout of other instructions with as many words gives FORMAT. */
TEST(intmd_layout_of_other_instructions_is_rejected)
{
    static const uint8_t b[12 + 4] = {0x20, 0, 1, 9, 0x80, 0, 0, 0, 0, 0, 0, 0, 1};
    const rocecc_intmd_config c = ROCECC_ZERO;
    rocecc_report_layout l = ROCECC_ZERO;
    rocecc_intmd_node n;
    rocecc_reader nodes;
    rocecc_intmd h;
    CHECK_EQ(rocecc_intmd_parse(&c, rocecc_reader_of(b, b + sizeof b), &h), ROCECC_OK);
    nodes = h.nodes;
    rocecc_intmd_layout_update(ROCECC_INTMD_INTERFACES, &l);
    CHECK_EQ(rocecc_intmd_node_next(&h, &l, &nodes, &n), ROCECC_ERR_FORMAT);
    CHECK_EQ(nodes.at, 12);
    rocecc_intmd_layout_update(ROCECC_INTMD_NODE_ID, &l);
    CHECK_EQ(rocecc_intmd_node_next(&h, &l, &nodes, &n), ROCECC_OK);
    CHECK_EQ(n.word[0], 0x01000000);
    CHECK_EQ(rocecc_intmd_node_next(&h, &l, &nodes, &n), ROCECC_END);
}

/*
 * A domain's word is the last word of a node, unless bit 15 of the instructions adds a
 * checksum complement.
 */
TEST(intmd_domain_words_follow_the_items_of_a_node)
{
    static const uint8_t with[12 + 12] = {0x20, 0, 3,   9, 0x80, 1, 0, 2,
                                          0x40, 0, 0,   0, 0,    0, 0, 1,
                                          0xd5, 0, 0xd, 5, 0xcc, 0, 0, 0};
    static const uint8_t without[12 + 8] = {0x20, 0, 2, 9, 0x80, 0, 0,    3, 0x40, 0,
                                            0,    0, 0, 0, 0,    1, 0xd5, 0, 0xd,  5};
    const rocecc_intmd_config c = ROCECC_ZERO;
    int i;
    for (i = 0; i < 2; i++) {
        const uint8_t *b = i ? with : without;
        const size_t bytes = i ? sizeof with : sizeof without;
        rocecc_report_layout l = ROCECC_ZERO;
        rocecc_intmd_node n;
        rocecc_reader nodes, ds;
        const uint8_t *word;
        rocecc_intmd h;
        test_context("%s", i ? "with a complement" : "without one");
        CHECK_EQ(rocecc_intmd_parse(&c, rocecc_reader_of(b, b + bytes), &h), ROCECC_OK);
        rocecc_intmd_layout_update(h.header.instructions, &l);
        nodes = h.nodes;
        CHECK_EQ(rocecc_intmd_node_next(&h, &l, &nodes, &n), ROCECC_OK);
        ds = rocecc_intmd_ds(&h, nodes);
        CHECK_EQ(rocecc_left(&ds), 4);
        word = rocecc_take(&ds, 4);
        if (word != NULL) CHECK_EQ(rocecc_load32(word), 0xd5000d05);
    }
}

/* node_bytes() returns 0 if Hop ML exceeds 5 bits, or the node exceeds 1008 bytes. */
TEST(intmd_node_bytes_of_a_too_long_node_are_0)
{
    static uint8_t b[1012];
    rocecc_intmd_header h;
    rocecc_reader ds = rocecc_reader_of(b, b);
    memset(&h, 0, sizeof h);
    h.instructions = ROCECC_INTMD_NODE_ID;
    h.ds_instruction = 1;
    h.hop_ml = 31;
    CHECK_EQ(rocecc_intmd_node_bytes(&h, &ds), 124);
    h.hop_ml = 32;
    CHECK_EQ(rocecc_intmd_node_bytes(&h, &ds), 0);
    h.hop_ml = 2;
    ds = rocecc_reader_of(b, b + 1004);
    CHECK_EQ(rocecc_intmd_node_bytes(&h, &ds), 1008);
    ds = rocecc_reader_of(b, b + 1008);
    CHECK_EQ(rocecc_intmd_node_bytes(&h, &ds), 0);
}

/*
 * UNSUPPORTED for version 1 precedes FORMAT for half a word and Hop ML 0, but needs 12
 * bytes.
 */
TEST(intmd_version_is_reported_before_wrong_lengths)
{
    uint8_t b[14] = {0x10};
    const rocecc_intmd_config c = ROCECC_ZERO;
    rocecc_intmd h;
    CHECK_EQ(rocecc_intmd_parse(&c, rocecc_reader_of(b, b + 11), &h),
             ROCECC_ERR_FORMAT);
    CHECK_EQ(rocecc_intmd_parse(&c, rocecc_reader_of(b, b + 14), &h),
             ROCECC_ERR_UNSUPPORTED);
    b[0] = 0x20;
    CHECK_EQ(rocecc_intmd_parse(&c, rocecc_reader_of(b, b + 14), &h),
             ROCECC_ERR_FORMAT);
}

/* Hop ML 1 for a node ID leaves no word to a domain, but 8 more bytes are written. */
TEST(intmd_excess_domain_words_are_not_checked)
{
    static const uint8_t words[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const rocecc_reader ds = rocecc_reader_of(words, words + 8);
    const rocecc_intmd_header h = rocecc_intmd_header_init(ROCECC_INTMD_NODE_ID, 1);
    rocecc_writer w = noun_writer(12);
    rocecc_intmd_node n;
    rocecc_intmd_node_init(&n);
    CHECK_EQ(h.ds_instruction, 0);
    CHECK_EQ(rocecc_intmd_node_bytes(&h, &ds), 12);
    CHECK_EQ(rocecc_intmd_node_emit(&w, &h, &n, ds), ROCECC_OK);
    CHECK(rocecc_room(&w) == 0 && memcmp(w.base + w.at - 8, words, 8) == 0);
}

/* A body without nodes gives END, even without a layout. */
TEST(intmd_body_without_nodes_ends_with_any_layout)
{
    static const uint8_t b[12] = {0x20, 0, 1, 9, 0x80};
    const rocecc_intmd_config c = ROCECC_ZERO;
    const rocecc_report_layout l = ROCECC_ZERO;
    rocecc_intmd_node n;
    rocecc_intmd h;
    CHECK_EQ(rocecc_intmd_parse(&c, rocecc_reader_of(b, b + sizeof b), &h), ROCECC_OK);
    CHECK_EQ(h.n_nodes, 0);
    CHECK_EQ(rocecc_intmd_node_next(&h, &l, &h.nodes, &n), ROCECC_END);
}

/* In a new node, items of 8, 16, 24, 32 and 64 bits are all ones in their width. */
TEST(intmd_absent_item_is_all_ones_of_its_width)
{
    rocecc_intmd_node n;
    rocecc_intmd_node_init(&n);
    CHECK_EQ(rocecc_intmd_get(&n, ROCECC_INTMD_ITEM_QUEUE_ID), 0xff);
    CHECK_EQ(rocecc_intmd_get(&n, ROCECC_INTMD_ITEM_INGRESS_ID), 0xffff);
    CHECK_EQ(rocecc_intmd_get(&n, ROCECC_INTMD_ITEM_BUFFER_OCCUPANCY), 0xffffff);
    CHECK_EQ(rocecc_intmd_get(&n, ROCECC_INTMD_ITEM_L2_EGRESS_ID), 0xffffffff);
    CHECK_EQ(rocecc_intmd_get(&n, ROCECC_INTMD_ITEM_EGRESS_TIMESTAMP), UINT64_MAX);
}

/* Type 16, or a wide reserved field, gives RANGE even without room. */
TEST(intmd_shim_range_is_reported_before_space)
{
    rocecc_writer w = rocecc_writer_of(NULL, NULL);
    rocecc_intmd_shim shim = {16, 0, 0, 0, {0}};
    rocecc_intmd_gre gre = {16, false, 0, 0, {0}};
    rocecc_intmd_gpe gpe = {16, 0, false, 0, 0, {0}};
    rocecc_intmd_geneve geneve = {0, 255, 8, {0}};
    shim.body = gre.body = gpe.body = geneve.body = rocecc_reader_of(NULL, NULL);
    CHECK_EQ(rocecc_intmd_shim_emit(&w, &shim), ROCECC_ERR_RANGE);
    CHECK_EQ(rocecc_intmd_gre_emit(&w, &gre), ROCECC_ERR_RANGE);
    CHECK_EQ(rocecc_intmd_gpe_emit(&w, &gpe), ROCECC_ERR_RANGE);
    CHECK_EQ(rocecc_intmd_geneve_emit(&w, &geneve), ROCECC_ERR_RANGE);
    shim.type = gre.type = gpe.type = 15;
    geneve.reserved = 7; /* its type has 8 bits */
    CHECK_EQ(rocecc_intmd_shim_emit(&w, &shim), ROCECC_ERR_SPACE);
    CHECK_EQ(rocecc_intmd_gre_emit(&w, &gre), ROCECC_ERR_SPACE);
    CHECK_EQ(rocecc_intmd_gpe_emit(&w, &gpe), ROCECC_ERR_SPACE);
    CHECK_EQ(rocecc_intmd_geneve_emit(&w, &geneve), ROCECC_ERR_SPACE);
}

/* Type 2 is found with every version, but not in 4 bytes. */
TEST(intmd_destination_type_is_found_with_every_version)
{
    uint8_t b[5] = {0x20, 1};
    unsigned ver;
    for (ver = 0; ver < 16; ver++) {
        test_context("version %u", ver);
        b[4] = (uint8_t)(ver << 4);
        CHECK_EQ(rocecc_intmd_match(rocecc_reader_of(b, b + 5)),
                 ROCECC_INTMD_KIND_DESTINATION);
    }
    CHECK_EQ(rocecc_intmd_match(rocecc_reader_of(b, b + 4)), ROCECC_INTMD_KIND_UNKNOWN);
}

/* The shim's Length comes from the call, not from the body of 2 words. */
TEST(intmd_shim_word_has_the_length_of_the_call)
{
    static const uint8_t body[8];
    const rocecc_intmd_shim h = {1, 1, 0, 4791, rocecc_reader_of(body, body + 8)};
    CHECK_EQ(rocecc_intmd_shim_word(&h, 255), 0x14ff12b7);
    CHECK_EQ(rocecc_intmd_shim_word(&h, 0), 0x140012b7);
}

/* A Geneve option holds at most 31 words. */
TEST(intmd_geneve_holds_31_words)
{
    static const uint8_t body[128];
    static uint8_t b[4 + 128];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_intmd_geneve h = {0x0103, 1, 0, rocecc_reader_of(body, body + 128)};
    CHECK_EQ(rocecc_intmd_geneve_emit(&w, &h), ROCECC_ERR_RANGE);
    CHECK_EQ(w.at, 0);
    h.body = rocecc_reader_of(body, body + ROCECC_INTMD_GENEVE_MAX_BYTES);
    CHECK_EQ(rocecc_intmd_geneve_emit(&w, &h), ROCECC_OK);
    CHECK_EQ(w.at, 128);
    CHECK_EQ(rocecc_load32(b), 0x0103011f);
}
