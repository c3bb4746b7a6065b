/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_IP6OPT_H
#define ROCECC_WIRE_IP6OPT_H

/*
 * ip6opt.h - the IPv6 Hop-by-Hop and Destination Options headers and their options. RFC
 * 8200, 4.2 (options), 4.3 and 4.6 (headers).
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  Next Header  |  Hdr Ext Len  |            Options            |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+   8 * Hdr Ext Len + 6 bytes   +
 *   |                                                               |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *   An option      +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+- - - - - - - - -
 *                  |act|c|  rest   | Opt Data Len  |  Option Data
 *                  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+- - - - - - - - -
 *   A Pad1         +-+-+-+-+-+-+-+-+
 *                  |       0       |   one byte: no length, no data
 *                  +-+-+-+-+-+-+-+-+
 *
 *     3b01 1e0c a1a2a3a4 b1b2b3b4b5b6b7b8     nothing follows; 14 bytes of options: one
 *                                             option 0x1e with 12 bytes of data
 */
#include "../bytes.h"

#define ROCECC_IP6OPT_PAD1 0x00u
#define ROCECC_IP6OPT_PADN 0x01u
#define ROCECC_IP6OPT_PADN_4_ 0x01020000u /* a PadN with 2 bytes of data */

/*
 * act, the two high bits of an option type. They specify the action of a node that does
 * not know the type.
 */
#define ROCECC_IP6OPT_ACT 0xc0u
#define ROCECC_IP6OPT_ACT_SKIP 0x00u         /* go on with the next option */
#define ROCECC_IP6OPT_ACT_DISCARD 0x40u      /* drop the packet */
#define ROCECC_IP6OPT_ACT_ICMP 0x80u         /* drop, send Parameter Problem code 2 */
#define ROCECC_IP6OPT_ACT_ICMP_UNICAST 0xc0u /* drop, send code 2 if not multicast */

/*
 * chg, the third bit of an option type. If this bit is set, nodes on the path may
 * change the option data.
 */
#define ROCECC_IP6OPT_CHG 0x20u

/*
 * Limits of a search for an option. They apply to the number of options, not counting
 * padding, and to the number of consecutive padding bytes. Without the second limit, a
 * sender could hide an option behind padding. Alignment as in RFC 8200 never needs more
 * than 7 consecutive padding bytes, and Linux drops packets with more than 7. Under
 * BPF, fewer options are allowed. The verifier of Linux 6.18 accepts the gate in
 * role/reaction_point.h with a limit of 4 options. If the gate is compiled with clang
 * 19, the verifier of Linux 6.1 accepts the gate only with a limit of at most 3
 * options.
 */
#ifndef ROCECC_IP6OPT_MAX
#if defined(__bpf__)
#define ROCECC_IP6OPT_MAX 4
#else
#define ROCECC_IP6OPT_MAX 8
#endif
#endif
#define ROCECC_IP6OPT_PAD_MAX 7

/*
 * An options header. After parsing, 2 plus the length of `options` is a multiple of 8.
 */
typedef struct rocecc_ip6opts {
    uint8_t next_header;
    rocecc_reader options; /* list of options and padding */
} rocecc_ip6opts;

/* One option, or one piece of padding. */
typedef struct rocecc_ip6opt {
    uint8_t type;       /* option type; all 8 bits, act and chg included */
    rocecc_reader body; /* data of the option; at most 255 bytes; empty for Pad1 */
} rocecc_ip6opt;

#define ROCECC_IP6OPTS_MAX_BYTES 2046 /* of options, for Hdr Ext Len 255 */

/* Parses an options header. Returns SHORT if the header extends beyond `reader`. */
ROCECC_FN rocecc_status rocecc_ip6opts_parse(rocecc_reader *reader, rocecc_ip6opts *out)
{
    rocecc_reader rest = *reader;
    const uint8_t *b = rocecc_take(&rest, 2);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (!rocecc_split(&rest, (size_t)b[1] * 8 + 6, &out->options))
        return ROCECC_ERR_SHORT;
    out->next_header = b[0];
    *reader = rest;
    return ROCECC_OK;
}

