/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/wred.h"

BPF_LAW(law_wred)
