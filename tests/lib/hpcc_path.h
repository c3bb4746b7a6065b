/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_HPCC_PATH_H
#define TESTS_LIB_HPCC_PATH_H

/* hpcc_path.h - a flow of HPCC over two hops, and its last report. */
#include "lib/hpcc.h"

#define ALL                                                                            \
    (ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE | ROCECC_HOP_TX | ROCECC_HOP_TS)
#define NO_QUEUE (ALL ^ ROCECC_HOP_QUEUE)

typedef struct path {
    rocecc_hpcc_params p;
    rocecc_hpcc s;
    rocecc_hpcc_hop l[2];
    rocecc_hop hops[2];
    rocecc_hpcc_event r;
} path;

static inline rocecc_hpcc_action ack(path *f, uint32_t seq)
{
    f->r.hops = f->hops;
    f->r.seq = seq;
    f->r.snd_nxt = seq + 100;
    return rocecc_hpcc_ack(&f->p, &f->s, f->l, &f->r);
}

#endif /* TESTS_LIB_HPCC_PATH_H */
