/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/tcp.h"
#include "lib/fuzz.h"

FUZZ(law_tcp)
