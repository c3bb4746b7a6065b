/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/fields/ldcp.h"

#include "algo.h"

/*
 * A sender, the receiver at its other end, and the LSN space that ACKs have confirmed.
 */
typedef struct run {
    rocecc_ldcp s;
    rocecc_ldcp_receiver v;
    rocecc_ldcp_space a;
    rocecc_ldcp_params link; /* parameters of the current link */
} run;

typedef struct args {
    bool last, ece, limited, ce;
    uint32_t rtt_ns, in_flight_bytes, len_bytes, n, lsn, iw_packets, cw_max_packets;
    uint64_t now_ns, sent_lsn; /* sent_lsn modulo 2^32 */
    uint16_t packet;
} args;

typedef struct action {
    rocecc_ecn ecn;
    bool allowed, cut;
    uint64_t wait_ns;
    uint32_t go_back_packets, unmarked, marked, n;
} action;

static const algo_param params[] = {ROCECC_LDCP_PARAMS(ALGO_PARAM, rocecc_ldcp_params)};

#define SENDER(T, kind, member, names, ...)                                            \
    FIELD_AT(#member, kind, offsetof(T, s.member), sizeof(((T *)0)->s.member), names),
#define RECEIVER(T, kind, member, names, ...)                                          \
    FIELD_AT(#member, kind, offsetof(T, v.member), sizeof(((T *)0)->v.member), names),
#define SPACE(T, kind, member, names, ...)                                             \
    FIELD_AT(#member, kind, offsetof(T, a.member), sizeof(((T *)0)->a.member), names),

static const field state_fields[] = {ROCECC_LDCP_STATE_FIELDS(
    SENDER, run) ROCECC_LDCP_RECEIVER_STATE_FIELDS(RECEIVER, run)
                                         ROCECC_LDCP_SPACE_STATE_FIELDS(SPACE, run)};

#define ECN "not_ect ect1 ect0 ce"

static const field action_fields[] = {
    FIELD_ROW(action, ENUM, ecn, ECN) FIELD_ROW(action, BOOL, allowed, NULL)
        FIELD_ROW(action, UINT, wait_ns, NULL) FIELD_ROW(action, BOOL, cut, NULL)
            FIELD_ROW(action, UINT, go_back_packets, NULL) FIELD_ROW(action, UINT,
                                                                     unmarked, NULL)
                FIELD_ROW(action, UINT, marked, NULL) FIELD_ROW(action, UINT, n, NULL)};

static const field send_args[] = {FIELD_ROW(args, BOOL, last, NULL)
                                      FIELD_ROW(args, UINT, now_ns, NULL)};
static const field may_send_args[] = {FIELD_ROW(args, UINT, rtt_ns, NULL) FIELD_ROW(
    args, UINT, now_ns, NULL) FIELD_ROW(args, UINT, in_flight_bytes, NULL)
                                          FIELD_ROW(args, UINT, len_bytes, NULL)};
static const field ack_args[] = {FIELD_ROW(args, UINT, n, NULL) FIELD_ROW(
    args, BOOL, ece, NULL) FIELD_ROW(args, BOOL, limited, NULL)};
static const field relink_args[] = {FIELD_ROW(args, UINT, iw_packets, NULL)
                                        FIELD_ROW(args, UINT, cw_max_packets, NULL)};
static const field received_args[] = {FIELD_ROW(args, BOOL, ce, NULL)};
static const field confirm_args[] = {FIELD_ROW(args, UINT, sent_lsn, NULL) FIELD_ROW(
    args, UINT, lsn, NULL) FIELD_ROW(args, UINT, packet, NULL)};

enum {
    SEND,
    MAY_SEND,
    MAY_SEND_BYTES,
    ACK,
    NAK,
    TIMEOUT,
    RELINK,
    RECEIVED,
    FLUSH,
    CONFIRM
};

static const algo_event events[] = {{"send", send_args, 2},
                                    {"may_send", may_send_args, 2},
                                    {"may_send_bytes", may_send_args, 4},
                                    {"ack", ack_args, 3},
                                    {"nak", NULL, 0},
                                    {"timeout", NULL, 0},
                                    {"relink", relink_args, 2},
                                    {"received", received_args, 1},
                                    {"flush", NULL, 0},
                                    {"confirm", confirm_args, 3}};

/* Sets IW to the packets of 1,024 bytes that the link carries in 8 us, at least 1. */
static void set_hns(void *p, uint64_t link_bps)
{
    const uint64_t packets = link_bps / 1000000 / 1024;
    *(rocecc_ldcp_params *)p =
        rocecc_ldcp_hns((uint32_t)rocecc_clamp(packets, 1, ROCECC_LDCP_PACKETS_MAX));
}

static const algo_preset presets[] = {{"hns", set_hns}};

static unsigned init(void *p, void *r)
{
    run *to = r;
    const rocecc_ldcp_refusal refusal = rocecc_ldcp_init(p);
    if (refusal != ROCECC_LDCP_ACCEPTED) return refusal;
    to->s = rocecc_ldcp_start(p);
    to->v = rocecc_ldcp_receiver_start();
    to->a.lsn = to->a.packet = 0;
    to->link = *(const rocecc_ldcp_params *)p;
    return refusal;
}

/* Relinks with new parameters, unless init() rejects them. */
static void relink(run *at, uint32_t iw_packets, uint32_t cw_max_packets)
{
    rocecc_ldcp_params p = at->link;
    p.iw_packets = iw_packets;
    p.cw_max_packets = cw_max_packets;
    if (rocecc_ldcp_init(&p) != ROCECC_LDCP_ACCEPTED) return;
    at->link = p;
    rocecc_ldcp_relink(&at->link, &at->s);
}

static void say_release(action *act, rocecc_ldcp_send_action release)
{
    act->allowed = release.allowed;
    act->wait_ns = release.wait_ns;
}

static void say_acks(action *act, rocecc_ldcp_receiver_action acks)
{
    act->unmarked = acks.unmarked;
    act->marked = acks.marked;
}

static void say_loss(action *act, rocecc_ldcp_action loss)
{
    act->cut = loss.cut;
    act->go_back_packets = loss.go_back_packets;
}

static void step(const void *params_of_start, void *r, size_t event,
                 const void *arguments, void *result)
{
    static const action none;
    const args *e = arguments;
    const rocecc_ldcp_next_packet next = {e->in_flight_bytes, e->len_bytes};
    const rocecc_ldcp_ack_event heard = {e->n, e->ece, e->limited};
    run *at = r;
    const rocecc_ldcp_params *p = &at->link;
    action *act = result;
    (void)params_of_start;
    *act = none;
    if (event == SEND)
        act->ecn = rocecc_ldcp_send(p, &at->s, e->last, e->now_ns);
    else if (event == MAY_SEND)
        say_release(act, rocecc_ldcp_may_send(&at->s, e->rtt_ns, e->now_ns));
    else if (event == MAY_SEND_BYTES)
        say_release(act,
                    rocecc_ldcp_may_send_bytes(p, &at->s, next, e->rtt_ns, e->now_ns));
    else if (event == ACK)
        rocecc_ldcp_ack(p, &at->s, heard);
    else if (event == NAK)
        say_loss(act, rocecc_ldcp_nak(p, &at->s));
    else if (event == TIMEOUT)
        say_loss(act, rocecc_ldcp_timeout(p, &at->s));
    else if (event == RELINK)
        relink(at, e->iw_packets, e->cw_max_packets);
    else if (event == RECEIVED)
        say_acks(act, rocecc_ldcp_received(p, &at->v, e->ce));
    else if (event == FLUSH)
        say_acks(act, rocecc_ldcp_flush(&at->v));
    else if (event == CONFIRM)
        act->n = rocecc_ldcp_confirm(&at->a, (uint32_t)e->sent_lsn, e->lsn, e->packet);
}

ALGO(LDCP, ldcp, rocecc_ldcp_params, action, run,
     "LDCP: a window that every ACK changes, for RoCEv2 without PFC")
