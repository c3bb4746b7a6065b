/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_LIB_PREFIX_H
#define EXAMPLES_LIB_PREFIX_H

/* prefix.h - prefixes as a user writes them, for access lists. */
#include <stdbool.h>

#include "rocecc/guard/acl.h"

/* A decimal number up to most; false: it is not one. */
bool prefix_number(const char *text, unsigned long most, unsigned long *v);

/*
 * ADDRESS or ADDRESS/LENGTH, into prefix and length of *e: 192.0.2.0/24 is
 * ::ffff:192.0.2.0/120. False where it is neither; *e may have changed.
 */
bool prefix_read(const char *text, rocecc_acl_entry *e);

#endif /* EXAMPLES_LIB_PREFIX_H */
