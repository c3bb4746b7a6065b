/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_EDIT_H
#define ROCECC_PACKET_EDIT_H

/*
 * edit.h - a change of a packet as one value: bytes that are put in, taken out or
 * replaced, and the 16-bit words of IP, UDP and TCP that have to follow. A plan is made
 * from a packet by rocecc_ifa_push() and its like, and is carried out here.
 *
 *     rocecc_ifa_push(&p, &node, 1500, &e);    IFA over IPv4, IP header at 14
 *     e.splice[0]                {50, 0, 32}   32 bytes of fill at 50, none go
 *     e.word[IP_LENGTH]          {16, 52, 84}  the packet has 84 bytes then
 *     e.word[IP_SUM]             {24, 0xa393, 0xa373}
 *     rocecc_edit_apply(&e, &w)                w has the packet: w.at is its end
 *     rocecc_edit_write(&e, w)                 or this, where the host makes the room
 *
 * Every word holds what the packet had when the plan was made. A packet that has
 * something else there is refused before a byte of it has changed. No pointer is in a
 * plan: a map of a BPF program can hold it.
 *
 * Offsets count from the first byte of the buffer, as those of headers.h do. The packet
 * begins with its link layer or with IP; of a packet inside an overlay, the lengths and
 * checksums around it are not known here, and stay. A packet that a length of 802.3 or
 * PPPoE counts is left alone.
 */
#include "packet.h"

/* A Hop-by-Hop header with the longest trace of IOAM: 20 bytes and 61 words. */
#define ROCECC_EDIT_FILL_MAX 264

/* Why a packet is to be changed, or is not: rocecc_edit_needs_action() says which. */
typedef enum rocecc_edit_verdict_ {
    ROCECC_EDIT_NONE = 0,    /* nothing to do: it is off, or the packet has none */
    ROCECC_EDIT_CHANGE,      /* what was asked for */
    ROCECC_EDIT_BROKEN,      /* the packet is cut off, or its lengths contradict */
    ROCECC_EDIT_UNSUPPORTED, /* well-formed, but more than this build looks at */
    ROCECC_EDIT_PRESENT,     /* insert: the packet has it already */
    ROCECC_EDIT_HOPS,        /* push: its count of nodes has come to 0 */
    ROCECC_EDIT_FULL,        /* a length would overflow, or pass its maximum */
    ROCECC_EDIT_MTU,         /* the packet would be too long for the link */
    ROCECC_EDIT_UNKNOWN,     /* push: it asks for what this node does not know */
    ROCECC_EDIT_AH,          /* an Authentication Header covers the packet */
    ROCECC_EDIT_CHECKSUM,    /* push: a checksum whose rule is not public */
    ROCECC_EDIT_PROBE,       /* strip: the packet is a probe, and ends here */
    ROCECC_EDIT_RANGE,       /* what is to be written does not fit its fields */
    ROCECC_EDIT_FRAGMENT     /* push: in place of the records that were there */
} ROCECC_IN_8_BITS_(rocecc_edit_verdict);

/* Replaces `old_bytes` bytes at `offset` of the unchanged packet by `new_bytes` of
 * fill. */
typedef struct rocecc_edit_splice {
    uint16_t offset;
    uint16_t old_bytes;
    uint16_t new_bytes; /* a multiple of 4 */
} rocecc_edit_splice;

/* 16 bits at `offset` of the unchanged packet, outside of the splices. */
typedef struct rocecc_edit_word {
    uint16_t offset;
    uint16_t old_value;
    uint16_t new_value;
} rocecc_edit_word;

/* Each word has its place in a plan. */
typedef enum rocecc_edit_field {
    ROCECC_EDIT_OUTER_LENGTH = 0, /* of IP in IP */
    ROCECC_EDIT_OUTER_SUM,
    ROCECC_EDIT_IP_DSCP,
    ROCECC_EDIT_IP_LENGTH,
    ROCECC_EDIT_IP_PROTO, /* of IP, or of the last extension header */
    ROCECC_EDIT_IP_SUM,
    ROCECC_EDIT_UDP_PORT,
    ROCECC_EDIT_UDP_LENGTH,
    ROCECC_EDIT_UPPER_SUM, /* of UDP or TCP */
    ROCECC_EDIT_FORMAT,    /* the first of five for the format itself */
    ROCECC_EDIT_FIELDS = ROCECC_EDIT_FORMAT + 5
} rocecc_edit_field;

