/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_INTMDSHIM_H
#define ROCECC_WIRE_INTMDSHIM_H

/*
 * intmdshim.h - the shims of In-band Network Telemetry: what stands before its metadata
 * header, after TCP, UDP, GRE or VXLAN-GPE, and as an option of Geneve. INT dataplane
 * specification v2.1. intmd.h reads the rest.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   | Type  |NPT|R R|    Length     | UDP port, IP protocol or DSCP | TCP, UDP
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   | Type  |G|Resvd|    Length     |         Next Protocol         | GRE
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   | Type  | Resvd |    Length     |G|   Reserved  | Next Protocol | VXLAN-GPE, P set
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |          Option Class         |      Type     |R R R| Length  | Geneve, an option
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     140f12b7     after UDP: Type 1, NPT 1: the port was 4791; a body of 15 words
 *
 * Length counts the words after the shim. A word is 4 bytes.
 */
#include "config.h"
#include "ip.h"
#include "skip.h"
#include "udp.h"

#define ROCECC_INTMD_BODY_MAX_BYTES 1020  /* what a Length of 8 bits counts */
#define ROCECC_INTMD_GENEVE_MAX_BYTES 124 /* what a Length of 5 bits counts */
#define ROCECC_INTMD_VER 2u

/* Takes a shim and its body; bits `at` and up of the shim count the body's words. */
ROCECC_FN rocecc_status rocecc_intmd_shim_take_(rocecc_reader *r, uint32_t *word,
                                                int at, rocecc_reader *body)
{
    rocecc_reader rest = *r;
    const uint8_t *b = rocecc_take(&rest, ROCECC_INTMD_SHIM_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *word = rocecc_load32(b);
    if (!rocecc_split(&rest, (*word >> at & (at == 0 ? 0x1f : 0xff)) * 4, body))
        return ROCECC_ERR_SHORT;
    *r = rest;
    return ROCECC_OK;
}

/* Writes them. RANGE: body has more than max bytes, or is not whole words. */
ROCECC_FN rocecc_status rocecc_intmd_shim_put_(rocecc_writer *w, uint32_t word, int at,
                                               rocecc_reader body, size_t max)
{
    const size_t bytes = rocecc_left(&body);
    rocecc_writer out = *w;
    uint8_t *b;
    if (bytes > max || bytes % 4 != 0) return ROCECC_ERR_RANGE;
    if (rocecc_room(w) < ROCECC_INTMD_SHIM_BYTES + bytes) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, ROCECC_INTMD_SHIM_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store32(b, word | (uint32_t)(bytes / 4) << at);
    if (!rocecc_append(&out, body, max)) return ROCECC_ERR_SPACE;
    *w = out;
    return ROCECC_OK;
}

/* After a TCP or UDP header. */
typedef struct rocecc_intmd_shim {
    uint8_t type;       /* 4 bits, a rocecc_intmd_type */
    uint8_t npt;        /* 2 bits, a rocecc_intmd_npt */
    uint8_t reserved;   /* 2 bits */
    uint16_t original;  /* as the packet had it; see rocecc_intmd_npt */
    rocecc_reader body; /* Length words; the shim is not counted */
} rocecc_intmd_shim;

/* SHORT: the shim or its body goes beyond r. */
ROCECC_FN rocecc_status rocecc_intmd_shim_parse(rocecc_reader *r, rocecc_intmd_shim *h)
{
    uint32_t word = 0;
    const rocecc_status status = rocecc_intmd_shim_take_(r, &word, 16, &h->body);
    if (status != ROCECC_OK) return status;
    h->type = (uint8_t)(word >> 28);
    h->npt = (uint8_t)(word >> 26 & 0x3);
    h->reserved = (uint8_t)(word >> 24 & 0x3);
    h->original = (uint16_t)word;
    return ROCECC_OK;
}

/* The shim alone, for a body of this many words, 0 to 255. */
ROCECC_FN uint32_t rocecc_intmd_shim_word(const rocecc_intmd_shim *h, size_t words)
{
    return (uint32_t)h->type << 28 | (h->npt & 0x3u) << 26 |
           (h->reserved & 0x3u) << 24 | (uint32_t)(words & 0xff) << 16 | h->original;
}

/*
 * RANGE: a value is wider than its field; or body is not whole words, or has more than
 * ROCECC_INTMD_BODY_MAX_BYTES. SPACE: w is too small.
 */
ROCECC_FN rocecc_status rocecc_intmd_shim_emit(rocecc_writer *w,
                                               const rocecc_intmd_shim *h)
{
    if ((h->type >> 4 | h->npt >> 2 | h->reserved >> 2) != 0) return ROCECC_ERR_RANGE;
    return rocecc_intmd_shim_put_(w, rocecc_intmd_shim_word(h, 0), 16, h->body,
                                  ROCECC_INTMD_BODY_MAX_BYTES);
}

/* After a GRE header. */
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
    const rocecc_status status = rocecc_intmd_shim_take_(r, &word, 16, &h->body);
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
    const uint32_t high = (uint32_t)(h->type << 4 | h->g << 3 | h->reserved);
    if ((h->type >> 4 | h->reserved >> 3) != 0) return ROCECC_ERR_RANGE;
    return rocecc_intmd_shim_put_(w, high << 24 | h->next_protocol, 16, h->body,
                                  ROCECC_INTMD_BODY_MAX_BYTES);
}

