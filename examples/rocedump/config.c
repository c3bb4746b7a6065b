/* SPDX-License-Identifier: BSD-2-Clause */

/* config.c - the settings of --config and of rows in vector files. */
#include <ctype.h>
#include <string.h>

#include "rocecc/fields/arn_gate.h"
#include "rocecc/fields/l3qcn_tor.h"
#include "rocecc/fields/pfc.h"
#include "rocecc/fields/reaction_point.h"
#include "rocecc/fields/srv6_pe.h"

#include "../lib/network.h"
#include "../lib/network_file.h"
#include "decode.h"

/* Members of the domain under older names. */
#define ALIAS(name, kind, member)                                                      \
    FIELD_AT(name, kind, offsetof(rocecc_domain, member),                              \
             sizeof(((rocecc_domain *)0)->member), NULL)
#define TELEMETRY_MEMBERS(F, T)                                                        \
    F(T, UINT, rate_bps, NULL)                                                         \
    F(T, UINT, queue_unit_bytes, NULL)                                                 \
    F(T, UINT, util_one, NULL)                                                         \
    F(T, UINT, ts_bits, NULL)                                                          \
    F(T, UINT, tx_bits, NULL)                                                          \
    F(T, ENUM, clock, "ptp posix ntp")
#define CNM_MEMBERS(F, T)                                                              \
    F(T, ENUM, signs, "A B C")                                                         \
    F(T, BOOL, tolerate_long, NULL)                                                    \
    F(T, BOOL, strict_version, NULL)
#define PFC_MEMBERS(F, T) F(T, MAC, station, NULL)
#define ICRC_MEMBERS(F, T) F(T, ENUM, rule, ICRC_RULES)

/* Inputs of the roles of --judge besides frames. */
#define KNOWS_MEMBERS(F, T)                                                            \
    F(T, ENUM, peer, ROCECC_REACTION_PEER_NAMES)                                       \
    F(T, UINT, port, NULL)

static const field frame_config[] = {
    ALIAS("ip_first", BOOL, link),
    ALIAS("rocev2_port", UINT, rocev2_port),
    ALIAS("csig.compact_tpid", UINT, csig.compact_tpid),
    ALIAS("csig.wide_tpid", UINT, csig.wide_tpid),
    ALIAS("csig.uec", BOOL, csig.uec),
    ALIAS("ifa_protocol", UINT, ifa.protocol), /* name until version 0.3.0 */
    ALIAS("intmd_port", UINT, intmd.udp_port)};
static const field telemetry_config[] = {
    TELEMETRY_MEMBERS(FIELD_ROW, rocecc_telemetry_config)};
static const field cnm_config[] = {CNM_MEMBERS(FIELD_ROW, rocecc_cnm_config)};
static const field pfc_config[] = {PFC_MEMBERS(FIELD_ROW, rocecc_pfc_config)};
static const field icrc_fields[] = {ICRC_MEMBERS(FIELD_ROW, icrc_config)};
static const field knows_config[] = {KNOWS_MEMBERS(FIELD_ROW, judge_knows)};
static const field reaction_config[] = {
    ROCECC_REACTION_CONFIG_FIELDS(FIELD_ROW, rocecc_reaction_config)};
static const field srv6_pe_config[] = {
    ROCECC_SRV6_PE_CONFIG_FIELDS(FIELD_ROW, rocecc_srv6_pe_config)};
static const field arn_gate_config[] = {
    ROCECC_ARN_GATE_CONFIG_FIELDS(FIELD_ROW, rocecc_arn_gate_config)};
static const field l3qcn_tor_config[] = {
    ROCECC_L3QCN_TOR_CONFIG_FIELDS(FIELD_ROW, rocecc_l3qcn_tor_config)};

void config_default(settings *c)
{
    network_default(&c->domain);
    judge_default(&c->judge);
}

void config_plain(settings *c)
{
    rocecc_domain *d = &c->domain;
    const rocecc_domain off = ROCECC_ZERO;
    const uint16_t ds_id = d->intmd.ds_id;
    d->link = ROCECC_LINK_ETHER;
    d->ah = off.ah;
    d->sflow_port = 0;
    d->tag = off.tag;
    d->overlay = off.overlay;
    d->rocev2_port = 0;
    d->csig = off.csig;
    d->ifa.protocol = 0;
    d->intmd = off.intmd;
    d->intmd.ds_id = ds_id;
}

const char *config_refused(const settings *c)
{
    return network_refused(&c->domain);
}

/* Returns a member outside the domain by its name, and the record that has it. */
static const field *member_of(settings *c, const char *name, void **record)
{
    const struct {
        const char *name;
        const field *fields;
        size_t n;
        void *record;
    } structs[] = {
        {"frame.", frame_config, COUNT(frame_config), &c->domain},
        {"telemetry.", telemetry_config, COUNT(telemetry_config), &c->telemetry},
        {"cnm.", cnm_config, COUNT(cnm_config), &c->cnm},
        {"pfc.", pfc_config, COUNT(pfc_config), &c->pfc},
        {"icrc.", icrc_fields, COUNT(icrc_fields), &c->icrc},
        {"judge.", knows_config, COUNT(knows_config), &c->judge.knows},
        {"reaction.", reaction_config, COUNT(reaction_config), &c->judge.reaction},
        {"srv6_pe.", srv6_pe_config, COUNT(srv6_pe_config), &c->judge.srv6_pe},
        {"arn_gate.", arn_gate_config, COUNT(arn_gate_config), &c->judge.arn_gate},
        {"l3qcn_tor.", l3qcn_tor_config, COUNT(l3qcn_tor_config), &c->judge.l3qcn_tor}};
    size_t s, i;
    for (s = 0; s < COUNT(structs); s++) {
        const size_t n = strlen(structs[s].name);
        if (strncmp(name, structs[s].name, n) != 0) continue;
        for (i = 0; i < structs[s].n; i++) {
            *record = structs[s].record;
            if (strcmp(name + n, structs[s].fields[i].name) == 0)
                return &structs[s].fields[i];
        }
    }
    return NULL;
}

/* Sets one member by its name. */
static bool set(settings *c, const char *name, const char *value)
{
    void *record;
    const field *f;
    if (network_set(&c->domain, name, value)) return true;
    f = member_of(c, name, &record);
    return f != NULL && (isalnum((unsigned char)*value) || *value == ':') &&
           field_set(f, record, value);
}

const char *config_expected(settings *c, const char *name)
{
    void *record;
    const field *f = network_field(name);
    if (f == NULL) f = member_of(c, name, &record);
    return f != NULL ? field_expected(f)
                     : "unknown setting; rocedump --help lists the settings";
}

/* Returns the limits that a setting belongs to, or NULL. */
static rocecc_admission_params *admission_of(judge_config *c, const char *name)
{
    if (strncmp(name, "reaction.admission.", 19) == 0) return &c->reaction.admission;
    if (strncmp(name, "arn_gate.admission.", 19) == 0) return &c->arn_gate.admission;
    if (strncmp(name, "l3qcn_tor.admission.", 20) == 0) return &c->l3qcn_tor.admission;
    return NULL;
}

/*
 * Setting a member of the limits, except `unlimited`, also turns them on, because
 * judge_default() turns them off.
 */
bool config_set(settings *c, const char *name, const char *value)
{
    rocecc_admission_params *limits = admission_of(&c->judge, name);
    if (!set(c, name, value)) return false;
    if (limits != NULL && strstr(name, ".unlimited") == NULL) limits->unlimited = false;
    return true;
}
