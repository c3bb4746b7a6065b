/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_ARN_H
#define ROCECC_WIRE_ARN_H

/*
 * arn.h - the Adaptive Routing Notification (ARN). It reports congestion and failures
 * to upstream nodes. draft-wh-rtgwg-adaptive-routing-arn; draft-hu-rtgwg-rocev2-fcn-00,
 * 4.1.1 (bits 2 and 3 of Para-Type).
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |      Type     |Version| Rvsd  |    Metric     |   Para-Type   |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  bit 0: flow identifier, 13, 16, 37 or 40 bytes               :
 *   |  bit 1: path identifier                                       |
 *   |  bit 2: priority                                              |
 *   |  bit 3: compression time                                      |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     01 1 0 c8 30 00000003 00000064     congestion, version 1, metric 200; priority 3
 *                                        is paused for 100 units of 1 us
 *
 * A parameter is present if its bit in Para-Type is set. A flow identifier is a
 * 5-tuple: both addresses (4 or 16 bytes each), both ports (2 bytes each) and the
 * protocol (1 byte). Unless the 5-tuple is packed, three zero bytes follow it. THE
 * DRAFTS DO NOT DEFINE the position of bit 0 in Para-Type, the order of the parameters,
 * the form of the 5-tuple, the unit of time, or the transport (README.md). In rocecc,
 * the parameters are in ascending order of their bits, the transport is UDP, and
 * rocecc_arn_config holds the other choices. A message has no length field, so the
 * reader that is passed to rocecc_arn_parse() must end where the datagram ends.
 */
#include "../bytes.h"
#include "config.h"
#include "ip.h"

#define ROCECC_ARN_BYTES 4 /* without parameters */
#define ROCECC_ARN_VERSION 1
#define ROCECC_ARN_VERSIONS 0x0003u      /* default: versions 0 and 1 */
#define ROCECC_ARN_TIME_UNIT_PS 1000000u /* default: 1 us */
#define ROCECC_ARN_HOPS 255 /* TTL or hop limit as sent; routers decrement it */
#define ROCECC_ARN_DSCP 48  /* CS6 */

/*
 * Maximum length of rocecc_arn.rest in rocecc_arn_emit(), which writes `rest` after the
 * known parameters. rocecc_arn_parse() has no such limit.
 */
#ifndef ROCECC_ARN_REST_MAX_BYTES
#define ROCECC_ARN_REST_MAX_BYTES 64
#endif

/* Message types. Other values are unassigned. */
#define ROCECC_ARN_CONGESTION_DETECTED 1
#define ROCECC_ARN_CONGESTION_ELIMINATED 2
#define ROCECC_ARN_FAILURE_DETECTED 3
#define ROCECC_ARN_FAILURE_ELIMINATED 4

/*
 * Bits of a set of parameters. In the set, bit n is always 1 << n, even if bit 0 is
 * 0x80 on the wire.
 */
#define ROCECC_ARN_FLOW 0x01u
#define ROCECC_ARN_PATH_ID 0x02u
#define ROCECC_ARN_PRIORITY 0x04u
#define ROCECC_ARN_TIME 0x08u
#define ROCECC_ARN_KNOWN 0x0fu

typedef struct rocecc_arn {
    uint8_t type;    /* event: congestion or failure, detected or eliminated; 1 to 4 */
    uint8_t version; /* version of the message; 4 bits */
    uint8_t resv;    /* reserved bits; Rvsd, 4 bits; sent as 0, ignored on receipt */
    uint8_t metric;  /* severity of the congestion or failure; higher is worse */
    uint8_t para_type;   /* set of parameters in the message; as on the wire */
    bool lsb;            /* true: bit 0 of Para-Type is 0x01; false: 0x80 */
    uint8_t tuple_bytes; /* length of the flow identifier; 0, 13, 16, 37 or 40 */
    rocecc_flow flow;    /* flow identifier; with 13 or 16 bytes, the addresses are
                            ::ffff:a.b.c.d */
    uint32_t flow_zero;  /* padding after the 5-tuple; 24 bits; sent as 0, ignored on
                            receipt */
    uint32_t path_id;    /* identifier of the affected path; 0 if absent */
    uint32_t priority;   /* affected priority; rocecc_arn_config.priority
                            gives its range; 0 if absent */
    uint32_t time; /* compression time, the duration of a pause; in the configured unit;
                      0 means resume */
    rocecc_reader rest; /* unknown parameters; for bits above 3 */
} rocecc_arn;

