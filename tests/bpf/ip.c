/* SPDX-License-Identifier: BSD-2-Clause */
#define ROCECC_IP6EXT_MAX 4 /* as in BPF, also for the host's digests */
#include "bpf.h"
#include "law/ip.h"

BPF_LAW(law_ip)
