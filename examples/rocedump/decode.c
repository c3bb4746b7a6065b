/* SPDX-License-Identifier: BSD-2-Clause */
#include "../crc32/select.h"

#include <ctype.h>
#include <string.h>

#include "rocecc/fields/bth.h"
#include "rocecc/fields/csig.h"
#include "rocecc/fields/echo.h"
#include "rocecc/fields/ether.h"
#include "rocecc/fields/ext.h"
#include "rocecc/fields/fastcnp.h"
#include "rocecc/fields/grh.h"
#include "rocecc/fields/ifa.h"
#include "rocecc/fields/intmd.h"
#include "rocecc/fields/ioam.h"
#include "rocecc/fields/ip.h"
#include "rocecc/fields/ip6opt.h"
#include "rocecc/fields/srv6.h"
#include "rocecc/fields/tcp.h"
#include "rocecc/fields/udp.h"

#include "decode.h"

/* Members of our own records. rocecc/fields lists the members of formats. */
#define IP6EXT_FIELDS(F, T)                                                            \
    F(T, UINT, type, NULL)                                                             \
    F(T, VIEW, header, NULL)
/* fastcnp.h lists the trace's length and offset, ioam.h its type as a number. */
#define FASTCNP_MEMBERS(F, T)                                                          \
    F(T, ENUM, kind, "plain ioam")                                                     \
    F(T, IP6, flow_dst, NULL)                                                          \
    F(T, UINT, reserved, NULL)
#define IOAM_FIELDS(F, T)                                                              \
    F(T, UINT, opt_type, NULL)                                                         \
    F(T, UINT, namespace_id, NULL)                                                     \
    F(T, UINT, node_len, NULL)                                                         \
    F(T, UINT, flags, NULL)                                                            \
    F(T, UINT, remaining_len, NULL)                                                    \
    F(T, VIEW, trace_type, NULL)                                                       \
    F(T, UINT, reserved, NULL)                                                         \
    F(T, VIEW, data, NULL)
#define BTH_MEMBERS(F, T)                                                              \
    F(T, ENUM, operation, BTH_OPERATIONS)                                              \
    F(T, UINT, odd, NULL)
#define CNP_MEMBERS(F, T)                                                              \
    F(T, VIEW, reserved, NULL)                                                         \
    F(T, UINT, odd, NULL)
#define PAYLOAD_FIELDS(F, T)                                                           \
    F(T, VIEW, bytes, NULL)                                                            \
    F(T, VIEW, pad, NULL)                                                              \
    F(T, BOOL, pad_forbidden, NULL)
#define PARTIAL_FIELDS(F, T)                                                           \
    F(T, ENUM, why, "none fragment trimmed mirrored sampled quoted captured")          \
    F(T, UINT, missing, NULL)
#define ICRC_FIELDS(F, T)                                                              \
    F(T, VIEW, value, NULL)                                                            \
    F(T, VIEW, computed, NULL)                                                         \
    F(T, BOOL, ok, NULL)                                                               \
    F(T, ENUM, rule, ICRC_RULES)

static const field ether_fields[] = {ROCECC_ETHER_FIELDS(FIELD_ROW, rocecc_ether)};
static const field ipv4_fields[] = {ROCECC_IPV4_FIELDS(FIELD_ROW, rocecc_ipv4)};
static const field ipv6_fields[] = {ROCECC_IPV6_FIELDS(FIELD_ROW, rocecc_ipv6)};
static const field opts_fields[] = {ROCECC_IP6OPTS_FIELDS(FIELD_ROW, rocecc_ip6opts)};
static const field srh_fields[] = {ROCECC_SRH_FIELDS(FIELD_ROW, rocecc_srh)};
static const field frag_fields[] = {ROCECC_IP6FRAG_FIELDS(FIELD_ROW, rocecc_ip6frag)};
static const field ip6ext_fields[] = {IP6EXT_FIELDS(FIELD_ROW, rocecc_ip6ext)};
static const field fastcnp_fields[] = {FASTCNP_MEMBERS(FIELD_ROW, rocecc_fastcnp)};
static const field ioam_fields[] = {IOAM_FIELDS(FIELD_ROW, ioam_record)};
static const field dex_fields[] = {ROCECC_IOAM_DEX_FIELDS(FIELD_ROW, rocecc_ioam_dex)};
static const field e2e_fields[] = {ROCECC_IOAM_E2E_FIELDS(FIELD_ROW, rocecc_ioam_e2e)};
static const field pot_fields[] = {ROCECC_IOAM_POT_FIELDS(FIELD_ROW, rocecc_ioam_pot)};
static const field ifa_fields[] = {DEEP(ifa_record, UINT, h.header, version),
                                   DEEP(ifa_record, UINT, h.header, gns),
                                   DEEP(ifa_record, UINT, h.header, next_hdr),
                                   DEEP(ifa_record, UINT, h.header, flags),
                                   DEEP(ifa_record, UINT, h.header, max_length),
                                   DEEP(ifa_record, UINT, h.metadata, request_vector),
                                   DEEP(ifa_record, UINT, h.metadata, action_vector),
                                   DEEP(ifa_record, UINT, h.metadata, hop_limit),
                                   DEEP(ifa_record, UINT, h.metadata, current_length),
                                   DEEP(ifa_record, UINT, h.checksum, checksum),
                                   DEEP(ifa_record, UINT, h.checksum, reserved),
                                   DEEP(ifa_record, UINT, h.fragment, packet_id),
                                   DEEP(ifa_record, UINT, h.fragment, mf_id),
                                   DEEP(ifa_record, BOOL, h.fragment, last)};
static const field ifa_node_fields[] = {
    ROCECC_IFA_NODE_FIELDS(FIELD_ROW, rocecc_ifa_node)};
static const field intmd_fields[] = {DEEP(intmd_record, UINT, shim, type),
                                     DEEP(intmd_record, UINT, shim, npt),
                                     DEEP(intmd_record, UINT, shim, original),
                                     DEEP(intmd_record, UINT, h, ver),
                                     DEEP(intmd_record, BOOL, h, d),
                                     DEEP(intmd_record, BOOL, h, e),
                                     DEEP(intmd_record, BOOL, h, m),
                                     DEEP(intmd_record, UINT, h, reserved),
                                     DEEP(intmd_record, UINT, h, hop_ml),
                                     DEEP(intmd_record, UINT, h, remaining_hop_count),
                                     DEEP(intmd_record, UINT, h, instructions),
                                     DEEP(intmd_record, UINT, h, ds_id),
                                     DEEP(intmd_record, UINT, h, ds_instruction),
                                     DEEP(intmd_record, UINT, h, ds_flags)};
static const field intmd_node_fields[] = {
    ROCECC_INTMD_NODE_FIELDS(FIELD_ROW, intmd_shown)};
static const field ioam_node_fields[] = {
    ROCECC_IOAM_NODE_FIELDS(FIELD_ROW, ioam_shown)};
/* Members of an echo. Each format adds members of its record, without the nodes. */
#define ECHO_HEADER                                                                    \
    DEEP(echo_record, UINT, h, version),                                               \
        FIELD_AT("format", ENUM, offsetof(echo_record, h.format), 1,                   \
                 ROCECC_ECHO_FORMAT_NAMES),                                            \
        DEEP(echo_record, BOOL, h, truncated),                                         \
        DEEP(echo_record, BOOL, h, read_response), DEEP(echo_record, UINT, h, resv),   \
        DEEP(echo_record, UINT, h, length)
static const field echo_fields[] = {ECHO_HEADER};
/* The second word of an echo for a READ response. */
static const field echo_psn_fields[] = {DEEP(echo_record, UINT, h, psn_resv),
                                        DEEP(echo_record, UINT, h, psn)};
