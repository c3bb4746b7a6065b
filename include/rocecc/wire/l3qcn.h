/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_L3QCN_H
#define ROCECC_WIRE_L3QCN_H

/*
 * l3qcn.h - the private Congestion Notification Message (CNM) of L3QCN. A congested
 * device sends the private CNM over UDP to a flow's source, with the flow's addresses
 * reversed. The access switch at the source converts the private CNM into a CNM
 * (cnm.h). draft-yu-tsvwg-l3qcn-00, 3.2.2 and Figure 5, defines no layout. THIS LAYOUT
 * IS ROCECC'S OWN, version 1.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |         Magic: 0x4C51         |Version|F|P|Flg|   Protocol    |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |         Total Length          | Header Length |   Reserved    |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |       Flow Source Port        |     Flow Destination Port     |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |       Flow Source Address: 4 bytes, or 16 if F is set         |
 *   |     Flow Destination Address: 4 bytes, or 16 if F is set      |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  Extension: Header Length - 20 bytes, or - 44 if F is set
 *   |  CNM PDU: at most Total Length - Header Length bytes
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *   F  IPv6 addresses    P  the ports are valid    Flg, Reserved  sent as 0, ignored
 *
 *     4c51 1 4 06 006c 14 00 22fd 0015 0a010a02 0a021401, 88 bytes of PDU     TCP from
 *         10.1.10.2 port 8957 to 10.2.20.1 port 21; 108 bytes, the PDU at byte 20
 *
 * The configured UDP port identifies a private CNM. If reserved_bit is set in the
 * configuration, the reserved first flag in the IPv4 header also identifies a private
 * CNM. Header Length gives the start of the PDU, so a receiver can step over an
 * Extension that a future sender adds. The PDU (cnm.h) comes last, so a switch need not
 * move the PDU to build a CNM (README.md).
 */
#include "cnm.h"
#include "datagram.h"

#define ROCECC_L3QCN_MAGIC 0x4c51u /* "LQ" */
#define ROCECC_L3QCN_VERSION 1
#define ROCECC_L3QCN_V4_BYTES 20 /* the header without an extension */
#define ROCECC_L3QCN_V6_BYTES 44
#define ROCECC_L3QCN_HEADER_MAX_BYTES 255
#define ROCECC_L3QCN_FLAG_V6 0x8u    /* F */
#define ROCECC_L3QCN_FLAG_PORTS 0x4u /* P */

/*
 * Verdicts on a packet. The caller must drop the packet if the verdict is a fault,
 * which means any verdict except TAKEN and OTHER.
 */
typedef enum rocecc_l3qcn_verdict_ {
    ROCECC_L3QCN_TAKEN = 0,
    ROCECC_L3QCN_OTHER,             /* neither port nor flag matches; no error */
    ROCECC_L3QCN_CUT,               /* the message extends beyond its datagram */
    ROCECC_L3QCN_NOT_MAGIC,         /* another protocol uses the port */
    ROCECC_L3QCN_NEW_VERSION,       /* version is not 1 */
    ROCECC_L3QCN_BAD_HEADER_LENGTH, /* too short for the addresses */
    ROCECC_L3QCN_BAD_TOTAL_LENGTH,  /* too short for a PDU */
    ROCECC_L3QCN_WRONG_FAMILY,      /* F contradicts the IP version or the addresses */
    ROCECC_L3QCN_SPOOFED,           /* not from the flow's destination to its source */
    ROCECC_L3QCN_LONG_MSDU,         /* rule 5 in cnm.h */
    ROCECC_L3QCN_CUT_MSDU,          /* rule 6 */
    ROCECC_L3QCN_CNM_VERSION,       /* rule 8 */
    ROCECC_L3QCN_VERDICTS           /* number of verdicts */
} ROCECC_IN_8_BITS_(rocecc_l3qcn_verdict);

/*
 * Returns the status for a verdict: OK for TAKEN, NO_MATCH for OTHER and NOT_MAGIC,
 * SHORT for CUT, UNSUPPORTED for NEW_VERSION and CNM_VERSION, and FORMAT for all other
 * faults. After CUT, the caller must apply rocecc_status_declared() to the status if
 * the capture contains the whole datagram.
 */
