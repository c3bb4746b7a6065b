/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_PFC_H
#define ROCECC_WIRE_PFC_H

/*
 * pfc.h - the MAC control frames that pause a neighbour. PFC pauses individual
 * priorities, and PAUSE pauses the whole link. IEEE 802.1Q, 36; IEEE 802.3, Annex 31D
 * (PFC) and 31B (PAUSE).
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |            Destination Address: 01-80-C2-00-00-01             |
 *   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                               |                               |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+        Source Address         +
 *   |                                                               |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |         Type: 0x8808          |            Opcode             |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |   Reserved    |7|6|5|4|3|2|1|0|            Time(0)            |  PFC: 0x0101
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |            Time(1)            |  ...      Time(7) at byte 32  |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |             Time              |                                PAUSE: 0x0001
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     0101 0028, Time(3) ffff, Time(5) 0100     priority 3: longest pause; priority 5:
 *                                               256 quanta, 1.311 us at 100 Gb/s
 *
 * Each frame is padded with zeros to 60 bytes, not counting the FCS. The frames are
 * untagged, and bridges do not forward them. Times are in quanta of 512 bit times on
 * the link. A new time replaces the remaining time, and a time of 0 ends the pause. A
 * link uses PFC or PAUSE, but not both.
 */
#include "ether.h"

#define ROCECC_PFC_BYTES 34
#define ROCECC_PFC_PAUSE_BYTES 18
#define ROCECC_PFC_FRAME_BYTES 60 /* either frame, with its padding */

#define ROCECC_PFC_OPCODE 0x0101u
#define ROCECC_PFC_OPCODE_PAUSE 0x0001u

#define ROCECC_PFC_PRIORITIES 8
#define ROCECC_PFC_QUANTA_MAX 0xffffu

typedef struct rocecc_pfc {
    rocecc_mac src;
    uint8_t reserved;   /* reserved bits of priority_enable_vector; sent as 0,
                           ignored on receipt */
    uint8_t enable;     /* priorities with a valid time, one bit each; bit n, from
                           the lowest, for time(n) */
    uint16_t quanta[8]; /* pause time for the priority; quanta[n] is time(n) for
                           priority n, in units of 512 bit times; 0 ends the pause */
} rocecc_pfc;

typedef struct rocecc_pfc_pause {
    rocecc_mac dst; /* destination address; 01-80-C2-00-00-01, or the station's
                       address */
    rocecc_mac src;
    uint16_t quanta; /* pause time for the link; in units of 512 bit times; 0 ends
                        the pause */
} rocecc_pfc_pause;

/*
 * Configuration. If all members are 0, a PAUSE frame is accepted only if it is sent to
 * the group address.
 */
typedef struct rocecc_pfc_config {
    rocecc_mac station; /* another address for PAUSE; all 0: off */
} rocecc_pfc_config;

/*
 * Returns the group address for PFC and PAUSE. Bridges do not forward frames that are
 * sent to this address.
 */
ROCECC_FN rocecc_mac rocecc_pfc_group(void)
{
    const rocecc_mac m = {{0x01, 0x80, 0xc2, 0x00, 0x00, 0x01}};
    return m;
}

/* Returns true if two addresses are the same. */
ROCECC_FN bool rocecc_pfc_same_address_(const rocecc_mac *a, const rocecc_mac *b)
{
    uint8_t differ = 0;
    int i;
    for (i = 0; i < 6; i++)
        differ |= (uint8_t)(a->b[i] ^ b->b[i]);
    return differ == 0;
}

/* Reads the start of a frame, and checks the frame's type and opcode. */
ROCECC_FN rocecc_status rocecc_pfc_read_head_(rocecc_reader frame, uint16_t opcode,
                                              rocecc_ether *header)
{
    const uint8_t *b;
    const rocecc_status status = rocecc_ether_parse(&frame, header);
    if (status != ROCECC_OK) return status;
    if (header->type != ROCECC_TYPE_MAC_CONTROL) return ROCECC_NO_MATCH;
    b = rocecc_take(&frame, 2);
    if (b == NULL) return ROCECC_ERR_SHORT;
    return rocecc_load16(b) == opcode ? ROCECC_OK : ROCECC_NO_MATCH;
}

/*
 * Parses a PFC frame from its destination address through time(7). Returns NO_MATCH for
 * another type or opcode, SHORT for fewer than 34 bytes, and FORMAT if the destination
 * is not the group address.
 */
