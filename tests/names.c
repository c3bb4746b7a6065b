/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * names.c - compares the tables in rocecc/fields with the headers, read as text. Every
 * enumerator must have its name, in the order of the enumeration, and every member of a
 * configuration must have a row. The refusals of DCQCN, HPCC++ and QCN are not here,
 * because they have the names of parameters.
 */
#include "rocecc/fields/admission.h"
#include "rocecc/fields/algorithms.h"
#include "rocecc/fields/arn_gate.h"
#include "rocecc/fields/arrival.h"
#include "rocecc/fields/cm.h"
#include "rocecc/fields/cnm.h"
#include "rocecc/fields/dcqcn_deployment.h"
#include "rocecc/fields/echo.h"
#include "rocecc/fields/ecntunnel.h"
#include "rocecc/fields/fastcnp.h"
#include "rocecc/fields/icmp.h"
#include "rocecc/fields/icrc.h"
#include "rocecc/fields/l3qcn.h"
#include "rocecc/fields/l3qcn_tor.h"
#include "rocecc/fields/qpn.h"
#include "rocecc/fields/reaction_point.h"
#include "rocecc/fields/srv6_pe.h"
#include "rocecc/packet/fastcnp.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "lib/noun.h"

#define TEXT_MAX 65536

/* Returns a header without its comments, or "" on failure. */
static const char *text_of(const char *header)
{
    static char text[TEXT_MAX];
    char path[80], *to = text;
    int c, before = 0;
    bool comment = false;
    FILE *in;
    snprintf(path, sizeof path, "include/rocecc/%s", header);
    in = fopen(path, "r");
    CHECK(in != NULL);
    while (in != NULL && (c = getc(in)) != EOF && to < text + TEXT_MAX - 1) {
        if (comment) {
            comment = before != '*' || c != '/';
            before = comment ? c : 0;
            continue;
        }
        if (before == '/' && c == '*') {
            comment = true;
            before = 0;
            to--; /* the slash */
            continue;
        }
        *to++ = (char)(before = c);
    }
    *to = '\0';
    if (in != NULL) fclose(in);
    return text;
}

/*
 * Returns the text after "typedef enum NAME {" or "typedef struct NAME {", or NULL. An
 * 8-bit enumeration is declared as NAME_.
 */
static const char *declared(const char *text, const char *what, const char *name)
{
    char begin[80];
    const char *at;
    snprintf(begin, sizeof begin, "typedef %s %s {", what, name);
    at = strstr(text, begin);
    if (at == NULL) {
        snprintf(begin, sizeof begin, "typedef %s %s_ {", what, name);
        at = strstr(text, begin);
    }
    CHECK(at != NULL);
    return at != NULL ? at + strlen(begin) : NULL;
}

/* Moves *at to the next identifier. Returns its length, or 0 at the closing brace. */
static size_t identifier(const char **at)
{
    size_t n = 0;
    while (**at != '\0' && **at != '}' && !isalpha((unsigned char)**at))
        (*at)++;
    while (isalnum((unsigned char)(*at)[n]) || (*at)[n] == '_')
        n++;
    return n;
}

/* Removes a prefix. Returns false without it. */
static bool strip(const char **at, size_t *n, const char *prefix)
{
    const size_t k = strlen(prefix);
    if (*n < k || memcmp(*at, prefix, k) != 0) return false;
    *at += k;
    *n -= k;
    return true;
}

static bool same_name(const char *upper, const char *lower, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++)
        if (tolower((unsigned char)upper[i]) != lower[i]) return false;
    return lower[n] == ' ' || lower[n] == '\0';
}

/* Returns true for the number of enumerators at the end of an enumeration. */
static bool is_count(const char *at, size_t n)
{
    return same_name(at, "verdicts", n) || same_name(at, "learnings", n) ||
           same_name(at, "reasons", n);
}

