/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/ldcp.h"

BPF_LAW(law_ldcp)
