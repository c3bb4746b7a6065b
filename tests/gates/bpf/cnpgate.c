/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/cnpgate.h"

BPF_LAW(law_cnpgate)
