/* SPDX-License-Identifier: BSD-2-Clause */

/* srv6_pe_vectors.c - tests a PE with the rows of vectors/srv6_pe.vec: a configuration,
 * a packet, the verdict, and every byte that is sent. */
#include "law/srv6_pe.h"
#include "lib/noun.h"
#include "lib/role.h"

#include <string.h>

#define UNTOUCHED 0xa5

typedef struct configured {
    rocecc_srv6_pe_config config;
    rocecc_domain domain;
    role_list list;
} configured;

#define CONFIG_FIELDS(F, T)                                                            \
    F(T, IP6, config.end_con, NULL)                                                    \
    F(T, BOOL, config.compatibility, NULL)                                             \
    F(T, BOOL, config.copy_dscp, NULL)                                                 \
    F(T, UINT, config.dscp, NULL)                                                      \
    F(T, BOOL, config.reduced, NULL)                                                   \
    F(T, BOOL, config.open, NULL)                                                      \
    F(T, UINT, domain.fastcnp.type_plain, NULL)                                        \
    F(T, UINT, domain.fastcnp.type_ioam, NULL)
static const field config_fields[] = {CONFIG_FIELDS(FIELD_ROW, configured)};

typedef struct given {
    uint8_t verdict;
    uint8_t arrival;
    uint8_t refusal;
    rocecc_icmp_error icmp;
    rocecc_reader sent;
} given;

#define GIVEN_FIELDS(F, T)                                                             \
    F(T, ENUM, verdict,                                                                \
      "other forward host bad ecn_conflict no_hops_left not_cnp access_denied "        \
      "unexpected_upper bad_arrival bad_source bad_destination too_big")               \
    F(T, ENUM, arrival, ROLE_ARRIVAL_NAMES)                                            \
    F(T, UINT, icmp.type, NULL)                                                        \
    F(T, UINT, icmp.code, NULL)                                                        \
    F(T, UINT, icmp.value, NULL)                                                       \
    F(T, UINT, icmp.offset, NULL)                                                      \
    F(T, VIEW, sent, NULL)
static const field given_fields[] = {GIVEN_FIELDS(FIELD_ROW, given)};
static const field refusal_fields[] = {
    FIELD_AT("refusal", ENUM, offsetof(given, refusal), 1, "accepted sid dscp types")};

typedef struct entering {
    rocecc_reader policy;
    uint64_t mtu_bytes;
    uint64_t flow_label;
} entering;

#define ENTERING_FIELDS(F, T)                                                          \
    F(T, VIEW, policy, NULL)                                                           \
    F(T, UINT, mtu_bytes, NULL)                                                        \
    F(T, UINT, flow_label, NULL)
static const field entering_fields[] = {ENTERING_FIELDS(FIELD_ROW, entering)};

static void configure(const vec_pair *pairs, size_t n, configured *c)
{
    size_t i;
    memset(c, 0, sizeof *c);
    for (i = 0; i < n; i++)
        if (!role_set_access("access", &pairs[i], &c->list) &&
            !role_set(config_fields, NOUN_COUNT(config_fields), "config.", &pairs[i],
                      c) &&
            !role_set(config_fields, NOUN_COUNT(config_fields), "domain.", &pairs[i],
                      c))
            test_fail(__FILE__, __LINE__, "%s=%s is not a setting", pairs[i].key,
                      pairs[i].value);
}

static void configure_row(const vec_row *row, configured *c)
{
    configure(row->config, row->n_config, c);
    CHECK_EQ(rocecc_srv6_pe_init(&c->config, &c->domain), ROCECC_SRV6_PE_ACCEPTED);
}

/* Nodes that get a frame, each at the SID end_con. */
typedef enum node { END_CON, EGRESS, END } node;

/* Passes the first n bytes of a frame to a node. A cut frame is not forwarded. */
static void arrives(const vec_row *row, node at_node, size_t n, size_t start)
{
    configured c;
    rocecc_acl access;
    rocecc_srv6_pe_result out;
    rocecc_packet p;
    given is;
    uint8_t *at = guard_end(NULL, start + n);
    rocecc_reader r = rocecc_reader_of(at, at + start + n);
    rocecc_writer w = rocecc_writer_of(at, at + start + n);
    configure_row(row, &c);
    access = role_acl(&c.list);
    memset(at, UNTOUCHED, start);
    memcpy(at + start, row->bytes, n);
    r.at = start;
    memset(&out, UNTOUCHED, sizeof out);
    (void)rocecc_packet_parse(&c.domain, r, &p);
    if (at_node == END)
        rocecc_srv6_pe_end(&c.config.end_con, &p, w, &out);
    else if (at_node == EGRESS)
        rocecc_srv6_pe_egress(&c.config.end_con, &p, w, &out);
    else
        rocecc_srv6_pe_end_con(&c.config, &access, &p, w, &out);
    CHECK((memcmp(at + start, row->bytes, n) != 0) ==
          (out.verdict == ROCECC_SRV6_PE_FORWARD));
    if (n < row->n) {
        CHECK(out.verdict != ROCECC_SRV6_PE_FORWARD);
        return;
    }
    memset(&is, 0, sizeof is);
    is.verdict = out.verdict;
    is.arrival = out.arrival;
    is.icmp = out.icmp;
    role_icmp(&is.icmp, start);
    is.sent = rocecc_subrange(r, r.end, r.end);
    if (out.verdict == ROCECC_SRV6_PE_FORWARD)
        is.sent = at_node == END ? rocecc_subrange(r, start + ROCECC_ETHER_BYTES, r.end)
                                 : out.tunnel.inner;
    noun_check_out(row, given_fields, NOUN_COUNT(given_fields), ROCECC_OK, &is);
}

