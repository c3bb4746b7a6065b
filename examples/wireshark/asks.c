/* SPDX-License-Identifier: BSD-2-Clause */

/* asks.c - describes the node or flow that a packet asks to slow down. */
#include "plugin.h"

#include <epan/to_str.h>

static const char *address_of(wmem_allocator_t *pool, const rocecc_ip6 *a)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    const bool v4 = memcmp(a->b, mapped, sizeof mapped) == 0;
    address text;
    if (v4)
        set_address(&text, AT_IPv4, 4, a->b + sizeof mapped);
    else
        set_address(&text, AT_IPv6, sizeof a->b, a->b);
    return address_to_str(pool, &text);
}

/* Describes a CNP for a QP of its destination, or a Fast CNP for a flow's sender. */
static const char *cnp_asks(wmem_allocator_t *pool, const decoded *d)
{
    rocecc_ip ip;
    if (rocecc_packet_ip(&d->p, &d->p.headers.ip, &ip) != ROCECC_OK)
        return wmem_strdup_printf(pool, "CNP: QP 0x%06x", d->bth.dest_qp);
    if (!d->has_fastcnp)
        return wmem_strdup_printf(pool, "CNP: QP 0x%06x of %s", d->bth.dest_qp,
                                  address_of(pool, &ip.dst));
    return wmem_strdup_printf(pool, "Fast CNP: what %s sends to QP 0x%06x of %s",
                              address_of(pool, &ip.dst), d->bth.dest_qp,
                              address_of(pool, &d->fastcnp.flow_dst));
}

static const char *pfc_asks(wmem_allocator_t *pool, const rocecc_pfc *h)
{
    wmem_strbuf_t *text = wmem_strbuf_new(pool, "PFC: the neighbour, priorities");
    unsigned priority;
    uint16_t quanta;
    bool any = false;
    for (priority = 0; priority < ROCECC_PFC_PRIORITIES; priority++) {
        if (rocecc_pfc_find(h, priority, &quanta) != ROCECC_OK || quanta == 0) continue;
        wmem_strbuf_append_printf(text, " %u", priority);
        any = true;
    }
    return any ? wmem_strbuf_finalize(text) : NULL;
}

static const char *cnm_asks(wmem_allocator_t *pool, const decoded *d)
{
    const bool private_cnm = decode_find(d, "l3qcn") != NULL;
    const rocecc_cnm *h = private_cnm ? &d->l3qcn.h.cnm : &d->cnm;
    if (!private_cnm)
        return wmem_strdup_printf(
            pool, "CNM: flow %u, by %u of 63",
            decode_find(d, "cntag") != NULL ? d->cntag.flow_id : 0u, h->qntz_fb);
    return wmem_strdup_printf(pool, "private CNM: what %s sends to %s, by %u of 63",
                              address_of(pool, &d->l3qcn.h.src),
                              address_of(pool, &d->l3qcn.h.dst), h->qntz_fb);
}

static const char *arn_asks(wmem_allocator_t *pool, const rocecc_arn *h)
{
    if (h->type != ROCECC_ARN_CONGESTION_DETECTED) return NULL;
    return wmem_strdup_printf(
        pool, "ARN: whoever sends over the congested path, metric %u", h->metric);
}

const char *asks(wmem_allocator_t *pool, const decoded *d, const layer *l)
{
    const char *name = l->kind->name;
    if (strcmp(name, "cnp") == 0) return cnp_asks(pool, d);
    if (strcmp(name, "cnm") == 0) return cnm_asks(pool, d);
    if (strcmp(name, "arn") == 0) return arn_asks(pool, &d->arn.h);
    if (strcmp(name, "pfc") == 0) return pfc_asks(pool, &d->pfc);
    if (strcmp(name, "pause") == 0 && d->pause.quanta != 0)
        return wmem_strdup_printf(pool, "PAUSE: the neighbour, for %u quanta",
                                  d->pause.quanta);
    return NULL;
}
