/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_EDIT_H
#define ROCECC_PACKET_EDIT_H

/*
 * edit.h - describes a change to a packet in a struct called a plan. A plan inserts,
 * removes or replaces bytes, and updates the 16-bit words of IP, UDP and TCP that
 * depend on these bytes. Functions such as rocecc_ifa_push() make a plan, and
 * rocecc_edit_apply() or rocecc_edit_write() carries it out.
 *
 *     rocecc_ifa_push(&p, &node, 1500, &e);    IFA over IPv4, IP header at 14
 *     e.splice[0]                {50, 0, 32}   inserts 32 bytes at 50, removes none
 *     e.word[IP_LENGTH]          {16, 52, 84}  Total Length 52 becomes 84
 *     e.word[IP_SUM]             {24, 0xa393, 0xa373}
 *     rocecc_edit_apply(&e, &w)                w holds the packet, w.at is its end
 *     rocecc_edit_write(&e, w)                 or this, if the host makes the room
 *
 * A plan stores the old value of every word. If any of these words has another value in
 * the packet, the plan is rejected before any byte changes. A plan contains no pointer,
 * so a BPF map can hold it.
 *
 * Offsets count from the first byte of the buffer, as in headers.h. If the packet is
 * inside an overlay, the plan does not update the headers around the packet. A plan
 * never inserts or removes bytes that an 802.3 or PPPoE length field covers.
 */
#include "packet.h"

/*
 * Size of rocecc_edit's `fill` in bytes. It is large enough for a Hop-by-Hop header
 * with the longest IOAM trace (20 bytes of headers and padding, and 61 words).
 */
#define ROCECC_EDIT_FILL_MAX 264

/*
 * Result of making a plan. Some plans change the packet although their verdict is not
 * CHANGE. See rocecc_edit_needs_action().
 */
typedef enum rocecc_edit_verdict_ {
    ROCECC_EDIT_NONE = 0,    /* nothing to do, e.g. the format is off or absent */
    ROCECC_EDIT_CHANGE,      /* the plan makes the requested change */
    ROCECC_EDIT_BROKEN,      /* the packet is cut off or malformed */
    ROCECC_EDIT_UNSUPPORTED, /* well-formed, but beyond a limit of this library */
    ROCECC_EDIT_PRESENT,     /* insert: the packet already has the header */
    ROCECC_EDIT_HOPS,        /* push: the packet does not allow another node */
    ROCECC_EDIT_FULL,        /* a length field or a trace has no room left */
    ROCECC_EDIT_MTU,         /* the packet would be too long for the link */
    ROCECC_EDIT_UNKNOWN,     /* push, update: requested data is unknown */
    ROCECC_EDIT_AH,          /* an Authentication Header covers the packet */
    ROCECC_EDIT_CHECKSUM,    /* push: the checksum's coverage is unknown */
    ROCECC_EDIT_PROBE,       /* strip: the packet is a probe and ends here */
    ROCECC_EDIT_RANGE,       /* a value does not fit its field */
    ROCECC_EDIT_FRAGMENT     /* push: the record replaces the earlier records */
} ROCECC_IN_8_BITS_(rocecc_edit_verdict);

/*
 * Splice. It replaces old_bytes bytes at `offset` in the unchanged packet with
 * new_bytes bytes of the plan's `fill`.
 */
typedef struct rocecc_edit_splice {
    uint16_t offset;
    uint16_t old_bytes;
    uint16_t new_bytes; /* a multiple of 4 */
} rocecc_edit_splice;

/*
 * 16-bit word at `offset` in the unchanged packet. If the word lies in the bytes that a
 * splice replaces, old_value is still checked, but new_value has no effect. A splice
 * must not begin or end between the two bytes of a word.
 */
typedef struct rocecc_edit_word {
    uint16_t offset;
    uint16_t old_value;
    uint16_t new_value;
} rocecc_edit_word;

/* Indices of the words in a plan. */
typedef enum rocecc_edit_field {
    ROCECC_EDIT_OUTER_LENGTH = 0, /* for IP in IP */
    ROCECC_EDIT_OUTER_SUM,
    ROCECC_EDIT_IP_DSCP,
    ROCECC_EDIT_IP_LENGTH,
    ROCECC_EDIT_IP_PROTO, /* of IP, or of the last extension header */
    ROCECC_EDIT_IP_SUM,
    ROCECC_EDIT_UDP_PORT,
    ROCECC_EDIT_UDP_LENGTH,
    ROCECC_EDIT_UPPER_SUM, /* of UDP or TCP */
    ROCECC_EDIT_FORMAT,    /* first of five words for the format itself */
    ROCECC_EDIT_FIELDS = ROCECC_EDIT_FORMAT + 5
} rocecc_edit_field;

