/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/fastcnp.h"
#include "lib/noun.h"
#include "rocecc/wire/fastcnp.h"

#include <stdlib.h>
#include <string.h>

#define UNTOUCHED 0xa5

static const field config_fields[] = {
    ROCECC_FASTCNP_CONFIG_FIELDS(FIELD_ROW, rocecc_fastcnp_config)};

/* An option and its trace. Rows contain the trace, but not its offset. */
typedef struct shown {
    rocecc_fastcnp h;
    rocecc_reader trace;
} shown;

#define OPTION_ROW(T, kind, member, ...)                                               \
    FIELD_ROW_(#member, ROCECC_FIELD_##kind, offsetof(T, h.member),                    \
               sizeof(((T *)0)->h.member), __VA_ARGS__, 0, "", "", 0)
static const field fields[] = {ROCECC_FASTCNP_FIELDS(OPTION_ROW, shown)
                                   FIELD_ROW(shown, VIEW, trace, NULL)};
static const field cnp_fields[] = {ROCECC_CNP_FIELDS(FIELD_ROW, rocecc_cnp)};
#define CNP_BUILT (NOUN_COUNT(cnp_fields) - 2) /* all but odd and reserved */
static const field rule_field[] = {
    FIELD_AT("rule", ENUM, 0, 1, "auto standard masked literal stripped none")};
static const field refusal_field[] = {
    FIELD_AT("refusal", ENUM, 0, 1, "accepted off act chg assigned same form")};

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

/* Returns a row's configuration, for example from fastcnp.type_plain=0x9e. */
static rocecc_fastcnp_config config_of(const vec_row *row)
{
    rocecc_fastcnp_config c = {0, 0, 0, false, false};
    CHECK_EQ(set(row->config, row->n_config, "fastcnp.", MEMBERS(config_fields, &c)),
             row->n_config);
    CHECK(rocecc_fastcnp_init(&c) <= ROCECC_FASTCNP_REFUSED_OFF);
    return c;
}

/* Returns the option that a row describes, before or after its arrow. */
static shown option_of(const vec_pair *pairs, size_t n)
{
    shown o;
    memset(&o, 0, sizeof o);
    o.trace = rocecc_reader_of(NULL, NULL);
    (void)set(pairs, n, "", MEMBERS(fields, &o));
    o.h.trace_bytes = (uint16_t)rocecc_left(&o.trace);
    o.h.trace_at = (uint32_t)o.trace.at;
    return o;
}

/* Returns a parsed option and its trace, as rows describe them. */
static shown seen(const rocecc_fastcnp *h, rocecc_reader from)
{
    shown o;
    o.h = *h;
    o.trace = rocecc_fastcnp_trace(from, h);
    CHECK_EQ(h->trace_bytes, rocecc_left(&o.trace));
    CHECK_EQ(h->trace_at, h->trace_bytes == 0 ? 0 : o.trace.at);
    o.h.trace_bytes = 0;
    o.h.trace_at = 0;
    return o;
}

static void check_seen(const vec_row *row, rocecc_status status,
                       const rocecc_fastcnp *h, rocecc_reader from)
{
    shown o;
    memset(&o, UNTOUCHED, sizeof o);
    if (status == ROCECC_OK) o = seen(h, from);
    noun_check_out(row, fields, NOUN_COUNT(fields), status, &o);
}

/* Returns a packet with only a domain and bytes, for build(). */
static rocecc_packet packet_about(const rocecc_domain *d, rocecc_reader from)
{
    rocecc_packet p;
    rocecc_headers_clear(&p.headers);
    p.bytes = from;
    p.domain = d;
    return p;
}

static size_t untouched(const uint8_t *p, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++)
        if (p[i] != UNTOUCHED) break;
    return i;
}

/* Arguments of emit() or build(). */
typedef struct writes {
    rocecc_domain d;
    shown option;
    rocecc_cnp cnp;
    rocecc_icrc_rule rule;
    bool whole; /* build() instead of emit() */
} writes;

static rocecc_status write_it(const writes *what, rocecc_writer *w)
{
    const rocecc_fastcnp *h = &what->option.h;
    const rocecc_packet p = packet_about(&what->d, what->option.trace);
    return what->whole ? rocecc_fastcnp_build(w, &p, what->rule, &what->cnp, h)
                       : rocecc_fastcnp_emit(w, &what->d.fastcnp, h, p.bytes);
}

static void check_writes(const vec_row *row, const writes *what)
{
    const size_t most = row->status == ROCECC_OK ? row->n : 600;
    size_t room;
    for (room = 0; room <= most; room += row->status == ROCECC_OK ? 1 : 600) {
        const rocecc_status should =
            row->status == ROCECC_OK && room < row->n ? ROCECC_ERR_SPACE : row->status;
        uint8_t *at[2];
        int i;
        at[0] = guard_end(NULL, room);
        at[1] = guard_start(NULL, room);
        test_context("%s, room for %zu bytes", row->id, room);
        for (i = 0; i < 2; i++) {
            rocecc_writer w = rocecc_writer_of(at[i], at[i] + room);
            memset(at[i], UNTOUCHED, room);
            CHECK_EQ(write_it(what, &w), should);
            CHECK_EQ(w.at, should == ROCECC_OK ? row->n : 0);
            CHECK(memcmp(at[i], row->bytes, w.at) == 0);
            CHECK_EQ(untouched(at[i] + w.at, room - w.at), room - w.at);
        }
    }
}

