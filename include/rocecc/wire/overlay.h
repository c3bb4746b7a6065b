/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_OVERLAY_H
#define ROCECC_WIRE_OVERLAY_H

/*
 * overlay.h - headers around RoCE packets: overlays (VXLAN, VXLAN-GPE, Geneve, GRE,
 * NVGRE), mirror sessions (ERSPAN I, II and III) and layer 2 shims (MPLS, PPPoE,
 * Cisco's metadata). The ICRC covers only the inner packet. Each row in a figure shows
 * 32 bits, with the most significant bit first. RFC 7348, 2784, 8926, 3032, 2516.
 *
 *     08 00 00 00  00 12 34 00      VXLAN: flag I, VNI 0x1234; Ethernet follows
 *     20 00 65 58  00 0d 01 80      GRE with K: NVGRE, VSID 0xd01, FlowID 0x80
 *     00 01 01 40                   MPLS: label 16, TC 0, last label, TTL 64
 *
 * The load() functions accept any bytes. They keep reserved bits, so store() reproduces
 * exactly the loaded bytes.
 */
#include "../bytes.h"
#include "erspan.h"
#include "ether.h"
#include "ip.h"

#define ROCECC_UDP_PORT_VXLAN 4789u       /* RFC 7348, 5 */
#define ROCECC_UDP_PORT_VXLAN_GPE 4790u   /* draft-ietf-nvo3-vxlan-gpe-13, 4.2 */
#define ROCECC_UDP_PORT_GENEVE 6081u      /* RFC 8926, 3.3 */
#define ROCECC_UDP_PORT_MPLS 6635u        /* RFC 7510, 3 */
#define ROCECC_UDP_PORT_GRE 4754u         /* RFC 8086, 8.1; with DTLS 4755 */
#define ROCECC_UDP_PORT_VXLAN_LINUX 8472u /* the default in the Linux kernel */

#define ROCECC_PROTO_GRE 47u       /* RFC 2784, 4 */
#define ROCECC_PROTO_ETHERNET 143u /* RFC 8986, 10.1: Ethernet follows */

#define ROCECC_TYPE_TEB 0x6558u           /* Transparent Ethernet Bridging */
#define ROCECC_TYPE_MPLS 0x8847u          /* RFC 3032, 5 */
#define ROCECC_TYPE_MPLS_UPSTREAM 0x8848u /* RFC 5332, 3 */
#define ROCECC_TYPE_PPPOE 0x8864u         /* RFC 2516, 6: the session stage */
#define ROCECC_TYPE_ERSPAN_II 0x88beu     /* also ERSPAN I, without a header */
#define ROCECC_TYPE_ERSPAN_III 0x22ebu
#define ROCECC_TYPE_CISCO_MD 0x8909u /* Cisco metadata: a security group tag */

/* A type field up to this value holds a length, and LLC follows. IEEE 802.3, 3.2.6. */
#define ROCECC_LLC_LENGTH_MAX 1500u
#define ROCECC_LLC_BYTES 3
#define ROCECC_SNAP_BYTES 5 /* OUI and type, after LLC AA AA 03. RFC 1042 */

/*
 * Types of headers around a packet. Saved rocecc_headers structures contain these
 * numbers, so new types must be added at the end.
 */
typedef enum rocecc_tunnel_type_ {
    ROCECC_TUNNEL_NONE = 0,
    ROCECC_TUNNEL_VXLAN,
    ROCECC_TUNNEL_VXLAN_GPE,
    ROCECC_TUNNEL_GENEVE,
    ROCECC_TUNNEL_GRE,
    ROCECC_TUNNEL_NVGRE,
    ROCECC_TUNNEL_ERSPAN_I,
    ROCECC_TUNNEL_ERSPAN_II,
    ROCECC_TUNNEL_ERSPAN_III,
    ROCECC_TUNNEL_ETHERNET, /* directly after IP: layer 2 in SRv6 */
    ROCECC_TUNNEL_MPLS_UDP,
    ROCECC_TUNNEL_PSEUDOWIRE
} ROCECC_IN_8_BITS_(rocecc_tunnel_type);