/*
 * Reads the fixed part of a message. Any 4 bytes are valid. Sets `lsb` to false, all
 * parameters to 0, and `rest` to an empty reader.
 */
ROCECC_FN rocecc_arn rocecc_arn_load(const uint8_t *bytes)
{
    const rocecc_ip6 zero = {{0}};
    rocecc_arn h;
    h.type = bytes[0];
    h.version = (uint8_t)(bytes[1] >> 4);
    h.resv = (uint8_t)(bytes[1] & 0xf);
    h.metric = bytes[2];
    h.para_type = bytes[3];
    h.lsb = false;
    h.tuple_bytes = 0;
    h.flow.src = h.flow.dst = zero;
    h.flow.src_port = h.flow.dst_port = 0;
    h.flow.proto = 0;
    h.flow_zero = h.path_id = h.priority = h.time = 0;
    h.rest = rocecc_reader_of(NULL, NULL);
    return h;
}

/*
 * Writes the fixed part of a message (4 bytes). A value that is too wide loses its high
 * bits.
 */
ROCECC_FN void rocecc_arn_store(uint8_t *bytes, const rocecc_arn *arn)
{
    bytes[0] = arn->type;
    bytes[1] = (uint8_t)((arn->version & 0xf) << 4 | (arn->resv & 0xf));
    bytes[2] = arn->metric;
    bytes[3] = arn->para_type;
}

/*
 * Returns true if bit 0 is 0x01 in this Para-Type. With AUTO, returns true if bits are
 * set only in the low half.
 */
ROCECC_FN bool rocecc_arn_lsb_first_(const rocecc_arn_config *config, uint8_t para_type)
{
    if (config->bit_order == ROCECC_ARN_AUTO) return para_type != 0 && para_type < 0x10;
    return config->bit_order == ROCECC_ARN_LSB;
}

ROCECC_FN uint8_t rocecc_arn_reverse_bits_(uint8_t bits)
{
    uint32_t x = bits;
    x = (x & 0xf0) >> 4 | (x & 0x0f) << 4;
    x = (x & 0xcc) >> 2 | (x & 0x33) << 2;
    return (uint8_t)((x & 0xaa) >> 1 | (x & 0x55) << 1);
}

/*
 * Returns the set of parameters that are present, as bits (ROCECC_ARN_FLOW and so on).
 * The set includes unknown bits.
 */
ROCECC_FN uint8_t rocecc_arn_present(const rocecc_arn *arn)
{
    return arn->lsb ? arn->para_type : rocecc_arn_reverse_bits_(arn->para_type);
}

/*
 * Returns the unknown bits of a Para-Type, as on the wire. With AUTO, all bits are
 * unknown if bits are set in both halves, because the position of bit 0 is then
 * ambiguous.
 */
ROCECC_FN uint8_t rocecc_arn_unknown_(const rocecc_arn_config *config,
                                      uint8_t para_type)
{
    const bool both = para_type >> 4 != 0 && (para_type & 0xf) != 0;
    if (config->bit_order == ROCECC_ARN_AUTO) return both ? para_type : 0;
    return para_type & (config->bit_order == ROCECC_ARN_LSB ? 0xf0 : 0x0f);
}

/*
 * Checks the configuration and the fixed part of a message. Returns UNSUPPORTED if
 * rocecc_arn_init() rejects config, if config does not accept the message's version, or
 * if the message has unknown parameters and config->tail_unknown is not set. Returns
 * FORMAT if the type is invalid.
 */
