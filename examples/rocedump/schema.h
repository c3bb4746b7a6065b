/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_SCHEMA_H
#define ROCEDUMP_SCHEMA_H

/* schema.h - what a line of --json is, as a JSON schema: schema.json is this output. */
#include <stdio.h>

void schema_print(FILE *out);

#endif /* ROCEDUMP_SCHEMA_H */