/*
 * UDP ports for overlays in a network. If all members are 0, the ports that IANA
 * assigned are used, except that GRE in UDP is off. A network must explicitly choose to
 * use GRE in UDP (RFC 8086, 5).
 */
typedef struct rocecc_overlay_config {
    bool own_ports;        /* only the ports below are used; port 0: off */
    uint16_t vxlan_port;   /* RFC 7348, 5: SHOULD be configurable */
    uint16_t vxlan_port_2; /* a second port, if a network uses two */
    uint16_t vxlan_gpe_port;
    uint16_t geneve_port;
    uint16_t mpls_port;
    uint16_t gre_port;
} rocecc_overlay_config;

/*
 * Checks a configuration. Returns RANGE if a port is set without own_ports, or if two
 * overlays have the same port.
 */
ROCECC_FN rocecc_status rocecc_overlay_init(const rocecc_overlay_config *config)
{
    uint16_t ports[6];
    size_t i, k;
    ports[0] = config->vxlan_port;
    ports[1] = config->vxlan_port_2;
    ports[2] = config->vxlan_gpe_port;
    ports[3] = config->geneve_port;
    ports[4] = config->mpls_port;
    ports[5] = config->gre_port;
    for (i = 0; i < 6; i++) {
        if (ports[i] == 0) continue;
        if (!config->own_ports) return ROCECC_ERR_RANGE;
        for (k = i == 1 ? 1 : 0; k < i; k++) /* VXLAN may have one port twice */
            if (ports[i] == ports[k]) return ROCECC_ERR_RANGE;
    }
    return ROCECC_OK;
}

/* Returns the tunnel type for a UDP port, or NONE if no overlay uses the port. */
ROCECC_INLINE rocecc_tunnel_type
rocecc_overlay_lookup(const rocecc_overlay_config *config, uint16_t port)
{
    if (!config->own_ports) {
        if (port == ROCECC_UDP_PORT_VXLAN) return ROCECC_TUNNEL_VXLAN;
        if (port == ROCECC_UDP_PORT_VXLAN_GPE) return ROCECC_TUNNEL_VXLAN_GPE;
        if (port == ROCECC_UDP_PORT_GENEVE) return ROCECC_TUNNEL_GENEVE;
        if (port == ROCECC_UDP_PORT_MPLS) return ROCECC_TUNNEL_MPLS_UDP;
        return ROCECC_TUNNEL_NONE;
    }
    if (port == 0) return ROCECC_TUNNEL_NONE;
    if (port == config->vxlan_port || port == config->vxlan_port_2)
        return ROCECC_TUNNEL_VXLAN;
    if (port == config->vxlan_gpe_port) return ROCECC_TUNNEL_VXLAN_GPE;
    if (port == config->geneve_port) return ROCECC_TUNNEL_GENEVE;
    if (port == config->mpls_port) return ROCECC_TUNNEL_MPLS_UDP;
    return port == config->gre_port ? ROCECC_TUNNEL_GRE : ROCECC_TUNNEL_NONE;
}

/* Returns true if the walk can continue with this type (Ethernet or IP). */
ROCECC_FN bool rocecc_overlay_is_walkable_(uint16_t type)
{
    return type == ROCECC_TYPE_TEB || type == ROCECC_TYPE_IPV4 ||
           type == ROCECC_TYPE_IPV6;
}

/* Result of reading an overlay's header. */
typedef struct rocecc_overlay {
    ROCECC_ENUM8_(rocecc_tunnel_type)
    tunnel;        /* set even if the header is cut off */
    bool cut;      /* the mirror session truncated the copy */
    uint16_t next; /* number of the next header, or the caller's value */
    uint16_t
        type; /* EtherType for rocecc_headers_parse_as(); ROCECC_TYPE_TEB: Ethernet */
} rocecc_overlay;

/*
 * VXLAN. RFC 7348, 5. An Ethernet frame follows the header.
 *
 *   |R R R R I R R R|                  Reserved 24                  |
 *   |           VXLAN Network Identifier 24         |  Reserved 8   |
 */
#define ROCECC_VXLAN_BYTES 8
#define ROCECC_VXLAN_I 0x08u /* the VNI is valid; clear: not VXLAN */

