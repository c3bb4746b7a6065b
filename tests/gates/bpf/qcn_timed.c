/* SPDX-License-Identifier: BSD-2-Clause */

/* low, because the verifier follows each expiry in a call */
#define ROCECC_QCN_RP_TIMED_EXPIRIES_MAX 8
#include "bpf.h"
#include "law/qcn_timed.h"

BPF_LAW(law_qcn_timed_run)
