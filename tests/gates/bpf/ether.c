/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/ether.h"

BPF_LAW(law_ether)