/* What n_splices and words do not count has no value. */
typedef struct rocecc_edit {
    ROCECC_ENUM8_(rocecc_edit_verdict) verdict;
    uint8_t n_splices; /* at most 2, in the order of the packet */
    uint16_t words;    /* bit i: there is a word[i] */
    rocecc_edit_splice splice[2];
    rocecc_edit_word word[ROCECC_EDIT_FIELDS];
    uint8_t fill[ROCECC_EDIT_FILL_MAX]; /* of splice 0, then of splice 1 */
} rocecc_edit;
ROCECC_SIZE_(rocecc_edit, 364);

/* Whether there is something to write: also where the verdict is why it is not what was
 * asked for, and the packet is to say so (INT's E and M, IOAM's O; IFA's MF). */
ROCECC_FN bool rocecc_edit_needs_action(const rocecc_edit *edit)
{
    return edit->n_splices != 0 || edit->words != 0;
}

/* A plan that does nothing, for this reason. */
ROCECC_FN rocecc_edit_verdict rocecc_edit_reject(rocecc_edit *edit,
                                                 rocecc_edit_verdict verdict)
{
    edit->verdict = verdict;
    edit->n_splices = 0;
    edit->words = 0;
    ROCECC_ASSUME_WRITTEN_(edit);
    return verdict;
}

/* What a status of reading says of the packet that was to be changed. */
ROCECC_FN rocecc_edit_verdict rocecc_edit_status_verdict(rocecc_status status)
{
    if (status == ROCECC_OK) return ROCECC_EDIT_CHANGE;
    if (status == ROCECC_NO_MATCH) return ROCECC_EDIT_NONE;
    return status == ROCECC_ERR_UNSUPPORTED ? ROCECC_EDIT_UNSUPPORTED
                                            : ROCECC_EDIT_BROKEN;
}

/* Making a plan. */

/*
 * Adds a splice; the caller fills its `new_bytes` bytes, which are returned. NULL:
 * there is no room in fill, or there are two splices already.
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

/* 16 bits of a packet; 0 where it has none. */
ROCECC_FN uint16_t rocecc_edit_load_word(const rocecc_packet *packet, size_t offset)
{
    rocecc_reader r = rocecc_subrange(packet->bytes, offset, offset + 2);
    const uint8_t *b = rocecc_take(&r, 2);
    size_t word = b != NULL ? rocecc_load16(b) : 0;
    ROCECC_BPF_PART_(word);
    return (uint16_t)word;
}

/*
 * The 16 bits at `offset` become new_value; where it is the old value, they are
 * compared and stay.
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

/* A word of an IP header; IPv4's header checksum follows it. RFC 1624, equation 3. */
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

/* One IP header says that it has `added_bytes` bytes more, modulo 2^16. */
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

/* All IP headers do. */
ROCECC_FN void rocecc_edit_grow_ip(rocecc_edit *edit, const rocecc_packet *packet,
                                   uint16_t added_bytes)
{
    if (packet->headers.outer.version != 0)
        rocecc_edit_grow_one_ip_(edit, packet, ROCECC_EDIT_OUTER_LENGTH,
                                 &packet->headers.outer, added_bytes);
    rocecc_edit_grow_one_ip_(edit, packet, ROCECC_EDIT_IP_LENGTH, &packet->headers.ip,
                             added_bytes);
}

/* Whether the packet may have `added_bytes` bytes more; mtu_bytes counts from IP on. */
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
 * Whether a plan may change the length of a packet. AH: an Authentication Header covers
 * it. UNSUPPORTED: a length of 802.3 or PPPoE before IP counts it, and no plan corrects
 * such a one.
 */
ROCECC_FN rocecc_edit_verdict rocecc_edit_may_change(const rocecc_packet *packet,
                                                     bool covered_by_ah)
{
    if (packet->headers.link != 0) return ROCECC_EDIT_UNSUPPORTED;
    return covered_by_ah ? ROCECC_EDIT_AH : ROCECC_EDIT_CHANGE;
}

/* Where an IPv4 header says what follows it. 0: that is an Authentication Header. */
ROCECC_FN size_t rocecc_edit_ipv4_proto_offset_(const rocecc_headers_ip *ip)
{
    size_t at = ip->n_ext == 0 ? (size_t)ip->offset + 8 : 0;
    ROCECC_BPF_PART_(at);
    return at;
}

/*
 * Where the 16 bits are in which IP, or the last of its extension headers, says what
 * follows. 0: an Authentication Header is among them, and covers all that follows.
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
 * As rocecc_edit_may_change(), of what stands next to UDP or TCP; proto_offset is the
 * above. A part of a packet is left alone, since the lengths there are those of all of
 * it; but IFA, whose bytes UDP Length does not count, may go into a trimmed one.
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

/* IP, or its last extension header, says that proto follows; at is the above. */
ROCECC_FN void rocecc_edit_set_proto(rocecc_edit *edit, const rocecc_packet *packet,
                                     size_t offset, uint8_t proto)
{
    const uint16_t was = rocecc_edit_load_word(packet, offset);
    const uint32_t is = packet->headers.ip.version == 4
                            ? (was & 0xff00u) | proto
                            : (was & 0xffu) | (uint32_t)proto << 8;
    rocecc_edit_set_ip_word_(edit, packet, ROCECC_EDIT_IP_PROTO, offset, (uint16_t)is);
}