ROCECC_FN rocecc_status rocecc_arn_check_(const rocecc_arn_config *config,
                                          const rocecc_arn *arn)
{
    const uint32_t versions =
        config->versions != 0 ? config->versions : ROCECC_ARN_VERSIONS;
    if (rocecc_arn_init(config) != ROCECC_ARN_ACCEPTED) return ROCECC_ERR_UNSUPPORTED;
    if ((versions >> (arn->version & 0xf) & 1) == 0) return ROCECC_ERR_UNSUPPORTED;
    if (arn->type == 0 || arn->type > ROCECC_ARN_FAILURE_ELIMINATED)
        return ROCECC_ERR_FORMAT;
    if (rocecc_arn_unknown_(config, arn->para_type) != 0 && !config->tail_unknown)
        return ROCECC_ERR_UNSUPPORTED;
    return ROCECC_OK;
}

ROCECC_FN bool rocecc_arn_priority_fits_(const rocecc_arn_config *config,
                                         uint32_t priority)
{
    if (config->priority == ROCECC_ARN_PRIORITY_8021P) return priority < 8;
    return config->priority == ROCECC_ARN_PRIORITY_ANY || priority < 64;
}

ROCECC_FN bool rocecc_arn_tuple_allowed_(const rocecc_arn_config *config, size_t bytes)
{
    const bool packed = bytes == 13 || bytes == 37;
    if (!packed && bytes != 16 && bytes != 40) return false;
    if (config->family != 0 && (config->family == 6) != (bytes >= 37)) return false;
    return config->layout == ROCECC_ARN_ANY_LAYOUT ||
           (config->layout == ROCECC_ARN_PACKED) == packed;
}

/*
 * Returns the length of a flow identifier. The length includes 3 bytes of padding
 * unless config->layout is PACKED. `family` must be 4 or 6.
 */
ROCECC_FN uint8_t rocecc_arn_tuple_width_(const rocecc_arn_config *config,
                                          uint8_t family)
{
    const unsigned bytes = family == 6 ? 37 : 13;
    return (uint8_t)(bytes + (config->layout == ROCECC_ARN_PACKED ? 0 : 3));
}

/*
 * Returns the value of tuple_bytes that emit() needs for a flow. Returns 0 if
 * config->family is 4 but an address is not IPv4. Otherwise returns the length of an
 * IPv6 flow identifier if config->family is 6 or an address is not IPv4, and the length
 * of an IPv4 flow identifier in all other cases.
 */
ROCECC_FN uint8_t rocecc_arn_tuple_bytes(const rocecc_arn_config *config,
                                         const rocecc_flow *flow)
{
    const bool v4 = rocecc_ip6_is_ip4(&flow->src) && rocecc_ip6_is_ip4(&flow->dst);
    if (config->family == 4 && !v4) return 0;
    return rocecc_arn_tuple_width_(config, v4 && config->family != 6 ? 4 : 6);
}

/*
 * Returns a message of version 1 with the given type and set of parameters. With AUTO,
 * bit 0 is 0x80. The caller must set the values of the parameters. For ROCECC_ARN_FLOW,
 * these values are `flow` and tuple_bytes (see rocecc_arn_tuple_bytes()).
 */
ROCECC_FN rocecc_arn rocecc_arn_default(const rocecc_arn_config *config, uint8_t type,
                                        uint8_t present)
{
    const uint8_t b[ROCECC_ARN_BYTES] = {type, ROCECC_ARN_VERSION << 4, 0, 0};
    rocecc_arn h = rocecc_arn_load(b);
    h.lsb = config->bit_order == ROCECC_ARN_LSB;
    h.para_type = h.lsb ? present : rocecc_arn_reverse_bits_(present);
    return h;
}

ROCECC_FN size_t rocecc_arn_word_bytes_(uint8_t present)
{
    return 4u * ((present >> 1 & 1u) + (present >> 2 & 1u) + (present >> 3 & 1u));
}

/*
 * Computes the length of the flow identifier from `bytes`, the total length of all
 * parameters. Returns FORMAT if `bytes` does not match the set of parameters. Returns
 * UNSUPPORTED if unknown parameters follow a flow identifier and config leaves the
 * identifier's family or layout open.
 */
