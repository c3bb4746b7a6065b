/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * sender.c - a reaction point for an RDMA stack without DCQCN.
 *
 *   pace  tc, at egress. Sets ECT(0) in a RoCEv2 data packet, finds its flow by
 *         destination address and DestQP, handles the events of the flow since the
 *         last packet (CNPs and due timers, algo/dcqcn.h), and sets the packet's
 *         departure time. The qdisc fq holds the packet until then.
 *   hear  XDP. Passes a CNP or a Fast CNP through the gate (role/reaction_point.h), and
 *         notes it at its flow. Drops the packet, because the stack knows neither the
 *         option nor the reaction. Each CPU has its own limits.
 *
 * Only one CPU at a time handles the events of a flow, and hear only notes. So a step
 * needs no lock. With a lock, the verifier would require the step to be one function.
 */
#define ROCECC_IP6OPT_MAX 3      /* per packet; Linux 6.1 verifies no more */
#define ROCECC_ICRC_MAX_BYTES 32 /* 16 follow the BTH of a CNP */
#include "bpf.h"

#include <linux/pkt_cls.h>

/*
 * Limit of the CNPs and timers that one packet handles. With g = 1/64, alpha is 0 after
 * at most 1,536 expiries of its timer (6 blocks of 256 decays), and the timer stops.
 * With the other timers, an hour of silence takes seven packets.
 */
#define EVENTS_MAX 256

/* State of the gate, with the limits of all sources and of each list entry. The kernel
 * creates it with zeros, and the first packet fills the buckets. */
typedef struct softroce_gate {
    rocecc_admission admission;
    rocecc_admission_source sources[SOFTROCE_ENTRIES];
} softroce_gate;

MAP(flows, BPF_MAP_TYPE_LRU_HASH, rocecc_reaction_key, softroce_flow, SOFTROCE_FLOWS);
MAP(keys, BPF_MAP_TYPE_PERCPU_ARRAY, uint32_t, rocecc_reaction_key, 1);
MAP(gate, BPF_MAP_TYPE_PERCPU_ARRAY, uint32_t, softroce_gate, 1);
MAP(heard, BPF_MAP_TYPE_PERCPU_ARRAY, uint32_t, rocecc_reaction_result, 1);

ROCECC_FN rocecc_reaction_result *said(void)
{
    return ONE(heard);
}

/* ---- pace */

/* Returns true for a data packet, and stores the key of its flow. Only data is
 * paced. */
GLOBAL int is_data(struct __sk_buff *x, const softroce_config *c)
{
    const rocecc_opcode_set data = rocecc_opcode_set_data();
    const rocecc_headers *f = found();
    rocecc_reaction_key *key = ONE(keys);
    rocecc_packet p;
    rocecc_reader r;
    rocecc_bth bth;
    rocecc_ip ip;
    if (c == NULL || f == NULL || key == NULL) return 0;
    p = PACKET(x, c, f);
    if (f->kind != ROCECC_PACKET_KIND_ROCEV2 || f->bth == 0) return 0;
    r = rocecc_subrange(p.bytes, f->bth, f->end);
    if (rocecc_packet_ip(&p, &f->ip, &ip) != ROCECC_OK ||
        rocecc_bth_parse(&r, &bth) != ROCECC_OK ||
        !rocecc_opcode_set_has(&data, bth.opcode))
        return 0;
    key->remote = ip.dst;
    key->remote_qp = bth.dest_qp;
    return 1;
}

GLOBAL int set_ect(struct __sk_buff *x)
{
    const rocecc_headers *f = found();
    uint8_t *b = (uint8_t *)(long)x->data;
    uint32_t at;
    if (f == NULL) return 0;
    at = f->ip.offset;
    if (at > 256) return 0;
    b += at;
    if (b + ROCECC_IPV4_BYTES > (uint8_t *)(long)x->data_end) return 0;
    if (f->ip.version == 4)
        rocecc_ipv4_ecn_store(b, ROCECC_ECN_ECT0);
    else
        rocecc_ipv6_ecn_store(b, ROCECC_ECN_ECT0);
    return 1;
}