/*
 * Plan of a change. Splices from index n_splices on, and words whose bit in `words` is
 * clear, are not initialised.
 */
typedef struct rocecc_edit {
    ROCECC_ENUM8_(rocecc_edit_verdict) verdict;
    uint8_t n_splices; /* at most 2, in packet order */
    uint16_t words;    /* bit i is set if word[i] is used */
    rocecc_edit_splice splice[2];
    rocecc_edit_word word[ROCECC_EDIT_FIELDS];
    uint8_t fill[ROCECC_EDIT_FILL_MAX]; /* for splice 0, then for splice 1 */
} rocecc_edit;
ROCECC_SIZE_(rocecc_edit, 364);

/*
 * Returns true if the plan is not empty. Its verdict is then CHANGE, HOPS, MTU, FULL or
 * FRAGMENT. For HOPS, the plan sets INT's flag E. For MTU, it sets INT's flag M or
 * IOAM's flag O. For FULL, it sets IOAM's flag O. For FRAGMENT, it replaces IFA's
 * records.
 */
ROCECC_FN bool rocecc_edit_needs_action(const rocecc_edit *edit)
{
    return edit->n_splices != 0 || edit->words != 0;
}

/*
 * Turns `edit` into an empty plan with the given verdict, and returns this verdict.
 * Functions that make a plan call this function first, to empty `edit`.
 */
ROCECC_FN rocecc_edit_verdict rocecc_edit_reject(rocecc_edit *edit,
                                                 rocecc_edit_verdict verdict)
{
    edit->verdict = verdict;
    edit->n_splices = 0;
    edit->words = 0;
    ROCECC_ASSUME_WRITTEN_(edit);
    return verdict;
}

/*
 * Returns CHANGE for the status OK, NONE for NO_MATCH, UNSUPPORTED for ERR_UNSUPPORTED,
 * and BROKEN for any other status.
 */
ROCECC_FN rocecc_edit_verdict rocecc_edit_status_verdict(rocecc_status status)
{
    if (status == ROCECC_OK) return ROCECC_EDIT_CHANGE;
    if (status == ROCECC_NO_MATCH) return ROCECC_EDIT_NONE;
    return status == ROCECC_ERR_UNSUPPORTED ? ROCECC_EDIT_UNSUPPORTED
                                            : ROCECC_EDIT_BROKEN;
}

/* Functions that make a plan. */

/*
 * Adds a splice to a plan. Returns a pointer to the splice's fill, to which the caller
 * must write new_bytes bytes. new_bytes must be a multiple of 4, and a second splice
 * must not begin before the end of the first. If the caller breaks one of these two
 * rules, the functions that carry out the plan return RANGE. `offset` and old_bytes
 * must be at most 65,535. Returns NULL and leaves the plan unchanged if the plan
 * already has two splices, or if `fill` has too little room.
 */
ROCECC_FN uint8_t *rocecc_edit_add_splice(rocecc_edit *edit, size_t offset,
                                          size_t old_bytes, size_t new_bytes)
{
    const size_t n = edit->n_splices;
    const size_t used = n == 1 ? edit->splice[0].new_bytes : 0;
    if (n > 1 || used > ROCECC_EDIT_FILL_MAX || new_bytes > ROCECC_EDIT_FILL_MAX - used)
        return NULL;
    edit->splice[n].offset = (uint16_t)offset;
    edit->splice[n].old_bytes = (uint16_t)old_bytes;
    edit->splice[n].new_bytes = (uint16_t)new_bytes;
    edit->n_splices = (uint8_t)(n + 1);
    return edit->fill + used;
}

/*
 * Returns the 16-bit word at `offset`, or 0 if the word is not entirely in
 * packet->bytes.
 */
ROCECC_FN uint16_t rocecc_edit_load_word(const rocecc_packet *packet, size_t offset)
{
    rocecc_reader r = rocecc_subrange(packet->bytes, offset, offset + 2);
    const uint8_t *b = rocecc_take(&r, 2);
    size_t word = b != NULL ? rocecc_load16(b) : 0;
    ROCECC_BPF_PART_(word);
    return (uint16_t)word;
}

