/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/ext.h"

BPF_LAW(law_ext)
