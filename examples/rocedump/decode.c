/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include <string.h>

#include "../../tests/law/bth.h"
#include "../../tests/law/ether.h"
#include "../../tests/law/ext.h"
#include "../../tests/law/fastcnp.h"
#include "../../tests/law/grh.h"
#include "../../tests/law/icmp6.h"
#include "../../tests/law/ioam.h"
#include "../../tests/law/ip.h"
#include "../../tests/law/ip6opt.h"
#include "../../tests/law/srv6.h"
#include "../../tests/law/tcp.h"
#include "../../tests/law/udp.h"

#include "decode.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* The laws' lists give the members' names; these are of records without a law. */
#define IP6EXT_FIELDS(F, T)                                                            \
    F(T, UINT, type, NULL)                                                             \
    F(T, VIEW, header, NULL)
/* fastcnp.h has the trace as bytes, and ioam.h its type as a number. */
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
#define ICMP6_MEMBERS(F, T)                                                            \
    F(T, UINT, type, NULL)                                                             \
    F(T, UINT, code, NULL)                                                             \
    F(T, UINT, checksum, NULL)                                                         \
    F(T, BOOL, ok, NULL)
#define PROBLEM_FIELDS(F, T)                                                           \
    F(T, UINT, pointer, NULL)                                                          \
    F(T, VIEW, packet, NULL)                                                           \
    F(T, VIEW, byte, NULL)                                                             \
    F(T, BOOL, fastcnp, NULL)
#define CNP_MEMBERS(F, T)                                                              \
    F(T, VIEW, reserved, NULL)                                                         \
    F(T, UINT, odd, NULL)
#define PAYLOAD_FIELDS(F, T)                                                           \
    F(T, VIEW, bytes, NULL)                                                            \
    F(T, VIEW, pad, NULL)                                                              \
    F(T, BOOL, pad_forbidden, NULL)
#define ICRC_FIELDS(F, T)                                                              \
    F(T, VIEW, value, NULL)                                                            \
    F(T, VIEW, computed, NULL)                                                         \
    F(T, BOOL, ok, NULL)                                                               \
    F(T, ENUM, rule, ICRC_RULES)

static const field ether_fields[] = {ETHER_FIELDS(FIELD_ROW, rocecc_ether)};
static const field vlan_fields[] = {VLAN_FIELDS(FIELD_ROW, rocecc_vlan)};
static const field ipv4_fields[] = {IPV4_FIELDS(FIELD_ROW, rocecc_ipv4)};
static const field ipv6_fields[] = {IPV6_FIELDS(FIELD_ROW, rocecc_ipv6)};
static const field opts_fields[] = {IP6OPTS_FIELDS(FIELD_ROW, rocecc_ip6opts)};
static const field srh_fields[] = {SRH_FIELDS(FIELD_ROW, rocecc_srh)};
static const field frag_fields[] = {IP6FRAG_FIELDS(FIELD_ROW, rocecc_ip6frag)};
static const field ip6ext_fields[] = {IP6EXT_FIELDS(FIELD_ROW, rocecc_ip6ext)};
static const field fastcnp_fields[] = {FASTCNP_MEMBERS(FIELD_ROW, rocecc_fastcnp)};
static const field ioam_fields[] = {IOAM_FIELDS(FIELD_ROW, ioam_record)};
static const field icmp6_fields[] = {ICMP6_MEMBERS(FIELD_ROW, icmp6_record)};
static const field problem_fields[] = {PROBLEM_FIELDS(FIELD_ROW, problem_record)};
static const field grh_fields[] = {GRH_FIELDS(FIELD_ROW, rocecc_grh)};
static const field tcp_fields[] = {TCP_FIELDS(FIELD_ROW, rocecc_tcp)};
static const field udp_fields[] = {UDP_FIELDS(FIELD_ROW, rocecc_udp)};
static const field bth_fields[] = {BTH_FIELDS(FIELD_ROW, rocecc_bth)};
static const field rdeth_fields[] = {RDETH_FIELDS(FIELD_ROW, rocecc_rdeth)};
static const field deth_fields[] = {DETH_FIELDS(FIELD_ROW, rocecc_deth)};
static const field xrceth_fields[] = {XRCETH_FIELDS(FIELD_ROW, rocecc_xrceth)};
static const field feth_fields[] = {FETH_FIELDS(FIELD_ROW, rocecc_feth)};
static const field reth_fields[] = {RETH_FIELDS(FIELD_ROW, rocecc_reth)};
static const field atomiceth_fields[] = {ATOMICETH_FIELDS(FIELD_ROW, rocecc_atomiceth)};
static const field aeth_fields[] = {AETH_FIELDS(FIELD_ROW, rocecc_aeth)};
static const field atomicacketh_fields[] = {
    ATOMICACKETH_FIELDS(FIELD_ROW, rocecc_atomicacketh)};
