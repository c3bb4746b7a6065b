/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_ICMP_H
#define ROCECC_WIRE_ICMP_H

/*
 * icmp.h - the header and the error messages of ICMPv6 and of ICMP for IPv4. RFC 4443,
 * 2.1 and 3; RFC 792.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |     Type      |     Code      |           Checksum            |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |                Pointer, MTU, or unused: value                 |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |       the start of the packet, from its IP header on          |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     0402 abcd 0000002a 60...     ICMPv6, Parameter Problem, code 2: byte 42 of the
 *                                  packet, the option type of a Fast CNP, is not known
 *     0c00 1234 14000000 46...     ICMP, Parameter Problem: byte 20; the pointer is
 *                                  the first 8 bits of the value
 */
#include "ip.h"

#define ROCECC_ICMP_BYTES 4
#define ROCECC_ICMP_ERROR_BYTES 8         /* without the quoted packet */
#define ROCECC_ICMP6_QUOTE_MAX_BYTES 1232 /* 1280 - 40 - 8: RFC 4443, 2.4 (c) */
#define ROCECC_ICMP_QUOTE_MAX_BYTES 548   /* 576 - 20 - 8: RFC 1812, 4.3.2.3 */
#define ROCECC_PROTO_ICMP 1u

/* Types of ICMPv6 messages. Types below 128 are errors (RFC 4443, 2.1). */
#define ROCECC_ICMP6_TYPE_UNREACHABLE 1u
#define ROCECC_ICMP6_TYPE_TOO_BIG 2u       /* value: MTU */
#define ROCECC_ICMP6_TYPE_TIME_EXCEEDED 3u /* code 0: in transit */
#define ROCECC_ICMP6_TYPE_PROBLEM 4u       /* value: pointer */

/* Codes of an ICMPv6 Parameter Problem. RFC 4443, 3.4; RFC 8754, 4.3.1.2. */
#define ROCECC_ICMP6_PROBLEM_HEADER 0u /* an erroneous field */
#define ROCECC_ICMP6_PROBLEM_NEXT 1u   /* an unknown Next Header */
#define ROCECC_ICMP6_PROBLEM_OPTION 2u /* an unknown IPv6 option */
#define ROCECC_ICMP6_PROBLEM_UPPER 4u  /* a SID does not accept this upper layer */

/*
 * Types and codes of ICMP errors for IPv4. Each error quotes the packet that caused it.
 * RFC 792.
 */
#define ROCECC_ICMP_TYPE_UNREACHABLE 3u
#define ROCECC_ICMP_TYPE_SOURCE_QUENCH 4u
#define ROCECC_ICMP_TYPE_REDIRECT 5u
#define ROCECC_ICMP_TYPE_TIME_EXCEEDED 11u /* code 0: in transit */
#define ROCECC_ICMP_TYPE_PROBLEM 12u       /* value: pointer, in the first 8 bits */
#define ROCECC_ICMP_UNREACHABLE_PROTOCOL 2u
#define ROCECC_ICMP_UNREACHABLE_TOO_BIG 4u /* value: MTU, low 16 bits (RFC 1191) */
#define ROCECC_ICMP_UNREACHABLE_SOURCE_ROUTE 5u

typedef struct rocecc_icmp {
    uint8_t type;
    uint8_t code;
    uint16_t checksum; /* checksum over the message (ICMPv6: with pseudo-header);
                          rocecc_icmp_checksum() */
} rocecc_icmp;

/* Reads an ICMP header. Any 4 bytes are valid. */
ROCECC_FN rocecc_icmp rocecc_icmp_load(const uint8_t *bytes)
{
    rocecc_icmp h;
    h.type = bytes[0];
    h.code = bytes[1];
    h.checksum = rocecc_load16(bytes + 2);
    return h;
}

