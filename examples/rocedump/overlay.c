/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * overlay.c - layers around RoCE, namely tags and shims after Ethernet, and headers of
 * overlays and mirror sessions. The walk has found their ends, and they are read again
 * to be shown.
 */
#include "rocecc/fields/csig.h"
#include "rocecc/fields/ether.h"

#include "decode.h"

#define CNTAG_MEMBERS(F, T)                                                            \
    F(T, UINT, flow_id, NULL)                                                          \
    F(T, UINT, type, NULL)
#define LLC_MEMBERS(F, T)                                                              \
    F(T, VIEW, llc, NULL)                                                              \
    F(T, UINT, type, NULL)
#define PSEUDOWIRE_MEMBERS(F, T) F(T, VIEW, control, NULL)

static const field vlan_fields[] = {ROCECC_VLAN_FIELDS(FIELD_ROW, rocecc_vlan)};
static const field csig_fields[] = {ROCECC_CSIG_FIELDS(FIELD_ROW, rocecc_csig)};
static const field cntag_fields[] = {CNTAG_MEMBERS(FIELD_ROW, cntag_record)};
static const field llc_fields[] = {LLC_MEMBERS(FIELD_ROW, llc_record)};
static const field cmd_fields[] = {ROCECC_CISCO_MD_FIELDS(FIELD_ROW, rocecc_cisco_md)};
static const field etag_fields[] = {ROCECC_ETAG_FIELDS(FIELD_ROW, rocecc_etag)};
static const field vntag_fields[] = {ROCECC_VNTAG_FIELDS(FIELD_ROW, rocecc_vntag)};
static const field arista_fields[] = {ROCECC_ARISTA_FIELDS(FIELD_ROW, rocecc_arista)};
static const field pppoe_fields[] = {ROCECC_PPPOE_FIELDS(FIELD_ROW, rocecc_pppoe)};
static const field mpls_fields[] = {ROCECC_MPLS_FIELDS(FIELD_ROW, rocecc_mpls)};
static const field pseudowire_fields[] = {
    PSEUDOWIRE_MEMBERS(FIELD_ROW, pseudowire_record)};
static const field vxlan_fields[] = {ROCECC_VXLAN_FIELDS(FIELD_ROW, rocecc_vxlan)};
static const field gpe_fields[] = {ROCECC_GPE_FIELDS(FIELD_ROW, rocecc_gpe)};
static const field geneve_fields[] = {DEEP(geneve_record, UINT, h, ver),
                                      DEEP(geneve_record, UINT, h, opt_len),
                                      DEEP(geneve_record, BOOL, h, o),
                                      DEEP(geneve_record, BOOL, h, c),
                                      DEEP(geneve_record, UINT, h, rsvd),
                                      DEEP(geneve_record, UINT, h, protocol_type),
                                      DEEP(geneve_record, UINT, h, vni),
                                      DEEP(geneve_record, UINT, h, reserved),
                                      FIELD_ROW(geneve_record, VIEW, options, NULL)};
static const field gre_fields[] = {DEEP(gre_record, UINT, h, flags),
                                   DEEP(gre_record, UINT, h, protocol),
                                   FIELD_ROW(gre_record, VIEW, options, NULL)};
static const field erspan2_fields[] = {DEEP(erspan_record, UINT, h, ver),
                                       DEEP(erspan_record, UINT, h, vlan),
                                       DEEP(erspan_record, UINT, h, cos),
                                       DEEP(erspan_record, UINT, h, en),
                                       DEEP(erspan_record, BOOL, h, t),
                                       DEEP(erspan_record, UINT, h, session_id),
                                       FIELD_ROW(erspan_record, UINT, index, NULL)};
static const field erspan3_fields[] = {DEEP(erspan_record, UINT, h, ver),
                                       DEEP(erspan_record, UINT, h, vlan),
                                       DEEP(erspan_record, UINT, h, cos),
                                       DEEP(erspan_record, UINT, h, en),
                                       DEEP(erspan_record, BOOL, h, t),
                                       DEEP(erspan_record, UINT, h, session_id),
                                       FIELD_ROW(erspan_record, UINT, timestamp, NULL)
                                           DEEP(erspan_record, UINT, more, sgt),
                                       DEEP(erspan_record, BOOL, more, p),
                                       DEEP(erspan_record, UINT, more, ft),
                                       DEEP(erspan_record, UINT, more, hw_id),
                                       DEEP(erspan_record, BOOL, more, d),
                                       DEEP(erspan_record, UINT, more, gra),
                                       DEEP(erspan_record, BOOL, more, o),
                                       FIELD_ROW(erspan_record, VIEW, platform, NULL)};