typedef struct rocecc_vxlan {
    uint8_t flags;     /* flags: 0x08 (I) for a valid VNI */
    uint32_t reserved; /* reserved bits; 24 bits */
    uint32_t vni;      /* virtual network identifier; 24 bits */
    uint8_t reserved2;
} rocecc_vxlan;

/* Loads an 8-byte VXLAN header without checking it. */
ROCECC_FN rocecc_vxlan rocecc_vxlan_load(const uint8_t *bytes)
{
    rocecc_vxlan h;
    h.flags = bytes[0];
    h.reserved = rocecc_load32(bytes) & 0xffffff;
    h.vni = rocecc_load32(bytes + 4) >> 8;
    h.reserved2 = bytes[7];
    return h;
}

/* Writes 8 bytes. Values wider than their fields are truncated. */
ROCECC_FN void rocecc_vxlan_store(uint8_t *bytes, const rocecc_vxlan *header)
{
    rocecc_store32(bytes,
                   (uint32_t)header->flags << 24 | (header->reserved & 0xffffff));
    rocecc_store32(bytes + 4, header->vni << 8 | header->reserved2);
}

/*
 * Moves `reader` past a VXLAN header to the inner packet, and sets out->tunnel and
 * out->type. The caller must first clear *out, and may then set out->next to the
 * overlay's port or protocol. Returns SHORT if the header extends beyond `reader`, and
 * FORMAT if the flag I is clear. If the status is not OK, `reader` may have moved, and
 * only out->tunnel and out->next are valid.
 */
ROCECC_FN rocecc_status rocecc_vxlan_inner(rocecc_reader *reader, rocecc_overlay *out)
{
    const uint8_t *b = rocecc_take(reader, ROCECC_VXLAN_BYTES);
    out->tunnel = ROCECC_TUNNEL_VXLAN;
    out->type = ROCECC_TYPE_TEB;
    if (b == NULL) return ROCECC_ERR_SHORT;
    return (b[0] & ROCECC_VXLAN_I) != 0 ? ROCECC_OK : ROCECC_ERR_FORMAT;
}

/*
 * VXLAN-GPE. draft-ietf-nvo3-vxlan-gpe-13, 3.
 *
 *   |R R|Ver|I|P|B|O|         Reserved 16           |Next Protocol 8|
 *   |           VXLAN Network Identifier 24         |  Reserved 8   |
 */
#define ROCECC_GPE_VER 0x30u
#define ROCECC_GPE_P 0x04u /* Next Protocol is valid; clear: Ethernet follows */
#define ROCECC_GPE_O 0x01u /* an OAM packet */
#define ROCECC_GPE_NEXT_IPV4 1u
#define ROCECC_GPE_NEXT_IPV6 2u
#define ROCECC_GPE_NEXT_ETHERNET 3u

typedef struct rocecc_gpe {
    uint8_t flags; /* flags: version, I, P, B, O */
    uint16_t reserved;
    uint8_t next_protocol; /* protocol after this header; valid if P is set: 1 IPv4,
                              2 IPv6, 3 Ethernet */
    uint32_t vni;          /* virtual network identifier; 24 bits */
    uint8_t reserved2;
} rocecc_gpe;

/* Loads an 8-byte VXLAN-GPE header without checking it. */
ROCECC_FN rocecc_gpe rocecc_gpe_load(const uint8_t *bytes)
{
    rocecc_gpe h;
    h.flags = bytes[0];
    h.reserved = rocecc_load16(bytes + 1);
    h.next_protocol = bytes[3];
    h.vni = rocecc_load32(bytes + 4) >> 8;
    h.reserved2 = bytes[7];
    return h;
}

/* Writes 8 bytes. Values wider than their fields are truncated. */
ROCECC_FN void rocecc_gpe_store(uint8_t *bytes, const rocecc_gpe *header)
{
    bytes[0] = header->flags;
    rocecc_store16(bytes + 1, header->reserved);
    bytes[3] = header->next_protocol;
    rocecc_store32(bytes + 4, header->vni << 8 | header->reserved2);
}

/*
 * Moves `reader` past a VXLAN-GPE header to the inner packet, as rocecc_vxlan_inner()
 * does for VXLAN. Ignores the flag I. Returns SHORT if the header extends beyond
 * `reader`, UNSUPPORTED for a version other than 0, and NO_MATCH for an OAM packet or a
 * next protocol that is neither Ethernet nor IP.
 */
