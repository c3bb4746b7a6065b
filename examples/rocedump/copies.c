/* SPDX-License-Identifier: BSD-2-Clause */
#include "copies.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define WAYS 8 /* entries that can hold the same packet */
#define SETS (COPIES_MAX / WAYS)
#define SAME_BYTES 32 /* from the BTH on */

/* A packet, as it was captured at its first place. */
typedef struct entry {
    uint64_t identity; /* hash of what all copies have in common */
    uint64_t place;    /* hash of the place */
    uint64_t time_ns;
    uint32_t used; /* 0 if the entry is empty */
    uint32_t marks;
} entry;

struct copies {
    entry *entry; /* SETS times WAYS */
    uint64_t forgotten;
    uint64_t secret[2];
};

copies *copies_new(void)
{
    copies *c = memory(1, sizeof *c);
    c->entry = memory(COPIES_MAX, sizeof *c->entry);
    memory_secret(c->secret);
    return c;
}

void copies_free(copies *c)
{
    if (c == NULL) return;
    free(c->entry);
    free(c);
}

uint64_t copies_forgotten(const copies *c)
{
    return c->forgotten;
}

/* ---- the two hashes */

/* Returns a hash of the hash `before` and the n bytes. */
static uint64_t hash(const copies *c, uint64_t before, const void *bytes, size_t n)
{
    uint64_t word[ROCECC_SIPHASH_WORDS_MAX] = {before};
    memcpy(word + 1, bytes, n);
    return rocecc_siphash(c->secret, word, ROCECC_SIPHASH_WORDS_MAX);
}

/* Returns the IPv4 identification and the UDP source port, or 0 for a missing one. */
static uint32_t numbers_of(const decoded *d)
{
    const rocecc_headers *h = &d->p.headers;
    rocecc_reader ip = rocecc_subrange(d->p.bytes, h->ip.offset, d->p.bytes.end);
    rocecc_reader udp = rocecc_subrange(d->p.bytes, h->udp, d->p.bytes.end);
    const uint8_t *b4 = h->ip.version == 4 ? rocecc_take(&ip, ROCECC_IPV4_BYTES) : NULL;
    const uint8_t *b = h->udp != 0 ? rocecc_take(&udp, ROCECC_UDP_BYTES) : NULL;
    return (b4 != NULL ? (uint32_t)rocecc_load16(b4 + 4) << 16 : 0) |
           (b != NULL ? rocecc_load16(b) : 0);
}

static uint64_t identity_of(const copies *c, const decoded *d, const flow_key *key)
{
    uint8_t same[SAME_BYTES] = {0};
    rocecc_reader r = rocecc_subrange(d->p.bytes, d->p.headers.bth, d->p.bytes.end);
    const size_t n = rocecc_left(&r) < SAME_BYTES ? rocecc_left(&r) : SAME_BYTES;
    const uint8_t *b = rocecc_take(&r, n);
    const uint64_t numbers = numbers_of(d);
    if (b != NULL) memcpy(same, b, n);
    return hash(c, hash(c, numbers, key, sizeof *key), same, sizeof same);
}

/* Adds the addresses and the hop limit of an IP header to the hash of a place. */
static uint64_t add_ip(const copies *c, uint64_t place, const decoded *d,
                       const rocecc_headers_ip *at)
{
    struct {
        rocecc_ip6 src, dst;
        uint64_t hop_limit;
    } is;
    rocecc_ip ip = ROCECC_ZERO;
    if (rocecc_packet_ip(&d->p, at, &ip) != ROCECC_OK) return place;
    is.src = ip.src;
    is.dst = ip.dst;
    is.hop_limit = ip.hop_limit;
    return hash(c, place, &is, sizeof is);
}

static uint64_t place_of(const copies *c, const packet *p, const decoded *frame,
                         const decoded *d)
{
    uint64_t place = p->iface;
    for (;; frame = frame->inner) {
        const uint64_t around = (uint64_t)frame->p.headers.tunnel << 8 |
                                (frame->p.headers.grh != 0 ? frame->grh.hop_lmt : 0);
        place = add_ip(c, place, frame, &frame->p.headers.outer);
        place = add_ip(c, place, frame, &frame->p.headers.ip);
        place = hash(c, place, &around, sizeof around);
        if (frame == d) return place;
    }
}

/* ---- the table */

static uint64_t apart_ns(const entry *e, uint64_t now_ns)
{
    return now_ns > e->time_ns ? now_ns - e->time_ns : e->time_ns - now_ns;
}

/*
 * Returns the packet's entry. If the packet has no entry, returns an empty entry, or if
 * none is empty, the entry whose time differs most. If this entry is within the window,
 * counts a replacement.
 */
static entry *entry_of(copies *c, uint64_t identity, uint64_t now_ns)
{
    entry *set = &c->entry[identity % SETS * WAYS], *out = set;
    size_t i;
    for (i = 0; i < WAYS; i++) {
        if (set[i].used == 0 || set[i].identity == identity) return &set[i];
        if (apart_ns(&set[i], now_ns) > apart_ns(out, now_ns)) out = &set[i];
    }
    if (apart_ns(out, now_ns) <= COPIES_WINDOW_NS) c->forgotten++;
    return out;
}

bool copies_seen(copies *c, const packet *p, const decoded *frame, const decoded *d,
                 const flow_key *key, unsigned *marks)
{
    const uint64_t identity = identity_of(c, d, key);
    const uint64_t place = place_of(c, p, frame, d);
    entry *e = entry_of(c, identity, p->time_ns);
    if (e->used != 0 && e->identity == identity && e->place != place &&
        apart_ns(e, p->time_ns) <= COPIES_WINDOW_NS) {
        *marks &= ~e->marks;
        e->marks |= *marks;
        return true;
    }
    e->identity = identity;
    e->place = place;
    e->time_ns = p->time_ns;
    e->used = 1;
    e->marks = *marks;
    return false;
}
