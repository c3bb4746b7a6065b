/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ioam.h"
#include "lib/edits.h"
#include "lib/noun.h"
#include "rocecc/wire/intmd.h"
#include "rocecc/wire/ioam.h"
#include "rocecc/wire/ioamnode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNTOUCHED 0xa5

NOUN(ioam_trace, parse, false, ROCECC_IOAM_TRACE_FIELDS);

/* Returns the data of an absent snapshot. */
static rocecc_reader no_data(void)
{
    return rocecc_reader_of(NULL, NULL);
}

static void put(rocecc_ioam_node *n, rocecc_ioam_item item, uint64_t v)
{
    CHECK_EQ(rocecc_ioam_set(n, item, v), ROCECC_OK);
}

static const rocecc_ioam_config nothing = {0, 0, 0, false};

static const field option_fields[] = {
    ROCECC_IOAM_OPTION_FIELDS(FIELD_ROW, rocecc_ioam_option)};

static rocecc_reader bytes_of(const vec_row *row)
{
    return noun_reader(row->bytes, row->n);
}

static void call_ioam_node_len(const vec_row *row)
{
    CHECK_EQ(rocecc_ioam_node_len((uint32_t)noun_arg(row, "trace_type")),
             strtoul(vec_value(row->out, row->n_out, "node_len"), NULL, 0));
}

static void call_ioam_trace_match(const vec_row *row)
{
    const uint8_t opt_type = (uint8_t)noun_arg(row, "opt_type");
    CHECK_EQ(rocecc_ioam_trace_match(opt_type, bytes_of(row)),
             vec_value(row->out, row->n_out, "yes") != NULL);
}

static void check_option(const vec_row *row,
                         rocecc_status (*find)(rocecc_reader, rocecc_ioam_option *))
{
    rocecc_ioam_option o, before;
    rocecc_status status;
    memset(&o, 0xa5, sizeof o);
    before = o;
    status = find(bytes_of(row), &o);
    if (status != ROCECC_OK) CHECK(memcmp(&o, &before, sizeof o) == 0);
    noun_check_out(row, option_fields, NOUN_COUNT(option_fields), status, &o);
}

static void call_ioam_option_parse(const vec_row *row)
{
    check_option(row, rocecc_ioam_option_parse);
}

static void call_ioam_trace_find(const vec_row *row)
{
    check_option(row, rocecc_ioam_trace_find);
}

static rocecc_ioam_config config_of(const vec_row *row)
{
    rocecc_ioam_config c = {0, 0, 0, false};
    size_t i;
    for (i = 0; i < row->n_config; i++) {
        const char *name = row->config[i].key;
        const unsigned long value = strtoul(row->config[i].value, NULL, 0);
        if (strcmp(name, "ioam.namespace_id") == 0)
            c.namespace_id = (uint16_t)value;
        else if (strcmp(name, "ioam.tx_bytes_bit") == 0)
            c.tx_bytes_bit = (uint8_t)value;
        else if (strcmp(name, "ioam.interface_bit") == 0)
            c.interface_bit = (uint8_t)value;
        else if (strcmp(name, "ioam.leave_undefined") == 0)
            c.leave_undefined = value != 0;
        else
            test_fail(__FILE__, __LINE__, "unknown setting %s", name);
    }
    return c;
}

/* A record and the members that rows may name. */
typedef struct members {
    const field *fields;
    size_t n;
    void *record;
} members;

#define MEMBERS(fields, record) ((members){fields, NOUN_COUNT(fields), record})

/* Sets members from the keys with a prefix, and all views first to "-". */
static void set_some(const vec_pair *pairs, size_t n, const char *prefix, members to)
{
    const size_t skip = strlen(prefix);
    size_t i, k;
    for (k = 0; k < to.n; k++)
        if (to.fields[k].kind == ROCECC_FIELD_VIEW)
            (void)field_set(&to.fields[k], to.record, "-");
    for (i = 0; i < n; i++) {
        if (strncmp(pairs[i].key, prefix, skip) != 0) continue;
        for (k = 0; k < to.n; k++)
            if (strcmp(to.fields[k].name, pairs[i].key + skip) == 0) break;
        if (k == to.n || !field_set(&to.fields[k], to.record, pairs[i].value))
            test_fail(__FILE__, __LINE__, "%s=%s", pairs[i].key, pairs[i].value);
    }
}

static const field view_fields[] = {
    ROCECC_IOAM_VIEW_FIELDS(FIELD_ROW, rocecc_ioam_view)};
static const field node_fields[] = {ROCECC_IOAM_NODE_FIELDS(FIELD_ROW, ioam_shown)};
static const field dex_fields[] = {ROCECC_IOAM_DEX_FIELDS(FIELD_ROW, rocecc_ioam_dex)};
static const field e2e_fields[] = {ROCECC_IOAM_E2E_FIELDS(FIELD_ROW, rocecc_ioam_e2e)};
static const field pot_fields[] = {ROCECC_IOAM_POT_FIELDS(FIELD_ROW, rocecc_ioam_pot)};

/*
 * Checks Namespace-ID, NodeLen, Flags, RemainingLen, Trace-Type and Reserved (RFC 9197,
 * 4.4.1).
 */
static void check_trace(const rocecc_ioam_trace *h, const uint8_t *b)
{
    CHECK_EQ(h->namespace_id, b[0] * 256u + b[1]);
    CHECK_EQ(h->node_len, b[2] / 8u);
    CHECK_EQ(h->flags, b[2] % 8u * 2u + b[3] / 128u);
    CHECK_EQ(h->remaining_len, b[3] % 128u);
    CHECK_EQ(h->trace_type, b[4] * 65536u + b[5] * 256u + b[6]);
    CHECK_EQ(h->reserved, b[7]);
}

/*
 * Checks the nodes of a trace. nodes[0] is the first on the path, and the last in the
 * bytes.
 */
static void call_ioam_view_parse(const vec_row *row)
{
    const rocecc_ioam_config c = config_of(row);
    rocecc_ioam_option o = {0x5a, (uint8_t)noun_arg(row, "opt_type"), bytes_of(row)};
    rocecc_ioam_view v, should;
    rocecc_ioam_node n;
    ioam_shown node, is;
    rocecc_report_layout l = ROCECC_ZERO;
    rocecc_reader nodes;
    size_t i, k;
    memset(&v, 0xa5, sizeof v);
    should = v;
    CHECK_EQ(rocecc_ioam_view_parse(&c, &o, &v), row->status);
    if (row->status == ROCECC_OK)
        CHECK(v.config.namespace_id == c.namespace_id &&
              v.config.tx_bytes_bit == c.tx_bytes_bit &&
              v.config.interface_bit == c.interface_bit &&
              v.config.leave_undefined == c.leave_undefined);
    if (row->status != ROCECC_OK) {
        CHECK(memcmp(&v, &should, sizeof v) == 0);
        return;
    }
    memset(&should, 0, sizeof should);
    for (i = 0; i < row->n_out;
         i++) /* the view's members precede the members of nodes */
        if (strchr(row->out[i].key, '.') != NULL) break;
    set_some(row->out, i, "", MEMBERS(view_fields, &should));
    for (k = 0; k < 2; k++) /* the loop below checks `nodes` */
        CHECK(field_equal(&view_fields[k], &v, &should));
    check_trace(&v.trace, row->bytes);
    CHECK(v.reserved == 0x5a && v.opt_type == o.opt_type);
    nodes = v.nodes;
    rocecc_ioam_layout_update(&v.config, v.trace.trace_type, &l);
    for (i = v.count; i-- > 0;) {
        char prefix[32];
        snprintf(prefix, sizeof prefix, "nodes[%zu].", i);
        memset(&node, 0, sizeof node);
        set_some(row->out, row->n_out, prefix, MEMBERS(node_fields, &node));
        CHECK_EQ(rocecc_ioam_node_next(&v, &l, &nodes, &n), ROCECC_OK);
        is = ioam_show(&n, nodes);
        for (k = 0; k < NOUN_COUNT(node_fields); k++)
            if (!field_equal(&node_fields[k], &is, &node))
                test_fail(__FILE__, __LINE__, "%s%s", prefix, node_fields[k].name);
    }
    CHECK_EQ(rocecc_ioam_node_next(&v, &l, &nodes, &n), ROCECC_END);
}

static void call_ioam_dex(const vec_row *row)
{
    rocecc_writer w = noun_writer(64);
    const size_t start = w.at;
    rocecc_ioam_option o = {0, ROCECC_IOAM_DIRECT_EXPORT, bytes_of(row)};
    rocecc_ioam_dex h;
    rocecc_status status;
    memset(&h, 0, sizeof h);
    if (row->status == ROCECC_ERR_RANGE) {
        set_some(row->out, row->n_out, "", MEMBERS(dex_fields, &h));
        CHECK_EQ(rocecc_ioam_dex_emit(&w, &h), ROCECC_ERR_RANGE);
        CHECK_EQ(w.at, start);
        return;
    }
    memset(&h, 0xa5, sizeof h);
    status = rocecc_ioam_dex_parse(&o, &h);
    noun_check_out(row, dex_fields, NOUN_COUNT(dex_fields), status, &h);
    o.opt_type = ROCECC_IOAM_EDGE_TO_EDGE;
    CHECK_EQ(rocecc_ioam_dex_parse(&o, &h), ROCECC_NO_MATCH);
    if (status != ROCECC_OK) return;
    CHECK_EQ(rocecc_ioam_dex_emit(&w, &h), ROCECC_OK);
    CHECK(w.at == start + row->n && memcmp(w.base + start, row->bytes, row->n) == 0);
}

