/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DPDK_BENCH_H
#define DPDK_BENCH_H

#include "pipeline.h"

/*
 * Receives packets from a port, and prints the TSC cycles per packet for the pipeline,
 * the ICRC and rte_net_get_ptype().
 */
void bench(pipeline *p, uint16_t port);

#endif /* DPDK_BENCH_H */