static const layer_kind vlan_kind = MANY("vlan", vlan_fields);
static const layer_kind csig_kind = ONE("csig", csig_fields);
static const layer_kind cntag_kind = ONE("cntag", cntag_fields);
static const layer_kind llc_kind = ONE("llc", llc_fields);
static const layer_kind cmd_kind = ONE("cmd", cmd_fields);
static const layer_kind etag_kind = ONE("etag", etag_fields);
static const layer_kind vntag_kind = ONE("vntag", vntag_fields);
static const layer_kind arista_kind = ONE("arista", arista_fields);
static const layer_kind pppoe_kind = ONE("pppoe", pppoe_fields);
static const layer_kind mpls_kind = MANY("mpls", mpls_fields);
static const layer_kind pseudowire_kind = ONE("pseudowire", pseudowire_fields);
static const layer_kind vxlan_kind = ONE("vxlan", vxlan_fields);
static const layer_kind gpe_kind = ONE("vxlan_gpe", gpe_fields);
static const layer_kind geneve_kind = ONE("geneve", geneve_fields);
static const layer_kind gre_kind = ONE("gre", gre_fields);
static const layer_kind nvgre_kind = ONE("nvgre", gre_fields);
static const layer_kind erspan2_kind = ONE("erspan2", erspan2_fields);
static const layer_kind erspan3_kind = ONE("erspan3", erspan3_fields);

const layer_kind *const overlay_kinds[] = {
    &vlan_kind,       &csig_kind,    &cntag_kind,   &llc_kind,    &cmd_kind,
    &etag_kind,       &vntag_kind,   &arista_kind,  &pppoe_kind,  &mpls_kind,
    &pseudowire_kind, &vxlan_kind,   &gpe_kind,     &geneve_kind, &gre_kind,
    &nvgre_kind,      &erspan2_kind, &erspan3_kind, NULL};

static void push(decoded *d, const layer_kind *kind, const void *record)
{
    decode_push(d, kind, record, NULL);
}

/* Adds VLAN tag i, with its TCI at `r`. */
static bool vlan_tag(decoded *d, rocecc_reader *r, uint16_t *type, int i)
{
    if (i >= d->p.headers.n_vlan || rocecc_vlan_parse(r, &d->vlan[i]) != ROCECC_OK)
        return false;
    *type = d->vlan[i].type;
    push(d, &vlan_kind, &d->vlan[i]);
    return true;
}

static bool csig_tag(const rocecc_csig_config *c, decoded *d, rocecc_reader *r,
                     uint16_t *type)
{
    rocecc_reader tag = rocecc_subrange(*r, r->at - 2, r->end);
    const uint8_t *b;
    if (d->p.headers.csig != tag.at ||
        rocecc_csig_parse(c, &tag, &d->csig) != ROCECC_OK)
        return false;
    push(d, &csig_kind, &d->csig);
    *r = tag;
    b = rocecc_take(r, 2);
    if (b != NULL) *type = rocecc_load16(b);
    return b != NULL;
}

static bool cntag_tag(decoded *d, rocecc_reader *r, uint16_t *type)
{
    const bool is = d->p.headers.cntag == r->at - 2;
    const uint8_t *b = is ? rocecc_take(r, ROCECC_CNTAG_BYTES) : NULL;
    if (b == NULL) return false;
    d->cntag.flow_id = rocecc_load16(b);
    d->cntag.type = *type = rocecc_load16(b + 2);
    push(d, &cntag_kind, &d->cntag);
    return true;
}