/*
 * Requests a trace, if configured, in an IPv6 packet without extension headers. The
 * hop-by-hop options header follows the IPv6 header. The ICRC was computed without it,
 * and is right at the check, because the receiver removes it before that.
 */
GLOBAL int ask_trace(struct __sk_buff *x, const softroce_config *c)
{
    const rocecc_headers *f = found();
    const uint8_t next = 0; /* hop-by-hop options */
    uint16_t length = 0;
    if (c == NULL || f == NULL) return 0;
    if (c->asks == 0 || f->ip.version != 6 || f->ip.n_ext != 0 || f->ip.offset != 14)
        return 0;
    if (bpf_skb_load_bytes(x, 14 + 4, &length, 2) != 0 ||
        bpf_skb_adjust_room(x, SOFTROCE_IOAM_BYTES, BPF_ADJ_ROOM_NET, 0) != 0)
        return 0;
    length =
        __builtin_bswap16((uint16_t)(__builtin_bswap16(length) + SOFTROCE_IOAM_BYTES));
    (void)bpf_skb_store_bytes(x, 14 + 4, &length, 2, 0);
    (void)bpf_skb_store_bytes(x, 14 + 6, &next, 1, 0);
    (void)bpf_skb_store_bytes(x, 14 + ROCECC_IPV6_BYTES, c->ioam, SOFTROCE_IOAM_BYTES,
                              0);
    count(SOFTROCE_TRACES);
    return 1;
}

/* Starts and stops timers, and counts a cut. A period begins at from_ns, which is the
 * deadline of the expired timer or the arrival of a CNP. */
ROCECC_FN void obey(const rocecc_dcqcn_params *p, softroce_flow *f,
                    const rocecc_dcqcn_action *act, uint64_t from_ns)
{
    if ((act->stop & ROCECC_DCQCN_TIMER_ALPHA) != 0) f->due_ns[SOFTROCE_ALPHA] = 0;
    if ((act->stop & ROCECC_DCQCN_TIMER_CUT) != 0) f->due_ns[SOFTROCE_CUT] = 0;
    if ((act->stop & ROCECC_DCQCN_TIMER_INCREASE) != 0)
        f->due_ns[SOFTROCE_INCREASE] = 0;
    if ((act->arm & ROCECC_DCQCN_TIMER_ALPHA) != 0)
        f->due_ns[SOFTROCE_ALPHA] = from_ns + p->alpha_timer_ns;
    if ((act->arm & ROCECC_DCQCN_TIMER_CUT) != 0)
        f->due_ns[SOFTROCE_CUT] = from_ns + p->cut_interval_ns;
    if ((act->arm & ROCECC_DCQCN_TIMER_INCREASE) != 0)
        f->due_ns[SOFTROCE_INCREASE] = from_ns + p->increase_timer_ns;
    if (act->cut) f->cuts++;
}

GLOBAL int on_cnp(const softroce_config *c, softroce_flow *f)
{
    rocecc_dcqcn_action act;
    if (c == NULL || f == NULL) return 0;
    f->cnps++;
    act = rocecc_dcqcn_cnp(&c->dcqcn, &f->rate);
    obey(&c->dcqcn, f, &act, f->heard_ns);
    return 1;
}

/* Handlers of the three timers. Each acts as at its deadline. */
#define TIMER(name, timer, expires)                                                    \
    GLOBAL int name(const softroce_config *c, softroce_flow *f)                        \
    {                                                                                  \
        rocecc_dcqcn_action act;                                                       \
        uint64_t at_ns;                                                                \
        if (c == NULL || f == NULL) return 0;                                          \
        at_ns = f->due_ns[timer];                                                      \
        f->due_ns[timer] = 0;                                                          \
        act = expires(&c->dcqcn, &f->rate);                                            \
        obey(&c->dcqcn, f, &act, at_ns);                                               \
        return 1;                                                                      \
    }
