/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_IP_H
#define ROCECC_WIRE_IP_H

/*
 * ip.h - the IPv4 header with its options, the IPv6 header with its chain of extension
 * headers, and the Internet checksum. RFC 791, 3.1; RFC 8200, 3 and 4.
 *
 *     45c2003c 718c4000 40119161 0a001101 0a001201     IPv4: DSCP 48, ECT(0), 60 bytes,
 *                              DF, TTL 64, UDP, from 10.0.17.1 to 10.0.18.1
 */
#include "../bytes.h"
#include "../net.h"
#include "ipaddr.h"

#define ROCECC_PROTO_HOPOPTS 0u /* IPv6 Hop-by-Hop Options */
#define ROCECC_PROTO_IPV4 4u    /* IPv4 inside IP */
#define ROCECC_PROTO_TCP 6u
#define ROCECC_PROTO_UDP 17u
#define ROCECC_PROTO_IPV6 41u /* IPv6 inside IP */
#define ROCECC_PROTO_ROUTING 43u
#define ROCECC_PROTO_FRAGMENT 44u
#define ROCECC_PROTO_ESP 50u
#define ROCECC_PROTO_AH 51u
#define ROCECC_PROTO_ICMP6 58u
#define ROCECC_PROTO_NONE 59u /* IPv6: nothing follows */
#define ROCECC_PROTO_DSTOPTS 60u
#define ROCECC_PROTO_MOBILITY 135u
#define ROCECC_PROTO_HIP 139u
#define ROCECC_PROTO_SHIM6 140u

/*
 * Maximum number of extension headers. The walk in packet/walk.h returns UNSUPPORTED
 * for more headers. rocecc_ip6ext_next() does not enforce this limit.
 */
#ifndef ROCECC_IP6EXT_MAX
#if defined(__bpf__)
#define ROCECC_IP6EXT_MAX 4
#else
#define ROCECC_IP6EXT_MAX 8
#endif
#endif

/*
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |Version|  IHL  |   DSCP    |ECN|          Total Length         |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |         Identification        |0|D|M|     Fragment Offset     |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  Time to Live |    Protocol   |        Header Checksum        |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                         Source Address                        |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                      Destination Address                      |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                 Options: 4 * (IHL - 5) bytes                  |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
#define ROCECC_IPV4_BYTES 20 /* without options */
#define ROCECC_IPV4_OPTIONS_MAX_BYTES 40

/* Option types. RFC 791, 3.1. All options except END and NOP have a length field. */
#define ROCECC_IPV4_OPTION_END 0u
#define ROCECC_IPV4_OPTION_NOP 1u
#define ROCECC_IPV4_OPTION_LSRR 131u /* loose source route */
#define ROCECC_IPV4_OPTION_SSRR 137u /* strict source route */

/* An IPv4 header. Version is 4, and the options' length determines IHL. */
typedef struct rocecc_ipv4 {
    uint8_t dscp; /* Differentiated Services codepoint; 6 bits */
    ROCECC_ENUM8_(rocecc_ecn) ecn;
    uint16_t total_length; /* length of header and data */
    uint16_t identification;
    bool reserved;            /* reserved flag; the first flag */
    bool df;                  /* Don't Fragment flag; D */
    bool mf;                  /* More Fragments flag; M */
    uint16_t fragment_offset; /* offset in the original datagram's data; 13 bits, in
                                 units of 8 bytes */
    uint8_t ttl;
    uint8_t protocol;
    uint16_t header_checksum;
    rocecc_ip4 src;
    rocecc_ip4 dst;
    rocecc_reader options; /* IPv4 options; a multiple of 4 bytes, at most 40 */
} rocecc_ipv4;

/*
 * Parses an IPv4 header. `reader` need not contain the data after the header. Does not
 * check the checksum. Returns SHORT if the header extends beyond `reader`, and FORMAT
 * if Version is not 4, IHL is below 5, or Total Length is below the header length.
 */
