/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ip6opt.h"
#include "prove.h"

PROVE(law_ip6opt)
