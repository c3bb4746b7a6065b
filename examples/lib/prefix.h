/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_LIB_PREFIX_H
#define EXAMPLES_LIB_PREFIX_H

/* prefix.h - parses the prefixes of access lists from text. */
#include <stdbool.h>

#include "rocecc/guard/acl.h"

/* Parses a decimal number up to `most`. Returns false for other text. */
bool prefix_number(const char *text, unsigned long most, unsigned long *v);

/*
 * Parses ADDRESS or ADDRESS/LENGTH into prefix and length of *e. 192.0.2.0/24 becomes
 * ::ffff:192.0.2.0/120. Returns false for other text, and *e may have changed.
 */
bool prefix_read(const char *text, rocecc_acl_entry *e);

#endif /* EXAMPLES_LIB_PREFIX_H */
