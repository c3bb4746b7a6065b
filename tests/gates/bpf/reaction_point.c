/* SPDX-License-Identifier: BSD-2-Clause */

/* The half after find(), without the ICRC; reaction_point_find.c has the other one. */
#include "bpf.h"
#include "law/reaction_point.h"

BPF_LAW(law_reaction_admit)
