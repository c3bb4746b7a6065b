/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_ICRC_H
#define ROCECC_PACKET_ICRC_H

/*
 * icrc.h - checks and writes the ICRC of a packet. wire/icrc.h computes the checksum
 * and lists the rules for IPv6 extension headers.
 *
 *     rocecc_icrc icrc;
 *     rocecc_icrc_verify(ROCECC_ICRC_AUTO, &packet, &icrc)   ROCECC_OK
 *     icrc.ok                                                the ICRC is right, ...
 *     icrc.rule                                              ... by this rule
 *
 * The ICRC covers the packet as its sender wrote it. It does not cover IFA or INT
 * inserted on the path. IFA and INT change the length and protocol of IP, and the
 * length and destination port of UDP. The ICRC uses the original values of these
 * fields. A partial packet (headers.partial is not NONE) has no ICRC.
 */
#include "../wire/icrc.h"
#include "../wire/udp.h"
#include "srv6.h"

#define ROCECC_ICRC_UPPER_BYTES_ (ROCECC_UDP_BYTES + ROCECC_BTH_BYTES)
#define ROCECC_ICRC_FASTCNP_BYTES_ (ROCECC_IPV6_BYTES + ROCECC_PLAIN_FASTCNP_BYTES)

/* Copies the next n_bytes bytes to `out`. Returns false if fewer bytes are left. */
ROCECC_INLINE bool rocecc_icrc_copy_(rocecc_reader *reader, uint8_t *out, int n_bytes)
{
    const uint8_t *b = rocecc_take(reader, (size_t)n_bytes);
    int i;
    if (b == NULL) return false;
    for (i = 0; i < n_bytes; i++)
        out[i] = b[i];
    return true;
}

/* Sets all bits of TOS, TTL and header checksum. */
ROCECC_FN void rocecc_icrc_mask_ipv4_(uint8_t *ip)
{
    ip[1] = ip[8] = ip[10] = ip[11] = 0xff;
}

/* Sets all bits of Traffic Class, Flow Label and Hop Limit. */
ROCECC_FN void rocecc_icrc_mask_ipv6_(uint8_t *ip)
{
    rocecc_store32(ip, rocecc_load32(ip) | 0x0fffffff);
    ip[7] = 0xff;
}

ROCECC_FN void rocecc_icrc_mask_udp_(uint8_t *udp)
{
    udp[6] = udp[7] = 0xff;
}

/* Sets all bits of F, B and Resv6. */
ROCECC_FN void rocecc_icrc_mask_bth_(uint8_t *bth)
{
    bth[4] = 0xff;
}

/*
 * Adds to *state the bytes from offset `from` through the end of `tlvs`. The value of
 * an option or TLV is treated as all ones if the bit `chg` is set in its type.
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

/*
 * Adds one extension header to *state according to the rule MASKED. `next` replaces the
 * value of its Next Header field.
 */
ROCECC_FN rocecc_status rocecc_icrc_add_ext_(uint32_t *state, const rocecc_ip6ext *ext,
                                             uint8_t next)
{
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
        if (b != NULL && *b == next) /* always, except before IFA */
            return rocecc_icrc_add_tlvs_(state, at, opts.options, ROCECC_IP6OPT_CHG);
        *state = rocecc_icrc_bytes(*state, &next, 1);
        return rocecc_icrc_add_tlvs_(state, at + 1, opts.options, ROCECC_IP6OPT_CHG);
    }
    if (ext->type != ROCECC_PROTO_ROUTING) return ROCECC_ERR_UNSUPPORTED;
    status = rocecc_srh_parse(&r, &srh);
    if (status == ROCECC_NO_MATCH) return ROCECC_ERR_UNSUPPORTED;
    if (status != ROCECC_OK) return status;
    if (!rocecc_icrc_copy_(&copy, m, sizeof m)) return ROCECC_ERR_SHORT;
    m[0] = next;
    m[3] = m[6] = m[7] = 0xff; /* Segments Left, Tag */
    *state = rocecc_icrc_bytes(*state, m, sizeof m);
    *state = rocecc_icrc_update(*state, srh.segments);
    return rocecc_icrc_add_tlvs_(state, srh.tlvs.at, srh.tlvs, ROCECC_SRH_TLV_CHG);
}

/*
 * Adds the extension headers to *state according to the rule MASKED or LITERAL. The
 * last header's Next Header is treated as UDP.
 */
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
        if (status != ROCECC_OK) return ROCECC_ERR_SHORT; /* cut since the walk */
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

