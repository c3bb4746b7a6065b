/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * receiver.c - a notification point for an RDMA stack without DCQCN, in three programs
 * on one device.
 *
 *   take_out  XDP. Keeps an IOAM trace, and removes its options header, because rxe
 *             would drop the packet.
 *   notice    tc, at ingress. If RoCEv2 arrives with CE and the QP's gate is open,
 *             sends a clone out of the device. The packet itself goes on to the stack.
 *   answer    tc, at egress. Writes the CNP over the clone (role/notification_point.h).
 *
 * The clone is sent within notice's call, on the same CPU, so a per-CPU map passes data
 * to answer. A QP is not answered while its other end is unknown, because a CNP to QP 0
 * slows down no flow.
 */
#include "bpf.h"

#include <linux/pkt_cls.h>

#include "rocecc/packet/ioam.h"

/* State of the clone under way. `waits` is set until it reaches answer. */
typedef struct softroce_clone {
    uint32_t qp, src_qp, waits;
} softroce_clone;

MAP(gates, BPF_MAP_TYPE_LRU_HASH, uint32_t, rocecc_cnpgate, SOFTROCE_FLOWS);
MAP(clones, BPF_MAP_TYPE_PERCPU_ARRAY, uint32_t, softroce_clone, 1);
MAP(said, BPF_MAP_TYPE_PERCPU_ARRAY, uint32_t, rocecc_notification_result, 1);

MAP(trace, BPF_MAP_TYPE_ARRAY, uint32_t, softroce_trace, 1);

ROCECC_FN softroce_clone *under_way(void)
{
    return ONE(clones);
}

ROCECC_FN rocecc_cnpgate *gate_of(uint32_t qp)
{
    const rocecc_cnpgate none = {0, 0, 0};
    rocecc_cnpgate *gate = bpf_map_lookup_elem(&gates, &qp);
    if (gate != NULL) return gate;
    (void)bpf_map_update_elem(&gates, &qp, &none, BPF_NOEXIST);
    return bpf_map_lookup_elem(&gates, &qp);
}

/* Returns the length of the hop-by-hop header if it has a trace and is the only
 * extension header, or else 0. */
GLOBAL int trace_bytes(struct xdp_md *x, const softroce_config *c)
{
    const rocecc_headers *f = found();
    rocecc_ioam_option option;
    rocecc_packet p;
    if (c == NULL || f == NULL) return 0;
    if (f->kind != ROCECC_PACKET_KIND_ROCEV2 || f->ip.version != 6 ||
        f->ip.n_ext != 1 || f->ip.hop_by_hop == 0 || f->ip.offset != 14 ||
        f->outer.version != 0)
        return 0;
    p = PACKET(x, c, f);
    if (rocecc_ioam_find(&p, &option) != ROCECC_OK) return 0;
    return f->ip.upper - (14 + ROCECC_IPV6_BYTES);
}

/* Removes the options header, and keeps a copy of its first SOFTROCE_IOAM_BYTES. Moves
 * the Ethernet and IPv6 headers up to UDP, and adjusts the length and Next Header. */
GLOBAL int without(struct xdp_md *x, int bytes)
{
    softroce_trace *kept = ONE(trace);
    uint8_t *b = (uint8_t *)(long)x->data;
    uint8_t headers[14 + ROCECC_IPV6_BYTES];
    if (kept == NULL || bytes < 8 || bytes > 2048) return 0;
    if (b + sizeof headers + SOFTROCE_IOAM_BYTES > (uint8_t *)(long)x->data_end)
        return 0;
    __builtin_memcpy(headers, b, sizeof headers);
    __builtin_memcpy(kept->header, b + sizeof headers, SOFTROCE_IOAM_BYTES);
    headers[14 + 6] = b[sizeof headers];
    rocecc_store16(headers + 14 + 4,
                   (uint16_t)(rocecc_load16(headers + 14 + 4) - (uint32_t)bytes));
    if (bpf_xdp_adjust_head(x, bytes) != 0) return 0;
    b = (uint8_t *)(long)x->data;
    if (b + sizeof headers > (uint8_t *)(long)x->data_end) return 0;
    __builtin_memcpy(b, headers, sizeof headers);
    count(SOFTROCE_TRACES);
    return 1;
}

SEC("xdp") int take_out(struct xdp_md *x)
{
    const softroce_config *c = configured();
    int bytes;
    if (c == NULL || locate_xdp(x, c) != ROCECC_OK) return XDP_PASS;
    bytes = trace_bytes(x, c);
    if (bytes > 0) (void)without(x, bytes);
    return XDP_PASS;
}