TIMER(on_alpha, SOFTROCE_ALPHA, rocecc_dcqcn_alpha_timer)
TIMER(on_cut, SOFTROCE_CUT, rocecc_dcqcn_cut_timer)
TIMER(on_increase, SOFTROCE_INCREASE, rocecc_dcqcn_increase_timer)

/* Counts a sent packet. This may stop timers, but does not start any. */
GLOBAL int on_sent(const softroce_config *c, softroce_flow *f, uint32_t bytes)
{
    rocecc_dcqcn_action act;
    if (c == NULL || f == NULL) return 0;
    f->packets++;
    f->bytes += bytes;
    act = rocecc_dcqcn_sent(&c->dcqcn, &f->rate, bytes);
    obey(&c->dcqcn, f, &act, 0);
    return 1;
}

/* Returns the first event that is due, a timer or SOFTROCE_TIMERS for a CNP, or -1. */
ROCECC_FN int first(const softroce_flow *f, uint64_t now_ns)
{
    uint64_t at_ns = now_ns + 1;
    int i, is = -1;
    if (f->heard != (uint32_t)f->cnps) {
        at_ns = f->heard_ns;
        is = SOFTROCE_TIMERS;
    }
    for (i = 0; i < SOFTROCE_TIMERS; i++)
        if (f->due_ns[i] != 0 && f->due_ns[i] < at_ns) {
            at_ns = f->due_ns[i];
            is = i;
        }
    return is;
}

/* Handles due events in order, up to EVENTS_MAX. Returns false if some may be left. */
GLOBAL int catch_up(const softroce_config *c, softroce_flow *f, uint64_t now_ns)
{
    int i;
    if (c == NULL || f == NULL) return 1;
    for (i = 0; i < EVENTS_MAX; i++) {
        const int is = first(f, now_ns);
        if (is < 0) return 1;
        if (is == SOFTROCE_ALPHA)
            (void)on_alpha(c, f);
        else if (is == SOFTROCE_CUT)
            (void)on_cut(c, f);
        else if (is == SOFTROCE_INCREASE)
            (void)on_increase(c, f);
        else
            (void)on_cnp(c, f);
    }
    return 0;
}

ROCECC_FN softroce_flow *flow_of(const softroce_config *c,
                                 const rocecc_reaction_key *key)
{
    softroce_flow fresh = {0};
    softroce_flow *f = bpf_map_lookup_elem(&flows, key);
    if (f != NULL) return f;
    fresh.rate = rocecc_dcqcn_start(&c->dcqcn);
    (void)bpf_map_update_elem(&flows, key, &fresh, BPF_NOEXIST);
    return bpf_map_lookup_elem(&flows, key);
}

SEC("tc") int pace(struct __sk_buff *x)
{
    const softroce_config *c = configured();
    const rocecc_reaction_key *key = ONE(keys);
    const uint64_t now_ns = bpf_ktime_get_ns();
    softroce_flow *f;
    uint64_t leaves_ns;
    if (c == NULL || key == NULL || locate(x, c) != ROCECC_OK || !is_data(x, c))
        return TC_ACT_OK;
    (void)set_ect(x);
    (void)ask_trace(x, c);
    f = flow_of(c, key);
    if (f == NULL) {
        count(SOFTROCE_FAILED);
        return TC_ACT_OK;
    }
    if (__sync_val_compare_and_swap(&f->owner, 0, 1) != 0) {
        count(SOFTROCE_BUSY);
        return TC_ACT_OK;
    }
    if (!catch_up(c, f, now_ns)) count(SOFTROCE_PUT_OFF);
    /* at the present rate R; bytes * 8 * 10^9 is below 2^52, and R is never 0 */
    leaves_ns = f->last_ns + f->last_bytes * UINT64_C(8000000000) / f->rate.rate_bps;
    if (leaves_ns < now_ns) leaves_ns = now_ns;
    f->last_ns = leaves_ns;
    f->last_bytes = x->len;
    (void)on_sent(c, f, x->len);
    (void)__sync_lock_test_and_set(&f->owner, 0);
    x->tstamp = leaves_ns;
    return TC_ACT_OK;
}

/* ---- hear */

