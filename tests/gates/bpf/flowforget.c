/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/flowforget.h"

BPF_LAW(law_flowforget)
