/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Reads messages. flow_control_frame.c reads packets, and flow_control_out.c writes
 * messages.
 */
#include "bpf.h"
#include "law/flow_control.h"

BPF_LAW(law_flow_control)
