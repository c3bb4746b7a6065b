/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_ECHO_H
#define ROCECC_WIRE_ECHO_H

/*
 * echo.h - the echo, in which an ACK returns the telemetry from a data packet to the
 * packet's sender. draft-miao-ccwg-hpcc-info-03 requires an echo, but does not define
 * its format. THIS LAYOUT IS ROCECC'S OWN. The echo follows the AETH of an RC or XRC
 * ACKNOWLEDGE, which may be a NAK. The ICRC follows the echo and covers it.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |Version|Format |T|R|           Resv            |    Length     |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |     Resv      |          PSN, a word that R adds              |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |               the record, Length words, as received           |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     1300 0001 99002b85     a CSIG tag: bucket 23, locator 5
 *     1080 001c              an IOAM option of 28 words was left out
 *     1340 0001 00000830 99002b85   the tag from the READ response with PSN 2096
 *
 *   Version  1             Resv  sent as 0, ignored on receipt
 *   Length   number of 4-byte words in the record, at least 1; PadCnt is 0
 *   T  truncated. The whole record is left out if the echo would be longer than
 *      rocecc_roce_config.echo_bytes, because a record without some of the hops could
 *      hide the worst hop. Length still counts the words of the omitted record.
 *   R  the record is from a READ response, and PSN is this response's PSN. RDMA does
 *      not acknowledge READ responses, so the ACK with the echo repeats the PSN and MSN
 *      of the last ACK that its sender sent on this QP. If this sender has not sent any
 *      ACK yet, the PSN in the BTH is the expected PSN - 1, and the MSN is 0.
 *      Transports treat the ACK with the echo as a repeated ACK.
 *
 *   Format   0  IOAM: the option from its type to its last byte, including free space
 *            1  IFA: from the IFA header through the stack, including the UDP header
 *            2  INT-MD: the shim's body (metadata header and stack)
 *            3  CSIG: the tag, from its TPID on
 *
 * Each record is one contiguous run of bytes, so a NIC can copy it in one pass. The
 * sender of the data packet reads the record with its own configuration. Both ends must
 * be configured for echoes, because a host without this configuration might drop an
 * ACKNOWLEDGE with a payload (IBTA volume 1, Table 38).
 */
#include "csig.h"
#include "ifa.h"
#include "intmd.h"
#include "ioam.h"

#define ROCECC_ECHO_VERSION 1

typedef enum rocecc_echo_format_ {
    ROCECC_ECHO_IOAM = 0,
    ROCECC_ECHO_IFA,
    ROCECC_ECHO_INTMD,
    ROCECC_ECHO_CSIG
} ROCECC_IN_8_BITS_(rocecc_echo_format);

typedef struct rocecc_echo {
    uint8_t version;    /* version of the echo format; 4 bits */
    uint8_t format;     /* format of the record; 4 bits; a rocecc_echo_format */
    bool truncated;     /* record left out because of its length; T */
    bool read_response; /* record from a READ response; R; the response's PSN follows */
    uint16_t resv;      /* reserved bits; 14 bits; sent as 0, ignored on receipt */
    uint8_t length;     /* length of the record; in words of 4 bytes; with T, length of
                           the omitted record */
    uint8_t psn_resv;   /* reserved bits before the PSN; 0 without R */
    uint32_t psn;       /* PSN of the READ response; 24 bits; 0 without R */
    rocecc_reader record; /* telemetry from the data packet, as received; with T:
                             empty */
} rocecc_echo;

/*
 * Parses an echo, but does not check its record. rocecc_echo_ioam(), rocecc_echo_ifa(),
 * rocecc_echo_intmd() and rocecc_echo_csig() read and check the record. Bytes after the
 * echo remain in *reader. Returns SHORT if the echo extends beyond `reader`,
 * UNSUPPORTED for an unknown version or format, and FORMAT if Length is 0.
 */
