/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/overlay.h"

BPF_LAW(law_overlay)
