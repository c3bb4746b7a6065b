/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_ROLE_H
#define TESTS_LIB_ROLE_H

/*
 * role.h - the settings of a row of a role, as members of its configuration and of the
 * domain, and as an access list.
 */
#include <stddef.h>

#include "../../examples/lib/field.h"
#include "../../examples/lib/vec.h"
#include "rocecc/guard/acl.h"
#include "rocecc/packet/arrival.h"

#define ROLE_ENTRIES 8

/* Access list from rows with access[0].prefix=... */
typedef struct role_list {
    rocecc_acl_entry entries[ROLE_ENTRIES];
    uint32_t n;
} role_list;

/*
 * Sets the member named by the key, or by prefix and key. Returns false without such a
 * member, or for a wrong value.
 */
bool role_set(const field *f, size_t n, const char *prefix, const vec_pair *pair,
              void *record);

/* Sets a member of a list entry. Returns false for another pair. */
bool role_set_access(const char *list_name, const vec_pair *pair, role_list *list);

/* Returns the list for lookups. The test fails if an entry is rejected. */
rocecc_acl role_acl(role_list *list);

/* Names of rocecc_arrival_verdict. */
#define ROLE_ARRIVAL_NAMES                                                             \
    "ok no_ip partial bad_checksum bad_source bad_destination bad_options "            \
    "unknown_option unknown_header segments_left unsupported"

/* Makes the offset of an ICMP error count from the frame at `start`, as in rows. */
void role_icmp(rocecc_icmp_error *error, size_t start);

#define ROLE_SOURCE 256

/* Returns true if a row has another source than `now`, and copies it to `now`. */
bool role_source(const vec_row *row, char *now);

#endif /* TESTS_LIB_ROLE_H */
