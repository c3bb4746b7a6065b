/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_ECHO_H
#define ROCECC_ROLE_ECHO_H

/*
 * echo.h - telemetry that RoCEv2 ACKs carry back to the sender. The receiver of a data
 * packet copies the packet's telemetry record into the ACK, and the sender reads the
 * hops from the ACK. The copy and its header are called the echo, and wire/echo.h shows
 * its format. draft-miao-ccwg-hpcc-info-03, 2.
 *
 *    sender                              receiver
 *      data, with room for hops  ------>   its telemetry: rocecc_echo_receiver_step()
 *      rocecc_echo_sender_step()  <------  the ACK, with an echo
 *
 *     writer.at is after the AETH      WRITTEN, and writer.at is 116 bytes further. The
 *                                      host must add them to the UDP and IP lengths.
 *                                      The ICRC must cover them.
 *     5 hops, one may be missing       HOPS, path.n is 5, and path.complete is not YES
 *
 * An echo is 4 bytes longer than its record, or 8 bytes longer for a READ response. Its
 * maximum length is the domain's roce.echo_bytes, and a value of 0 turns echoes off. If
 * an echo would exceed this maximum, its record is left out, and the echo's header has
 * the T bit set. The operator must choose roce.echo_bytes so that ACKs do not exceed
 * the MTU of the return path. An echo is written only if the data packet carried
 * telemetry. If an ACK acknowledges several packets, the host must write only the last
 * packet's echo.
 *
 * An echo is only as trustworthy as its ACK. The host must first check the ACK's ICRC.
 * Then rocecc_echo_sender_step() checks the QP, the PSN and the length. The sender has
 * to trust the receiver, because the receiver could change the hops.
 *
 * READ responses are not acknowledged. The requester returns their telemetry in an
 * extra ACK of the kind `window_only` (wire/lsn.h). This ACK repeats the PSN and MSN of
 * the requester's last ACK, and its echo contains the READ response's PSN. The host
 * decides how many READ responses it receives before it sends such an ACK. UC and UD
 * have no echoes, but their senders can receive Fast CNPs and can control their rates
 * with DCQCN.
 */
#include "../packet/echo.h"
#include "../telemetry/path.h"

/* Verdicts of rocecc_echo_receiver_step(). */
typedef enum rocecc_echo_receiver_verdict {
    ROCECC_ECHO_RECEIVER_NONE = 0,  /* no telemetry, no ACK that can carry it, or
                                       echoes are off */
    ROCECC_ECHO_RECEIVER_WRITTEN,   /* the echo and its record were written */
    ROCECC_ECHO_RECEIVER_TRUNCATED, /* the echo was written without its record, which is
                                       too long */
    ROCECC_ECHO_RECEIVER_BROKEN,    /* the telemetry cannot be read */
    ROCECC_ECHO_RECEIVER_NO_SPACE,  /* the writer is too small */
    ROCECC_ECHO_RECEIVER_VERDICTS   /* number of verdicts */
} rocecc_echo_receiver_verdict;

/*
 * Returns true if the verdict is WRITTEN or TRUNCATED. In both cases the ACK has become
 * longer, and the host must update the ACK's UDP and IP lengths and its ICRC.
 */
ROCECC_FN bool rocecc_echo_receiver_needs_action(rocecc_echo_receiver_verdict verdict)
{
    return verdict == ROCECC_ECHO_RECEIVER_WRITTEN ||
           verdict == ROCECC_ECHO_RECEIVER_TRUNCATED;
}

/*
 * Returns true if an ACK can carry the packet's echo. This is the case if the packet
 * uses RC or XRC, and is neither an ACK nor an ATOMIC ACK.
 */
ROCECC_FN bool rocecc_echo_is_acked_(const rocecc_packet *packet)
{
    rocecc_reader r =
        rocecc_subrange(packet->bytes, packet->headers.bth, packet->headers.end);
    const uint8_t *b = rocecc_take(&r, ROCECC_BTH_BYTES);
    if (b == NULL || packet->headers.bth == 0) return false;
    if (b[0] >> 5 != ROCECC_SERVICE_RC && b[0] >> 5 != ROCECC_SERVICE_XRC) return false;
    return (b[0] & 0x1f) < ROCECC_RC_ACKNOWLEDGE ||
           (b[0] & 0x1f) > ROCECC_RC_ATOMIC_ACKNOWLEDGE;
}

/*
 * Writes the echo of a received data packet into the ACK for this packet. The host must
 * have checked the data packet, above all its ICRC, and *writer must be at the end of
 * the ACK's AETH. Returns WRITTEN, or TRUNCATED if the record would make the echo
 * longer than roce.echo_bytes. In these two cases *writer moves past the echo, and the
 * host must update the ACK's lengths and ICRC. Returns NONE if roce.echo_bytes is 0, or
 * if the packet has no telemetry, is not RC or XRC over RoCEv2, is partial, is cut off
 * before the end of its BTH, or is itself an ACK or ATOMIC ACK. Otherwise returns
 * BROKEN if the telemetry cannot be read or is an IFA tail stamp, or else NO_SPACE if
 * the echo does not fit. On NONE, BROKEN or NO_SPACE, *writer and its buffer are
 * unchanged.
 */
