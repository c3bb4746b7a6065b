/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/abw.h"

BPF_LAW(law_abw)
