/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * algo.c - each step of an algorithm beside the same equations in double: the pairs of
 * tests/cost, whose heads say which rules a double keeps. A call is the step and what
 * makes its input, the same for both.
 */
#include "bench.h"

#define COST_MAIN(cases) /* those are for callgrind */
#include "cost/dcqcn.c"
#include "cost/hpcc.c"
#include "cost/ldcp.c"
#include "cost/qcn.c"
#include "cost/wred.c"

#define ALGO_ROW(what, step)                                                           \
    {                                                                                  \
        what, "double", step, step##_plain, BENCH_NS, 1                                \
    }

static const bench_row rows[] = {
    ALGO_ROW("HPCC++: an ACK of 5 hops", hpcc_ack),
    ALGO_ROW("HPCC++: an ACK of 5 hops, queues", hpcc_queued),
    ALGO_ROW("HPCC: an ACK with CSIG", hpcc_csig),
    ALGO_ROW("DCQCN: a CNP", dcqcn_cnp),
    ALGO_ROW("DCQCN: alpha's timer", dcqcn_alpha_timer),
    ALGO_ROW("DCQCN: the increase timer", dcqcn_increase_timer),
    ALGO_ROW("DCQCN: a packet is sent", dcqcn_sent),
    ALGO_ROW("QCN: a frame is offered", qcn_offer),
    ALGO_ROW("QCN: a frame is sampled", qcn_sample),
    ALGO_ROW("QCN: a CNM", qcn_cnm),
    ALGO_ROW("QCN: a packet is sent", qcn_sent),
    ALGO_ROW("QCN: RpWhile expires", qcn_stage),
    ALGO_ROW("LDCP: an ACK", ldcp_ack),
    ALGO_ROW("LDCP: may a packet leave", ldcp_may_send),
    ALGO_ROW("LDCP: may a packet leave, below one", ldcp_may_send_slow),
    ALGO_ROW("WRED: a packet", wred_decide),
    ALGO_ROW("RED: a packet", red_arrive),
    ALGO_ROW("RED: a packet after a rest", red_idle),
};

int main(int argc, char **argv)
{
    dcqcn_begin();
    hpcc_begin();
    ldcp_begin();
    qcn_begin();
    wred_begin();
    return BENCH_MAIN(rows);
}
