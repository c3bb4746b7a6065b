/* SPDX-License-Identifier: BSD-2-Clause */
#define ROCECC_ACL_BPF_ENTRIES 4
#include "bpf.h"
#include "law/admission.h"

BPF_LAW(law_admission_run)