static const field immdt_fields[] = {IMMDT_FIELDS(FIELD_ROW, rocecc_immdt)};
static const field ieth_fields[] = {IETH_FIELDS(FIELD_ROW, rocecc_ieth)};
static const field cnp_fields[] = {CNP_MEMBERS(FIELD_ROW, cnp_record)};
static const field payload_fields[] = {PAYLOAD_FIELDS(FIELD_ROW, payload_record)};
static const field icrc_fields[] = {ICRC_FIELDS(FIELD_ROW, icrc_record)};

#define ONE(name, fields)                                                              \
    {                                                                                  \
        name, false, fields, COUNT(fields), NULL                                       \
    }
#define MANY(name, fields)                                                             \
    {                                                                                  \
        name, true, fields, COUNT(fields), NULL                                        \
    }

static const layer_kind ether_kind = ONE("ether", ether_fields);
static const layer_kind vlan_kind = MANY("vlan", vlan_fields);
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
static const layer_kind ioam_kind = MANY("ioam", ioam_fields);
static const layer_kind fastcnp_kind = {"fastcnp", false, fastcnp_fields,
                                        COUNT(fastcnp_fields), &ioam_kind};
static const layer_kind icmp6_kind = ONE("icmp6", icmp6_fields);
static const layer_kind problem_kind = ONE("problem", problem_fields);
static const layer_kind grh_kind = ONE("grh", grh_fields);
static const layer_kind tcp_kind = ONE("tcp", tcp_fields);
static const layer_kind udp_kind = MANY("udp", udp_fields);
static const layer_kind bth_kind = ONE("bth", bth_fields);
static const layer_kind payload_kind = ONE("payload", payload_fields);
static const layer_kind icrc_kind = ONE("icrc", icrc_fields);

/* The extended headers, by the bit that says that there is one. */
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

static void push_two(decoded *d, const layer_kind *kind, const void *record,
                     const void *inner)
{
    if (d->n == LAYERS_MAX) return; /* there are not so many */
    d->layers[d->n].kind = kind;
    d->layers[d->n].record = record;
    d->layers[d->n++].inner = inner;
}

static void push(decoded *d, const layer_kind *kind, const void *record)
{
    push_two(d, kind, record, NULL);
}

/* Ends the stack. */
static bool fail(decoded *d, rocecc_status status, const char *at)
{
    d->status = status;
    d->at = at;
    return false;
}

static bool ended(const decoded *d)
{
    return d->f.status != ROCECC_OK && d->f.status != ROCECC_NO_MATCH;
}

/* The extension header whose first bytes are r's; NULL: none that has a layer. */
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

/* Whether a list has an option of either type, even one that overruns it. */
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

/* False: the lengths of a trace contradict each other. */
static bool ioam_fill(uint8_t opt_type, rocecc_reader trace, ioam_record *h)
{
    rocecc_reader r = trace;
    rocecc_ioam_trace t;
    if (!rocecc_ioam_trace_match(opt_type, trace) ||
        rocecc_ioam_trace_parse(&r, &t) != ROCECC_OK)
        return false;
    h->opt_type = opt_type;
    h->namespace_id = t.namespace_id;
    h->node_len = t.node_len;
    h->flags = t.flags;
    h->remaining_len = t.remaining_len;
    h->trace_type = rocecc_between(trace, trace.at + 4, trace.at + 7);
    h->reserved = t.reserved;
    h->data = r;
    return true;
}

