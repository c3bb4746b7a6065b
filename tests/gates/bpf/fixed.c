/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/fixed.h"

BPF_LAW(law_fixed)
