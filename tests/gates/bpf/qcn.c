/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/qcn.h"

BPF_LAW(law_qcn)