static const field echo_ioam_fields[] = {ECHO_HEADER,
                                         DEEP(echo_record, UINT, ioam, opt_type),
                                         DEEP(echo_record, UINT, ioam, namespace_id),
                                         DEEP(echo_record, UINT, ioam, node_len),
                                         DEEP(echo_record, UINT, ioam, flags),
                                         DEEP(echo_record, UINT, ioam, remaining_len),
                                         DEEP(echo_record, VIEW, ioam, trace_type)};
static const field echo_ifa_fields[] = {
    ECHO_HEADER, DEEP(echo_record, UINT, ifa.h.header, flags),
    DEEP(echo_record, UINT, ifa.h.header, max_length),
    DEEP(echo_record, UINT, ifa.h.metadata, hop_limit),
    DEEP(echo_record, UINT, ifa.h.metadata, current_length)};
static const field echo_intmd_fields[] = {
    ECHO_HEADER,
    DEEP(echo_record, BOOL, intmd.h, e),
    DEEP(echo_record, BOOL, intmd.h, m),
    DEEP(echo_record, UINT, intmd.h, hop_ml),
    DEEP(echo_record, UINT, intmd.h, remaining_hop_count),
    DEEP(echo_record, UINT, intmd.h, instructions)};
static const field echo_csig_fields[] = {
    ECHO_HEADER, DEEP(echo_record, UINT, csig, tpid),
    DEEP(echo_record, UINT, csig, type), DEEP(echo_record, UINT, csig, value),
    DEEP(echo_record, UINT, csig, locator)};
static const field grh_fields[] = {ROCECC_GRH_FIELDS(FIELD_ROW, rocecc_grh)};
static const field tcp_fields[] = {ROCECC_TCP_FIELDS(FIELD_ROW, rocecc_tcp)};
static const field udp_fields[] = {ROCECC_UDP_FIELDS(FIELD_ROW, rocecc_udp)};
static const field bth_fields[] = {ROCECC_BTH_FIELDS(FIELD_ROW, rocecc_bth)
                                       BTH_MEMBERS(FIELD_ROW, bth_record)};
static const field rdeth_fields[] = {ROCECC_RDETH_FIELDS(FIELD_ROW, rocecc_rdeth)};
static const field deth_fields[] = {ROCECC_DETH_FIELDS(FIELD_ROW, rocecc_deth)};
static const field xrceth_fields[] = {ROCECC_XRCETH_FIELDS(FIELD_ROW, rocecc_xrceth)};
static const field feth_fields[] = {ROCECC_FETH_FIELDS(FIELD_ROW, rocecc_feth)};
static const field reth_fields[] = {ROCECC_RETH_FIELDS(FIELD_ROW, rocecc_reth)};
static const field atomiceth_fields[] = {
    ROCECC_ATOMICETH_FIELDS(FIELD_ROW, rocecc_atomiceth)};
static const field aeth_fields[] = {ROCECC_AETH_FIELDS(FIELD_ROW, rocecc_aeth)};
static const field atomicacketh_fields[] = {
    ROCECC_ATOMICACKETH_FIELDS(FIELD_ROW, rocecc_atomicacketh)};
static const field immdt_fields[] = {ROCECC_IMMDT_FIELDS(FIELD_ROW, rocecc_immdt)};
static const field ieth_fields[] = {ROCECC_IETH_FIELDS(FIELD_ROW, rocecc_ieth)};
static const field cnp_fields[] = {CNP_MEMBERS(FIELD_ROW, cnp_record)};
static const field payload_fields[] = {PAYLOAD_FIELDS(FIELD_ROW, payload_record)};
static const field partial_fields[] = {PARTIAL_FIELDS(FIELD_ROW, partial_record)};
static const field icrc_fields[] = {ICRC_FIELDS(FIELD_ROW, icrc_record)};

/* The `present` bits of a node's members, in table order. */
#define NEVER UINT32_MAX /* for `present` itself, which is not shown */
static const uint32_t ioam_node_has[] = {NEVER,
                                         1u << 0,
                                         1u << 1,
                                         1u << 2,
                                         1u << 3,
                                         1u << 4,
                                         1u << 5,
                                         IOAM_SHOWN_DELAY,
                                         IOAM_SHOWN_DELAY,
                                         1u << 7,
                                         1u << 8,
                                         1u << 9,
                                         1u << 10,
                                         1u << 11,
                                         1u << 12,
                                         1u << 13,
                                         1u << 14,
                                         1u << 15,
                                         1u << 16,
                                         1u << 17,
                                         1u << 18,
                                         1u << 19,
                                         1u << 20,
                                         1u << 21,
                                         1u << 22,
                                         1u << 23,
                                         1u << 24,
                                         1u << 25,
                                         1u << 27,
                                         1u << 28,
                                         1u << 29,
                                         IOAM_SHOWN_SNAPSHOT,
                                         IOAM_SHOWN_SNAPSHOT};

static const uint32_t ifa_node_has[] = {0,
                                        0,
                                        0,
                                        ROCECC_IFA_TTL,
                                        ROCECC_IFA_SPEED,
                                        ROCECC_IFA_CN,
                                        ROCECC_IFA_QUEUE,
                                        ROCECC_IFA_RX_SEC,
                                        ROCECC_IFA_EGRESS,
                                        ROCECC_IFA_INGRESS,
                                        ROCECC_IFA_RX_NS,
                                        ROCECC_IFA_TX_NS,
                                        ROCECC_IFA_RESIDENCE,
                                        ROCECC_IFA_TX_BYTES,
                                        0,
                                        ROCECC_IFA_QUEUE_LENGTH,
                                        0,
                                        NEVER};
static const uint32_t intmd_node_has[] = {NEVER,
                                          ROCECC_INTMD_NODE_ID,
                                          ROCECC_INTMD_INTERFACES,
                                          ROCECC_INTMD_INTERFACES,
                                          ROCECC_INTMD_HOP_LATENCY,
                                          ROCECC_INTMD_QUEUE,
                                          ROCECC_INTMD_QUEUE,
                                          ROCECC_INTMD_INGRESS_TIMESTAMP,
                                          ROCECC_INTMD_EGRESS_TIMESTAMP,
                                          ROCECC_INTMD_L2_INTERFACES,
                                          ROCECC_INTMD_L2_INTERFACES,
                                          ROCECC_INTMD_EGRESS_TX_UTILIZATION,
                                          ROCECC_INTMD_BUFFER,
                                          ROCECC_INTMD_BUFFER,
                                          ROCECC_INTMD_CHECKSUM_COMPLEMENT,
                                          0,
                                          0};

#define NODES(T, fields, has, record, member)                                          \
    NODES_OF(T, fields, has, offsetof(record, member), offsetof(record, count))
#define NODES_OF(T, fields, has, nodes, count)                                         \
    {                                                                                  \
        fields, has, COUNT(fields), sizeof(T), offsetof(T, present),                   \
            sizeof(((T *)0)->present), nodes, count                                    \
    }

static const node_kind ioam_nodes =
    NODES(ioam_shown, ioam_node_fields, ioam_node_has, ioam_record, nodes);
static const node_kind ifa_nodes =
    NODES(rocecc_ifa_node, ifa_node_fields, ifa_node_has, ifa_record, nodes);
static const node_kind intmd_nodes =
    NODES(intmd_shown, intmd_node_fields, intmd_node_has, intmd_record, nodes);

/* Nodes in an echo's record. */
static const node_kind echo_ioam_nodes =
    NODES_OF(ioam_shown, ioam_node_fields, ioam_node_has,
             offsetof(echo_record, ioam.nodes), offsetof(echo_record, ioam.count));
static const node_kind echo_ifa_nodes =
    NODES_OF(rocecc_ifa_node, ifa_node_fields, ifa_node_has,
             offsetof(echo_record, ifa.nodes), offsetof(echo_record, ifa.count));
