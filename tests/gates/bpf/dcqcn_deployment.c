/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/dcqcn_deployment.h"

BPF_LAW(law_dcqcn_deployment)
