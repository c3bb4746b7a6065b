/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_ICMP6_H
#define ROCECC_WIRE_ICMP6_H

/*
 * icmp6.h - the ICMPv6 header, and the Parameter Problem, by which a sender says that
 * it does not know an option. RFC 4443, 2.1 and 3.4.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |     Type      |     Code      |           Checksum            |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                            Pointer                            |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |    as much of the packet as there is room for in 1280 bytes   |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     0402 abcd 0000002a 60...     code 2: byte 42 of the packet, where a Fast CNP has
 *                                  its option's type, is not known
 */
#include "ip.h"

#define ROCECC_ICMP6_BYTES 4
#define ROCECC_ICMP6_PROBLEM_BYTES 8 /* without the packet */
#define ROCECC_ICMP6_PACKET_MAX_BYTES 1232

#define ROCECC_ICMP6_TYPE_TOO_BIG 2u
#define ROCECC_ICMP6_TYPE_TIME_EXCEEDED 3u /* code 0: in transit */
#define ROCECC_ICMP6_TYPE_PROBLEM 4u

/* The same for IPv4: RFC 792. */
#define ROCECC_ICMP_TYPE_UNREACHABLE 3u
#define ROCECC_ICMP_TYPE_TIME_EXCEEDED 11u
#define ROCECC_ICMP_TYPE_PROBLEM 12u
#define ROCECC_ICMP_UNREACHABLE_PROTOCOL 2u
#define ROCECC_ICMP_UNREACHABLE_TOO_BIG 4u /* fragmentation needed: RFC 1191 */
#define ROCECC_ICMP_UNREACHABLE_SOURCE_ROUTE 5u /* source route failed */

/* Code of a Parameter Problem; RFC 4443, 3.4, and RFC 8754, 4.3.1.2. */
#define ROCECC_ICMP6_PROBLEM_HEADER 0u /* an erroneous field */
#define ROCECC_ICMP6_PROBLEM_NEXT 1u   /* an unknown Next Header */
#define ROCECC_ICMP6_PROBLEM_OPTION 2u /* an unknown IPv6 option */
#define ROCECC_ICMP6_PROBLEM_UPPER 4u  /* a SID does not take this upper layer */

/* The ICMPv6 error, or ICMP error for IPv4, that a node has to send; type 0: none. */
typedef struct rocecc_icmp_error {
    uint8_t type;
    uint8_t code;
    uint16_t offset; /* of the IP header in question, from the start of the buffer */
    uint32_t value;  /* Parameter Problem: offset of the culprit; Packet Too Big: MTU */
} rocecc_icmp_error;

typedef struct rocecc_icmp6 {
    uint8_t type;
    uint8_t code;
    uint16_t checksum; /* over the message and rocecc_checksum_pseudo6() */
} rocecc_icmp6;

/* Total: any 4 bytes are an ICMPv6 header. */
ROCECC_FN rocecc_icmp6 rocecc_icmp6_load(const uint8_t *bytes)
{
    rocecc_icmp6 h;
    h.type = bytes[0];
    h.code = bytes[1];
    h.checksum = rocecc_load16(bytes + 2);
    return h;
}

/* Writes 4 bytes at `bytes`. */
ROCECC_FN void rocecc_icmp6_store(uint8_t *bytes, const rocecc_icmp6 *header)
{
    bytes[0] = header->type;
    bytes[1] = header->code;
    rocecc_store16(bytes + 2, header->checksum);
}

