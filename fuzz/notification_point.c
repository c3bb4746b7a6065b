/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/notification_point.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_notification_point)
