/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_ECHO_H
#define ROCECC_WIRE_ECHO_H

/*
 * echo.h - the way back of telemetry: what the nodes of a path wrote into a packet of
 * data, in the ACK for it. draft-miao-ccwg-hpcc-info-03 says that it goes back, and not
 * how: THIS LAYOUT IS ROCECC'S OWN. It follows the AETH of an ACKNOWLEDGE of RC or XRC,
 * NAKs included, and ends at the ICRC, which covers it as it does the AETH.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |Version|Format |T|            Resv             |    Length     |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |               the record, Length words, as it came            |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     1300 0001 99002b85     a CSIG tag: bucket 23, locator 5
 *     1080 001c              an IOAM option of 28 words came, and is not here
 *
 *   Version  1             Resv  sent as 0, ignored on receipt
 *   Length   words of 4 bytes that the record has, from 1 on; PadCnt is 0
 *   T  truncated: with its record the echo would be longer than the network has agreed
 *      on (rocecc_roce_config.echo_bytes). The record is left out whole, since a path
 *      without some of its hops hides the worst one; Length says what it would take.
 *   Format   0  IOAM: the option, from its type to its last byte, free space and all
 *            1  IFA: from the IFA header through the stack, the UDP header between
 *            2  INT-MD: what the shim counts: the metadata header and the stack
 *            3  CSIG: the tag, from its TPID on
 *
 * Each record is one run of bytes of the packet: a NIC copies it in one pass and knows
 * no units. The sender, who asked for it, reads it by its configuration. A receiver
 * that does not know the echo may drop the ACK, as Table 38 of IBTA volume 1 gives an
 * ACKNOWLEDGE no payload: both ends have to be configured for it.
 */
#include "csig.h"
#include "ifa.h"
#include "intmd.h"
#include "ioam.h"

#define ROCECC_ECHO_VERSION 1

typedef enum rocecc_echo_format {
    ROCECC_ECHO_IOAM = 0,
    ROCECC_ECHO_IFA,
    ROCECC_ECHO_INTMD,
    ROCECC_ECHO_CSIG
} rocecc_echo_format;

typedef struct rocecc_echo {
    uint8_t version; /* 4 bits */
    uint8_t format;  /* 4 bits: a rocecc_echo_format, or a later one */
    bool truncated;  /* T */
    uint16_t resv;   /* 15 bits */
    uint8_t length;  /* of the record, words */
    rocecc_reader record;
} rocecc_echo;

/*
 * Takes an echo with its record. SHORT: it goes beyond r. UNSUPPORTED: another version,
 * or a format that is not known here. FORMAT: Length is 0. Whether the record is one is
 * for rocecc_echo_ioam(), _ifa(), _intmd(), _csig() to say.
 */
ROCECC_FN rocecc_status rocecc_echo_parse(rocecc_reader *r, rocecc_echo *h)
{
    rocecc_reader rest = *r;
    const uint8_t *b = rocecc_take(&rest, ROCECC_ECHO_BYTES);
    rocecc_echo out;
    if (b == NULL) return ROCECC_ERR_SHORT;
    out.version = b[0] >> 4;
    out.format = b[0] & 0xf;
    out.truncated = b[1] >> 7 != 0;
    out.resv = rocecc_load16(b + 1) & 0x7fff;
    out.length = b[3];
    out.record = rocecc_between(rest, rest.at, rest.at);
    if (out.version != ROCECC_ECHO_VERSION || out.format > ROCECC_ECHO_CSIG)
        return ROCECC_ERR_UNSUPPORTED;
    if (out.length == 0) return ROCECC_ERR_FORMAT;
    if (!out.truncated && !rocecc_split(&rest, (size_t)out.length * 4, &out.record))
        return ROCECC_ERR_SHORT;
    *h = out;
    *r = rest;
    return ROCECC_OK;
}

/* Bytes of an echo, 4 to 1024. */
ROCECC_FN size_t rocecc_echo_bytes(const rocecc_echo *h)
{
    return h->truncated ? ROCECC_ECHO_BYTES : ROCECC_ECHO_BYTES + (size_t)h->length * 4;
}

/*
 * Writes an echo. RANGE: another version, a format that is not known here, Resv is too
 * wide, Length is 0, or the record has other bytes than Length and T say. SPACE: w is
 * too small.
 */
