/* SPDX-License-Identifier: BSD-2-Clause */

/* Checks the configuration. notification_point_step.c runs the step. */
#include "bpf.h"
#include "law/notification_point.h"

BPF_LAW(law_notification_init)
