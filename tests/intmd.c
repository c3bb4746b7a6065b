/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/intmd.h"
#include "lib/noun.h"

#include <string.h>

NOUN(intmd_shim, parse, false, INTMD_SHIM_FIELDS);
NOUN(intmd_gre, parse, false, INTMD_GRE_FIELDS);
NOUN(intmd_gpe, parse, false, INTMD_GPE_FIELDS);
NOUN(intmd_geneve, parse, false, INTMD_GENEVE_FIELDS);
NOUN(intmd_header, parse, false, INTMD_HEADER_FIELDS);
NOUN(intmd_mx, parse, false, INTMD_MX_FIELDS);

/* What the calls take or give, beside a node. */
typedef struct answer {
    rocecc_intmd_node node;
    rocecc_intmd_header header;
    uint16_t instructions;
    uint8_t words;
    uint8_t kind;
    uint8_t i;
    uint8_t verdict;
    uint8_t mark;
    uint8_t hops;
    uint16_t src_port;
    uint16_t at;
    uint16_t bytes;
    uint16_t record;
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
static const field node_fields[] = {INTMD_NODE_FIELDS(FIELD_ROW, rocecc_intmd_node)};
static const field place_fields[] = {INTMD_PLACE_FIELDS(FIELD_ROW, rocecc_intmd_place)};
static const field args[] = {ANSWER_FIELDS(FIELD_ROW, answer)};
static const field config_fields[] = {CONFIG_FIELDS(FIELD_ROW, rocecc_intmd_config)};
static const field words_out[] = {FIELD_ROW(answer, UINT, words, NULL)};
static const field kind_out[] = {FIELD_ROW(answer, ENUM, kind, INTMD_KINDS)};
static const field plan_out[] = {
    FIELD_ROW(answer, ENUM, verdict, INTMD_VERDICTS) FIELD_ROW(answer, UINT, at, NULL)
        FIELD_ROW(answer, UINT, bytes, NULL) FIELD_ROW(answer, UINT, record, NULL)};
static const field packet_out[] = {FIELD_ROW(answer, ENUM, verdict, INTMD_VERDICTS)
                                       FIELD_ROW(answer, VIEW, packet, NULL)};
static const field strip_out[] = {FIELD_ROW(answer, VIEW, packet, NULL)};

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

/* Every key before the -> is a member of the answer or of its node. */
static answer args_of(const vec_row *row)
{
    answer a = {0};
    size_t i;
    a.node.reserved = a.node.ds = a.packet = rocecc_reader_of(NULL, NULL);
    for (i = 0; i < row->n_in; i++)
        if (!set(args, NOUN_COUNT(args), &a, &row->in[i], row->in[i].key) &&
            !set(node_fields, NOUN_COUNT(node_fields), &a.node, &row->in[i],
                 row->in[i].key))
            test_fail(__FILE__, __LINE__, "%s is no argument", row->in[i].key);
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

/* Node i; END (a row's end is an ok) where there are just i. */
static void call_node(const vec_row *row)
{
    const rocecc_intmd_config c = config_of(row);
    const answer a = args_of(row);
    rocecc_intmd h;
    rocecc_intmd_node n;
    rocecc_reader nodes;
    rocecc_status status = ROCECC_OK;
    unsigned i;
    CHECK_EQ(rocecc_intmd_parse(&c, row_reader(row), &h), ROCECC_OK);
    nodes = h.nodes;
    for (i = 0; i <= a.i && status == ROCECC_OK; i++)
        status = rocecc_intmd_node_next(&h, &nodes, &n);
    CHECK(status == ROCECC_OK || i == a.i + 1u);
    noun_check_out(row, node_fields, NOUN_COUNT(node_fields), status, &n);
}

static void call_node_emit(const vec_row *row)
{
    const answer a = args_of(row);
    const size_t room = row->status == ROCECC_OK ? row->n : 4096;
    rocecc_writer w = noun_writer(room);
    const size_t start = w.at;
    uint8_t *at = w.base + start;
    memset(at, 0xa5, room);
    CHECK_EQ(rocecc_intmd_node_emit(&w, &a.header, &a.node), row->status);
    CHECK_EQ(w.at - start, row->n);
    CHECK_EQ(rocecc_intmd_node_bytes(&a.header, &a.node), row->n);
    if (row->status == ROCECC_OK)
        CHECK(memcmp(at, row->bytes, row->n) == 0);
    else
        CHECK(at[0] == 0xa5 && memcmp(at, at + 1, room - 1) == 0);
}

static void call_find(const vec_row *row)
{
    static const rocecc_intmd_place zero;
    const rocecc_intmd_config c = config_of(row);
    rocecc_intmd_place p = zero;
    rocecc_intmd_shim h;
    const rocecc_status status = rocecc_intmd_find(&c, row_reader(row), &p, &h);
    if (status != ROCECC_OK) CHECK(memcmp(&p, &zero, sizeof p) == 0);
    noun_check_out(row, place_fields, NOUN_COUNT(place_fields), status, &p);
}

/* Where the INT of a plan is: as intmd_find rows have it, or nowhere. */
static void check_place(const rocecc_intmd_config *c, const vec_row *row,
                        const rocecc_intmd_plan *plan)
{
    static const rocecc_intmd_place nowhere;
    const bool found =
        plan->verdict <= ROCECC_INTMD_MTU || plan->verdict >= ROCECC_INTMD_UNKNOWN;
    rocecc_intmd_place p = nowhere;
    rocecc_intmd_shim shim;
    size_t k;
    if (found) CHECK_EQ(rocecc_intmd_find(c, row_reader(row), &p, &shim), ROCECC_OK);
    for (k = 0; k < NOUN_COUNT(place_fields); k++)
        CHECK(field_equal(&place_fields[k], &plan->place, &p));
    CHECK_EQ(plan->at, found ? p.shim + 4u + 12u : 0);
}

static void call_plan_push(const vec_row *row)
{
    const rocecc_intmd_config c = config_of(row);
    answer a = args_of(row);
    rocecc_intmd_plan plan;
    memset(&plan, 0xa5, sizeof plan);
    rocecc_intmd_plan_push(&c, row_reader(row), a.mtu_bytes, &plan);
    check_place(&c, row, &plan);
    a.verdict = plan.verdict;
    a.at = plan.at;
    a.bytes = plan.bytes;
    a.record = plan.record;
    noun_check_out(row, plan_out, NOUN_COUNT(plan_out), ROCECC_OK, &a);
}

/* The row's packet with the gap of a plan, at a guard page. */
static rocecc_writer opened(const vec_row *row, const rocecc_intmd_plan *plan)
{
    const size_t n = row->n + plan->bytes;
    const rocecc_writer w = noun_over(noun_reader(NULL, n));
    uint8_t *at = w.base + w.at;
    memcpy(at, row->bytes, plan->at);
    memset(at + plan->at, 0xa5, plan->bytes);
    memcpy(at + plan->at + plan->bytes, row->bytes + plan->at, row->n - plan->at);
    return w;
}

static void check_packet(const vec_row *row, rocecc_writer w, rocecc_status status,
                         answer *a)
{
    a->packet = rocecc_reader_of(w.base + w.at, w.base + w.end);
    noun_check_out(row, packet_out, NOUN_COUNT(packet_out), status, a);
}

static void call_push(const vec_row *row)
{
    const rocecc_intmd_config c = config_of(row);
    answer a = args_of(row);
    rocecc_intmd_plan plan;
    rocecc_writer w;
    rocecc_status status;
    rocecc_intmd_plan_push(&c, row_reader(row), a.mtu_bytes, &plan);
    w = opened(row, &plan);
    status = rocecc_intmd_push(&c, w, &plan, &a.node);
    if (status == ROCECC_NO_MATCH)
        CHECK(memcmp(w.base + w.at, row->bytes, row->n) == 0);
    a.verdict = plan.verdict;
    check_packet(row, w, status, &a);
}

static void call_insert(const vec_row *row)
{
    static const rocecc_intmd_plan none;
    const rocecc_intmd_config c = config_of(row);
    answer a = args_of(row);
    rocecc_intmd_source source;
    rocecc_intmd_plan plan = none;
    rocecc_writer w;
    rocecc_status status;
    source.mark = a.mark;
    source.src_port = a.src_port;
    source.header = rocecc_intmd_header_init(a.instructions, a.hops);
    status = rocecc_intmd_plan_insert(&c, row_reader(row), &source, &a.node,
                                      a.mtu_bytes, &plan);
    w = opened(row, &plan);
    a.verdict = plan.verdict;
    if (status == ROCECC_OK && plan.verdict != ROCECC_INTMD_PUSH)
        CHECK_EQ(rocecc_intmd_insert(&c, w, &plan, &source, &a.node), ROCECC_NO_MATCH);
    else if (status == ROCECC_OK)
        status = rocecc_intmd_insert(&c, w, &plan, &source, &a.node);
    else
        CHECK(memcmp(&plan, &none, sizeof plan) == 0);
    check_packet(row, w, status, &a);
}

static void call_strip(const vec_row *row)
{
    static const rocecc_intmd_cut none;
    const rocecc_intmd_config c = config_of(row);
    const rocecc_writer w = noun_over(row_reader(row));
    uint8_t *b = w.base + w.at;
    rocecc_intmd_cut cut = none;
    answer a = {0};
    const rocecc_status status = rocecc_intmd_strip(&c, w, &cut);
    if (status != ROCECC_OK) {
        CHECK(memcmp(&cut, &none, sizeof cut) == 0);
        CHECK(memcmp(b, row->bytes, row->n) == 0);
    }
    memmove(b + cut.at, b + cut.at + cut.bytes,
            row->n - (size_t)cut.at - (size_t)cut.bytes);
    a.packet = rocecc_reader_of(b, b + row->n - cut.bytes);
    noun_check_out(row, strip_out, 1, status, &a);
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
    noun_vectors(&file);
}

/* INT 2.1, 5.7: version 2, a Hop ML of the instructions' words, and no domain. */
TEST(intmd_header_init_all)
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

TEST(intmd_bits)
{
    noun_bits(&intmd_header_noun, ROCECC_INTMD_HEADER_BYTES);
    noun_bits(&intmd_mx_noun, ROCECC_INTMD_HEADER_BYTES);
}

/* The widest hop there is: 31 words, all of a domain's instruction, and no value. */
TEST(intmd_emit_a_domain_alone)
{
    rocecc_intmd_header h = rocecc_intmd_header_init(0, 1);
    rocecc_intmd_node n;
    rocecc_writer w = noun_writer(124);
    size_t i;
    h.hop_ml = 31;
    h.ds_instruction = 1;
    memset(&n, 0, sizeof n);
    n.reserved = n.ds = rocecc_reader_of(NULL, NULL);
    CHECK_EQ(rocecc_intmd_node_bytes(&h, &n), 124);
    CHECK_EQ(rocecc_intmd_node_emit(&w, &h, &n), ROCECC_OK);
    CHECK_EQ(rocecc_room(&w), 0);
    for (i = 1; i <= 124; i++)
        CHECK_EQ(w.base[w.at - i], 0xff);
}

/* Every instruction bitmap: the words of the table; and with that Hop ML, one less and
 * one more, 0 to 2 nodes, with a domain that asks for more and without. */
TEST(intmd_bitmaps)
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

/* Every Hop ML and number of words of a stack, against the model. */
TEST(intmd_lengths)
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

/* An original packet: UDP or TCP over IPv4 or IPv6, with right checksums. */
static size_t plain(uint8_t *b, int version, uint8_t proto, uint64_t *seed)
{
    const size_t ip = version == 4 ? 20 : 40, l4 = proto == 17 ? 8 : 20;
    const size_t n = ip + l4 + test_random(seed) % 64;
    rocecc_intmd_place p = {0};
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
    p.version = (uint8_t)version;
    p.proto = proto;
    p.upper = (uint16_t)ip;
    p.end = (uint32_t)n;
    rocecc_store16(b + ip + (proto == 17 ? 6 : 16), 0);
    sum = law_intmd_residue(b, &p);
    if (sum == 0x10000) { /* of UDP: as if it were 0 */
        rocecc_store16(b + ip + 6, 0xffff);
        sum = law_intmd_residue(b, &p);
    }
    sum = 0xffff - sum;
    rocecc_store16(b + ip + (proto == 17 ? 6 : 16),
                   (uint16_t)(sum == 0xffff && proto == 6 ? 0 : sum));
    CHECK_EQ(law_intmd_residue(b, &p), 0);
    return n;
}

static void shift(uint8_t *b, size_t n, size_t at, size_t bytes)
{
    memmove(b + at + bytes, b + at, n - at);
    memset(b + at, 0xa5, bytes);
}

/* What a hop of the path writes. */
static rocecc_intmd_node node_of(unsigned hop)
{
    rocecc_intmd_node n = {0};
    n.present = hop % 2 == 0 ? 0xd500 : 0xd100; /* every other has no clock */
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

/* A path: a source, hops that push, or find no hop left or no room from one on. */
typedef struct path {
    rocecc_intmd_config config;
    uint8_t mark;
    uint16_t instructions;
    uint8_t allowed; /* hops */
    unsigned hops;   /* that there are, after the source */
    unsigned narrow; /* the hop whose link is too narrow; 0: none */
} path;

/* What a hop should find: those before it that had no room used no count. */
static rocecc_intmd_verdict verdict_of(const path *way, unsigned hop)
{
    const unsigned used = hop - (way->narrow != 0 && way->narrow < hop ? 1 : 0);
    if (used >= way->allowed) return ROCECC_INTMD_HOPS;
    return hop == way->narrow ? ROCECC_INTMD_MTU : ROCECC_INTMD_PUSH;
}

/* Sends a packet of n bytes in b along a path; returns how long it is at the sink. */
static size_t walk(const path *way, uint8_t *b, size_t n)
{
    const rocecc_intmd_config *c = &way->config;
    rocecc_intmd_node node = node_of(0);
    rocecc_intmd_source source;
    rocecc_intmd_plan plan;
    unsigned hop;
    source.mark = way->mark;
    source.src_port = 0xe000;
    source.header = rocecc_intmd_header_init(way->instructions, way->allowed);
    CHECK_EQ(rocecc_intmd_plan_insert(c, rocecc_reader_of(b, b + n), &source, &node,
                                      1500, &plan),
             ROCECC_OK);
    CHECK_EQ(plan.verdict, ROCECC_INTMD_PUSH);
    shift(b, n, plan.at, plan.bytes);
    n += plan.bytes;
    CHECK_EQ(rocecc_intmd_insert(c, rocecc_writer_of(b, b + n), &plan, &source, &node),
             ROCECC_OK);
    for (hop = 1; hop <= way->hops; hop++) {
        node = node_of(hop);
        rocecc_intmd_plan_push(c, rocecc_reader_of(b, b + n),
                               hop == way->narrow ? (uint32_t)n + 3 : 1500, &plan);
        CHECK_EQ(plan.verdict, verdict_of(way, hop));
        shift(b, n, plan.at, plan.bytes);
        n += plan.bytes;
        CHECK_EQ(rocecc_intmd_push(c, rocecc_writer_of(b, b + n), &plan, &node),
                 ROCECC_OK);
    }
    return n;
}

/* At the sink: the nodes of the path, newest first, then the packet as it was. */
static void sink(const path *way, uint8_t *b, size_t n, const uint8_t *was, size_t m)
{
    const rocecc_intmd_config *c = &way->config;
    rocecc_reader nodes;
    rocecc_intmd_place p;
    rocecc_intmd_shim shim;
    rocecc_intmd h;
    rocecc_intmd_node node, should;
    rocecc_intmd_cut cut;
    size_t k;
    int hop;
    CHECK_EQ(rocecc_intmd_find(c, rocecc_reader_of(b, b + n), &p, &shim), ROCECC_OK);
    CHECK_EQ(rocecc_intmd_parse(c, shim.body, &h), ROCECC_OK);
    CHECK_EQ(p.mark, way->mark);
    CHECK_EQ(law_intmd_ip_residue(b), 0);
    if (p.mark != ROCECC_INTMD_MARK_NEW_UDP) CHECK_EQ(law_intmd_residue(b, &p), 0);
    CHECK_EQ(h.header.m, way->narrow != 0 && way->narrow < way->allowed);
    CHECK_EQ(h.header.e, verdict_of(way, way->hops) == ROCECC_INTMD_HOPS);
    nodes = h.nodes;
    for (hop = (int)way->hops; hop >= 0; hop--) {
        if (hop > 0 && verdict_of(way, (unsigned)hop) != ROCECC_INTMD_PUSH) continue;
        should = node_of((unsigned)hop);
        CHECK_EQ(rocecc_intmd_node_next(&h, &nodes, &node), ROCECC_OK);
        node.present = (uint16_t)(node.present & 0xff80u);
        for (k = 0; k < NOUN_COUNT(node_fields); k++)
            if (node_fields[k].kind != FIELD_VIEW &&
                strcmp(node_fields[k].name, "checksum_complement") != 0)
                CHECK(field_equal(&node_fields[k], &node, &should));
    }
    CHECK_EQ(rocecc_intmd_node_next(&h, &nodes, &node), ROCECC_END);
    CHECK_EQ(rocecc_intmd_strip(c, rocecc_writer_of(b, b + n), &cut), ROCECC_OK);
    memmove(b + cut.at, b + cut.at + cut.bytes, n - cut.at - cut.bytes);
    CHECK_EQ(n - cut.bytes, m);
    CHECK(memcmp(b, was, m) == 0);
}

/* A source and five transits, by every mark, complement or not: the sink reads what
 * they wrote, and the packet is what it was. E after each hop count, M at each hop. */
TEST(intmd_path)
{
    static uint8_t was[2048], b[2048];
    uint64_t seed = 1;
    unsigned variant, round;
    int version;
    for (round = 0; round < (unsigned)test_rounds(400); round++)
        for (version = 4; version <= 6; version += 2)
            for (variant = 0; variant < 2 * 2 * 4; variant++) {
                const uint8_t proto = variant & 1 ? 6 : 17;
                const size_t n = plain(was, version, proto, &seed);
                path way;
                way.config = law_intmd_config(variant & 2 ? LAW_INTMD_COMPLEMENT : 0);
                way.mark = (uint8_t)(variant >> 2);
                way.instructions =
                    (uint16_t)(ROCECC_INTMD_HPCC | (variant & 2 ? 1u : 0u));
                way.allowed = (uint8_t)(1 + round % 8);
                way.hops = 5;
                way.narrow = round / 8 % 6;
                if (proto == 6 && way.mark == ROCECC_INTMD_MARK_PORT) continue;
                test_context("round %u, IPv%d, variant %u", round, version, variant);
                memcpy(b, was, n);
                sink(&way, b, walk(&way, b, n), was, n);
            }
}

/* A transit that does not understand it leaves it alone, and the others go on. */
TEST(intmd_gap)
{
    static uint8_t was[2048], b[2048];
    uint64_t seed = 7;
    const rocecc_intmd_config off = {0};
    const size_t n = plain(was, 4, 17, &seed);
    rocecc_intmd_plan plan;
    path way = {{0}, ROCECC_INTMD_MARK_PORT, ROCECC_INTMD_HPCC, 8, 2, 0};
    size_t m;
    way.config = law_intmd_config(0);
    memcpy(b, was, n);
    m = walk(&way, b, n);
    rocecc_intmd_plan_push(&off, rocecc_reader_of(b, b + m), 1500, &plan);
    CHECK_EQ(plan.verdict, ROCECC_INTMD_NONE);
    CHECK_EQ(plan.bytes, 0);
    sink(&way, b, m, was, n);
}

/* What no row could hold: the longest packets that may still grow. */
TEST(intmd_ip_full)
{
    static uint8_t b[65536 + 64];
    const rocecc_intmd_config c = law_intmd_config(0);
    size_t total;
    int version;
    for (version = 4; version <= 6; version += 2)
        for (total = 65500; total <= 65535; total++) {
            const size_t ip = version == 4 ? 20 : 40, own = version == 4 ? 0 : 40;
            const size_t n = total + own;
            rocecc_intmd_plan plan;
            const rocecc_intmd_header h = rocecc_intmd_header_init(0xd500, 4);
            memset(b, 0, ip + 24);
            b[0] = version == 4 ? 0x45 : 0x60;
            rocecc_store16(b + (version == 4 ? 2 : 4), (uint16_t)total);
            b[version == 4 ? 9 : 6] = 17;
            rocecc_store16(b + ip + 2, LAW_INTMD_PORT);
            rocecc_store16(b + ip + 4, (uint16_t)(n - ip));
            rocecc_store32(b + ip + 8, 0x140312b7);
            rocecc_intmd_header_store(b + ip + 12, &h);
            test_context("IPv%d, %zu", version, total);
            rocecc_intmd_plan_push(&c, rocecc_reader_of(b, b + n), UINT32_MAX, &plan);
            CHECK_EQ(plan.verdict,
                     total + 24 > 65535 ? ROCECC_INTMD_FULL : ROCECC_INTMD_PUSH);
        }
}

/* Readers and headers that no parse gave: a status, and nothing is read. */
TEST(intmd_not_parsed)
{
    static const uint8_t b[64];
    rocecc_reader r = rocecc_reader_of(b, b + 7);
    rocecc_intmd h = {{0}, 0, 0, {0}};
    rocecc_intmd_node n;
    CHECK_EQ(rocecc_intmd_node_next(&h, &r, &n), ROCECC_ERR_FORMAT);
    h.header.hop_ml = 2;
    CHECK_EQ(rocecc_intmd_node_next(&h, &r, &n), ROCECC_ERR_FORMAT);
    h.header.hop_ml = 1;
    h.header.instructions = 0x007f;
    CHECK_EQ(rocecc_intmd_node_next(&h, &r, &n), ROCECC_ERR_FORMAT);
    CHECK_EQ(r.at, 0);
}

/* Length counts every number of words that 8 bits have, and a word more is refused. */
TEST(intmd_shim_lengths_all)
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

/* The same for an insertion: shim and header are 16 bytes. */
TEST(intmd_insert_ip_full)
{
    static uint8_t b[65536 + 64];
    const rocecc_intmd_config c = law_intmd_config(0);
    rocecc_intmd_source source;
    size_t total;
    int version;
    source.mark = ROCECC_INTMD_MARK_PORT;
    source.src_port = 0;
    source.header = rocecc_intmd_header_init(0xd500, 4);
    for (version = 4; version <= 6; version += 2)
        for (total = 65500; total <= 65535; total++) {
            const size_t ip = version == 4 ? 20 : 40, own = version == 4 ? 0 : 40;
            const size_t n = total + own;
            rocecc_intmd_plan plan;
            memset(b, 0, ip + 24);
            b[0] = version == 4 ? 0x45 : 0x60;
            rocecc_store16(b + (version == 4 ? 2 : 4), (uint16_t)total);
            b[version == 4 ? 9 : 6] = 17;
            rocecc_store16(b + ip + 2, 4791);
            rocecc_store16(b + ip + 4, (uint16_t)(n - ip));
            test_context("IPv%d, %zu", version, total);
            CHECK_EQ(rocecc_intmd_plan_insert(&c, rocecc_reader_of(b, b + n), &source,
                                              NULL, UINT32_MAX, &plan),
                     ROCECC_OK);
            CHECK_EQ(plan.verdict,
                     total + 16 > 65535 ? ROCECC_INTMD_FULL : ROCECC_INTMD_PUSH);
            CHECK_EQ(plan.bytes, total + 16 > 65535 ? 0 : 16);
        }
}

/*
 * IPv4, TCP, shim, header, no payload: 56 bytes of a capture of 64, by every Total
 * Length, from every place of a buffer. What ends inside is FORMAT.
 */
TEST(intmd_tcp_ip_length_all)
{
    static const uint8_t shim[4] = {0x10, 3, 0, 0};
    const rocecc_intmd_config c = law_intmd_config(0);
    const rocecc_intmd_header header = rocecc_intmd_header_init(0xd500, 4);
    uint8_t b[8 + 64];
    size_t at, total;
    for (at = 0; at < 8; at++)
        for (total = 20; total <= 64; total++) {
            rocecc_reader r = rocecc_reader_of(b, b + at + 64), rest;
            rocecc_intmd_place p;
            rocecc_intmd_shim h;
            memset(b, 0, sizeof b);
            r.at = at;
            b[at] = 0x45;
            b[at + 1] = (uint8_t)(c.dscp << 2);
            rocecc_store16(b + at + 2, (uint16_t)total);
            b[at + 9] = 6;
            b[at + 20 + 12] = 0x50;
            memcpy(b + at + 40, shim, sizeof shim);
            rocecc_intmd_header_store(b + at + 44, &header);
            test_context("at %zu, %zu bytes", at, total);
            CHECK_EQ(rocecc_intmd_locate(&c, r, &p, &rest),
                     total < 40 ? ROCECC_ERR_FORMAT : ROCECC_OK);
            CHECK_EQ(rocecc_intmd_find(&c, r, &p, &h),
                     total < 56 ? ROCECC_ERR_FORMAT : ROCECC_OK);
            if (total >= 56) CHECK(p.shim == 40 && p.end == total);
        }
}

/* E is 0 whatever a source says of it; a node that is not the plan's is refused. */
TEST(intmd_insert_e_and_another_node)
{
    static uint8_t was[2048], b[2048];
    uint64_t seed = 3;
    const rocecc_intmd_config c = law_intmd_config(0);
    const size_t n = plain(was, 4, 17, &seed);
    rocecc_intmd_node node = node_of(0);
    rocecc_intmd_source source;
    rocecc_intmd_plan plan;
    size_t all;
    source.mark = ROCECC_INTMD_MARK_PORT;
    source.src_port = 0;
    source.header = rocecc_intmd_header_init(ROCECC_INTMD_HPCC, 4);
    source.header.e = true;
    memcpy(b, was, n);
    CHECK_EQ(rocecc_intmd_plan_insert(&c, rocecc_reader_of(b, b + n), &source, &node,
                                      1500, &plan),
             ROCECC_OK);
    CHECK(plan.verdict == ROCECC_INTMD_PUSH && plan.record == 24);
    all = n + plan.bytes;
    shift(b, n, plan.at, plan.bytes);
    memcpy(was, b, all);
    CHECK_EQ(
        rocecc_intmd_insert(&c, rocecc_writer_of(b, b + all), &plan, &source, NULL),
        ROCECC_ERR_RANGE);
    plan.record = 20;
    CHECK_EQ(
        rocecc_intmd_insert(&c, rocecc_writer_of(b, b + all), &plan, &source, &node),
        ROCECC_ERR_RANGE);
    plan.record = 24;
    CHECK(memcmp(b, was, all) == 0);
    CHECK_EQ(
        rocecc_intmd_insert(&c, rocecc_writer_of(b, b + all), &plan, &source, &node),
        ROCECC_OK);
    CHECK_EQ(b[20 + 8 + 4], 0x20); /* version 2, D, E and M clear */
}

/* The place of an insertion ends where UDP's Length says, not where IP or the capture
 * does: 20 bytes of UDP in 28 of IP in 30. */
TEST(intmd_insert_place)
{
    static const uint8_t b[50] = {0x45, 0, 0, 48, [9] = 17, [22] = 0x12, [25] = 20};
    const rocecc_intmd_config c = law_intmd_config(0);
    rocecc_intmd_source source = {.mark = ROCECC_INTMD_MARK_PORT};
    rocecc_intmd_plan plan;
    source.header = rocecc_intmd_header_init(ROCECC_INTMD_HPCC, 4);
    CHECK_EQ(rocecc_intmd_plan_insert(&c, noun_reader(b, sizeof b), &source, NULL, 1500,
                                      &plan),
             ROCECC_OK);
    CHECK_EQ(plan.verdict, ROCECC_INTMD_PUSH);
    CHECK(plan.place.upper == 20 && plan.place.shim == 28 && plan.place.end == 40);
    CHECK_EQ(plan.place.bytes, 48);
}

/* A probe marker whose words are all odd: each one counts in the checksum. */
TEST(intmd_probe_of_odd_words)
{
    static uint8_t was[2048], b[2048];
    uint64_t seed = 5;
    unsigned i;
    for (i = 0; i < 8; i++) {
        const size_t n = plain(was, i & 1 ? 4 : 6, i & 2 ? 6 : 17, &seed);
        path way = {{0}, ROCECC_INTMD_MARK_PROBE, ROCECC_INTMD_HPCC, 8, 2, 0};
        way.config = law_intmd_config(0);
        way.config.probe_marker = UINT64_C(0x0001000300050007);
        test_context("%u", i);
        memcpy(b, was, n);
        sink(&way, b, walk(&way, b, n), was, n);
    }
}

/* Every prefix, and packets that are not the plan's: only the gap may be written to. */
TEST(intmd_push_not_of_the_plan)
{
    static const struct {
        size_t at;
        uint8_t is;
        rocecc_status status;
    } rows[] = {{28 + 7, 0, ROCECC_ERR_FORMAT},   /* Remaining Hop Count */
                {28 + 1, 250, ROCECC_ERR_FORMAT}, /* Length: 250 and 6 words */
                {28 + 1, 249, ROCECC_OK},
                {28 + 6, 5, ROCECC_ERR_RANGE}}; /* Hop ML: 6 is asked for */
    static uint8_t was[2048], b[2048];
    uint64_t seed = 9;
    path way = {{0}, ROCECC_INTMD_MARK_PORT, ROCECC_INTMD_HPCC, 8, 0, 0};
    const rocecc_intmd_node node = node_of(1);
    rocecc_intmd_plan plan;
    size_t n = plain(b, 4, 17, &seed), i;
    way.config = law_intmd_config(0);
    n = walk(&way, b, n);
    rocecc_intmd_plan_push(&way.config, rocecc_reader_of(b, b + n), 1500, &plan);
    CHECK(plan.verdict == ROCECC_INTMD_PUSH && plan.record == 24);
    shift(b, n, plan.at, plan.bytes);
    memcpy(was, b, sizeof b);
    for (i = 0; i < (size_t)plan.at + plan.bytes; i++) {
        CHECK_EQ(
            rocecc_intmd_push(&way.config, rocecc_writer_of(b, b + i), &plan, &node),
            ROCECC_ERR_SPACE);
        CHECK(memcmp(b, was, sizeof b) == 0);
    }
    for (i = 0; i < NOUN_COUNT(rows); i++) {
        memcpy(b, was, sizeof b);
        b[rows[i].at] = rows[i].is;
        CHECK_EQ(rocecc_intmd_push(&way.config, rocecc_writer_of(b, b + n + 24), &plan,
                                   &node),
                 rows[i].status);
        b[rows[i].at] = was[rows[i].at];
        if (rows[i].status != ROCECC_OK) CHECK(memcmp(b, was, sizeof b) == 0);
    }
    memcpy(b, was, sizeof b);
    plan.record = 0; /* as if there were no room */
    CHECK_EQ(
        rocecc_intmd_push(&way.config, rocecc_writer_of(b, b + n + 24), &plan, &node),
        ROCECC_ERR_FORMAT);
    CHECK(memcmp(b, was, sizeof b) == 0);
}
