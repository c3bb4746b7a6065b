/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_GRH_H
#define ROCECC_WIRE_GRH_H

/*
 * grh.h - the Global Route Header (GRH) of RoCEv1 (EtherType 0x8915). It has the layout
 * of an IPv6 header. IBTA volume 1, 8.3; Annex A16.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   | IPVer |     TClass    |               FlowLabel               |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |             PayLen            |    NxtHdr     |    HopLmt     |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                         SGID, 16 bytes                        |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                         DGID, 16 bytes                        |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     60200000 0028 1b 40 ...     TClass 2, PayLen 40, HopLmt 64
 */
#include "ip.h"

#define ROCECC_GRH_BYTES 40
#define ROCECC_GRH_NXT_HDR 0x1bu /* a BTH follows */

/* GRH. IPVer is always 6. */
typedef struct rocecc_grh {
    uint8_t t_class;
    uint32_t flow_label; /* flow identifier for routers; 20 bits */
    uint16_t pay_len;    /* length from BTH through ICRC; in bytes */
    uint8_t nxt_hdr;     /* type of the next header; ROCECC_GRH_NXT_HDR: BTH */
    uint8_t hop_lmt;
    rocecc_ip6 sgid; /* global identifier of the source */
    rocecc_ip6 dgid; /* global identifier of the destination */
} rocecc_grh;

/*
 * Parses a GRH without checking PayLen. Returns SHORT if fewer than 40 bytes are left,
 * and otherwise FORMAT if IPVer is not 6.
 */
ROCECC_FN rocecc_status rocecc_grh_parse(rocecc_reader *reader, rocecc_grh *out)
{
    rocecc_reader rest = *reader;
    const uint8_t *b = rocecc_take(&rest, ROCECC_GRH_BYTES);
    uint32_t w0;
    if (b == NULL) return ROCECC_ERR_SHORT;
    w0 = rocecc_load32(b);
    if (w0 >> 28 != 6) return ROCECC_ERR_FORMAT;
    out->t_class = (uint8_t)(w0 >> 20);
    out->flow_label = w0 & 0xfffff;
    out->pay_len = rocecc_load16(b + 4);
    out->nxt_hdr = b[6];
    out->hop_lmt = b[7];
    out->sgid = rocecc_ip6_load(b + 8);
    out->dgid = rocecc_ip6_load(b + 24);
    *reader = rest;
    return ROCECC_OK;
}

/*
 * Writes a GRH. Returns RANGE if flow_label is too wide, and SPACE if 40 bytes do not
 * fit.
 */
ROCECC_FN rocecc_status rocecc_grh_emit(rocecc_writer *writer, const rocecc_grh *header)
{
    uint8_t *b;
    if (header->flow_label >> 20 != 0) return ROCECC_ERR_RANGE;
    b = rocecc_put(writer, ROCECC_GRH_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store32(b, 6u << 28 | (uint32_t)header->t_class << 20 | header->flow_label);
    rocecc_store16(b + 4, header->pay_len);
    b[6] = header->nxt_hdr;
    b[7] = header->hop_lmt;
    rocecc_ip6_store(b + 8, &header->sgid);
    rocecc_ip6_store(b + 24, &header->dgid);
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_GRH_H */
