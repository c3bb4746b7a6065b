/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * -O3 unrolls the search. By -Os of clang 14, lookup() does not find what learn()
 * wrote; by -Os and -O2 of clang 19 there are more ways than the verifier follows, and
 * a loop of clang 14's -O2 is one that 6.1 takes for endless.
 */
/* bpf-flags: -O3 */
#define ROCECC_FLOWTABLE_BPF_BUCKETS 4 /* of the law */
#include "bpf.h"
#include "law/flowtable.h"

BPF_LAW(law_flowtable)