static void call_fastcnp_init(const vec_row *row)
{
    rocecc_fastcnp_config c = {0, 0, 0, false, false};
    uint8_t refusal;
    CHECK_EQ(set(row->in, row->n_in, "", MEMBERS(config_fields, &c)), row->n_in);
    refusal = (uint8_t)rocecc_fastcnp_init(&c);
    noun_check_out(row, refusal_field, 1, ROCECC_OK, &refusal);
}

/* Parses the header in `r`. Checks that a failure leaves *h unchanged. */
static rocecc_status parse(const rocecc_fastcnp_config *c, rocecc_reader r,
                           rocecc_fastcnp *h)
{
    rocecc_ip6opts opts;
    rocecc_fastcnp before;
    rocecc_status status = rocecc_ip6opts_parse(&r, &opts);
    if (status != ROCECC_OK) return status;
    memset(h, UNTOUCHED, sizeof *h);
    before = *h;
    status = rocecc_fastcnp_parse(c, opts.options, h);
    if (status != ROCECC_OK) CHECK(memcmp(h, &before, sizeof *h) == 0);
    return status;
}

static void call_fastcnp_parse(const vec_row *row)
{
    const rocecc_fastcnp_config c = config_of(row);
    size_t n, i;
    rocecc_fastcnp h;
    for (n = 0; n <= row->n; n++) {
        const uint8_t *at[2];
        at[0] = guard_end(row->bytes, n);
        at[1] = guard_start(row->bytes, n);
        test_context("%s, the first %zu bytes", row->id, n);
        for (i = 0; i < 2; i++) {
            const rocecc_status status =
                parse(&c, rocecc_reader_of(at[i], at[i] + n), &h);
            if (n == row->n)
                check_seen(row, status, &h, rocecc_reader_of(at[i], at[i] + n));
            else
                CHECK_EQ(status, ROCECC_ERR_SHORT);
        }
    }
    if (row->status == ROCECC_OK && row->emit) {
        writes what;
        memset(&what, 0, sizeof what);
        what.d.fastcnp = c;
        what.option = option_of(row->out, row->n_out);
        CHECK_EQ(rocecc_fastcnp_bytes(&c, &what.option.h), row->n);
        check_writes(row, &what);
    }
}

static void call_fastcnp_emit(const vec_row *row)
{
    writes what;
    memset(&what, 0, sizeof what);
    what.d.fastcnp = config_of(row);
    what.option = option_of(row->in, row->n_in);
    check_writes(row, &what);
}

/* Checks build() with an ICRC rule, members of the default CNP, and the option. */
static void call_fastcnp_build(const vec_row *row)
{
    rocecc_icrc_rule rule = ROCECC_ICRC_AUTO;
    writes what;
    shown again;
    const members built = {cnp_fields, CNP_BUILT, &what.cnp};
    memset(&what, 0, sizeof what);
    memset(&again, 0, sizeof again);
    what.d.fastcnp = config_of(row);
    what.option = option_of(row->in, row->n_in);
    what.cnp = rocecc_cnp_default();
    what.whole = true;
    CHECK_EQ(set(row->in, row->n_in, "", built) +
                 set(row->in, row->n_in, "", MEMBERS(rule_field, &rule)) +
                 set(row->in, row->n_in, "", MEMBERS(fields, &again)),
             row->n_in);
    what.rule = rule;
    check_writes(row, &what);
}

/* Parses the row's packet. Its domain is *d, and must outlive it. */
static rocecc_packet packet_of(const vec_row *row, rocecc_domain *d)
{
    const uint8_t *at = guard_end(row->bytes, row->n);
    const rocecc_reader r = rocecc_reader_of(at, at + row->n);
    rocecc_packet p;
    *d = law_packet_plain(r);
    d->fastcnp = config_of(row);
    (void)rocecc_packet_parse(d, r, &p);
    return p;
}

static void call_fastcnp_find(const vec_row *row)
{
    rocecc_domain d;
    const rocecc_packet p = packet_of(row, &d);
    rocecc_fastcnp h, before;
    rocecc_status status;
    memset(&h, UNTOUCHED, sizeof h);
    before = h;
    status = rocecc_fastcnp_find(&p, &h);
    if (status != ROCECC_OK) CHECK(memcmp(&h, &before, sizeof h) == 0);
    check_seen(row, status, &h, p.bytes);
}

static void call_fastcnp_match(const vec_row *row)
{
    rocecc_domain d;
    const rocecc_packet p = packet_of(row, &d);
    CHECK_EQ(rocecc_fastcnp_match(&p), vec_value(row->out, row->n_out, "yes") != NULL);
}

static void call_fastcnp_of(const vec_row *row)
{
    rocecc_domain d;
    const rocecc_packet p = packet_of(row, &d);
    rocecc_fastcnp h, before;
    rocecc_status status;
    memset(&h, UNTOUCHED, sizeof h);
    before = h;
    status = rocecc_fastcnp_derive(&p, &h);
    if (status != ROCECC_OK) CHECK(memcmp(&h, &before, sizeof h) == 0);
    check_seen(row, status, &h, p.bytes);
}

