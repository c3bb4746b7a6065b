/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_CONFIG_H
#define ROCECC_WIRE_CONFIG_H

/*
 * config.h - the numbers and choices on which the nodes of a network must agree. No
 * registry has assigned the numbers, and the documents that define the formats leave
 * the choices open. An all-zero configuration turns its format off, or follows the
 * standard if the format needs no unassigned number. If a configuration has an init()
 * function, the host must call it once before the configuration is used.
 *
 *     rocecc_fastcnp_config c = {0};
 *     c.type_plain = 0x9e;            the draft's TBD1
 *     rocecc_fastcnp_init(&c)         ROCECC_FASTCNP_ACCEPTED
 *     c.type_plain = 0x1e;            act 00: nodes skip the option if it is unknown
 *     rocecc_fastcnp_init(&c)         ROCECC_FASTCNP_REFUSED_ACT
 */
#include "ether.h"
#include "ip.h"
#include "ip6opt.h"
#include "udp.h"

/* RoCE. */

/*
 * Configuration of RoCE. Each member lets a receiver accept packets that RoCE products
 * do not send.
 */
typedef struct rocecc_roce_config {
    bool rd;        /* opcodes 0x40 to 0x5f are RD; some products redefine them */
    bool short_cnp; /* accept CNPs without their 16 reserved bytes (UDP Length 24) */
    uint16_t echo_bytes; /* maximum length of an echo in an ACK, including header and
                            PSN (echo.h); 0: no echo is written or accepted */
} rocecc_roce_config;

#define ROCECC_ECHO_BYTES 4        /* only the header */
#define ROCECC_ECHO_MAX_BYTES 1024 /* header and a record of 255 words, without PSN */

/*
 * Checks a configuration. Returns RANGE if echo_bytes is above ROCECC_ECHO_MAX_BYTES.
 * Also returns RANGE if echo_bytes is 1 to 7, because the shortest echo with a record
 * is 8 bytes long.
 */
ROCECC_FN rocecc_status rocecc_roce_init(const rocecc_roce_config *config)
{
    return config->echo_bytes != 0 && (config->echo_bytes < ROCECC_ECHO_BYTES + 4 ||
                                       config->echo_bytes > ROCECC_ECHO_MAX_BYTES)
               ? ROCECC_ERR_RANGE
               : ROCECC_OK;
}

/* CSIG: csig.h. */

#define ROCECC_CSIG_COMPACT_BYTES 4
#define ROCECC_CSIG_WIDE_BYTES 8

/* Configuration of CSIG, which has no assigned TPID. All zeros means off. */
typedef struct rocecc_csig_config {
    uint16_t compact_tpid; /* TPID of compact tags; 0: off */
    uint16_t wide_tpid;    /* TPID of wide tags; 0: off */
    bool uec; /* use the UEC variant; LM is one bit shorter, and the bit d follows it */
} rocecc_csig_config;

/* Returns true if a TPID is 0 (off) or a type that rocecc_csig_init() allows. */
ROCECC_FN bool rocecc_csig_tpid_is_free_(uint16_t tpid)
{
    return tpid == 0 || (tpid >= 0x600 && !rocecc_vlan_match(tpid) &&
                         tpid != ROCECC_TYPE_IPV4 && tpid != ROCECC_TYPE_IPV6 &&
                         tpid != ROCECC_TYPE_ROCEV1 && tpid != ROCECC_TYPE_CNTAG);
}

/*
 * Checks a configuration. Accepts a TPID of 0 (off). Returns RANGE if both forms have
 * the same non-zero TPID, or if a TPID is a length (below 0x600) or the type of a VLAN
 * tag, IPv4, IPv6, RoCEv1 or a CN-TAG. rocecc_domain_init() rejects further types.
 */
ROCECC_FN rocecc_status rocecc_csig_init(const rocecc_csig_config *config)
{
    if (!rocecc_csig_tpid_is_free_(config->compact_tpid) ||
        !rocecc_csig_tpid_is_free_(config->wide_tpid) ||
        (config->compact_tpid != 0 && config->compact_tpid == config->wide_tpid))
        return ROCECC_ERR_RANGE;
    return ROCECC_OK;
}

/*
 * Returns the length of the tag that a type announces, 4 or 8 bytes including the type.
 * Returns 0 if the type is not a TPID in config.
 */
