/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_LSN_H
#define ROCECC_WIRE_LSN_H

/*
 * lsn.h - the header that carries the sequence numbers and the CE echo of LDCP in data
 * packets and ACKs. draft-dai-tsvwg-pfc-free-congestion-control-00, 3, defines no
 * layout. THIS LAYOUT IS ROCECC'S OWN. Both ends must be configured to use it. The
 * header follows the last extended transport header that the opcode requires.
 *
 *   SEND, WRITE, READ requests    to the responder   A 0 R 0
 *   ACKNOWLEDGE, after its AETH   to the requester   A 1 R 0   their ACKs
 *   READ responses                to the requester   A 0 R 1
 *   ACKNOWLEDGE, after its AETH   to the responder   A 1 R 1   their ACKs: window_only
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |Version|HdrLen |A|E|R|L| Resv  |            Packet             |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                              LSN                              |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     1280 0002 00000830     an ACK: packet 2 and byte 2096 are expected next
 *
 *   Version  1               HdrLen  2, in words of 4 bytes
 *   A  an ACK                E  ECN-Echo in an ACK that confirms packets with CE
 *   R  set in the LSN space of READ responses, clear for SEND, WRITE and READ requests
 *   window_only  an extra ACK for a READ response or READ request. RDMA itself has no
 *      such ACK. The extra ACK repeats the PSN and the MSN of its sender's last ACK on
 *      this QP. Before the first ACK, the PSN is the expected PSN - 1, and the MSN is
 *      0. Transports treat the extra ACK as a repeated ACK. Only A, E, R, LSN and
 *      Packet have new values.
 *   L  last data packet of its message. The receiver need not wait for more packets.
 *   Resv  sent as 0, ignored on receipt
 *   LSN, Packet  LSN counts the bytes of all packets in a space. In each packet, it
 *      counts the bytes from BTH through ICRC, so each packet advances LSN. Packet
 *      counts the packets. Both numbers wrap. A data packet carries the number of its
 *      first byte and its packet number. An ACK carries the next expected numbers. It
 *      confirms everything since the last ACK that the data sender received, so ACKs
 *      can be lost or coalesced. A retransmitted packet keeps its numbers.
 */
#include "../bytes.h"

#define ROCECC_LSN_BYTES 8
#define ROCECC_LSN_VERSION 1
#define ROCECC_LSN_HDR_LEN 2 /* ROCECC_LSN_BYTES in words */

typedef struct rocecc_lsn {
    uint8_t version;    /* header version; 4 bits; ROCECC_LSN_VERSION */
    uint8_t hdr_len;    /* header length; 4 bits; in words; ROCECC_LSN_HDR_LEN */
    bool ack;           /* acknowledgement packet; A */
    bool ece;           /* ECN-Echo for packets marked CE; E, only in an ACK */
    bool read_response; /* LSN space of READ responses; R */
    bool last;          /* last data packet of its message; L */
    uint8_t resv;       /* reserved bits; 4 bits, sent as 0, ignored on receipt */
    uint16_t packet;    /* number of the packet (ACK: next expected); modulo 2^16 */
    uint32_t lsn;       /* number of the first byte (ACK: next expected); modulo 2^32 */
} rocecc_lsn;

/* Returns a header with version 1 and HdrLen 2. All other fields are 0. */
ROCECC_FN rocecc_lsn rocecc_lsn_default(void)
{
    rocecc_lsn h = {
        ROCECC_LSN_VERSION, ROCECC_LSN_HDR_LEN, false, false, false, false, 0, 0, 0};
    return h;
}

/*
 * Loads an 8-byte header without checking it. rocecc_lsn_store() reproduces exactly the
 * loaded bytes.
 */
ROCECC_FN rocecc_lsn rocecc_lsn_load(const uint8_t *bytes)
{
    rocecc_lsn h;
    h.version = (uint8_t)(bytes[0] >> 4);
    h.hdr_len = (uint8_t)(bytes[0] & 0xf);
    h.ack = (bytes[1] & 0x80) != 0;
    h.ece = (bytes[1] & 0x40) != 0;
    h.read_response = (bytes[1] & 0x20) != 0;
    h.last = (bytes[1] & 0x10) != 0;
    h.resv = (uint8_t)(bytes[1] & 0xf);
    h.packet = rocecc_load16(bytes + 2);
    h.lsn = rocecc_load32(bytes + 4);
    return h;
}

/* Writes 8 bytes. Values wider than their fields are truncated. */
ROCECC_FN void rocecc_lsn_store(uint8_t *bytes, const rocecc_lsn *header)
{
    bytes[0] = (uint8_t)((header->version & 0xf) << 4 | (header->hdr_len & 0xf));
    bytes[1] = (uint8_t)((header->ack ? 0x80 : 0) | (header->ece ? 0x40 : 0) |
                         (header->read_response ? 0x20 : 0) |
                         (header->last ? 0x10 : 0) | (header->resv & 0xf));
    rocecc_store16(bytes + 2, header->packet);
    rocecc_store32(bytes + 4, header->lsn);
}

/*
 * Parses a header. Returns SHORT for fewer than 8 bytes. Returns UNSUPPORTED if the
 * version is not 1. For version 1, returns UNSUPPORTED if HdrLen is above 2, and FORMAT
 * if HdrLen is below 2.
 */
ROCECC_FN rocecc_status rocecc_lsn_parse(rocecc_reader *reader, rocecc_lsn *out)
{
    rocecc_reader rest = *reader;
    const uint8_t *b = rocecc_take(&rest, ROCECC_LSN_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (b[0] >> 4 != ROCECC_LSN_VERSION) return ROCECC_ERR_UNSUPPORTED;
    if ((b[0] & 0xf) < ROCECC_LSN_HDR_LEN) return ROCECC_ERR_FORMAT;
    if ((b[0] & 0xf) > ROCECC_LSN_HDR_LEN) return ROCECC_ERR_UNSUPPORTED;
    *out = rocecc_lsn_load(b);
    *reader = rest;
    return ROCECC_OK;
}

/*
 * Writes a header. Returns RANGE if the version is not 1, HdrLen is not 2, or Resv is
 * wider than 4 bits. Returns SPACE if 8 bytes do not fit.
 */
ROCECC_FN rocecc_status rocecc_lsn_emit(rocecc_writer *writer, const rocecc_lsn *header)
{
    uint8_t *b;
    if (header->version != ROCECC_LSN_VERSION ||
        header->hdr_len != ROCECC_LSN_HDR_LEN || header->resv >> 4 != 0)
        return ROCECC_ERR_RANGE;
    b = rocecc_put(writer, ROCECC_LSN_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_lsn_store(b, header);
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_LSN_H */
