/* SPDX-License-Identifier: BSD-2-Clause */

/* The configuration; l3qcn_tor_parts.c has what learn() and convert() take from frames:
 * those two keep more on their stack than BPF has. */
#include "bpf.h"
#include "law/l3qcn_tor.h"

BPF_LAW(law_l3qcn_tor_init)
