/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/udp.h"

BPF_LAW(law_udp)