ROCECC_FN rocecc_status rocecc_gpe_inner(rocecc_reader *reader, rocecc_overlay *out)
{
    const uint8_t *b = rocecc_take(reader, ROCECC_VXLAN_BYTES);
    out->tunnel = ROCECC_TUNNEL_VXLAN_GPE;
    out->type = ROCECC_TYPE_TEB;
    if (b == NULL) return ROCECC_ERR_SHORT;
    if ((b[0] & ROCECC_GPE_VER) != 0) return ROCECC_ERR_UNSUPPORTED;
    if ((b[0] & ROCECC_GPE_O) != 0) return ROCECC_NO_MATCH;
    if ((b[0] & ROCECC_GPE_P) == 0) return ROCECC_OK;
    out->next = b[3];
    if (b[3] == ROCECC_GPE_NEXT_ETHERNET) return ROCECC_OK;
    out->type = b[3] == ROCECC_GPE_NEXT_IPV4 ? ROCECC_TYPE_IPV4 : ROCECC_TYPE_IPV6;
    return b[3] == ROCECC_GPE_NEXT_IPV4 || b[3] == ROCECC_GPE_NEXT_IPV6
               ? ROCECC_OK
               : ROCECC_NO_MATCH;
}

/*
 * Geneve. RFC 8926, 3.4. The options are 4 * Opt Len bytes long.
 *
 *   |Ver|  Opt Len  |O|C|    Rsvd   |       Protocol Type 16        |
 *   |        Virtual Network Identifier 24          |  Reserved 8   |
 */
#define ROCECC_GENEVE_BYTES 8

typedef struct rocecc_geneve {
    uint8_t ver;            /* version of the header; 2 bits */
    uint8_t opt_len;        /* length of the options; 6 bits, in words of 4 bytes */
    bool o;                 /* control packet */
    bool c;                 /* presence of critical options; they concern only the
                               endpoint */
    uint8_t rsvd;           /* reserved bits; 6 bits */
    uint16_t protocol_type; /* EtherType of the inner packet */
    uint32_t vni;           /* virtual network identifier; 24 bits */
    uint8_t reserved;
} rocecc_geneve;

/* Loads the first 8 bytes of a Geneve header without checking them. */
ROCECC_FN rocecc_geneve rocecc_geneve_load(const uint8_t *bytes)
{
    rocecc_geneve h;
    h.ver = bytes[0] >> 6;
    h.opt_len = bytes[0] & 0x3f;
    h.o = bytes[1] >> 7 != 0;
    h.c = (bytes[1] >> 6 & 1) != 0;
    h.rsvd = bytes[1] & 0x3f;
    h.protocol_type = rocecc_load16(bytes + 2);
    h.vni = rocecc_load32(bytes + 4) >> 8;
    h.reserved = bytes[7];
    return h;
}

/* Writes 8 bytes. Values wider than their fields are truncated. */
ROCECC_FN void rocecc_geneve_store(uint8_t *bytes, const rocecc_geneve *header)
{
    bytes[0] = (uint8_t)(header->ver << 6 | (header->opt_len & 0x3f));
    bytes[1] = (uint8_t)((header->o ? 0x80 : 0) | (header->c ? 0x40 : 0) |
                         (header->rsvd & 0x3f));
    rocecc_store16(bytes + 2, header->protocol_type);
    rocecc_store32(bytes + 4, header->vni << 8 | header->reserved);
}

/*
 * Moves `reader` past a Geneve header to the inner packet, as rocecc_gpe_inner() does.
 * Steps over all options, even critical options, because critical options concern only
 * the endpoint. Returns NO_MATCH for a control packet, because devices on the path must
 * not interpret such packets. Also returns NO_MATCH if the protocol type is neither
 * Ethernet nor IP.
 */
