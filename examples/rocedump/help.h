/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_HELP_H
#define ROCEDUMP_HELP_H

/* help.h - the text of --help, short and long. */
#include <stdio.h>

extern const char help_usage[];
void help_print(FILE *out);

#endif /* ROCEDUMP_HELP_H */