/* Returns the DestQP of a RoCEv2 packet that is marked CE, or else -1. */
GLOBAL int marked(struct __sk_buff *x, const softroce_config *c)
{
    const rocecc_headers *f = found();
    rocecc_packet p;
    rocecc_reader r;
    rocecc_bth bth;
    rocecc_ip ip;
    if (c == NULL || f == NULL) return -1;
    p = PACKET(x, c, f);
    if (f->kind != ROCECC_PACKET_KIND_ROCEV2 || f->bth == 0) return -1;
    r = rocecc_subrange(p.bytes, f->bth, f->end);
    if (rocecc_packet_ip(&p, &f->ip, &ip) != ROCECC_OK || ip.ecn != ROCECC_ECN_CE ||
        rocecc_bth_parse(&r, &bth) != ROCECC_OK)
        return -1;
    return (int)bth.dest_qp;
}

/* Returns true if a gate would let a CNP pass. Only answer changes the gate. */
ROCECC_FN bool is_open(const softroce_config *c, const rocecc_cnpgate *gate)
{
    rocecc_cnpgate as_it_is = *gate;
    return rocecc_cnpgate_ce(&c->notification.gate, &as_it_is, bpf_ktime_get_ns()).send;
}

SEC("tc") int notice(struct __sk_buff *x)
{
    const softroce_config *c = configured();
    softroce_clone *clone = under_way();
    const rocecc_cnpgate *gate;
    const uint32_t *src_qp;
    uint32_t qp;
    if (c == NULL || clone == NULL || locate(x, c) != ROCECC_OK) return TC_ACT_OK;
    qp = (uint32_t)marked(x, c);
    if (qp >> 24 != 0) return TC_ACT_OK;
    src_qp = bpf_map_lookup_elem(&qps, &qp);
    if (src_qp == NULL) {
        count(SOFTROCE_NO_QP);
        return TC_ACT_OK;
    }
    gate = gate_of(qp);
    if (gate == NULL || !is_open(c, gate)) {
        count(SOFTROCE_ANSWERS + ROCECC_NOTIFICATION_HELD);
        return TC_ACT_OK;
    }
    clone->qp = qp;
    clone->src_qp = *src_qp;
    clone->waits = 1;
    if (bpf_clone_redirect(x, x->ifindex, 0) != 0) count(SOFTROCE_FAILED);
    clone->waits = 0;
    return TC_ACT_OK;
}

/* Writes the CNP over the clone, from its IP header on. Returns its length, or 0 if the
 * role does not send one. */
GLOBAL int write_cnp(struct __sk_buff *x, const softroce_config *c)
{
    rocecc_notification_result *out = ONE(said);
    const softroce_clone *clone = under_way();
    const rocecc_headers *f = found();
    uint8_t *begin = (uint8_t *)(long)x->data;
    uint8_t *end = (uint8_t *)(long)x->data_end;
    rocecc_notification_event e = {0, 0, false};
    rocecc_cnpgate *gate;
    rocecc_packet p;
    rocecc_writer w;
    if (c == NULL || f == NULL || out == NULL || clone == NULL || begin + 14 > end)
        return 0;
    gate = gate_of(clone->qp);
    if (gate == NULL) return 0;
    e.now_ns = bpf_ktime_get_ns();
    e.src_qp = clone->src_qp;
    w = rocecc_writer_of(begin + 14, end);
    p = PACKET(x, c, f);
    *out = rocecc_notification_point_step(&c->notification, gate, &p, e, &w);
    count(SOFTROCE_ANSWERS + (uint32_t)out->verdict);
    return out->verdict == ROCECC_NOTIFICATION_SENT ? (int)w.at : 0;
}

/* Swaps the Ethernet addresses. */
GLOBAL int turn_round(struct __sk_buff *x)
{
    uint8_t *b = (uint8_t *)(long)x->data;
    rocecc_mac dst, src;
    if (b + 14 > (uint8_t *)(long)x->data_end) return 0;
    dst = rocecc_mac_load(b);
    src = rocecc_mac_load(b + 6);
    rocecc_mac_store(b, &src);
    rocecc_mac_store(b + 6, &dst);
    return 1;
}

SEC("tc") int answer(struct __sk_buff *x)
{
    const softroce_config *c = configured();
    softroce_clone *clone = under_way();
    int bytes;
    if (c == NULL || clone == NULL || clone->waits == 0) return TC_ACT_OK;
    clone->waits = 0;
    if (locate(x, c) != ROCECC_OK) return TC_ACT_SHOT;
    bytes = write_cnp(x, c);
    if (bytes <= 0 || !turn_round(x)) return TC_ACT_SHOT;
    return bpf_skb_change_tail(x, 14 + (uint32_t)bytes, 0) == 0 ? TC_ACT_OK
                                                                : TC_ACT_SHOT;
}
