/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * librocecc.c - one compiled copy of every function, for programs with many files.
 * Compile those files with -DROCECC_FN=inline. The compiler still inlines short
 * functions, and calls this copy of all others. No file has a copy of its own.
 */
#define ROCECC_FN
#include "rocecc/rocecc.h"
