/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * icmp.c - ICMP and ICMPv6. decode.c decodes the packet that an error quotes as a
 * packet inside.
 */
#include "rocecc/fields/icmp.h"

#include "decode.h"

#define OK_FIELDS(F, T) F(T, BOOL, ok, NULL)
#define ERROR_FIELDS(F, T)                                                             \
    F(T, UINT, value, NULL)                                                            \
    F(T, VIEW, packet, NULL)
#define PROBLEM_FIELDS(F, T)                                                           \
    F(T, UINT, pointer, NULL)                                                          \
    F(T, VIEW, byte, NULL)                                                             \
    F(T, BOOL, fastcnp, NULL)

static const field icmp_fields[] = {ROCECC_ICMP_FIELDS(FIELD_ROW, icmp_record)
                                        OK_FIELDS(FIELD_ROW, icmp_record)};
static const field error_fields[] = {ERROR_FIELDS(FIELD_ROW, icmp_error_record)};
static const field problem_fields[] = {PROBLEM_FIELDS(FIELD_ROW, problem_record)};

static const layer_kind icmp_kind = ONE("icmp", icmp_fields);
static const layer_kind error_kind = ONE("icmp_error", error_fields);
static const layer_kind problem_kind = ONE("problem", problem_fields);

const layer_kind *const icmp_kinds[] = {&icmp_kind, &error_kind, &problem_kind, NULL};

bool icmp_is_error_layer(const layer_kind *kind)
{
    return kind == &error_kind;
}

/* Returns the IPv6 header of a packet with its final destination. */
static rocecc_ipv6 final_ipv6(const decoded *d)
{
    rocecc_ipv6 v6 = d->ip[d->n_ip - 1].v6;
    rocecc_packet_final_dst(&d->p, &d->p.headers.ip, &v6.dst);
    return v6;
}

/* Checks the checksum of a complete message. Returns 0, 1 or CHECK_UNKNOWN. */
static uint8_t checksum_ok(const decoded *d, rocecc_reader message)
{
    uint32_t pseudo = 0;
    rocecc_status status;
    if (d->p.headers.ip.version == 6) {
        const rocecc_ipv6 v6 = final_ipv6(d);
        pseudo = rocecc_checksum_pseudo6(&v6, ROCECC_PROTO_ICMP6,
                                         (uint32_t)rocecc_left(&message));
    }
    status = rocecc_icmp_verify(pseudo, message);
    if (status == ROCECC_ERR_FORMAT) return 0;
    return status == ROCECC_OK ? 1 : CHECK_UNKNOWN;
}

/*
 * Returns the packet that an error quotes, without extensions after it. If there are
 * any, a field has the quote's length in words of 4 bytes, or of 8 in ICMPv6 (RFC 4884,
 * 4).
 */
static rocecc_reader quote_of(uint8_t version, const rocecc_icmp_message *message)
{
    const uint8_t type = message->type;
    rocecc_reader r = message->packet;
    size_t bytes = 0;
    if (version == 6 && (type == ROCECC_ICMP6_TYPE_UNREACHABLE ||
                         type == ROCECC_ICMP6_TYPE_TIME_EXCEEDED))
        bytes = (size_t)(message->value >> 24) * 8;
    if (version == 4 &&
        (type == ROCECC_ICMP_TYPE_UNREACHABLE ||
         type == ROCECC_ICMP_TYPE_TIME_EXCEEDED || type == ROCECC_ICMP_TYPE_PROBLEM))
        bytes = (size_t)(message->value >> 16 & 0xff) * 4;
    if (bytes != 0 && bytes < rocecc_left(&r)) r.end = r.at + bytes;
    return r;
}

/*
 * Returns true if the sender of an error does not support the Fast CNP that it quotes.
 */
static bool rejects_fastcnp(const decoded *d, const rocecc_icmp_message *message)
{
    rocecc_congestion_config config = ROCECC_ZERO;
    rocecc_ipv6 v6;
    if (d->p.headers.ip.version != 6) return false;
    v6 = final_ipv6(d);
    config.cnp.src = v6.dst;
    return rocecc_congestion_point_rejects_fastcnp(&config, d->p.domain, message,
                                                   &v6.src);
}

/*
 * Adds the byte at a Parameter Problem's pointer. In IPv4 the pointer is the first byte
 * after the checksum.
 */
static void problem_layer(decoded *d, const rocecc_icmp_message *message)
{
    const bool v6 = d->p.headers.ip.version == 6;
    problem_record *h = &d->problem;
    if (message->type != (v6 ? ROCECC_ICMP6_TYPE_PROBLEM : ROCECC_ICMP_TYPE_PROBLEM))
        return;
    h->pointer = v6 ? message->value : message->value >> 24;
    h->byte = d->icmp_error.packet;
    if (h->pointer < rocecc_left(&h->byte)) {
        h->byte.at += h->pointer;
        h->byte.end = h->byte.at + 1;
    } else {
        h->byte.end = h->byte.at;
    }
    h->fastcnp = rejects_fastcnp(d, message);
    decode_push(d, &problem_kind, h, NULL);
}

bool icmp_layers(decoded *d)
{
    const rocecc_headers_ip *ip = &d->p.headers.ip;
    const rocecc_reader message = rocecc_subrange(d->p.bytes, ip->upper, ip->end);
    const bool cut =
        ip->end > d->p.bytes.end || ip->fragment != ROCECC_IP_FRAGMENT_NONE;
    rocecc_reader r = message;
    rocecc_icmp h;
    rocecc_icmp_message error;
    rocecc_status status;
    if (ip->version == 0 ||
        ip->proto != (ip->version == 6 ? ROCECC_PROTO_ICMP6 : ROCECC_PROTO_ICMP))
        return true;
    status = rocecc_icmp_parse(&r, &h);
    if (status != ROCECC_OK)
        return decode_fail(d, cut ? status : rocecc_status_declared(status),
                           icmp_kind.name);
    d->icmp.type = h.type;
    d->icmp.code = h.code;
    d->icmp.checksum = h.checksum;
    d->icmp.ok = cut ? CHECK_UNKNOWN : checksum_ok(d, message);
    decode_push(d, &icmp_kind, &d->icmp, NULL);
    r = message;
    status = rocecc_icmp_message_parse(&r, ip->version, &error);
    if (status == ROCECC_NO_MATCH) return true;
    if (cut) status = ROCECC_ERR_SHORT;
    if (status != ROCECC_OK)
        return decode_fail(d, cut ? status : rocecc_status_declared(status),
                           error_kind.name);
    d->icmp_error.value = error.value;
    d->icmp_error.packet = error.packet = quote_of(ip->version, &error);
    decode_push(d, &error_kind, &d->icmp_error, NULL);
    problem_layer(d, &error);
    return true;
}

uint16_t icmp_parse_quote(const decoded *d, rocecc_packet *out)
{
    rocecc_reader first = d->icmp_error.packet;
    const uint8_t *b = rocecc_take(&first, 1);
    uint16_t type;
    if (b == NULL) return 0;
    type = *b >> 4 == 6 ? ROCECC_TYPE_IPV6 : ROCECC_TYPE_IPV4;
    out->domain = d->p.domain;
    out->bytes = d->icmp_error.packet;
    (void)rocecc_headers_parse_as(out->domain, out->bytes, type, SIZE_MAX,
                                  ROCECC_PARTIAL_QUOTED, &out->headers);
    return type;
}