ROCECC_FN rocecc_echo_receiver_verdict
rocecc_echo_receiver_step(const rocecc_packet *packet, rocecc_writer *writer)
{
    rocecc_echo h;
    rocecc_status status;
    if (!rocecc_echo_is_acked_(packet)) return ROCECC_ECHO_RECEIVER_NONE;
    status = rocecc_echo_extract(packet, &h);
    if (status == ROCECC_NO_MATCH) return ROCECC_ECHO_RECEIVER_NONE;
    if (status != ROCECC_OK) return ROCECC_ECHO_RECEIVER_BROKEN;
    if (rocecc_echo_emit(writer, &h) != ROCECC_OK) return ROCECC_ECHO_RECEIVER_NO_SPACE;
    return h.truncated ? ROCECC_ECHO_RECEIVER_TRUNCATED : ROCECC_ECHO_RECEIVER_WRITTEN;
}

/* Verdicts of rocecc_echo_sender_step(). */
typedef enum rocecc_echo_sender_verdict_ {
    ROCECC_ECHO_SENDER_NONE = 0,       /* not an ACK, ACK without echo, or echoes off */
    ROCECC_ECHO_SENDER_HOPS,           /* hops[] and `path` are valid */
    ROCECC_ECHO_SENDER_TAG,            /* `tag` is valid */
    ROCECC_ECHO_SENDER_TRUNCATED,      /* the record was too long for roce.echo_bytes */
    ROCECC_ECHO_SENDER_TOO_MANY_HOPS,  /* more hops than max_hops */
    ROCECC_ECHO_SENDER_STRAY,          /* ACK not for this QP, or PSN not in flight */
    ROCECC_ECHO_SENDER_OTHER_FORMAT,   /* not the requested format or namespace */
    ROCECC_ECHO_SENDER_UNKNOWN_FORMAT, /* unsupported version, format or record, or an
                                          echo longer than roce.echo_bytes */
    ROCECC_ECHO_SENDER_BROKEN,  /* the bytes contradict the format or are cut off */
    ROCECC_ECHO_SENDER_VERDICTS /* number of verdicts */
} ROCECC_IN_8_BITS_(rocecc_echo_sender_verdict);

/*
 * Returns true if the verdict is HOPS, TAG, TRUNCATED or TOO_MANY_HOPS. After HOPS, the
 * host must pass the hops to its algorithm, unless path.complete is NO. After TAG, the
 * host must pass the tag to its algorithm. After TRUNCATED, the operator must raise
 * roce.echo_bytes. After TOO_MANY_HOPS, the host must raise max_hops.
 */
ROCECC_FN bool rocecc_echo_sender_needs_action(rocecc_echo_sender_verdict verdict)
{
    return verdict >= ROCECC_ECHO_SENDER_HOPS &&
           verdict <= ROCECC_ECHO_SENDER_TOO_MANY_HOPS;
}

/* Receipt of an ACK, and the state of the QP that receives it. */
typedef struct rocecc_echo_sender_event {
    uint32_t qp;        /* QP number, 24 bits */
    uint32_t first_psn; /* PSN of the oldest unacknowledged packet, 24 bits */
    uint32_t n_psns;    /* number of PSNs in flight from first_psn on */
    uint32_t max_hops;  /* number of hops that fit in hops[] */
    ROCECC_ENUM8_(rocecc_echo_format) format; /* format that the QP requests */
    uint32_t first_read_psn; /* PSN of the oldest READ response that may be echoed */
    uint32_t n_read_psns;    /* number of PSNs from first_read_psn on; 0: none */
} rocecc_echo_sender_event;

/* Result of rocecc_echo_sender_step(). */
typedef struct rocecc_echo_sender_result {
    ROCECC_ENUM8_(rocecc_echo_sender_verdict) verdict;
    uint8_t length; /* length of the record in 4-byte words, even if TRUNCATED; 0: no
                       echo was read */
    bool read_response; /* the echo is for a READ response, not for a request */
    uint32_t psn;       /* PSN of the READ response or the ACK; 0 if NONE or STRAY */
    rocecc_csig tag;    /* if TAG, for rocecc_telemetry_csig_sample() */
    rocecc_telemetry_path path; /* if HOPS */
} rocecc_echo_sender_result;

/*
 * Returns true and writes the ACK's PSN to *psn if the ACK is for the event's QP and
 * this PSN is in flight. If the echo is for a READ response, uses the echo's PSN
 * instead, and checks it against the event's range for READ responses.
 */
