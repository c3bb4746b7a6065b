/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_ERSPAN_H
#define ROCECC_WIRE_ERSPAN_H

/*
 * erspan.h - the headers of ERSPAN II and III, with which a switch mirrors frames over
 * GRE. draft-foschiano-erspan-03, 4.2 and 4.3. overlay.h skips these headers.
 *
 *     1064baa5     ERSPAN II: VLAN 100, COS 5, En 3, session 677; not truncated
 *
 * load() and store() cannot fail, and store() reproduces the loaded bytes. No function
 * in this file reads the second word.
 */
#include "../bytes.h"

/*
 * ERSPAN II has a header of 8 bytes. ERSPAN III has a header of 12 bytes, and 8 more
 * bytes if O is set. ERSPAN I has no header of its own. Its GRE header has type 0x88BE,
 * as in ERSPAN II, but no sequence number (S is clear).
 *
 *   II   | Ver 1 |       VLAN 12         | COS |En |T|    Session ID 10  |
 *        |      Reserved 12      |                Index 20               |
 *   III  | Ver 2 |       VLAN 12         | COS |BSO|T|    Session ID 10  |
 *        |                          Timestamp 32                         |
 *        |             SGT 16            |P|   FT    |   Hw ID   |D|Gra|O|
 */
#define ROCECC_ERSPAN2_BYTES 8
#define ROCECC_ERSPAN3_BYTES 12
#define ROCECC_ERSPAN3_PLATFORM_BYTES 8
#define ROCECC_ERSPAN2_VER 1u
#define ROCECC_ERSPAN3_VER 2u
#define ROCECC_ERSPAN3_FT_ETHERNET 0u
#define ROCECC_ERSPAN3_FT_IP 2u

/* First word of ERSPAN II and III. */
typedef struct rocecc_erspan {
    uint8_t ver;         /* version: 1 for II, 2 for III; 4 bits */
    uint16_t vlan;       /* VLAN ID of the mirrored frame; 12 bits */
    uint8_t cos;         /* priority of the mirrored frame; 3 bits */
    uint8_t en;          /* tag type in II, frame integrity in III; 2 bits. II:
                            1 ISL, 2 802.1Q, 3 tag kept in frame. III (BSO): 1 short,
                            2 oversized, 3 bad frame */
    bool t;              /* truncated copy of the frame */
    uint16_t session_id; /* identifier of the mirror session; 10 bits */
} rocecc_erspan;

/* Reads the first word of ERSPAN II or III from 4 bytes. */
ROCECC_FN rocecc_erspan rocecc_erspan_load(const uint8_t *bytes)
{
    const uint32_t w0 = rocecc_load32(bytes);
    rocecc_erspan h;
    h.ver = (uint8_t)(w0 >> 28);
    h.vlan = (uint16_t)(w0 >> 16 & 0xfff);
    h.cos = (uint8_t)(w0 >> 13 & 0x7);
    h.en = (uint8_t)(w0 >> 11 & 0x3);
    h.t = (w0 >> 10 & 1) != 0;
    h.session_id = (uint16_t)(w0 & 0x3ff);
    return h;
}

/*
 * Writes the first word of ERSPAN II or III (4 bytes). A value that is too wide loses
 * its high bits.
 */
ROCECC_FN void rocecc_erspan_store(uint8_t *bytes, const rocecc_erspan *header)
{
    rocecc_store32(bytes, (uint32_t)header->ver << 28 | (header->vlan & 0xfffu) << 16 |
                              (header->cos & 0x7u) << 13 | (header->en & 0x3u) << 11 |
                              (uint32_t)header->t << 10 |
                              (header->session_id & 0x3ffu));
}

/* Third word of ERSPAN III. */
typedef struct rocecc_erspan3 {
    uint16_t sgt;  /* security group tag of the frame */
    bool p;        /* copy of an Ethernet frame */
    uint8_t ft;    /* mirrored frame type: 0 Ethernet, 2 IP; 5 bits;
                      ROCECC_ERSPAN3_FT_... */
    uint8_t hw_id; /* identifier of the mirroring engine; 6 bits */
    bool d;        /* copy of outgoing traffic */
    uint8_t gra;   /* granularity of the timestamp; 2 bits; from 0 to 3: 100 us, 100 ns,
                      IEEE 1588, platform-specific */
    bool o;        /* presence of 8 platform-specific bytes; they follow this word */
} rocecc_erspan3;

/* Reads the third word of ERSPAN III from 4 bytes. */
ROCECC_FN rocecc_erspan3 rocecc_erspan3_load(const uint8_t *bytes)
{
    const uint32_t w2 = rocecc_load32(bytes);
    rocecc_erspan3 h;
    h.sgt = (uint16_t)(w2 >> 16);
    h.p = (w2 >> 15 & 1) != 0;
    h.ft = (uint8_t)(w2 >> 10 & 0x1f);
    h.hw_id = (uint8_t)(w2 >> 4 & 0x3f);
    h.d = (w2 >> 3 & 1) != 0;
    h.gra = (uint8_t)(w2 >> 1 & 0x3);
    h.o = (w2 & 1) != 0;
    return h;
}

/*
 * Writes the third word of ERSPAN III (4 bytes). A value that is too wide loses its
 * high bits.
 */
ROCECC_FN void rocecc_erspan3_store(uint8_t *bytes, const rocecc_erspan3 *header)
{
    rocecc_store32(bytes, (uint32_t)header->sgt << 16 | (uint32_t)header->p << 15 |
                              (header->ft & 0x1fu) << 10 |
                              (header->hw_id & 0x3fu) << 4 | (uint32_t)header->d << 3 |
                              (header->gra & 0x3u) << 1 | (uint32_t)header->o);
}

#endif /* ROCECC_WIRE_ERSPAN_H */
