/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_MCDC_LIBRARY_H
#define TESTS_MCDC_LIBRARY_H

/*
 * library.h - the library before the first line of each test, with its functions in
 * one object (the one with MCDC_HERE) and not in each: what all tests together reach
 * is then counted in one place. The laws and tests keep their own functions.
 */
#ifdef MCDC_HERE
#define ROCECC_FN extern inline
#else
#define ROCECC_FN inline
#endif
#include "rocecc/rocecc.h"
#undef ROCECC_FN
#define ROCECC_FN static inline

#endif /* TESTS_MCDC_LIBRARY_H */
