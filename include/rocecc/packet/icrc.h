/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_ICRC_H
#define ROCECC_PACKET_ICRC_H

/*
 * icrc.h - the ICRC of a packet: what it covers, and whether it is right. wire/icrc.h
 * has the checksum itself, and the rules where there are IPv6 extension headers.
 *
 *     rocecc_icrc icrc;
 *     rocecc_icrc_verify(ROCECC_ICRC_AUTO, &packet, &icrc)   ROCECC_OK
 *     icrc.ok                                                it is right, ...
 *     icrc.rule                                              ... by this rule
 *
 * The ICRC is the sender's: it covers the packet as it was before nodes on the path put
 * IFA or INT into it. So they are left out, and the fields that they have changed
 * (length and protocol of IP, length and destination port of UDP) count as they were.
 * A packet whose payload a switch has cut away has none.
 */
#include "../wire/icrc.h"
#include "../wire/udp.h"
#include "srv6.h"

/*
 * What may change on the way counts as ones: a header OR its mask. The masks of IP, UDP
 * and BTH stand one after the other, as the headers mostly do.
 */
#define ROCECC_ICRC_0000_ 0, 0, 0, 0
#define ROCECC_ICRC_IPV4_MASK_ /* TOS, TTL, header checksum */                         \
    0, 0xff, 0, 0, ROCECC_ICRC_0000_, 0xff, 0, 0xff, 0xff, ROCECC_ICRC_0000_,          \
        ROCECC_ICRC_0000_
#define ROCECC_ICRC_IPV6_MASK_ /* Traffic Class, Flow Label, Hop Limit; also of a GRH  \
                                */                                                     \
    0x0f, 0xff, 0xff, 0xff, 0, 0, 0, 0xff, ROCECC_ICRC_0000_, ROCECC_ICRC_0000_,       \
        ROCECC_ICRC_0000_, ROCECC_ICRC_0000_, ROCECC_ICRC_0000_, ROCECC_ICRC_0000_,    \
        ROCECC_ICRC_0000_, ROCECC_ICRC_0000_
#define ROCECC_ICRC_UDP_MASK_ ROCECC_ICRC_0000_, 0, 0, 0xff, 0xff /* checksum */
#define ROCECC_ICRC_BTH_MASK_                                     /* F, B, Resv6 */    \
    ROCECC_ICRC_0000_, 0xff, 0, 0, 0, ROCECC_ICRC_0000_
#define ROCECC_ICRC_HEAD4_BYTES_ (ROCECC_IPV4_BYTES + 20)
#define ROCECC_ICRC_HEAD6_BYTES_ (ROCECC_IPV6_BYTES + 20)

ROCECC_FN const uint8_t *rocecc_icrc_mask4_(void)
{
    static const uint8_t mask[ROCECC_ICRC_HEAD4_BYTES_] = {
        ROCECC_ICRC_IPV4_MASK_, ROCECC_ICRC_UDP_MASK_, ROCECC_ICRC_BTH_MASK_};
    return mask;
}

ROCECC_FN const uint8_t *rocecc_icrc_mask6_(void)
{
    static const uint8_t mask[ROCECC_ICRC_HEAD6_BYTES_] = {
        ROCECC_ICRC_IPV6_MASK_, ROCECC_ICRC_UDP_MASK_, ROCECC_ICRC_BTH_MASK_};
    return mask;
}

/* The next n_bytes, masked; false where they are not there. */
ROCECC_FN bool rocecc_icrc_copy_masked_(rocecc_reader *reader, uint8_t *out,
                                        const uint8_t *mask, int n_bytes)
{
    const uint8_t *b = rocecc_take(reader, (size_t)n_bytes);
    int i;
    if (b == NULL) return false;
    for (i = 0; i < n_bytes; i++)
        out[i] = b[i] | mask[i];
    return true;
}

/*
 * The bytes from `from` to the end of options or TLVs, which end where tlvs does: of a
 * type with the bit chg, the value counts as ones. What stands before it is one piece.
 */
ROCECC_FN rocecc_status rocecc_icrc_add_tlvs_(uint32_t *state, size_t from,
                                              rocecc_reader tlvs, uint8_t chg)
{
    uint32_t s = *state;
    for (;;) {
        rocecc_ip6opt o = {0, tlvs};
        const rocecc_status status = rocecc_ip6opt_next(&tlvs, &o);
        if (status == ROCECC_END) break;
        if (status != ROCECC_OK) return status;
        if ((o.type & chg) == 0) continue;
        s = rocecc_icrc_update(s, rocecc_subrange(tlvs, from, o.body.at));
        s = rocecc_icrc_ones(s, rocecc_left(&o.body));
        from = o.body.end;
    }
    *state = rocecc_icrc_update(s, rocecc_subrange(tlvs, from, tlvs.end));
    return ROCECC_OK;
}

