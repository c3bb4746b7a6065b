/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * librocecc.c - one compiled copy of every function, for programs of many files. Those
 * are compiled with -DROCECC_FN=inline: what is short the compiler still puts where it
 * is called, and for the rest there is a call. No file has a copy of its own.
 */
#define ROCECC_FN
#include "rocecc/rocecc.h"