ROCECC_FN rocecc_status rocecc_arn_find_tuple_bytes_(const rocecc_arn_config *config,
                                                     uint8_t present, size_t bytes,
                                                     size_t *tuple)
{
    const bool tail = (present & ~ROCECC_ARN_KNOWN) != 0;
    const size_t words = rocecc_arn_word_bytes_(present);
    size_t n;
    if (bytes < words) return ROCECC_ERR_FORMAT;
    n = bytes - words;
    if ((present & ROCECC_ARN_FLOW) == 0) {
        if (n != 0 && !tail) return ROCECC_ERR_FORMAT;
        n = 0;
    } else if (tail) {
        if (config->family == 0 || config->layout == ROCECC_ARN_ANY_LAYOUT)
            return ROCECC_ERR_UNSUPPORTED;
        if (n < rocecc_arn_tuple_width_(config, config->family))
            return ROCECC_ERR_FORMAT;
        n = rocecc_arn_tuple_width_(config, config->family);
    } else if (!rocecc_arn_tuple_allowed_(config, n)) {
        return ROCECC_ERR_FORMAT;
    }
    *tuple = n;
    return ROCECC_OK;
}

ROCECC_FN bool rocecc_arn_take_addresses_(rocecc_reader *reader, bool v6,
                                          rocecc_flow *flow)
{
    const uint8_t *b;
    if (v6) {
        b = rocecc_take(reader, 32);
        if (b == NULL) return false;
        flow->src = rocecc_ip6_load(b);
        flow->dst = rocecc_ip6_load(b + 16);
    } else {
        rocecc_ip4 src, dst;
        b = rocecc_take(reader, 8);
        if (b == NULL) return false;
        src = rocecc_ip4_load(b);
        dst = rocecc_ip4_load(b + 4);
        flow->src = rocecc_ip6_of_ip4(&src);
        flow->dst = rocecc_ip6_of_ip4(&dst);
    }
    return true;
}

ROCECC_FN bool rocecc_arn_take_flow_(rocecc_reader *reader, rocecc_arn *arn)
{
    const uint8_t *b;
    if (!rocecc_arn_take_addresses_(reader, arn->tuple_bytes >= 37, &arn->flow))
        return false;
    b = rocecc_take(reader, 5);
    if (b == NULL) return false;
    arn->flow.src_port = rocecc_load16(b);
    arn->flow.dst_port = rocecc_load16(b + 2);
    arn->flow.proto = b[4];
    if (arn->tuple_bytes == 13 || arn->tuple_bytes == 37) return true;
    b = rocecc_take(reader, 3);
    if (b == NULL) return false;
    arn->flow_zero = (uint32_t)b[0] << 16 | (uint32_t)b[1] << 8 | b[2];
    return true;
}

ROCECC_FN bool rocecc_arn_take_word_(rocecc_reader *reader, bool present,
                                     uint32_t *word)
{
    const uint8_t *b;
    if (!present) return true;
    b = rocecc_take(reader, 4);
    if (b == NULL) return false;
    *word = rocecc_load32(b);
    return true;
}

/* Reads a message. On failure *arn may be partly written. */
ROCECC_FN rocecc_status rocecc_arn_read_(const rocecc_arn_config *config,
                                         rocecc_reader message, rocecc_arn *arn)
{
    const uint8_t *b = rocecc_take(&message, ROCECC_ARN_BYTES);
    rocecc_status status;
    size_t tuple = 0;
    uint8_t present;
    if (b == NULL) return ROCECC_ERR_SHORT;
    *arn = rocecc_arn_load(b);
    arn->lsb = rocecc_arn_lsb_first_(config, arn->para_type);
    present = rocecc_arn_present(arn);
    status = rocecc_arn_check_(config, arn);
    if (status != ROCECC_OK) return status;
    status =
        rocecc_arn_find_tuple_bytes_(config, present, rocecc_left(&message), &tuple);
    if (status != ROCECC_OK) return status;
    arn->tuple_bytes = (uint8_t)tuple;
    if (tuple != 0 && !rocecc_arn_take_flow_(&message, arn)) return ROCECC_ERR_FORMAT;
    if (!rocecc_arn_take_word_(&message, (present & ROCECC_ARN_PATH_ID) != 0,
                               &arn->path_id) ||
        !rocecc_arn_take_word_(&message, (present & ROCECC_ARN_PRIORITY) != 0,
                               &arn->priority) ||
        !rocecc_arn_take_word_(&message, (present & ROCECC_ARN_TIME) != 0, &arn->time))
        return ROCECC_ERR_FORMAT;
    if (!rocecc_arn_priority_fits_(config, arn->priority)) return ROCECC_ERR_FORMAT;
    arn->rest = message;
    return ROCECC_OK;
}