/* The traces among Hop-by-Hop options. Lists without one are not looked into. */
static bool ioam_layers(decoded *d, rocecc_reader options)
{
    rocecc_status status = ROCECC_NO_MATCH;
    while (has_option(options, ROCECC_IOAM_OPTION_HBH, 0)) {
        rocecc_ioam_option o = {0, 0, options};
        status = rocecc_ioam_trace_find(options, &o);
        if (status == ROCECC_NO_MATCH) return true; /* IOAM, but no trace */
        if (status == ROCECC_OK && d->n_ioam == IOAM_MAX)
            status = ROCECC_ERR_UNSUPPORTED;
        if (status == ROCECC_OK && !ioam_fill(o.opt_type, o.data, &d->ioam[d->n_ioam]))
            status = ROCECC_ERR_FORMAT;
        if (status != ROCECC_OK) return fail(d, status, ioam_kind.name);
        push(d, &ioam_kind, &d->ioam[d->n_ioam++]);
        options.at = o.data.end;
    }
    return true;
}

/*
 * The option that makes a CNP a Fast CNP. Where the types of others are in use, or in
 * other packets, such an option is but bytes.
 */
static bool fastcnp_layer(const settings *c, decoded *d, rocecc_reader frame,
                          rocecc_reader options)
{
    rocecc_fastcnp *h = &d->fastcnp;
    const bool any = has_option(options, c->fastcnp.type_plain, c->fastcnp.type_ioam);
    rocecc_status status;
    if (!any || !rocecc_cnp_match(frame, &d->f)) return true;
    status = rocecc_fastcnp_find(&c->fastcnp, frame, &d->f, h);
    if (status == ROCECC_OK && h->kind == ROCECC_FASTCNP_IOAM &&
        !ioam_fill(h->opt_type, h->trace, &d->fastcnp_ioam))
        status = ROCECC_ERR_FORMAT; /* cannot be */
    if (status != ROCECC_OK) return fail(d, status, fastcnp_kind.name);
    d->has_fastcnp = true;
    push_two(d, &fastcnp_kind, h,
             h->kind == ROCECC_FASTCNP_IOAM ? &d->fastcnp_ioam : NULL);
    return true;
}

/* An extension header that has been parsed, and what its options say. */
static bool ip6ext_push(const settings *c, decoded *d, rocecc_reader frame,
                        const rocecc_frame_ip *ip, const layer_kind *kind)
{
    const ip6ext_record *ext = &d->ext[d->n_ext - 1];
    push(d, kind, ext);
    if (kind == &hopopts_kind) return ioam_layers(d, ext->opts.options);
    if (kind == &dstopts_kind && ip == &d->f.ip)
        return fastcnp_layer(c, d, frame, ext->opts.options);
    return true;
}

static bool ip6ext_layer(const settings *c, decoded *d, rocecc_reader frame,
                         const rocecc_frame_ip *ip, int i)
{
    const uint8_t type = ip->ext_type[i];
    rocecc_reader r = rocecc_frame_ext(frame, ip, i);
    const layer_kind *kind = ip6ext_kind(type, r);
    ip6ext_record *ext;
    rocecc_status status = ROCECC_OK;
    if (kind == NULL || d->n_ext == COUNT(d->ext)) return true; /* cannot be */
    ext = &d->ext[d->n_ext++];
    if (kind->fields == opts_fields) {
        status = rocecc_ip6opts_parse(&r, &ext->opts);
    } else if (kind == &srh_kind) {
        status = rocecc_srh_parse(&r, &ext->srh);
    } else if (kind == &fragment_kind) {
        status = rocecc_ip6frag_parse(&r, &ext->frag);
    } else {
        ext->ext.type = type;
        ext->ext.header = r;
    }
    if (status != ROCECC_OK) return fail(d, rocecc_declared(status), kind->name);
    return ip6ext_push(c, d, frame, ip, kind);
}