static void call_ioam_e2e_parse(const vec_row *row)
{
    rocecc_ioam_option o = {0, ROCECC_IOAM_EDGE_TO_EDGE, bytes_of(row)};
    rocecc_ioam_e2e h;
    rocecc_status status;
    memset(&h, 0xa5, sizeof h);
    status = rocecc_ioam_e2e_parse(&o, &h);
    noun_check_out(row, e2e_fields, NOUN_COUNT(e2e_fields), status, &h);
    o.opt_type = ROCECC_IOAM_DIRECT_EXPORT;
    CHECK_EQ(rocecc_ioam_e2e_parse(&o, &h), ROCECC_NO_MATCH);
}

static void call_ioam_pot_parse(const vec_row *row)
{
    rocecc_ioam_option o = {0, ROCECC_IOAM_PROOF_OF_TRANSIT, bytes_of(row)};
    rocecc_ioam_pot h;
    rocecc_status status;
    memset(&h, 0xa5, sizeof h);
    status = rocecc_ioam_pot_parse(&o, &h);
    noun_check_out(row, pot_fields, NOUN_COUNT(pot_fields), status, &h);
    o.opt_type = ROCECC_IOAM_EDGE_TO_EDGE;
    CHECK_EQ(rocecc_ioam_pot_parse(&o, &h), ROCECC_NO_MATCH);
}

/* Verdict of a call, and the resulting bytes. */
typedef struct answer {
    rocecc_edit_verdict verdict;
    rocecc_reader after;
} answer;

static const field answer_fields[] = {FIELD_ROW(answer, ENUM, verdict, EDIT_VERDICTS)
                                          FIELD_ROW(answer, VIEW, after, NULL)};

static rocecc_domain domain_of(const vec_row *row)
{
    static const rocecc_domain none;
    rocecc_domain d = none;
    d.link = ROCECC_LINK_IP;
    d.ioam = config_of(row);
    return d;
}

static rocecc_ioam_node node_of(const vec_row *row, rocecc_reader *snapshot)
{
    rocecc_ioam_node n;
    ioam_shown s;
    memset(&s, 0, sizeof s);
    set_some(row->in, row->n_in, "node.", MEMBERS(node_fields, &s));
    CHECK_EQ(ioam_node_of(&s, &n), ROCECC_OK);
    *snapshot = s.snapshot;
    return n;
}

/* An IPv6 packet with a trace of n bytes, at 52, in its Hop-by-Hop header. */
#define TRACE_AT 52
static size_t packet_around(const uint8_t *trace, size_t n, uint8_t opt_type,
                            uint8_t *b)
{
    const size_t header = (12 + n + 7) / 8 * 8;
    memset(b, 0, 40 + header);
    b[0] = 0x60;
    rocecc_store16(b + 4, (uint16_t)header);
    b[40] = 59;
    b[41] = (uint8_t)(header / 8 - 1);
    rocecc_store16(b + 42, 0x0100);
    rocecc_store32(b + 48, 0x31000000u | (uint32_t)(n + 2) << 16 | opt_type);
    rocecc_store32(b + 44, 0x05020000); /* another option */
    memcpy(b + TRACE_AT, trace, n);
    return 40 + header;
}

static void call_ioam_update(const vec_row *row)
{
    const rocecc_domain d = domain_of(row);
    rocecc_reader snapshot, r;
    const rocecc_ioam_node n = node_of(row, &snapshot);
    uint8_t b[40 + 272];
    const size_t len =
        packet_around(row->bytes, row->n, (uint8_t)noun_arg(row, "opt_type"), b);
    rocecc_packet p;
    answer a;
    size_t i;
    r = noun_reader(b, len);
    (void)rocecc_packet_parse(&d, r, &p);
    a.verdict = rocecc_ioam_update(&p, noun_over(r), &n, snapshot);
    a.after = rocecc_subrange(r, r.at + TRACE_AT, r.at + TRACE_AT + row->n);
    noun_check_out(row, answer_fields, NOUN_COUNT(answer_fields), ROCECC_OK, &a);
    for (i = 0; i < len; i++)
        CHECK(r.base[r.at + i] == b[i] || (i >= TRACE_AT && i < TRACE_AT + row->n));
}

/* Arguments of the functions that make plans, besides the packet. */
typedef struct making {
    rocecc_ioam_node n;
    rocecc_reader snapshot;
    rocecc_ioam_source source;
    uint32_t mtu_bytes;
} making;

static rocecc_edit_verdict make_push(const rocecc_packet *p, const void *arg,
                                     rocecc_edit *e)
{
    const making *m = (const making *)arg;
    return rocecc_ioam_push(p, &m->n, m->snapshot, m->mtu_bytes, e);
}

static rocecc_edit_verdict make_insert(const rocecc_packet *p, const void *arg,
                                       rocecc_edit *e)
{
    const making *m = (const making *)arg;
    return rocecc_ioam_insert(p, &m->source, m->mtu_bytes, e);
}

static rocecc_edit_verdict make_strip(const rocecc_packet *p, const void *arg,
                                      rocecc_edit *e)
{
    (void)arg;
    return rocecc_ioam_strip(p, e);
}

/* Checks the row's packet after a plan. */
static void check_edit(const vec_row *row, edits_make make, const making *m)
{
    const rocecc_domain d = domain_of(row);
    static uint8_t b[4096];
    answer a;
    size_t n = row->n;
    memcpy(b, row->bytes, row->n);
    a.verdict = edits(&d, b, &n, make, m).verdict;
    a.after = rocecc_reader_of(b, b + n);
    noun_check_out(row, answer_fields, NOUN_COUNT(answer_fields), ROCECC_OK, &a);
}

static void call_ioam_push(const vec_row *row)
{
    making m;
    m.n = node_of(row, &m.snapshot);
    m.mtu_bytes = (uint32_t)noun_arg(row, "mtu");
    check_edit(row, make_push, &m);
}

static rocecc_ioam_source source_of(const vec_row *row)
{
    rocecc_ioam_source s;
    s.next_header = 0;
    s.opt_type = (uint8_t)noun_arg(row, "opt_type");
    s.namespace_id = (uint16_t)noun_arg(row, "namespace_id");
    s.flags = (uint8_t)noun_arg(row, "flags");
    s.trace_type = (uint32_t)noun_arg(row, "trace_type");
    s.words = (uint8_t)noun_arg(row, "words");
    return s;
}

static void call_ioam_insert(const vec_row *row)
{
    making m;
    m.source = source_of(row);
    m.mtu_bytes = (uint32_t)noun_arg(row, "mtu");
    check_edit(row, make_insert, &m);
}

static void call_ioam_strip(const vec_row *row)
{
    check_edit(row, make_strip, NULL);
}

static void call_ioam_build(const vec_row *row)
{
    const size_t room = row->status == ROCECC_OK ? row->n : 512;
    rocecc_writer w = noun_writer(room);
    const size_t start = w.at;
    rocecc_ioam_source s = source_of(row);
    s.next_header = (uint8_t)noun_arg(row, "next_header");
    CHECK_EQ(rocecc_ioam_build(&w, &s), row->status);
    CHECK_EQ(w.at - start, row->n);
    if (row->status != ROCECC_OK) return;
    CHECK(memcmp(w.base + start, row->bytes, row->n) == 0);
    CHECK_EQ(rocecc_ioam_build_bytes(&s), row->n);
    w = noun_writer(room - 1);
    CHECK_EQ(rocecc_room(&w), room - 1);
    CHECK_EQ(rocecc_ioam_build(&w, &s), ROCECC_ERR_SPACE);
    CHECK_EQ(rocecc_room(&w), room - 1);
}

static void call_ioam_loopback_match(const vec_row *row)
{
    rocecc_ioam_trace h = {0, 0, 0, 0, 0, 0};
    h.flags = (uint8_t)noun_arg(row, "flags");
    h.trace_type = (uint32_t)noun_arg(row, "trace_type");
    CHECK_EQ(rocecc_ioam_loopback_match(&h),
             vec_value(row->out, row->n_out, "yes") != NULL);
}

static const noun_call calls[] = {{"ioam_node_len", call_ioam_node_len},
                                  {"ioam_trace_match", call_ioam_trace_match},
                                  {"ioam_option_parse", call_ioam_option_parse},
                                  {"ioam_trace_find", call_ioam_trace_find},
                                  {"ioam_view_parse", call_ioam_view_parse},
                                  {"ioam_dex", call_ioam_dex},
                                  {"ioam_e2e_parse", call_ioam_e2e_parse},
                                  {"ioam_pot_parse", call_ioam_pot_parse},
                                  {"ioam_update", call_ioam_update},
                                  {"ioam_push", call_ioam_push},
                                  {"ioam_insert", call_ioam_insert},
                                  {"ioam_strip", call_ioam_strip},
                                  {"ioam_build", call_ioam_build},
                                  {"ioam_loopback_match", call_ioam_loopback_match}};

TEST(ioam_vectors)
{
    const noun_file file = {"ioam", law_ioam, &ioam_trace_noun,
                            1,      calls,    NOUN_COUNT(calls)};
    noun_frame_vectors(&file);
}

