/* SPDX-License-Identifier: BSD-2-Clause */
#include "segments.h"

rocecc_reader segments_first(const struct rte_mbuf *m)
{
    const uint8_t *b = rte_pktmbuf_mtod(m, const uint8_t *);
    return rocecc_reader_of(b, b + rte_pktmbuf_data_len(m));
}

void segments_gather(const struct rte_mbuf *m, uint8_t *head, rocecc_packet *p)
{
    const uint32_t bytes =
        RTE_MIN(rte_pktmbuf_pkt_len(m), (uint32_t)SEGMENTS_HEAD_BYTES);
    const bool whole = p->headers.end <= p->bytes.end || !rocecc_cnp_match(p);
    const uint8_t *b;
    if (m->nb_segs == 1 || (p->headers.status != ROCECC_ERR_SHORT && whole)) return;
    b = rte_pktmbuf_read(m, 0, bytes, head);
    if (b != NULL)
        (void)rocecc_packet_parse(p->domain, rocecc_reader_of(b, b + bytes), p);
}

/* Updates the state with the bytes of m from `from` to before `to`. */
static uint32_t crc_of(uint32_t state, const struct rte_mbuf *m, uint32_t from,
                       uint32_t to)
{
    uint32_t at = 0;
    for (; m != NULL && at < to; m = m->next) {
        const uint8_t *b = rte_pktmbuf_mtod(m, const uint8_t *);
        const uint32_t end = at + rte_pktmbuf_data_len(m);
        const uint32_t first = RTE_MAX(from, at), last = RTE_MIN(to, end);
        if (first < last)
            state = rocecc_icrc_update(
                state, rocecc_reader_of(b + (first - at), b + (last - at)));
        at = end;
    }
    return state;
}

/* Checks the ICRC by one rule, not AUTO. */
static bool right_by(rocecc_icrc_rule rule, const struct rte_mbuf *m,
                     const rocecc_packet *p)
{
    const uint32_t from = p->headers.bth + (uint32_t)ROCECC_BTH_BYTES;
    const uint32_t to = p->headers.end - (uint32_t)ROCECC_ICRC_BYTES;
    uint8_t copy[ROCECC_ICRC_BYTES];
    uint32_t state = 0;
    const uint8_t *icrc = rte_pktmbuf_read(m, to, sizeof copy, copy);
    if (icrc == NULL || rocecc_icrc_init(rule, p, &state) != ROCECC_OK) return false;
    return rocecc_icrc_final(crc_of(state, m, from, to)) == rocecc_icrc_load(icrc);
}

bool segments_icrc(rocecc_icrc_rule rule, const struct rte_mbuf *m,
                   const rocecc_packet *p)
{
    if (p->headers.bth == 0 || p->headers.end > rte_pktmbuf_pkt_len(m)) return false;
    if (rule != ROCECC_ICRC_AUTO) return right_by(rule, m, p);
    if (p->headers.ip.n_ext == 0) return right_by(ROCECC_ICRC_STANDARD, m, p);
    return right_by(ROCECC_ICRC_MASKED, m, p) || right_by(ROCECC_ICRC_LITERAL, m, p) ||
           right_by(ROCECC_ICRC_STRIPPED, m, p);
}