static const node_kind echo_intmd_nodes =
    NODES_OF(intmd_shown, intmd_node_fields, intmd_node_has,
             offsetof(echo_record, intmd.nodes), offsetof(echo_record, intmd.count));

static const layer_kind ether_kind = ONE("ether", ether_fields);
static const layer_kind ipv4_kind = MANY("ipv4", ipv4_fields);
static const layer_kind ipv6_kind = MANY("ipv6", ipv6_fields);
static const layer_kind hopopts_kind = MANY("hopopts", opts_fields);
static const layer_kind dstopts_kind = MANY("dstopts", opts_fields);
static const layer_kind srh_kind = MANY("srh", srh_fields);
static const layer_kind routing_kind = MANY("routing", ip6ext_fields);
static const layer_kind fragment_kind = MANY("fragment", frag_fields);
static const layer_kind ah_kind = MANY("ah", ip6ext_fields);
static const layer_kind mobility_kind = MANY("mobility", ip6ext_fields);
static const layer_kind hip_kind = MANY("hip", ip6ext_fields);
static const layer_kind shim6_kind = MANY("shim6", ip6ext_fields);
static const layer_kind ioam_kind = {
    "ioam", true, ioam_fields, COUNT(ioam_fields), NULL, &ioam_nodes};
static const layer_kind dex_kind = MANY("ioam_dex", dex_fields);
static const layer_kind e2e_kind = MANY("ioam_e2e", e2e_fields);
static const layer_kind pot_kind = MANY("ioam_pot", pot_fields);
static const layer_kind ifa_kind = {"ifa", false,     ifa_fields, COUNT(ifa_fields),
                                    NULL,  &ifa_nodes};
static const layer_kind intmd_kind = {
    "intmd", false, intmd_fields, COUNT(intmd_fields), NULL, &intmd_nodes};
static const layer_kind fastcnp_kind = {
    "fastcnp", false, fastcnp_fields, COUNT(fastcnp_fields), &ioam_kind, NULL};
static const layer_kind grh_kind = ONE("grh", grh_fields);
static const layer_kind tcp_kind = ONE("tcp", tcp_fields);
static const layer_kind udp_kind = MANY("udp", udp_fields);
static const layer_kind bth_kind = ONE("bth", bth_fields);
static const layer_kind echo_kind = ONE("echo", echo_fields);
static const layer_kind echo_psn_kind = ONE("echo_psn", echo_psn_fields);
static const layer_kind echo_csig_kind = ONE("echo", echo_csig_fields);
static const layer_kind echo_ioam_kind = {
    "echo", false, echo_ioam_fields, COUNT(echo_ioam_fields), NULL, &echo_ioam_nodes};
static const layer_kind echo_ifa_kind = {
    "echo", false, echo_ifa_fields, COUNT(echo_ifa_fields), NULL, &echo_ifa_nodes};
static const layer_kind echo_intmd_kind = {
    "echo",           false, echo_intmd_fields, COUNT(echo_intmd_fields), NULL,
    &echo_intmd_nodes};
static const layer_kind payload_kind = ONE("payload", payload_fields);
static const layer_kind partial_kind = ONE("partial", partial_fields);
static const layer_kind icrc_kind = ONE("icrc", icrc_fields);

/* Extended headers, in the order of their bits. */
static const struct {
    layer_kind kind;
    size_t offset; /* in a rocecc_ext */
} ext_kinds[] = {
    {ONE("rdeth", rdeth_fields), offsetof(rocecc_ext, rdeth)},
    {ONE("deth", deth_fields), offsetof(rocecc_ext, deth)},
    {ONE("xrceth", xrceth_fields), offsetof(rocecc_ext, xrceth)},
    {ONE("feth", feth_fields), offsetof(rocecc_ext, feth)},
    {ONE("reth", reth_fields), offsetof(rocecc_ext, reth)},
    {ONE("atomiceth", atomiceth_fields), offsetof(rocecc_ext, atomiceth)},
    {ONE("aeth", aeth_fields), offsetof(rocecc_ext, aeth)},
    {ONE("atomicacketh", atomicacketh_fields), offsetof(rocecc_ext, atomicacketh)},
    {ONE("immdt", immdt_fields), offsetof(rocecc_ext, immdt)},
    {ONE("ieth", ieth_fields), offsetof(rocecc_ext, ieth)},
    {ONE("cnp", cnp_fields), 0}};

#define CNP_KIND (&ext_kinds[COUNT(ext_kinds) - 1].kind)

/* Layer kinds, in their usual order in a packet. */
static const layer_kind *const decode_kinds[] = {
    &ether_kind,     &ipv4_kind,     &ipv6_kind,       &hopopts_kind,  &dstopts_kind,
    &srh_kind,       &routing_kind,  &fragment_kind,   &ah_kind,       &mobility_kind,
    &hip_kind,       &shim6_kind,    &ioam_kind,       &dex_kind,      &e2e_kind,
    &pot_kind,       &ifa_kind,      &intmd_kind,      &fastcnp_kind,  &grh_kind,
    &tcp_kind,       &udp_kind,      &bth_kind,        &echo_kind,     &echo_csig_kind,
    &echo_ioam_kind, &echo_ifa_kind, &echo_intmd_kind, &echo_psn_kind, &payload_kind,
    &partial_kind,   &icrc_kind};

/*
 * Returns kind *i of a list that ends with NULL. If the list is shorter, subtracts its
 * length from *i and returns NULL.
 */
static const layer_kind *listed(const layer_kind *const *list, size_t *i)
{
    for (; *list != NULL; list++)
        if ((*i)-- == 0) return *list;
    return NULL;
}

const layer_kind *decode_kind(size_t i)
{
    const layer_kind *kind = listed(link_kinds, &i);
    if (kind != NULL) return kind;
    if (i < COUNT(decode_kinds)) return decode_kinds[i];
    i -= COUNT(decode_kinds);
    if (i < COUNT(ext_kinds)) return &ext_kinds[i].kind;
    i -= COUNT(ext_kinds);
    kind = listed(overlay_kinds, &i);
    if (kind == NULL) kind = listed(icmp_kinds, &i);
    if (kind == NULL) kind = listed(notify_kinds, &i);
    return kind != NULL ? kind : listed(sampled_kinds, &i);
}

void decode_push(decoded *d, const layer_kind *kind, const void *record,
                 const void *inner)
{
    if (d->n == LAYERS_MAX) return; /* no packet has so many */
    d->layers[d->n].kind = kind;
    d->layers[d->n].record = record;
    d->layers[d->n++].inner = inner;
}

static void push(decoded *d, const layer_kind *kind, const void *record)
{
    decode_push(d, kind, record, NULL);
}

bool decode_fail(decoded *d, rocecc_status status, const char *at)
{
    if (d->status == ROCECC_OK) {
        d->status = status;
        d->at = at;
    }
    return false;
}

static bool ended(const decoded *d)
{
    const rocecc_status status = d->p.headers.status;
    return status != ROCECC_OK && status != ROCECC_NO_MATCH;
}

/* Returns the kind of the extension header at `r`, or NULL if it has no layer. */
static const layer_kind *ip6ext_kind(uint8_t type, rocecc_reader r)
{
    const uint8_t *b;
    switch (type) {
    case ROCECC_PROTO_HOPOPTS:
        return &hopopts_kind;
    case ROCECC_PROTO_DSTOPTS:
        return &dstopts_kind;
    case ROCECC_PROTO_FRAGMENT:
        return &fragment_kind;
    case ROCECC_PROTO_AH:
        return &ah_kind;
    case ROCECC_PROTO_MOBILITY:
        return &mobility_kind;
    case ROCECC_PROTO_HIP:
        return &hip_kind;
    case ROCECC_PROTO_SHIM6:
        return &shim6_kind;
    case ROCECC_PROTO_ROUTING:
        b = rocecc_take(&r, 3);
        return b != NULL && b[2] == ROCECC_SRH_ROUTING_TYPE ? &srh_kind : &routing_kind;
    default:
        return NULL;
    }
}