ROCECC_FN bool rocecc_echo_is_ours_(const rocecc_packet *packet,
                                    const rocecc_echo_sender_event *event,
                                    const rocecc_echo *echo, uint32_t *psn)
{
    const bool read = echo->read_response;
    const uint32_t first = read ? event->first_read_psn : event->first_psn;
    rocecc_reader r =
        rocecc_subrange(packet->bytes, packet->headers.bth, packet->headers.end);
    const uint8_t *b = rocecc_take(&r, ROCECC_BTH_BYTES);
    uint32_t is;
    if (b == NULL || (rocecc_load32(b + 4) & 0xffffff) != event->qp) return false;
    is = read ? echo->psn : rocecc_load32(b + 8) & 0xffffff;
    if (((is - first) & 0xffffff) >= (read ? event->n_read_psns : event->n_psns))
        return false;
    *psn = is;
    return true;
}

ROCECC_FN rocecc_echo_sender_verdict rocecc_echo_status_verdict_(rocecc_status status)
{
    if (status == ROCECC_OK) return ROCECC_ECHO_SENDER_HOPS;
    if (status == ROCECC_ERR_SPACE) return ROCECC_ECHO_SENDER_TOO_MANY_HOPS;
    if (status == ROCECC_NO_MATCH) return ROCECC_ECHO_SENDER_OTHER_FORMAT;
    return status == ROCECC_ERR_UNSUPPORTED ? ROCECC_ECHO_SENDER_UNKNOWN_FORMAT
                                            : ROCECC_ECHO_SENDER_BROKEN;
}

/*
 * Checks everything in an echo except its record. Returns HOPS if the record in *echo
 * must be read next.
 */
ROCECC_FN rocecc_echo_sender_verdict
rocecc_echo_admit_(const rocecc_packet *packet, const rocecc_echo_sender_event *event,
                   rocecc_echo *echo, rocecc_echo_sender_result *result)
{
    const rocecc_status status = rocecc_echo_find(packet, echo);
    if (status == ROCECC_NO_MATCH) return ROCECC_ECHO_SENDER_NONE;
    result->length = echo->length;
    result->read_response = echo->read_response;
    if (!rocecc_echo_is_ours_(packet, event, echo, &result->psn))
        return ROCECC_ECHO_SENDER_STRAY;
    if (status != ROCECC_OK) return rocecc_echo_status_verdict_(status);
    if (echo->format != event->format) return ROCECC_ECHO_SENDER_OTHER_FORMAT;
    return echo->truncated ? ROCECC_ECHO_SENDER_TRUNCATED : ROCECC_ECHO_SENDER_HOPS;
}

/*
 * Reads the echo in a received ACK. The host must have checked the ACK's ICRC. `config`
 * describes the records that the QP requests. hops[] must have room for event.max_hops
 * hops, and may be NULL if event.max_hops is 0. Always writes *result. If the verdict
 * is HOPS, hops[] contains result->path.n hops (0 or more) in path order. After any
 * other verdict, the host must not use hops[], because the array may be partly written.
 * The verdict is STRAY if the ACK is not for event.qp, or if the ACK's PSN is not in
 * the event's range. If the echo can be read and is for a READ response, the echo's PSN
 * is checked instead, against the range for READ responses. If several verdicts apply,
 * result->verdict is the first of NONE, STRAY, a fault in the echo itself
 * (UNKNOWN_FORMAT, BROKEN), OTHER_FORMAT, TRUNCATED, and a fault in the record.
 */
ROCECC_FN void rocecc_echo_sender_step(const rocecc_telemetry_config *config,
                                       const rocecc_packet *packet,
                                       rocecc_echo_sender_event event, rocecc_hop *hops,
                                       rocecc_echo_sender_result *result)
{
    const rocecc_echo_sender_result nothing = ROCECC_ZERO;
    const rocecc_domain *d = packet->domain;
    rocecc_status status;
    rocecc_echo h = ROCECC_ZERO;
    h.record = packet->bytes;
    *result = nothing;
    result->verdict = rocecc_echo_admit_(packet, &event, &h, result);
    if (result->verdict != ROCECC_ECHO_SENDER_HOPS) return;
    if (h.format == ROCECC_ECHO_IOAM) {
        rocecc_ioam_view v;
        status = rocecc_echo_ioam(&d->ioam, &h, &v);
        if (status == ROCECC_OK)
            status = rocecc_telemetry_ioam_path(config, &v, hops, event.max_hops,
                                                &result->path);
    } else if (h.format == ROCECC_ECHO_IFA) {
        rocecc_ifa v;
        status = rocecc_echo_ifa(&d->ifa, &h, &v);
        if (status == ROCECC_OK)
            status = rocecc_telemetry_ifa_path(config, &v, hops, event.max_hops,
                                               &result->path);
    } else if (h.format == ROCECC_ECHO_INTMD) {
        rocecc_intmd v;
        status = rocecc_echo_intmd(&d->intmd, &h, &v);
        if (status == ROCECC_OK)
            status = rocecc_telemetry_intmd_path(config, &v, hops, event.max_hops,
                                                 &result->path);
    } else {
        status = rocecc_echo_csig(&d->csig, &h, &result->tag);
    }
    result->verdict = rocecc_echo_status_verdict_(status);
    if (status == ROCECC_OK && h.format == ROCECC_ECHO_CSIG)
        result->verdict = ROCECC_ECHO_SENDER_TAG;
}

#endif /* ROCECC_ROLE_ECHO_H */
