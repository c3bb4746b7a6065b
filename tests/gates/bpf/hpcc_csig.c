/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/hpcc.h"

BPF_LAW(law_hpcc_csig)
