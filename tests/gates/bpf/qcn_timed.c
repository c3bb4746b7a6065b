/* SPDX-License-Identifier: BSD-2-Clause */

/* The verifier follows each expiry of a call. */
#define ROCECC_QCN_RP_TIMED_EXPIRIES_MAX 8
#include "bpf.h"
#include "law/qcn_timed.h"

BPF_LAW(law_qcn_timed_run)
