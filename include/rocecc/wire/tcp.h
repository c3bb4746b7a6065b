/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_TCP_H
#define ROCECC_WIRE_TCP_H

/*
 * tcp.h - the TCP header, for telemetry over TCP. RFC 9293, 3.1, and RFC 9768 (AE).
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |          Source Port          |       Destination Port        |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                        Sequence Number                        |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                     Acknowledgment Number                     |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |DOffset| Rsrvd |     Flags     |            Window             |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |           Checksum            |        Urgent Pointer         |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |              Options: 4 * (Data Offset - 5) bytes             |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     01bb9c40 01020304 12345679 5019 01f5 1f24 0000     from port 443, ACK PSH FIN;
 *                                                        5 words: no options
 */
#include "../bytes.h"

#define ROCECC_TCP_BYTES 20 /* without options */
#define ROCECC_TCP_OPTIONS_MAX_BYTES 40

typedef struct rocecc_tcp {
    uint16_t src_port;
    uint16_t dst_port;
    uint32_t seq;
    uint32_t ack;     /* next sequence number expected */
    uint8_t reserved; /* reserved bits, with AE as the lowest; 4 bits */
    uint8_t flags;    /* CWR ECE URG ACK PSH RST SYN FIN; high bit first */
    uint16_t window;  /* receive window, before scaling */
    uint16_t checksum;
    uint16_t urgent_pointer; /* offset of the end of urgent data; from seq */
    rocecc_reader options;   /* options, at most 40 bytes; a multiple of 4 bytes */
} rocecc_tcp;

/*
 * Parses a TCP header. Returns SHORT if the header extends beyond `reader`, and FORMAT
 * for a Data Offset below 5.
 */
ROCECC_FN rocecc_status rocecc_tcp_parse(rocecc_reader *reader, rocecc_tcp *out)
{
    rocecc_reader rest = *reader;
    const uint8_t *b = rocecc_take(&rest, ROCECC_TCP_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (b[12] >> 4 < 5) return ROCECC_ERR_FORMAT;
    if (!rocecc_split(&rest, (size_t)(b[12] >> 4) * 4 - ROCECC_TCP_BYTES,
                      &out->options))
        return ROCECC_ERR_SHORT;
    out->src_port = rocecc_load16(b);
    out->dst_port = rocecc_load16(b + 2);
    out->seq = rocecc_load32(b + 4);
    out->ack = rocecc_load32(b + 8);
    out->reserved = b[12] & 0xf;
    out->flags = b[13];
    out->window = rocecc_load16(b + 14);
    out->checksum = rocecc_load16(b + 16);
    out->urgent_pointer = rocecc_load16(b + 18);
    *reader = rest;
    return ROCECC_OK;
}

/*
 * Writes a TCP header. Returns RANGE if the options exceed 40 bytes or are not a
 * multiple of 4 bytes, or if `reserved` is above 15. Returns SPACE if `writer` is too
 * small.
 */
ROCECC_FN rocecc_status rocecc_tcp_emit(rocecc_writer *writer, const rocecc_tcp *header)
{
    const size_t options = rocecc_left(&header->options);
    rocecc_writer out = *writer;
    uint8_t *b;
    if (options > ROCECC_TCP_OPTIONS_MAX_BYTES || options % 4 != 0 ||
        header->reserved >> 4 != 0)
        return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < ROCECC_TCP_BYTES + options) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, ROCECC_TCP_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store16(b, header->src_port);
    rocecc_store16(b + 2, header->dst_port);
    rocecc_store32(b + 4, header->seq);
    rocecc_store32(b + 8, header->ack);
    b[12] = (uint8_t)((5 + options / 4) << 4 | header->reserved);
    b[13] = header->flags;
    rocecc_store16(b + 14, header->window);
    rocecc_store16(b + 16, header->checksum);
    rocecc_store16(b + 18, header->urgent_pointer);
    if (!rocecc_append(&out, header->options, ROCECC_TCP_OPTIONS_MAX_BYTES))
        return ROCECC_ERR_SPACE;
    *writer = out;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_TCP_H */