/* One extension header by the rule MASKED; the type of what follows it is next. */
ROCECC_FN rocecc_status rocecc_icrc_add_ext_(uint32_t *state, const rocecc_ip6ext *ext,
                                             uint8_t next)
{
    static const uint8_t mask[ROCECC_SRH_BYTES] = {
        0, 0, 0, 0xff, 0, 0, 0xff, 0xff}; /* Segments Left, Tag */
    uint8_t m[ROCECC_SRH_BYTES] = {0};
    const size_t at = ext->header.at;
    rocecc_reader r = ext->header, copy = r;
    rocecc_ip6opts opts = {0, r};
    rocecc_srh srh = {0, 0, 0, 0, r, r};
    rocecc_status status;
    if (ext->type == ROCECC_PROTO_HOPOPTS || ext->type == ROCECC_PROTO_DSTOPTS) {
        const uint8_t *b = rocecc_take(&copy, 1);
        status = rocecc_ip6opts_parse(&r, &opts);
        if (status != ROCECC_OK) return status;
        if (b != NULL && *b == next) /* as in all but packets with IFA or INT */
            return rocecc_icrc_add_tlvs_(state, at, opts.options, ROCECC_IP6OPT_CHG);
        *state = rocecc_icrc_bytes(*state, &next, 1);
        return rocecc_icrc_add_tlvs_(state, at + 1, opts.options, ROCECC_IP6OPT_CHG);
    }
    if (ext->type != ROCECC_PROTO_ROUTING) return ROCECC_ERR_UNSUPPORTED;
    status = rocecc_srh_parse(&r, &srh);
    if (status == ROCECC_NO_MATCH) return ROCECC_ERR_UNSUPPORTED;
    if (status != ROCECC_OK) return status;
    if (!rocecc_icrc_copy_masked_(&copy, m, mask, sizeof m)) return ROCECC_ERR_SHORT;
    m[0] = next;
    *state = rocecc_icrc_bytes(*state, m, sizeof m);
    *state = rocecc_icrc_update(*state, srh.segments);
    return rocecc_icrc_add_tlvs_(state, srh.tlvs.at, srh.tlvs, ROCECC_SRH_TLV_CHG);
}

/* MASKED or LITERAL: the extension headers. The last one says that UDP follows. */
ROCECC_FN rocecc_status rocecc_icrc_add_exts_(rocecc_icrc_rule rule,
                                              const rocecc_packet *packet,
                                              uint32_t *state)
{
    const int n = packet->headers.ip.n_ext;
    uint8_t type;
    rocecc_reader r = rocecc_packet_exts(packet, &packet->headers.ip, &type);
    rocecc_ip6ext ext = {type, r};
    int i;
    for (i = 0; i < ROCECC_IP6EXT_MAX && i < n; i++) {
        rocecc_status status = rocecc_ip6ext_next(&r, &type, &ext);
        const uint8_t next = i + 1 == n ? ROCECC_PROTO_UDP : type;
        if (status != ROCECC_OK) return ROCECC_ERR_SHORT; /* never of a whole walk */
        if (rule == ROCECC_ICRC_LITERAL) {
            *state = rocecc_icrc_bytes(*state, &next, 1);
            *state = rocecc_icrc_update(
                *state, rocecc_subrange(r, ext.header.at + 1, ext.header.end));
        } else {
            status = rocecc_icrc_add_ext_(state, &ext, next);
            if (status != ROCECC_OK) return status;
        }
    }
    return ROCECC_OK;
}

/* UDP Length as the sender wrote it: the header, and from the BTH through the ICRC. */
ROCECC_FN size_t rocecc_icrc_udp_length_(const rocecc_headers *headers)
{
    return ROCECC_UDP_BYTES + (size_t)headers->end - headers->bth;
}