/* Returns true if a list has an option of type a or b, even if it overruns the list. */
static bool has_option(rocecc_reader options, uint8_t a, uint8_t b)
{
    rocecc_ip6opt opt;
    for (;;) {
        rocecc_reader rest = options;
        const uint8_t *type = rocecc_take(&rest, 1);
        if (type == NULL) return false;
        if (*type != 0 && (*type == a || *type == b)) return true;
        if (rocecc_ip6opt_next(&options, &opt) != ROCECC_OK) return false;
    }
}

/* Fills *h with a trace, and with all its nodes unless c->brief is set. */
static rocecc_status ioam_fill(const settings *c, uint8_t opt_type, rocecc_reader trace,
                               ioam_record *h)
{
    rocecc_ioam_option o = {0, opt_type, trace};
    rocecc_reader r = trace, nodes;
    rocecc_ioam_view v;
    rocecc_report_layout l = ROCECC_ZERO;
    rocecc_ioam_trace t;
    const rocecc_status status = rocecc_ioam_view_parse(&c->domain.ioam, &o, &v);
    if (status != ROCECC_OK) return status;
    (void)rocecc_take(&r, ROCECC_IOAM_TRACE_BYTES);
    t = v.trace;
    nodes = v.nodes;
    rocecc_ioam_layout_update(&v.config, t.trace_type, &l);
    for (h->count = 0; !c->brief && h->count < v.count; h->count++) {
        rocecc_ioam_node node;
        if (rocecc_ioam_node_next(&v, &l, &nodes, &node) != ROCECC_OK)
            return ROCECC_ERR_FORMAT; /* cannot happen */
        h->nodes[h->count] = ioam_show(&node, nodes);
    }
    h->opt_type = opt_type;
    h->namespace_id = t.namespace_id;
    h->node_len = t.node_len;
    h->flags = t.flags;
    h->remaining_len = t.remaining_len;
    h->trace_type = rocecc_subrange(trace, trace.at + 4, trace.at + 7);
    h->reserved = t.reserved;
    h->data = r;
    return ROCECC_OK;
}

/* Adds an IOAM option that is not a trace. An invalid option does not end the stack. */
static void ioam_other(decoded *d, const rocecc_ioam_option *o)
{
    ioam_other_record *h = &d->others[d->n_others % IOAM_MAX];
    const layer_kind *kind = o->opt_type == ROCECC_IOAM_PROOF_OF_TRANSIT ? &pot_kind
                             : o->opt_type == ROCECC_IOAM_EDGE_TO_EDGE   ? &e2e_kind
                                                                         : &dex_kind;
    rocecc_status status = ROCECC_ERR_UNSUPPORTED;
    if (o->opt_type <= ROCECC_IOAM_INCREMENTAL ||
        o->opt_type > ROCECC_IOAM_DIRECT_EXPORT)
        return;
    if (d->n_others == IOAM_MAX)
        status = ROCECC_ERR_UNSUPPORTED;
    else if (kind == &pot_kind)
        status = rocecc_ioam_pot_parse(o, &h->pot);
    else if (kind == &e2e_kind)
        status = rocecc_ioam_e2e_parse(o, &h->e2e);
    else
        status = rocecc_ioam_dex_parse(o, &h->dex);
    if (status != ROCECC_OK) {
        (void)decode_fail(d, status, kind->name);
        return;
    }
    d->n_others++;
    push(d, kind, h);
}

/*
 * Adds all IOAM options in a list that are not traces. Options that nodes may change
 * come first, then the others. Each search ends at the first fault that it meets.
 */
static void ioam_others(decoded *d, rocecc_reader options)
{
    static const uint8_t types[] = {ROCECC_IOAM_OPTION_HBH, ROCECC_IOAM_OPTION_FIXED};
    size_t i;
    for (i = 0; i < COUNT(types); i++) {
        rocecc_reader rest = options;
        rocecc_ioam_option o = {0, 0, rest};
        while (has_option(rest, types[i], 0) &&
               rocecc_ioam_option_next(&rest, types[i], &o) == ROCECC_OK)
            ioam_other(d, &o);
    }
}

/*
 * Adds the traces in Hop-by-Hop options. Returns false if an invalid trace, or a fault
 * in the list before an IOAM option, has ended the stack. Other faults do not count.
 */
static bool ioam_layers(const settings *c, decoded *d, rocecc_reader options)
{
    rocecc_reader rest = options;
    while (has_option(rest, ROCECC_IOAM_OPTION_HBH, 0)) {
        rocecc_ioam_option o = {0, 0, rest};
        rocecc_status status =
            rocecc_ioam_option_next(&rest, ROCECC_IOAM_OPTION_HBH, &o);
        if (status == ROCECC_OK && o.opt_type > ROCECC_IOAM_INCREMENTAL) continue;
        if (status == ROCECC_OK && !rocecc_ioam_option_aligned(options, &o))
            status = ROCECC_ERR_FORMAT;
        if (status == ROCECC_OK && d->n_ioam == IOAM_MAX)
            status = ROCECC_ERR_UNSUPPORTED;
        if (status == ROCECC_OK)
            status = ioam_fill(c, o.opt_type, o.data, &d->ioam[d->n_ioam]);
        if (status != ROCECC_OK) return decode_fail(d, status, ioam_kind.name);
        push(d, &ioam_kind, &d->ioam[d->n_ioam++]);
    }
    return true;
}

/*
 * Adds the option of a Fast CNP. An option of any other type, or in a packet that is
 * not a CNP, adds no layer.
 */
static bool fastcnp_layer(const settings *c, decoded *d, rocecc_reader options)
{
    const rocecc_fastcnp_config *types = &c->domain.fastcnp;
    rocecc_fastcnp *h = &d->fastcnp;
    const bool any = has_option(options, types->type_plain, types->type_ioam);
    rocecc_status status;
    if (!any || !rocecc_cnp_match(&d->p)) return true;
    status = rocecc_fastcnp_find(&d->p, h);
    if (status == ROCECC_OK && h->kind == ROCECC_FASTCNP_IOAM)
        status = ioam_fill(c, h->opt_type, rocecc_fastcnp_trace(d->p.bytes, h),
                           &d->fastcnp_ioam);
    if (status != ROCECC_OK) return decode_fail(d, status, fastcnp_kind.name);
    d->has_fastcnp = true;
    decode_push(d, &fastcnp_kind, h,
                h->kind == ROCECC_FASTCNP_IOAM ? &d->fastcnp_ioam : NULL);
    return true;
}

/* Adds a parsed extension header and the layers of its options. */
static bool ip6ext_push(const settings *c, decoded *d, const rocecc_headers_ip *ip,
                        const layer_kind *kind)
{
    const ip6ext_record *ext = &d->ext[d->n_ext - 1];
    push(d, kind, ext);
    if (kind->fields == opts_fields) ioam_others(d, ext->opts.options);
    if (kind == &hopopts_kind) return ioam_layers(c, d, ext->opts.options);
    if (kind == &dstopts_kind && ip == &d->p.headers.ip)
        return fastcnp_layer(c, d, ext->opts.options);
    return true;
}