/* DSCP of the IP header next to UDP or TCP. */
ROCECC_FN uint8_t rocecc_edit_dscp(const rocecc_packet *packet)
{
    const uint32_t word = rocecc_edit_load_word(packet, packet->headers.ip.offset);
    return (uint8_t)(word >> (packet->headers.ip.version == 4 ? 2 : 6) & 0x3f);
}

/* That IP header gets another DSCP, of which the low 6 bits count. */
ROCECC_FN void rocecc_edit_set_dscp(rocecc_edit *edit, const rocecc_packet *packet,
                                    uint8_t dscp)
{
    const int shift = packet->headers.ip.version == 4 ? 2 : 6;
    const uint32_t was = rocecc_edit_load_word(packet, packet->headers.ip.offset);
    const uint32_t is = (was & ~(0x3fu << shift)) | (dscp & 0x3fu) << shift;
    rocecc_edit_set_ip_word_(edit, packet, ROCECC_EDIT_IP_DSCP,
                             packet->headers.ip.offset, (uint16_t)is);
}

/* Sums of 16-bit words that a checksum covers: those that go, and those that come. */
typedef struct rocecc_edit_sum {
    uint32_t removed;
    uint32_t added;
} rocecc_edit_sum;

/* The sum of the first n_bytes of fill, a multiple of 4. */
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

/* A checksum after sum has changed under it. RFC 1624, equation 3. */
ROCECC_FN uint16_t rocecc_edit_patch_sum(uint16_t checksum, rocecc_edit_sum sum)
{
    sum.added = (sum.added & 0xffff) + (sum.added >> 16);
    return rocecc_checksum_final((uint32_t)(uint16_t)~checksum +
                                 rocecc_checksum_final(sum.removed) + sum.added);
}

/*
 * UDP or TCP, right after IP, has `added_bytes` bytes more, modulo 2^16, and under its
 * checksum sum has changed besides. A UDP checksum of 0 is no checksum, and stays: RFC
 * 768.
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
        sum.removed += length * 2u; /* here and in the pseudo-header */
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

/* Carrying a plan out. */

/* n_bytes at an offset from the start of the buffer, or NULL. */
ROCECC_FN uint8_t *rocecc_edit_bytes_at_(rocecc_writer writer, size_t offset,
                                         size_t n_bytes)
{
    if (offset > writer.end) return NULL;
    writer.at = offset;
    return rocecc_put(&writer, n_bytes);
}

/* By how many bytes a splice makes the packet longer; 0: it does not. */
ROCECC_FN size_t rocecc_edit_growth_(const rocecc_edit_splice *splice)
{
    return splice->new_bytes > splice->old_bytes
               ? (size_t)splice->new_bytes - splice->old_bytes
               : 0;
}

/* Where an offset of the packet as it was is once the first n_gaps are open. */
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

/* Whether a plan is one, and the packet, with gaps open or not, the one it is for. */
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

/* The words and the fill of a plan that was checked. */
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
 * Writes a plan where the host makes the room: for a splice that grows, the new
 * bytes are there already, after its old bytes; of one that shrinks, the host takes
 * the difference out, after its new bytes, when this is done. writer is the whole
 * buffer. NO_MATCH: the packet is not the one that the plan was made for. RANGE: it is
 * no plan. Then nothing has changed. A plan that does nothing is OK.
 */
ROCECC_FN rocecc_status rocecc_edit_write(const rocecc_edit *edit, rocecc_writer writer)
{
    const rocecc_status status = rocecc_edit_check_(edit, writer, true);
    if (status == ROCECC_OK) rocecc_edit_store_(edit, writer);
    return status;
}

#if ROCECC_SHORTCUTS && defined(__GNUC__) && !defined(__FRAMAC__)
/* Moves any number of bytes, which overlap: there is a C library. */
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
 * Moves n_bytes <= 64 bytes from one offset to another. False: they are not all in
 * writer.
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
 * Moves any number of bytes in steps that compilers know, up from the last, down from
 * the first, so that none is written to before it was read.
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
 * Carries a plan out on a packet that writer has written from the start of the buffer
 * on: opens the gaps, writes, and closes them; writer moves with the packet's end.
 * SPACE: there is no room for the gaps. Otherwise as rocecc_edit_write().
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