/* One IP header and the first n_ext of its extension headers. */
static bool ip_layers(const settings *c, decoded *d, rocecc_reader frame,
                      const rocecc_frame_ip *ip, int n_ext)
{
    rocecc_reader r = rocecc_between(frame, ip->at, ip->end);
    int i;
    if (ip->version == 4) {
        if (rocecc_ipv4_parse(&r, &d->ip[d->n_ip].v4) == ROCECC_OK)
            push(d, &ipv4_kind, &d->ip[d->n_ip++].v4);
    } else {
        if (rocecc_ipv6_parse(&r, &d->ip[d->n_ip].v6) == ROCECC_OK)
            push(d, &ipv6_kind, &d->ip[d->n_ip++].v6);
    }
    for (i = 0; i < n_ext; i++) {
        if (!ip6ext_layer(c, d, frame, ip, i)) return false;
    }
    return true;
}

/* Whether an IP header is that of a fragment, which ends the search. */
static bool is_fragment(rocecc_reader frame, const rocecc_frame_ip *ip)
{
    rocecc_reader r = rocecc_between(frame, ip->at, ip->end);
    rocecc_ipv4 v4;
    rocecc_ip6frag frag;
    if (ip->version == 4)
        return rocecc_ipv4_parse(&r, &v4) == ROCECC_OK &&
               (v4.mf || v4.fragment_offset != 0);
    if (ip->n_ext == 0 || ip->ext_type[ip->n_ext - 1] != ROCECC_PROTO_FRAGMENT)
        return false;
    r = rocecc_frame_ext(frame, ip, ip->n_ext - 1);
    return rocecc_ip6frag_parse(&r, &frag) == ROCECC_OK &&
           (frag.m || frag.fragment_offset != 0);
}

/* The IP header at which, or behind which, the search may have ended. */
static bool inner_layers(const settings *c, decoded *d, rocecc_reader frame)
{
    const rocecc_frame *f = &d->f;
    const rocecc_frame_ip *ip = &f->ip;
    const rocecc_status status = (rocecc_status)f->status;
    const bool unsupported = status == ROCECC_ERR_UNSUPPORTED;
    const bool fragment = unsupported && is_fragment(frame, ip);
    const bool v4 = ip->proto == ROCECC_PROTO_IPV4, v6 = ip->proto == ROCECC_PROTO_IPV6;
    const bool tunnel = unsupported && !fragment && f->outer.version != 0 && (v4 || v6);
    const bool at_ip =
        f->stopped == ROCECC_LAYER_IPV4 || f->stopped == ROCECC_LAYER_IPV6;
    const layer_kind *kind;
    if (ended(d) && at_ip && !(tunnel && f->stopped == ROCECC_LAYER_IPV4))
        return fail(d, status, f->stopped == ROCECC_LAYER_IPV4 ? "ipv4" : "ipv6");
    if (!ip_layers(c, d, frame, ip, ip->n_ext - (fragment ? 1 : 0))) return false;
    if (!ended(d) || f->stopped > ROCECC_LAYER_IP6EXT) return true;
    if (fragment) return fail(d, status, "fragment");
    if (tunnel) return fail(d, status, v4 ? "ipv4" : "ipv6");
    kind = ip6ext_kind(ip->proto, rocecc_between(frame, ip->upper, ip->end));
    return fail(d, status, kind != NULL ? kind->name : "ip6ext");
}

/* Whether a checksum is right: 0, 1 or CHECK_UNKNOWN. */
static uint8_t icmp6_ok(decoded *d, rocecc_reader frame, rocecc_reader message)
{
    const rocecc_frame_ip *ip = &d->f.ip;
    rocecc_ipv6 v6 = d->ip[d->n_ip - 1].v6;
    rocecc_srh srh;
    uint32_t pseudo;
    rocecc_status status;
    int i;
    for (i = 0; i < ip->n_ext; i++) { /* what goes on by segments ends at the last */
        rocecc_reader r = rocecc_frame_ext(frame, ip, i);
        if (ip->ext_type[i] == ROCECC_PROTO_ROUTING &&
            rocecc_srh_parse(&r, &srh) == ROCECC_OK && srh.segments_left != 0)
            (void)rocecc_srh_segment(&srh, 0, &v6.dst);
    }
    pseudo = rocecc_checksum_pseudo6(&v6, ROCECC_PROTO_ICMP6, ip->end - ip->upper);
    status =
        ip->end > frame.end ? ROCECC_ERR_SHORT : rocecc_icmp6_verify(pseudo, message);
    if (status == ROCECC_ERR_FORMAT) return 0;
    return status == ROCECC_OK ? 1 : CHECK_UNKNOWN;
}

