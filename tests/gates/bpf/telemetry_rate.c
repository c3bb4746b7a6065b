/* SPDX-License-Identifier: BSD-2-Clause */
#define ROCECC_TELEMETRY_RATES_BPF_ENTRIES 8 /* the law's entries */
#include "bpf.h"
#include "law/telemetry_rate.h"

BPF_LAW(law_telemetry_rate)