ROCECC_INLINE size_t rocecc_csig_bytes(const rocecc_csig_config *config, uint16_t type)
{
    if (type == 0) return 0;
    if (type == config->compact_tpid) return ROCECC_CSIG_COMPACT_BYTES;
    return type == config->wide_tpid ? ROCECC_CSIG_WIDE_BYTES : 0;
}

/* IFA: ifa.h. */

#define ROCECC_IFA_GRE 47u /* NextHdr can be GRE, TCP or UDP */

/*
 * Values for lab use: an experimental protocol number (RFC 3692) and the sets of local
 * name spaces (LNS) observed in practice.
 */
#define ROCECC_IFA_LAB_PROTOCOL 253u
#define ROCECC_IFA_LAB_LAYOUT_A (1u << 1)
#define ROCECC_IFA_LAB_LAYOUT_B (1u << 2)

/* Bytes that the checksum (flag C) covers. No public text defines them. */
typedef enum rocecc_ifa_coverage_ {
    ROCECC_IFA_COVERS_UNKNOWN = 0, /* the checksum is neither written nor checked */
    ROCECC_IFA_COVERS_STACK,   /* the stack ("checksum for metadata stack" in SAI) */
    ROCECC_IFA_COVERS_METADATA /* from the metadata header through the stack */
} ROCECC_IN_8_BITS_(rocecc_ifa_coverage);

/* Position of the newest record in a tail stamp (TS). No public text defines it. */
typedef enum rocecc_ifa_tail_ {
    ROCECC_IFA_TAIL_UNKNOWN = 0,  /* records of a tail stamp are UNSUPPORTED */
    ROCECC_IFA_TAIL_NEWEST_FIRST, /* right after the payload */
    ROCECC_IFA_TAIL_NEWEST_LAST   /* right before the headers */
} ROCECC_IN_8_BITS_(rocecc_ifa_tail);

/*
 * Choices that all nodes in a zone share. If all members are 0, IFA is neither found
 * nor written. The members below the dashed line are for layouts that no public text
 * defines (README.md).
 */
typedef struct rocecc_ifa_config {
    uint8_t protocol;  /* IP protocol number of IFA; 0: off */
    uint16_t layout_a; /* local name spaces with layout A; bit n: a record with LNS n
                          has layout A */
    uint16_t layout_b; /* local name spaces with layout B; as layout_a; an LNS in
                          neither set is UNSUPPORTED */
    /* ---- */
    uint16_t gns_a; /* global name spaces with layout A; bit n (not 15): with GNS n, all
                       records have layout A */
    uint16_t gns_b; /* global name spaces with layout B; as gns_a; a GNS below 15 in
                       neither set is UNSUPPORTED */
    ROCECC_ENUM8_(rocecc_ifa_coverage) checksum; /* checksum coverage; for flag C */
    ROCECC_ENUM8_(rocecc_ifa_tail) tail; /* record order in a tail stamp; for flag TS */
    bool fragments; /* new stack at a node without room; for flag MF */
} rocecc_ifa_config;

/* Reasons to reject a configuration. */
typedef enum rocecc_ifa_refusal {
    ROCECC_IFA_ACCEPTED = 0,
    ROCECC_IFA_REFUSED_OFF,      /* no protocol number, or no layout */
    ROCECC_IFA_REFUSED_PROTOCOL, /* ESP, TCP, UDP, GRE, 59, or an extension header */
    ROCECC_IFA_REFUSED_LAYOUT,   /* an LNS has both layouts */
    ROCECC_IFA_REFUSED_GNS,      /* a GNS has both layouts, or GNS 15 has one */
    ROCECC_IFA_REFUSED_CHOICE    /* `checksum` or `tail` has an unknown value */
} rocecc_ifa_refusal;

/*
 * Checks a configuration. Returns ACCEPTED, or the first reason that applies, in the
 * order of rocecc_ifa_refusal. The host may use a configuration whose protocol number
 * is 0 (off), but must not use any other rejected configuration.
 */