ROCECC_FN rocecc_status rocecc_geneve_inner(rocecc_reader *reader, rocecc_overlay *out)
{
    const uint8_t *b = rocecc_take(reader, ROCECC_GENEVE_BYTES);
    out->tunnel = ROCECC_TUNNEL_GENEVE;
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (b[0] >> 6 != 0) return ROCECC_ERR_UNSUPPORTED;
    if (b[1] >> 7 != 0) return ROCECC_NO_MATCH;
    out->next = out->type = rocecc_load16(b + 2);
    if (rocecc_take(reader, (size_t)(b[0] & 0x3f) * 4) == NULL) return ROCECC_ERR_SHORT;
    return rocecc_overlay_is_walkable_(out->type) ? ROCECC_OK : ROCECC_NO_MATCH;
}

/*
 * GRE. RFC 2784, 2; RFC 2890, 2. The header is 4 bytes long, plus 4 bytes for each of
 * the flags C, K and S that is set.
 *
 *   |C|R|K|S|s| Recur   Reserved0   | Ver |       Protocol Type 16        |
 *   |  C: Checksum 16               |          Reserved1 16         |
 *   |                         K: Key 32                             |
 *   |                    S: Sequence Number 32                      |
 *
 * NVGRE (RFC 7637, 3.2) is GRE with K set, C and S clear, and type 0x6558. The key
 * consists of a 24-bit VSID and an 8-bit FlowID.
 */
#define ROCECC_GRE_BYTES 4
#define ROCECC_GRE_C 0x8000u
#define ROCECC_GRE_K 0x2000u
#define ROCECC_GRE_S 0x1000u
/*
 * A receiver must not accept a packet in which one of these bits is set (RFC 2784,
 * 2.3). The bits are the routing bit, the source route bit and the high recursion bit
 * (RFC 1701), and the version bits (PPTP uses version 1).
 */
#define ROCECC_GRE_REFUSED 0x4c07u

typedef struct rocecc_gre {
    uint16_t flags;    /* flags for optional words, and version; ROCECC_GRE_C, _K, _S */
    uint16_t protocol; /* EtherType of the payload */
} rocecc_gre;

/* Loads the first 4 bytes of a GRE header without checking them. */
ROCECC_FN rocecc_gre rocecc_gre_load(const uint8_t *bytes)
{
    rocecc_gre h;
    h.flags = rocecc_load16(bytes);
    h.protocol = rocecc_load16(bytes + 2);
    return h;
}

/* Writes 4 bytes at `bytes`. */
ROCECC_FN void rocecc_gre_store(uint8_t *bytes, const rocecc_gre *header)
{
    rocecc_store16(bytes, header->flags);
    rocecc_store16(bytes + 2, header->protocol);
}

/*
 * Returns the number of bytes in the optional fields, 4 for each of the flags C, K and
 * S that is set.
 */
ROCECC_FN size_t rocecc_gre_option_bytes(const rocecc_gre *header)
{
    return ((header->flags & ROCECC_GRE_C) != 0 ? 4u : 0u) +
           ((header->flags & ROCECC_GRE_K) != 0 ? 4u : 0u) +
           ((header->flags & ROCECC_GRE_S) != 0 ? 4u : 0u);
}

/* Moves `reader` past an ERSPAN II header. */
ROCECC_FN rocecc_status rocecc_erspan2_inner_(rocecc_reader *reader,
                                              rocecc_overlay *overlay)
{
    const uint8_t *b = rocecc_take(reader, ROCECC_ERSPAN2_BYTES);
    rocecc_erspan h;
    overlay->tunnel = ROCECC_TUNNEL_ERSPAN_II;
    if (b == NULL) return ROCECC_ERR_SHORT;
    h = rocecc_erspan_load(b);
    overlay->cut = h.t;
    overlay->type = ROCECC_TYPE_TEB;
    return h.ver == ROCECC_ERSPAN2_VER ? ROCECC_OK : ROCECC_ERR_UNSUPPORTED;
}

/*
 * Moves `reader` past an ERSPAN III header. An IP packet is treated as IPv4 unless its
 * Version is 6. Returns NO_MATCH if neither Ethernet nor IP follows.
 */
