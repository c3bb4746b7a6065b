/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_CM_H
#define ROCECC_WIRE_CM_H

/*
 * cm.h - the messages that connect the QPs of two hosts. They are management datagrams
 * (MADs) of the class ComMgt. IBTA volume 1, 13.4.3 (header), 12.6.5 (REQ), 12.6.8
 * (REP), 12.6.9 (RTU) and 12.6.10 (DREQ).
 *
 *    0           1           2           3
 *   +-----------+-----------+-----------+-----------+
 *   | BaseVer 1 | Class  7  | ClassVer 2| Method 3  |   0
 *   | Status                | ClassSpecific         |   4
 *   | TransactionID, 8 bytes                        |   8
 *   | AttributeID           | reserved              |  16
 *   | AttributeModifier                             |  20
 *   +-----------+-----------+-----------+-----------+
 *   | Local Communication ID                        |  24
 *   | Remote Communication ID (reserved in a REQ)   |  28    then, within 256 bytes:
 *   +-----------+-----------+-----------+-----------+
 *     REQ 0x0010   Local QPN at 56, 24 bits; Transport Service Type at 67, 2 bits
 *     REP 0x0013   Local QPN at 36
 *     RTU 0x0014   no other field is read here
 *     DREQ 0x0015  Remote QPN at 32
 *
 *     REQ  id 0xaa, QPN 0x12  ->      0xaa is the requester's own id
 *     <-  REP  id 0xbb, remote 0xaa, QPN 0x34
 *     RTU  id 0xaa, remote 0xbb  ->   0x12 and 0x34 are connected
 *     DREQ id 0xaa, remote 0xbb, remote QPN 0x34  ->  (from either end)
 *
 * THIS IS NOT THE WHOLE FORMAT. A node on the path needs only these fields to find the
 * two QPs of a connection. emit() writes the first 4 bytes as in the figure, and writes
 * 0 to all other fields that have no member in rocecc_cm.
 */
#include "../bytes.h"

#define ROCECC_CM_BYTES 256 /* length of every MAD (13.4.2) */

typedef enum rocecc_cm_attribute {
    ROCECC_CM_REQ = 0x10,
    ROCECC_CM_REP = 0x13,
    ROCECC_CM_RTU = 0x14,
    ROCECC_CM_DREQ = 0x15
} rocecc_cm_attribute;

/*
 * Transport service in a REQ. IBTA 12.6.5 also defines values 2 (RD) and 3 (an extended
 * type such as XRC).
 */
typedef enum rocecc_cm_service_ {
    ROCECC_CM_RC = 0,
    ROCECC_CM_UC
} ROCECC_IN_8_BITS_(rocecc_cm_service);

typedef struct rocecc_cm {
    uint16_t attribute; /* REQ 0x10, REP 0x13, RTU 0x14, DREQ 0x15;
                           a rocecc_cm_attribute */
    ROCECC_ENUM8_(rocecc_cm_service) service; /* service in a REQ: 0 RC, 1 UC; else 0 */
    uint32_t local_id;  /* communication ID of the message's sender */
    uint32_t remote_id; /* communication ID of the message's receiver; 0 in a REQ */
    uint32_t qpn; /* sender's QPN, in a DREQ the receiver's; 24 bits, 0 in an RTU */
} rocecc_cm;

/* Returns the offset of the QPN in a message, or 0 if the message has no QPN. */
ROCECC_FN size_t rocecc_cm_qpn_offset_(uint16_t attribute)
{
    return attribute == ROCECC_CM_REQ    ? 56
           : attribute == ROCECC_CM_REP  ? 36
           : attribute == ROCECC_CM_DREQ ? 32
                                         : 0;
}

ROCECC_FN bool rocecc_cm_is_known_(uint16_t attribute)
{
    return attribute == ROCECC_CM_REQ ||
           (attribute >= ROCECC_CM_REP && attribute <= ROCECC_CM_DREQ);
}

/*
 * Parses a message. Returns SHORT for fewer than 256 bytes. Returns NO_MATCH if the
 * class is not 7, the method is not 3 or the attribute is unknown. Returns UNSUPPORTED
 * if BaseVer is not 1, ClassVer is not 2, or a REQ requests neither RC nor UC.
 */
ROCECC_FN rocecc_status rocecc_cm_parse(rocecc_reader *reader, rocecc_cm *out)
{
    rocecc_reader rest = *reader;
    const uint8_t *b = rocecc_take(&rest, ROCECC_CM_BYTES);
    uint16_t attribute;
    uint8_t service = 0;
    uint32_t qpn = 0;
    if (b == NULL) return ROCECC_ERR_SHORT;
    attribute = rocecc_load16(b + 16);
    if (b[1] != 7 || b[3] != 3 || !rocecc_cm_is_known_(attribute))
        return ROCECC_NO_MATCH;
    if (b[0] != 1 || b[2] != 2) return ROCECC_ERR_UNSUPPORTED;
    if (attribute == ROCECC_CM_REQ) service = b[67] >> 1 & 3;
    if (service > ROCECC_CM_UC) return ROCECC_ERR_UNSUPPORTED;
    if (attribute != ROCECC_CM_RTU)
        qpn = rocecc_load32(b + rocecc_cm_qpn_offset_(attribute)) >> 8;
    out->attribute = attribute;
    out->service = (rocecc_cm_service)service;
    out->local_id = rocecc_load32(b + 24);
    out->remote_id = attribute == ROCECC_CM_REQ ? 0 : rocecc_load32(b + 28);
    out->qpn = qpn;
    *reader = rest;
    return ROCECC_OK;
}

/*
 * Writes a message. Returns RANGE if the attribute is unknown, if `service` or `qpn` is
 * too large, or if a member is not 0 although this message has no field for it. Returns
 * SPACE if 256 bytes do not fit.
 */
ROCECC_FN rocecc_status rocecc_cm_emit(rocecc_writer *writer, const rocecc_cm *cm)
{
    const size_t at = rocecc_cm_qpn_offset_(cm->attribute);
    const bool req = cm->attribute == ROCECC_CM_REQ;
    uint8_t *b;
    int i;
    if (!rocecc_cm_is_known_(cm->attribute) || cm->qpn >> 24 != 0 ||
        cm->service > (req ? ROCECC_CM_UC : 0) || (req && cm->remote_id != 0) ||
        (at == 0 && cm->qpn != 0))
        return ROCECC_ERR_RANGE;
    b = rocecc_put(writer, ROCECC_CM_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    for (i = 0; i < ROCECC_CM_BYTES; i++)
        b[i] = 0;
    b[0] = 1;
    b[1] = 7;
    b[2] = 2;
    b[3] = 3;
    rocecc_store16(b + 16, cm->attribute);
    rocecc_store32(b + 24, cm->local_id);
    rocecc_store32(b + 28, cm->remote_id);
    if (at != 0) rocecc_store32(b + at, cm->qpn << 8);
    if (req) b[67] = (uint8_t)(cm->service << 1);
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_CM_H */