ROCECC_FN rocecc_status rocecc_echo_parse(rocecc_reader *reader, rocecc_echo *out)
{
    rocecc_reader rest = *reader;
    const uint8_t *b = rocecc_take(&rest, ROCECC_ECHO_BYTES);
    rocecc_echo echo;
    if (b == NULL) return ROCECC_ERR_SHORT;
    echo.version = b[0] >> 4;
    echo.format = b[0] & 0xf;
    echo.truncated = (b[1] & 0x80) != 0;
    echo.read_response = (b[1] & 0x40) != 0;
    echo.resv = rocecc_load16(b + 1) & 0x3fff;
    echo.length = b[3];
    echo.psn_resv = 0;
    echo.psn = 0;
    echo.record = rocecc_subrange(rest, rest.at, rest.at);
    if (echo.version != ROCECC_ECHO_VERSION || echo.format > ROCECC_ECHO_CSIG)
        return ROCECC_ERR_UNSUPPORTED;
    if (echo.length == 0) return ROCECC_ERR_FORMAT;
    if (echo.read_response) {
        b = rocecc_take(&rest, 4);
        if (b == NULL) return ROCECC_ERR_SHORT;
        echo.psn_resv = b[0];
        echo.psn = rocecc_load32(b) & 0xffffff;
        echo.record.at = echo.record.end = rest.at;
    }
    if (!echo.truncated && !rocecc_split(&rest, (size_t)echo.length * 4, &echo.record))
        return ROCECC_ERR_SHORT;
    *out = echo;
    *reader = rest;
    return ROCECC_OK;
}

/* Returns the length of an echo, 4 to 1028 bytes. */
ROCECC_FN size_t rocecc_echo_bytes(const rocecc_echo *echo)
{
    const size_t before = ROCECC_ECHO_BYTES + (echo->read_response ? 4 : 0);
    return echo->truncated ? before : before + (size_t)echo->length * 4;
}

/*
 * Writes an echo, but does not enforce the limit rocecc_roce_config.echo_bytes. Returns
 * RANGE if the version or format is unknown, if Length is 0, or if Resv or PSN is too
 * wide. Also returns RANGE if the PSN word is not 0 although R is clear, or if the
 * record's length does not match Length and T. Returns SPACE if the echo does not fit.
 */
ROCECC_FN rocecc_status rocecc_echo_emit(rocecc_writer *writer, const rocecc_echo *echo)
{
    rocecc_writer out = *writer;
    uint8_t *b;
    if (echo->version != ROCECC_ECHO_VERSION || echo->format > ROCECC_ECHO_CSIG ||
        echo->resv >> 14 != 0 || echo->length == 0 ||
        (echo->psn | echo->psn_resv) >> (echo->read_response ? 24 : 0) != 0 ||
        rocecc_left(&echo->record) != (echo->truncated ? 0 : (size_t)echo->length * 4))
        return ROCECC_ERR_RANGE;
    b = rocecc_put(&out, ROCECC_ECHO_BYTES + (echo->read_response ? 4 : 0));
    if (b == NULL ||
        !rocecc_append(&out, echo->record, ROCECC_ECHO_MAX_BYTES - ROCECC_ECHO_BYTES))
        return ROCECC_ERR_SPACE;
    b[0] = (uint8_t)(echo->version << 4 | echo->format);
    rocecc_store16(b + 1,
                   (uint16_t)((echo->truncated ? 0x8000u : 0u) |
                              (echo->read_response ? 0x4000u : 0u) | echo->resv));
    b[3] = echo->length;
    if (echo->read_response)
        rocecc_store32(b + 4, (uint32_t)echo->psn_resv << 24 | echo->psn);
    *writer = out;
    return ROCECC_OK;
}

ROCECC_FN bool rocecc_echo_has_record_(const rocecc_echo *echo,
                                       rocecc_echo_format format)
{
    return echo->format == format && !echo->truncated;
}

/*
 * Reads the IOAM trace in a parsed echo. Returns NO_MATCH if the echo contains no IOAM
 * record, or if the trace is not in config's namespace. Returns FORMAT if the record is
 * not exactly one Hop-by-Hop option with a trace. Otherwise returns the status of
 * rocecc_ioam_view_parse().
 */
