/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_QCN_H
#define ROCECC_ALGO_QCN_H

/*
 * qcn.h - quantized congestion notification (QCN), IEEE 802.1Q (802.1Qau), clauses 30
 * to 33. CNMs are QCN's congestion notification messages.
 *
 *   qcn_cp.h     the congestion point, which samples a queue and decides on CNMs
 *   qcn_rp.h     the reaction point, which sets a flow's rate, for a host with timers
 *   qcn_timed.h  the reaction point for a host that polls
 */
#include "qcn_cp.h"
#include "qcn_rp.h"
#include "qcn_timed.h"

#endif /* ROCECC_ALGO_QCN_H */
