/* SPDX-License-Identifier: BSD-2-Clause */

/* The configuration; congestion_point_mark.c and congestion_point_parts.c, packets. */
#include "bpf.h"
#include "law/congestion_point.h"

BPF_LAW(law_congestion_init)
