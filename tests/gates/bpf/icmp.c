/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/icmp.h"

BPF_LAW(law_icmp)
