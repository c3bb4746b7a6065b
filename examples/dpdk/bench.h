/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DPDK_BENCH_H
#define DPDK_BENCH_H

#include "pipeline.h"

/* Keeps the packets that a port gives, and prints what one costs, in cycles of the
 * TSC: in the pipeline, for its ICRC alone, and in rte_net_get_ptype(). */
void bench(pipeline *p, uint16_t port);

#endif /* DPDK_BENCH_H */