ROCECC_FN rocecc_ifa_refusal rocecc_ifa_init(const rocecc_ifa_config *config)
{
    const uint8_t p = config->protocol;
    if (p == 0 ||
        (config->layout_a | config->layout_b | config->gns_a | config->gns_b) == 0)
        return ROCECC_IFA_REFUSED_OFF;
    if (rocecc_ip6ext_match(p) || p == ROCECC_PROTO_ESP || p == ROCECC_PROTO_NONE ||
        p == ROCECC_PROTO_UDP || p == ROCECC_PROTO_TCP || p == ROCECC_IFA_GRE)
        return ROCECC_IFA_REFUSED_PROTOCOL;
    if ((config->layout_a & config->layout_b) != 0) return ROCECC_IFA_REFUSED_LAYOUT;
    if ((config->gns_a & config->gns_b) != 0 ||
        ((config->gns_a | config->gns_b) & 0x8000u) != 0)
        return ROCECC_IFA_REFUSED_GNS;
    return config->checksum > ROCECC_IFA_COVERS_METADATA ||
                   config->tail > ROCECC_IFA_TAIL_NEWEST_LAST
               ? ROCECC_IFA_REFUSED_CHOICE
               : ROCECC_IFA_ACCEPTED;
}

/* INT-MD: intmd.h. */

/*
 * Unassigned numbers, and the choices of a domain. If all members are 0, all INT marks
 * (port, DSCP and probe marker) are off, no Domain Specific ID is known, and a transit
 * node adds no report to a packet that asks for unknown items.
 */
typedef struct rocecc_intmd_config {
    uint16_t udp_port;     /* INT_TBD, the port for NPT 1 and 2 */
    uint8_t dscp;          /* NPT 0: the DSCP that marks INT */
    uint8_t dscp_mask;     /* the DSCP bits to compare; 0: off */
    uint64_t probe_marker; /* NPT 0: 8 bytes before the shim; 0: off */
    bool before_options;   /* INT precedes TCP's options instead of following them */
    bool pad_unknown;      /* push all ones for reserved bits and unknown domains */
    bool complement; /* if bit 15 asks for it, write a complement that keeps the UDP or
                        TCP checksum valid */
    uint16_t ds_id;  /* the known Domain Specific ID; 0: no domain */
    uint8_t source_words[16]; /* words that only a source adds for each bit of DS
                                 Instruction, high bit first */
} rocecc_intmd_config;

/* IOAM: ioam.h. */

/*
 * Configuration of one IOAM namespace, for a node that writes traces or a host that
 * reads them. packet/ioam.h ignores traces in other namespaces, even in the default
 * namespace 0 (RFC 9197, 4.3). In every member except namespace_id, 0 means off. If
 * tx_bytes_bit and interface_bit are equal, the bit means tx_bytes.
 */
typedef struct rocecc_ioam_config {
    uint16_t namespace_id;
    uint8_t tx_bytes_bit;  /* 12 to 21; draft-gafni-...-additional-data-fields-00: 12 */
    uint8_t interface_bit; /* speed and errors, 12 to 21 (draft: 13); others: off */
    bool leave_undefined;  /* a node does not change a trace with unknown bits;
                              otherwise it writes a word of ones for each unknown bit */
} rocecc_ioam_config;

/* The Fast CNP: fastcnp.h. */

/*
 * Option types for lab use. RFC 4727 assigns only one experimental type with act 10 and
 * chg 0.
 */
#define ROCECC_FASTCNP_LAB_PLAIN 0x9eu
#define ROCECC_FASTCNP_LAB_IOAM 0x9fu /* not assigned in 2024; ask IANA first */

/* Part of an IOAM option that is copied into a Fast CNP option of type TBD2. */
typedef enum rocecc_fastcnp_form_ {
    ROCECC_FASTCNP_FORM_A = 0, /* all data (Reserved, IOAM-Opt-Type and the trace) */
    ROCECC_FASTCNP_FORM_B      /* only the trace, which counts as pre-allocated */
} ROCECC_IN_8_BITS_(rocecc_fastcnp_form);

/* Choices that both ends must share. All zeros means off. */
typedef struct rocecc_fastcnp_config {
    uint8_t type_plain; /* type of the option without a trace; TBD1; 0: off */
    uint8_t type_ioam;  /* type of the option with a trace; TBD2; 0: off */
    ROCECC_ENUM8_(rocecc_fastcnp_form) form; /* part of the IOAM option in TBD2 */
    bool address_first; /* put the address before the trace; in TBD2 */
    bool align8; /* align the address to 8 bytes; in TBD1, with leading padding */
} rocecc_fastcnp_config;

