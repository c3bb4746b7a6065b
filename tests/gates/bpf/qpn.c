/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Learns from a frame and looks up its flow, on every prefix of the rows. The table is
 * in maps and runs in parts, as in qpnlearner.c.
 */
#include "bpf.h"
#include "law/qpn.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_qpnlearner_params params; /* in maps */
rocecc_qpnlearner_slot half[LAW_QPN_ROLE_SLOTS], known[LAW_QPN_ROLE_SLOTS];
rocecc_acl_entry entries[2];
rocecc_qpnlearner_message message;

__attribute__((noinline)) int find(struct xdp_md *x)
{
    const rocecc_acl access = law_qpn_acl(entries);
    const rocecc_qpn_event e = {5, &access, half, known};
    rocecc_packet at;
    if (is_empty(x)) return 0;
    at = attached(x);
    return (int)rocecc_qpn_find(&at, &e, &message);
}

/* Handles only a REQ, because other messages do not change an empty table. */
__attribute__((noinline)) int learn(struct xdp_md *x)
{
    rocecc_qpnlearner_params p = params;
    rocecc_qpnlearner_key_ k;
    if (is_empty(x) || message.kind != ROCECC_QPNLEARNER_REQ ||
        !rocecc_qpnlearner_is_data_qpn_(message.qpn))
        return ROCECC_QPNLEARNER_STRAY;
    p.half = LAW_QPN_ROLE_SLOTS;
    k = rocecc_qpnlearner_key_of_(&p, &message.src, &message.dst, message.src_id, true);
    return (int)rocecc_qpnlearner_on_req_(&p, half, &message, &k, 5);
}

__attribute__((noinline)) int lookup(struct xdp_md *x)
{
    const rocecc_qpn_event e = {5, NULL, half, known};
    rocecc_qpnlearner_params p = params;
    rocecc_packet at;
    uint32_t qpn = 0;
    if (is_empty(x)) return 0;
    p.known = LAW_QPN_ROLE_SLOTS; /* a constant for the verifier */
    at = attached(x);
    return rocecc_qpn_lookup(&p, &at, &e, &qpn);
}

__attribute__((noinline)) int start(struct xdp_md *x)
{
    if (is_empty(x)) return 0;
    domain = law_packet_plain(packet(x));
    params = law_qpn_role_params();
    rocecc_qpnlearner_start(half, LAW_QPN_ROLE_SLOTS);
    rocecc_qpnlearner_start(known, LAW_QPN_ROLE_SLOTS);
    return 1;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    uint32_t digest, asked = 0;
    int verdict;
    if (start(x) == 0) return 0;
    (void)walk(x);
    verdict = find(x);
    if (verdict == ROCECC_QPN_LEARNED) asked = learn(x) == ROCECC_QPNLEARNER_ASKED;
    digest = law_mix(LAW_START, (uint32_t)verdict);
    digest += (uint32_t)lookup(x); /* 0, as one message makes no connection */
    return (int)law_mix(digest, asked);
}
#else
BPF_LAW(law_qpn)
#endif
