/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_SCHEMA_H
#define ROCEDUMP_SCHEMA_H

/* schema.h - the JSON schema of a line of --json. schema.json is this output. */
#include <stdio.h>

void schema_print(FILE *out);

#endif /* ROCEDUMP_SCHEMA_H */