/* Returns the UDP Length that the sender wrote. */
ROCECC_FN size_t rocecc_icrc_udp_length_(const rocecc_headers *headers)
{
    return ROCECC_UDP_BYTES + (size_t)headers->end - headers->bth;
}

/*
 * Adds to *state the GRH, or the IPv6 header and the extension headers that the rule
 * covers. `added` is the length of IFA and INT in bytes.
 */
ROCECC_FN rocecc_status rocecc_icrc_add_ipv6_(rocecc_icrc_rule rule,
                                              const rocecc_packet *packet, size_t added,
                                              uint32_t *state)
{
    const rocecc_headers *f = &packet->headers;
    const bool exts = f->grh == 0 && f->ip.n_ext != 0;
    uint8_t m[ROCECC_IPV6_BYTES] = {0};
    const size_t at = f->grh != 0 ? f->grh : f->ip.offset;
    rocecc_reader r = rocecc_subrange(packet->bytes, at, f->bth);
    if (!rocecc_icrc_copy_(&r, m, ROCECC_IPV6_BYTES)) return ROCECC_ERR_SHORT;
    rocecc_icrc_mask_ipv6_(m);
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

/*
 * Adds to *state the last IP header, with its IPv4 options or with the extension
 * headers that the rule covers. The IP length is reduced by `added`, the length of IFA
 * and INT in bytes.
 */
ROCECC_FN rocecc_status rocecc_icrc_add_ip_(rocecc_icrc_rule rule,
                                            const rocecc_packet *packet, size_t added,
                                            uint32_t *state)
{
    uint8_t m[ROCECC_IPV4_BYTES] = {0};
    const rocecc_headers_ip *ip = &packet->headers.ip;
    rocecc_reader r = rocecc_subrange(packet->bytes, ip->offset, ip->upper);
    if (ip->version != 4) return rocecc_icrc_add_ipv6_(rule, packet, added, state);
    if (ip->n_ext != 0) return ROCECC_ERR_UNSUPPORTED; /* AH */
    if (!rocecc_icrc_copy_(&r, m, ROCECC_IPV4_BYTES)) return ROCECC_ERR_SHORT;
    rocecc_icrc_mask_ipv4_(m);
    rocecc_store16(m + 2, (uint16_t)(rocecc_load16(m + 2) - added));
    m[9] = ROCECC_PROTO_UDP;
    *state = rocecc_icrc_bytes(*state, m, ROCECC_IPV4_BYTES);
    *state = rocecc_icrc_update_upto(*state, r, ROCECC_IPV4_OPTIONS_MAX_BYTES);
    return ROCECC_OK;
}

/*
 * Adds IP, UDP and the BTH to *state, but not IFA and INT between these headers. If the
 * packet has IFA, but UDP and the BTH are adjacent, the IFA stack lies between the end
 * of UDP and the end of IP.
 */
ROCECC_FN rocecc_status rocecc_icrc_add_rocev2_(rocecc_icrc_rule rule,
                                                const rocecc_packet *packet,
                                                uint32_t *state)
{
    const rocecc_headers *f = &packet->headers;
    const size_t before = (size_t)f->udp - f->ip.upper;
    const size_t after = (size_t)f->bth - f->udp - ROCECC_UDP_BYTES;
    const size_t tail = f->ifa != 0 && after == 0 ? f->ip.end - f->end : 0;
    uint8_t m[ROCECC_ICRC_UPPER_BYTES_] = {0};
    rocecc_reader r;
    const rocecc_status status =
        rocecc_icrc_add_ip_(rule, packet, before + after + tail, state);
    if (status != ROCECC_OK) return status;
    r = rocecc_subrange(packet->bytes, f->udp, f->bth + (size_t)ROCECC_BTH_BYTES);
    if (!rocecc_icrc_copy_(&r, m, ROCECC_UDP_BYTES) || rocecc_take(&r, after) == NULL ||
        !rocecc_icrc_copy_(&r, m + ROCECC_UDP_BYTES, ROCECC_BTH_BYTES))
        return ROCECC_ERR_SHORT;
    rocecc_icrc_mask_udp_(m);
    rocecc_icrc_mask_bth_(m + ROCECC_UDP_BYTES);
    rocecc_store16(m + 2, f->next); /* the port that led to the BTH */
    rocecc_store16(m + 4, (uint16_t)rocecc_icrc_udp_length_(f));
    *state = rocecc_icrc_bytes(*state, m, sizeof m);
    return ROCECC_OK;
}

/*
 * Returns the number of bytes from the start of IP to UDP. Returns 0 if IP, UDP and BTH
 * are not adjacent, or if IPv4 has options. With ROCECC_SHORTCUTS, the options header
 * of a plain Fast CNP counts as part of IP, unless the rule is STRIPPED or the bit
 * ROCECC_IP6OPT_CHG is set in the option's type.
 */
ROCECC_FN size_t rocecc_icrc_ip_bytes_(rocecc_icrc_rule rule,
                                       const rocecc_packet *packet)
{
    const rocecc_headers *f = &packet->headers;
    size_t bytes = ROCECC_IPV6_BYTES;
    if (f->ip.version == 4) bytes = ROCECC_IPV4_BYTES;
#if ROCECC_SHORTCUTS
    else if (f->ip.n_ext != 0 && rule != ROCECC_ICRC_STRIPPED &&
             (packet->domain->fastcnp.type_plain & ROCECC_IP6OPT_CHG) == 0 &&
             rocecc_plain_fastcnp_(packet->domain, packet->bytes, &f->ip) != NULL)
        bytes = ROCECC_ICRC_FASTCNP_BYTES_;
#endif
    (void)rule;
    return f->udp + (size_t)ROCECC_UDP_BYTES == f->bth && f->ip.offset + bytes == f->udp
               ? bytes
               : 0;
}

/*
 * Computes the ICRC state up to the end of the BTH, and writes it to *state. Returns
 * NO_MATCH if rocecc_icrc_ip_bytes_() returns 0, and SHORT if the headers go beyond
 * packet->bytes.
 */
ROCECC_FN rocecc_status rocecc_icrc_add_adjacent_headers_(rocecc_icrc_rule rule,
                                                          const rocecc_packet *packet,
                                                          uint32_t *state)
{
    const size_t upper = rocecc_icrc_ip_bytes_(rule, packet);
    uint8_t m[ROCECC_ICRC_FASTCNP_BYTES_ + ROCECC_ICRC_UPPER_BYTES_];
    rocecc_reader r = packet->bytes;
    bool there = false;
    r.at = packet->headers.ip.offset;
    if (upper == ROCECC_IPV4_BYTES)
        there = rocecc_icrc_copy_(&r, m, ROCECC_IPV4_BYTES + ROCECC_ICRC_UPPER_BYTES_);
    else if (upper == ROCECC_IPV6_BYTES)
        there = rocecc_icrc_copy_(&r, m, ROCECC_IPV6_BYTES + ROCECC_ICRC_UPPER_BYTES_);
    else if (upper == ROCECC_ICRC_FASTCNP_BYTES_)
        there = rocecc_icrc_copy_(&r, m, (int)sizeof m);
    else
        return ROCECC_NO_MATCH;
    if (!there) return ROCECC_ERR_SHORT;
    if (upper == ROCECC_IPV4_BYTES)
        rocecc_icrc_mask_ipv4_(m);
    else
        rocecc_icrc_mask_ipv6_(m);
    rocecc_icrc_mask_udp_(m + upper);
    rocecc_icrc_mask_bth_(m + upper + ROCECC_UDP_BYTES);
    *state = rocecc_icrc_bytes(ROCECC_ICRC_START, m, upper + ROCECC_ICRC_UPPER_BYTES_);
    return ROCECC_OK;
}

ROCECC_FN rocecc_status rocecc_icrc_add_rocev1_(rocecc_icrc_rule rule,
                                                const rocecc_packet *packet,
                                                uint32_t *state)
{
    uint8_t m[ROCECC_BTH_BYTES] = {0};
    rocecc_reader r =
        rocecc_subrange(packet->bytes, packet->headers.bth, packet->headers.end);
    const rocecc_status status = rocecc_icrc_add_ipv6_(rule, packet, 0, state);
    if (status != ROCECC_OK) return status;
    if (!rocecc_icrc_copy_(&r, m, ROCECC_BTH_BYTES)) return ROCECC_ERR_SHORT;
    rocecc_icrc_mask_bth_(m);
    *state = rocecc_icrc_bytes(*state, m, ROCECC_BTH_BYTES);
    return ROCECC_OK;
}

/*
 * Computes the ICRC state up to the end of a packet's BTH, and writes it to *out. The
 * caller must then add the bytes from headers.bth + 12 up to the ICRC. packet->bytes
 * need only contain the headers. The rule AUTO acts as MASKED. Returns NO_MATCH if the
 * packet has no BTH or is partial, RANGE for the rule NONE, and SHORT if the headers go
 * beyond packet->bytes. Returns UNSUPPORTED for an extension header that the rule does
 * not accept. MASKED accepts only options headers and SRHs, STANDARD accepts none, and
 * no rule accepts an AH after IPv4. Under BPF, only STRIPPED accepts extension headers.
 * Returns FORMAT if MASKED finds a malformed SRH, or an option or TLV that overruns its
 * header.
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
#if defined(__bpf__) /* add_rocev2_() handles all packets; one path is enough */
        status = ROCECC_NO_MATCH;
#else
        status = rocecc_icrc_add_adjacent_headers_(rule, packet, &state);
#endif
        if (status == ROCECC_NO_MATCH)
            status = rocecc_icrc_add_rocev2_(rule, packet, &state);
    }
    if (status == ROCECC_OK) *out = state;
    return status;
}