/* Returns true if the header walk has stopped and the packet may be a Fast CNP. */
GLOBAL int unseen(const softroce_config *c)
{
    const rocecc_headers *f = found();
    rocecc_packet p;
    if (c == NULL || f == NULL) return true;
    p = rocecc_packet_attach(&c->domain, rocecc_reader_of(NULL, NULL), f);
    return rocecc_fastcnp_border_stopped(&p) == ROCECC_FASTCNP_BORDER_UNSEEN;
}

/* The parts of rocecc_reaction_point_step(). Each returns a verdict. */
#define PART(name, call)                                                               \
    GLOBAL int name(struct xdp_md *x, const softroce_config *c)                        \
    {                                                                                  \
        const rocecc_headers *f = found();                                             \
        rocecc_reaction_result *out = said();                                          \
        rocecc_packet p;                                                               \
        if (c == NULL || f == NULL || out == NULL) return ROCECC_REACTION_MALFORMED;   \
        p = PACKET(x, c, f);                                                           \
        call;                                                                          \
        return out->verdict;                                                           \
    }
/* No CNP comes in a tunnel. A constant says so, and the verifier then follows only one
 * IP header. */
PART(is_for_us, {
    const rocecc_reaction_config no_tunnels = {.fastcnp_enabled =
                                                   c->reaction.fastcnp_enabled};
    rocecc_reaction_point_find_tunnel(&no_tunnels, &p, out);
    rocecc_reaction_point_find_host(&no_tunnels, &p, out);
})
PART(option, rocecc_reaction_point_find_option(&c->reaction, &p, out))
PART(cnp, rocecc_reaction_point_find_cnp(&p, out))

/*
 * Checks the ICRC, because no NIC has done so. Ignores extension headers, because the
 * verifier cannot follow a rule that reads them.
 */
GLOBAL int is_right(struct xdp_md *x, const softroce_config *c)
{
    const rocecc_headers *f = found();
    rocecc_icrc icrc = {0};
    rocecc_packet p;
    if (c == NULL || f == NULL) return 0;
    p = PACKET(x, c, f);
    return rocecc_icrc_verify(ROCECC_ICRC_STRIPPED, &p, &icrc) == ROCECC_OK && icrc.ok;
}

/* Returns true if the limits apply: to every Fast CNP, and to ordinary CNPs if
 * ordinary_listed is set. */
ROCECC_FN bool is_limited(const softroce_config *c, const rocecc_reaction_result *out)
{
    return out->verdict != ROCECC_REACTION_ORDINARY || c->reaction.ordinary_listed;
}

/* Counts an admission verdict, and converts it. Returns found_verdict for ADMITTED. */
ROCECC_FN int told(rocecc_admission_verdict admission, int found_verdict)
{
    count(SOFTROCE_ADMISSIONS + (uint32_t)admission);
    if (admission == ROCECC_ADMISSION_ADMITTED) return found_verdict;
    return admission == ROCECC_ADMISSION_UNLISTED ? ROCECC_REACTION_ACCESS_DENIED
                                                  : ROCECC_REACTION_RATE_LIMITED;
}

/*
 * The two halves of rocecc_reaction_point_admit(). The ICRC is checked between them, in
 * another function.
 */
GLOBAL int begins(const softroce_config *c)
{
    softroce_gate *g = ONE(gate);
    rocecc_reaction_result *out = said();
    rocecc_admission_event e = {0, NULL, NULL, NULL, SOFTROCE_ENTRIES};
    rocecc_admission_verdict verdict;
    rocecc_acl_result listed;
    rocecc_acl list;
    if (c == NULL || g == NULL || out == NULL) return ROCECC_REACTION_MALFORMED;
    if (!is_limited(c, out)) return out->verdict;
    list = rocecc_acl_attach(c->entries, c->n);
    if (list.n > SOFTROCE_ENTRIES) return ROCECC_REACTION_ACCESS_DENIED;
    e.now_ns = bpf_ktime_get_ns();
    e.list = &list;
    e.sources = g->sources;
    verdict = rocecc_admission_begin(&c->reaction.admission, &g->admission, &e,
                                     &out->cnp.src, &listed);
    out->tag = listed.tag;
    if (verdict == ROCECC_ADMISSION_ADMITTED) return out->verdict;
    return told(verdict, out->verdict);
}

