/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The library in one object, as a build may have it: ROCECC_FN is `inline` in every
 * file of the tests, so that none has functions of its own, and `extern inline` here.
 * What loops in them for long may so be optimised, and is compiled once.
 *
 * `make test` compiles two halves at the same time. LIBRARY_HALF=1 has the functions of
 * role/echo.h and of all headers that it includes, LIBRARY_HALF=2 has all other
 * functions. Without LIBRARY_HALF the object has the whole library.
 */
#ifndef LIBRARY_HALF
#define LIBRARY_HALF 0
#endif

#if LIBRARY_HALF == 2
#define ROCECC_FN inline
#else
#define ROCECC_FN extern inline
#endif
#include "rocecc/role/echo.h"

#if LIBRARY_HALF != 1
#undef ROCECC_FN
#define ROCECC_FN extern inline
#include "rocecc/rocecc.h"
#endif
