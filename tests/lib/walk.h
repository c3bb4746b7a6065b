/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_WALK_H
#define TESTS_LIB_WALK_H

/*
 * walk.h - the places of a frame's headers, from the RFCs and not from the library.
 * walk.c includes no file of include/. tests/packet/packet.c compares both.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct walk_domain {
    bool ip_first;      /* frames begin with an IP header */
    bool ah;            /* step over an Authentication Header */
    uint16_t vlan_tpid; /* a third TPID; in this and the next three, 0 is off */
    uint16_t etag;
    uint16_t vntag;
    uint16_t arista;
    bool own_ports; /* the six ports below replace IANA's */
    uint16_t vxlan[2];
    uint16_t vxlan_gpe;
    uint16_t geneve;
    uint16_t mpls_udp;
    uint16_t gre_udp;
    uint16_t rocev2_port;  /* 0: 4791 */
    uint16_t csig_compact; /* TPID; 0: off */
    uint16_t csig_wide;    /* TPID; 0: off */
    uint8_t ifa_protocol;  /* 0: off */
    uint16_t intmd_port;   /* 0: off */
    uint8_t intmd_dscp;
    uint8_t intmd_dscp_mask; /* 0: off */
    uint64_t intmd_marker;   /* 0: off */
    bool intmd_before_options;
} walk_domain;

typedef enum walk_status {
    WALK_OK = 0,
    WALK_NO_MATCH = 2, /* the numbers of rocecc_status */
    WALK_SHORT = 3,
    WALK_FORMAT = 4,
    WALK_UNSUPPORTED = 5
} walk_status;

typedef enum walk_kind {
    WALK_OTHER = 0,
    WALK_TCP,
    WALK_UDP,
    WALK_OVERLAY,
    WALK_ROCEV1,
    WALK_ROCEV2 = 6,
    WALK_PARTIAL = 8 /* plus one of these */
} walk_kind;

typedef enum walk_partial {
    WALK_WHOLE = 0,
    WALK_FRAGMENT,
    WALK_TRIMMED,
    WALK_MIRRORED,
    WALK_SAMPLED,
    WALK_QUOTED
} walk_partial;

typedef enum walk_layer {
    WALK_AT_ETHER = 0,
    WALK_AT_VLAN,
    WALK_AT_CSIG,
    WALK_AT_CNTAG,
    WALK_AT_LLC,
    WALK_AT_CMD,
    WALK_AT_ETAG,
    WALK_AT_VNTAG,
    WALK_AT_ARISTA,
    WALK_AT_PPPOE,
    WALK_AT_MPLS,
    WALK_AT_IPV4,
    WALK_AT_IPV6,
    WALK_AT_IP6EXT,
    WALK_AT_UPPER,
    WALK_AT_IFA,
    WALK_AT_UDP,
    WALK_AT_INTMD,
    WALK_AT_OVERLAY,
    WALK_AT_GRH,
    WALK_AT_BTH
} walk_layer;

typedef enum walk_tunnel {
    WALK_NO_TUNNEL = 0,
    WALK_VXLAN,
    WALK_VXLAN_GPE,
    WALK_GENEVE,
    WALK_GRE,
    WALK_NVGRE,
    WALK_ERSPAN_I,
    WALK_ERSPAN_II,
    WALK_ERSPAN_III,
    WALK_ETHERNET, /* after IP: protocol 143 */
    WALK_MPLS_UDP,
    WALK_PSEUDOWIRE /* after MPLS */
} walk_tunnel;

/* IP header. Offsets count from bytes[0], and 0 means none. */
typedef struct walk_ip {
    uint8_t version; /* 4 or 6; without an IP header, all members are 0 */
    uint8_t proto;
    uint8_t n_ext;
    uint8_t fragment; /* 1: first fragment, 2: another; 0: whole packet */
    uint32_t at;
    uint32_t hop_by_hop;
    uint32_t dst_opts[2];
    uint32_t routing;
    uint32_t upper;
    uint32_t end;
} walk_ip;

typedef struct walk_result {
    walk_status status;
    walk_kind kind;
    walk_layer stopped;
    walk_tunnel tunnel;
    uint16_t next;
    uint8_t n_vlan;
    uint8_t csig_bytes;
    uint32_t link; /* first length of 802.3 or PPPoE; 0: none */
    uint32_t csig;
    uint32_t cntag;
    walk_ip outer;
    walk_ip ip;
    uint32_t ifa;
    uint32_t ifa_metadata;
    uint32_t udp;
    uint32_t intmd;
    uint32_t overlay;
    uint32_t inner;
    uint16_t inner_type;
    bool cut;
    uint32_t grh;
    uint32_t bth;
    uint32_t end;
    walk_partial partial;
} walk_result;

/* Walks bytes[start .. n). The frame begins at `start`. */
void walk(const walk_domain *d, const uint8_t *bytes, size_t start, size_t n,
          walk_result *out);

/* A place where a walk begins, and the end of its packet. */
typedef struct walk_place {
    size_t start;     /* offset of its first header */
    size_t n;         /* end of the bytes */
    uint16_t type;    /* EtherType of the first header, 0x6558 for Ethernet itself */
    size_t declared;  /* end of the packet by a length around it, or SIZE_MAX */
    walk_partial why; /* reason if the end is missing */
} walk_place;

/* Like walk(), from a header of a known EtherType. */
void walk_at(const walk_domain *d, const uint8_t *bytes, const walk_place *place,
             walk_result *out);

#endif /* TESTS_LIB_WALK_H */
