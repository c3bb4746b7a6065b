/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ptype.c - compares the test for a CNP, and its QP, with DPDK. Its rte_net_get_ptype()
 * finds the layers and their lengths up to UDP, and the program reads the port, the
 * opcode and the QP.
 *
 * bench: pkg: libdpdk
 */
#include "bench.h"

#include <rte_mbuf.h>
#include <rte_net.h>

#include "by_hand.h"
#include "traffic.h"
#include "rocecc/packet/cnp.h"

#define NOT_A_CNP UINT32_MAX

static struct rte_mbuf mbufs[TRAFFIC_FRAMES];
static rocecc_domain domain; /* all off, but compilers do not know it */

static inline uint32_t by_library(unsigned i)
{
    const traffic_frame *f = &traffic[i];
    rocecc_packet p;
    if (rocecc_packet_parse(&domain, rocecc_reader_of(f->b, f->b + f->n), &p) !=
            ROCECC_OK ||
        !rocecc_cnp_match(&p))
        return NOT_A_CNP;
    return hand_load32(f->b + p.headers.bth + 4) & 0xffffff;
}

static inline uint32_t by_dpdk(unsigned i)
{
    const traffic_frame *f = &traffic[i];
    struct rte_net_hdr_lens lens;
    const uint32_t type = rte_net_get_ptype(&mbufs[i], &lens, RTE_PTYPE_ALL_MASK);
    const size_t udp = (size_t)lens.l2_len + lens.l3_len;
    if ((type & RTE_PTYPE_L4_MASK) != RTE_PTYPE_L4_UDP || f->n < udp + 8 + 12 ||
        hand_load16(f->b + udp + 2) != 4791 || f->b[udp + 8] != 0x81)
        return NOT_A_CNP;
    return hand_load32(f->b + udp + 12) & 0xffffff;
}

static void ours(unsigned i)
{
    const uint32_t qp = by_library(i % TRAFFIC_FRAMES);
    bench_keep(qp);
}

static void theirs(unsigned i)
{
    const uint32_t qp = by_dpdk(i % TRAFFIC_FRAMES);
    bench_keep(qp);
}

static const bench_row rows[] = {
    {"is it a CNP, beside DPDK", "DPDK ptype + BTH", ours, theirs, BENCH_BOTH, 1},
};

int main(int argc, char **argv)
{
    unsigned i;
    bench_keep(&domain);
    traffic_make();
    for (i = 0; i < TRAFFIC_FRAMES; i++) {
        mbufs[i].buf_addr = traffic[i].b;
        mbufs[i].data_len = traffic[i].n;
        mbufs[i].pkt_len = traffic[i].n;
        mbufs[i].nb_segs = 1;
        if (by_library(i) != by_dpdk(i)) bench_differs("DPDK", i);
    }
    return BENCH_MAIN(rows);
}
