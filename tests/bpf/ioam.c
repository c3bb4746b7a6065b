/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/ioam.h"

BPF_LAW(law_ioam)
