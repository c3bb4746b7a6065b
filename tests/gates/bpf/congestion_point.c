/* SPDX-License-Identifier: BSD-2-Clause */

/* Checks the configuration. The other congestion_point_ files process packets. */
#include "bpf.h"
#include "law/congestion_point.h"

BPF_LAW(law_congestion_init)