static const noun_call calls[] = {
    {"fastcnp_init", call_fastcnp_init}, {"fastcnp_parse", call_fastcnp_parse},
    {"fastcnp_emit", call_fastcnp_emit}, {"fastcnp_build", call_fastcnp_build},
    {"fastcnp_find", call_fastcnp_find}, {"fastcnp_match", call_fastcnp_match},
    {"fastcnp_derive", call_fastcnp_of},
};

TEST(fastcnp_vectors)
{
    const noun_file file = {"fastcnp", law_fastcnp, NULL, 0, calls, NOUN_COUNT(calls)};
    noun_frame_vectors(&file);
}

/* Returns init()'s result for a type of one kind, with a valid type of the other. */
static rocecc_fastcnp_refusal refusal_of(unsigned type, bool ioam)
{
    rocecc_fastcnp_config c = {0x95, 0x95, 0, false, false};
    if (ioam)
        c.type_ioam = (uint8_t)type;
    else
        c.type_plain = (uint8_t)type;
    test_context("type %02x", type);
    return rocecc_fastcnp_init(&c);
}

/*
 * Checks that a type other than 0 is refused with ACT if and only if its act bits are
 * not 10.
 */
static void check_act(bool ioam)
{
    unsigned type;
    for (type = 1; type < 256; type++)
        CHECK_EQ(refusal_of(type, ioam) == ROCECC_FASTCNP_REFUSED_ACT, type >> 6 != 2);
}

TEST(FC_10_act_bits_of_the_plain_type_must_be_10)
{
    check_act(false);
}

TEST(FC_13_act_bits_of_the_ioam_type_must_be_10)
{
    check_act(true);
}

/*
 * Checks that a type with act bits 10 is refused with CHG if and only if its chg bit is
 * 1.
 */
static void check_chg(bool ioam)
{
    unsigned type;
    for (type = 0x80; type < 0xc0; type++)
        CHECK_EQ(refusal_of(type, ioam) == ROCECC_FASTCNP_REFUSED_CHG, type >> 5 & 1);
}

TEST(FC_11_chg_bit_of_the_plain_type_must_be_0)
{
    check_chg(false);
}

TEST(FC_14_chg_bit_of_the_ioam_type_must_be_0)
{
    check_chg(true);
}

/*
 * Types 0x80 to 0x9f are accepted, unless IANA assigned them or both kinds have them.
 * Type 0 is accepted if the other kind is on.
 */
TEST(fastcnp_init_rejects_assigned_and_equal_types)
{
    unsigned type, ioam;
    for (ioam = 0; ioam < 2; ioam++)
        for (type = 0x80; type < 0xa0; type++)
            CHECK_EQ(refusal_of(type, ioam),
                     type >= 0x8a && type <= 0x8c ? ROCECC_FASTCNP_REFUSED_ASSIGNED
                     : type == 0x95               ? ROCECC_FASTCNP_REFUSED_SAME
                                                  : ROCECC_FASTCNP_ACCEPTED);
    CHECK_EQ(refusal_of(0, false), ROCECC_FASTCNP_ACCEPTED); /* the other kind is on */
    CHECK_EQ(refusal_of(0, true), ROCECC_FASTCNP_ACCEPTED);
}

/* Only forms 0 and 1 are accepted. */
TEST(fastcnp_init_accepts_only_forms_0_and_1)
{
    unsigned form;
    for (form = 0; form < 256; form++) {
        rocecc_fastcnp_config c = {0x9e, 0x9f, (uint8_t)form, false, false};
        CHECK_EQ(rocecc_fastcnp_init(&c),
                 form < 2 ? ROCECC_FASTCNP_ACCEPTED : ROCECC_FASTCNP_REFUSED_FORM);
    }
}

/* Returns a list with one option of a type, with 16 bytes of data, and with PadN. */
static rocecc_reader header(uint8_t type)
{
    static uint8_t bytes[24];
    memset(bytes, 0, sizeof bytes);
    bytes[0] = type;
    bytes[1] = 16;
    bytes[18] = 1;
    bytes[19] = 2;
    return rocecc_reader_of(bytes, bytes + 22);
}

/* FC-22: with an all-zero configuration, Fast CNPs are neither found nor written. */
TEST(FC_22_fast_cnps_are_off_by_default)
{
    static uint8_t out[400];
    const rocecc_fastcnp_config off = {0, 0, 0, false, false};
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    const rocecc_cnp cnp = rocecc_cnp_default();
    const rocecc_domain d = {.fastcnp = {0, 0, 0, false, false}};
    const rocecc_packet p = packet_about(&d, rocecc_reader_of(NULL, NULL));
    rocecc_fastcnp h;
    unsigned type;
    CHECK_EQ(rocecc_fastcnp_init(&off), ROCECC_FASTCNP_REFUSED_OFF);
    for (type = 2; type < 256; type++)
        CHECK_EQ(rocecc_fastcnp_parse(&off, header((uint8_t)type), &h),
                 type < 0x40 ? ROCECC_NO_MATCH : ROCECC_ERR_UNSUPPORTED);
    memset(&h, 0, sizeof h);
    for (h.kind = 0; h.kind < 3; h.kind++) {
        CHECK_EQ(rocecc_fastcnp_emit(&w, &off, &h, p.bytes), ROCECC_ERR_RANGE);
        CHECK_EQ(rocecc_fastcnp_build(&w, &p, ROCECC_ICRC_AUTO, &cnp, &h),
                 ROCECC_ERR_RANGE);
    }
    CHECK_EQ(w.at, 0);
}

