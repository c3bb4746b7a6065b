/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/ask.h"

BPF_LAW(law_ask)