/*
 * An option has Option Type, Opt Data Len (of the rest), Reserved and IOAM Opt-Type
 * (RFC 9486, 3).
 */
TEST(ioam_option_emit_writes_the_fields_of_rfc_9486)
{
    static const struct {
        const char *data;
        uint8_t type, reserved, opt_type;
        const char *bytes;
    } rows[] = {
        {"007b0801 80000000 3f00000a", 0x31, 0, 0,
         "310e0000 007b0801 80000000 3f00000a"}, /* a pre-allocated trace, one node */
        {"007b0805 80000000", 0x31, 0, 1, "310a0001 007b0805 80000000"},
        {"007b1000 0000002a", 0x11, 0xa5, 3, "110aa503 007b1000 0000002a"},
        {"007b0000 80000000", 0x11, 0xff, 4, "110aff04 007b0000 80000000"},
        {"-", 0x31, 0x01, 0xfe, "310201fe"},
    };
    size_t i;
    for (i = 0; i < NOUN_COUNT(rows); i++) {
        uint8_t data[32], bytes[32];
        size_t n = 0, len = 0;
        rocecc_ioam_option o;
        rocecc_writer w;
        test_context("option %zu", i);
        CHECK(vec_hex(rows[i].data, data, &n) && vec_hex(rows[i].bytes, bytes, &len));
        w = noun_writer(len);
        o.reserved = rows[i].reserved;
        o.opt_type = rows[i].opt_type;
        o.data = noun_reader(data, n);
        CHECK_EQ(rocecc_ioam_option_emit(&w, rows[i].type, &o), ROCECC_OK);
        CHECK_EQ(rocecc_room(&w), 0);
        CHECK(memcmp(w.base + w.at - len, bytes, len) == 0);
    }
}

/*
 * Options with 0 to 253 bytes of data are emitted and found again. One byte less room
 * gives SPACE. Longer data gives RANGE.
 */
