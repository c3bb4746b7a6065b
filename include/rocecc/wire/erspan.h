/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_ERSPAN_H
#define ROCECC_WIRE_ERSPAN_H

/*
 * erspan.h - the headers of ERSPAN II and III, with which a switch mirrors frames over
 * GRE. draft-foschiano-erspan-03, 4.2 and 4.3. overlay.h skips these headers.
 *
 *     1064baa5     ERSPAN II: VLAN 100, COS 5, En 3, session 677; not truncated
 *
 * load() and store() cannot fail, and store(load(b)) equals b. No function reads the
 * second word.
 */
#include "../bytes.h"

/*
 * II has a header of 8 bytes. III has 12 bytes, and 8 more if O is set. I has no
 * header. Its GRE header has type 0x88BE, as for II, but no sequence number (S).
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

/* First word of II and III. */
typedef struct rocecc_erspan {
    uint8_t ver;         /* 4 bits */
    uint16_t vlan;       /* 12 bits; the mirrored frame's VLAN */
    uint8_t cos;         /* 3 bits */
    uint8_t en;          /* 2 bits. II: 1 ISL, 2 802.1Q, 3 tag kept in frame. III (BSO):
                            1 short, 2 oversized, 3 bad frame */
    bool t;              /* the copy is truncated */
    uint16_t session_id; /* 10 bits */
} rocecc_erspan;

/* Reads the first word of II or III from 4 bytes. */
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

/* Writes 4 bytes. A value that is too wide loses its high bits. */
ROCECC_FN void rocecc_erspan_store(uint8_t *bytes, const rocecc_erspan *header)
{
    rocecc_store32(bytes, (uint32_t)header->ver << 28 | (header->vlan & 0xfffu) << 16 |
                              (header->cos & 0x7u) << 13 | (header->en & 0x3u) << 11 |
                              (uint32_t)header->t << 10 |
                              (header->session_id & 0x3ffu));
}

/* Third word of III. */
typedef struct rocecc_erspan3 {
    uint16_t sgt;
    bool p;        /* the copy is an Ethernet frame */
    uint8_t ft;    /* 5 bits; ROCECC_ERSPAN3_FT_... */
    uint8_t hw_id; /* 6 bits */
    bool d;        /* the copy is of outgoing traffic */
    uint8_t gra; /* 2 bits; granularity 100 us, 100 ns, IEEE 1588, platform-specific */
    bool o;      /* 8 platform-specific bytes follow */
} rocecc_erspan3;

/* Reads the third word of III from 4 bytes. */
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

/* Writes 4 bytes. A value that is too wide loses its high bits. */
ROCECC_FN void rocecc_erspan3_store(uint8_t *bytes, const rocecc_erspan3 *header)
{
    rocecc_store32(bytes, (uint32_t)header->sgt << 16 | (uint32_t)header->p << 15 |
                              (header->ft & 0x1fu) << 10 |
                              (header->hw_id & 0x3fu) << 4 | (uint32_t)header->d << 3 |
                              (header->gra & 0x3u) << 1 | (uint32_t)header->o);
}

#endif /* ROCECC_WIRE_ERSPAN_H */