ROCECC_FN rocecc_status rocecc_l3qcn_status(rocecc_l3qcn_verdict verdict)
{
    if (verdict == ROCECC_L3QCN_TAKEN) return ROCECC_OK;
    if (verdict == ROCECC_L3QCN_OTHER || verdict == ROCECC_L3QCN_NOT_MAGIC)
        return ROCECC_NO_MATCH;
    if (verdict == ROCECC_L3QCN_CUT) return ROCECC_ERR_SHORT;
    if (verdict == ROCECC_L3QCN_NEW_VERSION || verdict == ROCECC_L3QCN_CNM_VERSION)
        return ROCECC_ERR_UNSUPPORTED;
    return ROCECC_ERR_FORMAT;
}

/* A private CNM. The addresses determine the flag F. */
typedef struct rocecc_l3qcn {
    uint8_t flags;     /* reserved flags; Flg, 2 bits; sent as 0, ignored on receipt */
    uint8_t proto;     /* IP protocol of the flow; from the flow's IP header */
    uint8_t reserved;  /* reserved bits; sent as 0, ignored on receipt */
    bool ports;        /* src_port and dst_port are valid; P */
    uint16_t src_port; /* source port of the flow */
    uint16_t dst_port; /* destination port of the flow */
    rocecc_ip6 src;    /* source address of the flow; IPv4 as ::ffff:a.b.c.d */
    rocecc_ip6 dst;    /* destination address of the flow; as src */
    rocecc_reader extension; /* header extension from later senders; at most 235 bytes
                                (IPv6: 211) */
    rocecc_cnm cnm;
    uint32_t pdu_offset; /* offset of the PDU in its buffer; set only by a parser */
} rocecc_l3qcn;

/* Returns the flow as a lookup key. The key's ports are 0 if P is clear. */
ROCECC_FN rocecc_flow rocecc_l3qcn_flow(const rocecc_l3qcn *l3qcn)
{
    rocecc_flow f;
    f.src = l3qcn->src;
    f.dst = l3qcn->dst;
    f.src_port = l3qcn->ports ? l3qcn->src_port : 0;
    f.dst_port = l3qcn->ports ? l3qcn->dst_port : 0;
    f.proto = l3qcn->proto;
    return f;
}

/* Addresses in a valid header, and the offsets of its parts. */
typedef struct rocecc_l3qcn_parts {
    const uint8_t *first; /* first 12 bytes */
    bool v6;
    rocecc_ip6 src;
    rocecc_ip6 dst;
    size_t extension; /* offsets in the buffer */
    size_t pdu;
    size_t end; /* from Total Length */
} rocecc_l3qcn_parts;

/* Loads two IPv4 addresses as ::ffff:a.b.c.d. */
ROCECC_FN void rocecc_l3qcn_load_v4_(const uint8_t *bytes, rocecc_ip6 *first,
                                     rocecc_ip6 *second)
{
    rocecc_ip4 a = rocecc_ip4_load(bytes);
    *first = rocecc_ip6_of_ip4(&a);
    a = rocecc_ip4_load(bytes + 4);
    *second = rocecc_ip6_of_ip4(&a);
}

/*
 * Parses everything before the PDU, as the first half of rocecc_l3qcn_parse(). Returns
 * TAKEN or the first fault. After a fault, *out may be partly written.
 */
