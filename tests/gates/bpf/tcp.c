/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/tcp.h"

BPF_LAW(law_tcp)
