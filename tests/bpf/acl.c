/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/acl.h"

BPF_LAW(law_acl_chain)
