/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/ecntunnel.h"

BPF_LAW(law_ecntunnel)