/* The IPv6 header and its extension headers, or the GRH. IFA or INT has added bytes. */
ROCECC_FN rocecc_status rocecc_icrc_add_ipv6_(rocecc_icrc_rule rule,
                                              const rocecc_packet *packet, size_t added,
                                              uint32_t *state)
{
    const rocecc_headers *f = &packet->headers;
    const bool exts = f->grh == 0 && f->ip.n_ext != 0;
    uint8_t m[ROCECC_IPV6_BYTES] = {0};
    const size_t at = f->grh != 0 ? f->grh : f->ip.offset;
    rocecc_reader r = rocecc_subrange(packet->bytes, at, f->bth);
    if (!rocecc_icrc_copy_masked_(&r, m, rocecc_icrc_mask6_(), ROCECC_IPV6_BYTES))
        return ROCECC_ERR_SHORT;
    if (f->grh == 0) {
        size_t bytes = rocecc_load16(m + 4) - added;
        if (exts && rule == ROCECC_ICRC_STRIPPED) bytes = rocecc_icrc_udp_length_(f);
        rocecc_store16(m + 4, (uint16_t)bytes);
        if (!exts || rule == ROCECC_ICRC_STRIPPED) m[6] = ROCECC_PROTO_UDP;
    }
    if (!exts || rule == ROCECC_ICRC_STRIPPED) {
        *state = rocecc_icrc_bytes(*state, m, ROCECC_IPV6_BYTES);
        return ROCECC_OK;
    }
#if defined(__bpf__)
    return ROCECC_ERR_UNSUPPORTED;
#else
    if (rule == ROCECC_ICRC_MASKED) {
        rocecc_ip6 dst = rocecc_ip6_load(m + 24);
        rocecc_packet_final_dst(packet, &f->ip, &dst);
        rocecc_ip6_store(m + 24, &dst);
    }
    *state = rocecc_icrc_bytes(*state, m, ROCECC_IPV6_BYTES);
    return rocecc_icrc_add_exts_(rule, packet, state);
#endif
}

/* The IP header next to UDP, of either version, or the GRH. */
ROCECC_FN rocecc_status rocecc_icrc_add_ip_(rocecc_icrc_rule rule,
                                            const rocecc_packet *packet, size_t added,
                                            uint32_t *state)
{
    uint8_t m[ROCECC_IPV4_BYTES] = {0};
    const rocecc_headers_ip *ip = &packet->headers.ip;
    rocecc_reader r = rocecc_subrange(packet->bytes, ip->offset, ip->upper);
    if (ip->version != 4) return rocecc_icrc_add_ipv6_(rule, packet, added, state);
    if (ip->n_ext != 0) return ROCECC_ERR_UNSUPPORTED; /* AH */
    if (!rocecc_icrc_copy_masked_(&r, m, rocecc_icrc_mask4_(), ROCECC_IPV4_BYTES))
        return ROCECC_ERR_SHORT;
    rocecc_store16(m + 2, (uint16_t)(rocecc_load16(m + 2) - added));
    m[9] = ROCECC_PROTO_UDP;
    *state = rocecc_icrc_bytes(*state, m, ROCECC_IPV4_BYTES);
    *state = rocecc_icrc_update_upto(*state, r, ROCECC_IPV4_OPTIONS_MAX_BYTES);
    return ROCECC_OK;
}

/* IP, UDP and BTH without IFA and INT, which stand before and after UDP. IFA whose
 * records do not follow UDP has them in a tail, which is all that follows UDP's
 * payload. */
ROCECC_FN rocecc_status rocecc_icrc_add_rocev2_(rocecc_icrc_rule rule,
                                                const rocecc_packet *packet,
                                                uint32_t *state)
{
    const rocecc_headers *f = &packet->headers;
    const size_t before = (size_t)f->udp - f->ip.upper;
    const size_t after = (size_t)f->bth - f->udp - ROCECC_UDP_BYTES;
    const size_t tail = f->ifa != 0 && after == 0 ? f->ip.end - f->end : 0;
    const uint8_t *mask = rocecc_icrc_mask4_() + ROCECC_IPV4_BYTES;
    uint8_t m[ROCECC_UDP_BYTES + ROCECC_BTH_BYTES] = {0};
    rocecc_reader r;
    const rocecc_status status =
        rocecc_icrc_add_ip_(rule, packet, before + after + tail, state);
    if (status != ROCECC_OK) return status;
    r = rocecc_subrange(packet->bytes, f->udp, f->bth + (size_t)ROCECC_BTH_BYTES);
    if (!rocecc_icrc_copy_masked_(&r, m, mask, ROCECC_UDP_BYTES) ||
        rocecc_take(&r, after) == NULL ||
        !rocecc_icrc_copy_masked_(&r, m + ROCECC_UDP_BYTES, mask + ROCECC_UDP_BYTES,
                                  ROCECC_BTH_BYTES))
        return ROCECC_ERR_SHORT;
    rocecc_store16(m + 2, f->next); /* the port that led to the BTH */
    rocecc_store16(m + 4, (uint16_t)rocecc_icrc_udp_length_(f));
    *state = rocecc_icrc_bytes(*state, m, sizeof m);
    return ROCECC_OK;
}