/* After a VXLAN-GPE header. */
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
    const rocecc_status status = rocecc_intmd_shim_take_(r, &word, 16, &h->body);
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
    const uint32_t high = (uint32_t)(h->type << 4 | h->reserved);
    const uint32_t low = (uint32_t)(h->g << 15 | h->reserved7 << 8 | h->next_protocol);
    if ((h->type >> 4 | h->reserved >> 4 | h->reserved7 >> 7) != 0)
        return ROCECC_ERR_RANGE;
    return rocecc_intmd_shim_put_(w, high << 24 | low, 16, h->body,
                                  ROCECC_INTMD_BODY_MAX_BYTES);
}

/* The option of a Geneve header; its class and type are not assigned. */
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
    uint32_t word = 0;
    const rocecc_status status = rocecc_intmd_shim_take_(r, &word, 0, &h->body);
    if (status != ROCECC_OK) return status;
    h->option_class = (uint16_t)(word >> 16);
    h->type = (uint8_t)(word >> 8);
    h->reserved = (uint8_t)(word >> 5 & 0x7);
    return ROCECC_OK;
}

/*
 * RANGE: reserved is wider than its field; or body is not whole words, or has more than
 * ROCECC_INTMD_GENEVE_MAX_BYTES. SPACE: w is too small.
 */
ROCECC_FN rocecc_status rocecc_intmd_geneve_emit(rocecc_writer *w,
                                                 const rocecc_intmd_geneve *h)
{
    const uint32_t low = (uint32_t)(h->type << 8 | h->reserved << 5);
    if (h->reserved >> 3 != 0) return ROCECC_ERR_RANGE;
    return rocecc_intmd_shim_put_(w, (uint32_t)h->option_class << 16 | low, 0, h->body,
                                  ROCECC_INTMD_GENEVE_MAX_BYTES);
}

/* What can stand where a shim of TCP or UDP is expected. */
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
 * The kind, by the shim and the first byte of its header: it says why a packet is
 * UNSUPPORTED. Only KIND_MD and KIND_MX can be read. UNKNOWN, too: fewer than 5 bytes.
 */
ROCECC_FN rocecc_intmd_kind rocecc_intmd_match(rocecc_reader r)
{
    const uint8_t *b = rocecc_take(&r, ROCECC_INTMD_SHIM_BYTES + 1);
    uint8_t type, ver;
    if (b == NULL) return ROCECC_INTMD_KIND_UNKNOWN;
    type = b[0] >> 4;
    ver = b[4] >> 4;
    if (type == ROCECC_INTMD_TYPE_DESTINATION) return ROCECC_INTMD_KIND_DESTINATION;
    if ((b[0] == 1 || b[0] == 2) && b[1] == 0 && ver < 2)
        return ver == 0 ? ROCECC_INTMD_KIND_V05 : ROCECC_INTMD_KIND_V10;
    if (type != ROCECC_INTMD_TYPE_MD && type != ROCECC_INTMD_TYPE_MX)
        return ROCECC_INTMD_KIND_UNKNOWN;
    if (ver != ROCECC_INTMD_VER) return ROCECC_INTMD_KIND_VER;
    return type == ROCECC_INTMD_TYPE_MD ? ROCECC_INTMD_KIND_MD : ROCECC_INTMD_KIND_MX;
}

#endif /* ROCECC_WIRE_INTMDSHIM_H */
