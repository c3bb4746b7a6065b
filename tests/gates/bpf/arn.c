/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/arn.h"

BPF_LAW(law_arn)
