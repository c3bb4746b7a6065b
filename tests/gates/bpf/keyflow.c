/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/keyflow.h"

BPF_LAW(law_keyflow)