/*
 * Steps to the next option or piece of padding. Returns END at the end of the list, and
 * FORMAT if the option or padding overruns the list.
 */
ROCECC_FN rocecc_status rocecc_ip6opt_next(rocecc_reader *options, rocecc_ip6opt *out)
{
    rocecc_reader rest = *options;
    const uint8_t *type = rocecc_take(&rest, 1);
    size_t len = 0;
    if (type == NULL) return ROCECC_END;
    if (*type != ROCECC_IP6OPT_PAD1) {
        const uint8_t *b = rocecc_take(&rest, 1);
        if (b == NULL) return ROCECC_ERR_FORMAT;
        len = *b;
    }
    if (!rocecc_split(&rest, len, &out->body)) return ROCECC_ERR_FORMAT;
    out->type = *type;
    *options = rest;
    return ROCECC_OK;
}

/* Returns true if the first ROCECC_IP6OPT_PAD_MAX bytes of PadN data are zero. */
ROCECC_FN bool rocecc_ip6opt_is_zero_(rocecc_reader body)
{
    int i;
    for (i = 0; i < ROCECC_IP6OPT_PAD_MAX; i++) {
        const uint8_t *b = rocecc_take(&body, 1);
        if (b == NULL) break;
        if (*b != 0) return false;
    }
    return true;
}

/*
 * Steps over padding to the next option and increments *count. The caller must set
 * *count to 0 at the start of a list. Returns END after the last option. Returns FORMAT
 * if an option or padding overruns the list, or if PadN data is not zero. Returns
 * UNSUPPORTED for more than ROCECC_IP6OPT_MAX options, or for more than
 * ROCECC_IP6OPT_PAD_MAX consecutive bytes of padding. If a PadN makes the padding
 * exceed this limit, the data of this PadN is not checked. On failure, *options begins
 * with the option or padding that caused the failure.
 */
ROCECC_INLINE rocecc_status rocecc_ip6opt_step(rocecc_reader *options, int *count,
                                               rocecc_ip6opt *out)
{
    const size_t start = options->at;
    int i;
    for (i = 0; i <= ROCECC_IP6OPT_PAD_MAX; i++) {
        rocecc_reader rest = *options;
        rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, rest};
        const rocecc_status status = rocecc_ip6opt_next(&rest, &opt);
        if (status != ROCECC_OK) return status;
        if (opt.type > ROCECC_IP6OPT_PADN) {
            if (*count >= ROCECC_IP6OPT_MAX) return ROCECC_ERR_UNSUPPORTED;
            ++*count;
            *out = opt;
            *options = rest;
            return ROCECC_OK;
        }
        if (rest.at - start > ROCECC_IP6OPT_PAD_MAX) break;
        if (!rocecc_ip6opt_is_zero_(opt.body)) return ROCECC_ERR_FORMAT;
        *options = rest;
    }
    return ROCECC_ERR_UNSUPPORTED;
}

/*
 * Finds the first option of type `type`. Never finds padding (Pad1 or PadN), and does
 * not check the options after the first match. Returns NO_MATCH if the list has no such
 * option, and FORMAT or UNSUPPORTED as rocecc_ip6opt_step() does. If the status is
 * FORMAT or UNSUPPORTED, a border filter must drop the packet.
 */
ROCECC_FN rocecc_status rocecc_ip6opt_find(rocecc_reader options, uint8_t type,
                                           rocecc_ip6opt *out)
{
    rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, options};
    rocecc_status status;
    int n = 0;
    do
        status = rocecc_ip6opt_step(&options, &n, &opt);
    while (status == ROCECC_OK && opt.type != type);
    if (status == ROCECC_OK) *out = opt;
    return status == ROCECC_END ? ROCECC_NO_MATCH : status;
}

/*
 * Writes one option or one piece of padding. Returns RANGE for more than 255 bytes of
 * data, or for any data in a Pad1, and SPACE if `writer` is too small.
 */
