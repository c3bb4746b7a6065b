/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/ip.h"

BPF_LAW(law_ip)