ROCECC_FN rocecc_status rocecc_echo_emit(rocecc_writer *w, const rocecc_echo *h)
{
    rocecc_writer out = *w;
    uint8_t *b;
    if (h->version != ROCECC_ECHO_VERSION || h->format > ROCECC_ECHO_CSIG ||
        h->resv >> 15 != 0 || h->length == 0 ||
        rocecc_left(&h->record) + ROCECC_ECHO_BYTES != rocecc_echo_bytes(h))
        return ROCECC_ERR_RANGE;
    b = rocecc_put(&out, ROCECC_ECHO_BYTES);
    if (b == NULL ||
        !rocecc_append(&out, h->record, ROCECC_ECHO_MAX_BYTES - ROCECC_ECHO_BYTES))
        return ROCECC_ERR_SPACE;
    b[0] = (uint8_t)(h->version << 4 | h->format);
    rocecc_store16(b + 1, (uint16_t)((h->truncated ? 0x8000u : 0u) | h->resv));
    b[3] = h->length;
    *w = out;
    return ROCECC_OK;
}

/* Whether there is a record of a format to be read. */
ROCECC_FN bool rocecc_echo_has_(const rocecc_echo *h, rocecc_echo_format format)
{
    return h->format == format && !h->truncated;
}

/*
 * The record of an echo that was parsed, for ioam.h's readers. NO_MATCH: it is of
 * another format, T is set, or the trace is of another namespace than c's. FORMAT: it
 * is not an option of Hop-by-Hop with a trace, or has more bytes than that. Otherwise
 * as rocecc_ioam_view_parse().
 */
ROCECC_FN rocecc_status rocecc_echo_ioam(const rocecc_ioam_config *c,
                                         const rocecc_echo *h, rocecc_ioam_view *v)
{
    rocecc_reader rest = h->record;
    rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, rest};
    rocecc_ioam_option o = {0, 0, rest};
    rocecc_reader data;
    const uint8_t *b;
    if (!rocecc_echo_has_(h, ROCECC_ECHO_IOAM)) return ROCECC_NO_MATCH;
    if (rocecc_ip6opt_next(&rest, &opt) != ROCECC_OK || rocecc_left(&rest) != 0 ||
        opt.type != ROCECC_IOAM_OPTION_HBH ||
        rocecc_ioam_option_parse(opt.body, &o) != ROCECC_OK ||
        o.opt_type > ROCECC_IOAM_INCREMENTAL)
        return ROCECC_ERR_FORMAT;
    data = o.data;
    b = rocecc_take(&data, 2);
    if (b == NULL) return ROCECC_ERR_FORMAT;
    if (rocecc_load16(b) != c->namespace_id) return ROCECC_NO_MATCH;
    return rocecc_ioam_view_parse(c, &o, v);
}

/*
 * The same of IFA. FORMAT: also bytes after the stack. Of the UDP header that is in it
 * only the length is looked at, and the packet's payload is not here. Otherwise as
 * rocecc_ifa_parse().
 */
ROCECC_FN rocecc_status rocecc_echo_ifa(const rocecc_ifa_config *c,
                                        const rocecc_echo *h, rocecc_ifa *v)
{
    const rocecc_reader r = h->record;
    rocecc_ifa out = {
        {0, 0, 0, 0, 0}, r, {0, 0, 0, 0}, {0, 0}, {0, 0, false}, r, r, *c};
    rocecc_status status;
    if (!rocecc_echo_has_(h, ROCECC_ECHO_IFA)) return ROCECC_NO_MATCH;
    status = rocecc_declared(rocecc_ifa_parse(c, r, SIZE_MAX, &out));
    if (status == ROCECC_OK && rocecc_left(&out.payload) != 0)
        status = ROCECC_ERR_FORMAT;
    if (status == ROCECC_OK) *v = out;
    ROCECC_PASSED_(v);
    return status;
}

/* The same of INT-MD. Otherwise as rocecc_intmd_parse(). */
ROCECC_FN rocecc_status rocecc_echo_intmd(const rocecc_intmd_config *c,
                                          const rocecc_echo *h, rocecc_intmd *v)
{
    if (!rocecc_echo_has_(h, ROCECC_ECHO_INTMD)) return ROCECC_NO_MATCH;
    return rocecc_intmd_parse(c, h->record, v);
}

/* The same of a CSIG tag. FORMAT: it is not as long as its TPID says. */
ROCECC_FN rocecc_status rocecc_echo_csig(const rocecc_csig_config *c,
                                         const rocecc_echo *h, rocecc_csig *v)
{
    rocecc_reader r = h->record;
    const uint8_t *b = rocecc_take(&r, 2);
    size_t bytes;
    if (b == NULL || !rocecc_echo_has_(h, ROCECC_ECHO_CSIG)) return ROCECC_NO_MATCH;
    bytes = rocecc_csig_bytes(c, rocecc_load16(b));
    if (bytes == 0) return ROCECC_NO_MATCH;
    if (rocecc_left(&h->record) != bytes) return ROCECC_ERR_FORMAT;
    r = h->record;
    return rocecc_csig_parse(c, &r, v);
}

#endif /* ROCECC_WIRE_ECHO_H */
