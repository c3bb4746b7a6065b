/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * As clang 14 makes it with -Os, lookup() does not find what learn() wrote; as clang 19
 * makes it with -Os or -mcpu=v3, it has more ways than the verifier follows.
 */
/* bpf-flags: -mcpu=generic -O2 */
#include "bpf.h"
#include "law/flowtable.h"

BPF_LAW(law_flowtable)