/* Reasons to reject a configuration. */
typedef enum rocecc_fastcnp_refusal {
    ROCECC_FASTCNP_ACCEPTED = 0,
    ROCECC_FASTCNP_REFUSED_OFF, /* neither type is set, so Fast CNPs are off (FC-22) */
    ROCECC_FASTCNP_REFUSED_ACT, /* the two high bits are not 10 (FC-10, FC-13) */
    ROCECC_FASTCNP_REFUSED_CHG, /* the third bit is not 0 (FC-11, FC-14) */
    ROCECC_FASTCNP_REFUSED_ASSIGNED, /* the type is assigned to another option */
    ROCECC_FASTCNP_REFUSED_SAME,     /* type_plain equals type_ioam */
    ROCECC_FASTCNP_REFUSED_FORM      /* `form` is not a rocecc_fastcnp_form */
} rocecc_fastcnp_refusal;

/* Checks whether a type can be used as TBD1 or TBD2. Accepts type 0 (off). */
ROCECC_FN rocecc_fastcnp_refusal rocecc_fastcnp_check_(uint8_t type)
{
    if (type == 0) return ROCECC_FASTCNP_ACCEPTED;
    if ((type & ROCECC_IP6OPT_ACT) != ROCECC_IP6OPT_ACT_ICMP)
        return ROCECC_FASTCNP_REFUSED_ACT;
    if ((type & ROCECC_IP6OPT_CHG) != 0) return ROCECC_FASTCNP_REFUSED_CHG;
    /* endpoint identification, ILNP nonce, line identification */
    if (type == 0x8a || type == 0x8b || type == 0x8c)
        return ROCECC_FASTCNP_REFUSED_ASSIGNED;
    return ROCECC_FASTCNP_ACCEPTED;
}

/*
 * Checks a configuration. Returns ACCEPTED, or the first reason that applies, in this
 * order: ACT, CHG and ASSIGNED for type_plain, the same three for type_ioam, and then
 * FORM, OFF and SAME. The host may use a configuration that is off (REFUSED_OFF), but
 * must not use any other rejected configuration.
 */
ROCECC_FN rocecc_fastcnp_refusal
rocecc_fastcnp_init(const rocecc_fastcnp_config *config)
{
    const rocecc_fastcnp_refusal plain = rocecc_fastcnp_check_(config->type_plain);
    const rocecc_fastcnp_refusal ioam = rocecc_fastcnp_check_(config->type_ioam);
    if (plain != ROCECC_FASTCNP_ACCEPTED) return plain;
    if (ioam != ROCECC_FASTCNP_ACCEPTED) return ioam;
    if (config->form > ROCECC_FASTCNP_FORM_B) return ROCECC_FASTCNP_REFUSED_FORM;
    if (config->type_plain == 0 && config->type_ioam == 0)
        return ROCECC_FASTCNP_REFUSED_OFF;
    if (config->type_plain == config->type_ioam) return ROCECC_FASTCNP_REFUSED_SAME;
    return ROCECC_FASTCNP_ACCEPTED;
}

/* CNM and L3QCN: cnm.h, l3qcn.h. */

/*
 * Signs of cnmQOffset and cnmQDelta, on which the documents disagree. Rates depend only
 * on QntzFb, so the signs do not affect them. Qsp is the set point of the queue, Qlen
 * is the queue length, and QlenOld is the queue length at the previous sample.
 */
typedef enum rocecc_cnm_signs_ {
    ROCECC_CNM_SIGNS_A = 0, /* offset Qsp - Qlen, delta Qlen - QlenOld (the standard) */
    ROCECC_CNM_SIGNS_B,     /* offset Qlen - Qsp, delta Qlen - QlenOld (HPE's text) */
    ROCECC_CNM_SIGNS_C      /* offset Qsp - Qlen, delta QlenOld - Qlen (the draft) */
} ROCECC_IN_8_BITS_(rocecc_cnm_signs);

/*
 * Configuration of CNMs. An all-zero configuration follows the standard. README.md
 * lists the rules that the comments below cite by number.
 */
typedef struct rocecc_cnm_config {
    ROCECC_ENUM8_(rocecc_cnm_signs) signs; /* signs of QOffset and QDelta; others: A */
    bool fixed_msdu;     /* always emit 64 bytes of MSDU; as in the draft,
                            padded with zeros */
    bool tolerate_long;  /* accept an MSDU length above 64 as 64; rule 5 */
    bool strict_version; /* accept only version 0; rule 8 */
    rocecc_mac station;  /* accepted destination address;
                            0: any non-group address (rule 12) */
} rocecc_cnm_config;

/* Configuration of L3QCN. All zeros means off. */
typedef struct rocecc_l3qcn_config {
    uint16_t port;     /* the UDP destination port; 0: off */
    bool reserved_bit; /* also accept IPv4 packets with the reserved first flag set */
    rocecc_cnm_config cnm; /* `station` is ignored */
} rocecc_l3qcn_config;

