/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/backlog.h"

BPF_LAW(law_backlog)
