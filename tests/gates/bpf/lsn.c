/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/lsn.h"

BPF_LAW(law_lsn)
