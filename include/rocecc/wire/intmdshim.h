/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_INTMDSHIM_H
#define ROCECC_WIRE_INTMDSHIM_H

/*
 * intmdshim.h - the shims before the metadata header of In-band Network Telemetry. INT
 * dataplane specification v2.1. A shim follows a TCP, UDP, GRE or VXLAN-GPE header. In
 * Geneve, the shim is an option. intmd.h reads the data after the shim.
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
 *
 *     140f12b7     after UDP; Type 1; NPT 1: the port was 4791; 15 words of body
 *
 * Length counts the words after the shim. A word is 4 bytes.
 */
#include "config.h"
#include "ip.h"
#include "skip.h"
#include "udp.h"

#define ROCECC_INTMD_BODY_MAX_BYTES 1020  /* limit of an 8-bit Length */
#define ROCECC_INTMD_GENEVE_MAX_BYTES 124 /* limit of a 5-bit Length */
#define ROCECC_INTMD_VER 2u

/*
 * Takes a shim and its body. The lowest bit of the length field is bit `length_shift`
 * of the shim. The field has 5 bits if length_shift is 0, and 8 bits otherwise.
 */
ROCECC_FN rocecc_status rocecc_intmd_shim_take_(rocecc_reader *reader, uint32_t *word,
                                                int length_shift, rocecc_reader *body)
{
    rocecc_reader rest = *reader;
    const uint8_t *b = rocecc_take(&rest, ROCECC_INTMD_SHIM_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *word = rocecc_load32(b);
    if (!rocecc_split(&rest,
                      (*word >> length_shift & (length_shift == 0 ? 0x1f : 0xff)) * 4,
                      body))
        return ROCECC_ERR_SHORT;
    *reader = rest;
    return ROCECC_OK;
}

/*
 * Writes a shim and its body. Returns RANGE if the body exceeds max_bytes or has an
 * incomplete word, and SPACE if `writer` is too small.
 */
ROCECC_FN rocecc_status rocecc_intmd_shim_put_(rocecc_writer *writer, uint32_t word,
                                               int length_shift, rocecc_reader body,
                                               size_t max_bytes)
{
    const size_t bytes = rocecc_left(&body);
    rocecc_writer out = *writer;
    uint8_t *b;
    if (bytes > max_bytes || bytes % 4 != 0) return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < ROCECC_INTMD_SHIM_BYTES + bytes) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, ROCECC_INTMD_SHIM_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store32(b, word | (uint32_t)(bytes / 4) << length_shift);
    if (!rocecc_append(&out, body, max_bytes)) return ROCECC_ERR_SPACE;
    *writer = out;
    return ROCECC_OK;
}

/* The shim after a TCP or UDP header. */
typedef struct rocecc_intmd_shim {
    uint8_t type; /* INT type (1 MD, 2 destination, 3 MX); 4 bits; a rocecc_intmd_type,
                     or another */
    uint8_t npt; /* Next Protocol Type, the kind of mark; 2 bits; a rocecc_intmd_npt, or
                    3 */
    uint8_t reserved;   /* reserved bits; 2 bits */
    uint16_t original;  /* original UDP port, IP protocol or DSCP; depends on npt, see
                           rocecc_intmd_npt */
    rocecc_reader body; /* data after the shim; Length words, without the shim */
} rocecc_intmd_shim;

/*
 * Parses a shim and its body. Returns SHORT if the shim or the body extends beyond
 * `reader`.
 */
ROCECC_FN rocecc_status rocecc_intmd_shim_parse(rocecc_reader *reader,
                                                rocecc_intmd_shim *out)
{
    uint32_t word = 0;
    const rocecc_status status = rocecc_intmd_shim_take_(reader, &word, 16, &out->body);
    if (status != ROCECC_OK) return status;
    out->type = (uint8_t)(word >> 28);
    out->npt = (uint8_t)(word >> 26 & 0x3);
    out->reserved = (uint8_t)(word >> 24 & 0x3);
    out->original = (uint16_t)word;
    return ROCECC_OK;
}

/*
 * Returns the shim as one word. `words` must be the body's length in words, at most
 * 255.
 */
