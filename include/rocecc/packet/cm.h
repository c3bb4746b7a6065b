/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_CM_H
#define ROCECC_PACKET_CM_H

/*
 * cm.h - reads the connection management message in a packet to QP 1. wire/cm.h
 * describes the message.
 *
 *   IP, UDP - BTH 0x64 (UD SEND Only), DestQP 1 - DETH 8001:0000, SrcQP 1 - MAD - ICRC
 *
 *     rocecc_cm_match(&packet)      true: UD SEND Only to QP 1
 *     rocecc_cm_find(&packet, &h)   ROCECC_OK: h is the message, sender unchecked
 *
 * QP 1 drops packets with a Q_Key other than 0x80010000 (IBTA 10.2.5, and IB_QP1_QKEY
 * in Linux). An unprivileged process cannot send from QP 1, but it can forge the whole
 * packet with a UDP socket. So a message from only one end of the connection proves
 * nothing (guard/qpnlearner.h).
 */
#include "../wire/cm.h"
#include "../wire/ext.h"
#include "packet.h"

#define ROCECC_CM_OPCODE 0x64 /* UD SEND Only */
#define ROCECC_CM_QPN 1       /* GSI */
#define ROCECC_CM_Q_KEY 0x80010000u

/*
 * Returns true if a packet is RoCEv2 with opcode UD SEND Only and DestQP 1. Returns
 * false if the packet is partial, or if packet->bytes ends before the end of the BTH.
 */
ROCECC_FN bool rocecc_cm_match(const rocecc_packet *packet)
{
    rocecc_reader r =
        rocecc_subrange(packet->bytes, packet->headers.bth, packet->headers.end);
    const uint8_t *b = rocecc_take(&r, ROCECC_BTH_BYTES);
    return packet->headers.bth != 0 &&
           packet->headers.kind == ROCECC_PACKET_KIND_ROCEV2 && b != NULL &&
           *b == ROCECC_CM_OPCODE && (rocecc_load32(b + 4) & 0xffffff) == ROCECC_CM_QPN;
}

/*
 * Reads the connection management message in a packet. The caller must check the ICRC
 * with rocecc_icrc_verify(). The first check that fails determines the status. Returns
 * NO_MATCH if rocecc_cm_match() is false, FORMAT if the packet ends inside the DETH,
 * and SHORT if the packet holds the whole DETH but packet->bytes does not. Returns
 * UNSUPPORTED if TVer is not 0, and NO_MATCH if Q_Key is not 0x80010000 or SrcQP is not
 * 1. Returns FORMAT if PadCnt is not 0, or if the DETH is not followed by exactly one
 * MAD of 256 bytes and an ICRC. Returns SHORT if the packet extends beyond
 * packet->bytes, and otherwise the status of rocecc_cm_parse(). On failure *out is
 * unchanged.
 */
ROCECC_FN rocecc_status rocecc_cm_find(const rocecc_packet *packet, rocecc_cm *out)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_reader r = rocecc_subrange(packet->bytes, f->bth, f->end);
    const uint8_t *b;
    if (!rocecc_cm_match(packet)) return ROCECC_NO_MATCH;
    b = rocecc_take(&r, ROCECC_BTH_BYTES + 8);
    if (b == NULL)
        return f->end < f->bth + ROCECC_BTH_BYTES + 8u ? ROCECC_ERR_FORMAT
                                                       : ROCECC_ERR_SHORT;
    if ((b[1] & 0x0f) != 0) return ROCECC_ERR_UNSUPPORTED;
    if (rocecc_load32(b + 12) != ROCECC_CM_Q_KEY ||
        (rocecc_load32(b + 16) & 0xffffff) != ROCECC_CM_QPN)
        return ROCECC_NO_MATCH;
    if ((b[1] & 0x30) != 0 ||
        f->end != f->bth + ROCECC_BTH_BYTES + 8u + ROCECC_CM_BYTES + ROCECC_ICRC_BYTES)
        return ROCECC_ERR_FORMAT;
    if (f->end > packet->bytes.end) return ROCECC_ERR_SHORT;
    return rocecc_cm_parse(&r, out);
}

#endif /* ROCECC_PACKET_CM_H */
