/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_INTMD_H
#define ROCECC_WIRE_INTMD_H

/*
 * intmd.h - In-band Network Telemetry, mode MD, of P4.org: INT dataplane specification
 * v2.1. A shim says how long all of it is; the metadata header says what each node is
 * to report; each node pushes what it reports right behind that header.
 *
 *   IP | UDP or TCP | shim | metadata header | newest node | ... | first node | payload
 *
 * First the shims of each protocol that carries it, then the header, the nodes, and
 * what a source, a transit and a sink do to a packet. A word is 4 bytes.
 */
#include "config.h"
#include "ip.h"
#include "skip.h"
#include "tcp.h"
#include "udp.h"

#define ROCECC_INTMD_HEADER_BYTES 12
#define ROCECC_INTMD_BODY_MAX_BYTES 1020  /* what a Length of 8 bits counts */
#define ROCECC_INTMD_STACK_MAX_BYTES 1008 /* of it, all nodes */
#define ROCECC_INTMD_GENEVE_MAX_BYTES 124 /* what a Length of 5 bits counts */
#define ROCECC_INTMD_VER 2u

/* The word before body, as all shims but Geneve's have it; Length is in octet 1. */
ROCECC_FN rocecc_status rocecc_intmd_shim_take_(rocecc_reader *r, uint32_t *word,
                                                rocecc_reader *body)
{
    rocecc_reader rest = *r;
    const uint8_t *b = rocecc_take(&rest, ROCECC_INTMD_SHIM_BYTES);
    if (b == NULL || !rocecc_split(&rest, (size_t)b[1] * 4, body))
        return ROCECC_ERR_SHORT;
    *word = rocecc_load32(b);
    *r = rest;
    return ROCECC_OK;
}

/* Writes a word and max bytes of body at most. RANGE: body is longer, or no words. */
ROCECC_FN rocecc_status rocecc_intmd_shim_put_(rocecc_writer *w, uint32_t word,
                                               rocecc_reader body, size_t max)
{
    const size_t bytes = rocecc_left(&body);
    rocecc_writer out = *w;
    uint8_t *b;
    if (bytes > max || bytes % 4 != 0) return ROCECC_ERR_RANGE;
    if (rocecc_room(w) < ROCECC_INTMD_SHIM_BYTES + bytes) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, ROCECC_INTMD_SHIM_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store32(b, word);
    if (!rocecc_append(&out, body, max)) return ROCECC_ERR_SPACE;
    *w = out;
    return ROCECC_OK;
}

/*
 * The shim behind a TCP or UDP header.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   | Type  |NPT|R R|    Length     | UDP port, IP protocol or DSCP |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
typedef struct rocecc_intmd_shim {
    uint8_t type;       /* 4 bits, a rocecc_intmd_type */
    uint8_t npt;        /* 2 bits, a rocecc_intmd_npt */
    uint8_t reserved;   /* 2 bits */
    uint16_t original;  /* what the packet had; see rocecc_intmd_npt */
    rocecc_reader body; /* Length words; the shim is not counted */
} rocecc_intmd_shim;

/* SHORT: the shim, or the Length that it declares, goes beyond r. */
ROCECC_FN rocecc_status rocecc_intmd_shim_parse(rocecc_reader *r, rocecc_intmd_shim *h)
{
    uint32_t word = 0;
    const rocecc_status status = rocecc_intmd_shim_take_(r, &word, &h->body);
    if (status != ROCECC_OK) return status;
    h->type = (uint8_t)(word >> 28);
    h->npt = (uint8_t)(word >> 26 & 0x3);
    h->reserved = (uint8_t)(word >> 24 & 0x3);
    h->original = (uint16_t)word;
    return ROCECC_OK;
}

/* The shim alone, for a body of so many words. */
ROCECC_FN uint32_t rocecc_intmd_shim_word_(const rocecc_intmd_shim *h, size_t words)
{
    return (uint32_t)h->type << 28 | (h->npt & 0x3u) << 26 |
           (h->reserved & 0x3u) << 24 | (uint32_t)(words & 0xff) << 16 | h->original;
}

/*
 * RANGE: a value is wider than its field, or body is no whole words or beyond
 * ROCECC_INTMD_BODY_MAX_BYTES. SPACE: w is too small.
 */
ROCECC_FN rocecc_status rocecc_intmd_shim_emit(rocecc_writer *w,
                                               const rocecc_intmd_shim *h)
{
    if ((h->type >> 4 | h->npt >> 2 | h->reserved >> 2) != 0) return ROCECC_ERR_RANGE;
    return rocecc_intmd_shim_put_(w,
                                  rocecc_intmd_shim_word_(h, rocecc_left(&h->body) / 4),
                                  h->body, ROCECC_INTMD_BODY_MAX_BYTES);
}

/*
 * The shim behind a GRE header.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   | Type  |G|Resvd|    Length     |         Next Protocol         |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
typedef struct rocecc_intmd_gre {
    uint8_t type;           /* 4 bits, a rocecc_intmd_type */
    bool g;                 /* the GRE header was added for INT */
    uint8_t reserved;       /* 3 bits */
    uint16_t next_protocol; /* an EtherType: what follows the stack */
    rocecc_reader body;     /* Length words */
} rocecc_intmd_gre;

/* SHORT: as rocecc_intmd_shim_parse(). */
ROCECC_FN rocecc_status rocecc_intmd_gre_parse(rocecc_reader *r, rocecc_intmd_gre *h)
{
    uint32_t word = 0;
    const rocecc_status status = rocecc_intmd_shim_take_(r, &word, &h->body);
    if (status != ROCECC_OK) return status;
    h->type = (uint8_t)(word >> 28);
    h->g = (word >> 27 & 1) != 0;
    h->reserved = (uint8_t)(word >> 24 & 0x7);
    h->next_protocol = (uint16_t)word;
    return ROCECC_OK;
}

/* RANGE, SPACE: as rocecc_intmd_shim_emit(). */
ROCECC_FN rocecc_status rocecc_intmd_gre_emit(rocecc_writer *w,
                                              const rocecc_intmd_gre *h)
{
    const uint32_t words = (uint32_t)(rocecc_left(&h->body) / 4) & 0xff;
    if ((h->type >> 4 | h->reserved >> 3) != 0) return ROCECC_ERR_RANGE;
    return rocecc_intmd_shim_put_(w,
                                  (uint32_t)h->type << 28 | (uint32_t)h->g << 27 |
                                      (uint32_t)h->reserved << 24 | words << 16 |
                                      h->next_protocol,
                                  h->body, ROCECC_INTMD_BODY_MAX_BYTES);
}

/*
 * The shim behind a VXLAN-GPE header, whose P flag is set.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   | Type  | Resvd |    Length     |G|   Reserved  | Next Protocol |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
typedef struct rocecc_intmd_gpe {
    uint8_t type;          /* 4 bits, a rocecc_intmd_type */
    uint8_t reserved;      /* 4 bits */
    bool g;                /* the packet was VXLAN, not GPE, before */
    uint8_t reserved7;     /* 7 bits */
    uint8_t next_protocol; /* of VXLAN-GPE: what follows the stack */
    rocecc_reader body;    /* Length words */
} rocecc_intmd_gpe;

/* SHORT: as rocecc_intmd_shim_parse(). */
ROCECC_FN rocecc_status rocecc_intmd_gpe_parse(rocecc_reader *r, rocecc_intmd_gpe *h)
{
    uint32_t word = 0;
    const rocecc_status status = rocecc_intmd_shim_take_(r, &word, &h->body);
    if (status != ROCECC_OK) return status;
    h->type = (uint8_t)(word >> 28);
    h->reserved = (uint8_t)(word >> 24 & 0xf);
    h->g = (word >> 15 & 1) != 0;
    h->reserved7 = (uint8_t)(word >> 8 & 0x7f);
    h->next_protocol = (uint8_t)word;
    return ROCECC_OK;
}

/* RANGE, SPACE: as rocecc_intmd_shim_emit(). */
ROCECC_FN rocecc_status rocecc_intmd_gpe_emit(rocecc_writer *w,
                                              const rocecc_intmd_gpe *h)
{
    const uint32_t words = (uint32_t)(rocecc_left(&h->body) / 4) & 0xff;
    if ((h->type >> 4 | h->reserved >> 4 | h->reserved7 >> 7) != 0)
        return ROCECC_ERR_RANGE;
    return rocecc_intmd_shim_put_(
        w,
        (uint32_t)h->type << 28 | (uint32_t)h->reserved << 24 | words << 16 |
            (uint32_t)h->g << 15 | (uint32_t)h->reserved7 << 8 | h->next_protocol,
        h->body, ROCECC_INTMD_BODY_MAX_BYTES);
}

/*
 * The option of a Geneve header. Class and type are not assigned.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |          Option Class         |      Type     |R R R| Length  |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
typedef struct rocecc_intmd_geneve {
    uint16_t option_class;
    uint8_t type;       /* a rocecc_intmd_type */
    uint8_t reserved;   /* 3 bits */
    rocecc_reader body; /* Length words */
} rocecc_intmd_geneve;

/* SHORT: as rocecc_intmd_shim_parse(). */
ROCECC_FN rocecc_status rocecc_intmd_geneve_parse(rocecc_reader *r,
                                                  rocecc_intmd_geneve *h)
{
    rocecc_reader rest = *r;
    const uint8_t *b = rocecc_take(&rest, ROCECC_INTMD_SHIM_BYTES);
    if (b == NULL || !rocecc_split(&rest, (size_t)(b[3] & 0x1f) * 4, &h->body))
        return ROCECC_ERR_SHORT;
    h->option_class = rocecc_load16(b);
    h->type = b[2];
    h->reserved = b[3] >> 5;
    *r = rest;
    return ROCECC_OK;
}