/*
 * Computes the ICRC that a packet should have, or 0 for the rule NONE, and writes it to
 * *out. Returns the statuses of rocecc_icrc_init() except RANGE, and SHORT if the
 * packet goes beyond packet->bytes. Under BPF, returns UNSUPPORTED if more than
 * ROCECC_ICRC_MAX_BYTES bytes are between the BTH and the ICRC. Returns FORMAT if
 * headers.end leaves no room for an ICRC after the BTH. This cannot happen with headers
 * from a walk.
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
        return ROCECC_ERR_FORMAT; /* never after a walk */
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
 * Compares a packet's ICRC with the computed ICRC, and sets out->ok to true if they are
 * equal. Returns OK if an ICRC could be computed, and otherwise the status of
 * rocecc_icrc_compute() for the first rule that was tried. For the rule NONE, out->ok
 * is false. If the packet has no extension headers, all rules except NONE act as
 * STANDARD. If it has extension headers, AUTO tries MASKED, LITERAL and STRIPPED in
 * this order (under BPF, only STRIPPED). out->rule is the rule that matched or, if none
 * did, the first rule for which an ICRC could be computed.
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
        if (!best.ok && best.rule != ROCECC_ICRC_AUTO) continue; /* keep the first */
        best.computed = computed;
        best.rule = (rocecc_icrc_rule)i;
        if (best.ok) break;
    }
    if (best.rule == ROCECC_ICRC_AUTO)
        return first != ROCECC_OK ? first : ROCECC_NO_MATCH; /* `first` is never OK */
    *out = best;
    return ROCECC_OK;
}

