/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_CM_H
#define ROCECC_PACKET_CM_H

/*
 * cm.h - whether a packet goes to the QP of connection management, and what it says.
 * wire/cm.h has the message.
 *
 *   IP, UDP - BTH 0x64 (UD SEND Only), DestQP 1 - DETH 8001:0000, SrcQP 1 - MAD - ICRC
 *
 *     rocecc_cm_match(&packet)      by its BTH
 *     rocecc_cm_find(&packet, &h)   ROCECC_OK: what it says, whoever sent it
 *
 * Q_Key and SrcQP are looked at, too: QP 1 drops what has another Q_Key (IBTA 10.2.5;
 * IB_QP1_QKEY of Linux), and a process without privileges has no QP 1 to send from. It
 * may have a socket of UDP, though, and then all of this is what it likes: one end
 * alone proves nothing, see guard/qpnlearner.h.
 */
#include "../wire/cm.h"
#include "../wire/ext.h"
#include "packet.h"

#define ROCECC_CM_OPCODE 0x64 /* UD SEND Only */
#define ROCECC_CM_QPN 1       /* GSI */
#define ROCECC_CM_Q_KEY 0x80010000u

/* Whether a packet of RoCEv2 is a datagram for QP 1. */
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
 * The message of a packet; its ICRC is rocecc_icrc_verify()'s. NO_MATCH: another
 * packet, or one that QP 1 drops or redirects. UNSUPPORTED: TVer is not 0; or as
 * rocecc_cm_parse(). FORMAT: no MAD of 256 bytes and an ICRC. SHORT: it goes beyond
 * packet->bytes.
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