/*
 * Sets word[target] of a plan, so that the 16 bits at `offset` become new_value. If
 * new_value equals the packet's value, the plan checks the word, but does not change
 * it.
 */
ROCECC_FN void rocecc_edit_set_word(rocecc_edit *edit, const rocecc_packet *packet,
                                    rocecc_edit_field target, size_t offset,
                                    uint16_t new_value)
{
    edit->word[target].offset = (uint16_t)offset;
    edit->word[target].old_value = rocecc_edit_load_word(packet, offset);
    edit->word[target].new_value = new_value;
    edit->words = (uint16_t)(edit->words | 1u << target);
}

/*
 * Sets a word of the IP header at headers.ip or, for the target OUTER_LENGTH, at
 * headers.outer. Also patches the IPv4 header checksum (RFC 1624, equation 3), so the
 * caller must not set a target twice in the same plan.
 */
ROCECC_FN void rocecc_edit_set_ip_word_(rocecc_edit *edit, const rocecc_packet *packet,
                                        rocecc_edit_field target, size_t offset,
                                        uint16_t new_value)
{
    const bool outer = target == ROCECC_EDIT_OUTER_LENGTH;
    const rocecc_headers_ip *ip = outer ? &packet->headers.outer : &packet->headers.ip;
    const rocecc_edit_field sum = outer ? ROCECC_EDIT_OUTER_SUM : ROCECC_EDIT_IP_SUM;
    rocecc_edit_set_word(edit, packet, target, offset, new_value);
    if (ip->version != 4) return;
    offset = (size_t)ip->offset + 10;
    if ((edit->words >> sum & 1) == 0)
        rocecc_edit_set_word(edit, packet, sum, offset,
                             rocecc_edit_load_word(packet, offset));
    edit->word[sum].new_value = rocecc_checksum_patch(
        edit->word[sum].new_value, edit->word[target].old_value, new_value);
}

ROCECC_FN void rocecc_edit_grow_one_ip_(rocecc_edit *edit, const rocecc_packet *packet,
                                        rocecc_edit_field target,
                                        const rocecc_headers_ip *ip,
                                        uint16_t added_bytes)
{
    const size_t at = (size_t)ip->offset + (ip->version == 4 ? 2 : 4);
    rocecc_edit_set_ip_word_(
        edit, packet, target, at,
        (uint16_t)(rocecc_edit_load_word(packet, at) + added_bytes));
}

/*
 * Adds `added_bytes` (modulo 2^16) to the length field of every IP header, and updates
 * IPv4 header checksums. The packet must have an IP header. Call this function at most
 * once per plan.
 */
ROCECC_FN void rocecc_edit_grow_ip(rocecc_edit *edit, const rocecc_packet *packet,
                                   uint16_t added_bytes)
{
    if (packet->headers.outer.version != 0)
        rocecc_edit_grow_one_ip_(edit, packet, ROCECC_EDIT_OUTER_LENGTH,
                                 &packet->headers.outer, added_bytes);
    rocecc_edit_grow_one_ip_(edit, packet, ROCECC_EDIT_IP_LENGTH, &packet->headers.ip,
                             added_bytes);
}

/*
 * Checks whether the packet may grow by `added_bytes` (modulo 2^32, so that the packet
 * can also shrink). Returns MTU if the new length, counted from the outermost IP
 * header, would exceed mtu_bytes. Otherwise returns FULL if this length would exceed
 * 65,535 bytes (65,575 for IPv6). Returns CHANGE in all other cases.
 */
ROCECC_FN rocecc_edit_verdict rocecc_edit_may_grow(const rocecc_packet *packet,
                                                   uint32_t added_bytes,
                                                   uint32_t mtu_bytes)
{
    const rocecc_headers_ip *ip = rocecc_packet_outermost(packet);
    const uint32_t bytes = ip->end - ip->offset + added_bytes;
    if (bytes > mtu_bytes) return ROCECC_EDIT_MTU;
    if (bytes > 0xffffu + (ip->version == 6 ? ROCECC_IPV6_BYTES : 0))
        return ROCECC_EDIT_FULL;
    return ROCECC_EDIT_CHANGE;
}

/*
 * Checks whether a plan may change the length of a packet. Returns UNSUPPORTED if an
 * 802.3 or PPPoE length field covers the packet. Otherwise returns AH if covered_by_ah
 * is set, and CHANGE if it is not.
 */