/* Checks a configuration. Returns RANGE if the port is the RoCEv2 port. */
ROCECC_FN rocecc_status rocecc_l3qcn_init(const rocecc_l3qcn_config *config)
{
    return config->port == ROCECC_UDP_PORT_ROCEV2 ? ROCECC_ERR_RANGE : ROCECC_OK;
}

/* ARN: arn.h. */

/* Position of bit 0 in Para-Type. */
#define ROCECC_ARN_MSB 0  /* 0x80, as numbered in the figure */
#define ROCECC_ARN_LSB 1  /* 0x01 */
#define ROCECC_ARN_AUTO 2 /* inferred from the non-zero half; allows only bits 0 to 3 */

/* Form of the 5-tuple. */
#define ROCECC_ARN_ANY_LAYOUT 0 /* accepts both forms, writes the padded form */
#define ROCECC_ARN_PADDED 1     /* followed by 3 zero bytes */
#define ROCECC_ARN_PACKED 2     /* not followed by zero bytes */

/* Range of a priority. */
#define ROCECC_ARN_PRIORITY_8021P 0 /* 0 to 7 */
#define ROCECC_ARN_PRIORITY_DSCP 1  /* 0 to 63 */
#define ROCECC_ARN_PRIORITY_ANY 2

/*
 * Choices that the drafts leave open. Both ends must agree on them. All zeros means
 * off.
 */
typedef struct rocecc_arn_config {
    uint16_t port;         /* UDP destination port of ARNs; 0: off */
    uint16_t versions;     /* set of accepted versions; bit n accepts version n;
                              0: ROCECC_ARN_VERSIONS */
    uint32_t time_unit_ps; /* unit of the compression time; 0: 1 us; for PFC's quanta,
                              512000000 / (rate in Mb/s) */
    uint8_t bit_order; /* position of bit 0 in Para-Type; ROCECC_ARN_MSB, _LSB, _AUTO */
    uint8_t family; /* IP version of the 5-tuple; 4 or 6; 0: inferred from its length */
    uint8_t layout; /* form of the 5-tuple; ROCECC_ARN_ANY_LAYOUT, _PADDED, _PACKED */
    uint8_t priority;  /* range of the priority parameter; ROCECC_ARN_PRIORITY_... */
    bool tail_unknown; /* accept unknown parameters after the known ones; their bits are
                          above 3 (see rocecc_arn.rest); not allowed with AUTO */
} rocecc_arn_config;

typedef enum rocecc_arn_refusal {
    ROCECC_ARN_ACCEPTED = 0,
    ROCECC_ARN_REFUSED_BIT_ORDER, /* above ROCECC_ARN_AUTO */
    ROCECC_ARN_REFUSED_LAYOUT,    /* above ROCECC_ARN_PACKED */
    ROCECC_ARN_REFUSED_PRIORITY,  /* above ROCECC_ARN_PRIORITY_ANY */
    ROCECC_ARN_REFUSED_FAMILY,    /* not 0, 4 or 6 */
    ROCECC_ARN_REFUSED_TAIL       /* tail_unknown is set with ROCECC_ARN_AUTO */
} rocecc_arn_refusal;

/*
 * Checks a configuration. Returns ACCEPTED, or the first reason that applies, in the
 * order of rocecc_arn_refusal. With a rejected configuration, rocecc_arn_parse() and
 * rocecc_arn_emit() reject every message.
 */
ROCECC_FN rocecc_arn_refusal rocecc_arn_init(const rocecc_arn_config *config)
{
    if (config->bit_order > ROCECC_ARN_AUTO) return ROCECC_ARN_REFUSED_BIT_ORDER;
    if (config->layout > ROCECC_ARN_PACKED) return ROCECC_ARN_REFUSED_LAYOUT;
    if (config->priority > ROCECC_ARN_PRIORITY_ANY) return ROCECC_ARN_REFUSED_PRIORITY;
    if (config->family != 0 && config->family != 4 && config->family != 6)
        return ROCECC_ARN_REFUSED_FAMILY;
    if (config->tail_unknown && config->bit_order == ROCECC_ARN_AUTO)
        return ROCECC_ARN_REFUSED_TAIL;
    return ROCECC_ARN_ACCEPTED;
}

#endif /* ROCECC_WIRE_CONFIG_H */