static bool ip6ext_layer(const settings *c, decoded *d, const rocecc_headers_ip *ip,
                         const rocecc_ip6ext *found)
{
    rocecc_reader r = found->header;
    const layer_kind *kind = ip6ext_kind(found->type, r);
    ip6ext_record *ext;
    rocecc_status status = ROCECC_OK;
    if (kind == NULL || d->n_ext == COUNT(d->ext)) return true; /* cannot happen */
    ext = &d->ext[d->n_ext++];
    if (kind->fields == opts_fields)
        status = rocecc_ip6opts_parse(&r, &ext->opts);
    else if (kind == &srh_kind)
        status = rocecc_srh_parse(&r, &ext->srh);
    else if (kind == &fragment_kind)
        status = rocecc_ip6frag_parse(&r, &ext->frag);
    else
        ext->ext = *found;
    if (status != ROCECC_OK)
        return decode_fail(d, rocecc_status_declared(status), kind->name);
    return ip6ext_push(c, d, ip, kind);
}

/* Adds an IP header and its first n_ext extension headers. */
static bool ip_layers(const settings *c, decoded *d, const rocecc_headers_ip *ip,
                      int n_ext)
{
    rocecc_reader r = rocecc_subrange(d->p.bytes, ip->offset, ip->end);
    rocecc_ip6ext ext;
    uint8_t type;
    int i;
    if (ip->version == 4) {
        if (rocecc_ipv4_parse(&r, &d->ip[d->n_ip].v4) == ROCECC_OK)
            push(d, &ipv4_kind, &d->ip[d->n_ip++].v4);
    } else {
        if (rocecc_ipv6_parse(&r, &d->ip[d->n_ip].v6) == ROCECC_OK)
            push(d, &ipv6_kind, &d->ip[d->n_ip++].v6);
    }
    type = ROCECC_PROTO_AH; /* the only extension header of IPv4 */
    if (ip->version == 6) r = rocecc_packet_exts(&d->p, ip, &type);
    for (i = 0; i < n_ext; i++) {
        if (rocecc_ip6ext_next(&r, &type, &ext) != ROCECC_OK) break; /* cannot happen */
        if (!ip6ext_layer(c, d, ip, &ext)) return false;
    }
    return true;
}

/* Adds the IP header next to UDP. The walk may have ended there or after it. */
static bool last_ip_layers(const settings *c, decoded *d)
{
    const rocecc_headers *f = &d->p.headers;
    const rocecc_headers_ip *ip = &f->ip;
    const rocecc_status status = f->status;
    const bool unsupported = status == ROCECC_ERR_UNSUPPORTED;
    const bool fragment = ip->fragment != ROCECC_IP_FRAGMENT_NONE;
    const bool to_v4 = ip->proto == ROCECC_PROTO_IPV4;
    const bool tunnel = unsupported && !fragment && f->outer.version != 0 &&
                        (to_v4 || ip->proto == ROCECC_PROTO_IPV6);
    const layer_kind *kind;
    if (ended(d) && f->stopped == ROCECC_LAYER_IPV4 && !tunnel) {
        if (unsupported && ip->version == 4) (void)ip_layers(c, d, ip, ip->n_ext);
        return decode_fail(d, status, "ipv4");
    }
    if (ended(d) && f->stopped == ROCECC_LAYER_IPV6)
        return decode_fail(d, status, "ipv6");
    if (!ip_layers(c, d, ip, ip->n_ext)) return false;
    if (!ended(d) || f->stopped > ROCECC_LAYER_IP6EXT) return true;
    if (fragment) return decode_fail(d, status, "fragment");
    if (tunnel) return decode_fail(d, status, to_v4 ? "ipv4" : "ipv6");
    kind = ip6ext_kind(ip->proto, rocecc_subrange(d->p.bytes, ip->upper, ip->end));
    return decode_fail(d, status, kind != NULL ? kind->name : "ip6ext");
}

/* Reads the records of a parsed stack, newest first. */
static void ifa_fill(ifa_record *h)
{
    const bool last = (h->h.header.flags & ROCECC_IFA_FLAG_TS) != 0 &&
                      h->h.config.tail == ROCECC_IFA_TAIL_NEWEST_LAST;
    const size_t n = rocecc_left(&h->h.nodes) / ROCECC_IFA_NODE_BYTES;
    rocecc_reader nodes = h->h.nodes;
    for (h->count = 0; h->count < n && h->count < COUNT(h->nodes); h->count++) {
        const size_t i = last ? n - 1 - h->count : h->count;
        if (rocecc_ifa_node_next(&h->h.config, &nodes, &h->nodes[i]) != ROCECC_OK)
            break;
    }
}

/* Adds IFA, from its header after IP to its stack. */
static bool ifa_layer(const settings *c, decoded *d)
{
    const rocecc_ifa_config *config = &c->domain.ifa;
    const size_t at = d->p.headers.ifa, end = d->p.headers.ip.end;
    const rocecc_reader r = rocecc_subrange(d->p.bytes, at, end);
    rocecc_status status;
    if (at == 0) return true;
    status = rocecc_ifa_parse(config, r, end - at, &d->ifa.h);
    if (status != ROCECC_OK) return decode_fail(d, status, ifa_kind.name);
    ifa_fill(&d->ifa);
    push(d, &ifa_kind, &d->ifa);
    return true;
}

/* Reads the header and the nodes of a parsed INT-MD. */
static rocecc_status intmd_fill(const rocecc_intmd *h, intmd_record *out)
{
    rocecc_reader nodes = h->nodes;
    rocecc_report_layout l = ROCECC_ZERO;
    out->h = h->header;
    rocecc_intmd_layout_update(h->header.instructions, &l);
    for (out->count = 0; out->count < h->n_nodes; out->count++) {
        rocecc_intmd_node node;
        if (rocecc_intmd_node_next(h, &l, &nodes, &node) != ROCECC_OK)
            return ROCECC_ERR_FORMAT; /* cannot happen */
        out->nodes[out->count] = intmd_show(h, &node, nodes);
    }
    return ROCECC_OK;
}

/* Adds INT-MD after UDP or TCP. */
static bool intmd_layer(const settings *c, decoded *d)
{
    const rocecc_headers *f = &d->p.headers;
    rocecc_reader r = rocecc_subrange(d->p.bytes, f->intmd, f->ip.end);
    rocecc_intmd h;
    rocecc_status status;
    if (f->intmd == 0) return true;
    status = rocecc_intmd_shim_parse(&r, &d->intmd.shim);
    if (status == ROCECC_OK && d->intmd.shim.type != ROCECC_INTMD_TYPE_MD)
        status = ROCECC_ERR_UNSUPPORTED;
    if (status != ROCECC_OK) return decode_fail(d, status, intmd_kind.name);
    status = rocecc_intmd_parse(&c->domain.intmd, d->intmd.shim.body, &h);
    if (status == ROCECC_OK) status = intmd_fill(&h, &d->intmd);
    if (status != ROCECC_OK) return decode_fail(d, status, intmd_kind.name);
    push(d, &intmd_kind, &d->intmd);
    return true;
}

/* Adds TCP. INT-MD may precede its options. */
static bool tcp_layer(const settings *c, decoded *d)
{
    const rocecc_headers *f = &d->p.headers;
    rocecc_reader r = rocecc_subrange(d->p.bytes, f->ip.upper, f->ip.end);
    rocecc_reader shim = rocecc_subrange(d->p.bytes, f->intmd, f->ip.end);
    const uint8_t *b = rocecc_take(&shim, ROCECC_INTMD_SHIM_BYTES);
    size_t options;
    rocecc_status status;
    if (f->ifa != 0) r = d->ifa.h.l4;
    status = rocecc_tcp_parse(&r, &d->tcp);
    if (f->ip.end <= d->p.bytes.end) status = rocecc_status_declared(status);
    if (status != ROCECC_OK) return decode_fail(d, status, "tcp");
    if (f->intmd != 0 && c->domain.intmd.before_options && b != NULL) {
        options = rocecc_left(&d->tcp.options);
        shim.at += (size_t)b[1] * 4;
        d->tcp.options = rocecc_subrange(shim, shim.at, shim.at + options);
    }
    push(d, &tcp_kind, &d->tcp);
    return true;
}