ROCECC_FN rocecc_edit_verdict rocecc_edit_may_change(const rocecc_packet *packet,
                                                     bool covered_by_ah)
{
    if (packet->headers.link != 0) return ROCECC_EDIT_UNSUPPORTED;
    return covered_by_ah ? ROCECC_EDIT_AH : ROCECC_EDIT_CHANGE;
}

/*
 * Returns the offset of the TTL and Protocol word of an IPv4 header, or 0 if an AH
 * follows the header.
 */
ROCECC_FN size_t rocecc_edit_ipv4_proto_offset_(const rocecc_headers_ip *ip)
{
    size_t at = ip->n_ext == 0 ? (size_t)ip->offset + 8 : 0;
    ROCECC_BPF_PART_(at);
    return at;
}

/*
 * Returns the offset of the 16-bit word with the upper layer's protocol number. Returns
 * 0 if an Authentication Header lies anywhere between the last IP header (headers.ip)
 * and the upper layer. The packet must have an IP header.
 */
ROCECC_FN size_t rocecc_edit_proto_offset(const rocecc_packet *packet)
{
    const rocecc_headers_ip *ip = &packet->headers.ip;
    size_t at =
        ip->version == 4 ? rocecc_edit_ipv4_proto_offset_(ip) : (size_t)ip->offset + 6;
    bool ah = false;
    rocecc_ip6ext ext;
    uint8_t type;
    rocecc_reader r = rocecc_packet_exts(packet, ip, &type);
    int i;
    for (i = 0; i < ROCECC_IP6EXT_MAX && !ah; i++) {
        if (rocecc_ip6ext_next(&r, &type, &ext) != ROCECC_OK) break;
        ah = ext.type == ROCECC_PROTO_AH;
        at = ext.header.at;
    }
    if (ah) at = 0;
    ROCECC_BPF_PART_(at);
    return at;
}

/*
 * Checks whether a plan may insert or remove bytes before or after the upper-layer
 * header. proto_offset must come from rocecc_edit_proto_offset(). Returns UNSUPPORTED
 * if an 802.3 or PPPoE length field covers the packet, or if the packet is partial
 * (except a TRIMMED packet without INT). Otherwise returns AH if proto_offset is 0, and
 * CHANGE if it is not.
 */
ROCECC_FN rocecc_edit_verdict rocecc_edit_may_change_upper(const rocecc_packet *packet,
                                                           size_t proto_offset)
{
    const rocecc_headers *f = &packet->headers;
    if (f->partial != ROCECC_PARTIAL_NONE &&
        (f->partial != ROCECC_PARTIAL_TRIMMED || f->intmd != 0))
        return ROCECC_EDIT_UNSUPPORTED;
    return rocecc_edit_may_change(packet, proto_offset == 0);
}

/*
 * Sets the upper layer's protocol number, and updates the IPv4 header checksum.
 * `offset` must be a nonzero result of rocecc_edit_proto_offset(). Call this function
 * at most once per plan.
 */
ROCECC_FN void rocecc_edit_set_proto(rocecc_edit *edit, const rocecc_packet *packet,
                                     size_t offset, uint8_t proto)
{
    const uint16_t was = rocecc_edit_load_word(packet, offset);
    const uint32_t is = packet->headers.ip.version == 4
                            ? (was & 0xff00u) | proto
                            : (was & 0xffu) | (uint32_t)proto << 8;
    rocecc_edit_set_ip_word_(edit, packet, ROCECC_EDIT_IP_PROTO, offset, (uint16_t)is);
}

/*
 * Returns the DSCP of the last IP header (headers.ip). The packet must have an IP
 * header.
 */
ROCECC_FN uint8_t rocecc_edit_dscp(const rocecc_packet *packet)
{
    const uint32_t word = rocecc_edit_load_word(packet, packet->headers.ip.offset);
    return (uint8_t)(word >> (packet->headers.ip.version == 4 ? 2 : 6) & 0x3f);
}

/*
 * Sets the DSCP of the last IP header (headers.ip) to the low 6 bits of `dscp`, and
 * updates the IPv4 header checksum. The packet must have an IP header. Call this
 * function at most once per plan.
 */