ROCECC_FN rocecc_status rocecc_pfc_parse(rocecc_reader *reader, rocecc_pfc *out)
{
    const rocecc_mac group = rocecc_pfc_group();
    rocecc_reader rest = *reader;
    rocecc_ether ether;
    const uint8_t *b;
    int i;
    const rocecc_status status =
        rocecc_pfc_read_head_(*reader, ROCECC_PFC_OPCODE, &ether);
    if (status != ROCECC_OK) return status;
    b = rocecc_take(&rest, ROCECC_PFC_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (!rocecc_pfc_same_address_(&ether.dst, &group)) return ROCECC_ERR_FORMAT;
    out->src = ether.src;
    out->reserved = b[16];
    out->enable = b[17];
    for (i = 0; i < ROCECC_PFC_PRIORITIES; i++)
        out->quanta[i] = rocecc_load16(b + 18 + 2 * i);
    *reader = rest;
    return ROCECC_OK;
}

/* Writes the first 16 bytes of a frame. */
ROCECC_FN void rocecc_pfc_head_store_(uint8_t *bytes, const rocecc_mac *dst,
                                      const rocecc_mac *src, uint16_t opcode)
{
    rocecc_mac_store(bytes, dst);
    rocecc_mac_store(bytes + 6, src);
    rocecc_store16(bytes + 12, ROCECC_TYPE_MAC_CONTROL);
    rocecc_store16(bytes + 14, opcode);
}

/* Writes a PFC frame without its padding. Returns SPACE if 34 bytes do not fit. */
ROCECC_FN rocecc_status rocecc_pfc_emit(rocecc_writer *writer, const rocecc_pfc *frame)
{
    const rocecc_mac group = rocecc_pfc_group();
    uint8_t *b = rocecc_put(writer, ROCECC_PFC_BYTES);
    int i;
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_pfc_head_store_(b, &group, &frame->src, ROCECC_PFC_OPCODE);
    b[16] = frame->reserved;
    b[17] = frame->enable;
    for (i = 0; i < ROCECC_PFC_PRIORITIES; i++)
        rocecc_store16(b + 18 + 2 * i, frame->quanta[i]);
    return ROCECC_OK;
}

/*
 * Writes 60 zero bytes, which the caller then partly overwrites. Returns SPACE if 60
 * bytes do not fit.
 */
ROCECC_FN rocecc_status rocecc_pfc_put_zeros_(rocecc_writer *writer)
{
    uint8_t *b = rocecc_put(writer, ROCECC_PFC_FRAME_BYTES);
    int i;
    if (b == NULL) return ROCECC_ERR_SPACE;
    for (i = 0; i < ROCECC_PFC_FRAME_BYTES; i++)
        b[i] = 0;
    return ROCECC_OK;
}

/* Writes a PFC frame with its padding. Returns SPACE if 60 bytes do not fit. */
ROCECC_FN rocecc_status rocecc_pfc_build(rocecc_writer *writer, const rocecc_pfc *frame)
{
    rocecc_writer first = *writer;
    const rocecc_status status = rocecc_pfc_put_zeros_(writer);
    if (status != ROCECC_OK) return status;
    return rocecc_pfc_emit(&first, frame);
}

/*
 * Finds the pause time for a priority. A time of 0 ends the pause. Returns NO_MATCH if
 * the priority's bit in `enable` is clear, even if the time for this priority is not 0.
 * Returns RANGE for a priority above 7.
 */
ROCECC_FN rocecc_status rocecc_pfc_find(const rocecc_pfc *frame, unsigned priority,
                                        uint16_t *out)
{
    if (priority >= ROCECC_PFC_PRIORITIES) return ROCECC_ERR_RANGE;
    if ((frame->enable >> priority & 1) == 0) return ROCECC_NO_MATCH;
    *out = frame->quanta[priority];
    return ROCECC_OK;
}

/*
 * Parses a PAUSE frame, from the destination address to the end of the pause time.
 * Returns NO_MATCH for another type or opcode, SHORT for fewer than 18 bytes, and
 * FORMAT if the destination is neither the group address nor the configured station.
 */
ROCECC_FN rocecc_status rocecc_pfc_pause_parse(const rocecc_pfc_config *config,
                                               rocecc_reader *reader,
                                               rocecc_pfc_pause *out)
{
    const rocecc_mac group = rocecc_pfc_group(), off = {{0}};
    rocecc_reader rest = *reader;
    rocecc_ether ether;
    const uint8_t *b;
    const rocecc_status status =
        rocecc_pfc_read_head_(*reader, ROCECC_PFC_OPCODE_PAUSE, &ether);
    if (status != ROCECC_OK) return status;
    b = rocecc_take(&rest, ROCECC_PFC_PAUSE_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (!rocecc_pfc_same_address_(&ether.dst, &group) &&
        (rocecc_pfc_same_address_(&config->station, &off) ||
         !rocecc_pfc_same_address_(&ether.dst, &config->station)))
        return ROCECC_ERR_FORMAT;
    out->dst = ether.dst;
    out->src = ether.src;
    out->quanta = rocecc_load16(b + 16);
    *reader = rest;
    return ROCECC_OK;
}

/*
 * Returns true if `address` is the group address, or an individual address that is not
 * all 0. PAUSE must not be sent to any other address.
 */
ROCECC_FN bool rocecc_pfc_dst_allowed_(const rocecc_mac *address)
{
    const rocecc_mac group = rocecc_pfc_group(), off = {{0}};
    return rocecc_pfc_same_address_(address, &group) ||
           ((address->b[0] & 1) == 0 && !rocecc_pfc_same_address_(address, &off));
}

/*
 * Writes a PAUSE frame without its padding. Returns RANGE if frame->dst is all 0 or a
 * group address other than rocecc_pfc_group(), and SPACE if 18 bytes do not fit.
 */
ROCECC_FN rocecc_status rocecc_pfc_pause_emit(rocecc_writer *writer,
                                              const rocecc_pfc_pause *frame)
{
    uint8_t *b;
    if (!rocecc_pfc_dst_allowed_(&frame->dst)) return ROCECC_ERR_RANGE;
    b = rocecc_put(writer, ROCECC_PFC_PAUSE_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_pfc_head_store_(b, &frame->dst, &frame->src, ROCECC_PFC_OPCODE_PAUSE);
    rocecc_store16(b + 16, frame->quanta);
    return ROCECC_OK;
}

/*
 * Writes a PAUSE frame with its padding. Returns RANGE in the same cases as
 * rocecc_pfc_pause_emit(), and SPACE if 60 bytes do not fit.
 */
ROCECC_FN rocecc_status rocecc_pfc_pause_build(rocecc_writer *writer,
                                               const rocecc_pfc_pause *frame)
{
    rocecc_writer first = *writer;
    rocecc_status status;
    if (!rocecc_pfc_dst_allowed_(&frame->dst)) return ROCECC_ERR_RANGE;
    status = rocecc_pfc_put_zeros_(writer);
    if (status != ROCECC_OK) return status;
    return rocecc_pfc_pause_emit(&first, frame);
}

/*
 * Returns the duration of a pause in ns, which is quanta * 512e9 / rate_bps, rounded
 * up. The product cannot overflow (65535 * 512e9 < 2^55). Returns 0 if quanta is 0, and
 * otherwise UINT64_MAX if rate_bps is 0. Needs at most one 64-bit division.
 */
ROCECC_FN uint64_t rocecc_pfc_ns(uint16_t quanta, uint64_t rate_bps)
{
    const uint64_t bits_e9 = (uint64_t)quanta * 512u * 1000000000u;
    if (quanta == 0) return 0;
    if (rate_bps == 0) return (uint64_t)-1;
    return ROCECC_DIV64(bits_e9 - 1, rate_bps) + 1;
}

/*
 * Returns the smallest number of quanta for which rocecc_pfc_ns() returns at least
 * `ns`. The number is 0 for 0 ns, and otherwise floor((ns - 1) * rate_bps / 512e9) + 1.
 * Returns 65535 if even 65535 quanta are too short. At rates above 0 and up to 512
 * Gbit/s, where a quantum is at least 1 ns, this function recovers the quanta from the
 * result of rocecc_pfc_ns(). Needs at most two 64-bit divisions.
 */
ROCECC_FN uint16_t rocecc_pfc_quanta(uint64_t ns, uint64_t rate_bps)
{
    if (ns == 0) return 0;
    if (ns > rocecc_pfc_ns(ROCECC_PFC_QUANTA_MAX, rate_bps))
        return ROCECC_PFC_QUANTA_MAX;
    /* (ns - 1) * rate_bps < 65535 * 512e9, by the check above. */
    return (uint16_t)(ROCECC_DIV64((ns - 1) * rate_bps, 512u * (uint64_t)1000000000u) +
                      1);
}

#endif /* ROCECC_WIRE_PFC_H */