/* ICMPv6, and of a Parameter Problem what it is about. */
static bool icmp6_layers(const settings *c, decoded *d, rocecc_reader frame)
{
    const rocecc_frame_ip *ip = &d->f.ip;
    const rocecc_reader message = rocecc_between(frame, ip->upper, ip->end);
    const bool cut = ip->end > frame.end;
    rocecc_reader r = message;
    rocecc_icmp6 h;
    rocecc_icmp6_problem problem;
    uint8_t byte = 0;
    rocecc_status status = rocecc_icmp6_parse(&r, &h);
    if (status != ROCECC_OK)
        return fail(d, cut ? status : rocecc_declared(status), icmp6_kind.name);
    d->icmp6.type = h.type;
    d->icmp6.code = h.code;
    d->icmp6.checksum = h.checksum;
    d->icmp6.ok = icmp6_ok(d, frame, message);
    push(d, &icmp6_kind, &d->icmp6);
    r = message;
    status = rocecc_icmp6_problem_parse(&r, &problem);
    if (status == ROCECC_NO_MATCH) return true;
    if (cut) status = ROCECC_ERR_SHORT;
    if (status != ROCECC_OK)
        return fail(d, cut ? status : rocecc_declared(status), problem_kind.name);
    d->problem.pointer = problem.pointer;
    d->problem.packet = d->problem.byte = problem.packet;
    status = rocecc_icmp6_problem_find(&problem, &byte);
    if (status == ROCECC_OK) d->problem.byte.at += problem.pointer;
    d->problem.byte.end = d->problem.byte.at + (status == ROCECC_OK ? 1 : 0);
    d->problem.fastcnp = rocecc_congestion_point_unknown(&c->fastcnp, &problem);
    push(d, &problem_kind, &d->problem);
    return true;
}

/* What stands before the BTH, or instead of it; false: the stack has ended. */
static bool lower_layers(const settings *c, decoded *d, rocecc_reader frame)
{
    const rocecc_frame *f = &d->f;
    const rocecc_status status = (rocecc_status)f->status;
    rocecc_reader r = frame;
    int i;
    if (!c->frame.ip_first) {
        if (rocecc_ether_parse(&r, &d->ether) != ROCECC_OK)
            return fail(d, status, "ether");
        push(d, &ether_kind, &d->ether);
        for (i = 0; i < f->n_vlan; i++)
            if (rocecc_vlan_parse(&r, &d->vlan[i]) == ROCECC_OK)
                push(d, &vlan_kind, &d->vlan[i]);
        if (f->stopped == ROCECC_LAYER_ETHER || f->stopped == ROCECC_LAYER_VLAN)
            return !ended(d) || fail(d, status, "vlan");
    }
    if (f->stopped == ROCECC_LAYER_GRH && ended(d)) return fail(d, status, "grh");
    if (f->grh != 0) {
        if (rocecc_grh_parse(&r, &d->grh) == ROCECC_OK) push(d, &grh_kind, &d->grh);
    } else {
        if (f->outer.version != 0 && !ip_layers(c, d, frame, &f->outer, f->outer.n_ext))
            return false;
        if (!inner_layers(c, d, frame)) return false;
    }
    if (f->stopped == ROCECC_LAYER_UPPER && f->ip.version == 6 &&
        f->ip.proto == ROCECC_PROTO_ICMP6 && !icmp6_layers(c, d, frame))
        return false;
    if (f->kind == ROCECC_FRAME_TCP) {
        rocecc_status tcp;
        r = rocecc_between(frame, f->ip.upper, f->ip.end);
        tcp = rocecc_tcp_parse(&r, &d->tcp);
        if (f->ip.end <= frame.end) tcp = rocecc_declared(tcp);
        if (tcp != ROCECC_OK) return fail(d, tcp, "tcp");
        push(d, &tcp_kind, &d->tcp);
    }
    if (f->stopped == ROCECC_LAYER_UDP && ended(d)) return fail(d, status, "udp");
    if (f->udp != 0) {
        r = rocecc_between(frame, f->udp, f->end);
        if (rocecc_udp_parse(&r, &d->udp) == ROCECC_OK) push(d, &udp_kind, &d->udp);
    }
    return !ended(d) || fail(d, status, "bth");
}

