/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/srv6.h"

BPF_LAW(law_srv6)
