/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_ECHO_H
#define ROCECC_PACKET_ECHO_H

/*
 * echo.h - makes an echo from the telemetry in a data packet, and finds the echo in an
 * ACK. wire/echo.h shows the format, and role/echo.h implements the receiver and the
 * sender. draft-miao-ccwg-hpcc-info-03, 2.
 *
 *     rocecc_echo_extract(&data, &h)   the received IOAM option: 5 nodes in 28 words
 *     rocecc_echo_bytes(&h)            the ACK grows by 116 bytes
 *     rocecc_echo_emit(&w, &h)         after its AETH, before its ICRC
 *     rocecc_echo_find(&ack, &h)       at the sender
 *
 * Echoes are off if the domain's roce.echo_bytes is 0.
 */
#include "../wire/echo.h"
#include "../wire/ext.h"
#include "csig.h"
#include "ifa.h"
#include "intmd.h"
#include "ioam.h"

/* Sets *out to the IOAM option, starting at its option type. */
ROCECC_FN rocecc_status rocecc_echo_extract_ioam_(const rocecc_packet *packet,
                                                  rocecc_reader *out)
{
    rocecc_ioam_option o = {0, 0, packet->bytes};
    const rocecc_status status = rocecc_ioam_find(packet, &o);
    if (status == ROCECC_OK)
        *out = rocecc_subrange(packet->bytes, o.data.at - 4, o.data.end);
    return status;
}

/*
 * Sets *out to the bytes from the IFA header through the stack. Returns UNSUPPORTED for
 * a tail stamp, because the payload lies between its stack and the IFA header.
 */
ROCECC_FN rocecc_status rocecc_echo_extract_ifa_(const rocecc_packet *packet,
                                                 rocecc_reader *out)
{
    rocecc_ifa v;
    const rocecc_status status = rocecc_ifa_find(packet, &v);
    if (status != ROCECC_OK) return status;
    if (rocecc_ifa_is_tail_(&v.header)) return ROCECC_ERR_UNSUPPORTED;
    *out = rocecc_subrange(packet->bytes, packet->headers.ifa, v.nodes.end);
    return ROCECC_OK;
}

/*
 * Sets *out to the body of the INT shim. Returns NO_MATCH if the Type is not INT-MD,
 * because shims of other Types contain no nodes.
 */
ROCECC_FN rocecc_status rocecc_echo_extract_intmd_(const rocecc_packet *packet,
                                                   rocecc_reader *out)
{
    rocecc_intmd_shim shim;
    const rocecc_status status = rocecc_intmd_find(packet, &shim);
    if (status != ROCECC_OK) return status;
    if (shim.type != ROCECC_INTMD_TYPE_MD) return ROCECC_NO_MATCH;
    *out = shim.body;
    return ROCECC_OK;
}

/* Sets *out to the CSIG tag, starting at its TPID. */
ROCECC_FN rocecc_status rocecc_echo_extract_csig_(const rocecc_packet *packet,
                                                  rocecc_reader *out)
{
    const size_t at = packet->headers.csig;
    if (at == 0) return ROCECC_NO_MATCH;
    *out = rocecc_subrange(packet->bytes, at, at + packet->headers.csig_bytes);
    return rocecc_left(out) == packet->headers.csig_bytes ? ROCECC_OK
                                                          : ROCECC_ERR_SHORT;
}

/*
 * Looks for a record in the order IOAM, IFA, INT-MD and CSIG, and returns the first
 * status other than NO_MATCH. An unreadable record therefore hides the records that
 * come later in this order.
 */
ROCECC_FN rocecc_status rocecc_echo_extract_record_(const rocecc_packet *packet,
                                                    uint8_t *format, rocecc_reader *out)
{
    rocecc_status status = rocecc_echo_extract_ioam_(packet, out);
    *format = ROCECC_ECHO_IOAM;
    if (status != ROCECC_NO_MATCH) return status;
    status = rocecc_echo_extract_ifa_(packet, out);
    *format = ROCECC_ECHO_IFA;
    if (status != ROCECC_NO_MATCH) return status;
    status = rocecc_echo_extract_intmd_(packet, out);
    *format = ROCECC_ECHO_INTMD;
    if (status != ROCECC_NO_MATCH) return status;
    *format = ROCECC_ECHO_CSIG;
    return rocecc_echo_extract_csig_(packet, out);
}

/*
 * Returns true if the opcode is an RC or XRC READ response. RDMA does not acknowledge
 * READ responses.
 */
ROCECC_FN bool rocecc_echo_is_read_response_(uint8_t opcode)
{
    const uint8_t op = opcode & 0x1f;
    return (opcode >> 5 == ROCECC_SERVICE_RC || opcode >> 5 == ROCECC_SERVICE_XRC) &&
           op >= ROCECC_RC_RDMA_READ_RESPONSE_FIRST &&
           op <= ROCECC_RC_RDMA_READ_RESPONSE_ONLY;
}

