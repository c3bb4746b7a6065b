/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_HEADERS_H
#define ROCECC_PACKET_HEADERS_H

/*
 * headers.h - the offsets of a packet's headers. rocecc_headers contains no pointer, so
 * a BPF map, or memory shared with firmware, can hold it.
 *
 *   Ethernet - tags and shims -+- GRH ------------------------------- BTH   RoCEv1
 *                              +- IP [IP] [IFA] - UDP [IFA] [INT] --- BTH   RoCEv2
 *                              +- IP [IP] - an overlay - an inner packet
 *                              +- MPLS - a pseudowire - an inner packet
 *
 * The tags and shims may include at most 3 VLAN tags, and at most one each of CSIG,
 * CN-TAG, LLC with SNAP, Cisco metadata, E-TAG, VN-Tag and Arista timestamp. They may
 * appear in any order, but VLAN and CSIG tags must precede a CN-TAG, and at most 2 VLAN
 * tags may precede a CSIG tag. PPPoE or MPLS may follow the tags and shims. There are
 * at most 2 IP headers, each with at most 8 extension headers (4 under BPF). Overlays
 * are VXLAN, VXLAN-GPE, Geneve, GRE, GRE in UDP, NVGRE, ERSPAN I to III, Ethernet after
 * IP, and MPLS in UDP.
 *
 * Example: a CNP over IPv4 has ip.offset = 14, udp = 34, bth = 42, end = 74 and kind =
 * ROCECC_PACKET_KIND_ROCEV2. If the walk fails, the members that it has already set
 * keep their values.
 *
 * A packet is partial if its end is missing, and `partial` gives the reason. Its
 * headers are as valid as the headers of a whole packet, but its ICRC is missing. The
 * PARTIAL bit is set in its kind, so gates such as role/arn_gate.h do not accept the
 * packet. If only the capture has cut a packet, `partial` is NONE, but
 * rocecc_packet_partial() returns CAPTURED.
 */
#include "../fixed.h"
#include "domain.h"

/*
 * Maximum offset of a packet in its buffer. Offsets are 16 bits wide, and at most
 * 34,014 bytes precede the BTH in a packet. Of these bytes, 82 are for Ethernet and
 * tags, 36 for MPLS, 2 * 16,424 for IPv6 with 8 extension headers, and 1,048 for UDP
 * and INT.
 */
#define ROCECC_PACKET_START_MAX 31500
#define ROCECC_PACKET_VLAN_MAX 3
#define ROCECC_PACKET_CSIG_VLAN_MAX 2 /* maximum before a CSIG tag */

/*
 * Maximum number of tags and shims after the leading VLAN tags. One more tag or shim is
 * accepted if IPv4, IPv6 or RoCEv1 follows it. If a packet has more tags, the walk
 * returns UNSUPPORTED. The limits for the individual kinds of tags and shims add up to
 * 10.
 */
#ifndef ROCECC_PACKET_TAGS_MAX
#if defined(__bpf__)
#define ROCECC_PACKET_TAGS_MAX 2
#else
#define ROCECC_PACKET_TAGS_MAX 10
#endif
#endif

typedef enum rocecc_packet_kind_ {
    ROCECC_PACKET_KIND_OTHER = 0,
    ROCECC_PACKET_KIND_TCP = 1,
    ROCECC_PACKET_KIND_UDP = 2,
    ROCECC_PACKET_KIND_OVERLAY = 3,
    ROCECC_PACKET_KIND_ROCEV1 = 4,
    ROCECC_PACKET_KIND_ROCEV2 = 6,
    ROCECC_PACKET_KIND_PARTIAL = 8 /* a flag, added to one of the kinds above */
} ROCECC_IN_8_BITS_(rocecc_packet_kind);

/*
 * Reason why the end of a packet is missing. If several reasons apply, `partial` gives
 * the reason from the outermost layer.
 */
typedef enum rocecc_partial_ {
    ROCECC_PARTIAL_NONE = 0,
    ROCECC_PARTIAL_FRAGMENT, /* an IP fragment */
    ROCECC_PARTIAL_TRIMMED,  /* a switch cut the payload; UDP Length goes beyond the end
                                of the IP packet */
    ROCECC_PARTIAL_MIRRORED, /* a mirror session cut the copy, or the copy is longer
                                than the overlay around it */
    ROCECC_PARTIAL_SAMPLED,  /* the first bytes of a packet, in an sFlow record */
    ROCECC_PARTIAL_QUOTED,   /* the first bytes of a packet, in an ICMP error */
    ROCECC_PARTIAL_CAPTURED  /* cut by the capture; see rocecc_packet_partial() */
} ROCECC_IN_8_BITS_(rocecc_partial);