/* The act bits of any other option decide whether parsing continues (RFC 8200, 4.2). */
TEST(fastcnp_unknown_options_follow_their_act_bits)
{
    static uint8_t list[24];
    const rocecc_fastcnp_config c = {0x9e, 0x9f, 0, false, false};
    unsigned type, after;
    for (type = 2; type < 256; type++)
        for (after = 0; after < 2; after++) {
            rocecc_status should = ROCECC_OK;
            rocecc_fastcnp h;
            memset(list, 0, sizeof list);
            list[after ? 18 : 0] = (uint8_t)type;
            list[after ? 19 : 1] = 2;
            list[after ? 0 : 4] = 0x9e;
            list[after ? 1 : 5] = 16;
            if (type == 0x9e || type == 0x9f)
                should = ROCECC_ERR_FORMAT; /* second option, FC-08 */
            else if (type >= 0x40)
                should = ROCECC_ERR_UNSUPPORTED;
            test_context("type %02x", type);
            CHECK_EQ(rocecc_fastcnp_parse(&c, rocecc_reader_of(list, list + 22), &h),
                     should);
            if (should == ROCECC_OK) CHECK_EQ(h.at, after ? 0 : 4);
        }
}

/* Options after the Fast CNP option count, too. On failure `opt` is unchanged. */
TEST(fastcnp_option_find_checks_the_whole_list)
{
    static const struct {
        uint8_t behind[4];
        rocecc_status status;
    } rows[] = {{{0x01, 2, 0, 0}, ROCECC_OK}, /* PadN */
                {{0x1e, 9, 0, 0}, ROCECC_ERR_FORMAT},
                {{0x5e, 2, 0, 0}, ROCECC_ERR_UNSUPPORTED},
                {{0x9f, 2, 0, 0}, ROCECC_ERR_FORMAT}};
    const rocecc_fastcnp_config c = {0x9e, 0x9f, 0, false, false};
    size_t i;
    for (i = 0; i < NOUN_COUNT(rows); i++) {
        uint8_t list[22] = {0x9e, 16};
        rocecc_ip6opt opt, before;
        memset(&opt, UNTOUCHED, sizeof opt);
        before = opt;
        memcpy(list + 18, rows[i].behind, 4);
        test_context("type %02x", rows[i].behind[0]);
        CHECK_EQ(rocecc_fastcnp_option_find(
                     &c, rocecc_reader_of(list, list + sizeof list), &opt),
                 rows[i].status);
        if (rows[i].status == ROCECC_OK)
            CHECK(opt.type == 0x9e && opt.body.at == 2 && opt.body.end == 18);
        else
            CHECK(memcmp(&opt, &before, sizeof opt) == 0);
    }
}

/* FC-12: the data of the plain kind must have 16 bytes. */
TEST(FC_12_plain_option_has_16_bytes)
{
    static uint8_t list[2 + 255];
    const rocecc_fastcnp_config c = {0x9e, 0, 0, false, false};
    rocecc_fastcnp h;
    size_t n;
    for (n = 0; n < 256; n++) {
        list[0] = 0x9e;
        list[1] = (uint8_t)n;
        CHECK_EQ(rocecc_fastcnp_parse(&c, rocecc_reader_of(list, list + 2 + n), &h),
                 n == 16 ? ROCECC_OK : ROCECC_ERR_FORMAT);
        if (n != 16) continue;
        CHECK(h.trace_bytes == 0 && h.trace_at == 0);
    }
}

/* FC-15: every number of words in each layout. At most 57 words fit. */
TEST(FC_15_ioam_option_holds_at_most_57_words)
{
    static uint8_t trace[8 + 4 * 64], out[400];
    unsigned words, bits;
    trace[2] = 1 << 3; /* NodeLen */
    trace[4] = 0x80;
    for (bits = 0; bits < 8; bits++)
        for (words = 0; words <= 64; words++) {
            const rocecc_fastcnp_config c = law_fastcnp_config((uint8_t)bits);
            rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
            const size_t n = 8 + 4 * (size_t)words + (c.form ? 0u : 2u);
            const size_t used = 4 + (c.form ? 0u : 2u) + n + 16;
            const rocecc_reader from = rocecc_reader_of(trace, trace + sizeof trace);
            rocecc_fastcnp h, again;
            memset(&h, 0, sizeof h);
            h.kind = ROCECC_FASTCNP_IOAM;
            h.trace_bytes = (uint16_t)(8 + 4 * words);
            test_context("layout %u, %u words", bits, words);
            CHECK_EQ(rocecc_fastcnp_emit(&w, &c, &h, from),
                     words <= 57 ? ROCECC_OK : ROCECC_ERR_RANGE);
            if (words > 57) continue;
            CHECK(n <= ROCECC_FASTCNP_IOAM_MAX_BYTES);
            CHECK_EQ(w.at, (used + 7) / 8 * 8);
            CHECK_EQ(out[1], w.at / 8 - 1);
            CHECK_EQ(
                rocecc_fastcnp_parse(&c, rocecc_reader_of(out + 2, out + w.at), &again),
                ROCECC_OK);
            CHECK_EQ(again.trace_bytes, 8 + 4 * words);
        }
}