ROCECC_FN uint32_t rocecc_intmd_shim_word(const rocecc_intmd_shim *shim, size_t words)
{
    return (uint32_t)shim->type << 28 | (shim->npt & 0x3u) << 26 |
           (shim->reserved & 0x3u) << 24 | (uint32_t)(words & 0xff) << 16 |
           shim->original;
}

/*
 * Writes a shim and its body. Returns RANGE if a value is wider than its field, or if
 * the body has an incomplete word or exceeds ROCECC_INTMD_BODY_MAX_BYTES. Returns SPACE
 * if `writer` is too small.
 */
ROCECC_FN rocecc_status rocecc_intmd_shim_emit(rocecc_writer *writer,
                                               const rocecc_intmd_shim *shim)
{
    if ((shim->type >> 4 | shim->npt >> 2 | shim->reserved >> 2) != 0)
        return ROCECC_ERR_RANGE;
    return rocecc_intmd_shim_put_(writer, rocecc_intmd_shim_word(shim, 0), 16,
                                  shim->body, ROCECC_INTMD_BODY_MAX_BYTES);
}

/* The shim after a GRE header. */
typedef struct rocecc_intmd_gre {
    uint8_t type; /* INT type (1 MD, 2 destination, 3 MX); 4 bits; a rocecc_intmd_type,
                     or another */
    bool g;       /* GRE header added for INT */
    uint8_t reserved;       /* reserved bits; 3 bits */
    uint16_t next_protocol; /* EtherType of the data after INT */
    rocecc_reader body;     /* data after the shim; Length words */
} rocecc_intmd_gre;

/*
 * Parses a GRE shim and its body. Returns SHORT if the shim or the body extends beyond
 * `reader`.
 */
ROCECC_FN rocecc_status rocecc_intmd_gre_parse(rocecc_reader *reader,
                                               rocecc_intmd_gre *out)
{
    uint32_t word = 0;
    const rocecc_status status = rocecc_intmd_shim_take_(reader, &word, 16, &out->body);
    if (status != ROCECC_OK) return status;
    out->type = (uint8_t)(word >> 28);
    out->g = (word >> 27 & 1) != 0;
    out->reserved = (uint8_t)(word >> 24 & 0x7);
    out->next_protocol = (uint16_t)word;
    return ROCECC_OK;
}

/*
 * Writes a GRE shim and its body. Returns RANGE and SPACE in the same cases as
 * rocecc_intmd_shim_emit().
 */
ROCECC_FN rocecc_status rocecc_intmd_gre_emit(rocecc_writer *writer,
                                              const rocecc_intmd_gre *shim)
{
    const uint32_t high = (uint32_t)(shim->type << 4 | shim->g << 3 | shim->reserved);
    if ((shim->type >> 4 | shim->reserved >> 3) != 0) return ROCECC_ERR_RANGE;
    return rocecc_intmd_shim_put_(writer, high << 24 | shim->next_protocol, 16,
                                  shim->body, ROCECC_INTMD_BODY_MAX_BYTES);
}

/* The shim after a VXLAN-GPE header. */
typedef struct rocecc_intmd_gpe {
    uint8_t type; /* INT type (1 MD, 2 destination, 3 MX); 4 bits; a rocecc_intmd_type,
                     or another */
    uint8_t reserved;      /* reserved bits; 4 bits */
    bool g;                /* VXLAN, not VXLAN-GPE, in the original packet */
    uint8_t reserved7;     /* reserved bits; 7 bits */
    uint8_t next_protocol; /* VXLAN-GPE protocol of the data after INT */
    rocecc_reader body;    /* data after the shim; Length words */
} rocecc_intmd_gpe;

/*
 * Parses a VXLAN-GPE shim and its body. Returns SHORT if the shim or the body extends
 * beyond `reader`.
 */
ROCECC_FN rocecc_status rocecc_intmd_gpe_parse(rocecc_reader *reader,
                                               rocecc_intmd_gpe *out)
{
    uint32_t word = 0;
    const rocecc_status status = rocecc_intmd_shim_take_(reader, &word, 16, &out->body);
    if (status != ROCECC_OK) return status;
    out->type = (uint8_t)(word >> 28);
    out->reserved = (uint8_t)(word >> 24 & 0xf);
    out->g = (word >> 15 & 1) != 0;
    out->reserved7 = (uint8_t)(word >> 8 & 0x7f);
    out->next_protocol = (uint8_t)word;
    return ROCECC_OK;
}