/* Adds a UDP header. If INT-MD has its own, a second UDP header follows INT-MD. */
static void udp_layer(decoded *d, size_t at)
{
    rocecc_reader r = rocecc_subrange(d->p.bytes, at, d->p.headers.ip.end);
    if (rocecc_udp_parse(&r, &d->udp[d->n_udp]) == ROCECC_OK)
        push(d, &udp_kind, &d->udp[d->n_udp++]);
}

/*
 * Returns the tag or shim in which the walk ended, or NULL if it reached IP or a GRH.
 */
static const char *tag_name(uint8_t stopped)
{
    static const char *const names[] = {"vlan",   "vlan",  "csig", "cntag",
                                        "llc",    "cmd",   "etag", "vntag",
                                        "arista", "pppoe", "mpls"};
    return stopped <= ROCECC_LAYER_MPLS ? names[stopped] : NULL;
}

/* Adds Ethernet, the tags before IP or a GRH, and notifications after Ethernet. */
static bool link_layers(const settings *c, decoded *d, uint16_t type)
{
    const rocecc_headers *f = &d->p.headers;
    rocecc_reader r = d->p.bytes;
    const char *tag;
    if (type == ROCECC_TYPE_TEB) {
        if (rocecc_ether_parse(&r, &d->ether) != ROCECC_OK)
            return decode_fail(d, f->status, "ether");
        push(d, &ether_kind, &d->ether);
    }
    overlay_tags(c, d, type);
    tag = tag_name(f->stopped);
    if (tag == NULL)
        return f->tunnel != ROCECC_TUNNEL_PSEUDOWIRE || !ended(d) ||
               decode_fail(d, f->status, "pseudowire");
    if (ended(d)) return decode_fail(d, f->status, tag);
    return type != ROCECC_TYPE_TEB || notify_ether(c, d);
}

/* Adds a GRH, or IP with its extensions and IFA. */
static bool ip_or_grh_layers(const settings *c, decoded *d)
{
    const rocecc_headers *f = &d->p.headers;
    rocecc_reader r = rocecc_subrange(d->p.bytes, f->grh, d->p.bytes.end);
    if (f->stopped == ROCECC_LAYER_GRH && ended(d))
        return decode_fail(d, f->status, "grh");
    if (f->grh != 0) {
        if (rocecc_grh_parse(&r, &d->grh) == ROCECC_OK) push(d, &grh_kind, &d->grh);
        return true;
    }
    if (f->outer.version != 0 && !ip_layers(c, d, &f->outer, f->outer.n_ext))
        return false;
    if (!last_ip_layers(c, d)) return false;
    if (f->stopped == ROCECC_LAYER_IFA && ended(d))
        return decode_fail(d, f->status, "ifa");
    return ifa_layer(c, d) || f->partial != ROCECC_PARTIAL_NONE;
}

/*
 * Adds the layers before a BTH, or all layers if there is none. Returns false if the
 * stack has ended.
 */
static bool lower_layers(const settings *c, decoded *d, uint16_t type)
{
    const rocecc_headers *f = &d->p.headers;
    const rocecc_status status = f->status;
    if (type != ROCECC_TYPE_IPV4 && type != ROCECC_TYPE_IPV6 &&
        !link_layers(c, d, type))
        return false;
    if (f->ip.version == 0 && f->outer.version == 0 && f->stopped < ROCECC_LAYER_IPV4)
        return true; /* link_layers() has added everything */
    if (f->tunnel == ROCECC_TUNNEL_PSEUDOWIRE) return true;
    if (!ip_or_grh_layers(c, d)) return false;
    if (f->stopped == ROCECC_LAYER_UPPER && !icmp_layers(d)) return false;
    if (f->kind == ROCECC_PACKET_KIND_TCP && !tcp_layer(c, d)) return false;
    if (f->stopped == ROCECC_LAYER_UDP && ended(d))
        return decode_fail(d, status, "udp");
    if (f->udp != 0) udp_layer(d, f->intmd != 0 ? f->ip.upper : f->udp);
    if (f->stopped == ROCECC_LAYER_INTMD && ended(d))
        return decode_fail(d, status, "intmd");
    /*
     * A wrong INT-MD ends the stack, unless a BTH follows and the shim's body has at
     * least 12 bytes.
     */
    if (!intmd_layer(c, d) && (f->bth == 0 || rocecc_left(&d->intmd.shim.body) < 12))
        return false;
    if (f->intmd != 0 && f->udp > f->intmd) udp_layer(d, f->udp);
    if (f->tunnel != ROCECC_TUNNEL_NONE) {
        overlay_header(d);
        return !ended(d) || decode_fail(d, status, overlay_name(d));
    }
    if (ended(d)) return decode_fail(d, status, "bth");
    return f->kind != ROCECC_PACKET_KIND_UDP || (notify_udp(d) && sampled_layers(d));
}

/* Adds a CNP's reserved bytes and the flags for unusual values. */
static bool cnp_layer(const settings *c, decoded *d, rocecc_reader reserved)
{
    rocecc_cnp cnp;
    if (!c->brief) {
        d->cnp.reserved = reserved;
        d->cnp.odd = rocecc_cnp_odd(&d->bth, reserved);
        d->doubtful = !d->has_fastcnp && rocecc_fastcnp_match(&d->p);
    }
    if (d->p.headers.kind == ROCECC_PACKET_KIND_ROCEV2) {
        const rocecc_status status = rocecc_cnp_parse(&d->p, &cnp);
        if (status != ROCECC_OK) return decode_fail(d, status, CNP_KIND->name);
    }
    push(d, CNP_KIND, &d->cnp);
    return true;
}

/*
 * Adds the extended headers of a set. A partial packet may lack some of them. For a
 * summary of a complete packet, only a CNP is checked.
 */
static bool ext_layers(const settings *c, decoded *d, uint16_t set)
{
    const rocecc_headers *f = &d->p.headers;
    const bool partial = f->partial != ROCECC_PARTIAL_NONE;
    rocecc_reader r =
        rocecc_subrange(d->p.bytes, f->bth + (size_t)ROCECC_BTH_BYTES, f->end);
    const rocecc_reader first = r;
    uint16_t present = set;
    size_t i;
    if (c->brief && f->end <= d->p.bytes.end)
        return partial || (set & ROCECC_EXT_CNP) == 0 || cnp_layer(c, d, first);
    for (i = COUNT(ext_kinds); rocecc_ext_bytes(present) > rocecc_left(&r);)
        present &= (uint16_t) ~(1u << --i);
    (void)rocecc_ext_parse(&r, present, &d->headers);
    for (i = 0; i < COUNT(ext_kinds); i++) {
        const layer_kind *kind = &ext_kinds[i].kind;
        const uint16_t bit = (uint16_t)(1u << i);
        if ((set & bit) == 0) continue;
        if (partial && ((present & bit) == 0 || bit == ROCECC_EXT_CNP)) break;
        if ((present & bit) == 0) return decode_fail(d, ROCECC_ERR_SHORT, kind->name);
        if (bit != ROCECC_EXT_CNP)
            push(d, kind, (const char *)&d->headers + ext_kinds[i].offset);
        else if (!cnp_layer(c, d, rocecc_subrange(first, first.at, r.at)))
            return false;
    }
    return true;
}