TEST(ioam_option_holds_at_most_253_bytes)
{
    uint8_t data[256];
    size_t n, i;
    for (i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(0x5a ^ i * 7);
    for (n = 0; n < sizeof data; n++) {
        rocecc_writer w = noun_writer(300), small;
        const size_t start = w.at;
        const uint8_t *b = w.base + w.at;
        rocecc_ioam_option o = {0xa5, 0x42, {0, 0, 0}}, again;
        rocecc_reader options;
        test_context("%zu bytes", n);
        memset(w.base + w.at, 0xee, 300);
        o.data = noun_reader(data, n);
        if (n > 253) { /* Opt Data Len has 8 bits */
            CHECK_EQ(rocecc_ioam_option_emit(&w, 0x31, &o), ROCECC_ERR_RANGE);
            CHECK(w.at == start && b[0] == 0xee);
            continue;
        }
        CHECK_EQ(rocecc_ioam_option_emit(&w, 0x31, &o), ROCECC_OK);
        CHECK_EQ(w.at - start, 4 + n);
        CHECK(b[0] == 0x31 && b[1] == n + 2 && b[2] == 0xa5 && b[3] == 0x42);
        CHECK(memcmp(b + 4, data, n) == 0);
        CHECK_EQ(b[4 + n], 0xee);
        options = rocecc_subrange(rocecc_written(&w), start, w.at);
        CHECK_EQ(rocecc_ioam_option_next(&options, 0x31, &again), ROCECC_OK);
        CHECK(again.reserved == 0xa5 && again.opt_type == 0x42);
        CHECK(again.data.at == start + 4 && rocecc_left(&again.data) == n);
        CHECK_EQ(rocecc_ioam_option_next(&options, 0x31, &again), ROCECC_END);
        small = noun_writer(3 + n);
        i = small.at;
        CHECK_EQ(rocecc_ioam_option_emit(&small, 0x31, &o), ROCECC_ERR_SPACE);
        CHECK_EQ(small.at, i);
    }
}

/* option_next() reads at most eight options. */
TEST(ioam_option_next_reads_at_most_8_options)
{
    uint8_t bytes[4 * 9];
    size_t i, before;
    for (before = 6; before <= 8; before++) {
        rocecc_ioam_option o;
        rocecc_reader r;
        size_t at;
        for (i = 0; i < before; i++)
            rocecc_store32(bytes + 4 * i, 0x3e020000);
        rocecc_store32(bytes + 4 * before, 0x31020001);
        r = noun_reader(bytes, 4 * before + 4);
        at = r.at;
        test_context("after %zu others", before);
        CHECK_EQ(rocecc_ioam_option_next(&r, 0x31, &o),
                 before < 8 ? ROCECC_OK : ROCECC_ERR_UNSUPPORTED);
        CHECK_EQ(r.at, before < 8 ? at + 4 * before + 4 : at);
        if (before < 8) CHECK(o.opt_type == 1 && o.reserved == 0);
    }
}

/* Fewer bytes than a node has give FORMAT, and nothing is written. */
TEST(ioam_incomplete_node_is_malformed)
{
    static const uint8_t bytes[8] = {0};
    size_t n;
    for (n = 1; n < 8; n++) {
        rocecc_reader r = noun_reader(bytes, n);
        const size_t at = r.at;
        rocecc_ioam_view v;
        rocecc_ioam_node node, before;
        rocecc_report_layout l = ROCECC_ZERO;
        memset(&v, 0, sizeof v);
        memset(&node, UNTOUCHED, sizeof node);
        before = node;
        v.trace.node_len = 2;
        v.trace.trace_type = 0xc00000;
        rocecc_ioam_layout_update(&v.config, 0xc00000, &l);
        test_context("%zu bytes", n);
        CHECK_EQ(rocecc_ioam_node_next(&v, &l, &r, &node), ROCECC_ERR_FORMAT);
        CHECK(r.at == at && memcmp(&node, &before, sizeof node) == 0);
    }
}

#define IPV6_OF(payload_and_next)                                                      \
    "60000000 " payload_and_next "40 20010db8000000000000000000000001 "                \
    "20010db8000000000000000000000002 "

static const rocecc_domain lab = {.link = ROCECC_LINK_IP, .ioam = {0x7b, 0, 0, false}};

/* Returns the arguments for a node of bit 0. */
static making one_node(void)
{
    making m;
    memset(&m, 0, sizeof m);
    rocecc_ioam_node_init(&m.n);
    put(&m.n, ROCECC_IOAM_ITEM_HOP_LIMIT, 63);
    put(&m.n, ROCECC_IOAM_ITEM_NODE_ID, 10);
    m.snapshot = no_data();
    m.mtu_bytes = 9000;
    return m;
}

/*
 * A packet without a trace for the domain gives NONE. An unreadable trace or Hop-by-Hop
 * header gives BROKEN.
 */
TEST(ioam_push_needs_a_readable_trace_of_the_domain)
{
    static const struct {
        const char *bytes;
        rocecc_edit_verdict verdict;
    } rows[] = {
        {IPV6_OF("0008 3b") "0000000000000000", ROCECC_EDIT_NONE},
        {IPV6_OF("0008 00") "3b00010400000000", ROCECC_EDIT_NONE},
        {IPV6_OF("0010 00") "3b010100 3104 0001 007b 0104 00000000", /* 2-byte trace */
         ROCECC_EDIT_BROKEN},
        {IPV6_OF(
             "0010 00") "3b010100 310a 0001 007b0805 8000", /* a capture that is cut */
         ROCECC_EDIT_BROKEN},
        {IPV6_OF("0008 00") "3b000109 00000000", ROCECC_EDIT_BROKEN},
        {IPV6_OF("0010 3c") "0000010400000000 3b00010400000000", ROCECC_EDIT_BROKEN},
    };
    const making m = one_node();
    size_t i;
    for (i = 0; i < NOUN_COUNT(rows); i++) {
        uint8_t b[512];
        size_t len = 0, n;
        rocecc_edit e;
        test_context("packet %zu", i);
        CHECK(vec_hex(rows[i].bytes, b, &len));
        n = len;
        e = edits(&lab, b, &n, make_push, &m);
        CHECK_EQ(n, len);
        CHECK_EQ(e.verdict, rows[i].verdict);
        CHECK(!rocecc_edit_needs_action(&e));
    }
}

static const char push_before[] =
    IPV6_OF("0018 00") "3b020100 310a0001 007b0805 80000000 0106000000000000";

/* After each single-bit change that affects the plan, apply() returns NO_MATCH. */
TEST(ioam_push_does_not_fit_another_packet)
{
    const making m = one_node();
    uint8_t b[512], was[512];
    size_t n = 0, i, refused = 0;
    CHECK(vec_hex(push_before, b, &n));
    memcpy(was, b, n);
    for (i = 0; i < 8 * n; i++) {
        const size_t at = i / 8;
        const bool told = at == 4 || at == 5 || at == 40 || at == 41 ||
                          (at >= 44 && at < 56); /* lengths, the option, the trace */
        rocecc_packet p;
        rocecc_edit e;
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        memcpy(b, was, n);
        (void)rocecc_packet_parse(&lab, rocecc_reader_of(b, b + n), &p);
        CHECK_EQ(make_push(&p, &m, &e), ROCECC_EDIT_CHANGE);
        b[at] = (uint8_t)(b[at] ^ 1 << i % 8);
        w.at = n;
        test_context("bit %zu of byte %zu", i % 8, at);
        CHECK_EQ(rocecc_edit_apply(&e, &w), told ? ROCECC_NO_MATCH : ROCECC_OK);
        refused += told;
    }
    CHECK_EQ(refused, 16 * 8);
}

/* A node that declares a snapshot, but has none, gives RANGE. */
TEST(ioam_push_of_a_missing_snapshot_gives_range)
{
    making m = one_node();
    uint8_t b[512];
    size_t len = 0, n;
    m.n.word[25] = 0x01000005;
    CHECK(vec_hex(push_before, b, &len));
    n = len;
    CHECK_EQ(edits(&lab, b, &n, make_push, &m).verdict, ROCECC_EDIT_RANGE);
    CHECK_EQ(n, len);
}

/* If an Authentication Header covers the trace, the packet does not change. */
TEST(ioam_push_does_not_change_a_trace_covered_by_ah)
{
    const making m = one_node();
    uint8_t b[512];
    size_t len = 0, n;
    CHECK(vec_hex(
        IPV6_OF("0030 00") "33020100 310a0001 007b0805 80000000 0106000000000000"
                           "3b040000 00000000 00000000 00000000 00000000 00000000",
        b, &len));
    n = len;
    CHECK_EQ(edits(&lab, b, &n, make_push, &m).verdict, ROCECC_EDIT_AH);
    CHECK_EQ(n, len);
    b[40] = 0x3b;
    CHECK_EQ(edits(&lab, b, &n, make_push, &m).verdict, ROCECC_EDIT_CHANGE);
    CHECK_EQ(n, len + 8);
}

/* find() returns the reserved byte as received. */
TEST(ioam_find_returns_the_reserved_byte)
{
    uint8_t b[512];
    size_t n = 0;
    rocecc_packet p;
    rocecc_ioam_option o;
    CHECK(vec_hex(IPV6_OF("0010 00") "3b010100 310a0001 007b0805 80000000", b, &n));
    b[46] = 0xa5;
    (void)rocecc_packet_parse(&lab, rocecc_reader_of(b, b + n), &p);
    CHECK_EQ(rocecc_ioam_find(&p, &o), ROCECC_OK);
    CHECK(o.reserved == 0xa5 && o.opt_type == 1);
    CHECK(o.data.at == 48 && rocecc_left(&o.data) == 8);
}

/* The option needs 20 bytes of room. One byte less gives SPACE. */
TEST(ioam_source_emit_needs_room_for_the_whole_option)
{
    rocecc_ioam_source s = {0, 0, 0x7b, 0, 0x800000, 2};
    size_t room;
    for (room = 19; room <= 20; room++) {
        rocecc_writer w = noun_writer(room);
        const size_t at = w.at;
        test_context("%zu bytes", room);
        CHECK_EQ(rocecc_ioam_source_emit(&w, &s),
                 room < 20 ? ROCECC_ERR_SPACE : ROCECC_OK);
        CHECK_EQ(w.at, room < 20 ? at : at + 20);
    }
    s.words = 128; /* above 7 bits */
    {
        rocecc_writer w = noun_writer(600);
        const size_t at = w.at;
        CHECK_EQ(rocecc_ioam_source_emit(&w, &s), ROCECC_ERR_RANGE);
        CHECK_EQ(w.at, at);
    }
}

/*
 * A Hop-by-Hop header of 2040 bytes has 57 nodes. One more node makes it the longest,
 * with Hdr Ext Len 255. A header with 59 nodes has 2048 bytes, so push() returns FULL.
 */
TEST(ioam_push_into_the_longest_header_is_full)
{
    static const size_t others[7] = {255, 255, 255, 255, 255, 255, 252};
    static uint8_t b[40 + 2048 + 512];
    const making m = one_node();
    size_t nodes;
    for (nodes = 57; nodes <= 59; nodes += 2) {
        const size_t header = 2 + 2 + 12 + 4 * nodes + 1796;
        const bool fits = nodes == 57;
        uint8_t *at = b + 44;
        size_t n = 40 + header, i;
        test_context("%zu nodes", nodes);
        memset(b, 0, sizeof b);
        CHECK_EQ(header % 8, 0);
        b[0] = 0x60;
        rocecc_store16(b + 4, (uint16_t)header);
        b[40] = 59; /* no next header */
        b[41] = (uint8_t)(header / 8 - 1);
        b[42] = 1; /* PadN of 2 bytes, then the trace */
        at[0] = 0x31;
        at[1] = (uint8_t)(10 + 4 * nodes);
        at[3] = 1; /* incremental */
        at[5] = 0x7b;
        at[6] = 1 << 3; /* NodeLen 1 */
        at[7] = 3;      /* RemainingLen */
        at[8] = 0x80;
        at += 12 + 4 * nodes;
        for (i = 0; i < NOUN_COUNT(others); at += 2 + others[i++]) {
            at[0] = 0x1e;
            at[1] = (uint8_t)others[i];
        }
        CHECK_EQ(at - b, 40 + header);
        CHECK_EQ(edits(&lab, b, &n, make_push, &m).verdict,
                 fits ? ROCECC_EDIT_CHANGE : ROCECC_EDIT_FULL);
        CHECK_EQ(n, 40 + header + (fits ? 8 : 0));
        CHECK_EQ(b[fits ? 54 : 50], fits ? 1 << 3 : 1 << 3 | 4); /* O */
        if (!fits) continue;
        CHECK_EQ(b[41], 255);
        CHECK_EQ(rocecc_load16(b + 4), 2048);
    }
}

TEST(ioam_trace_bits_belong_to_one_member)
{
    noun_bits(&ioam_trace_noun, ROCECC_IOAM_TRACE_BYTES);
}

/*
 * Every trace type with one node of NodeLen words. A NodeLen one too small or too large
 * is rejected. The law's table gives the sums for the type's first and last 12 bits.
 * tests/gates/exhaustive/ioam.c takes every NodeLen.
 */
TEST(ioam_trace_type_determines_node_len)
{
    static uint8_t first[4096], last[4096], bytes[8 + 4 * 25];
    const uint64_t rounds = test_rounds(UINT64_C(1) << 24);
    const uint32_t step = (uint32_t)((UINT64_C(1) << 24) / rounds) | 1;
    uint32_t type = 0;
    uint64_t i;
    for (i = 0; i < 4096; i++) {
        first[i] = (uint8_t)law_ioam_words((uint32_t)i << 12);
        last[i] = (uint8_t)law_ioam_words((uint32_t)i);
    }
    for (i = 0; i < rounds; i++, type = (type + step) & 0xffffff) {
        const unsigned n = first[type >> 12] + (unsigned)last[type & 4095];
        const rocecc_reader r = rocecc_reader_of(bytes, bytes + 8 + 4 * (size_t)n);
        bool ok;
        rocecc_store32(bytes + 4, type << 8);
        bytes[2] = (uint8_t)(n << 3);
        ok = rocecc_ioam_node_len(type) == n && rocecc_ioam_trace_match(0, r);
        bytes[2] = (uint8_t)((n + 1) << 3);
        ok = ok && !rocecc_ioam_trace_match(0, r);
        bytes[2] = (uint8_t)((n - 1) << 3);
        if (!ok || rocecc_ioam_trace_match(0, r)) break;
    }
    test_context("trace type %06x", (unsigned)type);
    CHECK_EQ(i, rounds);
    CHECK_EQ(rocecc_ioam_node_len(0xff000000), 0);
    CHECK_EQ(rocecc_ioam_node_len(0xffffffff), 25);
}

/*
 * Every NodeLen, RemainingLens 0 to 66 and 127, and 0 to 64 words, for both kinds. The
 * last word may lack 1 to 3 of its bytes, up to the fifth word, and later 3 bytes.
 */
TEST(ioam_trace_match_follows_the_law_for_all_lengths)
{
    enum { HEAD = ROCECC_IOAM_TRACE_BYTES, EVERY_BYTE = HEAD + 4 * 4 };
    static uint8_t bytes[HEAD + 4 * 64];
    static const uint32_t types[] = {0,        1,        0x800000, 0x820000, 0xd20800,
                                     0x00e000, 0x000002, 0x820002, 0xfffffc, 0xffffff};
    size_t t, n;
    unsigned len, remaining, kind;
    for (t = 0; t < NOUN_COUNT(types); t++)
        for (len = 0; len < 32; len++)
            for (remaining = 0; remaining < 128; remaining += remaining < 66 ? 1 : 61)
                for (n = HEAD; n <= sizeof bytes;
                     n += n < EVERY_BYTE || n % 4 == 0 ? 1 : 3) {
                    const rocecc_reader r = rocecc_reader_of(bytes, bytes + n);
                    bytes[2] = (uint8_t)(len << 3);
                    bytes[3] = (uint8_t)remaining;
                    rocecc_store32(bytes + 4, types[t] << 8);
                    test_at("type, NodeLen << 8 | RemainingLen, bytes", types[t],
                            len << 8 | remaining, n);
                    for (kind = 0; kind < 2; kind++)
                        CHECK_EQ(rocecc_ioam_trace_match((uint8_t)kind, r),
                                 law_ioam_nodes((uint8_t)kind, r));
                }
}

/* Only kinds 0 and 1 are traces. */
TEST(ioam_trace_match_accepts_only_kinds_0_and_1)
{
    static const uint8_t bytes[8] = {0, 0, 0x10, 0, 0x82, 0, 0, 0};
    const rocecc_reader r = rocecc_reader_of(bytes, bytes + 8);
    unsigned kind;
    for (kind = 0; kind < 256; kind++)
        CHECK_EQ(rocecc_ioam_trace_match((uint8_t)kind, r), kind < 2);
}

/*
 * Each item alone is written to its bits by RFC 9197, 4.4.2. All other bits are ones,
 * for "not populated". A measured item of all ones becomes one less, and any other item
 * of all ones reads as not populated. A wider value gives RANGE.
 */
TEST(ioam_items_are_at_the_bits_of_rfc_9197)
{
#define ITEM(name) ROCECC_IOAM_ITEM_##name
    static const struct {
        rocecc_ioam_item item;
        int bit, shift, width;
        bool measured;
    } items[] = {{ITEM(HOP_LIMIT), 0, 24, 8, false},
                 {ITEM(NODE_ID), 0, 0, 24, false},
                 {ITEM(INGRESS_ID), 1, 16, 16, false},
                 {ITEM(EGRESS_ID), 1, 0, 16, false},
                 {ITEM(TIMESTAMP_SEC), 2, 0, 32, true},
                 {ITEM(TIMESTAMP_FRAC), 3, 0, 32, true},
                 {ITEM(TRANSIT_DELAY), 4, 0, 32, true},
                 {ITEM(NAMESPACE_DATA), 5, 0, 32, false},
                 {ITEM(QUEUE_DEPTH), 6, 0, 32, true},
                 {ITEM(CHECKSUM_COMPLEMENT), 7, 0, 32, false},
                 {ITEM(HOP_LIMIT_WIDE), 8, 56, 8, false},
                 {ITEM(NODE_ID_WIDE), 8, 0, 56, false},
                 {ITEM(INGRESS_ID_WIDE), 9, 32, 32, false},
                 {ITEM(EGRESS_ID_WIDE), 9, 0, 32, false},
                 {ITEM(NAMESPACE_DATA_WIDE), 10, 0, 64, false},
                 {ITEM(BUFFER_OCCUPANCY), 11, 0, 32, true},
                 {ITEM(TX_BYTES), 12, 0, 32, true},
                 {ITEM(INTERFACE_SPEED), 13, 26, 6, false},
                 {ITEM(INTERFACE_ERRORS), 13, 0, 26, true},
                 {ITEM(BIT_14), 14, 0, 32, false},
                 {ITEM(BIT_15), 15, 0, 32, false},
                 {ITEM(BIT_16), 16, 0, 32, false},
                 {ITEM(BIT_17), 17, 0, 32, false},
                 {ITEM(BIT_18), 18, 0, 32, false},
                 {ITEM(BIT_19), 19, 0, 32, false},
                 {ITEM(BIT_20), 20, 0, 32, false},
                 {ITEM(BIT_21), 21, 0, 32, false}};
#undef ITEM
    const rocecc_ioam_config c = {0, 12, 13, false};
    size_t i;
    int v;
    for (i = 0; i < NOUN_COUNT(items); i++)
        for (v = 0; v < 4; v++) {
            const bool wide = items[i].bit >= 8 && items[i].bit <= 10;
            const uint64_t all =
                items[i].width == 64 ? UINT64_MAX : (UINT64_C(1) << items[i].width) - 1;
            const uint64_t values[4] = {0, UINT64_C(0x123456789abcdef1) & all, all - 1,
                                        all};
            const uint64_t is = values[v] - (v == 3 && items[i].measured ? 1 : 0);
            uint64_t word = wide ? UINT64_MAX : 0xffffffff;
            uint8_t out[8] = {0};
            rocecc_writer w = rocecc_writer_of(out, out + 8);
            rocecc_ioam_node n, before;
            test_context("item %zu, value %d", i, v);
            rocecc_ioam_node_init(&n);
            CHECK(!rocecc_ioam_has(&n, items[i].item));
            put(&n, items[i].item, values[v]);
            CHECK_EQ(rocecc_ioam_get(&n, items[i].item), is);
            CHECK_EQ(rocecc_ioam_has(&n, items[i].item), is != all);
            before = n;
            if (all != UINT64_MAX)
                CHECK_EQ(rocecc_ioam_set(&n, items[i].item, all + 1), ROCECC_ERR_RANGE);
            CHECK(memcmp(&n, &before, sizeof n) == 0);
            word &= ~(all << items[i].shift);
            word |= is << items[i].shift;
            CHECK_EQ(
                rocecc_ioam_node_emit(&w, &c, 0x800000u >> items[i].bit, &n, no_data()),
                ROCECC_OK);
            CHECK_EQ(w.at, wide ? 8 : 4);
            CHECK_EQ(wide ? rocecc_load64(out) : rocecc_load32(out), word);
            rocecc_ioam_clear(&n, items[i].item);
            CHECK(!rocecc_ioam_has(&n, items[i].item));
            rocecc_ioam_node_init(&before);
            CHECK(memcmp(&n, &before, sizeof n) == 0);
        }
}

/* Setting an item does not change its neighbours. */
TEST(ioam_set_changes_only_its_item)
{
    rocecc_ioam_node n;
    memset(&n, 0x5a, sizeof n);
    put(&n, ROCECC_IOAM_ITEM_HOP_LIMIT, 0x12);
    put(&n, ROCECC_IOAM_ITEM_EGRESS_ID, 0x3456);
    put(&n, ROCECC_IOAM_ITEM_NODE_ID_WIDE, UINT64_C(0x00112233445566));
    put(&n, ROCECC_IOAM_ITEM_INTERFACE_SPEED, 1);
    CHECK_EQ(n.word[0], 0x125a5a5a);
    CHECK_EQ(n.word[1], 0x5a5a3456);
    CHECK_EQ(n.word[8], 0x5a001122);
    CHECK_EQ(n.word[9], 0x33445566);
    CHECK_EQ(n.word[10], 0x5a5a5a5a);
    CHECK_EQ(n.word[27], 0x065a5a5a);
    CHECK_EQ(rocecc_ioam_snapshot_words(&n), 0x5a);
    CHECK_EQ(rocecc_ioam_schema_id(&n), 0x5a5a5a);
}

/* Layouts follow the table of RFC 9197, 4.4.2, and the two configured bits. */
TEST(ioam_layout_follows_rfc_9197_and_configured_bits)
{
    static const uint8_t hpcc[5] = {0, 1, 3, 6, 26};
    static const uint8_t wide[7] = {8, 9, 10, 11, 12, 13, 14};
    const rocecc_ioam_config c = {0, 12, 13, false}, both = {0, 21, 21, false};
    const rocecc_ioam_config off = {0, 11, 22, false};
    rocecc_report_layout l = ROCECC_ZERO;
    uint8_t i;
    rocecc_ioam_layout_update(&c, 0xd20800, &l);
    CHECK(memcmp(l.word, hpcc, 5) == 0);
    rocecc_ioam_layout_update(&c, 0x00f000, &l);
    CHECK(memcmp(l.word, wide, 7) == 0);
    rocecc_ioam_layout_update(&off, 0xffffff, &l);
    for (i = 0; i < 25; i++)
        CHECK_EQ(l.word[i], i);
    rocecc_ioam_layout_update(&both, 0xffffff, &l);
    CHECK(l.word[24] == 26 && l.word[23] == 23);
    rocecc_ioam_layout_update(&c, 0x000c00, &l);
    CHECK(l.word[0] == 26 && l.word[1] == 27 && l.n == 2);
}

/*
 * A layout stays until update() needs another one, of either format. With a layout of
 * the other format, node_next() returns FORMAT.
 */
TEST(ioam_layout_is_kept_until_another_is_needed)
{
    static const uint8_t bytes[8] = {0, 0, 0, 1, 0, 0, 0, 2};
    const rocecc_ioam_config c = {0, 12, 13, false}, swapped = {0, 13, 12, false};
    rocecc_report_layout l = ROCECC_ZERO;
    rocecc_reader r = rocecc_reader_of(bytes, bytes + 8);
    rocecc_ioam_node n;
    rocecc_ioam_view v;
    memset(&v, 0, sizeof v);
    rocecc_ioam_layout_update(&v.config, 0, &l);
    CHECK_EQ(l.n, 0);
    rocecc_ioam_layout_update(&c, 0x000c00, &l);
    l.word[0] = 9; /* shows whether it is remade */
    rocecc_ioam_layout_update(&c, 0x000c00, &l);
    CHECK_EQ(l.word[0], 9);
    rocecc_ioam_layout_update(&swapped, 0x000c00, &l);
    CHECK(l.word[0] == 27 && l.word[1] == 26);
    rocecc_intmd_layout_update(0x0c00, &l);
    CHECK(l.n == 4 && l.word[0] == 4 && l.word[3] == 7);
    l.word[0] = 9;
    rocecc_intmd_layout_update(0x0c00, &l);
    CHECK_EQ(l.word[0], 9);
    v.trace.trace_type = 0x000c00;
    v.trace.node_len = 2;
    CHECK_EQ(rocecc_ioam_node_next(&v, &l, &r, &n), ROCECC_ERR_FORMAT);
    rocecc_ioam_layout_update(&c, 0x000c00, &l);
    CHECK_EQ(rocecc_ioam_node_next(&v, &l, &r, &n), ROCECC_OK);
    CHECK(n.word[26] == 1 && n.word[27] == 2 && n.word[15] == UINT32_MAX);
}

/* DELAY_OVERFLOW is written, and counts as present. */
TEST(ioam_delay_overflow_counts_as_present)
{
    const rocecc_ioam_config c = {0, 0, 0, false};
    uint8_t out[4];
    rocecc_writer w = rocecc_writer_of(out, out + 4);
    rocecc_ioam_node n;
    rocecc_ioam_node_init(&n);
    put(&n, ROCECC_IOAM_ITEM_TRANSIT_DELAY, ROCECC_IOAM_DELAY_OVERFLOW);
    CHECK_EQ(rocecc_ioam_node_emit(&w, &c, ROCECC_IOAM_TRANSIT_DELAY, &n, no_data()),
             ROCECC_OK);
    CHECK_EQ(rocecc_load32(out), 0x80000000);
    CHECK(rocecc_ioam_has(&n, ROCECC_IOAM_ITEM_TRANSIT_DELAY));
}

/* A snapshot must have the length that its node gives, 0 to 255 words. */
TEST(ioam_snapshot_must_have_its_declared_length)
{
    static const uint8_t data[1028] = {0};
    static const struct {
        uint32_t word;
        size_t bytes;
        rocecc_status status;
    } cases[] = {{0x00ffffff, 0, ROCECC_OK},          {0xff000001, 1020, ROCECC_OK},
                 {0x01000001, 4, ROCECC_OK},          {0x01000001, 0, ROCECC_ERR_RANGE},
                 {0x00ffffff, 4, ROCECC_ERR_RANGE},   {0x01000001, 5, ROCECC_ERR_RANGE},
                 {0xff000001, 1024, ROCECC_ERR_RANGE}};
    const rocecc_ioam_config c = {0, 12, 13, false};
    static uint8_t out[2048];
    size_t i;
    for (i = 0; i < NOUN_COUNT(cases); i++) {
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_ioam_node n;
        rocecc_ioam_node_init(&n);
        n.word[25] = cases[i].word;
        test_context("case %zu", i);
        CHECK_EQ(rocecc_ioam_node_emit(&w, &c, 0xffffff, &n,
                                       rocecc_reader_of(data, data + cases[i].bytes)),
                 cases[i].status);
        CHECK_EQ(w.at, cases[i].status != ROCECC_OK ? 0 : 104 + cases[i].bytes);
        if (cases[i].status == ROCECC_OK)
            CHECK_EQ(rocecc_load32(out + 100), cases[i].word);
    }
}

/*
 * The number of routers between two nodes follows from Hop_Lim, short or wide. Hop_Lim
 * must decrease, and both nodes must have it in the same format.
 */
TEST(ioam_gap_follows_from_the_hop_limits)
{
    static const struct {
        uint32_t newer, older;
        uint8_t to, from;
        rocecc_status status;
        uint8_t routers;
    } cases[] = {
        {1, 1, 62, 63, ROCECC_OK, 0},          {1, 1, 60, 63, ROCECC_OK, 2},
        {1, 1, 0, 254, ROCECC_OK, 253},        {1, 1, 63, 63, ROCECC_ERR_FORMAT, 9},
        {1, 1, 64, 63, ROCECC_ERR_FORMAT, 9},  {1, 0, 62, 63, ROCECC_NO_MATCH, 9},
        {0, 1, 62, 63, ROCECC_NO_MATCH, 9},    {0x400, 0x400, 61, 63, ROCECC_OK, 1},
        {0x400, 1, 61, 63, ROCECC_NO_MATCH, 9}};
    size_t i;
    for (i = 0; i < NOUN_COUNT(cases); i++) {
        rocecc_ioam_node newer, older;
        uint8_t routers = 9;
        rocecc_ioam_node_init(&newer);
        rocecc_ioam_node_init(&older);
        if (cases[i].newer == 1) put(&newer, ROCECC_IOAM_ITEM_HOP_LIMIT, cases[i].to);
        if (cases[i].older == 1) put(&older, ROCECC_IOAM_ITEM_HOP_LIMIT, cases[i].from);
        if (cases[i].newer > 1)
            put(&newer, ROCECC_IOAM_ITEM_HOP_LIMIT_WIDE, cases[i].to);
        if (cases[i].older > 1)
            put(&older, ROCECC_IOAM_ITEM_HOP_LIMIT_WIDE, cases[i].from);
        test_context("case %zu", i);
        CHECK_EQ(rocecc_ioam_node_gap(&newer, &older, &routers), cases[i].status);
        CHECK_EQ(routers, cases[i].routers);
    }
}

/* If only one node has the short Hop_Lim, the wide Hop_Lim of both nodes counts. */
TEST(ioam_gap_uses_the_hop_limit_of_both_nodes)
{
    int which;
    for (which = 0; which < 2; which++) {
        rocecc_ioam_node node[2];
        uint8_t routers = 9;
        rocecc_ioam_node_init(&node[0]);
        rocecc_ioam_node_init(&node[1]);
        put(&node[0], ROCECC_IOAM_ITEM_HOP_LIMIT_WIDE, 60);
        put(&node[1], ROCECC_IOAM_ITEM_HOP_LIMIT_WIDE, 63);
        put(&node[which], ROCECC_IOAM_ITEM_HOP_LIMIT, 200);
        test_context("the short one in node %d", which);
        CHECK_EQ(rocecc_ioam_node_gap(&node[0], &node[1], &routers), ROCECC_OK);
        CHECK_EQ(routers, 2);
    }
}

/* A trace may have 64 nodes, more than an IPv6 option can hold, but not 65. */
TEST(ioam_trace_has_at_most_64_nodes)
{
    static uint8_t bytes[8 + 4 * 65] = {0, 0, 0x08, 0, 0x80};
    size_t n;
    for (n = 0; n <= 65; n++) {
        rocecc_ioam_option o = {0, ROCECC_IOAM_INCREMENTAL,
                                rocecc_reader_of(bytes, bytes + 8 + 4 * n)};
        rocecc_ioam_view v;
        test_context("%zu nodes", n);
        CHECK_EQ(rocecc_ioam_view_parse(&nothing, &o, &v),
                 n <= 64 ? ROCECC_OK : ROCECC_ERR_UNSUPPORTED);
        if (n <= 64) CHECK_EQ(v.count, n);
    }
}

/*
 * Nodes above the maximum are not read, so a snapshot that is cut there does not
 * matter.
 */
TEST(ioam_nodes_above_the_maximum_are_not_read)
{
    static uint8_t bytes[8 + 8 * 65] = {0, 0, 0x08, 0, 0x80, 0, 2};
    rocecc_ioam_option o = {0, ROCECC_IOAM_INCREMENTAL,
                            rocecc_reader_of(bytes, bytes + sizeof bytes)};
    rocecc_ioam_view v;
    bytes[8 + 8 * 64 + 4] = 1;
    CHECK_EQ(rocecc_ioam_view_parse(&nothing, &o, &v), ROCECC_ERR_UNSUPPORTED);
    bytes[8 + 8 * 63 + 4] = 5;
    CHECK_EQ(rocecc_ioam_view_parse(&nothing, &o, &v), ROCECC_ERR_FORMAT);
    law_ioam(o.data);
}

/*
 * Bytes of a packet from its host, and with a Hop-by-Hop header for five nodes of
 * HPCC++ (20 bytes each).
 */
enum { SENT = 60, TRACED = SENT + 120 };

/* Writes an IPv6 packet of n bytes with only UDP. */
static size_t udp_packet(uint8_t *b, size_t n)
{
    memset(b, 0, n);
    b[0] = 0x60;
    rocecc_store16(b + 4, (uint16_t)(n - 40));
    b[6] = 17;
    b[7] = 64;
    rocecc_store16(b + 44, (uint16_t)(n - 40));
    return n;
}

static making five_nodes(void)
{
    making m = one_node();
    m.source.opt_type = ROCECC_IOAM_PREALLOCATED;
    m.source.namespace_id = 0x7b;
    m.source.trace_type = ROCECC_IOAM_TYPE_HPCC;
    m.source.words = 25;
    return m;
}

/*
 * Five nodes on a path write to their places. The sixth node finds no room and sets O,
 * and the seventh leaves the trace unchanged.
 */
TEST(ioam_sixth_node_sets_overflow_in_a_trace_of_five)
{
    const making m = five_nodes();
    static uint8_t b[1024], was[SENT];
    rocecc_reader nodes;
    rocecc_ioam_option o;
    rocecc_ioam_view v;
    rocecc_report_layout l = ROCECC_ZERO;
    rocecc_ioam_node n;
    rocecc_packet p;
    size_t bytes = SENT;
    uint8_t i;
    memcpy(was, b, udp_packet(b, SENT));
    CHECK_EQ(edits(&lab, b, &bytes, make_insert, &m).verdict, ROCECC_EDIT_CHANGE);
    CHECK_EQ(bytes, TRACED);
    (void)rocecc_packet_parse(&lab, rocecc_reader_of(b, b + TRACED), &p);
    for (i = 1; i <= 7; i++) {
        rocecc_ioam_node_init(&n);
        put(&n, ROCECC_IOAM_ITEM_HOP_LIMIT, 64u - i);
        put(&n, ROCECC_IOAM_ITEM_NODE_ID, i);
        test_context("node %u", i);
        CHECK_EQ(rocecc_ioam_update(&p, rocecc_writer_of(b, b + TRACED), &n, no_data()),
                 i <= 5   ? ROCECC_EDIT_CHANGE
                 : i == 6 ? ROCECC_EDIT_FULL
                          : ROCECC_EDIT_NONE);
    }
    CHECK_EQ(rocecc_ioam_find(&p, &o), ROCECC_OK);
    CHECK_EQ(rocecc_ioam_view_parse(&lab.ioam, &o, &v), ROCECC_OK);
    CHECK(v.count == 5 && v.trace.flags == ROCECC_IOAM_FLAG_OVERFLOW);
    nodes = v.nodes;
    rocecc_ioam_layout_update(&lab.ioam, v.trace.trace_type, &l);
    for (i = 5; i >= 1; i--) {
        CHECK_EQ(rocecc_ioam_node_next(&v, &l, &nodes, &n), ROCECC_OK);
        CHECK_EQ(n.word[0], (64u - i) << 24 | i);
        CHECK(n.word[1] == 0xffffffff && n.word[26] == 0xffffffff);
    }
    CHECK_EQ(edits(&lab, b, &bytes, make_strip, &m).verdict, ROCECC_EDIT_CHANGE);
    CHECK(bytes == SENT && memcmp(b, was, SENT) == 0);
}

/* If the buffer ends before the node's place does, nothing is written. */
TEST(ioam_update_needs_the_whole_place_of_its_node)
{
    const making m = five_nodes();
    static uint8_t b[1024], was[TRACED], other[TRACED];
    rocecc_packet p;
    size_t bytes = SENT, end;
    (void)udp_packet(b, SENT);
    (void)edits(&lab, b, &bytes, make_insert, &m);
    CHECK_EQ(bytes, TRACED);
    (void)rocecc_packet_parse(&lab, rocecc_reader_of(b, b + TRACED), &p);
    memcpy(was, b, sizeof was);
    memcpy(other, b, sizeof other);
    other[51] &= 0x80; /* RemainingLen is 0 in this buffer */
    CHECK_EQ(rocecc_ioam_update(&p, rocecc_writer_of(other, other + sizeof other), &m.n,
                                no_data()),
             ROCECC_EDIT_BROKEN);
    for (end = 0; end < 156; end++) { /* end of the first node's place */
        CHECK_EQ(rocecc_ioam_update(&p, rocecc_writer_of(b, b + end), &m.n, no_data()),
                 ROCECC_EDIT_BROKEN);
        CHECK(memcmp(b, was, sizeof was) == 0);
    }
    CHECK_EQ(rocecc_ioam_update(&p, rocecc_writer_of(b, b + end), &m.n, no_data()),
             ROCECC_EDIT_CHANGE);
}

/* A network may configure only bits 12 to 21. */
TEST(ioam_configured_bits_are_12_to_21)
{
    unsigned bit;
    for (bit = 0; bit < 256; bit++) {
        test_context("bit %u", bit);
        CHECK_EQ(rocecc_ioam_bit((uint8_t)bit),
                 bit < 12 || bit > 21 ? 0 : UINT32_C(1) << (23 - bit));
    }
}

/* L is the second of four flags, and needs bit 0 alone (RFC 9322). */
TEST(ioam_loopback_needs_flag_l_and_only_bit_0)
{
    rocecc_ioam_trace h;
    unsigned flags, bit;
    memset(&h, 0, sizeof h);
    for (flags = 0; flags < 16; flags++)
        for (bit = 0; bit < 24; bit++) {
            test_context("flags %u, bit %u", flags, bit);
            h.flags = (uint8_t)flags;
            h.trace_type = 0x800000u >> bit;
            CHECK_EQ(rocecc_ioam_loopback_match(&h), (flags & 4) != 0 && bit == 0);
            h.trace_type |= 0x800000;
            if (bit != 0) CHECK(!rocecc_ioam_loopback_match(&h));
        }
}

/* Only kinds 0 and 1 are traces. The data of other kinds is not checked. */
TEST(ioam_other_kinds_are_not_traces)
{
    static const uint8_t data[8] = {0, 0, 8, 0, 0x80};
    const rocecc_ioam_config c = {0, 0, 0, false};
    unsigned kind;
    for (kind = 0; kind < 256; kind++) {
        rocecc_ioam_option o;
        rocecc_ioam_view v;
        test_context("kind %u", kind);
        o.reserved = 0;
        o.opt_type = (uint8_t)kind;
        o.data = rocecc_reader_of(data, data + 8);
        CHECK_EQ(rocecc_ioam_view_parse(&c, &o, &v),
                 kind < 2 ? ROCECC_OK : ROCECC_NO_MATCH);
        o.data = rocecc_reader_of(data, data + 7);
        CHECK_EQ(rocecc_ioam_view_parse(&c, &o, &v),
                 kind < 2 ? ROCECC_ERR_FORMAT : ROCECC_NO_MATCH);
    }
}

/* A snapshot ends where its node ends, even if more nodes follow. */
TEST(ioam_snapshot_ends_where_its_node_ends)
{
    static const uint8_t b[16] = {0};
    rocecc_reader nodes = rocecc_reader_of(b, b + sizeof b), snapshot;
    rocecc_ioam_node n;
    memset(&n, 0, sizeof n);
    n.word[ROCECC_IOAM_WORD_SNAPSHOT] = 2u << 24;
    nodes.at = 12;
    snapshot = rocecc_ioam_snapshot(&n, nodes);
    CHECK(snapshot.at == 4 && snapshot.end == 12);
    nodes.at = 4; /* fewer words than it declares */
    snapshot = rocecc_ioam_snapshot(&n, nodes);
    CHECK(snapshot.at == 0 && snapshot.end == 4);
}

/* A kept layout is remade even if only one configured bit has changed. */
TEST(ioam_layout_is_remade_for_another_configured_bit)
{
    const uint32_t trace_type = 0xd20800 | 1u << 10;
    rocecc_ioam_config c = {0, 12, 13, false};
    rocecc_report_layout kept, anew;
    memset(&kept, 0, sizeof kept);
    rocecc_ioam_layout_update(&c, trace_type, &kept);
    CHECK_EQ(kept.interface_bit, 13);
    c.interface_bit = 0;
    memset(&anew, 0, sizeof anew);
    rocecc_ioam_layout_update(&c, trace_type, &anew);
    rocecc_ioam_layout_update(&c, trace_type, &kept);
    CHECK_EQ(kept.interface_bit, 0);
    CHECK(memcmp(&kept, &anew, sizeof kept) == 0);
    c.tx_bytes_bit = 13; /* the word of tx_bytes moves, too */
    rocecc_ioam_layout_update(&c, trace_type, &kept);
    CHECK(kept.tx_bytes_bit == 13 && kept.n == 6);
    CHECK(kept.word[4] == 12 + 3 && kept.word[5] == 26); /* after three wide items */
}

/*
 * If a node declares more snapshot words than there are before the end of its data, the
 * snapshot has only these words.
 */
TEST(ioam_snapshot_is_limited_to_the_available_words)
{
    uint8_t b[8] = {0};
    rocecc_reader nodes = rocecc_reader_of(b, b + sizeof b), snapshot;
    rocecc_ioam_node n;
    memset(&n, 0, sizeof n);
    n.word[ROCECC_IOAM_WORD_SNAPSHOT] = 3u << 24;
    nodes.at = 8;
    CHECK_EQ(rocecc_ioam_snapshot_words(&n), 3);
    snapshot = rocecc_ioam_snapshot(&n, nodes);
    CHECK(snapshot.at == 0 && snapshot.end == 8);
    n.word[ROCECC_IOAM_WORD_SNAPSHOT] = 1u << 24;
    snapshot = rocecc_ioam_snapshot(&n, nodes);
    CHECK(snapshot.at == 4 && snapshot.end == 8);
}

/* A trace in another namespace is parsed. The caller must compare the namespaces. */
TEST(ioam_trace_of_another_namespace_is_parsed)
{
    static const uint8_t data[8] = {0, 2, 8, 0, 0x80};
    const rocecc_ioam_config c = {1, 0, 0, false};
    const rocecc_ioam_option o = {0, ROCECC_IOAM_INCREMENTAL,
                                  rocecc_reader_of(data, data + 8)};
    rocecc_ioam_view v;
    CHECK_EQ(rocecc_ioam_view_parse(&c, &o, &v), ROCECC_OK);
    CHECK(v.trace.namespace_id == 2 && v.config.namespace_id == 1);
}

/*
 * The view's configuration has tx_bytes in bit 12, but the layout's has not. The word
 * is read as BIT_12, without an error.
 */
TEST(ioam_layout_of_other_configured_bits_is_not_detected)
{
    static const uint8_t data[12] = {0, 0, 8, 0, 0, 8, 0, 0, 0, 0, 0, 7};
    const rocecc_ioam_config with = {0, 12, 0, false};
    const rocecc_ioam_option o = {0, ROCECC_IOAM_INCREMENTAL,
                                  rocecc_reader_of(data, data + 12)};
    rocecc_report_layout l = ROCECC_ZERO;
    rocecc_ioam_node n;
    rocecc_ioam_view v;
    CHECK_EQ(rocecc_ioam_view_parse(&with, &o, &v), ROCECC_OK);
    rocecc_ioam_layout_update(&nothing, 0x000800, &l);
    CHECK_EQ(rocecc_ioam_node_next(&v, &l, &v.nodes, &n), ROCECC_OK);
    CHECK_EQ(rocecc_ioam_get(&n, ROCECC_IOAM_ITEM_BIT_12), 7);
    CHECK(!rocecc_ioam_has(&n, ROCECC_IOAM_ITEM_TX_BYTES));
}

/* Bits 12 and 13 are configured. Only bit 14 is written as itself. */
TEST(ioam_configured_items_replace_their_bits)
{
    const rocecc_ioam_config c = {0, 12, 13, false};
    uint8_t out[12];
    rocecc_writer w = rocecc_writer_of(out, out + 12);
    rocecc_ioam_node n;
    rocecc_ioam_node_init(&n);
    put(&n, ROCECC_IOAM_ITEM_BIT_12, 12);
    put(&n, ROCECC_IOAM_ITEM_BIT_13, 13);
    put(&n, ROCECC_IOAM_ITEM_BIT_14, 14);
    put(&n, ROCECC_IOAM_ITEM_TX_BYTES, 5);
    CHECK_EQ(rocecc_ioam_node_emit(&w, &c, 0x000e00, &n, no_data()), ROCECC_OK);
    CHECK_EQ(rocecc_load32(out), 5);
    CHECK_EQ(rocecc_load32(out + 4), 0xffffffff);
    CHECK_EQ(rocecc_load32(out + 8), 14);
}

/* Hop Limit 255 is all ones, and counts as "not populated". */
TEST(ioam_hop_limit_255_is_absent)
{
    rocecc_ioam_node newer, older;
    uint8_t routers = 9;
    rocecc_ioam_node_init(&newer);
    rocecc_ioam_node_init(&older);
    put(&newer, ROCECC_IOAM_ITEM_HOP_LIMIT, 254);
    put(&older, ROCECC_IOAM_ITEM_HOP_LIMIT, 255);
    CHECK(!rocecc_ioam_has(&older, ROCECC_IOAM_ITEM_HOP_LIMIT));
    CHECK_EQ(rocecc_ioam_node_gap(&newer, &older, &routers), ROCECC_NO_MATCH);
    CHECK_EQ(routers, 9);
}

/*
 * Without bit 22, a snapshot is not written, but must have the length that the node
 * gives.
 */
TEST(ioam_snapshot_without_bit_22_must_still_fit)
{
    static const uint8_t data[4] = {1, 2, 3, 4};
    uint8_t out[16];
    rocecc_writer w = rocecc_writer_of(out, out + 16);
    rocecc_ioam_node n;
    rocecc_ioam_node_init(&n);
    n.word[ROCECC_IOAM_WORD_SNAPSHOT] = 0x01000005;
    CHECK_EQ(rocecc_ioam_node_emit(&w, &nothing, 0x800000, &n, no_data()),
             ROCECC_ERR_RANGE);
    CHECK_EQ(rocecc_ioam_node_words(0x800000, &n), 1);
    CHECK_EQ(rocecc_ioam_node_emit(&w, &nothing, 0x800000, &n,
                                   rocecc_reader_of(data, data + 4)),
             ROCECC_OK);
    CHECK_EQ(w.at, 4);
}

/* A trace without nodes gives END, even with a layout of another trace type. */
TEST(ioam_trace_without_nodes_ends_with_any_layout)
{
    static const uint8_t data[8] = {0, 0, 8, 0, 0x80};
    const rocecc_report_layout l = ROCECC_ZERO;
    const rocecc_ioam_option o = {0, ROCECC_IOAM_INCREMENTAL,
                                  rocecc_reader_of(data, data + 8)};
    rocecc_ioam_node n;
    rocecc_ioam_view v;
    CHECK_EQ(rocecc_ioam_view_parse(&nothing, &o, &v), ROCECC_OK);
    CHECK_EQ(rocecc_ioam_node_next(&v, &l, &v.nodes, &n), ROCECC_END);
}

/*
 * Seven other options precede each of two IOAM options. option_next() accepts eight
 * options per call, but trace_find() accepts eight in the whole list.
 */
TEST(ioam_option_next_accepts_8_options_per_call)
{
    uint8_t bytes[4 * 16] = {0};
    rocecc_ioam_option o;
    rocecc_reader r = rocecc_reader_of(bytes, bytes + sizeof bytes);
    size_t i;
    for (i = 0; i < 16; i++)
        rocecc_store32(bytes + 4 * i, i % 8 == 7 ? 0x31020003 : 0x3e020000);
    CHECK_EQ(rocecc_ioam_option_next(&r, 0x31, &o), ROCECC_OK);
    CHECK_EQ(r.at, 32);
    CHECK_EQ(rocecc_ioam_option_next(&r, 0x31, &o), ROCECC_OK);
    CHECK_EQ(r.at, 64);
    CHECK_EQ(rocecc_ioam_option_next(&r, 0x31, &o), ROCECC_END);
    CHECK_EQ(rocecc_ioam_trace_find(rocecc_reader_of(bytes, bytes + sizeof bytes), &o),
             ROCECC_ERR_UNSUPPORTED);
}

/*
 * An unaligned trace gives FORMAT, even before an aligned one. Bytes after the first
 * trace do not matter.
 */
TEST(ioam_trace_find_checks_only_the_first_trace)
{
    static const uint8_t two[] = {0x31, 2, 0, 0, 1, 0, 0x31, 2, 0, 0};
    static const uint8_t broken[] = {1, 0, 0x31, 2, 0, 1, 0x31, 0};
    rocecc_ioam_option o;
    memset(&o, 0, sizeof o);
    CHECK_EQ(rocecc_ioam_trace_find(rocecc_reader_of(two, two + sizeof two), &o),
             ROCECC_ERR_FORMAT);
    CHECK_EQ(rocecc_ioam_trace_find(rocecc_reader_of(two + 4, two + sizeof two), &o),
             ROCECC_OK);
    CHECK_EQ(
        rocecc_ioam_trace_find(rocecc_reader_of(broken, broken + sizeof broken), &o),
        ROCECC_OK);
    CHECK_EQ(o.opt_type, ROCECC_IOAM_INCREMENTAL);
}

/* Without their flags, the flow ID and the sequence number are not written. */
TEST(ioam_dex_values_without_their_flags_are_not_written)
{
    uint8_t out[16];
    rocecc_writer w = rocecc_writer_of(out, out + 8);
    rocecc_ioam_dex h;
    memset(&h, 0, sizeof h);
    h.others = no_data();
    h.flow_id = 0xbeef;
    h.sequence_number = 7;
    CHECK_EQ(rocecc_ioam_dex_emit(&w, &h), ROCECC_OK);
    CHECK_EQ(w.at, 8);
    h.extension_flags = ROCECC_IOAM_DEX_SEQUENCE;
    w = rocecc_writer_of(out, out + 16);
    CHECK_EQ(rocecc_ioam_dex_emit(&w, &h), ROCECC_OK);
    CHECK_EQ(w.at, 12);
    CHECK_EQ(rocecc_load32(out + 8), 7);
    h.trace_type = 0x1000000; /* 25 bits; RANGE precedes SPACE */
    w = rocecc_writer_of(NULL, NULL);
    CHECK_EQ(rocecc_ioam_dex_emit(&w, &h), ROCECC_ERR_RANGE);
}

/* The item of bit 4 has an unknown length, and may have 0 or 5 bytes. */
TEST(ioam_e2e_item_of_an_unknown_bit_may_be_empty)
{
    static const uint8_t data[9] = {0, 1, 0x08, 0, 1, 2, 3, 4, 5};
    rocecc_ioam_option o = {0, ROCECC_IOAM_EDGE_TO_EDGE,
                            rocecc_reader_of(data, data + 4)};
    rocecc_ioam_e2e h;
    CHECK_EQ(rocecc_ioam_e2e_parse(&o, &h), ROCECC_OK);
    CHECK(h.e2e_type == 0x0800 && rocecc_left(&h.others) == 0);
    o.data = rocecc_reader_of(data, data + 9);
    CHECK_EQ(rocecc_ioam_e2e_parse(&o, &h), ROCECC_OK);
    CHECK_EQ(rocecc_left(&h.others), 5);
}

/* The snapshot of a new node has Length 0, because all ones would be 255 words. */
TEST(ioam_new_node_has_an_empty_snapshot)
{
    rocecc_ioam_node n;
    rocecc_ioam_node_init(&n);
    CHECK_EQ(rocecc_ioam_snapshot_words(&n), 0);
    CHECK_EQ(rocecc_ioam_schema_id(&n), 0xffffff);
    CHECK(rocecc_ioam_node_fits(&n, no_data()));
    CHECK_EQ(rocecc_ioam_node_words(ROCECC_IOAM_SNAPSHOT, &n), 1);
    CHECK_EQ(rocecc_ioam_get(&n, ROCECC_IOAM_ITEM_INTERFACE_SPEED), 63);
}

/* Bits 22 and 23 have no word in a node's fixed part, but bits 0, 7, 8 and 21 do. */
TEST(ioam_item_words_exclude_the_snapshot)
{
    CHECK_EQ(rocecc_ioam_item_words(0x000003), 0);
    CHECK_EQ(rocecc_ioam_item_words(0x800000), 0x80000000);
    CHECK_EQ(rocecc_ioam_item_words(0x010000), 0x01000000);
    CHECK_EQ(rocecc_ioam_item_words(0x008000), 0x00c00000);
    CHECK_EQ(rocecc_ioam_item_words(0x000004), 0x00000080);
}