/*
 * Makes an echo of the first telemetry record in a packet. The search order is IOAM in
 * the domain's namespace, IFA, INT-MD and finally CSIG. out->record points into the
 * packet. The echo is 4 bytes longer than the record, or 8 bytes longer if it carries
 * the PSN of an RC or XRC READ response. If the echo would exceed roce.echo_bytes,
 * out->truncated is set and the record is omitted, but out->length still gives the
 * record's length in words. Returns NO_MATCH if echoes are off, if the packet does not
 * have a record, is partial, or is not RoCEv2, or if the walk did not find the BTH.
 * Returns SHORT, FORMAT or UNSUPPORTED if rocecc_ioam_find(), rocecc_ifa_find() or
 * rocecc_intmd_find() does. Returns UNSUPPORTED for an IFA tail stamp, FORMAT if the
 * record's length is 0 or not a multiple of 4 bytes, and SHORT if the CSIG tag or the
 * BTH has been cut off since the walk. On failure *out is unchanged.
 */
ROCECC_FN rocecc_status rocecc_echo_extract(const rocecc_packet *packet,
                                            rocecc_echo *out)
{
    const size_t most = packet->domain->roce.echo_bytes;
    rocecc_reader bth =
        rocecc_subrange(packet->bytes, packet->headers.bth, packet->headers.end);
    const uint8_t *b = rocecc_take(&bth, ROCECC_BTH_BYTES);
    rocecc_echo echo = ROCECC_ZERO;
    rocecc_status status = ROCECC_NO_MATCH;
    uint8_t opcode = 0;
    uint32_t psn = 0;
    size_t bytes;
    if (b != NULL) {
        opcode = b[0];
        psn = rocecc_load32(b + 8) & 0xffffff;
    }
    echo.version = ROCECC_ECHO_VERSION;
    echo.record = packet->bytes;
    if (most != 0 && packet->headers.kind == ROCECC_PACKET_KIND_ROCEV2 &&
        packet->headers.bth != 0)
        status = rocecc_echo_extract_record_(packet, &echo.format, &echo.record);
    ROCECC_BPF_PART_(echo.record.at);
    ROCECC_BPF_PART_(echo.record.end);
    bytes = rocecc_left(&echo.record);
    if (status == ROCECC_OK && (bytes == 0 || bytes % 4 != 0))
        status = ROCECC_ERR_FORMAT;
    if (status == ROCECC_OK && b == NULL) status = ROCECC_ERR_SHORT;
    echo.length = (uint8_t)(bytes / 4);
    if (status == ROCECC_OK && rocecc_echo_is_read_response_(opcode)) {
        echo.read_response = true;
        echo.psn = psn;
    }
    echo.truncated = ROCECC_ECHO_BYTES + (echo.read_response ? 4u : 0u) + bytes > most;
    if (echo.truncated) echo.record.end = echo.record.at;
    if (status == ROCECC_OK) *out = echo;
    ROCECC_ASSUME_WRITTEN_(out);
    return status;
}

/*
 * Finds the echo in an RC or XRC ACKNOWLEDGE, which may be an ACK or a NAK. Returns
 * NO_MATCH if echoes are off, if the packet is partial or not RoCEv2, if the BTH is
 * missing or cut off, if the opcode is not RC or XRC ACKNOWLEDGE, or if the ICRC
 * directly follows the AETH. Otherwise returns FORMAT if the AETH and the ICRC do not
 * fit into the packet, UNSUPPORTED if more than roce.echo_bytes bytes lie between them,
 * FORMAT if PadCnt is not 0, and SHORT if packet->bytes ends before the ICRC. If none
 * of these applies, returns UNSUPPORTED for an unknown version or format, and FORMAT if
 * the bytes between the AETH and the ICRC are not exactly one echo. On failure *out is
 * unchanged.
 */
ROCECC_FN rocecc_status rocecc_echo_find(const rocecc_packet *packet, rocecc_echo *out)
{
    const rocecc_headers *f = &packet->headers;
    const size_t most = packet->domain->roce.echo_bytes;
    const size_t from = (size_t)f->bth + ROCECC_BTH_BYTES + 4; /* after the AETH */
    const size_t end = (size_t)f->end - ROCECC_ICRC_BYTES;
    rocecc_reader r = rocecc_subrange(packet->bytes, f->bth, f->end);
    const uint8_t *b = rocecc_take(&r, ROCECC_BTH_BYTES);
    rocecc_echo echo = ROCECC_ZERO;
    rocecc_status status;
    echo.record = r;
    if (most == 0 || f->kind != ROCECC_PACKET_KIND_ROCEV2 || f->bth == 0 || b == NULL ||
        !rocecc_opcode_is_ack(b[0]))
        return ROCECC_NO_MATCH;
    if (f->end < from + ROCECC_ICRC_BYTES) return ROCECC_ERR_FORMAT;
    if (end == from) return ROCECC_NO_MATCH;
    if (end - from > most) return ROCECC_ERR_UNSUPPORTED;
    if ((b[1] & 0x30) != 0) return ROCECC_ERR_FORMAT;
    r = rocecc_subrange(packet->bytes, from, end);
    if (rocecc_left(&r) != end - from) return ROCECC_ERR_SHORT;
    status = rocecc_status_declared(rocecc_echo_parse(&r, &echo));
    if (status == ROCECC_OK && rocecc_left(&r) != 0) status = ROCECC_ERR_FORMAT;
    if (status == ROCECC_OK) *out = echo;
    ROCECC_ASSUME_WRITTEN_(out);
    return status;
}

#endif /* ROCECC_PACKET_ECHO_H */
