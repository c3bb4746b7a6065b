/* SPDX-License-Identifier: BSD-2-Clause */
#define ROCECC_SFLOW_RECORDS_MAX 8 /* BPF's limit, for the same results */
#include "bpf.h"
#include "law/sflow.h"

BPF_LAW(law_sflow)