/* Adds payload and padding. Returns false if the capture ends first. */
static bool payload_layer(decoded *d, const rocecc_extent *e)
{
    const size_t at = d->p.headers.bth + (size_t)e->payload;
    const size_t pad = at + e->payload_bytes;
    const size_t end = pad + e->pad_bytes;
    if (end > d->p.bytes.end) return false;
    d->payload.bytes = rocecc_subrange(d->p.bytes, at, pad);
    d->payload.pad = rocecc_subrange(d->p.bytes, pad, end);
    d->payload.pad_forbidden = e->pad_forbidden;
    if (end > at) push(d, &payload_kind, &d->payload);
    return true;
}

/* Adds the echo in an ACK. Returns false if the stack has ended. */
static bool echo_layer(const settings *c, decoded *d)
{
    const rocecc_domain *domain = &c->domain;
    echo_record *e = &d->echo;
    const layer_kind *kind = &echo_kind;
    rocecc_ioam_view trace;
    rocecc_intmd md;
    rocecc_status status = rocecc_echo_find(&d->p, &e->h);
    if (status == ROCECC_NO_MATCH) return true;
    if (status == ROCECC_OK && !e->h.truncated && e->h.format == ROCECC_ECHO_IOAM) {
        rocecc_ioam_config any = domain->ioam; /* accept any namespace */
        rocecc_reader r = e->h.record, space;
        const uint8_t *b;
        kind = &echo_ioam_kind;
        (void)rocecc_take(&r, 4); /* type, length, Reserved, kind */
        space = r;
        b = rocecc_take(&space, 2);
        if (b != NULL) any.namespace_id = rocecc_load16(b);
        status = rocecc_echo_ioam(&any, &e->h, &trace);
        if (status == ROCECC_OK) status = ioam_fill(c, trace.opt_type, r, &e->ioam);
    } else if (status == ROCECC_OK && !e->h.truncated &&
               e->h.format == ROCECC_ECHO_IFA) {
        kind = &echo_ifa_kind;
        status = rocecc_echo_ifa(&domain->ifa, &e->h, &e->ifa.h);
        if (status == ROCECC_OK) ifa_fill(&e->ifa);
    } else if (status == ROCECC_OK && !e->h.truncated &&
               e->h.format == ROCECC_ECHO_INTMD) {
        kind = &echo_intmd_kind;
        status = rocecc_echo_intmd(&domain->intmd, &e->h, &md);
        if (status == ROCECC_OK) status = intmd_fill(&md, &e->intmd);
    } else if (status == ROCECC_OK && !e->h.truncated) {
        kind = &echo_csig_kind;
        status = rocecc_echo_csig(&domain->csig, &e->h, &e->csig);
    }
    if (status == ROCECC_NO_MATCH) status = ROCECC_ERR_UNSUPPORTED; /* unknown TPID */
    if (status != ROCECC_OK) return decode_fail(d, status, "echo");
    push(d, kind, e);
    if (e->h.read_response) push(d, &echo_psn_kind, e);
    return true;
}

static void icrc_layer(const settings *c, decoded *d)
{
    const size_t end = d->p.headers.end;
    icrc_record *h = &d->icrc;
    rocecc_icrc icrc = {0, 0, false, ROCECC_ICRC_AUTO};
    const rocecc_status status = rocecc_icrc_verify(c->icrc.rule, &d->p, &icrc);
    const bool compared = status == ROCECC_OK && icrc.rule != ROCECC_ICRC_NONE;
    h->value = rocecc_subrange(d->p.bytes, end - (size_t)ROCECC_ICRC_BYTES, end);
    h->computed = rocecc_reader_of(h->stored, h->stored + (compared ? 4 : 0));
    h->rule = status == ROCECC_OK ? icrc.rule : c->icrc.rule;
    h->ok = CHECK_UNKNOWN;
    if (compared) {
        rocecc_icrc_store(h->stored, icrc.computed);
        h->ok = icrc.ok ? 1 : 0;
    }
    d->has_icrc = true;
    push(d, &icrc_kind, h);
}

/* Returns where a packet ends according to its lengths. */
static size_t full_end(const decoded *d)
{
    const rocecc_headers *f = &d->p.headers;
    rocecc_reader r = rocecc_subrange(d->p.bytes, f->udp, d->p.bytes.end);
    const uint8_t *b = f->udp != 0 ? rocecc_take(&r, ROCECC_UDP_BYTES) : NULL;
    const uint32_t ip = f->outer.version != 0 ? f->outer.end : f->ip.end;
    const uint32_t end = f->end > ip ? f->end : ip;
    return b != NULL ? (size_t)f->udp + rocecc_load16(b + 4) : end;
}

/*
 * Adds the reason why the end of a packet is missing, and the number of missing bytes.
 */
static void partial_layer(decoded *d)
{
    const rocecc_headers *f = &d->p.headers;
    const rocecc_partial why = rocecc_packet_partial(&d->p);
    const size_t full = full_end(d);
    size_t end = d->p.bytes.end;
    if (why == ROCECC_PARTIAL_NONE) return;
    if (f->udp != 0 && f->end < end) end = f->end;
    d->partial.why = why;
    d->partial.missing = full > end ? (uint32_t)(full - end) : 0;
    push(d, &partial_kind, &d->partial);
}

/* Adds the extended headers of a partial RoCE packet. */
static bool partial_layers(const settings *c, decoded *d)
{
    rocecc_opcode_class opclass;
    if (rocecc_opcode_lookup(d->bth.opcode, &opclass) == ROCECC_OK)
        (void)ext_layers(c, d, opclass.ext);
    return true;
}

static void bth_layer(decoded *d)
{
    bth_record *h = &d->bth_shown;
    rocecc_opcode_class c;
    const rocecc_status status = rocecc_opcode_lookup(d->bth.opcode, &c);
    h->h = d->bth;
    h->operation = BTH_MANUFACTURER;
    if (status == ROCECC_OK) h->operation = (uint8_t)c.operation;
    if (status == ROCECC_NO_MATCH) h->operation = BTH_RESERVED;
    h->odd = rocecc_bth_odd(&d->bth);
    push(d, &bth_kind, h);
}

/* Handles an opcode with unknown headers. The ICRC covers the packet in any case. */
static bool unknown_layers(const settings *c, decoded *d)
{
    if (!c->no_icrc && d->p.headers.end <= d->p.bytes.end) icrc_layer(c, d);
    return decode_fail(d, ROCECC_ERR_UNSUPPORTED, "ext");
}

/* Adds the BTH and the layers after it. */
static bool upper_layers(const settings *c, decoded *d)
{
    const rocecc_headers *f = &d->p.headers;
    rocecc_reader r = rocecc_subrange(d->p.bytes, f->bth, f->end);
    rocecc_extent e;
    rocecc_status status;
    if (rocecc_bth_parse(&r, &d->bth) != ROCECC_OK) return false; /* cannot happen */
    d->has_bth = true;
    bth_layer(d);
    if (f->partial != ROCECC_PARTIAL_NONE) return partial_layers(c, d);
    status = rocecc_extent_locate(&c->domain.roce, &d->bth, f->end - f->bth, &e);
    if (status == ROCECC_NO_MATCH || status == ROCECC_ERR_UNSUPPORTED)
        return unknown_layers(c, d); /* reserved, a manufacturer's, or RD */
    if (status != ROCECC_OK) return decode_fail(d, status, "ext");
    if (!ext_layers(c, d, e.opclass.ext)) return false;
    if (e.opclass.ext == 0 && e.opclass.operation == ROCECC_OPERATION_CNP &&
        !cnp_layer(c, d, rocecc_reader_of(NULL, NULL)))
        return false;
    if (rocecc_opcode_is_ack(d->bth.opcode)) {
        if (!echo_layer(c, d)) return false;
        e.payload_bytes = 0;
    }
    if (!payload_layer(d, &e)) /* the ICRC after it is missing too */
        return decode_fail(d, ROCECC_ERR_SHORT, c->no_icrc ? "payload" : "icrc");
    if (c->no_icrc) return true;
    if (f->end > d->p.bytes.end) return decode_fail(d, ROCECC_ERR_SHORT, "icrc");
    icrc_layer(c, d);
    return true;
}

