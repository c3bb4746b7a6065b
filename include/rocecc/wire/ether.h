/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_ETHER_H
#define ROCECC_WIRE_ETHER_H

/*
 * ether.h - the Ethernet header and the tags after it. IEEE 802.3, 3.1; IEEE 802.1Q,
 * 9.6 (C-tag and S-tag); IEEE 802.1BR, 11.2 (E-TAG); vendors' documents for VN-Tag and
 * Arista's timestamp.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                      Destination Address                      |
 *   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                               |                               |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+        Source Address         +
 *   |                                                               |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |             Type              |  Type is 0x8100 or 0x88a8:
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   | PCP |D|          VID          |             Type              |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     01000ccdcdd0 0013c3dfae18 8100     to 01:00:0c:cd:cd:d0, and a C-tag follows:
 *     a076 0165                          PCP 5, VID 118; Type 0x165: a length, then LLC
 *
 * As in Linux, a tag is read without its TPID, because the TPID is the Type of the
 * header before the tag. The tag's own Type announces the next header or tag. load()
 * and store() cannot fail.
 */
#include "../bytes.h"
#include "../net.h"

#define ROCECC_ETHER_BYTES 14
#define ROCECC_VLAN_BYTES 4
#define ROCECC_CNTAG_BYTES 4 /* type 0x22e9, then a flow id */

#define ROCECC_TYPE_IPV4 0x0800u
#define ROCECC_TYPE_CNM 0x22e7u   /* 802.1Qau: notification message */
#define ROCECC_TYPE_CNTAG 0x22e9u /* 802.1Qau: congestion notification tag */
#define ROCECC_TYPE_CTAG 0x8100u  /* 802.1Q */
#define ROCECC_TYPE_IPV6 0x86ddu
#define ROCECC_TYPE_MAC_CONTROL 0x8808u /* 802.3, 31: PAUSE and PFC */
#define ROCECC_TYPE_STAG 0x88a8u        /* 802.1ad */
#define ROCECC_TYPE_ROCEV1 0x8915u
#define ROCECC_TYPE_QINQ_9100 0x9100u /* a TPID used before 802.1ad; not assigned */
#define ROCECC_TYPE_ETAG 0x893fu      /* 802.1BR */
#define ROCECC_TYPE_VNTAG 0x8926u     /* Cisco */
#define ROCECC_TYPE_ARISTA 0xd28bu    /* a timestamp, if the subtype is 1 */

typedef struct rocecc_ether {
    rocecc_mac dst;
    rocecc_mac src;
    uint16_t type; /* type of the next header, or a length; below 0x600: a length,
                      followed by LLC */
} rocecc_ether;

/* VLAN tag. Its TPID is the type in the header before it. */
typedef struct rocecc_vlan {
    uint8_t pcp;   /* priority of the frame; 3 bits */
    bool dei;      /* drop eligible indicator; D */
    uint16_t vid;  /* VLAN identifier; 12 bits */
    uint16_t type; /* type of the next header, or a length */
} rocecc_vlan;

/* Reads a MAC address. */
ROCECC_FN rocecc_mac rocecc_mac_load(const uint8_t *bytes)
{
    rocecc_mac m;
    int i;
    for (i = 0; i < 6; i++)
        m.b[i] = bytes[i];
    return m;
}

/* Writes a MAC address. */
ROCECC_FN void rocecc_mac_store(uint8_t *bytes, const rocecc_mac *address)
{
    int i;
    for (i = 0; i < 6; i++)
        bytes[i] = address->b[i];
}

/* Reads an Ethernet header of 14 bytes. */
ROCECC_FN rocecc_ether rocecc_ether_load(const uint8_t *bytes)
{
    rocecc_ether h;
    h.dst = rocecc_mac_load(bytes);
    h.src = rocecc_mac_load(bytes + 6);
    h.type = rocecc_load16(bytes + 12);
    return h;
}

/* Writes an Ethernet header of 14 bytes. */
ROCECC_FN void rocecc_ether_store(uint8_t *bytes, const rocecc_ether *header)
{
    rocecc_mac_store(bytes, &header->dst);
    rocecc_mac_store(bytes + 6, &header->src);
    rocecc_store16(bytes + 12, header->type);
}

