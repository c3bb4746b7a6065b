/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_LIB_NETWORK_H
#define EXAMPLES_LIB_NETWORK_H

/*
 * network.h - what the network of a tool has agreed on: the numbers of the laboratory,
 * which are a tool's defaults and never the library's, and --config GROUP.MEMBER=VALUE.
 */
#include "rocecc/packet/domain.h"

/* Sets the numbers of the laboratory; all else stays as it is. */
void network_default(rocecc_domain *d);

/* Sets "l3qcn.port" and the like; false where there is no such member or value. */
bool network_set(rocecc_domain *d, const char *name, const char *value);

/* Member i of all that network_set() takes, which is called *group and its name; the
 * part of d that has it is *record. NULL: there are fewer. */
const struct rocecc_field *network_member(const rocecc_domain *d, size_t i,
                                          const char **group, const void **record);

#endif /* EXAMPLES_LIB_NETWORK_H */