ROCECC_FN void rocecc_edit_set_dscp(rocecc_edit *edit, const rocecc_packet *packet,
                                    uint8_t dscp)
{
    const int shift = packet->headers.ip.version == 4 ? 2 : 6;
    const uint32_t was = rocecc_edit_load_word(packet, packet->headers.ip.offset);
    const uint32_t is = (was & ~(0x3fu << shift)) | (dscp & 0x3fu) << shift;
    rocecc_edit_set_ip_word_(edit, packet, ROCECC_EDIT_IP_DSCP,
                             packet->headers.ip.offset, (uint16_t)is);
}

/*
 * Two sums of 16-bit words, for the update of a checksum. One is the sum of the removed
 * words, and the other is the sum of the added words. Only words that the checksum
 * covers are included.
 */
typedef struct rocecc_edit_sum {
    uint32_t removed;
    uint32_t added;
} rocecc_edit_sum;

/*
 * Returns the sum of the 16-bit words in the first n_bytes bytes of `fill`. n_bytes
 * must be a multiple of 4.
 */
ROCECC_FN uint32_t rocecc_edit_fill_sum(const rocecc_edit *edit, size_t n_bytes)
{
    uint32_t sum = 0;
    size_t i;
    for (i = 0; i < ROCECC_EDIT_FILL_MAX; i += 4) {
        if (i >= n_bytes) break;
        sum +=
            (uint32_t)rocecc_load16(edit->fill + i) + rocecc_load16(edit->fill + i + 2);
    }
    return sum;
}

/*
 * Returns `checksum`, updated for the removed and added words in `sum` (RFC 1624,
 * equation 3). For UDP, the caller must replace a result of 0 with 0xffff (RFC 768).
 */
ROCECC_FN uint16_t rocecc_edit_patch_sum(uint16_t checksum, rocecc_edit_sum sum)
{
    sum.added = (sum.added & 0xffff) + (sum.added >> 16);
    return rocecc_checksum_final((uint32_t)(uint16_t)~checksum +
                                 rocecc_checksum_final(sum.removed) + sum.added);
}

/*
 * Adds to a plan the new UDP or TCP checksum of a packet that grows by `added_bytes`
 * (modulo 2^16) and, for UDP, the new UDP Length. headers.ip.proto must be UDP or TCP.
 * `sum` must include all changed words that the checksum covers, except the lengths in
 * the UDP header and the pseudo-header. A UDP checksum of 0 stays 0, and a computed UDP
 * checksum of 0 becomes 0xffff (RFC 768). A second call for the same plan replaces the
 * result of the first call.
 */
ROCECC_FN void rocecc_edit_grow_upper(rocecc_edit *edit, const rocecc_packet *packet,
                                      uint16_t added_bytes, rocecc_edit_sum sum)
{
    const bool udp = packet->headers.ip.proto == ROCECC_PROTO_UDP;
    const size_t upper = packet->headers.ip.upper;
    const size_t at = upper + (udp ? 6 : 16);
    const uint16_t was = rocecc_edit_load_word(packet, at);
    uint16_t is;
    if (udp) {
        const uint16_t length = rocecc_edit_load_word(packet, upper + 4);
        rocecc_edit_set_word(edit, packet, ROCECC_EDIT_UDP_LENGTH, upper + 4,
                             (uint16_t)(length + added_bytes));
        sum.removed += length * 2u; /* in the header and the pseudo-header */
        sum.added += (uint16_t)(length + added_bytes) * 2u;
    } else if (added_bytes < 0x8000) {
        sum.added += added_bytes;
    } else {
        sum.removed += (uint16_t)(0 - added_bytes);
    }
    is = rocecc_edit_patch_sum(was, sum);
    if (udp && is == 0) is = 0xffff;
    if (udp && was == 0) is = 0;
    rocecc_edit_set_word(edit, packet, ROCECC_EDIT_UPPER_SUM, at, is);
}

/* Functions that carry out a plan. */

/*
 * Returns a pointer to the n_bytes bytes at `offset`, or NULL if they extend beyond the
 * end of the buffer.
 */
ROCECC_FN uint8_t *rocecc_edit_bytes_at_(rocecc_writer writer, size_t offset,
                                         size_t n_bytes)
{
    if (offset > writer.end) return NULL;
    writer.at = offset;
    return rocecc_put(&writer, n_bytes);
}

ROCECC_FN size_t rocecc_edit_growth_(const rocecc_edit_splice *splice)
{
    return splice->new_bytes > splice->old_bytes
               ? (size_t)splice->new_bytes - splice->old_bytes
               : 0;
}