/*
 * Parses a message. The reader `message` must end where the datagram ends. Ignores
 * config->port. Returns SHORT if the message has fewer than 4 bytes. Returns
 * UNSUPPORTED if rocecc_arn_init() rejects config, if config does not accept the
 * message's version, or if the message has unknown parameters and config->tail_unknown
 * is not set. With AUTO, all bits of Para-Type count as unknown if bits are set in both
 * halves. Also returns UNSUPPORTED if unknown parameters follow a 5-tuple and config
 * leaves the family or the layout of the 5-tuple open. Returns FORMAT if the type or
 * the priority is invalid, or if the message's length does not match Para-Type.
 */
ROCECC_FN rocecc_status rocecc_arn_parse(const rocecc_arn_config *config,
                                         rocecc_reader message, rocecc_arn *out)
{
    const uint8_t none[ROCECC_ARN_BYTES] = {0};
    rocecc_arn arn = rocecc_arn_load(none);
    rocecc_status status = rocecc_arn_read_(config, message, &arn);
    ROCECC_MERGE_PATHS_(status);
    if (status == ROCECC_OK) *out = arn;
    return status;
}

/* Returns the length of the message that emit() writes. */
ROCECC_FN size_t rocecc_arn_bytes(const rocecc_arn *arn)
{
    return ROCECC_ARN_BYTES + arn->tuple_bytes +
           rocecc_arn_word_bytes_(rocecc_arn_present(arn)) + rocecc_left(&arn->rest);
}

ROCECC_FN bool rocecc_arn_fits_(const rocecc_arn_config *config, const rocecc_arn *arn)
{
    const uint8_t present = rocecc_arn_present(arn);
    size_t tuple = 0;
    if (rocecc_arn_check_(config, arn) != ROCECC_OK) return false;
    if (((arn->version | arn->resv) >> 4) != 0 || arn->flow_zero >> 24 != 0)
        return false;
    if (arn->para_type != 0 &&
        arn->lsb != rocecc_arn_lsb_first_(config, arn->para_type))
        return false;
    if ((present & ROCECC_ARN_PRIORITY) != 0 &&
        !rocecc_arn_priority_fits_(config, arn->priority))
        return false;
    if (rocecc_left(&arn->rest) > ROCECC_ARN_REST_MAX_BYTES ||
        rocecc_arn_find_tuple_bytes_(config, present,
                                     rocecc_arn_bytes(arn) - ROCECC_ARN_BYTES,
                                     &tuple) != ROCECC_OK ||
        tuple != arn->tuple_bytes)
        return false;
    return (tuple != 13 && tuple != 16) ||
           (rocecc_ip6_is_ip4(&arn->flow.src) && rocecc_ip6_is_ip4(&arn->flow.dst));
}

ROCECC_FN bool rocecc_arn_put_addresses_(rocecc_writer *writer, bool v6,
                                         const rocecc_flow *flow)
{
    uint8_t *b;
    int i;
    if (v6) {
        b = rocecc_put(writer, 32);
        if (b == NULL) return false;
        rocecc_ip6_store(b, &flow->src);
        rocecc_ip6_store(b + 16, &flow->dst);
        return true;
    }
    b = rocecc_put(writer, 8);
    if (b == NULL) return false;
    for (i = 0; i < 4; i++) {
        b[i] = flow->src.b[12 + i];
        b[4 + i] = flow->dst.b[12 + i];
    }
    return true;
}

ROCECC_FN bool rocecc_arn_put_flow_(rocecc_writer *writer, const rocecc_arn *arn)
{
    uint8_t *b;
    if (!rocecc_arn_put_addresses_(writer, arn->tuple_bytes >= 37, &arn->flow))
        return false;
    b = rocecc_put(writer, 5);
    if (b == NULL) return false;
    rocecc_store16(b, arn->flow.src_port);
    rocecc_store16(b + 2, arn->flow.dst_port);
    b[4] = arn->flow.proto;
    if (arn->tuple_bytes == 13 || arn->tuple_bytes == 37) return true;
    b = rocecc_put(writer, 3);
    if (b == NULL) return false;
    b[0] = (uint8_t)(arn->flow_zero >> 16);
    b[1] = (uint8_t)(arn->flow_zero >> 8);
    b[2] = (uint8_t)arn->flow_zero;
    return true;
}

