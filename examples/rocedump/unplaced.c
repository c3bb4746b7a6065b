/* SPDX-License-Identifier: BSD-2-Clause */
#include "unplaced.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define SLOTS ((size_t)2 * UNPLACED_PAIRS_MAX)

void unplaced_init(unplaced *u)
{
    u->slot = memory(SLOTS, sizeof *u->slot);
    u->pair = memory(UNPLACED_PAIRS_MAX, sizeof *u->pair);
    u->missed = memory(UNPLACED_PAIRS_MAX, sizeof *u->missed);
    memory_secret(u->secret);
}

void unplaced_free(unplaced *u)
{
    free(u->pair);
    free(u->missed);
    free(u->slot);
}

/* ---- the pairs */

/* Returns the slot of a pair, or the empty slot where it belongs. */
static uint32_t *slot_of(const unplaced *u, const address_pair *ends)
{
    uint64_t word[sizeof *ends / 8];
    size_t i;
    memcpy(word, ends, sizeof word);
    i = (size_t)rocecc_siphash(u->secret, word, COUNT(word)) & (SLOTS - 1);
    while (u->slot[i] != 0 && memcmp(&u->pair[u->slot[i] - 1], ends, sizeof *ends) != 0)
        i = (i + 1) & (SLOTS - 1);
    return &u->slot[i];
}

uint32_t unplaced_pair(unplaced *u, const address_pair *ends)
{
    uint32_t *slot = slot_of(u, ends);
    if (*slot != 0) return *slot - 1;
    if (u->n == UNPLACED_PAIRS_MAX) {
        u->full = true;
        return NO_PAIR;
    }
    u->pair[u->n] = *ends;
    *slot = (uint32_t)++u->n;
    return *slot - 1;
}

static bool missed(const unplaced *u, const address_pair *ends)
{
    const uint32_t slot = *slot_of(u, ends);
    return slot != 0 && u->missed[slot - 1];
}

bool unplaced_between(const unplaced *u, const address_pair *ends, bool both)
{
    address_pair back;
    back.src = ends->dst;
    back.dst = ends->src;
    return missed(u, ends) || (both && missed(u, &back));
}

/* ---- a frame */

bool unplaced_ends(const decoded *d, const rocecc_headers_ip *ip, address_pair *out)
{
    rocecc_ip h = ROCECC_ZERO;
    if (rocecc_packet_ip(&d->p, ip, &h) != ROCECC_OK) return false;
    out->src = h.src;
    out->dst = h.dst;
    return true;
}

/* Reads the addresses of the last IP header or GRH in a walk. */
static bool last_ends(const decoded *d, address_pair *out)
{
    const rocecc_headers *f = &d->p.headers;
    rocecc_reader r = rocecc_subrange(d->p.bytes, f->grh, d->p.bytes.end);
    rocecc_grh grh;
    if (f->grh == 0)
        return unplaced_ends(d, f->ip.version != 0 ? &f->ip : &f->outer, out);
    if (rocecc_grh_parse(&r, &grh) != ROCECC_OK) return false;
    out->src = grh.sgid;
    out->dst = grh.dgid;
    return true;
}

/* Returns true if RoCE may follow IP's protocol. */
static bool proto_may_lead_on(const rocecc_domain *domain, uint8_t proto)
{
    return proto == ROCECC_PROTO_UDP || proto == ROCECC_PROTO_IPV4 ||
           proto == ROCECC_PROTO_IPV6 || proto == ROCECC_PROTO_GRE ||
           proto == ROCECC_PROTO_ETHERNET || proto == ROCECC_PROTO_ESP ||
           rocecc_ip6ext_match(proto) || (proto != 0 && proto == domain->ifa.protocol);
}

/* Returns true if RoCE may follow UDP, or if UDP's port is missing. */
static bool port_may_lead_on(const decoded *d)
{
    const rocecc_headers *f = &d->p.headers;
    const rocecc_domain *domain = d->p.domain;
    uint16_t port = f->next;
    if (f->udp == 0) {
        rocecc_reader r = rocecc_subrange(d->p.bytes, f->ip.upper, d->p.bytes.end);
        const uint8_t *b = f->ifa == 0 ? rocecc_take(&r, 4) : NULL;
        if (b == NULL) return true;
        port = rocecc_load16(b + 2);
    }
    return port == rocecc_domain_rocev2_port(domain) ||
           (port != 0 && port == domain->intmd.udp_port) ||
           rocecc_overlay_lookup(&domain->overlay, port) != ROCECC_TUNNEL_NONE;
}