static void arrives_anywhere(const vec_row *row, node at_node)
{
    static const size_t starts[] = {0, 1, 77, ROCECC_PACKET_START_MAX};
    size_t i;
    for (i = 0; i < NOUN_COUNT(starts); i++) {
        test_context("%s, %zu bytes into its buffer", row->id, starts[i]);
        arrives(row, at_node, row->n, starts[i]);
    }
    for (i = 0; i < row->n; i++) {
        test_context("%s, the first %zu bytes", row->id, i);
        arrives(row, at_node, i, 0);
    }
}

static void call_end_con(const vec_row *row)
{
    arrives_anywhere(row, END_CON);
}

static void call_egress(const vec_row *row)
{
    arrives_anywhere(row, EGRESS);
}

static void call_end(const vec_row *row)
{
    arrives_anywhere(row, END);
}

/* Encapsulates a packet into another buffer, and into the room before it. */
static void call_encapsulate(const vec_row *row)
{
    static uint8_t pushed[VEC_BYTES + 200], copied[VEC_BYTES + 200];
    configured c;
    entering e;
    size_t i, push;
    configure_row(row, &c);
    memset(&e, 0, sizeof e);
    for (i = 0; i < row->n_in; i++)
        CHECK(role_set(entering_fields, NOUN_COUNT(entering_fields), "", &row->in[i],
                       &e));
    for (push = 0; push < 2; push++) {
        const rocecc_srv6_pe_path way = {e.policy, (uint32_t)e.flow_label,
                                         (uint32_t)e.mtu_bytes};
        rocecc_writer w = rocecc_writer_of(copied, copied + sizeof copied);
        rocecc_reader r = rocecc_reader_of(row->bytes, row->bytes + row->n);
        rocecc_srv6_pe_ingress_result out;
        given is;
        memset(&out, UNTOUCHED, sizeof out);
        memset(&is, 0, sizeof is);
        test_context("%s, %s", row->id, push ? "pushed" : "copied");
        if (push) {
            w = rocecc_writer_of(pushed, pushed + 200 + row->n);
            memcpy(pushed + 200, row->bytes, row->n);
            r = rocecc_reader_of(pushed, pushed + 200 + row->n);
            r.at = 200;
            rocecc_srv6_pe_push(&c.config, r, &way, &w, &out);
        } else {
            rocecc_srv6_pe_encapsulate(&c.config, r, &way, &w, &out);
        }
        is.verdict = out.verdict;
        is.icmp = out.icmp;
        role_icmp(&is.icmp, r.at);
        is.sent = rocecc_subrange(r, r.end, r.end);
        if (out.verdict == ROCECC_SRV6_PE_FORWARD)
            is.sent = push ? rocecc_subrange(r, w.at, r.end) : rocecc_written(&w);
        noun_check_out(row, given_fields, NOUN_COUNT(given_fields), ROCECC_OK, &is);
    }
}

static void call_init(const vec_row *row)
{
    configured c;
    given is;
    memset(&is, 0, sizeof is);
    configure(row->in, row->n_in, &c);
    is.refusal = (uint8_t)rocecc_srv6_pe_init(&c.config, &c.domain);
    noun_check_out(row, refusal_fields, NOUN_COUNT(refusal_fields), ROCECC_OK, &is);
}

static const noun_call calls[] = {
    {"srv6_pe_end_con", call_end_con}, {"srv6_pe_egress", call_egress},
    {"srv6_pe_end", call_end},         {"srv6_pe_encapsulate", call_encapsulate},
    {"srv6_pe_init", call_init},
};

TEST(srv6_pe_vectors)
{
    const noun_file file = {"srv6_pe", law_srv6_pe, NULL, 0, calls, NOUN_COUNT(calls)};
    noun_frame_vectors(&file);
}
