/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * place.c - the bit positions of layers and members in their frame, from the widths in
 * rocecc/fields and the header's offset in the walk. The lists here skip fields that
 * the tables leave out (a version, a length).
 */
#include "plugin.h"

#include "rocecc/fields/arn.h"
#include "rocecc/fields/bth.h"
#include "rocecc/fields/cnm.h"
#include "rocecc/fields/echo.h"
#include "rocecc/fields/ether.h"
#include "rocecc/fields/ext.h"
#include "rocecc/fields/grh.h"
#include "rocecc/fields/icmp.h"
#include "rocecc/fields/ifa.h"
#include "rocecc/fields/intmd.h"
#include "rocecc/fields/ioam.h"
#include "rocecc/fields/ip.h"
#include "rocecc/fields/ip6opt.h"
#include "rocecc/fields/lsn.h"
#include "rocecc/fields/pfc.h"
#include "rocecc/fields/srv6.h"
#include "rocecc/fields/tcp.h"
#include "rocecc/fields/udp.h"

/* Columns: layer, list, struct, and the number of bits before its first member. */
#define FORMATS(F)                                                                     \
    F(ether, ETHER, rocecc_ether, 0)                                                   \
    F(vlan, VLAN, rocecc_vlan, 0)                                                      \
    F(cntag, CNTAG, rocecc_cntag, 0)                                                   \
    F(cmd, CISCO_MD, rocecc_cisco_md, 0)                                               \
    F(etag, ETAG, rocecc_etag, 0)                                                      \
    F(vntag, VNTAG, rocecc_vntag, 0)                                                   \
    F(arista, ARISTA, rocecc_arista, 0)                                                \
    F(pppoe, PPPOE, rocecc_pppoe, 0)                                                   \
    F(mpls, MPLS, rocecc_mpls, 0)                                                      \
    F(ipv4, IPV4, rocecc_ipv4, 8)                                                      \
    F(ipv6, IPV6, rocecc_ipv6, 4)                                                      \
    F(hopopts, IP6OPTS, rocecc_ip6opts, 0)                                             \
    F(dstopts, IP6OPTS, rocecc_ip6opts, 0)                                             \
    F(srh, SRH, rocecc_srh, 0)                                                         \
    F(fragment, IP6FRAG, rocecc_ip6frag, 0)                                            \
    F(ioam, IOAM_TRACE, rocecc_ioam_trace, 0)                                          \
    F(ifa, IFA_HEADER, rocecc_ifa_header, 0)                                           \
    F(intmd, INTMD_HEADER, rocecc_intmd_header, 32)                                    \
    F(icmp, ICMP, rocecc_icmp, 0)                                                      \
    F(tcp, TCP, rocecc_tcp, 0)                                                         \
    F(udp, UDP, rocecc_udp, 0)                                                         \
    F(vxlan, VXLAN, rocecc_vxlan, 0)                                                   \
    F(vxlan_gpe, GPE, rocecc_gpe, 0)                                                   \
    F(geneve, GENEVE, rocecc_geneve, 0)                                                \
    F(gre, GRE, rocecc_gre, 0)                                                         \
    F(nvgre, GRE, rocecc_gre, 0)                                                       \
    F(erspan2, ERSPAN, rocecc_erspan, 0)                                               \
    F(erspan3, ERSPAN, rocecc_erspan, 0)                                               \
    F(grh, GRH, rocecc_grh, 4)                                                         \
    F(bth, BTH, rocecc_bth, 0)                                                         \
    F(rdeth, RDETH, rocecc_rdeth, 0)                                                   \
    F(deth, DETH, rocecc_deth, 0)                                                      \
    F(xrceth, XRCETH, rocecc_xrceth, 0)                                                \
    F(feth, FETH, rocecc_feth, 0)                                                      \
    F(reth, RETH, rocecc_reth, 0)                                                      \
    F(atomiceth, ATOMICETH, rocecc_atomiceth, 0)                                       \
    F(aeth, AETH, rocecc_aeth, 0)                                                      \
    F(atomicacketh, ATOMICACKETH, rocecc_atomicacketh, 0)                              \
    F(immdt, IMMDT, rocecc_immdt, 0)                                                   \
    F(ieth, IETH, rocecc_ieth, 0)                                                      \
    F(lsn, LSN, rocecc_lsn, 0)                                                         \
    F(echo, ECHO_HEADER, rocecc_echo, 0)                                               \
    F(cnm, CNM, rocecc_cnm, 0)                                                         \
    F(arn, ARN, rocecc_arn, 0)

