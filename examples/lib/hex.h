/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_LIB_HEX_H
#define EXAMPLES_LIB_HEX_H

/*
 * hex.h - values of HEX members on a command line. In JSON, a HEX member has all of
 * its digits and no 0x. A user may mean a shorter number without 0x as decimal, so the
 * tools reject such a number. A single digit is accepted, because 0 to 9 are the same
 * numbers in hex.
 */
#include "field.h"

/*
 * Returns the value without 0x if it begins with 0x, and the value itself if it has one
 * character or as many characters as in JSON. Otherwise returns "". Does not check the
 * digits.
 */
const char *hex_digits(const field *f, const char *text);

/* Returns a message, "expected ...", about what the tools accept. The next call
 * overwrites it. */
const char *hex_expected(const field *f);

#endif /* EXAMPLES_LIB_HEX_H */
