/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/bth.h"

BPF_LAW(law_bth)