/*
 * RANGE: reserved is too wide, or body is no whole words or beyond
 * ROCECC_INTMD_GENEVE_MAX_BYTES. SPACE: w is too small.
 */
ROCECC_FN rocecc_status rocecc_intmd_geneve_emit(rocecc_writer *w,
                                                 const rocecc_intmd_geneve *h)
{
    const uint32_t words = (uint32_t)(rocecc_left(&h->body) / 4) & 0x1f;
    if (h->reserved >> 3 != 0) return ROCECC_ERR_RANGE;
    return rocecc_intmd_shim_put_(w,
                                  (uint32_t)h->option_class << 16 |
                                      (uint32_t)h->type << 8 |
                                      (uint32_t)h->reserved << 5 | words,
                                  h->body, ROCECC_INTMD_GENEVE_MAX_BYTES);
}

/* What stands where a shim of TCP or UDP is expected. */
typedef enum rocecc_intmd_kind {
    ROCECC_INTMD_KIND_MD = 0,
    ROCECC_INTMD_KIND_MX,
    ROCECC_INTMD_KIND_DESTINATION,
    ROCECC_INTMD_KIND_V05, /* a shim of v0.5 or v1.0, whose Type has 8 bits and whose */
    ROCECC_INTMD_KIND_V10, /*   Length counts the shim, by the Ver of its header */
    ROCECC_INTMD_KIND_VER, /* of v2, with a header of another version */
    ROCECC_INTMD_KIND_UNKNOWN
} rocecc_intmd_kind;

/*
 * Tells them apart by the shim and the first byte of its header, and so says why a
 * packet is UNSUPPORTED. Nothing but KIND_MD and KIND_MX is read here. UNKNOWN: no 5
 * bytes, too.
 */
ROCECC_FN rocecc_intmd_kind rocecc_intmd_match(rocecc_reader r)
{
    const uint8_t *b = rocecc_take(&r, ROCECC_INTMD_SHIM_BYTES + 1);
    if (b == NULL) return ROCECC_INTMD_KIND_UNKNOWN;
    if (b[0] >> 4 == ROCECC_INTMD_TYPE_DESTINATION)
        return ROCECC_INTMD_KIND_DESTINATION;
    if (b[0] >> 4 == ROCECC_INTMD_TYPE_MD)
        return b[4] >> 4 == ROCECC_INTMD_VER ? ROCECC_INTMD_KIND_MD
                                             : ROCECC_INTMD_KIND_VER;
    if (b[0] >> 4 == ROCECC_INTMD_TYPE_MX)
        return b[4] >> 4 == ROCECC_INTMD_VER ? ROCECC_INTMD_KIND_MX
                                             : ROCECC_INTMD_KIND_VER;
    if ((b[0] == 1 || b[0] == 2) && b[1] == 0) {
        if (b[4] >> 4 == 0) return ROCECC_INTMD_KIND_V05;
        if (b[4] >> 4 == 1) return ROCECC_INTMD_KIND_V10;
    }
    return ROCECC_INTMD_KIND_UNKNOWN;
}

/*
 * The metadata header of INT-MD.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  Ver  |D|E|M|       Reserved        | Hop ML  |RemainingHopCnt|
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |      Instruction Bitmap       |      Domain Specific ID       |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |        DS Instruction         |           DS Flags            |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
typedef struct rocecc_intmd_header {
    uint8_t ver;                 /* 4 bits */
    bool d;                      /* the sink discards the packet */
    bool e;                      /* a node found Remaining Hop Count 0 */
    bool m;                      /* a node left itself out because of the MTU */
    uint16_t reserved;           /* 12 bits */
    uint8_t hop_ml;              /* 5 bits: words that each node adds */
    uint8_t remaining_hop_count; /* nodes that may still add themselves */
    uint16_t instructions;       /* what each node is to report: ROCECC_INTMD_... */
    uint16_t ds_id;              /* Domain Specific ID; 0: none */
    uint16_t ds_instruction;
    uint16_t ds_flags;
} rocecc_intmd_header;

/* Bits of instructions, and of what a node has reported. Two words: 4, 5 and 6. */
#define ROCECC_INTMD_NODE_ID 0x8000u
#define ROCECC_INTMD_INTERFACES 0x4000u
#define ROCECC_INTMD_HOP_LATENCY 0x2000u
#define ROCECC_INTMD_QUEUE 0x1000u
#define ROCECC_INTMD_INGRESS_TIMESTAMP 0x0800u
#define ROCECC_INTMD_EGRESS_TIMESTAMP 0x0400u
#define ROCECC_INTMD_L2_INTERFACES 0x0200u
#define ROCECC_INTMD_EGRESS_TX_UTILIZATION 0x0100u
#define ROCECC_INTMD_BUFFER 0x0080u
#define ROCECC_INTMD_RESERVED 0x007eu /* six of them, a word each */
#define ROCECC_INTMD_CHECKSUM_COMPLEMENT 0x0001u
#define ROCECC_INTMD_WIDE 0x0e00u

/* What HPCC++ asks for (draft-miao-ccwg-hpcc-info-03, Figure 3), Hop ML 6; and without
 * the egress timestamp, which it can do without, Hop ML 4. */
#define ROCECC_INTMD_HPCC 0xd500u
#define ROCECC_INTMD_HPCC_UNTIMED 0xd100u

/* Words that a node adds for instructions, domain-specific ones not counted: 0 to 19.
 */
ROCECC_FN uint8_t rocecc_intmd_words(uint16_t instructions)
{
    const uint32_t wide = instructions & ROCECC_INTMD_WIDE;
    uint32_t n = instructions;
    n = (n & 0x5555u) + (n >> 1 & 0x5555u);
    n = (n & 0x3333u) + (n >> 2 & 0x3333u);
    n = (n & 0x0f0fu) + (n >> 4 & 0x0f0fu);
    return (uint8_t)((n & 0xff) + (n >> 8) + (wide >> 9 & 1) + (wide >> 10 & 1) +
                     (wide >> 11 & 1));
}

/* Total: any 12 bytes are a header. */
ROCECC_FN rocecc_intmd_header rocecc_intmd_header_load(const uint8_t *b)
{
    const uint32_t w0 = rocecc_load32(b);
    rocecc_intmd_header h;
    h.ver = (uint8_t)(w0 >> 28);
    h.d = (w0 >> 27 & 1) != 0;
    h.e = (w0 >> 26 & 1) != 0;
    h.m = (w0 >> 25 & 1) != 0;
    h.reserved = (uint16_t)(w0 >> 13 & 0xfff);
    h.hop_ml = (uint8_t)(w0 >> 8 & 0x1f);
    h.remaining_hop_count = (uint8_t)w0;
    h.instructions = rocecc_load16(b + 4);
    h.ds_id = rocecc_load16(b + 6);
    h.ds_instruction = rocecc_load16(b + 8);
    h.ds_flags = rocecc_load16(b + 10);
    return h;
}

/* Writes 12 bytes. A value too wide loses its high bits and touches no neighbour. */
ROCECC_FN void rocecc_intmd_header_store(uint8_t *b, const rocecc_intmd_header *h)
{
    rocecc_store32(b, (uint32_t)h->ver << 28 | (uint32_t)h->d << 27 |
                          (uint32_t)h->e << 26 | (uint32_t)h->m << 25 |
                          (h->reserved & 0xfffu) << 13 | (h->hop_ml & 0x1fu) << 8 |
                          h->remaining_hop_count);
    rocecc_store16(b + 4, h->instructions);
    rocecc_store16(b + 6, h->ds_id);
    rocecc_store16(b + 8, h->ds_instruction);
    rocecc_store16(b + 10, h->ds_flags);
}

/* A header of version 2, for so many nodes and no domain. */
ROCECC_FN rocecc_intmd_header rocecc_intmd_header_init(uint16_t instructions,
                                                       uint8_t hops)
{
    rocecc_intmd_header h;
    h.ver = ROCECC_INTMD_VER;
    h.d = h.e = h.m = false;
    h.reserved = 0;
    h.hop_ml = rocecc_intmd_words(instructions);
    h.remaining_hop_count = hops;
    h.instructions = instructions;
    h.ds_id = h.ds_instruction = h.ds_flags = 0;
    return h;
}