/* Adds LLC. SNAP determines the next header. */
static bool llc_shim(decoded *d, rocecc_reader *r, uint16_t *type)
{
    const rocecc_reader llc = rocecc_subrange(*r, r->at, r->at + ROCECC_LLC_BYTES);
    const uint8_t *b = rocecc_take(r, ROCECC_LLC_BYTES + ROCECC_SNAP_BYTES);
    if (b == NULL || b[0] != 0xaa || b[1] != 0xaa || b[2] != 3 ||
        (b[3] | b[4] | b[5]) != 0)
        return false;
    d->llc.llc = llc;
    d->llc.type = *type = rocecc_load16(b + 6);
    push(d, &llc_kind, &d->llc);
    return true;
}

static bool cmd_tag(decoded *d, rocecc_reader *r, uint16_t *type)
{
    const uint8_t *b = rocecc_take(r, ROCECC_CISCO_MD_BYTES);
    if (b == NULL || b[0] != 1 || b[1] != 1) return false;
    d->cmd = rocecc_cisco_md_load(b);
    *type = d->cmd.type;
    push(d, &cmd_kind, &d->cmd);
    return true;
}

static bool etag_tag(decoded *d, rocecc_reader *r, uint16_t *type)
{
    const uint8_t *b = rocecc_take(r, ROCECC_ETAG_BYTES);
    if (b == NULL) return false;
    d->etag = rocecc_etag_load(b);
    *type = d->etag.type;
    push(d, &etag_kind, &d->etag);
    return true;
}

static bool vntag_tag(decoded *d, rocecc_reader *r, uint16_t *type)
{
    const uint8_t *b = rocecc_take(r, ROCECC_VNTAG_BYTES);
    if (b == NULL) return false;
    d->vntag = rocecc_vntag_load(b);
    *type = d->vntag.type;
    push(d, &vntag_kind, &d->vntag);
    return true;
}

static bool arista_tag(decoded *d, rocecc_reader *r, uint16_t *type)
{
    if (rocecc_arista_parse(r, &d->arista) != ROCECC_OK) return false;
    *type = d->arista.type;
    push(d, &arista_kind, &d->arista);
    return true;
}

/* Adds tags up to the first other type. Returns false if the walk ended before. */
static bool tags(const rocecc_domain *c, decoded *d, rocecc_reader *r, uint16_t *type)
{
    bool had[5] = {false}; /* these come once */
    int n_vlan = 0;
    bool is = true;
    while (is) {
        int once = -1;
        if (*type <= ROCECC_LLC_LENGTH_MAX)
            once = 0;
        else if (*type == ROCECC_TYPE_CISCO_MD)
            once = 1;
        else if (*type == c->tag.etag_type)
            once = 2;
        else if (*type == c->tag.vntag_type)
            once = 3;
        else if (*type == c->tag.arista_type)
            once = 4;
        if (once >= 0) {
            static bool (*const shims[])(decoded *, rocecc_reader *, uint16_t *) = {
                llc_shim, cmd_tag, etag_tag, vntag_tag, arista_tag};
            is = !had[once] && shims[once](d, r, type);
            had[once] = true;
        } else if (rocecc_vlan_match(*type) || *type == c->tag.vlan_tpid) {
            is = vlan_tag(d, r, type, n_vlan++);
        } else if (rocecc_csig_bytes(&c->csig, *type) != 0) {
            is = csig_tag(&c->csig, d, r, type);
        } else if (*type == ROCECC_TYPE_CNTAG) {
            is = cntag_tag(d, r, type);
        } else {
            return true;
        }
    }
    return false;
}

static void pppoe_shim(decoded *d, rocecc_reader *r)
{
    const uint8_t *b = rocecc_take(r, ROCECC_PPPOE_BYTES + 2);
    if (b == NULL || d->p.headers.stopped == ROCECC_LAYER_PPPOE) return;
    d->pppoe = rocecc_pppoe_load(b);
    push(d, &pppoe_kind, &d->pppoe);
}

static void mpls_shim(decoded *d, rocecc_reader *r)
{
    int i;
    for (i = 0; i < ROCECC_MPLS_MAX; i++) {
        const uint8_t *b = rocecc_take(r, ROCECC_MPLS_BYTES);
        if (b == NULL) return;
        d->mpls[i] = rocecc_mpls_load(b);
        push(d, &mpls_kind, &d->mpls[i]);
        if (d->mpls[i].s) break;
    }
    if (d->p.headers.tunnel != ROCECC_TUNNEL_PSEUDOWIRE || d->p.headers.inner == 0)
        return;
    d->pseudowire.control = rocecc_subrange(*r, r->at, d->p.headers.inner);
    push(d, &pseudowire_kind, &d->pseudowire);
}

