/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The library in one object, as a build may have it. ROCECC_FN is `inline` in every
 * test file, so that none has its own library functions, and `extern inline` here.
 * So functions with long loops are compiled once, and may be optimised.
 *
 * `make test` compiles two halves at the same time. LIBRARY_HALF=1 has the functions of
 * role/echo.h and of all headers that it includes, and LIBRARY_HALF=2 has all other
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
