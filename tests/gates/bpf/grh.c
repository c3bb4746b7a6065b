/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/grh.h"

BPF_LAW(law_grh)