/* Checks the enumerators without their prefix, and then the one that counts them. */
static void check_enum(const char *header, const char *name, const char *prefix,
                       const char *names)
{
    const char *at;
    test_context("%s", name);
    at = declared(text_of(header), "enum", name);
    while (at != NULL && *names != '\0') {
        const char *next;
        size_t n = identifier(&at);
        next = at + n;
        CHECK(strip(&at, &n, prefix));
        (void)strip(&at, &n, "REFUSED_");
        CHECK(n > 0 && same_name(at, names, n));
        if (n == 0) return;
        names += strcspn(names, " ");
        names += *names == ' ';
        at = next + strcspn(next, ",}"); /* = 0 */
    }
    if (at != NULL) {
        size_t n = identifier(&at);
        if (n == 0) return;
        CHECK(strip(&at, &n, prefix) && is_count(at, n));
        at += n;
        CHECK_EQ(identifier(&at), 0);
    }
}

/* Rows of the algorithms' table, by its last column. */
#define ROW(header, NAME, name, KIND, kind)                                            \
    {header, "rocecc_" #name "_" kind, "ROCECC_" #NAME "_",                            \
     ROCECC_##NAME##_##KIND##_NAMES},
#define ROWS_NONE(NAME, name, header)
#define ROWS_REFUSAL(NAME, name, header) ROW(header, NAME, name, REFUSAL, "refusal")
#define ROWS_VERDICT(NAME, name, header)                                               \
    ROWS_REFUSAL(NAME, name, header) ROW(header, NAME, name, VERDICT, "verdict")
#define ROWS(NAME, name, trace, header, enums) ROWS_##enums(NAME, name, header)

TEST(names_match_all_enumerators)
{
    static const struct {
        const char *header, *name, *prefix, *names;
    } enums[] = {
        {"wire/icrc.h", "rocecc_icrc_rule", "ROCECC_ICRC_", ROCECC_ICRC_RULE_NAMES},
        {"wire/cnm.h", "rocecc_cnm_verdict", "ROCECC_CNM_", ROCECC_CNM_VERDICT_NAMES},
        {"wire/l3qcn.h", "rocecc_l3qcn_verdict", "ROCECC_L3QCN_",
         ROCECC_L3QCN_VERDICT_NAMES},
        {"packet/fastcnp.h", "rocecc_fastcnp_border_verdict", "ROCECC_FASTCNP_BORDER_",
         ROCECC_FASTCNP_BORDER_NAMES},
        {"packet/srv6.h", "rocecc_srv6_verdict", "ROCECC_SRV6_",
         ROCECC_SRV6_VERDICT_NAMES},
        {"packet/arrival.h", "rocecc_arrival_node", "ROCECC_ARRIVAL_",
         ROCECC_ARRIVAL_NODE_NAMES},
        {"packet/arrival.h", "rocecc_arrival_verdict", "ROCECC_ARRIVAL_",
         ROCECC_ARRIVAL_VERDICT_NAMES},
        {"guard/admission.h", "rocecc_admission_verdict", "ROCECC_ADMISSION_",
         ROCECC_ADMISSION_VERDICT_NAMES},
        {"guard/admission.h", "rocecc_admission_refusal", "ROCECC_ADMISSION_",
         ROCECC_ADMISSION_REFUSAL_NAMES},
        {"algo/wred.h", "rocecc_wred_reach", "ROCECC_WRED_REACH_",
         ROCECC_WRED_REACH_NAMES},
        {"algo/ecntunnel.h", "rocecc_ecntunnel_alarm", "ROCECC_ECNTUNNEL_",
         ROCECC_ECNTUNNEL_ALARM_NAMES},
        {"role/dcqcn_deployment.h", "rocecc_dcqcn_deployment_refusal",
         "ROCECC_DCQCN_DEPLOYMENT_", ROCECC_DCQCN_DEPLOYMENT_REFUSAL_NAMES},
        {"role/reaction_point.h", "rocecc_reaction_verdict", "ROCECC_REACTION_",
         ROCECC_REACTION_VERDICT_NAMES},
        {"role/reaction_point.h", "rocecc_reaction_refusal", "ROCECC_REACTION_",
         ROCECC_REACTION_REFUSAL_NAMES},
        {"role/reaction_point.h", "rocecc_reaction_peer", "ROCECC_REACTION_PEER_",
         ROCECC_REACTION_PEER_NAMES},
        {"role/arn_gate.h", "rocecc_arn_gate_verdict", "ROCECC_ARN_GATE_",
         ROCECC_ARN_GATE_VERDICT_NAMES},
        {"role/arn_gate.h", "rocecc_arn_gate_refusal", "ROCECC_ARN_GATE_",
         ROCECC_ARN_GATE_REFUSAL_NAMES},
        {"role/qpn.h", "rocecc_qpn_verdict", "ROCECC_QPN_", ROCECC_QPN_VERDICT_NAMES},
        {"guard/qpnlearner.h", "rocecc_qpnlearner_outcome", "ROCECC_QPNLEARNER_",
         ROCECC_QPNLEARNER_OUTCOME_NAMES},
        {"guard/qpnlearner.h", "rocecc_qpnlearner_refusal", "ROCECC_QPNLEARNER_",
         ROCECC_QPNLEARNER_REFUSAL_NAMES},
        {"role/srv6_pe.h", "rocecc_srv6_pe_verdict", "ROCECC_SRV6_PE_",
         ROCECC_SRV6_PE_VERDICT_NAMES},
        {"role/srv6_pe.h", "rocecc_srv6_pe_refusal", "ROCECC_SRV6_PE_",
         ROCECC_SRV6_PE_REFUSAL_NAMES},
        {"role/l3qcn_tor.h", "rocecc_l3qcn_tor_verdict", "ROCECC_L3QCN_TOR_",
         ROCECC_L3QCN_TOR_VERDICT_NAMES},
        {"role/l3qcn_tor.h", "rocecc_l3qcn_tor_learn_verdict", "ROCECC_L3QCN_TOR_",
         ROCECC_L3QCN_TOR_LEARN_VERDICT_NAMES},
        {"role/l3qcn_tor.h", "rocecc_l3qcn_tor_refusal", "ROCECC_L3QCN_TOR_",
         ROCECC_L3QCN_TOR_REFUSAL_NAMES},
        {"wire/echo.h", "rocecc_echo_format", "ROCECC_ECHO_", ROCECC_ECHO_FORMAT_NAMES},
        {"role/echo.h", "rocecc_echo_receiver_verdict", "ROCECC_ECHO_RECEIVER_",
         ROCECC_ECHO_RECEIVER_VERDICT_NAMES},
        {"role/echo.h", "rocecc_echo_sender_verdict", "ROCECC_ECHO_SENDER_",
         ROCECC_ECHO_SENDER_VERDICT_NAMES},
        ROCECC_ALGORITHMS(ROWS)};
    size_t i;
    for (i = 0; i < NOUN_COUNT(enums); i++)
        check_enum(enums[i].header, enums[i].name, enums[i].prefix, enums[i].names);
}

#define VERDICTS_NONE 0
#define VERDICTS_REFUSAL 0
#define VERDICTS_VERDICT 1
#define DECLARES(NAME, name, trace, header, enums)                                     \
    test_context("%s", #name);                                                         \
    CHECK_EQ(strstr(text_of(header), "enum rocecc_" #name "_verdict") != NULL,         \
             VERDICTS_##enums);

/* The last column is VERDICT exactly for the headers that declare verdicts. */
TEST(algorithms_table_matches_declared_verdicts)
{
    ROCECC_ALGORITHMS(DECLARES)
}

/* Returns true if a row is for a member, or for a member or element of it. */
static bool row_of(const field *f, const char *member, size_t n)
{
    return strncmp(f->name, member, n) == 0 &&
           (f->name[n] == '\0' || f->name[n] == '.' || f->name[n] == '[');
}

/* Checks that the members of a struct have all rows, in order. */
static void check_struct(const char *header, const char *name, const field *f, size_t n)
{
    const char *at;
    size_t i = 0, length;
    test_context("%s", name);
    at = declared(text_of(header), "struct", name);
    while (at != NULL && (length = identifier(&at)) != 0) {
        const char *member = at;
        size_t k = i;
        at += length;
        if (strchr(";[", *at) == NULL) continue; /* a type */
        test_context("%s.%.*s", name, (int)length, member);
        while (i < n && row_of(&f[i], member, length))
            i++;
        CHECK(i > k);
        at += strcspn(at, ";");
    }
    CHECK_EQ(i, n);
}

TEST(names_cover_all_members)
{
    static const field reaction[] = {
        ROCECC_REACTION_CONFIG_FIELDS(FIELD_ROW, rocecc_reaction_config)};
    static const field key[] = {
        ROCECC_REACTION_KEY_FIELDS(FIELD_ROW, rocecc_reaction_key)};
    static const field srv6_pe[] = {
        ROCECC_SRV6_PE_CONFIG_FIELDS(FIELD_ROW, rocecc_srv6_pe_config)};
    static const field arn_gate[] = {
        ROCECC_ARN_GATE_CONFIG_FIELDS(FIELD_ROW, rocecc_arn_gate_config)};
    static const field l3qcn_tor[] = {
        ROCECC_L3QCN_TOR_CONFIG_FIELDS(FIELD_ROW, rocecc_l3qcn_tor_config)};
    static const field qpn[] = {
        ROCECC_QPNLEARNER_PARAMS_FIELDS(FIELD_ROW, rocecc_qpnlearner_params)};
    static const field arrival[] = {
        ROCECC_ARRIVAL_CONFIG_FIELDS(FIELD_ROW, rocecc_arrival_config)};
    static const field icmp[] = {ROCECC_ICMP_FIELDS(FIELD_ROW, rocecc_icmp)};
    static const field message[] = {
        ROCECC_ICMP_MESSAGE_FIELDS(FIELD_ROW, rocecc_icmp_message)};
    static const field cm[] = {ROCECC_CM_FIELDS(FIELD_ROW, rocecc_cm)};
    static const field notice[] = {
        ROCECC_PAUSE_NOTICE_FIELDS(FIELD_ROW, rocecc_pause_notice)};
    static const struct {
        const char *header, *name;
        const field *fields;
        size_t n;
    } structs[] = {
        {"role/reaction_point.h", "rocecc_reaction_config", reaction,
         NOUN_COUNT(reaction)},
        {"role/reaction_point.h", "rocecc_reaction_key", key, NOUN_COUNT(key)},
        {"role/srv6_pe.h", "rocecc_srv6_pe_config", srv6_pe, NOUN_COUNT(srv6_pe)},
        {"role/arn_gate.h", "rocecc_arn_gate_config", arn_gate, NOUN_COUNT(arn_gate)},
        {"role/l3qcn_tor.h", "rocecc_l3qcn_tor_config", l3qcn_tor,
         NOUN_COUNT(l3qcn_tor)},
        {"guard/qpnlearner.h", "rocecc_qpnlearner_params", qpn, NOUN_COUNT(qpn)},
        {"packet/arrival.h", "rocecc_arrival_config", arrival, NOUN_COUNT(arrival)},
        {"wire/icmp.h", "rocecc_icmp", icmp, NOUN_COUNT(icmp)},
        {"wire/icmp.h", "rocecc_icmp_message", message, NOUN_COUNT(message)},
        {"wire/cm.h", "rocecc_cm", cm, NOUN_COUNT(cm)},
        {"guard/pause.h", "rocecc_pause_notice", notice, NOUN_COUNT(notice)}};
    size_t i;
    for (i = 0; i < NOUN_COUNT(structs); i++)
        check_struct(structs[i].header, structs[i].name, structs[i].fields,
                     structs[i].n);
}