/* Writes an ICMP header of 4 bytes. */
ROCECC_FN void rocecc_icmp_store(uint8_t *bytes, const rocecc_icmp *header)
{
    bytes[0] = header->type;
    bytes[1] = header->code;
    rocecc_store16(bytes + 2, header->checksum);
}

/* Parses an ICMP header. Returns SHORT for fewer than 4 bytes. */
ROCECC_FN rocecc_status rocecc_icmp_parse(rocecc_reader *reader, rocecc_icmp *out)
{
    const uint8_t *b = rocecc_take(reader, ROCECC_ICMP_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *out = rocecc_icmp_load(b);
    return ROCECC_OK;
}

/* Writes an ICMP header. Returns SPACE if 4 bytes do not fit. */
ROCECC_FN rocecc_status rocecc_icmp_emit(rocecc_writer *writer,
                                         const rocecc_icmp *header)
{
    uint8_t *b = rocecc_put(writer, ROCECC_ICMP_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_icmp_store(b, header);
    return ROCECC_OK;
}

/*
 * Computes the checksum of a message, ignoring its checksum field. For ICMP, `pseudo`
 * must be 0. For ICMPv6, `pseudo` must come from rocecc_checksum_pseudo6() with
 * ROCECC_PROTO_ICMP6 (RFC 4443, 2.3). The message must have at least 4 bytes, and at
 * most 4 + ROCECC_CHECKSUM_MAX_BYTES bytes.
 */
ROCECC_FN uint16_t rocecc_icmp_checksum(uint32_t pseudo, rocecc_reader message)
{
    rocecc_reader before;
    if (rocecc_split(&message, 2, &before))
        pseudo = rocecc_checksum_update(pseudo, before);
    (void)rocecc_take(&message, 2);
    return rocecc_checksum_final(rocecc_checksum_update(pseudo, message));
}

/*
 * Verifies the checksum of a message. Returns SHORT if the message has fewer than 4
 * bytes, UNSUPPORTED if it is too long for rocecc_icmp_checksum(), and FORMAT if the
 * checksum is wrong. A checksum of 0xffff is not accepted in place of 0.
 */
ROCECC_FN rocecc_status rocecc_icmp_verify(uint32_t pseudo, rocecc_reader message)
{
    rocecc_reader r = message;
    rocecc_icmp h;
    const rocecc_status status = rocecc_icmp_parse(&r, &h);
    if (status != ROCECC_OK) return status;
    if (message.end > message.at + ROCECC_ICMP_BYTES + ROCECC_CHECKSUM_MAX_BYTES)
        return ROCECC_ERR_UNSUPPORTED;
    return rocecc_icmp_checksum(pseudo, message) == h.checksum ? ROCECC_OK
                                                               : ROCECC_ERR_FORMAT;
}

/*
 * Returns true if messages of this type are errors. `type` is an ICMPv6 type if
 * ip_version is 6, and otherwise an ICMP type for IPv4.
 */
ROCECC_FN bool rocecc_icmp_is_error(uint8_t ip_version, uint8_t type)
{
    if (ip_version == 6) return type < 128;
    return (type >= ROCECC_ICMP_TYPE_UNREACHABLE &&
            type <= ROCECC_ICMP_TYPE_REDIRECT) ||
           type == ROCECC_ICMP_TYPE_TIME_EXCEEDED || type == ROCECC_ICMP_TYPE_PROBLEM;
}

/* ICMP error message. */
typedef struct rocecc_icmp_message {
    uint8_t type;
    uint8_t code;
    uint16_t checksum; /* checksum over the message (ICMPv6: with pseudo-header) */
    uint32_t value;    /* type-specific value, such as pointer or MTU; the 4 bytes after
                          the checksum */
    rocecc_reader packet; /* start of the packet that caused the error; from its IP
                             header on; includes any RFC 4884 extensions */
} rocecc_icmp_message;

/*
 * Parses an ICMPv6 error if ip_version is 6, and otherwise an ICMP error. Takes all
 * bytes of `reader`, which must end where the message ends. Returns NO_MATCH if the
 * message has at least 4 bytes and is not an error, and otherwise SHORT if it has fewer
 * than 8 bytes. The caller must verify the checksum with rocecc_icmp_verify().
 */
ROCECC_FN rocecc_status rocecc_icmp_message_parse(rocecc_reader *reader,
                                                  uint8_t ip_version,
                                                  rocecc_icmp_message *out)
{
    rocecc_reader rest = *reader;
    rocecc_icmp head;
    const uint8_t *b;
    const rocecc_status status = rocecc_icmp_parse(&rest, &head);
    if (status != ROCECC_OK) return status;
    if (!rocecc_icmp_is_error(ip_version, head.type)) return ROCECC_NO_MATCH;
    b = rocecc_take(&rest, 4);
    if (b == NULL) return ROCECC_ERR_SHORT;
    out->type = head.type;
    out->code = head.code;
    out->checksum = head.checksum;
    out->value = rocecc_load32(b);
    out->packet = rest;
    rest.at = rest.end;
    *reader = rest;
    return ROCECC_OK;
}

/*
 * Writes an error message and copies message->checksum into it. Returns RANGE if
 * message->packet is longer than ROCECC_ICMP6_QUOTE_MAX_BYTES. This limit also applies
 * to ICMP for IPv4. Returns SPACE if the message does not fit.
 */
ROCECC_FN rocecc_status rocecc_icmp_message_emit(rocecc_writer *writer,
                                                 const rocecc_icmp_message *message)
{
    const size_t bytes = rocecc_left(&message->packet);
    rocecc_writer out = *writer;
    rocecc_icmp head;
    uint8_t *b;
    if (bytes > ROCECC_ICMP6_QUOTE_MAX_BYTES) return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < ROCECC_ICMP_ERROR_BYTES + bytes) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, ROCECC_ICMP_ERROR_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    head.type = message->type;
    head.code = message->code;
    head.checksum = message->checksum;
    rocecc_icmp_store(b, &head);
    rocecc_store32(b + ROCECC_ICMP_BYTES, message->value);
    if (!rocecc_append(&out, message->packet, ROCECC_ICMP6_QUOTE_MAX_BYTES))
        return ROCECC_ERR_SPACE;
    *writer = out;
    return ROCECC_OK;
}

/*
 * Reads the byte to which an ICMPv6 Parameter Problem points in the quoted packet. With
 * code 2, this byte is the type of the unknown option. Returns NO_MATCH if the message
 * is of another type. Returns SHORT if the quoted packet does not include this byte, or
 * if the pointer exceeds 65535.
 */
ROCECC_FN rocecc_status rocecc_icmp6_problem_find(const rocecc_icmp_message *message,
                                                  uint8_t *out)
{
    rocecc_reader r = message->packet;
    const uint8_t *b;
    if (message->type != ROCECC_ICMP6_TYPE_PROBLEM) return ROCECC_NO_MATCH;
    if (message->value > UINT16_MAX) return ROCECC_ERR_SHORT; /* beyond any packet */
    if (rocecc_take(&r, message->value) == NULL) return ROCECC_ERR_SHORT;
    b = rocecc_take(&r, 1);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *out = *b;
    return ROCECC_OK;
}

/*
 * ICMP error that a node should send because of a verdict, for example UNKNOWN_HEADER
 * in packet/arrival.h. Type 0 means that no error is sent.
 */
typedef struct rocecc_icmp_error {
    uint8_t type; /* ICMPv6 type, or ICMP type if the packet is IPv4 */
    uint8_t code;
    uint16_t offset; /* offset of the affected IP header in the buffer */
    uint32_t value;  /* Parameter Problem: offset of the fault from this header; Packet
                        Too Big or fragmentation needed: MTU; otherwise 0 */
} rocecc_icmp_error;

#endif /* ROCECC_WIRE_ICMP_H */
