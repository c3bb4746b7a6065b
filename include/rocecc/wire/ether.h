/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_ETHER_H
#define ROCECC_WIRE_ETHER_H

/*
 * ether.h - the Ethernet header and the tags after it. IEEE 802.3, 3.1; IEEE 802.1Q,
 * 9.6 (C-tag and S-tag).
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                      Destination Address                      |
 *   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                               |                               |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+        Source Address         +
 *   |                                                               |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |             Type              |  Type is 0x8100 or 0x88a8:
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   | PCP |D|          VID          |             Type              |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     01000ccdcdd0 0013c3dfae18 8100     to 01:00:0c:cd:cd:d0, and a C-tag follows:
 *     a076 0165                          PCP 5, VID 118; Type 0x165: a length of LLC
 *
 * A tag is read as Linux reads it, from after its TPID: the Type before the tag is the
 * TPID, and the tag's own Type says what follows, which may be the next tag.
 */
#include "../bytes.h"
#include "../net.h"

#define ROCECC_ETHER_BYTES 14
#define ROCECC_VLAN_BYTES 4
#define ROCECC_CNTAG_BYTES 4 /* its type and a flow id */

#define ROCECC_TYPE_IPV4 0x0800u
#define ROCECC_TYPE_CNM 0x22e7u   /* 802.1Qau: the congestion notification message */
#define ROCECC_TYPE_CNTAG 0x22e9u /* 802.1Qau: congestion notification */
#define ROCECC_TYPE_CTAG 0x8100u  /* 802.1Q */
#define ROCECC_TYPE_IPV6 0x86ddu
#define ROCECC_TYPE_MAC_CONTROL 0x8808u /* 802.3, 31: PAUSE and PFC */
#define ROCECC_TYPE_STAG 0x88a8u        /* 802.1ad */
#define ROCECC_TYPE_ROCEV1 0x8915u

typedef struct rocecc_ether {
    rocecc_mac dst;
    rocecc_mac src;
    uint16_t type; /* below 0x600 it is a length, and LLC follows */
} rocecc_ether;

/* A tag without its TPID, which is the type of the header before. */
typedef struct rocecc_vlan {
    uint8_t pcp;  /* 3 bits: priority */
    bool dei;     /* D, drop eligible */
    uint16_t vid; /* 12 bits */
    uint16_t type;
} rocecc_vlan;

/* 6 bytes at `bytes`; total. */
ROCECC_FN rocecc_mac rocecc_mac_load(const uint8_t *bytes)
{
    rocecc_mac m;
    int i;
    for (i = 0; i < 6; i++)
        m.b[i] = bytes[i];
    return m;
}

/* Writes 6 bytes at `bytes`. */
ROCECC_FN void rocecc_mac_store(uint8_t *bytes, const rocecc_mac *address)
{
    int i;
    for (i = 0; i < 6; i++)
        bytes[i] = address->b[i];
}

/* Total: any 14 bytes are an Ethernet header. */
ROCECC_FN rocecc_ether rocecc_ether_load(const uint8_t *bytes)
{
    rocecc_ether h;
    h.dst = rocecc_mac_load(bytes);
    h.src = rocecc_mac_load(bytes + 6);
    h.type = rocecc_load16(bytes + 12);
    return h;
}

/* Writes 14 bytes at `bytes`. */
ROCECC_FN void rocecc_ether_store(uint8_t *bytes, const rocecc_ether *header)
{
    rocecc_mac_store(bytes, &header->dst);
    rocecc_mac_store(bytes + 6, &header->src);
    rocecc_store16(bytes + 12, header->type);
}

/* SHORT: fewer than 14 bytes. */
ROCECC_FN rocecc_status rocecc_ether_parse(rocecc_reader *reader, rocecc_ether *out)
{
    const uint8_t *b = rocecc_take(reader, ROCECC_ETHER_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *out = rocecc_ether_load(b);
    return ROCECC_OK;
}

/* SPACE: no room for 14 bytes. */
ROCECC_FN rocecc_status rocecc_ether_emit(rocecc_writer *writer,
                                          const rocecc_ether *header)
{
    uint8_t *b = rocecc_put(writer, ROCECC_ETHER_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_ether_store(b, header);
    return ROCECC_OK;
}

/* Whether a type is a TPID: a C-tag or an S-tag follows. */
ROCECC_INLINE bool rocecc_vlan_match(uint16_t type)
{
    return type == ROCECC_TYPE_CTAG || type == ROCECC_TYPE_STAG;
}

/* Total: any 4 bytes are a tag. */
ROCECC_FN rocecc_vlan rocecc_vlan_load(const uint8_t *bytes)
{
    const uint32_t w0 = rocecc_load32(bytes);
    rocecc_vlan h;
    h.pcp = (uint8_t)(w0 >> 29);
    h.dei = (w0 >> 28 & 1) != 0;
    h.vid = (uint16_t)(w0 >> 16 & 0xfff);
    h.type = (uint16_t)w0;
    return h;
}

/* Writes 4 bytes. A value too wide loses its high bits and touches no neighbour. */
ROCECC_FN void rocecc_vlan_store(uint8_t *bytes, const rocecc_vlan *header)
{
    rocecc_store32(bytes, (header->pcp & 0x7u) << 29 | (uint32_t)header->dei << 28 |
                              (header->vid & 0xfffu) << 16 | header->type);
}

/* SHORT: fewer than 4 bytes. */
ROCECC_FN rocecc_status rocecc_vlan_parse(rocecc_reader *reader, rocecc_vlan *out)
{
    const uint8_t *b = rocecc_take(reader, ROCECC_VLAN_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *out = rocecc_vlan_load(b);
    return ROCECC_OK;
}

/* RANGE: a value is wider than its field. SPACE: no room for 4 bytes. */
ROCECC_FN rocecc_status rocecc_vlan_emit(rocecc_writer *writer,
                                         const rocecc_vlan *header)
{
    uint8_t *b;
    if (header->pcp >> 3 != 0 || header->vid >> 12 != 0) return ROCECC_ERR_RANGE;
    b = rocecc_put(writer, ROCECC_VLAN_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_vlan_store(b, header);
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_ETHER_H */