/* SHORT: fewer than 4 bytes. */
ROCECC_FN rocecc_status rocecc_icmp6_parse(rocecc_reader *reader, rocecc_icmp6 *out)
{
    const uint8_t *b = rocecc_take(reader, ROCECC_ICMP6_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *out = rocecc_icmp6_load(b);
    return ROCECC_OK;
}

/* SPACE: no room for 4 bytes. */
ROCECC_FN rocecc_status rocecc_icmp6_emit(rocecc_writer *writer,
                                          const rocecc_icmp6 *header)
{
    uint8_t *b = rocecc_put(writer, ROCECC_ICMP6_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_icmp6_store(b, header);
    return ROCECC_OK;
}

/*
 * The right checksum, whatever stands there: message is header and data, and pseudo
 * comes from rocecc_checksum_pseudo6() with ROCECC_PROTO_ICMP6. Under BPF, message has
 * at most 4 + ROCECC_CHECKSUM_MAX_BYTES bytes. RFC 4443, 2.3.
 */
ROCECC_FN uint16_t rocecc_icmp6_checksum(uint32_t pseudo, rocecc_reader message)
{
    rocecc_reader before;
    if (rocecc_split(&message, 2, &before))
        pseudo = rocecc_checksum_update(pseudo, before);
    (void)rocecc_take(&message, 2);
    return rocecc_checksum_final(rocecc_checksum_update(pseudo, message));
}

/*
 * Whether the checksum of a message is right. SHORT: fewer than 4 bytes. FORMAT: it is
 * wrong. UNSUPPORTED: more bytes than checksum() takes.
 */
ROCECC_FN rocecc_status rocecc_icmp6_verify(uint32_t pseudo, rocecc_reader message)
{
    rocecc_reader r = message;
    rocecc_icmp6 h;
    const rocecc_status status = rocecc_icmp6_parse(&r, &h);
    if (status != ROCECC_OK) return status;
    if (message.end > message.at + ROCECC_ICMP6_BYTES + ROCECC_CHECKSUM_MAX_BYTES)
        return ROCECC_ERR_UNSUPPORTED;
    return rocecc_icmp6_checksum(pseudo, message) == h.checksum ? ROCECC_OK
                                                                : ROCECC_ERR_FORMAT;
}

/* Type is 4. */
typedef struct rocecc_icmp6_problem {
    uint8_t code;
    uint16_t checksum;
    uint32_t pointer;     /* offset in packet; beyond it if the packet was cut */
    rocecc_reader packet; /* from its IPv6 header on; at most 1232 bytes to write */
} rocecc_icmp6_problem;

/*
 * Takes all that is left of reader, which has to end where the message does. NO_MATCH:
 * another type. SHORT: fewer than 8 bytes. rocecc_icmp6_verify() checks the checksum.
 */
ROCECC_FN rocecc_status rocecc_icmp6_problem_parse(rocecc_reader *reader,
                                                   rocecc_icmp6_problem *out)
{
    rocecc_reader rest = *reader;
    rocecc_icmp6 head;
    const uint8_t *b;
    const rocecc_status status = rocecc_icmp6_parse(&rest, &head);
    if (status != ROCECC_OK) return status;
    if (head.type != ROCECC_ICMP6_TYPE_PROBLEM) return ROCECC_NO_MATCH;
    b = rocecc_take(&rest, 4);
    if (b == NULL) return ROCECC_ERR_SHORT;
    out->code = head.code;
    out->checksum = head.checksum;
    out->pointer = rocecc_load32(b);
    out->packet = rest;
    rest.at = rest.end;
    *reader = rest;
    return ROCECC_OK;
}

/*
 * Writes the message as problem has it, the checksum too. RANGE: more than
 * ROCECC_ICMP6_PACKET_MAX_BYTES of packet. SPACE: writer is too small.
 */
ROCECC_FN rocecc_status rocecc_icmp6_problem_emit(rocecc_writer *writer,
                                                  const rocecc_icmp6_problem *problem)
{
    const size_t bytes = rocecc_left(&problem->packet);
    rocecc_writer out = *writer;
    rocecc_icmp6 head;
    uint8_t *b;
    if (bytes > ROCECC_ICMP6_PACKET_MAX_BYTES) return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < ROCECC_ICMP6_PROBLEM_BYTES + bytes)
        return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, ROCECC_ICMP6_PROBLEM_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    head.type = ROCECC_ICMP6_TYPE_PROBLEM;
    head.code = problem->code;
    head.checksum = problem->checksum;
    rocecc_icmp6_store(b, &head);
    rocecc_store32(b + ROCECC_ICMP6_BYTES, problem->pointer);
    if (!rocecc_append(&out, problem->packet, ROCECC_ICMP6_PACKET_MAX_BYTES))
        return ROCECC_ERR_SPACE;
    *writer = out;
    return ROCECC_OK;
}

/*
 * The byte of the packet at which the pointer points. With code 2 it is the type of the
 * option that the sender of this message does not know. It does not check that the
 * packet is one of our own. SHORT: the packet was cut before that byte.
 */
ROCECC_FN rocecc_status rocecc_icmp6_problem_find(const rocecc_icmp6_problem *problem,
                                                  uint8_t *out)
{
    rocecc_reader r = problem->packet;
    const uint8_t *b;
    if (problem->pointer > UINT16_MAX)
        return ROCECC_ERR_SHORT; /* no message is so long */
    if (rocecc_take(&r, problem->pointer) == NULL) return ROCECC_ERR_SHORT;
    b = rocecc_take(&r, 1);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *out = *b;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_ICMP6_H */