ROCECC_FN rocecc_status rocecc_erspan3_inner_(rocecc_reader *reader,
                                              rocecc_overlay *overlay)
{
    const uint8_t *b = rocecc_take(reader, ROCECC_ERSPAN3_BYTES);
    rocecc_reader first;
    rocecc_erspan h;
    rocecc_erspan3 more;
    overlay->tunnel = ROCECC_TUNNEL_ERSPAN_III;
    if (b == NULL) return ROCECC_ERR_SHORT;
    h = rocecc_erspan_load(b);
    if (h.ver != ROCECC_ERSPAN3_VER) return ROCECC_ERR_UNSUPPORTED;
    overlay->cut = h.t;
    more = rocecc_erspan3_load(b + 8);
    if (more.o && rocecc_take(reader, ROCECC_ERSPAN3_PLATFORM_BYTES) == NULL)
        return ROCECC_ERR_SHORT;
    overlay->type = ROCECC_TYPE_TEB;
    if (more.ft == ROCECC_ERSPAN3_FT_ETHERNET) return ROCECC_OK;
    if (more.ft != ROCECC_ERSPAN3_FT_IP) return ROCECC_NO_MATCH;
    first = *reader;
    b = rocecc_take(&first, 1);
    if (b == NULL) return ROCECC_ERR_SHORT;
    overlay->type = *b >> 4 == 6 ? ROCECC_TYPE_IPV6 : ROCECC_TYPE_IPV4;
    return ROCECC_OK;
}

/*
 * Moves `reader` past a GRE, NVGRE or ERSPAN header to the inner packet, as
 * rocecc_gpe_inner() does. The inner packet can also begin with an MPLS label. Also
 * returns UNSUPPORTED if a bit in ROCECC_GRE_REFUSED is set.
 */
ROCECC_FN rocecc_status rocecc_gre_inner(rocecc_reader *reader, rocecc_overlay *out)
{
    const uint8_t *b = rocecc_take(reader, ROCECC_GRE_BYTES);
    rocecc_gre h;
    out->tunnel = ROCECC_TUNNEL_GRE;
    if (b == NULL) return ROCECC_ERR_SHORT;
    h = rocecc_gre_load(b);
    if ((h.flags & ROCECC_GRE_REFUSED) != 0) return ROCECC_ERR_UNSUPPORTED;
    out->next = out->type = h.protocol;
    if (rocecc_take(reader, rocecc_gre_option_bytes(&h)) == NULL)
        return ROCECC_ERR_SHORT;
    if (h.protocol == ROCECC_TYPE_ERSPAN_III) return rocecc_erspan3_inner_(reader, out);
    if (h.protocol == ROCECC_TYPE_ERSPAN_II) {
        if ((h.flags & ROCECC_GRE_S) != 0) return rocecc_erspan2_inner_(reader, out);
        out->tunnel = ROCECC_TUNNEL_ERSPAN_I;
        out->type = ROCECC_TYPE_TEB;
        return ROCECC_OK;
    }
    if (h.protocol == ROCECC_TYPE_MPLS || h.protocol == ROCECC_TYPE_MPLS_UPSTREAM)
        out->type = ROCECC_TYPE_MPLS;
    else if (!rocecc_overlay_is_walkable_(h.protocol))
        return ROCECC_NO_MATCH;
    if (h.protocol == ROCECC_TYPE_TEB &&
        (h.flags & (ROCECC_GRE_C | ROCECC_GRE_K | ROCECC_GRE_S)) == ROCECC_GRE_K)
        out->tunnel = ROCECC_TUNNEL_NVGRE;
    return ROCECC_OK;
}

/*
 * An MPLS label. RFC 3032, 2.1. The last label has S set. No field gives the type of
 * the data after the last label. If the first 4 bits of this data are 4 or 6, the data
 * is an IP packet. If they are 0, the data starts with a pseudowire's control word, and
 * Ethernet follows (RFC 4385, 3; RFC 4448, 4.6).
 *
 *   |                Label 20               | TC 3|S|      TTL      |
 */
#define ROCECC_MPLS_BYTES 4
#define ROCECC_MPLS_MAX 8 /* maximum number of labels to step over */
#define ROCECC_MPLS_CONTROL_BYTES 4

typedef struct rocecc_mpls {
    uint32_t label; /* value of the label; 20 bits */
    uint8_t tc;     /* traffic class; 3 bits */
    bool s;         /* bottom of the label stack; the last label */
    uint8_t ttl;
} rocecc_mpls;