/* FC-16: every bit of flow_dst and DestQP, the sender's key for a QP, is read back. */
TEST(FC_16_flow_dst_and_dest_qp_are_read_back)
{
    static uint8_t out[200];
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .fastcnp = law_fastcnp_config(0)};
    const rocecc_packet met = packet_about(&d, rocecc_reader_of(NULL, NULL));
    unsigned bit;
    for (bit = 0; bit < 128 + 24; bit++) {
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_cnp cnp = rocecc_cnp_default(), packet;
        rocecc_fastcnp h, again;
        rocecc_packet p;
        memset(&h, 0, sizeof h);
        if (bit < 128)
            h.flow_dst.b[bit / 8] = (uint8_t)(0x80 >> bit % 8);
        else
            cnp.dest_qp = 1u << (bit - 128);
        CHECK_EQ(rocecc_fastcnp_build(&w, &met, ROCECC_ICRC_AUTO, &cnp, &h), ROCECC_OK);
        CHECK_EQ(rocecc_packet_parse(&d, rocecc_written(&w), &p), ROCECC_OK);
        CHECK_EQ(rocecc_fastcnp_find(&p, &again), ROCECC_OK);
        CHECK_EQ(rocecc_cnp_parse(&p, &packet), ROCECC_OK);
        CHECK(memcmp(again.flow_dst.b, h.flow_dst.b, 16) == 0);
        CHECK_EQ(packet.dest_qp, cnp.dest_qp);
    }
}

/* Values that rows cannot contain give RANGE, and nothing is written. */
TEST(fastcnp_values_out_of_range_are_not_written)
{
    static uint8_t out[400], trace[8 + 4 * 64];
    const rocecc_fastcnp_config c = law_fastcnp_config(0);
    const rocecc_domain d = {.fastcnp = law_fastcnp_config(0)};
    const rocecc_packet p = packet_about(&d, rocecc_reader_of(trace, trace + 12));
    rocecc_cnp cnp = rocecc_cnp_default();
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    rocecc_fastcnp h;
    unsigned i;
    memset(out, UNTOUCHED, sizeof out);
    memset(&h, 0, sizeof h);
    trace[2] = 1 << 3;
    trace[4] = 0x80;
    h.trace_bytes = 12;
    for (i = 2; i < 256; i++) { /* kinds */
        h.kind = (rocecc_fastcnp_kind)i;
        CHECK_EQ(rocecc_fastcnp_emit(&w, &c, &h, p.bytes), ROCECC_ERR_RANGE);
    }
    h.kind = ROCECC_FASTCNP_IOAM;
    for (i = 2; i < 256; i++) { /* IOAM option types */
        h.opt_type = (uint8_t)i;
        CHECK_EQ(rocecc_fastcnp_emit(&w, &c, &h, p.bytes), ROCECC_ERR_RANGE);
    }
    h.opt_type = 0;
    for (i = ROCECC_ICRC_NONE + 1; i < 9; i++)
        CHECK_EQ(rocecc_fastcnp_build(&w, &p, (rocecc_icrc_rule)i, &cnp, &h),
                 ROCECC_ERR_RANGE);
    for (i = 0; i < 32; i++) { /* wholly or partly beyond the packet */
        h.trace_at = i < 12 ? i + 1 : (uint32_t)1 << i;
        CHECK_EQ(rocecc_fastcnp_emit(&w, &c, &h, p.bytes), ROCECC_ERR_RANGE);
    }
    h.trace_at = 0;
    cnp.dest_qp = 1 << 24;
    CHECK_EQ(rocecc_fastcnp_build(&w, &p, ROCECC_ICRC_AUTO, &cnp, &h),
             ROCECC_ERR_RANGE);
    CHECK_EQ(w.at, 0);
    CHECK_EQ(untouched(out, sizeof out), sizeof out);
}

/*
 * Offsets have 16 bits, so build() returns RANGE if the packet would start beyond
 * ROCECC_PACKET_START_MAX in its buffer.
 */
