/* SPDX-License-Identifier: BSD-2-Clause */
#define ROCECC_ACL_BPF_ENTRIES 4 /* the law's entries */
#define ROCECC_ACLINDEX_BPF_CELLS 4
#include "bpf.h"
#include "law/aclindex.h"

BPF_LAW(law_aclindex_any)
