/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/flowtable.h"

BPF_LAW(law_flowtable)