TEST(fastcnp_build_beyond_the_last_offset_gives_range)
{
    static uint8_t bytes[ROCECC_PACKET_START_MAX + 200];
    const rocecc_cnp cnp = rocecc_cnp_default();
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .fastcnp = law_fastcnp_config(0)};
    const rocecc_packet met = packet_about(&d, rocecc_reader_of(NULL, NULL));
    unsigned more;
    for (more = 0; more < 2; more++) {
        const size_t start = ROCECC_PACKET_START_MAX + more;
        rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
        rocecc_fastcnp h, again;
        rocecc_packet p;
        rocecc_icrc icrc;
        memset(&h, 0, sizeof h);
        (void)rocecc_put(&w, start);
        CHECK_EQ(rocecc_fastcnp_build(&w, &met, ROCECC_ICRC_AUTO, &cnp, &h),
                 more ? ROCECC_ERR_RANGE : ROCECC_OK);
        CHECK_EQ(w.at, start + (more ? 0u : 104u));
        if (more) continue;
        CHECK_EQ(rocecc_packet_parse(
                     &d, rocecc_subrange(rocecc_written(&w), start, w.at), &p),
                 ROCECC_OK);
        CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_MASKED, &p, &icrc), ROCECC_OK);
        CHECK(icrc.ok);
        CHECK_EQ(rocecc_fastcnp_find(&p, &again), ROCECC_OK);
        CHECK_EQ(again.at - p.headers.ip.offset, 42); /* pointer for ICMPv6 */
    }
}

/*
 * The last of eight headers, the longest chain of a walk, contains the option or does
 * not.
 */
TEST(fastcnp_option_is_found_in_the_last_of_eight_headers)
{
    static uint8_t bytes[40 + 7 * 8 + 24 + 40];
    const rocecc_fastcnp_config c = law_fastcnp_config(0);
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .fastcnp = law_fastcnp_config(0)};
    const rocecc_reader r = rocecc_reader_of(bytes, bytes + sizeof bytes);
    unsigned option, i;
    for (option = 0; option < 2; option++) {
        uint8_t *last = bytes + 40 + 7 * 8;
        rocecc_fastcnp h;
        rocecc_packet p;
        memset(bytes, 0, sizeof bytes);
        bytes[0] = 0x60;
        bytes[5] = sizeof bytes - 40;
        bytes[6] = 44;
        for (i = 0; i < 7; i++)
            bytes[40 + 8 * i] = i < 6 ? 44 : 60; /* atomic fragments */
        last[0] = 17;
        last[1] = 2;
        last[2] = option ? c.type_plain : 0x1e; /* a skipped option */
        last[3] = option ? 16 : 20;
        if (option) {
            last[19] = 0xfd; /* in flow_dst */
            last[20] = 1;    /* PadN */
            last[21] = 2;
        }
        rocecc_store16(last + 24 + 2, 4791);
        last[24 + 5] = 40;
        last[24 + 8] = 0x81;
        test_context("%u", option);
        CHECK_EQ(rocecc_packet_parse(&d, r, &p), ROCECC_OK);
        CHECK_EQ(p.headers.ip.n_ext, 8);
        CHECK_EQ(rocecc_fastcnp_find(&p, &h), option ? ROCECC_OK : ROCECC_NO_MATCH);
        CHECK_EQ(rocecc_fastcnp_match(&p), option);
        if (option) CHECK(h.at == 40 + 7 * 8 + 2 && h.flow_dst.b[15] == 0xfd);
    }
}

/*
 * A shorter buffer is attached after a walk of the whole packet. derive() returns SHORT
 * if the buffer ends within the IP headers.
 */
TEST(fastcnp_derive_needs_the_whole_ip_headers)
{
    static const char *const ids[] = {"o-ioam", "o-plain"};
    unsigned i;
    for (i = 0; i < NOUN_COUNT(ids); i++) {
        const vec_packet p = vec_find("vectors/fastcnp.vec", ids[i]);
        const rocecc_domain d = {.link = ROCECC_LINK_IP,
                                 .fastcnp = law_fastcnp_config(0)};
        rocecc_fastcnp h, before;
        rocecc_packet f;
        size_t n;
        CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(p.bytes, p.bytes + p.n), &f),
                 ROCECC_OK);
        CHECK_EQ(f.headers.ip.n_ext, i == 0 ? 1 : 0);
        memset(&before, UNTOUCHED, sizeof before);
        for (n = 0; n <= p.n; n++) {
            const uint8_t *at = guard_end(p.bytes, n);
            const rocecc_packet less =
                rocecc_packet_attach(&d, rocecc_reader_of(at, at + n), &f.headers);
            test_context("%s, %zu bytes", ids[i], n);
            h = before;
            CHECK_EQ(rocecc_fastcnp_derive(&less, &h),
                     n < f.headers.ip.upper ? ROCECC_ERR_SHORT : ROCECC_OK);
            if (n < f.headers.ip.upper) CHECK(memcmp(&h, &before, sizeof h) == 0);
        }
    }
}

static rocecc_fastcnp_border_verdict border_of(const rocecc_domain *d, const uint8_t *b,
                                               size_t n)
{
    rocecc_packet p;
    const uint8_t *at = guard_end(b, n);
    (void)rocecc_packet_parse(d, rocecc_reader_of(at, at + n), &p);
    return rocecc_fastcnp_border(&p);
}

/*
 * FC-20: border() drops a Fast CNP if its whole BTH is captured. It returns UNSEEN for
 * a cut packet and for fragments, because they may be Fast CNPs. Other packets pass.
 */