/* Returns true if the walk failed before it could exclude RoCE. */
static bool failed_unseen(const decoded *d)
{
    const rocecc_headers *f = &d->p.headers;
    if ((f->kind & ~(unsigned)ROCECC_PACKET_KIND_PARTIAL) == ROCECC_PACKET_KIND_TCP)
        return false;
    switch (f->stopped) {
    case ROCECC_LAYER_IPV4:
    case ROCECC_LAYER_IPV6:
    case ROCECC_LAYER_IP6EXT:
        return f->ip.version == 0 || proto_may_lead_on(d->p.domain, f->ip.proto);
    case ROCECC_LAYER_UDP:
    case ROCECC_LAYER_INTMD:
        return port_may_lead_on(d);
    case ROCECC_LAYER_IFA:
        return f->udp == 0 || port_may_lead_on(d);
    default:
        return true;
    }
}

/* Returns true if the innermost packet of a frame may be RoCE. */
static bool may_be_roce(const decoded *d)
{
    const rocecc_headers *f = &d->p.headers;
    if (f->bth != 0 || f->inner != 0) return true; /* inner was not decoded */
    if (d->status != ROCECC_OK && strcmp(d->at, "link") == 0)
        return false; /* neither Ethernet nor IP */
    return f->status != ROCECC_OK && f->status != ROCECC_NO_MATCH && failed_unseen(d);
}

static unplaced_why why(const decoded *d)
{
    const rocecc_headers *f = &d->p.headers;
    const rocecc_status status = d->status != ROCECC_OK ? d->status : f->status;
    if (status == ROCECC_ERR_SHORT) return UNPLACED_SHORT;
    if (status == ROCECC_ERR_FORMAT) return UNPLACED_FORMAT;
    return f->ip.fragment == ROCECC_IP_FRAGMENT_LATER ? UNPLACED_LATER
                                                      : UNPLACED_UNSUPPORTED;
}

void unplaced_add(unplaced *u, const decoded *frame)
{
    const decoded *d = frame, *last = decode_innermost(frame);
    address_pair ends = ROCECC_ZERO;
    bool known = false;
    if (!may_be_roce(last)) return;
    u->frames[why(last)]++;
    for (; d != NULL; d = d->inner)
        known = last_ends(d, &ends) || known;
    if (known) {
        const uint32_t i = unplaced_pair(u, &ends);
        if (i != NO_PAIR) u->missed[i] = true;
    } else {
        u->no_addresses++;
    }
}

void unplaced_add_samples(unplaced *u, const decoded *frame)
{
    size_t i;
    for (; frame != NULL; frame = frame->inner)
        for (i = 0; i < frame->sflow.count; i++) {
            const decoded *d = frame->sflow.sample[i].packet;
            if (d != NULL && may_be_roce(decode_innermost(d))) u->sampled++;
        }
}

uint64_t unplaced_frames(const unplaced *u)
{
    uint64_t sum = 0;
    size_t i;
    for (i = 0; i < UNPLACED_REASONS; i++)
        sum += u->frames[i];
    return sum;
}

/* ---- output */

void unplaced_text(const unplaced *u, FILE *out)
{
    static const char *const reasons[UNPLACED_REASONS] = {
        "later fragments, which have no BTH", "end before the BTH",
        "have a header that contradicts itself or its length",
        "have a header that rocedump does not support"};
    const uint64_t n = unplaced_frames(u);
    size_t i;
    if (n != 0)
        fprintf(out, "%llu frames may be RoCE and are in no flow:\n",
                (unsigned long long)n);
    for (i = 0; i < UNPLACED_REASONS; i++)
        if (u->frames[i] != 0)
            fprintf(out, "  %llu %s\n", (unsigned long long)u->frames[i], reasons[i]);
    if (u->no_addresses != 0)
        fprintf(out, "  %llu of them have no known addresses, and mark no flow\n",
                (unsigned long long)u->no_addresses);
    if (n != 0 && u->full)
        fputs("  more than " UNPLACED_PAIRS_TEXT
              " pairs of addresses: every flow is marked\n",
              out);
    if (u->sampled != 0)
        fprintf(out, "%llu packets sampled by sFlow may be RoCE and are in no flow\n",
                (unsigned long long)u->sampled);
}

void unplaced_json(const unplaced *u, FILE *out)
{
    static const char *const names[UNPLACED_REASONS] = {"later_fragments", "short",
                                                        "format", "unsupported"};
    size_t i;
    fputs("{\"unplaced\":{", out);
    for (i = 0; i < UNPLACED_REASONS; i++)
        fprintf(out, "\"%s\":%llu,", names[i], (unsigned long long)u->frames[i]);
    fprintf(out, "\"no_addresses\":%llu,\"sampled\":%llu,\"all_marked\":%s}}\n",
            (unsigned long long)u->no_addresses, (unsigned long long)u->sampled,
            u->full && unplaced_frames(u) != 0 ? "true" : "false");
}
