/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_ECHO_H
#define ROCECC_ROLE_ECHO_H

/*
 * echo.h - telemetry's way back over RoCEv2: the receiver of data copies what the nodes
 * of the path wrote into the ACK, and the sender has the hops. wire/echo.h has the
 * figure. draft-miao-ccwg-hpcc-info-03, 2.
 *
 *    sender                              receiver
 *      data, with room for hops  ------>   its telemetry: rocecc_echo_receiver_step()
 *      rocecc_echo_sender_step()  <------  the ACK, with an echo
 *
 *     w.at = after the AETH            verdict WRITTEN: w has 116 bytes more, which UDP
 *                                      and IP count, and the ICRC covers
 *     5 hops, one may be missing       verdict HOPS, path.n = 5, and path says so
 *
 * What bounds it. Size: an ACK grows by no more than the domain's roce.echo_bytes,
 * which has to leave it below the MTU of the way back; what would be longer comes as a
 * header that says so. Rate: an echo goes in an ACK that goes anyway, and only if the
 * packet of data brought telemetry, for which its sender asks; it has 4 bytes more than
 * the record that came. An ACK for several packets has the echo of the last of them.
 *
 * What it is worth: as much as its ACK. Whoever can write an ACK that the host takes
 * can write an echo, and no more: QP and PSN are checked here, the ICRC before, and
 * lengths are bounded by the agreement of the network. The hops are believed as those
 * of a packet of data are, which the receiver could have changed.
 *
 * READ responses have no ACK. For their telemetry the requester sends an ACK of its
 * own, of the kind of lsn.h's window_only: PSN and MSN are those of its last ACK, and
 * the echo has the response's PSN. For how many responses one such ACK goes is the
 * host's choice. UC and UD have no ACK, and no echo: what reaches their sender is a
 * Fast CNP, and it may keep a rate by DCQCN.
 */
#include "../packet/echo.h"
#include "../telemetry/path.h"

typedef enum rocecc_echo_receiver_verdict {
    ROCECC_ECHO_RECEIVER_NONE = 0, /* no telemetry, no request, or no echo here */
    ROCECC_ECHO_RECEIVER_WRITTEN,
    ROCECC_ECHO_RECEIVER_TRUNCATED, /* written; its record would be too long */
    ROCECC_ECHO_RECEIVER_BROKEN,    /* telemetry that cannot be read */
    ROCECC_ECHO_RECEIVER_NO_SPACE,  /* w is too small */
    ROCECC_ECHO_RECEIVER_VERDICTS   /* how many there are */
} rocecc_echo_receiver_verdict;

/* Whether the ACK has become longer. */
ROCECC_FN bool rocecc_echo_receiver_needs_action(rocecc_echo_receiver_verdict verdict)
{
    return verdict == ROCECC_ECHO_RECEIVER_WRITTEN ||
           verdict == ROCECC_ECHO_RECEIVER_TRUNCATED;
}

/* Whether there is an ACK with its echo: a request or a READ response of RC or XRC. */
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
 * Receiver: a packet of data came, and an ACK for it is being written: writer stands
 * after its AETH. Writes the echo of the packet's telemetry there; writer moves if the
 * verdict is WRITTEN or TRUNCATED. Whether the packet is valid, its ICRC above all, is
 * for the host to have checked; lengths and the ICRC of the ACK are the host's.
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

typedef enum rocecc_echo_sender_verdict_ {
    ROCECC_ECHO_SENDER_NONE = 0,       /* no ACK, or one without an echo */
    ROCECC_ECHO_SENDER_HOPS,           /* hops, and path */
    ROCECC_ECHO_SENDER_TAG,            /* tag */
    ROCECC_ECHO_SENDER_TRUNCATED,      /* the record was too long for roce.echo_bytes */
    ROCECC_ECHO_SENDER_TOO_MANY_HOPS,  /* more hops than there is room for */
    ROCECC_ECHO_SENDER_STRAY,          /* not to this QP, or its PSN is not in flight */
    ROCECC_ECHO_SENDER_OTHER_FORMAT,   /* of another format than the sender asked for */
    ROCECC_ECHO_SENDER_UNKNOWN_FORMAT, /* a version or format of a later time, too long,
                                     or a record that rocecc does not read */
    ROCECC_ECHO_SENDER_BROKEN,         /* its bytes contradict the format */
    ROCECC_ECHO_SENDER_VERDICTS        /* how many there are */
} ROCECC_IN_8_BITS_(rocecc_echo_sender_verdict);

/*
 * Whether an algorithm is to hear of it: HOPS and TAG. TRUNCATED and TOO_MANY_HOPS say
 * that the sender is blind: there was telemetry, and its path is not known; an operator
 * raises roce.echo_bytes or max_hops.
 */
ROCECC_FN bool rocecc_echo_sender_needs_action(rocecc_echo_sender_verdict verdict)
{
    return verdict >= ROCECC_ECHO_SENDER_HOPS &&
           verdict <= ROCECC_ECHO_SENDER_TOO_MANY_HOPS;
}

/* An ACK came for a QP of the host. */
typedef struct rocecc_echo_sender_event {
    uint32_t qp;        /* that QP: 24 bits */
    uint32_t first_psn; /* the oldest packet without an ACK: 24 bits, ... */
    uint32_t n_psns;    /* ... and how many are in flight from there on */
    uint32_t max_hops;  /* that there is room for */
    ROCECC_ENUM8_(rocecc_echo_format) format; /* what the QP asks the path for */
    uint32_t first_read_psn; /* the oldest READ response whose echo may come, ... */
    uint32_t n_read_psns;    /* ... and how many from there on; 0: none */
} rocecc_echo_sender_event;

typedef struct rocecc_echo_sender_result {
    ROCECC_ENUM8_(rocecc_echo_sender_verdict) verdict;
    uint8_t length; /* words of the record, of TRUNCATED, too; 0: no echo was read */
    bool read_response;         /* whose echo it is, not a request's */
    uint32_t psn;               /* of that READ response, else of the ACK; 0 if STRAY */
    rocecc_csig tag;            /* of TAG, for rocecc_telemetry_csig_sample() */
    rocecc_telemetry_path path; /* of HOPS */
} rocecc_echo_sender_result;

/* Whether the ACK is one of the event's: the QP, and a PSN in flight; if so, *psn. */
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

/* Everything but the record; HOPS: that is to be read. */
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
 * Sender: an ACK came. config is of the records that the QP asks for, hops has room for
 * e.max_hops. Always writes *result; hops, the first of the path first, count if the
 * verdict is HOPS, and may be written to with TOO_MANY_HOPS or BROKEN.
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
