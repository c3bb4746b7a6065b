/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_HEADERS_H
#define ROCECC_PACKET_HEADERS_H

/*
 * headers.h - where the headers of a packet are: offsets, and no pointer, so that a map
 * of a BPF program or a firmware's shared memory can keep it.
 *
 *   Ethernet - tags and shims -+- GRH ------------------------------- BTH   RoCEv1
 *                              +- IP [IP] [IFA] - UDP [IFA] [INT] --- BTH   RoCEv2
 *                              +- IP [IP] - an overlay - a packet again
 *                              +- MPLS - a pseudowire - a packet again
 *
 * Tags and shims: VLAN at most 3 times; CSIG, CN-TAG, LLC with SNAP, Cisco's metadata,
 * E-TAG, VN-Tag and Arista's timestamp once each; then MPLS or PPPoE. Under BPF at most
 * 3 follow the first VLAN tags. IP: at most 2 levels, each with 8 extension headers (4
 * under BPF). Overlays: VXLAN, VXLAN-GPE, Geneve, GRE, GRE in UDP, NVGRE, ERSPAN I to
 * III, Ethernet after IP, MPLS in UDP.
 *
 * A CNP over IPv4: ip.offset = 14, udp = 34, bth = 42, end = 74, kind =
 * ROCECC_PACKET_KIND_ROCEV2. What the walk did not come to is 0; what it found before
 * it failed stays.
 *
 * A partial packet is one whose end is not there, and `partial` says why. Its headers
 * are as good as those of a whole packet. It has no ICRC. Its kind has the bit PARTIAL,
 * and so is none that a gate takes for a notification. Where the capture alone has cut
 * a packet, `end` is beyond its bytes: rocecc_packet_partial() says so.
 */
#include "../fixed.h"
#include "domain.h"

/*
 * Where in its buffer a packet may begin: offsets have 16 bits, and the headers before
 * a BTH have 34,014 bytes at most: 82 of Ethernet and tags, 36 of MPLS, 2 x 16,424 of
 * IPv6 with 8 extension headers, 1,048 of UDP and INT.
 */
#define ROCECC_PACKET_START_MAX 31500
#define ROCECC_PACKET_VLAN_MAX 3
#define ROCECC_PACKET_CSIG_VLAN_MAX 2 /* VLAN tags before a CSIG tag */

/* The most tags and shims that are stepped over after VLAN tags that come first; a
 * packet with more: UNSUPPORTED. 10 are one of each. */
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
    ROCECC_PACKET_KIND_PARTIAL = 8 /* and one of these: a part of such a packet */
} ROCECC_IN_8_BITS_(rocecc_packet_kind);

/* Why the end of a packet is not there: the outermost reason. */
typedef enum rocecc_partial_ {
    ROCECC_PARTIAL_NONE = 0,
    ROCECC_PARTIAL_FRAGMENT, /* of IP: the rest is in others */
    ROCECC_PARTIAL_TRIMMED,  /* a switch has cut the payload: UDP is longer than IP */
    ROCECC_PARTIAL_MIRRORED, /* a mirror session has cut the copy, or it is longer than
                                the overlay around it */
    ROCECC_PARTIAL_SAMPLED,  /* the first bytes of a packet, as sFlow carries them */
    ROCECC_PARTIAL_QUOTED,   /* what an ICMP error quotes of a packet */
    ROCECC_PARTIAL_CAPTURED  /* the capture ends first: of rocecc_packet_partial() */
} ROCECC_IN_8_BITS_(rocecc_partial);

/* In the order of a packet. */
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
    ROCECC_LAYER_UPPER, /* what the IP header says follows */
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

/* One IP header. Offsets count from the first byte of the buffer; an offset of 0 says
 * that the packet has no such header. */
typedef struct rocecc_headers_ip {
    uint8_t version; /* 4 or 6; 0: no IP header */
    uint8_t proto;   /* of what follows it and its extension headers */
    uint8_t n_ext;   /* extension headers: rocecc_packet_exts(); of IPv4, AH */
    ROCECC_ENUM8_(rocecc_ip_fragment) fragment; /* of a header of wrong length, too */
    uint16_t offset;                            /* 0 is a place here: see version */
    uint16_t hop_by_hop;                        /* the first header of this type; */
    uint16_t dst_opts[2];                       /* the first two; */
    uint16_t routing;                           /* the first one */
    uint16_t upper; /* what follows options or extension headers */
    uint32_t end;   /* of the packet, as its length says */
} rocecc_headers_ip;

/* Where the headers of a packet are. */
typedef struct rocecc_headers {
    ROCECC_ENUM8_(rocecc_status) status; /* of the walk */
    ROCECC_ENUM8_(rocecc_packet_kind) kind;
    ROCECC_ENUM8_(rocecc_layer) stopped;      /* the last one that was looked at */
    ROCECC_ENUM8_(rocecc_tunnel_type) tunnel; /* the overlay */
    uint8_t n_vlan;      /* VLAN tags: rocecc_packet_vlan() has each */
    uint8_t vlan[3];     /* how far after the start of the packet each TCI is */
    uint8_t csig_bytes;  /* 4, or 8 of a wide tag */
    bool cut;            /* the packet in this mirror session has lost its end */
    uint16_t next;       /* the last type, protocol or port that said what follows */
    uint16_t link;       /* the length of 802.3 or PPPoE that counts what follows it */
    uint16_t csig;       /* a CSIG tag, from its TPID on */
    uint16_t cntag;      /* a CN-TAG, from its type on: 4 bytes */
    uint16_t ifa;        /* the IFA header; its metadata header follows UDP */
    uint16_t udp;        /* the one next to the BTH, also where INT has added one */
    uint16_t intmd;      /* the shim of INT */
    uint16_t overlay;    /* the header of the overlay */
    uint16_t inner;      /* the packet in it: rocecc_packet_inner() */
    uint16_t inner_type; /* its EtherType; ROCECC_TYPE_TEB: Ethernet */
    uint16_t grh;
    uint16_t bth;
    ROCECC_ENUM8_(rocecc_partial) partial;
    uint8_t reserved;        /* 0: so that no byte is padding */
    rocecc_headers_ip outer; /* of IP in IP */
    rocecc_headers_ip ip;    /* the one next to UDP, which the ICRC covers */
    uint32_t end; /* of UDP, GRH or overlay, as its length says; through the ICRC. Of a
                     partial packet never beyond the IP header's end */
} rocecc_headers;
ROCECC_SIZE_(rocecc_headers, 80);

/* Nothing is known. */
ROCECC_INLINE void rocecc_headers_clear(rocecc_headers *headers)
{
    const rocecc_headers none = ROCECC_ZERO;
    *headers = none;
}

#endif /* ROCECC_PACKET_HEADERS_H */