ROCECC_FN bool rocecc_arn_put_word_(rocecc_writer *writer, bool present, uint32_t word)
{
    uint8_t *b;
    if (!present) return true;
    b = rocecc_put(writer, 4);
    if (b == NULL) return false;
    rocecc_store32(b, word);
    return true;
}

/*
 * Writes a message. Ignores the values of absent parameters (except tuple_bytes), and
 * does not write flow_zero if the 5-tuple is packed. Returns RANGE if parse() with this
 * configuration would reject the message or read it differently. Also returns RANGE if
 * tuple_bytes is not 0 although the 5-tuple is absent, if flow_zero is wider than 24
 * bits (even if it is not written), or if `rest` is longer than
 * ROCECC_ARN_REST_MAX_BYTES. Returns SPACE if rocecc_arn_bytes() bytes do not fit.
 */
ROCECC_FN rocecc_status rocecc_arn_emit(rocecc_writer *writer,
                                        const rocecc_arn_config *config,
                                        const rocecc_arn *arn)
{
    const uint8_t present = rocecc_arn_present(arn);
    rocecc_writer out = *writer;
    uint8_t *b;
    if (!rocecc_arn_fits_(config, arn)) return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < rocecc_arn_bytes(arn)) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, ROCECC_ARN_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_arn_store(b, arn);
    if (arn->tuple_bytes != 0 && !rocecc_arn_put_flow_(&out, arn))
        return ROCECC_ERR_SPACE;
    if (!rocecc_arn_put_word_(&out, (present & ROCECC_ARN_PATH_ID) != 0,
                              arn->path_id) ||
        !rocecc_arn_put_word_(&out, (present & ROCECC_ARN_PRIORITY) != 0,
                              arn->priority) ||
        !rocecc_arn_put_word_(&out, (present & ROCECC_ARN_TIME) != 0, arn->time) ||
        !rocecc_append(&out, arn->rest, ROCECC_ARN_REST_MAX_BYTES))
        return ROCECC_ERR_SPACE;
    *writer = out;
    return ROCECC_OK;
}

/*
 * Converts a compression time to ns: time * time_unit_ps / 1000, rounded up. The result
 * is at most 2^64 / 1000 ns. guard/pause.h limits each pause to
 * rocecc_pause_params.max_ns. If the unit is below 1 ns, converting the result back
 * with rocecc_arn_time() can give a time that is up to 1 ns longer than the original.
 */
ROCECC_FN uint64_t rocecc_arn_time_ns(const rocecc_arn_config *config, uint32_t time)
{
    const uint32_t unit_ps =
        config->time_unit_ps != 0 ? config->time_unit_ps : ROCECC_ARN_TIME_UNIT_PS;
    return ROCECC_DIV64((uint64_t)time * unit_ps + 999, 1000);
}

/*
 * Converts a time in ns to a compression time: ns * 1000 / time_unit_ps. Rounds the
 * result down, so that a node never passes on more than its own remaining time. A
 * result above UINT32_MAX becomes UINT32_MAX. Returns 0 if ns is less than one unit.
 * The caller must not send this 0 as a pause, because 0 means resume
 * (rocecc_flow_control_arn_emit() rejects it).
 */
ROCECC_FN uint32_t rocecc_arn_time(const rocecc_arn_config *config, uint64_t ns)
{
    const uint32_t unit_ps =
        config->time_unit_ps != 0 ? config->time_unit_ps : ROCECC_ARN_TIME_UNIT_PS;
    uint64_t time;
    if (ns > UINT64_MAX / 1000) return UINT32_MAX;
    time = ROCECC_DIV64(ns * 1000, unit_ps);
    return time < UINT32_MAX ? (uint32_t)time : UINT32_MAX;
}

#endif /* ROCECC_WIRE_ARN_H */