ROCECC_FN rocecc_l3qcn_verdict rocecc_l3qcn_header_parse(rocecc_reader datagram,
                                                         rocecc_l3qcn_parts *out)
{
    const size_t start = datagram.at, left = rocecc_left(&datagram);
    const uint8_t *b = rocecc_take(&datagram, 12);
    size_t header, total, fixed;
    if (b == NULL || left < ROCECC_L3QCN_V4_BYTES) return ROCECC_L3QCN_CUT;
    if (rocecc_load16(b) != ROCECC_L3QCN_MAGIC) return ROCECC_L3QCN_NOT_MAGIC;
    if (b[2] >> 4 != ROCECC_L3QCN_VERSION) return ROCECC_L3QCN_NEW_VERSION;
    out->v6 = (b[2] & ROCECC_L3QCN_FLAG_V6) != 0;
    fixed = out->v6 ? ROCECC_L3QCN_V6_BYTES : ROCECC_L3QCN_V4_BYTES;
    total = rocecc_load16(b + 4);
    header = b[6];
    if (header < fixed) return ROCECC_L3QCN_BAD_HEADER_LENGTH;
    if (total < header + ROCECC_CNM_BYTES) return ROCECC_L3QCN_BAD_TOTAL_LENGTH;
    if (total > left) return ROCECC_L3QCN_CUT;
    out->first = b;
    out->pdu = start + header;
    out->end = start + total;
    if (out->v6) {
        b = rocecc_take(&datagram, 32);
        if (b == NULL) return ROCECC_L3QCN_CUT;
        out->src = rocecc_ip6_load(b);
        out->dst = rocecc_ip6_load(b + 16);
        if (rocecc_ip6_is_ip4(&out->src) || rocecc_ip6_is_ip4(&out->dst))
            return ROCECC_L3QCN_WRONG_FAMILY;
    } else {
        b = rocecc_take(&datagram, 8);
        if (b == NULL) return ROCECC_L3QCN_CUT;
        rocecc_l3qcn_load_v4_(b, &out->src, &out->dst);
    }
    out->extension = datagram.at;
    return ROCECC_L3QCN_TAKEN;
}

/*
 * Parses the PDU, as the second half of rocecc_l3qcn_parse(). `parts` must come from
 * rocecc_l3qcn_header_parse(). Returns TAKEN or the first fault. After a fault, *out is
 * unchanged.
 */
ROCECC_FN rocecc_l3qcn_verdict rocecc_l3qcn_pdu_parse(const rocecc_l3qcn_config *config,
                                                      rocecc_reader datagram,
                                                      const rocecc_l3qcn_parts *parts,
                                                      rocecc_l3qcn *out)
{
    rocecc_reader pdu = rocecc_subrange(datagram, parts->pdu, parts->end);
    const rocecc_cnm_verdict v = rocecc_cnm_pdu_parse(&config->cnm, &pdu, &out->cnm);
    if (v == ROCECC_CNM_LONG_MSDU) return ROCECC_L3QCN_LONG_MSDU;
    if (v == ROCECC_CNM_NEW_VERSION) return ROCECC_L3QCN_CNM_VERSION;
    if (v != ROCECC_CNM_TAKEN) return ROCECC_L3QCN_CUT_MSDU;
    out->flags = parts->first[2] & 0x3;
    out->ports = (parts->first[2] & ROCECC_L3QCN_FLAG_PORTS) != 0;
    out->proto = parts->first[3];
    out->reserved = parts->first[7];
    out->src_port = rocecc_load16(parts->first + 8);
    out->dst_port = rocecc_load16(parts->first + 10);
    out->src = parts->src;
    out->dst = parts->dst;
    out->extension = rocecc_subrange(datagram, parts->extension, parts->pdu);
    out->pdu_offset = (uint32_t)parts->pdu;
    return ROCECC_L3QCN_TAKEN;
}

/*
 * Parses the data of a UDP datagram, and moves `reader` past Total Length bytes. Does
 * not check the sender (rocecc_l3qcn_find() does). The checks run in the order shown
 * here. Returns SHORT for fewer than 20 bytes, NO_MATCH for another Magic, and
 * UNSUPPORTED for another version. Returns FORMAT if Header Length or Total Length is
 * too small, SHORT if Total Length extends beyond `reader`, and FORMAT if F is set but
 * an address is IPv4. For the PDU, returns FORMAT if the MSDU extends beyond Total
 * Length, and FORMAT or UNSUPPORTED as rocecc_cnm_parse() does.
 */
ROCECC_FN rocecc_status rocecc_l3qcn_parse(const rocecc_l3qcn_config *config,
                                           rocecc_reader *reader, rocecc_l3qcn *out)
{
    rocecc_l3qcn_parts parts;
    rocecc_l3qcn_verdict v = rocecc_l3qcn_header_parse(*reader, &parts);
    if (v == ROCECC_L3QCN_TAKEN)
        v = rocecc_l3qcn_pdu_parse(config, *reader, &parts, out);
    if (v == ROCECC_L3QCN_TAKEN)
        *reader = rocecc_subrange(*reader, parts.end, reader->end);
    ROCECC_ASSUME_WRITTEN_(out);
    return rocecc_l3qcn_status(v);
}