/* Layers in packet order. */
typedef enum rocecc_layer_ {
    ROCECC_LAYER_ETHER = 0,
    ROCECC_LAYER_VLAN,
    ROCECC_LAYER_CSIG,
    ROCECC_LAYER_CNTAG,
    ROCECC_LAYER_LLC,
    ROCECC_LAYER_CISCO_MD,
    ROCECC_LAYER_ETAG,
    ROCECC_LAYER_VNTAG,
    ROCECC_LAYER_ARISTA,
    ROCECC_LAYER_PPPOE,
    ROCECC_LAYER_MPLS,
    ROCECC_LAYER_IPV4,
    ROCECC_LAYER_IPV6,
    ROCECC_LAYER_IP6EXT,
    ROCECC_LAYER_UPPER, /* the protocol after IP */
    ROCECC_LAYER_IFA,
    ROCECC_LAYER_UDP,
    ROCECC_LAYER_INTMD,
    ROCECC_LAYER_OVERLAY,
    ROCECC_LAYER_GRH,
    ROCECC_LAYER_BTH
} ROCECC_IN_8_BITS_(rocecc_layer);

typedef enum rocecc_ip_fragment_ {
    ROCECC_IP_FRAGMENT_NONE = 0, /* a whole packet */
    ROCECC_IP_FRAGMENT_FIRST,
    ROCECC_IP_FRAGMENT_LATER
} ROCECC_IN_8_BITS_(rocecc_ip_fragment);

/*
 * Offsets of one IP header and its extension headers, counted from the start of the
 * buffer. Except in `offset`, 0 means that the header is absent.
 */
typedef struct rocecc_headers_ip {
    uint8_t version; /* 4 or 6; 0: no IP header */
    uint8_t proto;   /* protocol after IP and its extension headers */
    uint8_t n_ext;   /* number of extension headers; for IPv4, 1 if an AH was skipped */
    ROCECC_ENUM8_(rocecc_ip_fragment) fragment; /* IPv4: set even with FORMAT */
    uint16_t offset;                            /* valid if version is not 0 */
    uint16_t hop_by_hop;                        /* first Hop-by-Hop header */
    uint16_t dst_opts[2];                       /* first two Destination Options */
    uint16_t routing;                           /* first Routing header */
    uint16_t upper;                             /* header of `proto` */
    uint32_t end;                               /* end that this header declares */
} rocecc_headers_ip;

/*
 * Result of a walk. Offsets count from the start of the buffer, and 0 means that the
 * header is absent.
 */
typedef struct rocecc_headers {
    ROCECC_ENUM8_(rocecc_status) status; /* status of the walk */
    ROCECC_ENUM8_(rocecc_packet_kind) kind;
    ROCECC_ENUM8_(rocecc_layer) stopped;      /* last layer that was examined */
    ROCECC_ENUM8_(rocecc_tunnel_type) tunnel; /* type of the overlay */
    uint8_t n_vlan;                           /* number of VLAN tags */
    uint8_t vlan[3];     /* offset of each TCI from the start of the packet */
    uint8_t csig_bytes;  /* 4, or 8 for a wide tag */
    bool cut;            /* the mirror session has cut the inner packet */
    uint16_t next;       /* last type, protocol or port that was read */
    uint16_t link;       /* first length field of 802.3 or PPPoE */
    uint16_t csig;       /* CSIG tag, from its TPID on */
    uint16_t cntag;      /* CN-TAG, from its type on, 4 bytes */
    uint16_t ifa;        /* IFA header; its metadata follows UDP or the payload */
    uint16_t udp;        /* UDP header next to the BTH; with NPT 2, after INT */
    uint16_t intmd;      /* INT's shim */
    uint16_t overlay;    /* header of the overlay */
    uint16_t inner;      /* packet in the overlay, for rocecc_packet_inner() */
    uint16_t inner_type; /* its EtherType; for Ethernet, ROCECC_TYPE_TEB */
    uint16_t grh;
    uint16_t bth;
    ROCECC_ENUM8_(rocecc_partial) partial;
    uint8_t reserved;        /* 0, instead of padding */
    rocecc_headers_ip outer; /* outer header of IP in IP */
    rocecc_headers_ip ip;    /* IP header next to UDP; the ICRC covers it */
    uint32_t end; /* end of UDP, GRH or overlay, according to its length, including the
                     ICRC; in a partial packet, not beyond the end of IP */
} rocecc_headers;
ROCECC_SIZE_(rocecc_headers, 80);

/* Sets every member of *headers to 0. */
ROCECC_INLINE void rocecc_headers_clear(rocecc_headers *headers)
{
    const rocecc_headers none = ROCECC_ZERO;
    *headers = none;
}

#endif /* ROCECC_PACKET_HEADERS_H */