#define TABLE(layer, list, T, lead)                                                    \
    static const field layer##_table[] = {ROCECC_##list##_FIELDS(FIELD_ROW, T)};
FORMATS(TABLE)

typedef struct format {
    const char *layer;
    const field *rows;
    size_t n, lead;
} format;

#define FORMAT(layer, list, T, lead)                                                   \
    {#layer, layer##_table, COUNT(layer##_table), lead},
static const format formats[] = {FORMATS(FORMAT)};

/* Members with a place that does not follow from the rows before them. */
static const struct {
    const char *layer, *member;
    place is;
} others[] = {{"echo_psn", "psn_resv", {0, 8}},
              {"echo_psn", "psn", {8, 24}},
              {"cntag", "type", {16, 16}},
              {"llc", "type", {48, 16}},
              {"srh", "segments_left", {24, 8}},
              {"srh", "flags", {40, 8}},
              {"srh", "tag", {48, 16}},
              {"tcp", "reserved", {100, 4}},
              {"tcp", "flags", {104, 8}},
              {"tcp", "window", {112, 16}},
              {"tcp", "checksum", {128, 16}},
              {"tcp", "urgent_pointer", {144, 16}},
              {"icmp_error", "value", {32, 32}},
              {"problem", "pointer", {32, 32}},
              {"intmd", "type", {0, 4}},
              {"intmd", "npt", {4, 2}},
              {"intmd", "original", {16, 16}},
              {"erspan2", "index", {44, 20}},
              {"erspan3", "timestamp", {32, 32}},
              {"erspan3", "sgt", {64, 16}},
              {"erspan3", "p", {80, 1}},
              {"erspan3", "ft", {81, 5}},
              {"erspan3", "hw_id", {86, 6}},
              {"erspan3", "d", {92, 1}},
              {"erspan3", "gra", {93, 2}},
              {"erspan3", "o", {95, 1}},
              {"l3qcn", "ports", {21, 1}},
              {"l3qcn", "flags", {22, 2}},
              {"l3qcn", "proto", {24, 8}},
              {"l3qcn", "reserved", {56, 8}},
              {"l3qcn", "src_port", {64, 16}},
              {"l3qcn", "dst_port", {80, 16}},
              {"pfc", "reserved", {16, 8}},
              {"pfc", "enable", {24, 8}},
              {"pfc", "quanta[0]", {32, 16}},
              {"pfc", "quanta[1]", {48, 16}},
              {"pfc", "quanta[2]", {64, 16}},
              {"pfc", "quanta[3]", {80, 16}},
              {"pfc", "quanta[4]", {96, 16}},
              {"pfc", "quanta[5]", {112, 16}},
              {"pfc", "quanta[6]", {128, 16}},
              {"pfc", "quanta[7]", {144, 16}},
              {"pause", "quanta", {16, 16}},
              {"sll", "packet_type", {0, 16}},
              {"sll", "arphrd_type", {16, 16}},
              {"sll", "address_length", {32, 16}},
              {"sll", "protocol", {112, 16}},
              {"sll2", "protocol", {0, 16}},
              {"sll2", "interface_index", {32, 32}},
              {"sll2", "arphrd_type", {64, 16}}};

/* Returns a member's place, or 0 bits after a row without a width. */
static place listed(const format *t, const char *member)
{
    const place nowhere = {0, 0};
    size_t i, at = t->lead;
    for (i = 0; i < t->n && t->rows[i].bits != 0; i++) {
        const place here = {at, t->rows[i].bits};
        if (strcmp(t->rows[i].name, member) == 0) return here;
        at += t->rows[i].bits;
    }
    return nowhere;
}

place place_in_layer(const char *name, const char *member)
{
    const place nowhere = {0, 0};
    size_t i;
    for (i = 0; i < COUNT(others); i++)
        if (strcmp(others[i].layer, name) == 0 && strcmp(others[i].member, member) == 0)
            return others[i].is;
    for (i = 0; i < COUNT(formats); i++)
        if (strcmp(formats[i].layer, name) == 0) return listed(&formats[i], member);
    return nowhere;
}

/* Returns the frame bytes of a VIEW member, or no bits for other members. */
static place view_of(const decoded *d, const layer *l, const field *f)
{
    place is = {0, 0};
    rocecc_reader view;
    if (f->kind != ROCECC_FIELD_VIEW) return is;
    memcpy(&view, (const char *)l->record + f->offset, sizeof view);
    if (view.base != d->p.bytes.base) return is;
    is.at = 8 * view.at;
    is.bits = 8 * rocecc_left(&view);
    return is;
}

/*
 * Adjusts the place for a timestamp with 16 bits of seconds. The table has 32 bits,
 * from bit 32 on.
 */
static place arista_of(const rocecc_arista *h, place is)
{
    if (rocecc_arista_bytes(h->subtype, h->version) != ROCECC_ARISTA_MIN_BYTES)
        return is;
    if (is.at == 32) is.bits = 16;
    if (is.at > 32) is.at -= 16;
    return is;
}

place place_member(const decoded *d, const layer *l, size_t start, const field *f)
{
    place is = view_of(d, l, f);
    if (is.bits != 0) return is;
    is = place_in_layer(l->kind->name, f->name);
    if (l->record == &d->arista) is = arista_of(&d->arista, is);
    if (l->record == &d->problem && is.bits != 0 && d->p.headers.ip.version == 4)
        is.bits = 8; /* ICMP's pointer */
    is.at += start;
    return is;
}

/* ---- the start of a layer */

static const rocecc_reader *first_view(const layer *l)
{
    size_t k;
    for (k = 0; k < l->kind->n; k++)
        if (l->kind->fields[k].kind == ROCECC_FIELD_VIEW)
            return (const rocecc_reader *)(const void *)((const char *)l->record +
                                                         l->kind->fields[k].offset);
    return NULL;
}

/* Layers with a header that begins before the decoder's bytes, and the difference. */
static const struct {
    const char *layer;
    size_t before;
} by_view[] = {{"hopopts", 2}, {"dstopts", 2},  {"srh", 8},        {"routing", 0},
               {"ah", 0},      {"mobility", 0}, {"hip", 0},        {"shim6", 0},
               {"cnm", 24},    {"llc", 0},      {"pseudowire", 0}, {"cnp", 0},
               {"payload", 0}, {"icrc", 0}};

static bool is_link(const layer_kind *kind)
{
    size_t i;
    for (i = 0; link_kinds[i] != NULL; i++)
        if (link_kinds[i] == kind) return true;
    return false;
}

/* Returns the start of an IOAM option that is not a trace, at Namespace-ID. */
static size_t ioam_other_start(const layer *l)
{
    const ioam_other_record *h = (const ioam_other_record *)l->record;
    const char *name = l->kind->name;
    if (strcmp(name, "ioam_dex") == 0) {
        const uint8_t flags = h->dex.extension_flags;
        return h->dex.others.at - ROCECC_IOAM_DEX_BYTES -
               ((flags & ROCECC_IOAM_DEX_FLOW_ID) != 0 ? 4 : 0) -
               ((flags & ROCECC_IOAM_DEX_SEQUENCE) != 0 ? 4 : 0);
    }
    if (strcmp(name, "ioam_e2e") == 0) {
        const uint16_t type = h->e2e.e2e_type;
        return h->e2e.others.at - ROCECC_IOAM_E2E_BYTES -
               ((type & ROCECC_IOAM_E2E_SEQUENCE64) != 0 ? 8 : 0) -
               ((type & ROCECC_IOAM_E2E_SEQUENCE32) != 0 ? 4 : 0) -
               ((type & ROCECC_IOAM_E2E_SECONDS) != 0 ? 4 : 0) -
               ((type & ROCECC_IOAM_E2E_FRACTION) != 0 ? 4 : 0);
    }
    return h->pot.others.at - ROCECC_IOAM_POT_BYTES -
           (h->pot.pot_type == 0 ? ROCECC_IOAM_POT_TYPE0_BYTES : 0);
}

/* Returns the start in bytes, or SIZE_MAX if it is the end of the layer before. */
static size_t start_of(const decoded *d, const layer *l)
{
    const rocecc_headers *w = &d->p.headers;
    const char *name = l->kind->name;
    size_t i;
    for (i = 0; i < COUNT(by_view); i++)
        if (strcmp(name, by_view[i].layer) == 0)
            return first_view(l)->at - by_view[i].before;
    for (i = 0; i < w->n_vlan; i++)
        if (l->record == &d->vlan[i]) return d->p.bytes.at + w->vlan[i];
    if (is_link(l->kind)) return 0;
    if (strcmp(name, "ipv4") == 0 || strcmp(name, "ipv6") == 0)
        return l->record == &d->ip[0] && w->outer.version != 0 ? w->outer.offset
                                                               : w->ip.offset;
    if (strcmp(name, "ioam") == 0)
        return ((const ioam_record *)l->record)->data.at - ROCECC_IOAM_TRACE_BYTES;
    if (strncmp(name, "ioam_", 5) == 0) return ioam_other_start(l);
    if (l->record == &d->cntag) return w->cntag + 2u;
    if (l->record == &d->csig) return w->csig;
    if (l->record == &d->fastcnp) return d->fastcnp.at;
    if (l->record == &d->ifa) return w->ifa;
    if (l->record == &d->intmd) return w->intmd;
    if (l->record == &d->tcp && w->ifa != 0) return d->ifa.h.l4.at;
    if (l->record == &d->tcp || l->record == &d->icmp || l->record == &d->icmp_error ||
        l->record == &d->problem)
        return w->ip.upper;
    if (strcmp(name, "udp") == 0)
        return l->record == &d->udp[0] && w->intmd != 0 ? w->ip.upper : w->udp;
    if (l->record == &d->grh) return w->grh;
    if (l->record == &d->bth_shown) return w->bth;
    if (l->record == &d->arn || l->record == &d->l3qcn)
        return w->udp + (size_t)ROCECC_UDP_BYTES;
    if (l->record == &d->vxlan || l->record == &d->gpe || l->record == &d->geneve ||
        l->record == &d->gre)
        return w->overlay;
    return SIZE_MAX;
}

/* Returns the bits of an option in Destination Options: type, length and data. */
static size_t option_bits(const decoded *d, size_t at)
{
    rocecc_reader r = rocecc_subrange(d->p.bytes, at, d->p.bytes.end);
    const uint8_t *b = rocecc_take(&r, 2);
    return b == NULL ? 0 : 8 * (2 + (size_t)b[1]);
}

place place_layer(const decoded *d, const layer *l, size_t layer_end)
{
    const size_t start = start_of(d, l);
    place whole = {start == SIZE_MAX ? layer_end : 8 * start, 0};
    size_t k;
    for (k = 0; k < l->kind->n; k++) {
        const place is = place_member(d, l, whole.at, &l->kind->fields[k]);
        const size_t end = is.at + is.bits;
        if (is.bits != 0 && end > whole.at + whole.bits) whole.bits = end - whole.at;
    }
    if (l->record == &d->csig) whole.bits = 8 * (d->p.headers.csig_bytes + 2u);
    if (l->record == &d->fastcnp) whole.bits = option_bits(d, start);
    return whole;
}

/* ---- nodes */

/*
 * Returns the place of node i of n. All have the same length, and end with the record.
 */
static place equal_node(size_t end, size_t words, size_t n, size_t i)
{
    const place is = {8 * (end - (n - i) * 4 * words), 32 * words};
    return is;
}

static place ifa_node(const ifa_record *h, size_t i)
{
    const bool last = (h->h.header.flags & ROCECC_IFA_FLAG_TS) != 0 &&
                      h->h.config.tail == ROCECC_IFA_TAIL_NEWEST_LAST;
    const size_t n = rocecc_left(&h->h.nodes) / ROCECC_IFA_NODE_BYTES;
    const size_t k = last ? n - 1 - i : i;
    const place is = {8 * (h->h.nodes.at + k * ROCECC_IFA_NODE_BYTES),
                      8 * ROCECC_IFA_NODE_BYTES};
    return is;
}

/* Returns a node's place. It is unknown if opaque snapshots make lengths differ. */
static place ioam_node(const ioam_record *h, size_t i)
{
    const place nowhere = {0, 0};
    const size_t left = rocecc_left(&h->data);
    const size_t used = (size_t)h->count * h->node_len * 4;
    rocecc_reader type = h->trace_type;
    const uint8_t *b = rocecc_take(&type, 3);
    if (b == NULL || (b[2] & 0x02) != 0 || used > left) return nowhere;
    return equal_node(h->data.end, h->node_len, h->count, i);
}

place place_node(const decoded *d, const layer *l, size_t i)
{
    const place nowhere = {0, 0};
    if (l->record == &d->ifa) return ifa_node(&d->ifa, i);
    if (strcmp(l->kind->name, "ioam") == 0)
        return ioam_node((const ioam_record *)l->record, i);
    if (l->record == &d->intmd)
        return equal_node(d->intmd.shim.body.end, d->intmd.h.hop_ml, d->intmd.count, i);
    return nowhere;
}