/* Returns Header Length. */
ROCECC_FN size_t rocecc_l3qcn_header_bytes_(const rocecc_l3qcn *l3qcn)
{
    return rocecc_left(&l3qcn->extension) + (rocecc_ip6_is_ip4(&l3qcn->src)
                                                 ? ROCECC_L3QCN_V4_BYTES
                                                 : ROCECC_L3QCN_V6_BYTES);
}

/*
 * Returns Total Length, which is the number of bytes that rocecc_l3qcn_emit() writes
 * (44 to 343).
 */
ROCECC_FN size_t rocecc_l3qcn_bytes(const rocecc_l3qcn_config *config,
                                    const rocecc_l3qcn *l3qcn)
{
    return rocecc_l3qcn_header_bytes_(l3qcn) +
           rocecc_cnm_bytes(&config->cnm, &l3qcn->cnm);
}

/* Returns true if each value fits its field. */
ROCECC_FN bool rocecc_l3qcn_fits_(const rocecc_l3qcn *l3qcn)
{
    return l3qcn->flags >> 2 == 0 &&
           rocecc_left(&l3qcn->extension) <= ROCECC_L3QCN_HEADER_MAX_BYTES &&
           rocecc_l3qcn_header_bytes_(l3qcn) <= ROCECC_L3QCN_HEADER_MAX_BYTES &&
           rocecc_ip6_is_ip4(&l3qcn->src) == rocecc_ip6_is_ip4(&l3qcn->dst) &&
           rocecc_cnm_fits(&l3qcn->cnm);
}

/* Writes the first 12 bytes and the addresses. */
ROCECC_FN bool rocecc_l3qcn_put_header_(rocecc_writer *writer,
                                        const rocecc_l3qcn *l3qcn, size_t total)
{
    const bool v4 = rocecc_ip6_is_ip4(&l3qcn->src);
    uint8_t *b = rocecc_put(writer, 12);
    if (b == NULL) return false;
    rocecc_store16(b, ROCECC_L3QCN_MAGIC);
    b[2] = (uint8_t)(ROCECC_L3QCN_VERSION << 4 | (v4 ? 0 : ROCECC_L3QCN_FLAG_V6) |
                     (l3qcn->ports ? ROCECC_L3QCN_FLAG_PORTS : 0) |
                     (uint32_t)l3qcn->flags);
    b[3] = l3qcn->proto;
    rocecc_store16(b + 4, (uint16_t)total);
    b[6] = (uint8_t)rocecc_l3qcn_header_bytes_(l3qcn);
    b[7] = l3qcn->reserved;
    rocecc_store16(b + 8, l3qcn->src_port);
    rocecc_store16(b + 10, l3qcn->dst_port);
    b = rocecc_put(writer, v4 ? 8 : 32);
    if (b == NULL) return false;
    if (v4) {
        const rocecc_ip4 src = rocecc_ip4_load(l3qcn->src.b + 12);
        const rocecc_ip4 dst = rocecc_ip4_load(l3qcn->dst.b + 12);
        rocecc_ip4_store(b, &src);
        rocecc_ip4_store(b + 4, &dst);
    } else {
        rocecc_ip6_store(b, &l3qcn->src);
        rocecc_ip6_store(b + 16, &l3qcn->dst);
    }
    return true;
}

/*
 * Writes the data of the UDP datagram. Returns RANGE if a value is wider than its
 * field, if the L3QCN header has more than 255 bytes, if only one address is IPv4, or
 * if rocecc_cnm_emit() returns RANGE. Returns SPACE if rocecc_l3qcn_bytes() bytes do
 * not fit.
 */
