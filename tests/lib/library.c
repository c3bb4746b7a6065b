/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The library in one object, as a build may have it: ROCECC_FN is `inline` in every
 * file of the tests, so that none has functions of its own, and `extern inline` here.
 * What loops in them for long may so be optimised, and is compiled once.
 */
#define ROCECC_FN extern inline
#include "rocecc/rocecc.h"