void overlay_tags(const settings *c, decoded *d, uint16_t type)
{
    rocecc_reader r = d->p.bytes;
    if (type == ROCECC_TYPE_TEB) {
        (void)rocecc_take(&r, ROCECC_ETHER_BYTES);
        type = d->ether.type;
    }
    if (!tags(&c->domain, d, &r, &type)) return;
    if (type == ROCECC_TYPE_PPPOE) pppoe_shim(d, &r);
    if (type == ROCECC_TYPE_MPLS || type == ROCECC_TYPE_MPLS_UPSTREAM) mpls_shim(d, &r);
}

/* Adds ERSPAN II or III, after GRE. */
static void erspan_header(decoded *d, rocecc_reader r)
{
    const bool three = d->p.headers.tunnel == ROCECC_TUNNEL_ERSPAN_III;
    erspan_record *h = &d->erspan;
    const uint8_t *b =
        rocecc_take(&r, three ? ROCECC_ERSPAN3_BYTES : ROCECC_ERSPAN2_BYTES);
    if (b == NULL) return;
    h->h = rocecc_erspan_load(b);
    h->index = rocecc_load32(b + 4) & 0xfffff;
    if (three) {
        h->timestamp = rocecc_load32(b + 4);
        h->more = rocecc_erspan3_load(b + 8);
        h->platform = rocecc_subrange(
            r, r.at, r.at + (h->more.o ? ROCECC_ERSPAN3_PLATFORM_BYTES : 0));
    }
    push(d, three ? &erspan3_kind : &erspan2_kind, h);
}

static void gre_header(decoded *d, rocecc_reader r, bool ended)
{
    const uint8_t tunnel = d->p.headers.tunnel;
    const bool more =
        tunnel == ROCECC_TUNNEL_ERSPAN_II || tunnel == ROCECC_TUNNEL_ERSPAN_III;
    const uint8_t *b = rocecc_take(&r, ROCECC_GRE_BYTES);
    if (b == NULL || (ended && !more)) return;
    d->gre.h = rocecc_gre_load(b);
    d->gre.options =
        rocecc_subrange(r, r.at, r.at + rocecc_gre_option_bytes(&d->gre.h));
    push(d, tunnel == ROCECC_TUNNEL_NVGRE ? &nvgre_kind : &gre_kind, &d->gre);
    r.at = d->gre.options.end;
    if (more && !ended) erspan_header(d, r);
}

void overlay_header(decoded *d)
{
    const rocecc_headers *f = &d->p.headers;
    const bool ended = f->status != ROCECC_NO_MATCH;
    rocecc_reader r = rocecc_subrange(d->p.bytes, f->overlay, d->p.bytes.end);
    const uint8_t *b;
    if (f->tunnel >= ROCECC_TUNNEL_GRE && f->tunnel <= ROCECC_TUNNEL_ERSPAN_III) {
        gre_header(d, r, ended);
        return;
    }
    if (ended || f->tunnel > ROCECC_TUNNEL_GENEVE)
        return; /* the walk failed, or the tunnel has no header of its own */
    b = rocecc_take(&r, ROCECC_VXLAN_BYTES);
    if (b == NULL) return; /* cannot happen */
    if (f->tunnel == ROCECC_TUNNEL_VXLAN) {
        d->vxlan = rocecc_vxlan_load(b);
        push(d, &vxlan_kind, &d->vxlan);
    } else if (f->tunnel == ROCECC_TUNNEL_VXLAN_GPE) {
        d->gpe = rocecc_gpe_load(b);
        push(d, &gpe_kind, &d->gpe);
    } else {
        d->geneve.h = rocecc_geneve_load(b);
        d->geneve.options =
            rocecc_subrange(r, r.at, r.at + (size_t)d->geneve.h.opt_len * 4);
        push(d, &geneve_kind, &d->geneve);
    }
}

const char *overlay_name(const decoded *d)
{
#define TUNNEL_NAME(name) #name,
    static const char *const names[] = {ROCECC_TUNNELS(TUNNEL_NAME)};
    return names[d->p.headers.tunnel % COUNT(names)];
}
