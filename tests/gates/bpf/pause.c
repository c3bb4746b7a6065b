/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/pause.h"

BPF_LAW(law_pause)
