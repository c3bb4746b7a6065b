/* SPDX-License-Identifier: BSD-2-Clause */
#define ROCECC_ACL_BPF_ENTRIES 4 /* the law's entries */
#include "bpf.h"
#include "law/acl.h"

BPF_LAW(law_acl_chain)