/*
 * IP, UDP and BTH one right after the other, as in most packets: one piece, and nothing
 * in it is other than the sender wrote it. NO_MATCH: there is more between them.
 */
ROCECC_FN rocecc_status rocecc_icrc_add_adjacent_headers_(const rocecc_packet *packet,
                                                          uint32_t *state)
{
    const rocecc_headers *f = &packet->headers;
    const bool v4 = f->ip.version == 4;
    const size_t bytes = v4 ? ROCECC_ICRC_HEAD4_BYTES_ : ROCECC_ICRC_HEAD6_BYTES_;
    uint8_t m[ROCECC_ICRC_HEAD6_BYTES_];
    rocecc_reader r =
        rocecc_subrange(packet->bytes, f->ip.offset, f->bth + (size_t)ROCECC_BTH_BYTES);
    if (f->udp + (size_t)ROCECC_UDP_BYTES != f->bth ||
        f->ip.offset + bytes != f->bth + (size_t)ROCECC_BTH_BYTES)
        return ROCECC_NO_MATCH;
    if (v4 ? !rocecc_icrc_copy_masked_(&r, m, rocecc_icrc_mask4_(),
                                       ROCECC_ICRC_HEAD4_BYTES_)
           : !rocecc_icrc_copy_masked_(&r, m, rocecc_icrc_mask6_(),
                                       ROCECC_ICRC_HEAD6_BYTES_))
        return ROCECC_ERR_SHORT;
    *state = rocecc_icrc_bytes(ROCECC_ICRC_START, m, bytes);
    return ROCECC_OK;
}

/* GRH and BTH. */
ROCECC_FN rocecc_status rocecc_icrc_add_rocev1_(rocecc_icrc_rule rule,
                                                const rocecc_packet *packet,
                                                uint32_t *state)
{
    uint8_t m[ROCECC_BTH_BYTES] = {0};
    rocecc_reader r =
        rocecc_subrange(packet->bytes, packet->headers.bth, packet->headers.end);
    const rocecc_status status = rocecc_icrc_add_ipv6_(rule, packet, 0, state);
    if (status != ROCECC_OK) return status;
    if (!rocecc_icrc_copy_masked_(
            &r, m, rocecc_icrc_mask4_() + (ROCECC_IPV4_BYTES + ROCECC_UDP_BYTES),
            ROCECC_BTH_BYTES))
        return ROCECC_ERR_SHORT;
    *state = rocecc_icrc_bytes(*state, m, ROCECC_BTH_BYTES);
    return ROCECC_OK;
}

/*
 * The state after the BTH of a packet, for who streams what follows it, from
 * headers.bth + 12 up to the ICRC. The headers must lie in packet->bytes; what follows
 * need not. NO_MATCH: packet has no BTH, or no ICRC as it is partial. UNSUPPORTED:
 * extension headers that the rule does not cover (MASKED: all but options and SRH).
 * FORMAT: options or TLVs that overrun theirs. RANGE: the rule NONE.
 */
ROCECC_FN rocecc_status rocecc_icrc_init(rocecc_icrc_rule rule,
                                         const rocecc_packet *packet, uint32_t *out)
{
    const rocecc_headers *f = &packet->headers;
    uint32_t state = ROCECC_ICRC_START;
    rocecc_status status;
    if (f->bth == 0 || f->partial != ROCECC_PARTIAL_NONE) return ROCECC_NO_MATCH;
    if (rule == ROCECC_ICRC_NONE) return ROCECC_ERR_RANGE;
    if (rule == ROCECC_ICRC_AUTO) rule = ROCECC_ICRC_MASKED;
    if (rule == ROCECC_ICRC_STANDARD && f->ip.n_ext != 0) return ROCECC_ERR_UNSUPPORTED;
    if (f->grh != 0) {
        status = rocecc_icrc_add_rocev1_(rule, packet, &state);
    } else {
#if defined(__bpf__) /* the verifier follows each way, and the other takes all */
        status = ROCECC_NO_MATCH;
#else
        status = rocecc_icrc_add_adjacent_headers_(packet, &state);
#endif
        if (status == ROCECC_NO_MATCH)
            status = rocecc_icrc_add_rocev2_(rule, packet, &state);
    }
    if (status == ROCECC_OK) *out = state;
    return status;
}

/*
 * The ICRC that a packet should have, which is 0 by the rule NONE. SHORT: the packet
 * goes beyond packet->bytes. UNSUPPORTED under BPF, too: more than
 * ROCECC_ICRC_MAX_BYTES. Otherwise as init().
 */