ROCECC_FN rocecc_status rocecc_ipv4_parse(rocecc_reader *reader, rocecc_ipv4 *out)
{
    rocecc_reader rest = *reader;
    const uint8_t *b = rocecc_take(&rest, ROCECC_IPV4_BYTES);
    size_t header;
    uint16_t flags;
    if (b == NULL) return ROCECC_ERR_SHORT;
    header = (size_t)(b[0] & 0xf) * 4;
    if (b[0] >> 4 != 4 || header < ROCECC_IPV4_BYTES || rocecc_load16(b + 2) < header)
        return ROCECC_ERR_FORMAT;
    if (!rocecc_split(&rest, header - ROCECC_IPV4_BYTES, &out->options))
        return ROCECC_ERR_SHORT;
    flags = rocecc_load16(b + 6);
    out->dscp = b[1] >> 2;
    out->ecn = (rocecc_ecn)(b[1] & 0x3);
    out->total_length = rocecc_load16(b + 2);
    out->identification = rocecc_load16(b + 4);
    out->reserved = (flags >> 15 & 1) != 0;
    out->df = (flags >> 14 & 1) != 0;
    out->mf = (flags >> 13 & 1) != 0;
    out->fragment_offset = flags & 0x1fff;
    out->ttl = b[8];
    out->protocol = b[9];
    out->header_checksum = rocecc_load16(b + 10);
    out->src = rocecc_ip4_load(b + 12);
    out->dst = rocecc_ip4_load(b + 16);
    *reader = rest;
    return ROCECC_OK;
}

/*
 * Writes an IPv4 header, and copies its checksum from `header`. Returns RANGE if a
 * value is wider than its field, if the options exceed 40 bytes or are not a multiple
 * of 4 bytes, or if Total Length is below the header length. Returns SPACE if `writer`
 * is too small.
 */
ROCECC_FN rocecc_status rocecc_ipv4_emit(rocecc_writer *writer,
                                         const rocecc_ipv4 *header)
{
    const size_t options = rocecc_left(&header->options);
    rocecc_writer out = *writer;
    uint8_t *b;
    if (options > ROCECC_IPV4_OPTIONS_MAX_BYTES || options % 4 != 0 ||
        header->total_length < ROCECC_IPV4_BYTES + options || header->dscp >> 6 != 0 ||
        header->ecn >> 2 != 0 || header->fragment_offset >> 13 != 0)
        return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < ROCECC_IPV4_BYTES + options) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, ROCECC_IPV4_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    b[0] = (uint8_t)(0x45 + options / 4);
    b[1] = (uint8_t)(header->dscp << 2 | header->ecn);
    rocecc_store16(b + 2, header->total_length);
    rocecc_store16(b + 4, header->identification);
    rocecc_store16(b + 6, (uint16_t)(header->reserved << 15 | header->df << 14 |
                                     header->mf << 13 | header->fragment_offset));
    b[8] = header->ttl;
    b[9] = header->protocol;
    rocecc_store16(b + 10, header->header_checksum);
    rocecc_ip4_store(b + 12, &header->src);
    rocecc_ip4_store(b + 16, &header->dst);
    if (!rocecc_append(&out, header->options, ROCECC_IPV4_OPTIONS_MAX_BYTES))
        return ROCECC_ERR_SPACE;
    *writer = out;
    return ROCECC_OK;
}

/*
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |Version|   DSCP    |ECN|             Flow Label                |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |         Payload Length        |  Next Header  |   Hop Limit   |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                   Source Address, 16 bytes                    |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                 Destination Address, 16 bytes                 |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
#define ROCECC_IPV6_BYTES 40

/* An IPv6 header. Version is 6. */
typedef struct rocecc_ipv6 {
    uint8_t dscp; /* Differentiated Services codepoint; 6 bits; with ECN, the Traffic
                     Class */
    ROCECC_ENUM8_(rocecc_ecn) ecn;
    uint32_t flow_label;     /* flow identifier for routers; 20 bits */
    uint16_t payload_length; /* length of all data after this header; in bytes,
                                including extension headers */
    uint8_t next_header;
    uint8_t hop_limit;
    rocecc_ip6 src;
    rocecc_ip6 dst;
} rocecc_ipv6;

/*
 * Parses an IPv6 header. Returns SHORT for fewer than 40 bytes, and FORMAT if Version
 * is not 6.
 */