ROCECC_FN rocecc_status rocecc_l3qcn_emit(rocecc_writer *writer,
                                          const rocecc_l3qcn_config *config,
                                          const rocecc_l3qcn *l3qcn)
{
    const size_t total = rocecc_l3qcn_bytes(config, l3qcn);
    rocecc_writer out = *writer;
    rocecc_status status;
    if (!rocecc_l3qcn_fits_(l3qcn)) return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < total) return ROCECC_ERR_SPACE;
    if (!rocecc_l3qcn_put_header_(&out, l3qcn, total) ||
        !rocecc_append(&out, l3qcn->extension, ROCECC_L3QCN_HEADER_MAX_BYTES))
        return ROCECC_ERR_SPACE;
    status = rocecc_cnm_emit(&out, &config->cnm, &l3qcn->cnm);
    if (status != ROCECC_OK) return status;
    *writer = out;
    return ROCECC_OK;
}

/* IP and UDP fields that the flow does not determine. */
typedef struct rocecc_l3qcn_outer {
    uint8_t dscp; /* 6 bits */
    ROCECC_ENUM8_(rocecc_ecn) ecn;
    uint8_t hop_limit;       /* or TTL */
    uint32_t flow_label;     /* 20 bits; only for IPv6 */
    uint16_t identification; /* only for IPv4 */
    uint16_t src_port;
} rocecc_l3qcn_outer;

/*
 * Returns fields with DSCP 48, Not-ECT, a hop limit of 64, and a source port of 0xc000
 * plus the low 14 bits of `hash`. All other members are 0.
 */
ROCECC_FN rocecc_l3qcn_outer rocecc_l3qcn_outer_default(uint32_t hash)
{
    rocecc_l3qcn_outer o = {48, ROCECC_ECN_NOT_ECT, 64, 0, 0, 0};
    o.src_port = (uint16_t)(0xc000 | (hash & 0x3fff));
    return o;
}

/* Returns the IP and UDP header fields of the packet that carries a private CNM. */
ROCECC_FN rocecc_datagram rocecc_l3qcn_make_datagram_(const rocecc_l3qcn_config *config,
                                                      const rocecc_l3qcn_outer *outer,
                                                      const rocecc_l3qcn *l3qcn)
{
    rocecc_datagram d;
    d.src = l3qcn->dst;
    d.dst = l3qcn->src;
    d.flow_label = outer->flow_label;
    d.identification = outer->identification;
    d.src_port = outer->src_port;
    d.dst_port = config->port;
    d.dscp = outer->dscp;
    d.ecn = outer->ecn;
    d.hop_limit = outer->hop_limit;
    return d;
}

/*
 * Writes a whole packet from the flow's destination to the flow's source, with IP and
 * UDP headers and checksums. Returns RANGE if `config` has no port, if a value is wider
 * than its field, or if rocecc_l3qcn_emit() returns RANGE. Returns SPACE if `writer` is
 * too small.
 */
ROCECC_FN rocecc_status rocecc_l3qcn_build(rocecc_writer *writer,
                                           const rocecc_l3qcn_config *config,
                                           const rocecc_l3qcn_outer *outer,
                                           const rocecc_l3qcn *l3qcn)
{
    const rocecc_datagram d = rocecc_l3qcn_make_datagram_(config, outer, l3qcn);
    const size_t bytes = ROCECC_UDP_BYTES + rocecc_l3qcn_bytes(config, l3qcn);
    rocecc_writer out = *writer, again;
    uint32_t pseudo = 0;
    uint16_t udp;
    rocecc_status status;
    if (config->port == 0 || !rocecc_datagram_fits(&d) || !rocecc_l3qcn_fits_(l3qcn))
        return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < rocecc_datagram_ip_bytes(&d) + bytes)
        return ROCECC_ERR_SPACE;
    udp = (uint16_t)bytes; /* at most 351 */
    status = rocecc_datagram_ip_emit(&out, &d, 0, udp, &pseudo);
    if (status != ROCECC_OK) return status;
    again = out;
    status = rocecc_datagram_udp_emit(&out, &d, udp, 0);
    if (status != ROCECC_OK) return status;
    status = rocecc_l3qcn_emit(&out, config, l3qcn);
    if (status != ROCECC_OK) return status;
    status = rocecc_datagram_udp_emit(
        &again, &d, udp,
        rocecc_udp_checksum(pseudo,
                            rocecc_subrange(rocecc_written(&out), again.at, out.at)));
    if (status == ROCECC_OK) *writer = out;
    return status;
}

#endif /* ROCECC_WIRE_L3QCN_H */