GLOBAL int finishes(const softroce_config *c)
{
    softroce_gate *g = ONE(gate);
    rocecc_reaction_result *out = said();
    rocecc_admission_event e = {0, NULL, NULL, NULL, SOFTROCE_ENTRIES};
    if (c == NULL || g == NULL || out == NULL) return ROCECC_REACTION_MALFORMED;
    if (out->verdict != ROCECC_REACTION_ORDINARY) {
        out->key.remote = out->option.flow_dst;
        out->key.remote_qp = out->cnp.dest_qp;
    }
    if (!is_limited(c, out)) return out->verdict;
    e.now_ns = bpf_ktime_get_ns();
    e.sources = g->sources;
    return told(
        rocecc_admission_finish(&c->reaction.admission, &g->admission, &e, out->tag),
        out->verdict);
}

/* Finds an ordinary CNP's flow by the other end's QP. The CNP has this host's QP. */
GLOBAL int other_end(void)
{
    rocecc_reaction_result *out = said();
    const uint32_t *qp;
    if (out == NULL) return 0;
    qp = bpf_map_lookup_elem(&qps, &out->cnp.dest_qp);
    if (qp == NULL) return 0;
    out->key.remote = out->cnp.src;
    out->key.remote_qp = *qp;
    return 1;
}

/* Notes a notification, unless deaf=1. The flow's owner acts on it with the flow's next
 * packet. Returns false if the flow is unknown. */
GLOBAL int note(const softroce_config *c)
{
    const rocecc_reaction_result *out = said();
    softroce_flow *f;
    if (c == NULL || out == NULL) return 0;
    f = bpf_map_lookup_elem(&flows, &out->key);
    if (f == NULL) return 0;
    if (c->deaf != 0) return 1;
    f->heard_ns = bpf_ktime_get_ns();
    __sync_fetch_and_add(&f->heard, 1);
    return 1;
}

ROCECC_FN bool is_notification(int verdict)
{
    return verdict == ROCECC_REACTION_ORDINARY ||
           verdict == ROCECC_REACTION_FAST_PLAIN ||
           verdict == ROCECC_REACTION_FAST_IOAM;
}

/* Returns the final verdict on a notification. */
ROCECC_FN int admitted(struct xdp_md *x, const softroce_config *c)
{
    const int verdict = begins(c);
    if (!is_notification(verdict)) return verdict;
    return is_right(x, c) ? finishes(c) : ROCECC_REACTION_BAD_ICRC;
}

/* Counts the verdict, and for a rejected packet a bad arrival's reason and a due ICMP
 * error. */
ROCECC_FN void count_verdict(int verdict)
{
    const rocecc_reaction_result *out = said();
    count((uint32_t)verdict);
    if (out == NULL || is_notification(verdict)) return;
    if (verdict == ROCECC_REACTION_BAD_ARRIVAL) count(SOFTROCE_ARRIVALS + out->arrival);
    if (out->icmp.type != 0) count(SOFTROCE_ERRORS_DUE);
}

SEC("xdp") int hear(struct xdp_md *x)
{
    const softroce_config *c = configured();
    int verdict;
    if (c == NULL) return XDP_PASS;
    (void)locate_xdp(x, c);
    if (unseen(c)) {
        count(SOFTROCE_UNSEEN);
        return XDP_DROP;
    }
    (void)is_for_us(x, c);
    (void)option(x, c);
    verdict = cnp(x, c);
    if (verdict == ROCECC_REACTION_NOT_A_CNP) return XDP_PASS;
    if (is_notification(verdict)) verdict = admitted(x, c);
    count_verdict(verdict);
    if (verdict == ROCECC_REACTION_ORDINARY && !other_end())
        count(SOFTROCE_NO_QP);
    else if (is_notification(verdict) && !note(c))
        count(SOFTROCE_NO_FLOW);
    return XDP_DROP;
}
