/* SPDX-License-Identifier: BSD-2-Clause */

/* Its configuration; notification_point_step.c has the rest. */
#include "bpf.h"
#include "law/notification_point.h"

BPF_LAW(law_notification_init)