/*
 * Returns the new offset of a byte after the first n_gaps splices have opened their
 * gaps. `offset` is the byte's offset in the unchanged packet. A splice opens a gap
 * right after its old bytes if new_bytes is larger than old_bytes.
 */
ROCECC_FN size_t rocecc_edit_shifted_offset_(const rocecc_edit *edit, size_t offset,
                                             int n_gaps)
{
    size_t more = 0;
    int i;
    for (i = 0; i < 2; i++)
        if (i < n_gaps &&
            (size_t)edit->splice[i].offset + edit->splice[i].old_bytes <= offset)
            more += rocecc_edit_growth_(&edit->splice[i]);
    offset += more;
    ROCECC_BPF_PART_(offset);
    return offset;
}

/*
 * Checks a plan against the packet in writer.base[0 .. writer.end). Returns RANGE if
 * the splices break a rule of rocecc_edit_add_splice(), and NO_MATCH if the packet does
 * not fit the plan.
 */
ROCECC_FN rocecc_status rocecc_edit_check_(const rocecc_edit *edit,
                                           rocecc_writer writer, bool gaps_open)
{
    const int n = gaps_open ? edit->n_splices : 0;
    size_t is = 0, from = 0;
    int i;
    if (edit->n_splices > 2) return ROCECC_ERR_RANGE;
    for (i = 0; i < 2 && i < edit->n_splices; i++) {
        const rocecc_edit_splice *s = &edit->splice[i];
        const size_t bytes = s->old_bytes + (gaps_open ? rocecc_edit_growth_(s) : 0);
        is += s->new_bytes;
        if (s->new_bytes % 4 != 0 || is > ROCECC_EDIT_FILL_MAX || s->offset < from)
            return ROCECC_ERR_RANGE;
        from = (size_t)s->offset + s->old_bytes;
        if (rocecc_edit_bytes_at_(
                writer, rocecc_edit_shifted_offset_(edit, s->offset, i < n ? i : 0),
                bytes) == NULL)
            return ROCECC_NO_MATCH;
    }
    for (i = 0; i < ROCECC_EDIT_FIELDS; i++) {
        const rocecc_edit_word *word = &edit->word[i];
        const uint8_t *b;
        if ((edit->words >> i & 1) == 0) continue;
        b = rocecc_edit_bytes_at_(
            writer, rocecc_edit_shifted_offset_(edit, word->offset, n), 2);
        if (b == NULL || rocecc_load16(b) != word->old_value) return ROCECC_NO_MATCH;
    }
    return ROCECC_OK;
}

/* Writes the words and then the fill of a checked plan to a packet with open gaps. */
ROCECC_FN void rocecc_edit_store_(const rocecc_edit *edit, rocecc_writer writer)
{
    size_t from = 0, end = 0;
    int i;
    for (i = 0; i < ROCECC_EDIT_FIELDS; i++) {
        uint8_t *b;
        if ((edit->words >> i & 1) == 0) continue;
        b = rocecc_edit_bytes_at_(
            writer,
            rocecc_edit_shifted_offset_(edit, edit->word[i].offset, edit->n_splices),
            2);
        if (b != NULL) rocecc_store16(b, edit->word[i].new_value);
    }
    for (i = 0; i < 2 && i < edit->n_splices; i++) {
        size_t at = rocecc_edit_shifted_offset_(edit, edit->splice[i].offset, i);
        end += edit->splice[i].new_bytes;
        for (; from < end && from < ROCECC_EDIT_FILL_MAX; from += 4, at += 4) {
            uint8_t *b = rocecc_edit_bytes_at_(writer, at, 4);
            if (b == NULL) return;
            rocecc_store32(b, rocecc_load32(edit->fill + from));
        }
    }
}

/*
 * Carries out a plan for a host that resizes the packet itself. The host must first
 * insert new_bytes - old_bytes bytes right after the old bytes of each splice that
 * grows. After OK, the host must remove old_bytes - new_bytes bytes right after the new
 * bytes of each splice that shrinks. `writer` must cover the whole buffer, and
 * writer.at is ignored. Returns RANGE or NO_MATCH in the same cases as
 * rocecc_edit_apply(). On failure nothing is written, and the host must then remove the
 * bytes that it inserted. edit->verdict is ignored.
 */
ROCECC_FN rocecc_status rocecc_edit_write(const rocecc_edit *edit, rocecc_writer writer)
{
    const rocecc_status status = rocecc_edit_check_(edit, writer, true);
    if (status == ROCECC_OK) rocecc_edit_store_(edit, writer);
    return status;
}