/* Loads a 4-byte label without checking it. */
ROCECC_FN rocecc_mpls rocecc_mpls_load(const uint8_t *bytes)
{
    const uint32_t w0 = rocecc_load32(bytes);
    rocecc_mpls h;
    h.label = w0 >> 12;
    h.tc = (uint8_t)(w0 >> 9 & 0x7);
    h.s = (w0 >> 8 & 1) != 0;
    h.ttl = (uint8_t)w0;
    return h;
}

/* Writes 4 bytes. Values wider than their fields are truncated. */
ROCECC_FN void rocecc_mpls_store(uint8_t *bytes, const rocecc_mpls *header)
{
    rocecc_store32(bytes, header->label << 12 | (header->tc & 0x7u) << 9 |
                              (uint32_t)header->s << 8 | header->ttl);
}

/*
 * A PPPoE session header. RFC 2516, 4. Length includes the Protocol field (RFC 1661,
 * 2).
 *
 *   | Ver 1 |Type 1 |    Code 0     |         Session ID 16         |
 *   |           Length 16           |          Protocol 16          |
 */
#define ROCECC_PPPOE_BYTES 6 /* not included in Length */
#define ROCECC_PPPOE_VER_TYPE 0x11u
#define ROCECC_PPP_IPV4 0x0021u
#define ROCECC_PPP_IPV6 0x0057u

typedef struct rocecc_pppoe {
    uint8_t ver_type; /* version and type; 4 bits each, both 1: 0x11 */
    uint8_t code;     /* packet code: 0 for session data */
    uint16_t session_id;
    uint16_t length;   /* length of protocol and payload; both follow this member */
    uint16_t protocol; /* PPP protocol of the payload; 0x0021 IPv4, 0x0057 IPv6 */
} rocecc_pppoe;

/*
 * Loads an 8-byte PPPoE header without checking it. The last two bytes are the PPP
 * protocol.
 */
ROCECC_FN rocecc_pppoe rocecc_pppoe_load(const uint8_t *bytes)
{
    rocecc_pppoe h;
    h.ver_type = bytes[0];
    h.code = bytes[1];
    h.session_id = rocecc_load16(bytes + 2);
    h.length = rocecc_load16(bytes + 4);
    h.protocol = rocecc_load16(bytes + 6);
    return h;
}

/* Writes 8 bytes at `bytes`. */
ROCECC_FN void rocecc_pppoe_store(uint8_t *bytes, const rocecc_pppoe *header)
{
    bytes[0] = header->ver_type;
    bytes[1] = header->code;
    rocecc_store16(bytes + 2, header->session_id);
    rocecc_store16(bytes + 4, header->length);
    rocecc_store16(bytes + 6, header->protocol);
}

/*
 * Cisco's metadata, a tag after EtherType 0x8909. Its last 16 bits are the EtherType of
 * the next header.
 *
 *   |   Version 1   |   Length 1    |           Option 16           |
 *   |            SGT 16             |            Type 16            |
 */
#define ROCECC_CISCO_MD_BYTES 8

typedef struct rocecc_cisco_md {
    uint8_t version; /* version of the metadata header; only 1 is known */
    uint8_t length;  /* length field of the metadata header; only 1 is known */
    uint16_t option; /* type of the option */
    uint16_t sgt;    /* security group tag */
    uint16_t type;   /* EtherType of the next header */
} rocecc_cisco_md;

/* Loads the 8-byte metadata without checking it. */
ROCECC_FN rocecc_cisco_md rocecc_cisco_md_load(const uint8_t *bytes)
{
    rocecc_cisco_md h;
    h.version = bytes[0];
    h.length = bytes[1];
    h.option = rocecc_load16(bytes + 2);
    h.sgt = rocecc_load16(bytes + 4);
    h.type = rocecc_load16(bytes + 6);
    return h;
}

/* Writes 8 bytes at `bytes`. */
ROCECC_FN void rocecc_cisco_md_store(uint8_t *bytes, const rocecc_cisco_md *header)
{
    bytes[0] = header->version;
    bytes[1] = header->length;
    rocecc_store16(bytes + 2, header->option);
    rocecc_store16(bytes + 4, header->sgt);
    rocecc_store16(bytes + 6, header->type);
}

#endif /* ROCECC_WIRE_OVERLAY_H */