/*
 * Writes a VXLAN-GPE shim and its body. Returns RANGE and SPACE in the same cases as
 * rocecc_intmd_shim_emit().
 */
ROCECC_FN rocecc_status rocecc_intmd_gpe_emit(rocecc_writer *writer,
                                              const rocecc_intmd_gpe *shim)
{
    const uint32_t high = (uint32_t)(shim->type << 4 | shim->reserved);
    const uint32_t low =
        (uint32_t)(shim->g << 15 | shim->reserved7 << 8 | shim->next_protocol);
    if ((shim->type >> 4 | shim->reserved >> 4 | shim->reserved7 >> 7) != 0)
        return ROCECC_ERR_RANGE;
    return rocecc_intmd_shim_put_(writer, high << 24 | low, 16, shim->body,
                                  ROCECC_INTMD_BODY_MAX_BYTES);
}

/* The INT option in a Geneve header. parse() and emit() accept any class and type. */
typedef struct rocecc_intmd_geneve {
    uint16_t option_class; /* Geneve option class (0x0103 in the INT specification) */
    uint8_t type;       /* INT type (1 MD, 2 destination, 3 MX); a rocecc_intmd_type, or
                           another */
    uint8_t reserved;   /* reserved bits; 3 bits */
    rocecc_reader body; /* data of the option; Length words */
} rocecc_intmd_geneve;

/* Parses a Geneve option. Returns SHORT if the option extends beyond `reader`. */
ROCECC_FN rocecc_status rocecc_intmd_geneve_parse(rocecc_reader *reader,
                                                  rocecc_intmd_geneve *out)
{
    uint32_t word = 0;
    const rocecc_status status = rocecc_intmd_shim_take_(reader, &word, 0, &out->body);
    if (status != ROCECC_OK) return status;
    out->option_class = (uint16_t)(word >> 16);
    out->type = (uint8_t)(word >> 8);
    out->reserved = (uint8_t)(word >> 5 & 0x7);
    return ROCECC_OK;
}

/*
 * Writes a Geneve option. Returns RANGE if `reserved` is wider than 3 bits, or if the
 * body has an incomplete word or exceeds ROCECC_INTMD_GENEVE_MAX_BYTES. Returns SPACE
 * if `writer` is too small.
 */
ROCECC_FN rocecc_status rocecc_intmd_geneve_emit(rocecc_writer *writer,
                                                 const rocecc_intmd_geneve *option)
{
    const uint32_t low = (uint32_t)(option->type << 8 | option->reserved << 5);
    if (option->reserved >> 3 != 0) return ROCECC_ERR_RANGE;
    return rocecc_intmd_shim_put_(writer, (uint32_t)option->option_class << 16 | low, 0,
                                  option->body, ROCECC_INTMD_GENEVE_MAX_BYTES);
}

/*
 * Kinds of data that a packet can contain where a shim after TCP or UDP is expected.
 * Shims of INT v0.5 and v1.0 have an 8-bit Type, and their Length includes the shim.
 */
typedef enum rocecc_intmd_kind {
    ROCECC_INTMD_KIND_MD = 0,
    ROCECC_INTMD_KIND_MX,
    ROCECC_INTMD_KIND_DESTINATION,
    ROCECC_INTMD_KIND_V05, /* Ver in the header is 0 */
    ROCECC_INTMD_KIND_V10, /* Ver in the header is 1 */
    ROCECC_INTMD_KIND_VER, /* a v2 shim, but another Ver */
    ROCECC_INTMD_KIND_UNKNOWN
} rocecc_intmd_kind;

/*
 * Returns the kind of data, based on the shim and the byte after it. rocecc reads only
 * data of the kinds KIND_MD and KIND_MX. If the status of a packet is UNSUPPORTED, any
 * other kind shows the reason. Returns KIND_UNKNOWN for fewer than 5 bytes.
 */
ROCECC_FN rocecc_intmd_kind rocecc_intmd_match(rocecc_reader shim)
{
    const uint8_t *b = rocecc_take(&shim, ROCECC_INTMD_SHIM_BYTES + 1);
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