#if ROCECC_SHORTCUTS && defined(__GNUC__) && !defined(__FRAMAC__)
ROCECC_FN void rocecc_edit_move_(rocecc_writer writer, size_t source, size_t target,
                                 size_t n_bytes)
{
    const uint8_t *from = rocecc_edit_bytes_at_(writer, source, n_bytes);
    uint8_t *to = rocecc_edit_bytes_at_(writer, target, n_bytes);
    if (from != NULL && to != NULL && n_bytes != 0)
        __builtin_memmove(to, from, n_bytes);
}
#else
/*
 * Moves n_bytes bytes (at most 64). Returns false if the source or the target is not
 * entirely in the buffer.
 */
ROCECC_INLINE bool rocecc_edit_move_n_(rocecc_writer writer, size_t source,
                                       size_t target, size_t n_bytes)
{
    const uint8_t *a = rocecc_edit_bytes_at_(writer, source, n_bytes);
    uint8_t *b = rocecc_edit_bytes_at_(writer, target, n_bytes);
    uint8_t copy[64];
    size_t i;
    if (a == NULL || b == NULL) return false;
    for (i = 0; i < n_bytes; i++)
        copy[i] = a[i];
    for (i = 0; i < n_bytes; i++)
        b[i] = copy[i];
    return true;
}

/*
 * Moves n_bytes bytes in steps of 64, 8 or 1 bytes. A move upwards starts with the last
 * bytes, and a move downwards with the first bytes, because source and target may
 * overlap.
 */
ROCECC_FN void rocecc_edit_move_(rocecc_writer writer, size_t source, size_t target,
                                 size_t n_bytes)
{
    size_t left = n_bytes;
    bool ok = true;
    while (ok && left > 0) {
        const size_t step = left >= 64 ? 64 : left >= 8 ? 8 : 1;
        const size_t k = source < target ? left - step : n_bytes - left;
        if (step == 64)
            ok = rocecc_edit_move_n_(writer, source + k, target + k, 64);
        else if (step == 8)
            ok = rocecc_edit_move_n_(writer, source + k, target + k, 8);
        else
            ok = rocecc_edit_move_n_(writer, source + k, target + k, 1);
        left -= step;
    }
}
#endif

/*
 * Carries out a plan on the packet in writer->base[0 .. writer->at), and sets
 * writer->at to the packet's new end. Returns RANGE if the plan is malformed. Returns
 * NO_MATCH if a word does not have its old value, or if a word or a splice extends
 * beyond the end of the packet. First enlarges the packet for all splices that grow,
 * and then shrinks the packet for the other splices. Returns SPACE if the enlarged
 * packet would not fit into the buffer. On failure nothing changes. edit->verdict is
 * ignored.
 */
ROCECC_FN rocecc_status rocecc_edit_apply(const rocecc_edit *edit,
                                          rocecc_writer *writer)
{
    const int last = edit->n_splices - 1;
    rocecc_writer packet = *writer;
    rocecc_status status;
    size_t end = writer->at;
    int i;
    packet.end = end;
    status = rocecc_edit_check_(edit, packet, false);
    if (status != ROCECC_OK) return status;
    packet.end = writer->end;
    if (rocecc_edit_shifted_offset_(edit, end, last + 1) > writer->end)
        return ROCECC_ERR_SPACE;
    for (i = last; i >= 0; i--) {
        const size_t from = (size_t)edit->splice[i].offset + edit->splice[i].old_bytes;
        const size_t gap = rocecc_edit_growth_(&edit->splice[i]);
        if (gap != 0) rocecc_edit_move_(packet, from, from + gap, end - from);
        end += gap;
    }
    rocecc_edit_store_(edit, packet);
    for (i = last; i >= 0; i--) {
        const rocecc_edit_splice *s = &edit->splice[i];
        const size_t to =
            rocecc_edit_shifted_offset_(edit, s->offset, i) + s->new_bytes;
        const size_t cut =
            s->old_bytes > s->new_bytes ? (size_t)s->old_bytes - s->new_bytes : 0;
        if (cut != 0) rocecc_edit_move_(packet, to + cut, to, end - to - cut);
        end -= cut;
    }
    writer->at = end;
    return ROCECC_OK;
}

#endif /* ROCECC_PACKET_EDIT_H */
