/* SPDX-License-Identifier: BSD-2-Clause */

/* The messages; flow_control_frame.c has the packets, flow_control_out.c the answers.
 */
#include "bpf.h"
#include "law/flow_control.h"

BPF_LAW(law_flow_control)
