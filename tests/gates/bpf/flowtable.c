/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * -O3 unrolls the search. With -Os and clang 14, lookup() does not find the entries
 * from learn(). With -Os or -O2 and clang 19, there are more paths than the verifier
 * follows. With -O2 and clang 14, Linux 6.1 takes a loop for endless.
 */
/* bpf-flags: -O3 */
#define ROCECC_FLOWTABLE_BPF_BUCKETS 4 /* the law's buckets */
#include "bpf.h"
#include "law/flowtable.h"

BPF_LAW(law_flowtable)