/* The reserved bytes of a CNP, and what else is odd about it. */
static bool cnp_layer(const settings *c, decoded *d, rocecc_reader frame,
                      rocecc_reader reserved)
{
    rocecc_cnp cnp;
    d->cnp.reserved = reserved;
    d->cnp.odd = rocecc_cnp_odd(&d->bth, reserved);
    d->doubtful = !d->has_fastcnp && rocecc_fastcnp_match(&c->fastcnp, frame, &d->f);
    if (d->f.kind == ROCECC_FRAME_ROCEV2) {
        const rocecc_status status = rocecc_cnp_parse(&c->roce, frame, &d->f, &cnp);
        if (status != ROCECC_OK) return fail(d, status, CNP_KIND->name);
    }
    push(d, CNP_KIND, &d->cnp);
    return true;
}

/* The extended headers of a set, as far as they are there. */
static bool ext_layers(const settings *c, decoded *d, rocecc_reader frame, uint16_t set)
{
    rocecc_reader r =
        rocecc_between(frame, d->f.bth + (size_t)ROCECC_BTH_BYTES, d->f.end);
    const rocecc_reader first = r;
    uint16_t present = set;
    size_t i;
    for (i = COUNT(ext_kinds); rocecc_ext_bytes(present) > rocecc_left(&r);)
        present &= (uint16_t) ~(1u << --i);
    (void)rocecc_ext_parse(&r, present, &d->headers);
    for (i = 0; i < COUNT(ext_kinds); i++) {
        const layer_kind *kind = &ext_kinds[i].kind;
        const uint16_t bit = (uint16_t)(1u << i);
        if ((set & bit) == 0) continue;
        if ((present & bit) == 0) return fail(d, ROCECC_ERR_SHORT, kind->name);
        if (bit != ROCECC_EXT_CNP)
            push(d, kind, (const char *)&d->headers + ext_kinds[i].offset);
        else if (!cnp_layer(c, d, frame, rocecc_between(first, first.at, r.at)))
            return false;
    }
    return true;
}

/* Payload and padding; false: they go beyond frame. */
static bool payload_layer(decoded *d, rocecc_reader frame, const rocecc_extent *e)
{
    const size_t at = d->f.bth + (size_t)e->payload;
    const size_t pad = at + e->payload_bytes;
    const size_t end = pad + e->pad_bytes;
    if (end > frame.end) return false;
    d->payload.bytes = rocecc_between(frame, at, pad);
    d->payload.pad = rocecc_between(frame, pad, end);
    d->payload.pad_forbidden = e->pad_forbidden;
    if (end > at) push(d, &payload_kind, &d->payload);
    return true;
}