/* Parses an Ethernet header. Returns SHORT for fewer than 14 bytes. */
ROCECC_FN rocecc_status rocecc_ether_parse(rocecc_reader *reader, rocecc_ether *out)
{
    const uint8_t *b = rocecc_take(reader, ROCECC_ETHER_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *out = rocecc_ether_load(b);
    return ROCECC_OK;
}

/* Writes an Ethernet header. Returns SPACE if 14 bytes do not fit. */
ROCECC_FN rocecc_status rocecc_ether_emit(rocecc_writer *writer,
                                          const rocecc_ether *header)
{
    uint8_t *b = rocecc_put(writer, ROCECC_ETHER_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_ether_store(b, header);
    return ROCECC_OK;
}

/* Returns true if the type is the TPID of a C-tag or an S-tag. */
ROCECC_INLINE bool rocecc_vlan_match(uint16_t type)
{
    return type == ROCECC_TYPE_CTAG || type == ROCECC_TYPE_STAG;
}

/* Reads a VLAN tag of 4 bytes. */
ROCECC_FN rocecc_vlan rocecc_vlan_load(const uint8_t *bytes)
{
    const uint32_t w0 = rocecc_load32(bytes);
    rocecc_vlan h;
    h.pcp = (uint8_t)(w0 >> 29);
    h.dei = (w0 >> 28 & 1) != 0;
    h.vid = (uint16_t)(w0 >> 16 & 0xfff);
    h.type = (uint16_t)w0;
    return h;
}

/* Writes a VLAN tag of 4 bytes. A value that is too wide loses its high bits. */
ROCECC_FN void rocecc_vlan_store(uint8_t *bytes, const rocecc_vlan *header)
{
    rocecc_store32(bytes, (header->pcp & 0x7u) << 29 | (uint32_t)header->dei << 28 |
                              (header->vid & 0xfffu) << 16 | header->type);
}

/* Parses a VLAN tag. Returns SHORT for fewer than 4 bytes. */
ROCECC_FN rocecc_status rocecc_vlan_parse(rocecc_reader *reader, rocecc_vlan *out)
{
    const uint8_t *b = rocecc_take(reader, ROCECC_VLAN_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *out = rocecc_vlan_load(b);
    return ROCECC_OK;
}

/*
 * Writes a VLAN tag. Returns RANGE if a value is wider than its field, and SPACE if 4
 * bytes do not fit.
 */
ROCECC_FN rocecc_status rocecc_vlan_emit(rocecc_writer *writer,
                                         const rocecc_vlan *header)
{
    uint8_t *b;
    if (header->pcp >> 3 != 0 || header->vid >> 12 != 0) return ROCECC_ERR_RANGE;
    b = rocecc_put(writer, ROCECC_VLAN_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_vlan_store(b, header);
    return ROCECC_OK;
}

/* Types of further tags, as configured in the switches. 0 means off. */
typedef struct rocecc_tag_config {
    uint16_t vlan_tpid;   /* third VLAN TPID: ROCECC_TYPE_QINQ_9100 */
    uint16_t etag_type;   /* ROCECC_TYPE_ETAG */
    uint16_t vntag_type;  /* ROCECC_TYPE_VNTAG */
    uint16_t arista_type; /* ROCECC_TYPE_ARISTA */
} rocecc_tag_config;

/*
 * E-TAG. IEEE 802.1BR, 11.2.
 *
 *   | PCP |D|   Ingress_E-CID_base    | R |GRP|      E-CID_base       |
 *   |Ingress_E-CID_ext|   E-CID_ext   |            Type 16            |
 */
#define ROCECC_ETAG_BYTES 8

typedef struct rocecc_etag {
    uint8_t pcp;                /* priority of the frame; 3 bits */
    bool dei;                   /* drop eligible indicator; D */
    uint16_t ingress_ecid_base; /* E-CID of the ingress port, low bits; 12 bits */
    uint8_t reserved;           /* reserved bits; 2 bits */
    uint8_t grp;                /* kind of destination: 0 port, else group; 2 bits */
    uint16_t ecid_base;         /* E-CID of the destination, low bits; 12 bits */
    uint8_t ingress_ecid_ext;   /* E-CID of the ingress port, high bits */
    uint8_t ecid_ext;           /* E-CID of the destination, high bits */
    uint16_t type;              /* type of the next header, or a length */
} rocecc_etag;

/* Reads an E-TAG of 8 bytes. */
ROCECC_FN rocecc_etag rocecc_etag_load(const uint8_t *bytes)
{
    const uint32_t w0 = rocecc_load32(bytes);
    rocecc_etag h;
    h.pcp = (uint8_t)(w0 >> 29);
    h.dei = (w0 >> 28 & 1) != 0;
    h.ingress_ecid_base = (uint16_t)(w0 >> 16 & 0xfff);
    h.reserved = (uint8_t)(w0 >> 14 & 0x3);
    h.grp = (uint8_t)(w0 >> 12 & 0x3);
    h.ecid_base = (uint16_t)(w0 & 0xfff);
    h.ingress_ecid_ext = bytes[4];
    h.ecid_ext = bytes[5];
    h.type = rocecc_load16(bytes + 6);
    return h;
}

/* Writes an E-TAG of 8 bytes. A value that is too wide loses its high bits. */
ROCECC_FN void rocecc_etag_store(uint8_t *bytes, const rocecc_etag *header)
{
    rocecc_store32(bytes, (header->pcp & 0x7u) << 29 | (uint32_t)header->dei << 28 |
                              (header->ingress_ecid_base & 0xfffu) << 16 |
                              (header->reserved & 0x3u) << 14 |
                              (header->grp & 0x3u) << 12 |
                              (header->ecid_base & 0xfffu));
    bytes[4] = header->ingress_ecid_ext;
    bytes[5] = header->ecid_ext;
    rocecc_store16(bytes + 6, header->type);
}

/*
 * VN-Tag. It identifies the virtual machine interface that sends or receives the frame.
 *
 *   |D|P|     Destination 14        |L|R|Ver|       Source 12       |
 *   |            Type 16            |
 */
#define ROCECC_VNTAG_BYTES 6

typedef struct rocecc_vntag {
    bool d; /* direction from the bridge to the interface; if false, to the bridge */
    bool p; /* true: dst identifies a list of interfaces */
    uint16_t dst;  /* destination interface or list; 14 bits */
    bool l;        /* frame looped back towards its source interface */
    bool r;        /* reserved bit */
    uint8_t ver;   /* version of the tag; 2 bits */
    uint16_t src;  /* source interface; 12 bits */
    uint16_t type; /* type of the next header, or a length */
} rocecc_vntag;

/* Reads a VN-Tag of 6 bytes. */
ROCECC_FN rocecc_vntag rocecc_vntag_load(const uint8_t *bytes)
{
    const uint32_t w0 = rocecc_load32(bytes);
    rocecc_vntag h;
    h.d = w0 >> 31 != 0;
    h.p = (w0 >> 30 & 1) != 0;
    h.dst = (uint16_t)(w0 >> 16 & 0x3fff);
    h.l = (w0 >> 15 & 1) != 0;
    h.r = (w0 >> 14 & 1) != 0;
    h.ver = (uint8_t)(w0 >> 12 & 0x3);
    h.src = (uint16_t)(w0 & 0xfff);
    h.type = rocecc_load16(bytes + 4);
    return h;
}

/* Writes a VN-Tag of 6 bytes. A value that is too wide loses its high bits. */
ROCECC_FN void rocecc_vntag_store(uint8_t *bytes, const rocecc_vntag *header)
{
    rocecc_store32(bytes, (uint32_t)header->d << 31 | (uint32_t)header->p << 30 |
                              (header->dst & 0x3fffu) << 16 |
                              (uint32_t)header->l << 15 | (uint32_t)header->r << 14 |
                              (header->ver & 0x3u) << 12 | (header->src & 0xfffu));
    rocecc_store16(bytes + 4, header->type);
}

/*
 * Arista's timestamp. The low byte of the version gives the width of the seconds, and
 * the high byte gives their time scale, TAI (0) or UTC (1).
 *
 *   |         Subtype 16: 1         |          Version 16           |
 *   |    Seconds 32 (version 0x..10) or 16 (version 0x..20)         |
 *   |                       Nanoseconds 32                          |
 *   |            Type 16            |
 */
#define ROCECC_ARISTA_MIN_BYTES 12
#define ROCECC_ARISTA_SUBTYPE_TIMESTAMP 1u
#define ROCECC_ARISTA_VERSION_64 0x10u /* low byte: 32 bits of seconds */
#define ROCECC_ARISTA_VERSION_48 0x20u /* low byte: 16 bits of seconds */

typedef struct rocecc_arista {
    uint16_t subtype; /* subtype of the tag, 1 for a timestamp */
    uint16_t version; /* width and time scale of the seconds */
    uint32_t seconds; /* seconds since 1970, or their low 16 bits; 32 or 16 bits */
    uint32_t ns;      /* nanoseconds within the second; not checked */
    uint16_t type;    /* type of the next header, or a length */
} rocecc_arista;

/*
 * Returns the length of a timestamp from its subtype through its type, 12 or 14 bytes.
 * Returns 0 if the subtype, the width or the time scale is unknown.
 */
ROCECC_FN size_t rocecc_arista_bytes(uint16_t subtype, uint16_t version)
{
    const unsigned width = version & 0xffu;
    if (subtype != ROCECC_ARISTA_SUBTYPE_TIMESTAMP || version > 0x1ff) return 0;
    if (width == ROCECC_ARISTA_VERSION_64) return ROCECC_ARISTA_MIN_BYTES + 2;
    return width == ROCECC_ARISTA_VERSION_48 ? ROCECC_ARISTA_MIN_BYTES : 0;
}

/*
 * Parses a timestamp. Returns UNSUPPORTED if rocecc_arista_bytes() returns 0 for its
 * subtype and version, and otherwise SHORT if the timestamp is incomplete.
 */
ROCECC_FN rocecc_status rocecc_arista_parse(rocecc_reader *reader, rocecc_arista *out)
{
    rocecc_reader r = *reader;
    const uint8_t *b = rocecc_take(&r, 4);
    size_t bytes;
    if (b == NULL) return ROCECC_ERR_SHORT;
    bytes = rocecc_arista_bytes(rocecc_load16(b), rocecc_load16(b + 2));
    if (bytes == 0) return ROCECC_ERR_UNSUPPORTED;
    b = rocecc_take(reader, bytes);
    if (b == NULL) return ROCECC_ERR_SHORT;
    out->subtype = rocecc_load16(b);
    out->version = rocecc_load16(b + 2);
    out->seconds =
        bytes == ROCECC_ARISTA_MIN_BYTES ? rocecc_load16(b + 4) : rocecc_load32(b + 4);
    out->ns = rocecc_load32(b + bytes - 6);
    out->type = rocecc_load16(b + bytes - 2);
    return ROCECC_OK;
}

/*
 * Writes a timestamp. Returns RANGE if rocecc_arista_bytes() returns 0 for its subtype
 * and version, or if `seconds` is wider than its field, and SPACE if the timestamp does
 * not fit.
 */
ROCECC_FN rocecc_status rocecc_arista_emit(rocecc_writer *writer,
                                           const rocecc_arista *header)
{
    const size_t bytes = rocecc_arista_bytes(header->subtype, header->version);
    uint8_t *b;
    if (bytes == 0 ||
        (bytes == ROCECC_ARISTA_MIN_BYTES && header->seconds > UINT16_MAX))
        return ROCECC_ERR_RANGE;
    b = rocecc_put(writer, bytes);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store16(b, header->subtype);
    rocecc_store16(b + 2, header->version);
    if (bytes == ROCECC_ARISTA_MIN_BYTES)
        rocecc_store16(b + 4, (uint16_t)header->seconds);
    else
        rocecc_store32(b + 4, header->seconds);
    rocecc_store32(b + bytes - 6, header->ns);
    rocecc_store16(b + bytes - 2, header->type);
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_ETHER_H */
