/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Runs admit(), the half after find(), without the ICRC. reaction_point_find.c runs
 * find().
 */
#include "bpf.h"
#include "law/reaction_point.h"

BPF_LAW(law_reaction_admit)