ROCECC_FN rocecc_status rocecc_echo_ioam(const rocecc_ioam_config *config,
                                         const rocecc_echo *echo, rocecc_ioam_view *out)
{
    rocecc_reader rest = echo->record;
    rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, rest};
    rocecc_ioam_option o = {0, 0, rest};
    rocecc_reader data;
    const uint8_t *b;
    if (!rocecc_echo_has_record_(echo, ROCECC_ECHO_IOAM)) return ROCECC_NO_MATCH;
    if (rocecc_ip6opt_next(&rest, &opt) != ROCECC_OK || rocecc_left(&rest) != 0 ||
        opt.type != ROCECC_IOAM_OPTION_HBH ||
        rocecc_ioam_option_parse(opt.body, &o) != ROCECC_OK ||
        o.opt_type > ROCECC_IOAM_INCREMENTAL)
        return ROCECC_ERR_FORMAT;
    data = o.data;
    b = rocecc_take(&data, 2);
    if (b == NULL) return ROCECC_ERR_FORMAT;
    if (rocecc_load16(b) != config->namespace_id) return ROCECC_NO_MATCH;
    return rocecc_ioam_view_parse(config, &o, out);
}

/*
 * Reads the IFA stack in a parsed echo. Returns NO_MATCH if the echo contains no IFA
 * record, and FORMAT if bytes follow the stack. Otherwise returns the status of
 * rocecc_ifa_parse(), but with FORMAT instead of SHORT. For UDP Length, checks only
 * that it is at least 8, because the record has no payload.
 */
ROCECC_FN rocecc_status rocecc_echo_ifa(const rocecc_ifa_config *config,
                                        const rocecc_echo *echo, rocecc_ifa *out)
{
    const rocecc_reader r = echo->record;
    rocecc_ifa ifa = {{0, 0, 0, 0, 0}, r, {0, 0, 0, 0}, {0, 0}, {0, 0, false}, r, r,
                      *config};
    rocecc_status status;
    if (!rocecc_echo_has_record_(echo, ROCECC_ECHO_IFA)) return ROCECC_NO_MATCH;
    status = rocecc_status_declared(rocecc_ifa_parse(config, r, SIZE_MAX, &ifa));
    if (status == ROCECC_OK && rocecc_left(&ifa.payload) != 0)
        status = ROCECC_ERR_FORMAT;
    if (status == ROCECC_OK) *out = ifa;
    ROCECC_ASSUME_WRITTEN_(out);
    return status;
}

/*
 * Reads the INT-MD stack in a parsed echo. Returns NO_MATCH if the echo contains no
 * INT-MD record, and otherwise the status of rocecc_intmd_parse().
 */
ROCECC_FN rocecc_status rocecc_echo_intmd(const rocecc_intmd_config *config,
                                          const rocecc_echo *echo, rocecc_intmd *out)
{
    if (!rocecc_echo_has_record_(echo, ROCECC_ECHO_INTMD)) return ROCECC_NO_MATCH;
    return rocecc_intmd_parse(config, echo->record, out);
}

/*
 * Reads the CSIG tag in a parsed echo. Returns NO_MATCH if the echo contains no CSIG
 * record, or if the record does not start with a TPID in config. Returns FORMAT if the
 * record is longer or shorter than the tag.
 */
ROCECC_FN rocecc_status rocecc_echo_csig(const rocecc_csig_config *config,
                                         const rocecc_echo *echo, rocecc_csig *out)
{
    rocecc_reader r = echo->record;
    const uint8_t *b = rocecc_take(&r, 2);
    size_t bytes;
    if (b == NULL || !rocecc_echo_has_record_(echo, ROCECC_ECHO_CSIG))
        return ROCECC_NO_MATCH;
    bytes = rocecc_csig_bytes(config, rocecc_load16(b));
    if (bytes == 0) return ROCECC_NO_MATCH;
    if (rocecc_left(&echo->record) != bytes) return ROCECC_ERR_FORMAT;
    r = echo->record;
    return rocecc_csig_parse(config, &r, out);
}

#endif /* ROCECC_WIRE_ECHO_H */
