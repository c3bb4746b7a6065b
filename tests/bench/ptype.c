/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ptype.c - whether a frame is a CNP, beside DPDK's walk: rte_net_get_ptype() names the
 * layers and their lengths, and looks at no BTH. A frame of RoCEv1 is none to it.
 *
 * bench: pkg: libdpdk
 */
#include "bench.h"

#include <rte_mbuf.h>
#include <rte_net.h>

#include "../../examples/lib/vec.h"
#include "rocecc/packet/cnp.h"

#define FRAMES 16

static const char *const mix[FRAMES] = {"cx4-cnp",   "uc-send4", "uc-send4", "uc-send4",
                                        "ack",       "ack",      "cnp4",     "cnp6",
                                        "uc-send6",  "uc-send6", "write6",   "ctag",
                                        "stag-ctag", "fc-trail", "v1-write", "arp"};

static vec_packet frames[FRAMES];
static struct rte_mbuf mbufs[FRAMES];
static rocecc_domain domain; /* all off, which compilers do not know */

static void ours(unsigned i)
{
    const vec_packet *f = &frames[i % FRAMES];
    rocecc_packet p;
    bool is = rocecc_packet_of(&domain, rocecc_reader_of(f->bytes, f->bytes + f->n),
                               &p) == ROCECC_OK;
    is = is && rocecc_cnp_match(&p);
    bench_keep(is);
}

static void ptype(unsigned i)
{
    struct rte_net_hdr_lens lens;
    const uint32_t type =
        rte_net_get_ptype(&mbufs[i % FRAMES], &lens, RTE_PTYPE_ALL_MASK);
    bench_keep(type);
}

static const bench_row rows[] = {
    {"is it a CNP, beside a walk to L4", "DPDK ptype", ours, ptype, BENCH_INSTRUCTIONS,
     1.0},
};

int main(int argc, char **argv)
{
    unsigned i;
    bench_keep(&domain);
    for (i = 0; i < FRAMES; i++) {
        frames[i] = vec_find("vectors/frame.vec", mix[i]);
        mbufs[i].buf_addr = frames[i].bytes;
        mbufs[i].data_len = (uint16_t)frames[i].n;
        mbufs[i].pkt_len = (uint32_t)frames[i].n;
        mbufs[i].nb_segs = 1;
    }
    return BENCH_MAIN(rows);
}
