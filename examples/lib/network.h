/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_LIB_NETWORK_H
#define EXAMPLES_LIB_NETWORK_H

/*
 * network.h - the domain of a tool. Its laboratory values are defaults only in the
 * tools, not in the library. --config GROUP.MEMBER=VALUE changes it.
 */
#include "rocecc/packet/domain.h"

/* Sets the tools' defaults. All other members are unchanged. */
void network_default(rocecc_domain *d);

/* Sets a member, e.g. "l3qcn.port". Returns false if the member or value is invalid. */
bool network_set(rocecc_domain *d, const char *name, const char *value);

/*
 * Returns member i of those that network_set() accepts, or NULL if i is too large. Its
 * name there begins with *group, and *record is the struct that contains it.
 */
const struct rocecc_field *network_member(const rocecc_domain *d, size_t i,
                                          const char **group, const void **record);

/* Returns the member that network_set() finds under this name, or NULL. */
const struct rocecc_field *network_field(const char *name);

#endif /* EXAMPLES_LIB_NETWORK_H */
