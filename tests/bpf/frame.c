/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/frame.h"

BPF_LAW(law_frame)