ROCECC_FN rocecc_status rocecc_ipv6_parse(rocecc_reader *reader, rocecc_ipv6 *out)
{
    rocecc_reader rest = *reader;
    const uint8_t *b = rocecc_take(&rest, ROCECC_IPV6_BYTES);
    uint32_t w0;
    if (b == NULL) return ROCECC_ERR_SHORT;
    w0 = rocecc_load32(b);
    if (w0 >> 28 != 6) return ROCECC_ERR_FORMAT;
    out->dscp = (uint8_t)(w0 >> 22 & 0x3f);
    out->ecn = (rocecc_ecn)(w0 >> 20 & 0x3);
    out->flow_label = w0 & 0xfffff;
    out->payload_length = rocecc_load16(b + 4);
    out->next_header = b[6];
    out->hop_limit = b[7];
    out->src = rocecc_ip6_load(b + 8);
    out->dst = rocecc_ip6_load(b + 24);
    *reader = rest;
    return ROCECC_OK;
}

/*
 * Writes an IPv6 header. Returns RANGE if a value is wider than its field, and SPACE if
 * 40 bytes do not fit.
 */
ROCECC_FN rocecc_status rocecc_ipv6_emit(rocecc_writer *writer,
                                         const rocecc_ipv6 *header)
{
    uint8_t *b;
    if (header->dscp >> 6 != 0 || header->ecn >> 2 != 0 ||
        header->flow_label >> 20 != 0)
        return ROCECC_ERR_RANGE;
    b = rocecc_put(writer, ROCECC_IPV6_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store32(b, 6u << 28 | (uint32_t)header->dscp << 22 |
                          (uint32_t)header->ecn << 20 | header->flow_label);
    rocecc_store16(b + 4, header->payload_length);
    b[6] = header->next_header;
    b[7] = header->hop_limit;
    rocecc_ip6_store(b + 8, &header->src);
    rocecc_ip6_store(b + 24, &header->dst);
    return ROCECC_OK;
}

/* An extension header. */
typedef struct rocecc_ip6ext {
    uint8_t type;         /* Next Header in the previous header */
    rocecc_reader header; /* whole header; its first byte is the next type */
} rocecc_ip6ext;

/*
 * Returns true if rocecc_ip6ext_next() can step over an extension header of type
 * `type`.
 */
ROCECC_INLINE bool rocecc_ip6ext_match(uint8_t type)
{
    return type == ROCECC_PROTO_HOPOPTS || type == ROCECC_PROTO_ROUTING ||
           type == ROCECC_PROTO_FRAGMENT || type == ROCECC_PROTO_AH ||
           type == ROCECC_PROTO_DSTOPTS || type == ROCECC_PROTO_MOBILITY ||
           type == ROCECC_PROTO_HIP || type == ROCECC_PROTO_SHIM6;
}

/*
 * Steps over one extension header. *type must be the header's type. On success, *type
 * is set to the header's Next Header field. The caller must stop after a Fragment
 * header whose offset is not 0. Returns END if *type is an upper-layer protocol or 59
 * (nothing follows), UNSUPPORTED for ESP, and SHORT if the header extends beyond
 * `reader`.
 */
ROCECC_INLINE rocecc_status rocecc_ip6ext_next(rocecc_reader *reader, uint8_t *type,
                                               rocecc_ip6ext *out)
{
    rocecc_reader rest = *reader;
    const uint8_t *b;
    size_t bytes = 8; /* a Fragment header has no length field */
    if (*type == ROCECC_PROTO_ESP) return ROCECC_ERR_UNSUPPORTED;
    if (!rocecc_ip6ext_match(*type)) return ROCECC_END;
    b = rocecc_take(&rest, 2);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (*type != ROCECC_PROTO_FRAGMENT) /* AH counts 4-byte words: RFC 4302, 2.2 */
        bytes += (size_t)b[1] * (*type == ROCECC_PROTO_AH ? 4 : 8);
    rest = *reader;
    if (!rocecc_split(&rest, bytes, &out->header)) return ROCECC_ERR_SHORT;
    out->type = *type;
    *type = b[0];
    *reader = rest;
    return ROCECC_OK;
}

/*
 * The Fragment header. RFC 8200, 4.5.
 *
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  Next Header  |   Reserved    |     Fragment Offset     |Res|M|
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                         Identification                        |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
#define ROCECC_IP6FRAG_BYTES 8

typedef struct rocecc_ip6frag {
    uint8_t next_header;
    uint8_t reserved;
    uint16_t fragment_offset; /* offset in the original packet's fragmentable part; 13
                                 bits, in units of 8 bytes */
    uint8_t res;              /* reserved bits; 2 bits */
    bool m;                   /* More Fragments flag */
    uint32_t identification;
} rocecc_ip6frag;

