/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ip6opt.h"
#include "lib/fuzz.h"
#include "lib/mend.h"

FUZZ(law_ip6opt)
FUZZ_MEND(mend_header)
