/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/tokenbucket.h"

BPF_LAW(law_tokenbucket)