/* SHORT: fewer than 12 bytes. Whether its lengths agree, rocecc_intmd_parse() says. */
ROCECC_FN rocecc_status rocecc_intmd_header_parse(rocecc_reader *r,
                                                  rocecc_intmd_header *h)
{
    const uint8_t *b = rocecc_take(r, ROCECC_INTMD_HEADER_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *h = rocecc_intmd_header_load(b);
    return ROCECC_OK;
}

/* RANGE: a value is wider than its field. SPACE: no room for 12 bytes. */
ROCECC_FN rocecc_status rocecc_intmd_header_emit(rocecc_writer *w,
                                                 const rocecc_intmd_header *h)
{
    uint8_t *b;
    if ((h->ver >> 4 | h->reserved >> 12 | h->hop_ml >> 5) != 0)
        return ROCECC_ERR_RANGE;
    b = rocecc_put(w, ROCECC_INTMD_HEADER_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_intmd_header_store(b, h);
    return ROCECC_OK;
}

/*
 * The header of INT-MX: each node reports to a collector, nothing is pushed. What is
 * left of the shim's body is what the source put in, by DS Instruction.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  Ver  |D|                      Reserved                       |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |      Instruction Bitmap       |      Domain Specific ID       |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |        DS Instruction         |           DS Flags            |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
typedef struct rocecc_intmd_mx {
    uint8_t ver; /* 4 bits */
    bool d;
    uint32_t reserved; /* 27 bits */
    uint16_t instructions;
    uint16_t ds_id;
    uint16_t ds_instruction;
    uint16_t ds_flags;
} rocecc_intmd_mx;

/* Total: any 12 bytes are a header. */
ROCECC_FN rocecc_intmd_mx rocecc_intmd_mx_load(const uint8_t *b)
{
    const uint32_t w0 = rocecc_load32(b);
    rocecc_intmd_mx h;
    h.ver = (uint8_t)(w0 >> 28);
    h.d = (w0 >> 27 & 1) != 0;
    h.reserved = w0 & 0x7ffffff;
    h.instructions = rocecc_load16(b + 4);
    h.ds_id = rocecc_load16(b + 6);
    h.ds_instruction = rocecc_load16(b + 8);
    h.ds_flags = rocecc_load16(b + 10);
    return h;
}

/* Writes 12 bytes. A value too wide loses its high bits and touches no neighbour. */
ROCECC_FN void rocecc_intmd_mx_store(uint8_t *b, const rocecc_intmd_mx *h)
{
    rocecc_store32(b, (uint32_t)h->ver << 28 | (uint32_t)h->d << 27 |
                          (h->reserved & 0x7ffffff));
    rocecc_store16(b + 4, h->instructions);
    rocecc_store16(b + 6, h->ds_id);
    rocecc_store16(b + 8, h->ds_instruction);
    rocecc_store16(b + 10, h->ds_flags);
}

/* SHORT: fewer than 12 bytes. */
ROCECC_FN rocecc_status rocecc_intmd_mx_parse(rocecc_reader *r, rocecc_intmd_mx *h)
{
    const uint8_t *b = rocecc_take(r, ROCECC_INTMD_HEADER_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *h = rocecc_intmd_mx_load(b);
    return ROCECC_OK;
}

/* RANGE: a value is wider than its field. SPACE: no room for 12 bytes. */
ROCECC_FN rocecc_status rocecc_intmd_mx_emit(rocecc_writer *w, const rocecc_intmd_mx *h)
{
    uint8_t *b;
    if (h->ver >> 4 != 0 || h->reserved >> 27 != 0) return ROCECC_ERR_RANGE;
    b = rocecc_put(w, ROCECC_INTMD_HEADER_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_intmd_mx_store(b, h);
    return ROCECC_OK;
}

/*
 * Header and nodes: all nodes have Hop ML words, but the first of the path, which is
 * the last one here, may have source_words more.
 */
typedef struct rocecc_intmd {
    rocecc_intmd_header header;
    uint8_t source_words;
    uint8_t n_nodes;
    rocecc_reader nodes; /* 4 (Hop ML n_nodes + source_words) bytes, the newest first */
} rocecc_intmd;

/* Words of a source alone; 0 where its domain is not the one that is known. */
ROCECC_FN uint32_t rocecc_intmd_source_words_(const rocecc_intmd_config *c,
                                              const rocecc_intmd_header *h)
{
    uint32_t n = 0;
    int i;
    if (c->ds_id == 0 || h->ds_id != c->ds_id) return 0;
    for (i = 0; i < 16; i++)
        if ((h->ds_instruction >> (15 - i) & 1) != 0) n += c->source_words[i];
    return n;
}

/* Whether Hop ML is what the instructions ask for; only a domain may add to it. */
ROCECC_FN bool rocecc_intmd_hop_ml_fits_(const rocecc_intmd_header *h)
{
    const uint8_t words = rocecc_intmd_words(h->instructions);
    return h->hop_ml != 0 &&
           (h->hop_ml == words || (h->hop_ml > words && h->ds_instruction != 0));
}

/*
 * Reads the body of a shim of Type 1, or of a Geneve option. What is OK can be walked
 * without another length that fails. FORMAT: no 12 bytes, no whole words, more than
 * ROCECC_INTMD_BODY_MAX_BYTES; Hop ML is 0, or not what the instructions ask for; or
 * the nodes are no multiple of it. UNSUPPORTED: another version (rocecc_intmd_match()
 * says which); or no multiple where a domain that is not known may have words of a
 * source alone.
 */
ROCECC_FN rocecc_status rocecc_intmd_parse(const rocecc_intmd_config *c,
                                           rocecc_reader body, rocecc_intmd *out)
{
    const uint8_t *b = rocecc_take(&body, ROCECC_INTMD_HEADER_BYTES);
    const size_t words = rocecc_left(&body) / 4;
    rocecc_intmd_header h;
    uint32_t source = 0;
    if (b == NULL) return ROCECC_ERR_FORMAT;
    h = rocecc_intmd_header_load(b);
    if (h.ver != ROCECC_INTMD_VER) return ROCECC_ERR_UNSUPPORTED;
    if (rocecc_left(&body) % 4 != 0 ||
        rocecc_left(&body) > ROCECC_INTMD_STACK_MAX_BYTES ||
        !rocecc_intmd_hop_ml_fits_(&h))
        return ROCECC_ERR_FORMAT;
    if (words != 0) source = rocecc_intmd_source_words_(c, &h);
    if (words != 0 && (words < h.hop_ml + source || (words - source) % h.hop_ml != 0))
        return h.ds_id == 0 || h.ds_id == c->ds_id ? ROCECC_ERR_FORMAT
                                                   : ROCECC_ERR_UNSUPPORTED;
    out->header = h;
    out->source_words = (uint8_t)source;
    out->n_nodes = (uint8_t)((words - source) / h.hop_ml);
    out->nodes = body;
    return ROCECC_OK;
}

/*
 * What a node reports. `present` has the bits of ROCECC_INTMD_... whose items it knew:
 * one that nobody asked for, or that is all ones, is not there, and 0. Units are those
 * of the node.
 */
typedef struct rocecc_intmd_node {
    uint16_t present;
    uint32_t node_id;
    uint16_t ingress_id; /* level 1 */
    uint16_t egress_id;
    uint32_t hop_latency;
    uint8_t queue_id;
    uint32_t queue_occupancy; /* 24 bits */
    uint64_t ingress_timestamp;
    uint64_t egress_timestamp;
    uint32_t l2_ingress_id;
    uint32_t l2_egress_id;
    uint32_t egress_tx_utilization;
    uint8_t buffer_id;
    uint32_t buffer_occupancy; /* 24 bits */
    rocecc_reader reserved;    /* a word for each of the reserved bits */
    rocecc_reader ds;          /* domain-specific: what Hop ML has beyond the others */
    uint32_t checksum_complement;
} rocecc_intmd_node;

/* An item of one word, or 0 where it is not there; then its bit is not in *present. */
ROCECC_FN uint32_t rocecc_intmd_take32_(rocecc_reader *r, uint32_t instructions,
                                        uint32_t bit, uint16_t *present)
{
    const uint8_t *b;
    uint32_t v;
    if ((instructions & bit) == 0) return 0;
    b = rocecc_take(r, 4);
    if (b == NULL) return 0;
    v = rocecc_load32(b);
    if (v == UINT32_MAX) return 0;
    *present = (uint16_t)(*present | bit);
    return v;
}

ROCECC_FN uint64_t rocecc_intmd_take64_(rocecc_reader *r, uint32_t instructions,
                                        uint32_t bit, uint16_t *present)
{
    const uint8_t *b;
    uint64_t v;
    if ((instructions & bit) == 0) return 0;
    b = rocecc_take(r, 8);
    if (b == NULL) return 0;
    v = rocecc_load64(b);
    if (v == UINT64_MAX) return 0;
    *present = (uint16_t)(*present | bit);
    return v;
}

/* The items of bits 0 to 8. */
ROCECC_FN void rocecc_intmd_node_take_(rocecc_reader *r, uint32_t i,
                                       rocecc_intmd_node *n)
{
    uint32_t v;
    uint64_t wide;
    n->present = 0;
    n->node_id = rocecc_intmd_take32_(r, i, ROCECC_INTMD_NODE_ID, &n->present);
    v = rocecc_intmd_take32_(r, i, ROCECC_INTMD_INTERFACES, &n->present);
    n->ingress_id = (uint16_t)(v >> 16);
    n->egress_id = (uint16_t)v;
    n->hop_latency = rocecc_intmd_take32_(r, i, ROCECC_INTMD_HOP_LATENCY, &n->present);
    v = rocecc_intmd_take32_(r, i, ROCECC_INTMD_QUEUE, &n->present);
    n->queue_id = (uint8_t)(v >> 24);
    n->queue_occupancy = v & 0xffffff;
    n->ingress_timestamp =
        rocecc_intmd_take64_(r, i, ROCECC_INTMD_INGRESS_TIMESTAMP, &n->present);
    n->egress_timestamp =
        rocecc_intmd_take64_(r, i, ROCECC_INTMD_EGRESS_TIMESTAMP, &n->present);
    wide = rocecc_intmd_take64_(r, i, ROCECC_INTMD_L2_INTERFACES, &n->present);
    n->l2_ingress_id = (uint32_t)(wide >> 32);
    n->l2_egress_id = (uint32_t)wide;
    n->egress_tx_utilization =
        rocecc_intmd_take32_(r, i, ROCECC_INTMD_EGRESS_TX_UTILIZATION, &n->present);
    v = rocecc_intmd_take32_(r, i, ROCECC_INTMD_BUFFER, &n->present);
    n->buffer_id = (uint8_t)(v >> 24);
    n->buffer_occupancy = v & 0xffffff;
}

/*
 * Steps to the next node of a parsed h, newest first; nodes begins as h->nodes. END:
 * there is no further one. FORMAT: not of such nodes.
 */
ROCECC_FN rocecc_status rocecc_intmd_node_next(const rocecc_intmd *h,
                                               rocecc_reader *nodes,
                                               rocecc_intmd_node *out)
{
    const uint32_t i = h->header.instructions;
    const size_t own = (size_t)rocecc_intmd_words(h->header.instructions) * 4;
    const size_t reserved = (size_t)rocecc_intmd_words(i & ROCECC_INTMD_RESERVED) * 4;
    size_t bytes = (size_t)h->header.hop_ml * 4;
    rocecc_reader rest = *nodes, node;
    rocecc_intmd_node n;
    if (rocecc_left(&rest) == 0) return ROCECC_END;
    if (rocecc_left(&rest) == bytes + (size_t)h->source_words * 4)
        bytes += (size_t)h->source_words * 4;
    if (bytes == 0 || bytes < own || !rocecc_split(&rest, bytes, &node))
        return ROCECC_ERR_FORMAT;
    rocecc_intmd_node_take_(&node, i, &n);
    if (!rocecc_split(&node, reserved, &n.reserved) ||
        !rocecc_split(&node, bytes - own, &n.ds))
        return ROCECC_ERR_FORMAT;
    n.checksum_complement =
        rocecc_intmd_take32_(&node, i, ROCECC_INTMD_CHECKSUM_COMPLEMENT, &n.present);
    *out = n;
    *nodes = rest;
    return ROCECC_OK;
}

/*
 * Bytes that node_emit() writes: 4 Hop ML, and what ds has beyond its share. 0: they
 * are not to be written, as a value is too wide, or a view has not its length.
 */
ROCECC_FN size_t rocecc_intmd_node_bytes(const rocecc_intmd_header *h,
                                         const rocecc_intmd_node *n)
{
    const size_t own = (size_t)rocecc_intmd_words(h->instructions) * 4;
    const size_t all = (size_t)h->hop_ml * 4;
    const size_t ds = rocecc_left(&n->ds), reserved = rocecc_left(&n->reserved);
    if (!rocecc_intmd_hop_ml_fits_(h) || h->hop_ml >> 5 != 0 ||
        n->queue_occupancy >> 24 != 0 || n->buffer_occupancy >> 24 != 0)
        return 0;
    if (reserved != 0 &&
        reserved !=
            (size_t)rocecc_intmd_words(h->instructions & ROCECC_INTMD_RESERVED) * 4)
        return 0;
    if (ds == 0) return all;
    if (ds % 4 != 0 || ds > ROCECC_INTMD_STACK_MAX_BYTES - own || own + ds < all)
        return 0;
    return own + ds;
}

ROCECC_FN bool rocecc_intmd_put32_(rocecc_writer *w, uint32_t asked, uint32_t present,
                                   uint32_t v)
{
    uint8_t *b;
    if (asked == 0) return true;
    b = rocecc_put(w, 4);
    if (b == NULL) return false;
    rocecc_store32(b, (present & asked) != 0 ? v : UINT32_MAX);
    return true;
}

ROCECC_FN bool rocecc_intmd_put64_(rocecc_writer *w, uint32_t asked, uint32_t present,
                                   uint64_t v)
{
    uint8_t *b;
    if (asked == 0) return true;
    b = rocecc_put(w, 8);
    if (b == NULL) return false;
    rocecc_store64(b, (present & asked) != 0 ? v : UINT64_MAX);
    return true;
}

/* A view, or bytes of all ones where it is empty; max is a constant. */
ROCECC_FN bool rocecc_intmd_put_view_(rocecc_writer *w, rocecc_reader view,
                                      size_t bytes, size_t max)
{
    size_t i;
    if (rocecc_left(&view) != 0) return rocecc_append(w, view, max);
    for (i = 0; i < 31 && i < bytes / 4; i++)
        if (!rocecc_intmd_put32_(w, 1, 0, 0)) return false;
    return true;
}

/* The items of bits 0 to 8. */
ROCECC_FN bool rocecc_intmd_node_put_(rocecc_writer *w, uint32_t i,
                                      const rocecc_intmd_node *n)
{
    const uint32_t is = n->present;
    return rocecc_intmd_put32_(w, i & ROCECC_INTMD_NODE_ID, is, n->node_id) &&
           rocecc_intmd_put32_(w, i & ROCECC_INTMD_INTERFACES, is,
                               (uint32_t)n->ingress_id << 16 | n->egress_id) &&
           rocecc_intmd_put32_(w, i & ROCECC_INTMD_HOP_LATENCY, is, n->hop_latency) &&
           rocecc_intmd_put32_(w, i & ROCECC_INTMD_QUEUE, is,
                               (uint32_t)n->queue_id << 24 | n->queue_occupancy) &&
           rocecc_intmd_put64_(w, i & ROCECC_INTMD_INGRESS_TIMESTAMP, is,
                               n->ingress_timestamp) &&
           rocecc_intmd_put64_(w, i & ROCECC_INTMD_EGRESS_TIMESTAMP, is,
                               n->egress_timestamp) &&
           rocecc_intmd_put64_(w, i & ROCECC_INTMD_L2_INTERFACES, is,
                               (uint64_t)n->l2_ingress_id << 32 | n->l2_egress_id) &&
           rocecc_intmd_put32_(w, i & ROCECC_INTMD_EGRESS_TX_UTILIZATION, is,
                               n->egress_tx_utilization) &&
           rocecc_intmd_put32_(w, i & ROCECC_INTMD_BUFFER, is,
                               (uint32_t)n->buffer_id << 24 | n->buffer_occupancy);
}

/*
 * Writes a node as a header asks for it: all ones where a bit of present is clear, or
 * where reserved or ds is empty. A value of all ones will be read as not available.
 * RANGE: Hop ML does not fit the instructions; a value is wider than its field;
 * reserved or ds is neither empty nor as long as they ask for, but for a source, whose
 * ds may be longer. SPACE: w is too small.
 */
ROCECC_FN rocecc_status rocecc_intmd_node_emit(rocecc_writer *w,
                                               const rocecc_intmd_header *h,
                                               const rocecc_intmd_node *n)
{
    const uint32_t i = h->instructions;
    const size_t bytes = rocecc_intmd_node_bytes(h, n);
    const size_t own = (size_t)rocecc_intmd_words(h->instructions) * 4;
    rocecc_writer out = *w;
    if (bytes == 0) return ROCECC_ERR_RANGE;
    if (rocecc_room(w) < bytes) return ROCECC_ERR_SPACE;
    if (!rocecc_intmd_node_put_(&out, i, n) ||
        !rocecc_intmd_put_view_(
            &out, n->reserved,
            (size_t)rocecc_intmd_words(i & ROCECC_INTMD_RESERVED) * 4, 24) ||
        !rocecc_intmd_put_view_(&out, n->ds, bytes - own,
                                ROCECC_INTMD_STACK_MAX_BYTES) ||
        !rocecc_intmd_put32_(&out, i & ROCECC_INTMD_CHECKSUM_COMPLEMENT, n->present,
                             n->checksum_complement))
        return ROCECC_ERR_SPACE;
    *w = out;
    return ROCECC_OK;
}

/*
 * What a node does to a packet of TCP or UDP. A push or an insertion has two steps: a
 * plan says where a gap of how many bytes is to be opened; the host opens it, by moving
 * either what is before or what is behind; and push() or insert() fills it and patches
 * what stands before. Packets begin with their IP header, and offsets count from there.
 */
typedef enum rocecc_intmd_mark {
    ROCECC_INTMD_MARK_PORT = 0, /* NPT 1 */
    ROCECC_INTMD_MARK_NEW_UDP,  /* NPT 2 */
    ROCECC_INTMD_MARK_DSCP,     /* NPT 0, config.dscp */
    ROCECC_INTMD_MARK_PROBE     /* NPT 0, config.probe_marker */
} rocecc_intmd_mark;

typedef struct rocecc_intmd_place {
    uint8_t version;   /* of IP: 4 or 6 */
    uint8_t dscp;      /* that the packet has now */
    uint8_t proto;     /* TCP or UDP */
    uint8_t mark;      /* a rocecc_intmd_mark */
    uint16_t proto_at; /* the byte that says proto */
    uint16_t upper;    /* the TCP or UDP header */
    uint16_t shim;
    uint32_t end;   /* of UDP, as its Length says; of TCP, that of the packet */
    uint32_t bytes; /* of the packet, as its IP header says */
} rocecc_intmd_place;

/* Where a search is, and the end that lengths have declared. */
typedef struct rocecc_intmd_walk_ {
    rocecc_reader r;
    size_t start;
    size_t declared;
} rocecc_intmd_walk_;

/* The extension headers. UNSUPPORTED: too many, ESP, AH, or a fragment. */
ROCECC_FN rocecc_status rocecc_intmd_chain_(rocecc_intmd_walk_ *w,
                                            rocecc_intmd_place *p)
{
    rocecc_ip6frag frag;
    rocecc_ip6ext ext;
    int i;
    for (i = 0;; i++) {
        const rocecc_status status = rocecc_ip6ext_next(&w->r, &p->proto, &ext);
        if (status == ROCECC_END) return ROCECC_OK;
        if (status != ROCECC_OK) return status;
        if (i == ROCECC_IP6EXT_MAX || ext.type == ROCECC_PROTO_AH) break;
        p->proto_at = (uint16_t)(ext.header.at - w->start);
        if (ext.type == ROCECC_PROTO_FRAGMENT &&
            (rocecc_ip6frag_parse(&ext.header, &frag) != ROCECC_OK || frag.m ||
             frag.fragment_offset != 0))
            break;
    }
    return ROCECC_ERR_UNSUPPORTED;
}

/* The IP header and what is between it and the upper layer. */
ROCECC_FN rocecc_status rocecc_intmd_ip_(rocecc_intmd_walk_ *w, rocecc_intmd_place *p)
{
    rocecc_status status = ROCECC_OK;
    rocecc_ipv46 ip;
    const uint8_t *b;
    w->declared = SIZE_MAX;
    w->start = w->r.at;
    status = rocecc_ipv46_parse(w->r, &ip);
    if (status != ROCECC_OK) return status;
    w->declared = w->start + ip.bytes;
    if (w->declared < w->r.end) w->r.end = w->declared;
    p->version = ip.version;
    p->dscp = ip.dscp;
    p->bytes = ip.bytes;
    b = rocecc_take(&w->r, ip.version == 4 ? ROCECC_IPV4_BYTES : ROCECC_IPV6_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    p->proto_at = ip.version == 4 ? 9 : 6;
    p->proto = b[p->proto_at];
    if (ip.version == 6) return rocecc_intmd_chain_(w, p);
    if ((rocecc_load16(b + 6) & 0x3fff) != 0) return ROCECC_ERR_UNSUPPORTED;
    if (rocecc_take(&w->r, (size_t)(b[0] & 0xf) * 4 - ROCECC_IPV4_BYTES) == NULL)
        return ROCECC_ERR_SHORT;
    return ROCECC_OK;
}

/* Moves behind the TCP or UDP header; *port is UDP's. NO_MATCH: it is neither. */
ROCECC_FN rocecc_status rocecc_intmd_upper_(const rocecc_intmd_config *c,
                                            rocecc_intmd_walk_ *w,
                                            const rocecc_intmd_place *p, uint16_t *port)
{
    const size_t at = w->r.at;
    rocecc_reader first = w->r;
    rocecc_status status;
    rocecc_tcp tcp;
    rocecc_udp udp;
    if (p->proto == ROCECC_PROTO_TCP) {
        status = rocecc_tcp_parse(&w->r, &tcp);
        if (status != ROCECC_OK || !c->before_options) return status;
        w->r = first;
        return rocecc_take(&w->r, ROCECC_TCP_BYTES) != NULL ? ROCECC_OK
                                                            : ROCECC_ERR_SHORT;
    }
    if (p->proto != ROCECC_PROTO_UDP) return ROCECC_NO_MATCH;
    status = rocecc_udp_parse(&w->r, &udp);
    if (status != ROCECC_OK) return status;
    *port = udp.dst_port;
    if (at + udp.length > w->declared) return ROCECC_ERR_FORMAT;
    w->declared = at + udp.length;
    if (w->declared < w->r.end) w->r.end = w->declared;
    return ROCECC_OK;
}

/* Whether the packet is marked, and moves to the shim. NO_MATCH: not. */
ROCECC_FN rocecc_status rocecc_intmd_marked_(const rocecc_intmd_config *c,
                                             rocecc_intmd_walk_ *w, uint16_t port,
                                             rocecc_intmd_place *p)
{
    const uint8_t *b;
    p->mark = ROCECC_INTMD_MARK_PORT;
    if (p->proto == ROCECC_PROTO_UDP && c->udp_port != 0 && port == c->udp_port)
        return ROCECC_OK;
    p->mark = ROCECC_INTMD_MARK_DSCP;
    if (c->dscp_mask != 0 && ((p->dscp ^ c->dscp) & c->dscp_mask) == 0)
        return ROCECC_OK;
    p->mark = ROCECC_INTMD_MARK_PROBE;
    if (c->probe_marker == 0) return ROCECC_NO_MATCH;
    b = rocecc_take(&w->r, 8);
    if (b == NULL) return ROCECC_NO_MATCH;
    return rocecc_load64(b) == c->probe_marker ? ROCECC_OK : ROCECC_NO_MATCH;
}

/* The walk of locate(). */
ROCECC_FN rocecc_status rocecc_intmd_walk_to_(const rocecc_intmd_config *c,
                                              rocecc_intmd_walk_ *w,
                                              rocecc_intmd_place *p)
{
    uint16_t port = 0;
    rocecc_status status = rocecc_intmd_ip_(w, p);
    if (status != ROCECC_OK) return status;
    p->upper = (uint16_t)(w->r.at - w->start);
    status = rocecc_intmd_upper_(c, w, p, &port);
    if (status != ROCECC_OK) return status;
    status = rocecc_intmd_marked_(c, w, port, p);
    if (status != ROCECC_OK) return status;
    p->shim = (uint16_t)(w->r.at - w->start);
    p->end = (uint32_t)(w->declared - w->start);
    return ROCECC_OK;
}

ROCECC_FN rocecc_intmd_place rocecc_intmd_nowhere_(void)
{
    const rocecc_intmd_place p = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    return p;
}

/*
 * Finds where a packet has its shim, by the marks of c, and does not look at it: what
 * stands there, rocecc_intmd_match() tells; *rest begins with it. Of a mark by port,
 * whether it is NEW_UDP is not told. NO_MATCH: not marked. SHORT: IP, TCP or UDP go
 * beyond packet. FORMAT: their lengths contradict one another. UNSUPPORTED: a fragment,
 * ESP, AH, a jumbogram, or too many extension headers.
 */
ROCECC_FN rocecc_status rocecc_intmd_locate(const rocecc_intmd_config *c,
                                            rocecc_reader packet,
                                            rocecc_intmd_place *place,
                                            rocecc_reader *rest)
{
    rocecc_intmd_place p = rocecc_intmd_nowhere_();
    rocecc_intmd_walk_ w;
    rocecc_status status;
    w.r = packet;
    w.start = w.declared = packet.at;
    status = rocecc_intmd_walk_to_(c, &w, &p);
    if (status != ROCECC_OK)
        return w.declared <= packet.end ? rocecc_declared(status) : status;
    *place = p;
    *rest = w.r;
    return ROCECC_OK;
}

/* Whether the NPT is that of the mark, of which it says the rest. */
ROCECC_FN rocecc_status rocecc_intmd_npt_(const rocecc_intmd_shim *h,
                                          rocecc_intmd_place *p)
{
    if (h->type < ROCECC_INTMD_TYPE_MD || h->type > ROCECC_INTMD_TYPE_MX)
        return ROCECC_ERR_UNSUPPORTED;
    if (p->mark != ROCECC_INTMD_MARK_PORT)
        return h->npt == ROCECC_INTMD_NPT_NONE ? ROCECC_OK : ROCECC_ERR_FORMAT;
    if (h->npt == ROCECC_INTMD_NPT_NONE) return ROCECC_ERR_FORMAT;
    if (h->npt > ROCECC_INTMD_NPT_NEW_UDP) return ROCECC_ERR_UNSUPPORTED;
    if (h->npt == ROCECC_INTMD_NPT_NEW_UDP) p->mark = ROCECC_INTMD_MARK_NEW_UDP;
    return ROCECC_OK;
}

/* Both, or part of them where the status is not OK. */
ROCECC_FN rocecc_status rocecc_intmd_find_(const rocecc_intmd_config *c,
                                           rocecc_reader packet, rocecc_intmd_place *p,
                                           rocecc_intmd_shim *h)
{
    rocecc_reader rest = packet;
    rocecc_status status = rocecc_intmd_locate(c, packet, p, &rest);
    if (status != ROCECC_OK) return status;
    status = rocecc_intmd_shim_parse(&rest, h);
    if (status != ROCECC_OK)
        return p->end <= rocecc_left(&packet) ? rocecc_declared(status) : status;
    return rocecc_intmd_npt_(h, p);
}

/*
 * Finds the shim of a packet and reads it; h->body is for rocecc_intmd_parse().
 * Statuses as locate(), and SHORT: Length goes beyond packet. FORMAT: it goes beyond
 * UDP or IP, or NPT is not that of the mark. UNSUPPORTED: another Type (as of v0.5 and
 * v1.0), or NPT 3.
 */
ROCECC_FN rocecc_status rocecc_intmd_find(const rocecc_intmd_config *c,
                                          rocecc_reader packet,
                                          rocecc_intmd_place *place,
                                          rocecc_intmd_shim *h)
{
    rocecc_intmd_place p = rocecc_intmd_nowhere_();
    rocecc_intmd_shim shim = {0, 0, 0, 0, packet};
    rocecc_status status = rocecc_intmd_find_(c, packet, &p, &shim);
    ROCECC_SETTLED_(status);
    if (status != ROCECC_OK) return status;
    *place = p;
    *h = shim;
    return ROCECC_OK;
}

/* What a node is to do with a packet. */
typedef enum rocecc_intmd_verdict {
    ROCECC_INTMD_PUSH = 0, /* open the gap, then push() or insert() */
    ROCECC_INTMD_HOPS,     /* no gap; push() sets E, as the count is 0 */
    ROCECC_INTMD_MTU,      /* no gap; push() sets M; a source leaves it alone */
    ROCECC_INTMD_NONE,     /* not marked; a source: nothing that it could mark */
    ROCECC_INTMD_PRESENT,  /* a source: it is marked already */
    ROCECC_INTMD_BROKEN,   /* lengths contradict one another, or it is cut off */
    ROCECC_INTMD_OTHER,    /* UNSUPPORTED, MX, or another Type */
    ROCECC_INTMD_UNKNOWN,  /* it asks for what is not known; config.pad_unknown */
    ROCECC_INTMD_FULL      /* Length, or that of IP, would overflow */
} rocecc_intmd_verdict;

/* From HOPS on, nothing is to be opened, and from NONE on, nothing is to be done. */
typedef struct rocecc_intmd_plan {
    uint8_t verdict; /* a rocecc_intmd_verdict */
    uint16_t at;     /* where the gap is to be */
    uint16_t bytes;  /* how long */
    uint16_t record; /* of it, the node's own; 0: there was no room, M is set */
    rocecc_intmd_place place;
} rocecc_intmd_plan;

ROCECC_FN void rocecc_intmd_plan_none_(rocecc_intmd_plan *out, rocecc_status status)
{
    out->verdict = ROCECC_INTMD_BROKEN;
    if (status == ROCECC_NO_MATCH) out->verdict = ROCECC_INTMD_NONE;
    if (status == ROCECC_ERR_UNSUPPORTED) out->verdict = ROCECC_INTMD_OTHER;
    out->at = out->bytes = out->record = 0;
    out->place = rocecc_intmd_nowhere_();
}

/* Whether a packet may have so many bytes; IPv6 does not count its own header. */
ROCECC_FN bool rocecc_intmd_ip_fits_(uint8_t version, uint32_t bytes)
{
    return bytes <= (version == 6 ? 65535u + ROCECC_IPV6_BYTES : 65535u);
}

/* Whether a header asks for items that nobody here knows. */
ROCECC_FN bool rocecc_intmd_unknown_(const rocecc_intmd_config *c,
                                     const rocecc_intmd_header *h)
{
    return (h->instructions & ROCECC_INTMD_RESERVED) != 0 ||
           (h->hop_ml > rocecc_intmd_words(h->instructions) &&
            (h->ds_id == 0 || h->ds_id != c->ds_id));
}

/* The verdict on a packet that has body_bytes of INT and of all p->bytes. */
ROCECC_FN rocecc_intmd_verdict rocecc_intmd_judge_(const rocecc_intmd_config *c,
                                                   const rocecc_intmd_header *h,
                                                   const rocecc_intmd_place *p,
                                                   size_t body_bytes, uint32_t mtu)
{
    const uint32_t grown = p->bytes + h->hop_ml * 4u;
    if (h->remaining_hop_count == 0) return ROCECC_INTMD_HOPS;
    if (!c->pad_unknown && rocecc_intmd_unknown_(c, h)) return ROCECC_INTMD_UNKNOWN;
    if (body_bytes + h->hop_ml * 4u > ROCECC_INTMD_BODY_MAX_BYTES)
        return ROCECC_INTMD_FULL;
    if (grown > mtu) return ROCECC_INTMD_MTU;
    return rocecc_intmd_ip_fits_(p->version, grown) ? ROCECC_INTMD_PUSH
                                                    : ROCECC_INTMD_FULL;
}

/* A packet with an INT-MD that can be read, and the bytes of its body. */
ROCECC_FN rocecc_status rocecc_intmd_find_md_(const rocecc_intmd_config *c,
                                              rocecc_reader packet,
                                              rocecc_intmd_place *p,
                                              rocecc_intmd_header *h, size_t *bytes)
{
    rocecc_intmd_shim shim;
    rocecc_intmd md;
    rocecc_status status = rocecc_intmd_find(c, packet, p, &shim);
    if (status != ROCECC_OK) return status;
    if (shim.type != ROCECC_INTMD_TYPE_MD) return ROCECC_ERR_UNSUPPORTED;
    md.header = *h;
    status = rocecc_intmd_parse(c, shim.body, &md);
    if (status != ROCECC_OK) return status;
    *h = md.header;
    *bytes = rocecc_left(&shim.body);
    return ROCECC_OK;
}

/*
 * Plans the push of a transit; mtu_bytes is the most that a packet may have from its IP
 * header on. All of INT is to be in packet, the payload need not.
 */
ROCECC_FN void rocecc_intmd_plan_push(const rocecc_intmd_config *c,
                                      rocecc_reader packet, uint32_t mtu_bytes,
                                      rocecc_intmd_plan *out)
{
    rocecc_intmd_place p = rocecc_intmd_nowhere_();
    size_t bytes = 0;
    rocecc_intmd_header h = rocecc_intmd_header_init(0, 0);
    const rocecc_status status = rocecc_intmd_find_md_(c, packet, &p, &h, &bytes);
    if (status != ROCECC_OK) {
        rocecc_intmd_plan_none_(out, status);
        return;
    }
    rocecc_intmd_plan_none_(out, ROCECC_OK);
    out->verdict = (uint8_t)rocecc_intmd_judge_(c, &h, &p, bytes, mtu_bytes);
    out->at = (uint16_t)(p.shim + ROCECC_INTMD_SHIM_BYTES + ROCECC_INTMD_HEADER_BYTES);
    if (out->verdict == ROCECC_INTMD_PUSH)
        out->bytes = out->record = (uint16_t)(h.hop_ml * 4u);
    out->place = p;
}

/* n bytes of a packet at an offset, or NULL. */
ROCECC_FN uint8_t *rocecc_intmd_at_(rocecc_writer packet, size_t at, size_t n)
{
    if (rocecc_put(&packet, at) == NULL) return NULL;
    return rocecc_put(&packet, n);
}

/* What was there and what is, under the checksum of TCP or UDP. */
typedef struct rocecc_intmd_change_ {
    uint32_t was;
    uint32_t is;
} rocecc_intmd_change_;

/* The checksum after a change: RFC 1624, equation 3. */
ROCECC_FN uint16_t rocecc_intmd_changed_(uint16_t checksum, rocecc_intmd_change_ d)
{
    d.is = (d.is & 0xffff) + (d.is >> 16);
    return rocecc_checksum_final((uint32_t)(uint16_t)~checksum +
                                 rocecc_checksum_final(d.was) + d.is);
}

/* What changes outside of INT. */
typedef struct rocecc_intmd_outer_ {
    uint8_t *ip;       /* 20 bytes of the IP header */
    uint8_t *proto;    /* the byte that says which layer is the upper one */
    uint8_t *upper;    /* 8 bytes of UDP or TCP */
    uint8_t *checksum; /* theirs */
} rocecc_intmd_outer_;

ROCECC_FN bool rocecc_intmd_outer_of_(rocecc_writer packet, const rocecc_intmd_place *p,
                                      rocecc_intmd_outer_ *o)
{
    const size_t checksum = p->proto == ROCECC_PROTO_UDP ? 6 : 16;
    o->ip = rocecc_intmd_at_(packet, 0, ROCECC_IPV4_BYTES);
    o->proto = rocecc_intmd_at_(packet, p->proto_at, 1);
    o->upper = rocecc_intmd_at_(packet, p->upper, ROCECC_UDP_BYTES);
    o->checksum = rocecc_intmd_at_(packet, p->upper + checksum, 2);
    return o->ip != NULL && o->proto != NULL && o->upper != NULL && o->checksum != NULL;
}

/* A word of an IPv4 header changes, and its checksum. */
ROCECC_FN void rocecc_intmd_ipv4_word_(uint8_t *ip, size_t at, uint16_t is)
{
    const uint16_t was = rocecc_load16(ip + at);
    rocecc_store16(ip + at, is);
    rocecc_store16(ip + 10, rocecc_checksum_patch(rocecc_load16(ip + 10), was, is));
}

/* The packet is longer by so many bytes, modulo 2^16. */
ROCECC_FN void rocecc_intmd_ip_grow_(uint8_t *ip, uint8_t version, uint16_t bytes)
{
    if (version == 4)
        rocecc_intmd_ipv4_word_(ip, 2, (uint16_t)(rocecc_load16(ip + 2) + bytes));
    else
        rocecc_store16(ip + 4, (uint16_t)(rocecc_load16(ip + 4) + bytes));
}

ROCECC_FN void rocecc_intmd_ip_dscp_(uint8_t *ip, uint8_t version, uint8_t dscp)
{
    const uint16_t word = rocecc_load16(ip);
    if (version == 4)
        rocecc_intmd_ipv4_word_(ip, 0,
                                (uint16_t)((word & 0xff03u) | (dscp & 0x3fu) << 2));
    else
        rocecc_store16(ip, (uint16_t)((word & 0xf03fu) | (dscp & 0x3fu) << 6));
}

ROCECC_FN void rocecc_intmd_ip_proto_(const rocecc_intmd_outer_ *o, uint8_t version,
                                      uint8_t proto)
{
    if (version == 4)
        rocecc_intmd_ipv4_word_(
            o->ip, 8, (uint16_t)((rocecc_load16(o->ip + 8) & 0xff00u) | proto));
    else
        *o->proto = proto;
}

/*
 * UDP or TCP are longer by so many bytes, modulo 2^16, which the pseudo-header knows
 * too; d is the rest of what changed. A UDP checksum of 0 stays: RFC 768, RFC 6936.
 */
ROCECC_FN void rocecc_intmd_upper_grow_(const rocecc_intmd_outer_ *o, bool udp,
                                        uint16_t bytes, rocecc_intmd_change_ d)
{
    const uint16_t was = rocecc_load16(o->checksum);
    uint16_t is;
    if (udp) {
        const uint16_t length = rocecc_load16(o->upper + 4);
        rocecc_store16(o->upper + 4, (uint16_t)(length + bytes));
        if (was == 0) return;
        d.was += length * 2u;
        d.is += (uint16_t)(length + bytes) * 2u;
    } else if (bytes < 0x8000) {
        d.is += bytes;
    } else {
        d.was += (uint16_t)-bytes;
    }
    is = rocecc_intmd_changed_(was, d);
    if (udp && is == 0) is = 0xffff;
    rocecc_store16(o->checksum, is);
}

/* Sets E or M of the header behind a shim. */
ROCECC_FN void rocecc_intmd_flag_(const rocecc_intmd_outer_ *o, uint8_t *shim, bool udp,
                                  uint8_t flag)
{
    rocecc_intmd_change_ d;
    d.was = rocecc_load16(shim + 4);
    shim[4] = (uint8_t)(shim[4] | flag);
    d.is = rocecc_load16(shim + 4);
    rocecc_intmd_upper_grow_(o, udp, 0, d);
}

/* Writes the node's record into its gap; its sum comes to d->is. */
ROCECC_FN rocecc_status rocecc_intmd_record_(rocecc_writer packet, size_t at,
                                             const rocecc_intmd_header *h,
                                             const rocecc_intmd_node *node,
                                             rocecc_intmd_change_ *d)
{
    rocecc_status status;
    size_t from;
    if (rocecc_put(&packet, at) == NULL) return ROCECC_ERR_SPACE;
    from = packet.at;
    status = rocecc_intmd_node_emit(&packet, h, node);
    if (status != ROCECC_OK) return status;
    d->is = rocecc_checksum_update(
        d->is, rocecc_between(rocecc_written(&packet), from, packet.at));
    return ROCECC_OK;
}

/* Where a checksum complement is to make up for d, writes it: the low half of b. */
ROCECC_FN void rocecc_intmd_complement_(uint8_t *b, bool udp, uint16_t bytes,
                                        rocecc_intmd_change_ *d)
{
    const uint32_t is = d->is + (udp ? bytes * 2u : bytes);
    const uint16_t v =
        (uint16_t)~rocecc_checksum_final(d->was + rocecc_checksum_final(is));
    rocecc_store32(b, v);
    d->is += v; /* in place of all ones, which count as 0 */
}

/*
 * Fills the gap that a plan asked for, and patches what stands before it: Length,
 * Remaining Hop Count, those of IP and UDP, and the checksums of IPv4, and of TCP and
 * UDP, unless that is 0 (none). A checksum that was wrong stays wrong. Or sets E or M,
 * as the verdict says. packet is by value and stays where it is; it begins with the IP
 * header and has at least plan->at + plan->bytes bytes, the gap included. The checksum
 * complement, where asked for and node has none, is all ones, or as config.complement
 * says. NO_MATCH: by the verdict, nothing is to be done. RANGE: as
 * rocecc_intmd_node_emit(), or node is not of plan->record bytes. FORMAT: the packet is
 * not the plan's. SPACE: packet has fewer bytes. Unless OK, only the gap may be written
 * to.
 */
ROCECC_FN rocecc_status rocecc_intmd_push(const rocecc_intmd_config *c,
                                          rocecc_writer packet,
                                          const rocecc_intmd_plan *plan,
                                          const rocecc_intmd_node *node)
{
    const bool udp = plan->place.proto == ROCECC_PROTO_UDP;
    uint8_t *shim = rocecc_intmd_at_(packet, plan->place.shim, 16);
    rocecc_intmd_outer_ o = {NULL, NULL, NULL, NULL};
    rocecc_intmd_change_ d = {0, 0};
    rocecc_intmd_header h;
    rocecc_status status;
    uint8_t *last;
    if (plan->verdict > ROCECC_INTMD_MTU) return ROCECC_NO_MATCH;
    if (shim == NULL || !rocecc_intmd_outer_of_(packet, &plan->place, &o))
        return ROCECC_ERR_SPACE;
    if (plan->verdict != ROCECC_INTMD_PUSH) {
        rocecc_intmd_flag_(&o, shim, udp, plan->verdict == ROCECC_INTMD_HOPS ? 4 : 2);
        return ROCECC_OK;
    }
    h = rocecc_intmd_header_load(shim + 4);
    if (h.remaining_hop_count == 0 || shim[1] + h.hop_ml > 255 || plan->record < 4)
        return ROCECC_ERR_FORMAT;
    if (rocecc_intmd_node_bytes(&h, node) != plan->record) return ROCECC_ERR_RANGE;
    last = rocecc_intmd_at_(packet, (size_t)plan->at + plan->record - 4, 4);
    if (last == NULL) return ROCECC_ERR_SPACE;
    status = rocecc_intmd_record_(packet, plan->at, &h, node, &d);
    if (status != ROCECC_OK) return status;
    d.was = (uint32_t)rocecc_load16(shim) + rocecc_load16(shim + 6);
    shim[1] = (uint8_t)(shim[1] + h.hop_ml);
    shim[7] = (uint8_t)(shim[7] - 1);
    d.is += (uint32_t)rocecc_load16(shim) + rocecc_load16(shim + 6);
    if (c->complement && (h.instructions & ~(uint32_t)node->present & 1) != 0 &&
        !(udp && rocecc_load16(o.checksum) == 0))
        rocecc_intmd_complement_(last, udp, plan->bytes, &d);
    rocecc_intmd_upper_grow_(&o, udp, plan->bytes, d);
    rocecc_intmd_ip_grow_(o.ip, plan->place.version, plan->bytes);
    return ROCECC_OK;
}

/* What a source asks for. */
typedef struct rocecc_intmd_source {
    uint8_t mark;               /* a rocecc_intmd_mark that c has on */
    uint16_t src_port;          /* of a new UDP header: a hash that spreads flows */
    rocecc_intmd_header header; /* Remaining Hop Count: before its own record */
} rocecc_intmd_source;

/* Bytes that a mark adds, before the shim. */
ROCECC_FN uint16_t rocecc_intmd_mark_bytes_(uint8_t mark)
{
    return mark == ROCECC_INTMD_MARK_NEW_UDP || mark == ROCECC_INTMD_MARK_PROBE ? 8 : 0;
}

/* Whether a packet can have a mark: UDP for its port, and what c has on. */
ROCECC_FN bool rocecc_intmd_can_mark_(const rocecc_intmd_config *c, uint8_t mark,
                                      uint8_t proto)
{
    const bool udp = proto == ROCECC_PROTO_UDP;
    const bool upper = udp || proto == ROCECC_PROTO_TCP;
    if (mark == ROCECC_INTMD_MARK_PORT) return c->udp_port != 0 && udp;
    if (mark == ROCECC_INTMD_MARK_NEW_UDP) return c->udp_port != 0;
    if (mark == ROCECC_INTMD_MARK_DSCP) return c->dscp_mask != 0 && upper;
    return mark == ROCECC_INTMD_MARK_PROBE && c->probe_marker != 0 && upper;
}

/* Where a source may put it. NO_MATCH: the mark is not for this packet. */
ROCECC_FN rocecc_status rocecc_intmd_open_(const rocecc_intmd_config *c,
                                           rocecc_reader packet, uint8_t mark,
                                           rocecc_intmd_place *p)
{
    uint16_t port = 0;
    rocecc_intmd_walk_ w;
    rocecc_status status;
    w.r = packet;
    w.start = w.declared = packet.at;
    status = rocecc_intmd_ip_(&w, p);
    p->upper = (uint16_t)(w.r.at - w.start);
    if (status == ROCECC_OK && !rocecc_intmd_can_mark_(c, mark, p->proto))
        return ROCECC_NO_MATCH;
    if (status == ROCECC_OK && mark != ROCECC_INTMD_MARK_NEW_UDP)
        status = rocecc_intmd_upper_(c, &w, p, &port);
    p->shim = (uint16_t)(w.r.at - w.start + rocecc_intmd_mark_bytes_(mark));
    p->end = (uint32_t)(w.declared - w.start);
    p->mark = mark;
    return status;
}

/*
 * Plans the insertion of shim, header and, unless node is NULL, the source's own
 * record. Verdicts PUSH, MTU, NONE, PRESENT, BROKEN, OTHER and FULL. Where there is
 * room for all but the record, record is 0, and insert() sets M. RANGE: a header whose
 * Hop ML does not fit its instructions, or that allows no node its record; or as
 * rocecc_intmd_node_emit(). Unless OK, *out is not written.
 */
ROCECC_FN rocecc_status rocecc_intmd_plan_insert(const rocecc_intmd_config *c,
                                                 rocecc_reader packet,
                                                 const rocecc_intmd_source *source,
                                                 const rocecc_intmd_node *node,
                                                 uint32_t mtu_bytes,
                                                 rocecc_intmd_plan *out)
{
    const uint16_t mark = rocecc_intmd_mark_bytes_(source->mark);
    const uint16_t head = (uint16_t)(mark + 16);
    rocecc_intmd_place p = rocecc_intmd_nowhere_();
    rocecc_reader rest = packet;
    rocecc_status status;
    size_t record = 0;
    if (node != NULL) record = rocecc_intmd_node_bytes(&source->header, node);
    if (source->header.ver != ROCECC_INTMD_VER || source->header.reserved >> 12 != 0 ||
        source->header.hop_ml >> 5 != 0 ||
        !rocecc_intmd_hop_ml_fits_(&source->header) ||
        (node != NULL && (record == 0 || source->header.remaining_hop_count == 0)))
        return ROCECC_ERR_RANGE;
    status = rocecc_intmd_locate(c, packet, &p, &rest);
    rocecc_intmd_plan_none_(out, ROCECC_NO_MATCH);
    out->verdict = ROCECC_INTMD_PRESENT;
    if (status == ROCECC_OK) return ROCECC_OK;
    status = rocecc_intmd_open_(c, packet, source->mark, &p);
    rocecc_intmd_plan_none_(out, status);
    if (status != ROCECC_OK) return ROCECC_OK;
    if (p.bytes + head + record > mtu_bytes) record = 0;
    out->verdict = ROCECC_INTMD_MTU;
    if (p.bytes + head > mtu_bytes) return ROCECC_OK;
    out->verdict = ROCECC_INTMD_FULL;
    if (!rocecc_intmd_ip_fits_(p.version, (uint32_t)(p.bytes + head + record)))
        return ROCECC_OK;
    out->verdict = ROCECC_INTMD_PUSH;
    out->at = (uint16_t)(p.shim - mark);
    out->bytes = (uint16_t)(head + record);
    out->record = (uint16_t)record;
    out->place = p;
    return ROCECC_OK;
}

/* The new UDP header before the shim; its checksum is 0, RFC 6936. */
ROCECC_FN void rocecc_intmd_new_udp_(uint8_t *b, const rocecc_intmd_config *c,
                                     const rocecc_intmd_source *source,
                                     const rocecc_intmd_plan *plan)
{
    rocecc_udp udp;
    udp.src_port = source->src_port;
    udp.dst_port = c->udp_port;
    udp.length =
        (uint16_t)(plan->place.bytes - plan->place.upper + (uint32_t)plan->bytes);
    udp.checksum = 0;
    rocecc_udp_store(b, &udp);
}

/* The shim of a source; what it keeps is told by the mark. */
ROCECC_FN void rocecc_intmd_shim_store_(uint8_t *b, const rocecc_intmd_plan *plan,
                                        uint16_t port)
{
    const rocecc_intmd_place *p = &plan->place;
    rocecc_intmd_shim h;
    h.type = ROCECC_INTMD_TYPE_MD;
    h.npt = ROCECC_INTMD_NPT_NONE;
    h.reserved = 0;
    h.original = (uint16_t)(p->dscp << 2);
    if (p->mark == ROCECC_INTMD_MARK_PORT) {
        h.npt = ROCECC_INTMD_NPT_PORT;
        h.original = port;
    } else if (p->mark == ROCECC_INTMD_MARK_NEW_UDP) {
        h.npt = ROCECC_INTMD_NPT_NEW_UDP;
        h.original = p->proto;
    }
    rocecc_store32(b, rocecc_intmd_shim_word_(&h, 3u + plan->record / 4u));
}

/* The mark of a new INT packet, outside of the gap. */
ROCECC_FN void rocecc_intmd_mark_(const rocecc_intmd_config *c,
                                  const rocecc_intmd_outer_ *o,
                                  const rocecc_intmd_place *p, rocecc_intmd_change_ *d)
{
    const uint32_t dscp =
        (p->dscp & ~(uint32_t)c->dscp_mask) | (c->dscp & c->dscp_mask);
    if (p->mark == ROCECC_INTMD_MARK_PORT) {
        d->was += rocecc_load16(o->upper + 2);
        d->is += c->udp_port;
        rocecc_store16(o->upper + 2, c->udp_port);
    } else if (p->mark == ROCECC_INTMD_MARK_DSCP) {
        rocecc_intmd_ip_dscp_(o->ip, p->version, (uint8_t)dscp);
    }
}

/* Marks a packet whose shim and header stand there, and whose record is in d. */
ROCECC_FN void rocecc_intmd_wrap_(const rocecc_intmd_config *c,
                                  const rocecc_intmd_outer_ *o,
                                  const rocecc_intmd_plan *plan, uint8_t *before,
                                  const uint8_t *shim, rocecc_intmd_change_ d)
{
    const rocecc_intmd_place *p = &plan->place;
    int i;
    if (p->mark == ROCECC_INTMD_MARK_PROBE) {
        rocecc_store64(before, c->probe_marker);
        for (i = 0; i < 8; i += 2)
            d.is += rocecc_load16(before + i);
    }
    for (i = 0; i < 16; i += 2)
        d.is += rocecc_load16(shim + i);
    rocecc_intmd_mark_(c, o, p, &d);
    rocecc_intmd_upper_grow_(o, p->proto == ROCECC_PROTO_UDP, plan->bytes, d);
}

/*
 * Fills the gap that plan_insert() asked for, and marks and patches what stands before
 * it, as push() does; source and node are those of the plan. E is 0; M is set where
 * node has no room. NO_MATCH: the verdict is not PUSH. SPACE: packet has fewer bytes.
 * RANGE: as plan_insert(). Unless OK, only the gap may be written to.
 */
ROCECC_FN rocecc_status rocecc_intmd_insert(const rocecc_intmd_config *c,
                                            rocecc_writer packet,
                                            const rocecc_intmd_plan *plan,
                                            const rocecc_intmd_source *source,
                                            const rocecc_intmd_node *node)
{
    const rocecc_intmd_place *p = &plan->place;
    uint8_t *before = rocecc_intmd_at_(packet, plan->at, 8);
    uint8_t *shim = rocecc_intmd_at_(packet, p->shim, 16);
    rocecc_intmd_outer_ o = {NULL, NULL, NULL, NULL};
    rocecc_intmd_change_ d = {0, 0};
    rocecc_intmd_header h = source->header;
    rocecc_status status;
    if (plan->verdict != ROCECC_INTMD_PUSH) return ROCECC_NO_MATCH;
    if (before == NULL || shim == NULL || !rocecc_intmd_outer_of_(packet, p, &o))
        return ROCECC_ERR_SPACE;
    if (plan->record != 0) {
        if (node == NULL || rocecc_intmd_node_bytes(&h, node) != plan->record)
            return ROCECC_ERR_RANGE;
        status = rocecc_intmd_record_(packet, (size_t)p->shim + 16, &h, node, &d);
        if (status != ROCECC_OK) return status;
        h.remaining_hop_count = (uint8_t)(h.remaining_hop_count - 1);
    }
    h.e = false;
    h.m = h.m || (node != NULL && plan->record == 0);
    rocecc_intmd_shim_store_(shim, plan, rocecc_load16(o.upper + 2));
    rocecc_intmd_header_store(shim + 4, &h);
    if (p->mark == ROCECC_INTMD_MARK_NEW_UDP) {
        rocecc_intmd_new_udp_(before, c, source, plan);
        rocecc_intmd_ip_proto_(&o, p->version, ROCECC_PROTO_UDP);
    } else {
        rocecc_intmd_wrap_(c, &o, plan, before, shim, d);
    }
    rocecc_intmd_ip_grow_(o.ip, p->version, plan->bytes);
    return ROCECC_OK;
}

/* Bytes that a sink takes out, counted from the IP header. */
typedef struct rocecc_intmd_cut {
    uint16_t at;
    uint16_t bytes;
} rocecc_intmd_cut;

/* What TCP or UDP were before the mark, but for the bytes of cut, which go. */
ROCECC_FN void rocecc_intmd_restore_(rocecc_reader r, const rocecc_intmd_outer_ *o,
                                     const rocecc_intmd_place *p,
                                     const rocecc_intmd_shim *h,
                                     const rocecc_intmd_cut *cut)
{
    const size_t start = r.at, shim = start + p->shim;
    rocecc_intmd_change_ d = {0, 0};
    d.was = rocecc_checksum_update(0, rocecc_between(r, start + cut->at, shim));
    d.was = rocecc_checksum_update(d.was, rocecc_between(r, shim, h->body.end));
    if (p->mark == ROCECC_INTMD_MARK_PORT) {
        d.was += rocecc_load16(o->upper + 2);
        d.is += h->original;
        rocecc_store16(o->upper + 2, h->original);
    } else if (p->mark == ROCECC_INTMD_MARK_DSCP) {
        rocecc_intmd_ip_dscp_(o->ip, p->version, (uint8_t)(h->original >> 2 & 0x3f));
    }
    rocecc_intmd_upper_grow_(o, p->proto == ROCECC_PROTO_UDP, (uint16_t)-cut->bytes, d);
}

/*
 * What a sink does: patches what stands before INT to what it was before the source's
 * mark (port, protocol or DSCP, lengths, checksums), and says which bytes the host then
 * takes out. Of any Type, whether or not its body can be read: that is to be parsed
 * before, for its nodes and D. packet is by value, begins with the IP header and ends
 * with the packet. Statuses as rocecc_intmd_find(); unless OK nothing is written.
 */
ROCECC_FN rocecc_status rocecc_intmd_strip(const rocecc_intmd_config *c,
                                           rocecc_writer packet, rocecc_intmd_cut *out)
{
    rocecc_intmd_outer_ o = {NULL, NULL, NULL, NULL};
    rocecc_intmd_place p = rocecc_intmd_nowhere_();
    rocecc_reader r = rocecc_written(&packet);
    rocecc_intmd_cut cut;
    rocecc_intmd_shim h;
    rocecc_status status;
    r.at = packet.at;
    r.end = packet.end;
    status = rocecc_intmd_find(c, r, &p, &h);
    if (status != ROCECC_OK) return status;
    if (!rocecc_intmd_outer_of_(packet, &p, &o)) return ROCECC_ERR_SHORT;
    cut.at = (uint16_t)(p.shim - rocecc_intmd_mark_bytes_(p.mark));
    cut.bytes = (uint16_t)(rocecc_intmd_mark_bytes_(p.mark) + ROCECC_INTMD_SHIM_BYTES +
                           rocecc_left(&h.body));
    if (p.mark == ROCECC_INTMD_MARK_NEW_UDP)
        rocecc_intmd_ip_proto_(&o, p.version, (uint8_t)h.original);
    else
        rocecc_intmd_restore_(r, &o, &p, &h, &cut);
    rocecc_intmd_ip_grow_(o.ip, p.version, (uint16_t)-cut.bytes);
    *out = cut;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_INTMD_H */