/*
 * Verifies the ICRC as rocecc_icrc_verify() does, but without the code for IFA and INT.
 * rocecc_packet_parse_plain() must have returned OK for the packet. Returns UNSUPPORTED
 * if the packet is partial, or if IP, UDP and BTH are not adjacent, for example in a
 * Fast CNP. The caller must then use rocecc_icrc_verify(). Returns SHORT if the packet
 * goes beyond packet->bytes. Under BPF, the caller must not pass a packet with more
 * than ROCECC_ICRC_MAX_BYTES bytes between the BTH and the ICRC.
 */
ROCECC_FN rocecc_status rocecc_icrc_verify_plain(const rocecc_packet *packet,
                                                 rocecc_icrc *out)
{
    const rocecc_headers *f = &packet->headers;
    const size_t end = f->end - (size_t)ROCECC_ICRC_BYTES;
    rocecc_reader r = rocecc_subrange(packet->bytes, end, f->end);
    const uint8_t *b = rocecc_take(&r, ROCECC_ICRC_BYTES);
    uint32_t state = ROCECC_ICRC_START;
    rocecc_status status;
    if (f->partial != ROCECC_PARTIAL_NONE || f->ip.n_ext != 0 ||
        rocecc_icrc_ip_bytes_(ROCECC_ICRC_STANDARD, packet) == 0)
        return ROCECC_ERR_UNSUPPORTED;
    if (b == NULL) return ROCECC_ERR_SHORT;
    status = rocecc_icrc_add_adjacent_headers_(ROCECC_ICRC_STANDARD, packet, &state);
    if (status != ROCECC_OK) return status;
    r = rocecc_subrange(packet->bytes, f->bth + (size_t)ROCECC_BTH_BYTES, end);
    out->value = rocecc_icrc_load(b);
    out->computed = rocecc_icrc_final(rocecc_icrc_update(state, r));
    out->ok = out->value == out->computed;
    out->rule = ROCECC_ICRC_STANDARD;
    return ROCECC_OK;
}

/*
 * Writes the ICRC into the last 4 bytes of a packet. All bytes that the ICRC covers
 * must already be final. The caller must write the UDP checksum, if any, afterwards.
 * `writer` must cover the buffer of packet->bytes, and writer.at is ignored. Returns
 * the statuses of rocecc_icrc_compute(), and SPACE if `writer` ends before the packet
 * does.
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