TEST(FC_20_border_drops_fast_cnps_with_a_whole_bth)
{
    /* A Fast CNP with IPv6, Hop-by-Hop, Destination Options with TBD1, UDP and BTH. */
    static const uint8_t fast[40 + 8 + 24 + 40] = {
        0x60, 0,    0, 0, 0, 72, 0,    64,   0x20, [23] = 1, 0x20, [39] = 2, 60,
        0,    0x1e, 4, 0, 0, 0,  0,    17,   2,    0x9e,     16,   0x20,     [67] = 0xb,
        1,    2,    0, 0, 0, 9,  0x12, 0xb7, 0,    40,       0,    0,        0x81};
    enum { HOPOPTS = 40, DSTOPTS = HOPOPTS + 8, UDP = DSTOPTS + 24 };
    enum { BTH = UDP + 8, BTH_END = BTH + 12 };
    uint8_t b[40 + sizeof fast];
    rocecc_domain d = {.link = ROCECC_LINK_IP};
    size_t n;
    memcpy(b, fast, sizeof fast);
    CHECK_EQ(border_of(&d, b, sizeof fast - 1),
             ROCECC_FASTCNP_BORDER_PASS); /* off, and cut */
    CHECK_EQ(border_of(&d, b, DSTOPTS + 12), ROCECC_FASTCNP_BORDER_PASS);
    CHECK_EQ(border_of(&d, b, sizeof fast), ROCECC_FASTCNP_BORDER_PASS); /* off */
    d.fastcnp.type_plain = 0x9e;
    CHECK_EQ(border_of(&d, b, sizeof fast), ROCECC_FASTCNP_BORDER_DROP);
    for (n = 0; n < BTH_END; n++) /* without the whole BTH */
        CHECK_EQ(border_of(&d, b, n), ROCECC_FASTCNP_BORDER_UNSEEN);
    for (; n <= sizeof fast; n++) /* with the whole BTH */
        CHECK_EQ(border_of(&d, b, n), ROCECC_FASTCNP_BORDER_DROP);
    b[BTH] = 0x64; /* another opcode */
    CHECK_EQ(border_of(&d, b, sizeof fast), ROCECC_FASTCNP_BORDER_PASS);
    b[BTH] = 0x81;
    b[DSTOPTS] = 44; /* Hop-by-Hop, then a fragment */
    b[HOPOPTS] = 44;
    CHECK_EQ(border_of(&d, b, sizeof fast), ROCECC_FASTCNP_BORDER_UNSEEN);
    b[HOPOPTS] = 50; /* ESP, which only its receiver can decrypt */
    CHECK_EQ(border_of(&d, b, sizeof fast), ROCECC_FASTCNP_BORDER_PASS);
    b[HOPOPTS] = 6; /* TCP */
    CHECK_EQ(border_of(&d, b, sizeof fast), ROCECC_FASTCNP_BORDER_PASS);
    b[5] = 200; /* longer than the capture, as are its headers */
    b[HOPOPTS] = 60;
    CHECK_EQ(border_of(&d, b, DSTOPTS + 12), ROCECC_FASTCNP_BORDER_UNSEEN);
    /* An IPv4 fragment passes with UDP, and is UNSEEN with IPv6. */
    memset(b, 0, sizeof b);
    b[0] = 0x45;
    b[3] = 40; /* Total Length */
    b[7] = 1;  /* Fragment Offset */
    b[9] = 17;
    CHECK_EQ(border_of(&d, b, 40), ROCECC_FASTCNP_BORDER_PASS);
    b[9] = 41;
    CHECK_EQ(border_of(&d, b, 40), ROCECC_FASTCNP_BORDER_UNSEEN);
}

/* Type 0 is off, and never matches Pad1. */
TEST(fastcnp_type_0_never_matches)
{
    rocecc_fastcnp_config c = {0, 0, 0, false, false};
    unsigned type;
    for (type = 0; type < 256; type++) {
        test_context("%02x", type);
        c.type_plain = c.type_ioam = 0;
        CHECK(!rocecc_fastcnp_type_match(&c, (uint8_t)type));
        c.type_plain = 0x9e;
        CHECK_EQ(rocecc_fastcnp_type_match(&c, (uint8_t)type), type == 0x9e);
        c.type_ioam = 0x9f;
        CHECK_EQ(rocecc_fastcnp_type_match(&c, (uint8_t)type),
                 type == 0x9e || type == 0x9f);
        c.type_plain = 0;
        CHECK_EQ(rocecc_fastcnp_type_match(&c, (uint8_t)type), type == 0x9f);
    }
}

/* A trace that extends beyond the buffer is empty. */
TEST(fastcnp_trace_beyond_the_buffer_is_empty)
{
    static const uint8_t bytes[16] = {0};
    size_t at, n;
    for (at = 0; at <= 20; at++)
        for (n = 0; n <= 20; n++) {
            rocecc_fastcnp h;
            rocecc_reader trace;
            memset(&h, 0, sizeof h);
            h.trace_at = (uint32_t)at;
            h.trace_bytes = (uint16_t)n;
            trace = rocecc_fastcnp_trace(rocecc_reader_of(bytes, bytes + 16), &h);
            test_context("%zu bytes at %zu", n, at);
            CHECK_EQ(rocecc_left(&trace), at + n <= 16 ? n : 0);
            if (at + n <= 16) CHECK(trace.at == at && trace.base == bytes);
        }
}

