/* SPDX-License-Identifier: BSD-2-Clause */

/* The half that loads, without the ICRC; find() and step() are among the exempt. */
#include "bpf.h"
#include "law/reaction_point.h"

BPF_LAW(law_reaction_admit)