/* Loads an 8-byte Fragment header without checking it. */
ROCECC_INLINE rocecc_ip6frag rocecc_ip6frag_load(const uint8_t *bytes)
{
    const uint32_t w0 = rocecc_load32(bytes);
    rocecc_ip6frag h;
    h.next_header = (uint8_t)(w0 >> 24);
    h.reserved = (uint8_t)(w0 >> 16);
    h.fragment_offset = (uint16_t)(w0 >> 3 & 0x1fff);
    h.res = (uint8_t)(w0 >> 1 & 0x3);
    h.m = (w0 & 1) != 0;
    h.identification = rocecc_load32(bytes + 4);
    return h;
}

/* Writes 8 bytes. Values wider than their fields are truncated. */
ROCECC_FN void rocecc_ip6frag_store(uint8_t *bytes, const rocecc_ip6frag *header)
{
    rocecc_store32(bytes, (uint32_t)header->next_header << 24 |
                              (uint32_t)header->reserved << 16 |
                              (header->fragment_offset & 0x1fffu) << 3 |
                              (header->res & 0x3u) << 1 | (uint32_t)header->m);
    rocecc_store32(bytes + 4, header->identification);
}

/* Parses a Fragment header. Returns SHORT for fewer than 8 bytes. */
ROCECC_INLINE rocecc_status rocecc_ip6frag_parse(rocecc_reader *reader,
                                                 rocecc_ip6frag *out)
{
    const uint8_t *b = rocecc_take(reader, ROCECC_IP6FRAG_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *out = rocecc_ip6frag_load(b);
    return ROCECC_OK;
}

/*
 * Writes a Fragment header. Returns RANGE if a value is wider than its field, and SPACE
 * if 8 bytes do not fit.
 */
ROCECC_FN rocecc_status rocecc_ip6frag_emit(rocecc_writer *writer,
                                            const rocecc_ip6frag *header)
{
    uint8_t *b;
    if (header->fragment_offset >> 13 != 0 || header->res >> 2 != 0)
        return ROCECC_ERR_RANGE;
    b = rocecc_put(writer, ROCECC_IP6FRAG_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_ip6frag_store(b, header);
    return ROCECC_OK;
}

/*
 * The Internet checksum (RFC 1071), a sum of 16-bit words. The sum starts at 0 or at
 * the sum of a pseudo-header. rocecc_checksum_update() adds pieces of data, and
 * rocecc_checksum_final() folds and inverts the sum. The result is 0 if the data
 * contains a valid checksum. Under BPF, the caller must split pieces longer than
 * ROCECC_CHECKSUM_MAX_BYTES.
 */
#ifndef ROCECC_CHECKSUM_MAX_BYTES
#if defined(__bpf__)
#define ROCECC_CHECKSUM_MAX_BYTES 1024
#else
#define ROCECC_CHECKSUM_MAX_BYTES (SIZE_MAX / 2)
#endif
#endif

/*
 * Adds a piece of data to a sum. Every piece except the last must have an even length.
 */
ROCECC_FN uint32_t rocecc_checksum_update(uint32_t sum, rocecc_reader bytes)
{
    uint64_t wide = sum;
    const uint8_t *b;
    size_t i;
    int k;
    for (i = 0; i < ROCECC_CHECKSUM_MAX_BYTES / 32; i++) {
        b = rocecc_take(&bytes, 32);
        if (b == NULL) break;
        for (k = 0; k < 32; k += 2)
            wide += rocecc_load16(b + k);
    }
    for (i = 0; i < 15; i++) {
        b = rocecc_take(&bytes, 2);
        if (b == NULL) break;
        wide += rocecc_load16(b);
    }
    b = rocecc_take(&bytes, 1);
    if (b != NULL) wide += (uint32_t)b[0] << 8;
    return (uint32_t)((wide & 0xffff) + (wide >> 16 & 0xffff) + (wide >> 32));
}

/* Returns the checksum of all pieces, in host order. */
ROCECC_FN uint16_t rocecc_checksum_final(uint32_t sum)
{
    sum = (sum & 0xffff) + (sum >> 16);
    sum += sum >> 16;
    return (uint16_t)~sum;
}

/*
 * Returns the sum of the IPv4 pseudo-header for UDP or TCP. `length` must be the total
 * length of the UDP or TCP header and its data.
 */
ROCECC_FN uint32_t rocecc_checksum_pseudo4(const rocecc_ipv4 *header, uint16_t length)
{
    return (uint32_t)rocecc_load16(header->src.b) + rocecc_load16(header->src.b + 2) +
           rocecc_load16(header->dst.b) + rocecc_load16(header->dst.b + 2) +
           header->protocol + length;
}

/*
 * Returns the sum of the IPv6 pseudo-header (RFC 8200, 8.1). `proto` must be the
 * upper-layer protocol, not an extension header. If a Routing header has segments left,
 * header->dst must be the final destination.
 */
ROCECC_FN uint32_t rocecc_checksum_pseudo6(const rocecc_ipv6 *header, uint8_t proto,
                                           uint32_t length)
{
    uint32_t sum = (length >> 16) + (length & 0xffff) + proto;
    int i;
    for (i = 0; i < 16; i += 2)
        sum += (uint32_t)rocecc_load16(header->src.b + i) +
               rocecc_load16(header->dst.b + i);
    return sum;
}

/*
 * Returns the new checksum after one of the covered 16-bit words has changed (RFC 1624,
 * equation 3). If all covered bytes are now 0, returns 0, although a newly computed
 * checksum would be 0xffff. For UDP, the caller must not change a checksum of 0 (none),
 * and must write a result of 0 as 0xffff.
 */
ROCECC_FN uint16_t rocecc_checksum_patch(uint16_t checksum, uint16_t old_value,
                                         uint16_t new_value)
{
    return rocecc_checksum_final((uint32_t)(uint16_t)~checksum + (uint16_t)~old_value +
                                 new_value);
}

/*
 * Computes the correct Header Checksum for an IPv4 header. Ignores the checksum that
 * the header contains. `header` must contain exactly one header.
 */
ROCECC_FN uint16_t rocecc_ipv4_checksum(rocecc_reader header)
{
    rocecc_reader before;
    uint32_t sum = 0;
    if (rocecc_split(&header, 10, &before)) sum = rocecc_checksum_update(0, before);
    (void)rocecc_take(&header, 2);
    return rocecc_checksum_final(rocecc_checksum_update(sum, header));
}

/*
 * Sets ECN in an IPv4 header to the low 2 bits of `ecn`. `bytes` must point to the
 * first 20 bytes of the header. Updates Header Checksum as in RFC 1624, so a wrong
 * checksum stays wrong.
 */
ROCECC_FN void rocecc_ipv4_ecn_store(uint8_t *bytes, rocecc_ecn ecn)
{
    const uint16_t was = rocecc_load16(bytes);
    const uint16_t is = (uint16_t)((was & 0xfffcu) | ((uint32_t)ecn & 0x3));
    rocecc_store16(bytes, is);
    rocecc_store16(bytes + 10,
                   rocecc_checksum_patch(rocecc_load16(bytes + 10), was, is));
}

/*
 * Sets TTL in an IPv4 header, and updates Header Checksum as rocecc_ipv4_ecn_store()
 * does.
 */
ROCECC_FN void rocecc_ipv4_ttl_store(uint8_t *bytes, uint8_t ttl)
{
    const uint16_t was = rocecc_load16(bytes + 8);
    const uint16_t is = (uint16_t)((was & 0xffu) | (uint32_t)ttl << 8);
    rocecc_store16(bytes + 8, is);
    rocecc_store16(bytes + 10,
                   rocecc_checksum_patch(rocecc_load16(bytes + 10), was, is));
}

/*
 * Sets ECN in an IPv6 header to the low 2 bits of `ecn`. `bytes` must point to the
 * first 8 bytes of the header.
 */
ROCECC_FN void rocecc_ipv6_ecn_store(uint8_t *bytes, rocecc_ecn ecn)
{
    bytes[1] = (uint8_t)((bytes[1] & 0xcfu) | ((uint32_t)ecn & 0x3) << 4);
}

/*
 * Sets Hop Limit in an IPv6 header. `bytes` must point to the first 8 bytes of the
 * header.
 */
ROCECC_FN void rocecc_ipv6_hop_limit_store(uint8_t *bytes, uint8_t hop_limit)
{
    bytes[7] = hop_limit;
}

/* Fields that both IP versions have. */
typedef struct rocecc_ipv46 {
    uint8_t version; /* IP version; 4 or 6 */
    uint8_t dscp;    /* Differentiated Services codepoint; 6 bits */
    ROCECC_ENUM8_(rocecc_ecn) ecn;
    uint8_t hops;   /* TTL or Hop Limit */
    uint32_t bytes; /* length of the packet, header and data */
} rocecc_ipv46;

/*
 * Parses the IP header at the start of `packet`. `packet` need not contain the data
 * after the header. Returns SHORT if the header extends beyond `packet`. Returns FORMAT
 * if Version is neither 4 nor 6, or if rocecc_ipv4_parse() returns FORMAT. Returns
 * UNSUPPORTED if Payload Length is 0 and Hop-by-Hop Options follow (a jumbogram, RFC
 * 2675).
 */
ROCECC_FN rocecc_status rocecc_ipv46_parse(rocecc_reader packet, rocecc_ipv46 *out)
{
    rocecc_reader first = packet;
    rocecc_ipv4 v4;
    rocecc_ipv6 v6;
    rocecc_status status;
    const uint8_t *b = rocecc_take(&first, 1);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (*b >> 4 == 4) {
        status = rocecc_ipv4_parse(&packet, &v4);
        if (status != ROCECC_OK) return status;
        out->version = 4;
        out->dscp = v4.dscp;
        out->ecn = v4.ecn;
        out->hops = v4.ttl;
        out->bytes = v4.total_length;
        return ROCECC_OK;
    }
    if (*b >> 4 != 6) return ROCECC_ERR_FORMAT;
    status = rocecc_ipv6_parse(&packet, &v6);
    if (status != ROCECC_OK) return status;
    if (v6.payload_length == 0 && v6.next_header == ROCECC_PROTO_HOPOPTS)
        return ROCECC_ERR_UNSUPPORTED;
    out->version = 6;
    out->dscp = v6.dscp;
    out->ecn = v6.ecn;
    out->hops = v6.hop_limit;
    out->bytes = ROCECC_IPV6_BYTES + (uint32_t)v6.payload_length;
    return ROCECC_OK;
}

/*
 * Sets ECN and the hop limit (TTL or Hop Limit) in the IP header that begins at
 * `writer`. For IPv4, also updates Header Checksum as in RFC 1624. Returns SPACE for
 * fewer than 20 bytes, and FORMAT if Version is neither 4 nor 6.
 */
ROCECC_FN rocecc_status rocecc_ipv46_patch(rocecc_writer writer, rocecc_ecn ecn,
                                           uint8_t hops)
{
    uint8_t *b = rocecc_put(&writer, ROCECC_IPV4_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    if (*b >> 4 == 4) {
        rocecc_ipv4_ecn_store(b, ecn);
        rocecc_ipv4_ttl_store(b, hops);
        return ROCECC_OK;
    }
    if (*b >> 4 != 6) return ROCECC_ERR_FORMAT;
    rocecc_ipv6_ecn_store(b, ecn);
    rocecc_ipv6_hop_limit_store(b, hops);
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_IP_H */