static void icrc_layer(const settings *c, decoded *d, rocecc_reader frame)
{
    icrc_record *h = &d->icrc;
    rocecc_icrc icrc = {0, 0, false, ROCECC_ICRC_AUTO};
    const rocecc_status status =
        rocecc_icrc_verify((rocecc_icrc_rule)c->icrc.rule, frame, &d->f, &icrc);
    const bool compared = status == ROCECC_OK && icrc.rule != ROCECC_ICRC_NONE;
    h->value = rocecc_between(frame, d->f.end - (size_t)ROCECC_ICRC_BYTES, d->f.end);
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

/* The BTH and what follows it. */
static bool upper_layers(const settings *c, decoded *d, rocecc_reader frame)
{
    const rocecc_frame *f = &d->f;
    rocecc_reader r = rocecc_between(frame, f->bth, f->end);
    rocecc_extent e;
    rocecc_status status;
    if (rocecc_bth_parse(&r, &d->bth) != ROCECC_OK) return false; /* cannot be */
    d->has_bth = true;
    push(d, &bth_kind, &d->bth);
    status = rocecc_extent_locate(&c->roce, &d->bth, f->end - f->bth, &e);
    if (status == ROCECC_NO_MATCH) status = ROCECC_ERR_UNSUPPORTED; /* reserved */
    if (status != ROCECC_OK) return fail(d, status, "ext");
    if (!ext_layers(c, d, frame, e.opclass.ext)) return false;
    if (e.opclass.ext == 0 && e.opclass.operation == ROCECC_OPERATION_CNP &&
        !cnp_layer(c, d, frame, rocecc_reader_of(NULL, NULL)))
        return false;
    if (!payload_layer(d, frame, &e)) /* the ICRC behind it is not there either */
        return fail(d, ROCECC_ERR_SHORT, c->no_icrc ? "payload" : "icrc");
    if (c->no_icrc) return true;
    if (f->end > frame.end) return fail(d, ROCECC_ERR_SHORT, "icrc");
    icrc_layer(c, d, frame);
    return true;
}

void decode(const settings *c, rocecc_reader frame, decoded *d)
{
    const rocecc_status status = rocecc_frame_locate(&c->frame, frame, &d->f);
    d->status = ROCECC_OK;
    d->at = NULL;
    d->has_bth = d->has_icrc = d->has_fastcnp = d->doubtful = false;
    d->n = d->n_ip = d->n_ext = d->n_ioam = 0;
    /* A summary needs no layers, but who failed, where locate() does not say it. */
    if (!c->brief || status != ROCECC_OK || d->f.ip.n_ext != 0 || d->f.outer.n_ext != 0)
        if (!lower_layers(c, d, frame)) return;
    if (status == ROCECC_OK) (void)upper_layers(c, d, frame);
}

const layer *decode_find(const decoded *d, const char *name)
{
    size_t i;
    for (i = 0; i < d->n; i++)
        if (strcmp(d->layers[i].kind->name, name) == 0) return &d->layers[i];
    return NULL;
}

#define FRAME_CONFIG_FIELDS(F, T)                                                      \
    F(T, BOOL, ip_first, NULL)                                                         \
    F(T, UINT, rocev2_port, NULL)
#define ROCE_CONFIG_FIELDS(F, T)                                                       \
    F(T, BOOL, rd, NULL)                                                               \
    F(T, BOOL, short_cnp, NULL)
#define ICRC_CONFIG_FIELDS(F, T) F(T, ENUM, rule, ICRC_RULES)

void config_default(settings *c)
{
    c->fastcnp.type_plain = ROCECC_FASTCNP_LAB_PLAIN;
    c->fastcnp.type_ioam = ROCECC_FASTCNP_LAB_IOAM;
}

const char *config_refused(const settings *c)
{
    static const char *const why[] = {
        NULL,
        NULL,
        "a type of fastcnp does not ask for an ICMPv6 message: its high bits are 10",
        "a type of fastcnp may change on the way: its third bit is to be 0",
        "a type of fastcnp is another option's",
        "both types of fastcnp are the same",
        "fastcnp has no such form"};
    return why[rocecc_fastcnp_init(&c->fastcnp)];
}

bool config_set(settings *c, const char *name, const char *value)
{
    static const field frame_config[] = {
        FRAME_CONFIG_FIELDS(FIELD_ROW, rocecc_frame_config)};
    static const field roce_config[] = {
        ROCE_CONFIG_FIELDS(FIELD_ROW, rocecc_roce_config)};
    static const field fastcnp_config[] = {
        FASTCNP_CONFIG_FIELDS(FIELD_ROW, rocecc_fastcnp_config)};
    static const field rule_config[] = {ICRC_CONFIG_FIELDS(FIELD_ROW, icrc_config)};
    const struct {
        const char *name;
        const field *fields;
        size_t n;
        void *record;
    } structs[] = {{"frame.", frame_config, COUNT(frame_config), &c->frame},
                   {"roce.", roce_config, COUNT(roce_config), &c->roce},
                   {"fastcnp.", fastcnp_config, COUNT(fastcnp_config), &c->fastcnp},
                   {"icrc.", rule_config, COUNT(rule_config), &c->icrc}};
    size_t s, i;
    for (s = 0; s < COUNT(structs); s++) {
        const size_t n = strlen(structs[s].name);
        if (strncmp(name, structs[s].name, n) != 0) continue;
        for (i = 0; i < structs[s].n; i++)
            if (strcmp(name + n, structs[s].fields[i].name) == 0)
                return isalnum((unsigned char)*value) &&
                       field_set(&structs[s].fields[i], structs[s].record, value);
    }
    return false;
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