ROCECC_FN rocecc_status rocecc_ip6opt_emit(rocecc_writer *writer,
                                           const rocecc_ip6opt *option)
{
    const bool pad1 = option->type == ROCECC_IP6OPT_PAD1;
    const size_t len = rocecc_left(&option->body);
    rocecc_writer out = *writer;
    uint8_t *b;
    if (len > (pad1 ? 0u : 255u)) return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < (pad1 ? 1 : 2 + len)) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, 1);
    if (b == NULL) return ROCECC_ERR_SPACE;
    *b = option->type;
    if (!pad1) {
        b = rocecc_put(&out, 1);
        if (b == NULL) return ROCECC_ERR_SPACE;
        *b = (uint8_t)len;
        if (!rocecc_append(&out, option->body, 255)) return ROCECC_ERR_SPACE;
    }
    *writer = out;
    return ROCECC_OK;
}

/*
 * Returns the number of padding bytes needed before an option with the alignment
 * `multiple` * n + `remainder` (RFC 8200, 4.2). Without padding, the option would begin
 * `offset` bytes after the start of the header. The result is (remainder - offset) mod
 * multiple. `multiple` must be 1, 2, 4 or 8, and `remainder` must be below `multiple`.
 */
ROCECC_FN size_t rocecc_ip6opt_pad_bytes(size_t offset, size_t multiple,
                                         size_t remainder)
{
    return (remainder - offset) & (multiple - 1);
}

/*
 * Writes n_bytes bytes of padding: nothing for 0 bytes, a Pad1 for 1 byte, and
 * otherwise a PadN. Returns RANGE for more than ROCECC_IP6OPT_PAD_MAX bytes, and SPACE
 * if `writer` is too small.
 */
ROCECC_FN rocecc_status rocecc_ip6opt_pad_emit(rocecc_writer *writer, size_t n_bytes)
{
    const uint8_t zeros[ROCECC_IP6OPT_PAD_MAX] = {0};
    rocecc_ip6opt pad;
    if (n_bytes == 0) return ROCECC_OK;
    if (n_bytes > ROCECC_IP6OPT_PAD_MAX) return ROCECC_ERR_RANGE;
    pad.type = (uint8_t)(n_bytes == 1 ? ROCECC_IP6OPT_PAD1 : ROCECC_IP6OPT_PADN);
    pad.body = rocecc_reader_of(zeros, zeros + (n_bytes == 1 ? 0 : n_bytes - 2));
    return rocecc_ip6opt_emit(writer, &pad);
}

/*
 * Writes an options header with its options, and pads it to a multiple of 8 bytes. If
 * the options already end with padding, the total padding can exceed
 * ROCECC_IP6OPT_PAD_MAX, and rocecc_ip6opt_step() then rejects the padding. Returns
 * RANGE for more than ROCECC_IP6OPTS_MAX_BYTES of options, and SPACE if `writer` is too
 * small.
 */
ROCECC_FN rocecc_status rocecc_ip6opts_emit(rocecc_writer *writer,
                                            const rocecc_ip6opts *header)
{
    const size_t used = 2 + rocecc_left(&header->options);
    const size_t pad = rocecc_ip6opt_pad_bytes(used, 8, 0);
    rocecc_writer out = *writer;
    uint8_t *b;
    if (used > 2 + ROCECC_IP6OPTS_MAX_BYTES) return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < used + pad) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, 2);
    if (b == NULL) return ROCECC_ERR_SPACE;
    b[0] = header->next_header;
    b[1] = (uint8_t)((used + pad) / 8 - 1);
    if (!rocecc_append(&out, header->options, ROCECC_IP6OPTS_MAX_BYTES))
        return ROCECC_ERR_SPACE;
    if (rocecc_ip6opt_pad_emit(&out, pad) != ROCECC_OK) return ROCECC_ERR_SPACE;
    *writer = out;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_IP6OPT_H */