/* Type 0x1e is neither TBD1 nor TBD2. Its 16 bytes are read as an address. */
TEST(fastcnp_option_of_another_type_is_parsed_as_the_plain_kind)
{
    static const uint8_t bytes[18] = {0x1e, 16, 0x20, [17] = 7};
    const rocecc_fastcnp_config c = {0x9e, 0x9f, 0, false, false};
    rocecc_ip6opt opt;
    rocecc_fastcnp h;
    opt.type = 0x1e;
    opt.body = rocecc_subrange(rocecc_reader_of(bytes, bytes + sizeof bytes), 2, 18);
    CHECK_EQ(rocecc_fastcnp_option_parse(&c, &opt, &h), ROCECC_OK);
    CHECK(h.kind == ROCECC_FASTCNP_PLAIN && h.at == 0);
    CHECK(h.flow_dst.b[0] == 0x20 && h.flow_dst.b[15] == 7);
    opt.type = 0x9f; /* TBD2 needs a trace */
    CHECK_EQ(rocecc_fastcnp_option_parse(&c, &opt, &h), ROCECC_ERR_FORMAT);
}

/*
 * A Fast CNP option of 15 bytes gives FORMAT, but UNSUPPORTED if an unknown option that
 * drops the packet follows.
 */
TEST(fastcnp_list_errors_precede_the_length)
{
    uint8_t list[22] = {0x9e, 15, [17] = 0x5e, 3};
    const rocecc_fastcnp_config c = {0x9e, 0, 0, false, false};
    const rocecc_reader r = rocecc_reader_of(list, list + sizeof list);
    rocecc_fastcnp h;
    CHECK_EQ(rocecc_fastcnp_parse(&c, r, &h), ROCECC_ERR_UNSUPPORTED);
    list[17] = 0x1e; /* an option to skip */
    CHECK_EQ(rocecc_fastcnp_parse(&c, r, &h), ROCECC_ERR_FORMAT);
}

/* The trace has the same offset in a reader that has taken 0 to 16 bytes. */
TEST(fastcnp_trace_does_not_depend_on_the_position_of_the_buffer)
{
    static const uint8_t bytes[16] = {0};
    size_t taken;
    for (taken = 0; taken <= sizeof bytes; taken++) {
        rocecc_reader r = rocecc_reader_of(bytes, bytes + sizeof bytes), trace;
        rocecc_fastcnp h;
        memset(&h, 0, sizeof h);
        h.trace_at = 3;
        h.trace_bytes = 12;
        (void)rocecc_take(&r, taken);
        trace = rocecc_fastcnp_trace(r, &h);
        test_context("%zu bytes taken", taken);
        CHECK(trace.base == bytes && trace.at == 3 && trace.end == 15);
    }
}

/* A trace beyond the buffer, Reserved and IOAM-Opt-Type do not change the 24 bytes. */
TEST(fastcnp_plain_kind_ignores_trace_and_ioam_values)
{
    uint8_t out[2][32];
    const rocecc_fastcnp_config c = {0x9e, 0x9f, 0, false, false};
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    rocecc_fastcnp h;
    int i;
    memset(&h, 0, sizeof h);
    for (i = 0; i < 2; i++) {
        rocecc_writer w = rocecc_writer_of(out[i], out[i] + sizeof out[i]);
        CHECK(rocecc_fastcnp_fits(&c, &h, none));
        CHECK_EQ(rocecc_fastcnp_bytes(&c, &h), 24);
        CHECK_EQ(rocecc_fastcnp_emit(&w, &c, &h, none), ROCECC_OK);
        CHECK_EQ(w.at, 24);
        h.trace_at = 0xffffffff;
        h.trace_bytes = 0xffff;
        h.reserved = h.opt_type = 0xff;
    }
    CHECK(memcmp(out[0], out[1], 24) == 0);
}

/* TBD2 without a trace gives RANGE. Form B does not write Reserved. */
TEST(fastcnp_ioam_kind_needs_a_trace_and_form_b_ignores_reserved)
{
    static const uint8_t trace[12] = {0, 1, 1 << 3, 0, 0x80};
    const rocecc_fastcnp_config b = {0x9e, 0x9f, ROCECC_FASTCNP_FORM_B, false, false};
    const rocecc_reader from = rocecc_reader_of(trace, trace + sizeof trace);
    uint8_t out[64];
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    rocecc_fastcnp h;
    memset(out, UNTOUCHED, sizeof out);
    memset(&h, 0, sizeof h);
    h.kind = ROCECC_FASTCNP_IOAM;
    CHECK(!rocecc_fastcnp_fits(&b, &h, from));
    CHECK_EQ(rocecc_fastcnp_emit(&w, &b, &h, from), ROCECC_ERR_RANGE);
    h.trace_bytes = sizeof trace;
    h.reserved = 0x5a;
    CHECK_EQ(rocecc_fastcnp_emit(&w, &b, &h, from), ROCECC_OK);
    CHECK(w.at == 32 && out[3] == 28 && memcmp(out + 4, trace, sizeof trace) == 0);
}