ROCECC_FN rocecc_status rocecc_icrc_compute(rocecc_icrc_rule rule,
                                            const rocecc_packet *packet, uint32_t *out)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_reader rest;
    uint32_t state = 0;
    rocecc_status status;
    if (f->bth == 0 || f->partial != ROCECC_PARTIAL_NONE) return ROCECC_NO_MATCH;
    if (f->end < f->bth + (size_t)(ROCECC_BTH_BYTES + ROCECC_ICRC_BYTES))
        return ROCECC_ERR_FORMAT; /* never from the walk */
    if (f->end > packet->bytes.end) return ROCECC_ERR_SHORT;
#if defined(__bpf__)
    if (f->end - f->bth > ROCECC_BTH_BYTES + ROCECC_ICRC_MAX_BYTES + ROCECC_ICRC_BYTES)
        return ROCECC_ERR_UNSUPPORTED;
#endif
    if (rule == ROCECC_ICRC_NONE) {
        *out = 0;
        return ROCECC_OK;
    }
    status = rocecc_icrc_init(rule, packet, &state);
    if (status != ROCECC_OK) return status;
    rest = rocecc_subrange(packet->bytes, f->bth + (size_t)ROCECC_BTH_BYTES,
                           f->end - (size_t)ROCECC_ICRC_BYTES);
    *out = rocecc_icrc_final(rocecc_icrc_update(state, rest));
    return ROCECC_OK;
}

/*
 * Compares. OK: out->ok says whether they agree; by the rule NONE nothing is compared,
 * and out->ok is false. Otherwise as compute(). AUTO tries MASKED, LITERAL and STRIPPED
 * where there are extension headers: out->rule is the one that matched, or else the
 * first that could be computed. Three tries take nothing from a check of 32 bits.
 */
ROCECC_FN rocecc_status rocecc_icrc_verify(rocecc_icrc_rule rule,
                                           const rocecc_packet *packet,
                                           rocecc_icrc *out)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_status first = ROCECC_NO_MATCH;
    rocecc_reader r =
        rocecc_subrange(packet->bytes, f->end - (size_t)ROCECC_ICRC_BYTES, f->end);
    const uint8_t *b = rocecc_take(&r, ROCECC_ICRC_BYTES);
    rocecc_icrc best = {0, 0, false, ROCECC_ICRC_AUTO};
    unsigned i, last = (unsigned)rule;
    if (f->bth == 0 || f->partial != ROCECC_PARTIAL_NONE) return ROCECC_NO_MATCH;
    if (b == NULL) return ROCECC_ERR_SHORT;
    best.value = rocecc_icrc_load(b);
    if (rule == ROCECC_ICRC_AUTO) {
#if defined(__bpf__)
        rule = ROCECC_ICRC_STRIPPED;
#else
        rule = ROCECC_ICRC_MASKED;
#endif
        last = ROCECC_ICRC_STRIPPED;
    }
    if (f->ip.n_ext == 0 && rule != ROCECC_ICRC_NONE) {
        rule = ROCECC_ICRC_STANDARD;
        last = ROCECC_ICRC_STANDARD;
    }
    for (i = (unsigned)rule; i <= last; i++) {
        uint32_t computed = 0;
        const rocecc_status status =
            rocecc_icrc_compute((rocecc_icrc_rule)i, packet, &computed);
        if (i == (unsigned)rule) first = status;
        if (status != ROCECC_OK) continue;
        best.ok = computed == best.value && i != ROCECC_ICRC_NONE;
        if (!best.ok && best.rule != ROCECC_ICRC_AUTO) continue; /* the first stays */
        best.computed = computed;
        best.rule = (rocecc_icrc_rule)i;
        if (best.ok) break;
    }
    if (best.rule == ROCECC_ICRC_AUTO)
        return first != ROCECC_OK ? first : ROCECC_NO_MATCH; /* it never is OK */
    *out = best;
    return ROCECC_OK;
}

/*
 * Writes the ICRC of a packet that is complete but for it: writer writes the buffer of
 * packet. The statuses of compute(); SPACE: writer ends before the packet does.
 */
ROCECC_FN rocecc_status rocecc_icrc_emplace(rocecc_icrc_rule rule,
                                            const rocecc_packet *packet,
                                            rocecc_writer writer)
{
    uint32_t icrc = 0;
    uint8_t *b;
    const rocecc_status status = rocecc_icrc_compute(rule, packet, &icrc);
    if (status != ROCECC_OK) return status;
    writer.at = packet->headers.end - (size_t)ROCECC_ICRC_BYTES;
    b = rocecc_put(&writer, ROCECC_ICRC_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_icrc_store(b, icrc);
    return ROCECC_OK;
}

#endif /* ROCECC_PACKET_ICRC_H */