/*
 * Adds the layers of a packet after the walk. `type` is the type of its first header.
 * `link` is a frame's link header, and NULL for other packets.
 */
static void decode_layers(const settings *c, decoded *d, uint16_t type,
                          const link_header *link)
{
    const rocecc_headers *f = &d->p.headers;
    d->inner = d->next = NULL;
    d->judged = NULL;
    d->sflow.count = 0;
    d->icmp_error.packet = rocecc_reader_of(NULL, NULL);
    d->icmp_error.quoted = NULL;
    d->status = ROCECC_OK;
    d->at = NULL;
    d->verdicts = NULL;
    d->has_bth = d->has_icrc = d->has_fastcnp = d->doubtful = d->frame_length = false;
    d->n = d->n_ip = d->n_ext = d->n_ioam = d->n_others = d->n_udp = 0;
    if (link != NULL && link->kind != NULL) push(d, link->kind, link->record);
    if (link != NULL && link->status != ROCECC_OK) {
        decode_fail(d, link->status, link->at);
        return;
    }
    if (f->status == ROCECC_ERR_RANGE) { /* begins after ROCECC_PACKET_START_MAX */
        decode_fail(d, ROCECC_ERR_UNSUPPORTED, "ether");
        return;
    }
    /*
     * A summary needs these layers only if the walk has not found a BTH, or if a layer
     * may have a fault or be a Fast CNP.
     */
    if (!c->brief || f->status != ROCECC_OK || f->ip.n_ext != 0 ||
        f->outer.n_ext != 0 || f->ifa != 0 || f->intmd != 0)
        if (!lower_layers(c, d, type)) return;
    if (f->status == ROCECC_OK) (void)upper_layers(c, d);
}

static void decode_packet(const settings *c, decoded *d, uint16_t type,
                          const link_header *link)
{
    decode_layers(c, d, type, link);
    if (!c->brief) partial_layer(d);
}

/* Shows the length field as it was captured. */
static void captured_length(decoded *d)
{
    const rocecc_headers *f = &d->p.headers;
    const uint8_t version = f->outer.version != 0 ? f->outer.version : f->ip.version;
    if (version == 4)
        d->ip[0].v4.total_length = 0;
    else
        d->ip[0].v6.payload_length = 0;
}

/*
 * Decodes packets[first], after its walk, and the packets in its tunnels. Returns the
 * new number of packets.
 */
static size_t decode_levels(const settings *c, decoded *packets, size_t first,
                            uint16_t type, const link_header *link)
{
    size_t i;
    for (i = first;; i++) {
        decoded *d = &packets[i];
        decode_packet(c, d, type, i == first ? link : NULL);
        if (i != 0) packets[i - 1].next = d;
        if (d->p.headers.inner == 0) return i + 1;
        if (i - first + 1 == LEVELS_MAX || i + 1 == PACKETS_MAX) {
            decode_fail(d, ROCECC_ERR_UNSUPPORTED, "inner");
            return i + 1;
        }
        d->inner = &packets[i + 1];
        type = d->p.headers.inner_type;
        (void)rocecc_packet_inner(&d->p, &d->inner->p);
    }
}

/*
 * Decodes the packets sampled in an sFlow datagram. Returns the new number of packets.
 */
static size_t decode_samples(const settings *c, decoded *packets, decoded *d, size_t n)
{
    size_t i;
    for (i = 0; i < d->sflow.count; i++) {
        uint16_t type;
        if (n == PACKETS_MAX) {
            decode_fail(d, ROCECC_ERR_UNSUPPORTED, "inner");
            break;
        }
        type = sampled_parse(d, i, &packets[n].p);
        if (type == 0) continue;
        d->sflow.sample[i].packet = &packets[n];
        n = decode_levels(c, packets, n, type, NULL);
    }
    return n;
}

/* Decodes the packet that an ICMP error quotes. Returns the new number of packets. */
static size_t decode_quote(const settings *c, decoded *packets, decoded *d, size_t n)
{
    uint16_t type;
    if (n == PACKETS_MAX) return n;
    type = icmp_parse_quote(d, &packets[n].p);
    if (type == 0) return n;
    d->icmp_error.quoted = &packets[n];
    return decode_levels(c, packets, n, type, NULL);
}

bool decode_nests(const layer_kind *kind)
{
    return sampled_is_sample(kind) || icmp_is_error_layer(kind);
}

const decoded *decode_nested(const layer *l)
{
    if (sampled_is_sample(l->kind)) return ((const sample_record *)l->record)->packet;
    if (icmp_is_error_layer(l->kind))
        return ((const icmp_error_record *)l->record)->quoted;
    return NULL;
}

void decode(const settings *c, const packet *p, decoded packets[PACKETS_MAX])
{
    rocecc_reader bytes = p->bytes;
    const bool frame_length = !c->judging && offload_bytes(p, &bytes);
    size_t i, levels, n;
    (void)rocecc_packet_parse_as(&c->domain, bytes, p->link.type, &packets[0].p);
    n = levels = decode_levels(c, packets, 0, p->link.type, &p->link);
    packets[0].frame_length = frame_length && packets[0].n_ip > 0;
    if (packets[0].frame_length) captured_length(&packets[0]);
    for (i = 0; i < levels; i++) {
        n = decode_samples(c, packets, &packets[i], n);
        n = decode_quote(c, packets, &packets[i], n);
    }
}

const decoded *decode_innermost(const decoded *d)
{
    while (d->inner != NULL)
        d = d->inner;
    return d;
}

const void *decode_node(const node_kind *kind, const void *record, size_t i)
{
    return (const char *)record + kind->nodes + i * kind->size;
}

bool decode_has(const node_kind *kind, const void *node, size_t k)
{
    const field bits = FIELD_AT("", UINT, kind->present, kind->bytes, NULL);
    const field *f = &kind->fields[k];
    if (kind->has[k] == NEVER ||
        (f->kind == ROCECC_FIELD_VIEW && field_get(f, node) == 0))
        return false;
    return kind->has[k] == 0 || (field_get(&bits, node) & kind->has[k]) != 0;
}

rocecc_hop decode_hop(const settings *c, const layer_kind *kind, const void *node)
{
    rocecc_telemetry_config config = c->telemetry;
    rocecc_ioam_node ioam;
    if (kind->nodes->fields == ifa_node_fields)
        return rocecc_telemetry_ifa_load(&config, (const rocecc_ifa_node *)node);
    if (kind->nodes->fields == intmd_node_fields) {
        rocecc_intmd_node intmd;
        (void)intmd_node_of((const intmd_shown *)node, 0xffff, &intmd);
        return rocecc_telemetry_intmd_load(&config, &intmd);
    }
    (void)ioam_node_of((const ioam_shown *)node, &ioam);
    config.seconds = rocecc_ioam_has(&ioam, ROCECC_IOAM_ITEM_TIMESTAMP_SEC);
    return rocecc_telemetry_ioam_load(&config, &ioam);
}

const layer *decode_find(const decoded *d, const char *name)
{
    size_t i;
    for (i = 0; i < d->n; i++)
        if (strcmp(d->layers[i].kind->name, name) == 0) return &d->layers[i];
    return NULL;
}

void print_name(const char *names, unsigned i, bool upper, FILE *out)
{
    for (; i > 0; i--)
        names += strcspn(names, " ") + 1;
    for (; *names != '\0' && *names != ' '; names++)
        putc(!upper          ? *names
             : *names == '_' ? ' '
                             : toupper((unsigned char)*names),
             out);
}
