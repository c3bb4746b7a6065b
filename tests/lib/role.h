/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_ROLE_H
#define TESTS_LIB_ROLE_H

/*
 * role.h - the settings of a row of a role: members of its configuration and of the
 * domain by their names, and an access list.
 */
#include <stddef.h>

#include "../../examples/lib/field.h"
#include "../../examples/lib/vec.h"
#include "rocecc/guard/acl.h"
#include "rocecc/packet/arrival.h"

#define ROLE_ENTRIES 8

/* An access list as rows give it: access[0].prefix=... */
typedef struct role_list {
    rocecc_acl_entry entries[ROLE_ENTRIES];
    uint32_t n;
} role_list;

/* Sets the member that is called name, or prefix and name; false: there is none. */
bool role_set(const field *f, size_t n, const char *prefix, const vec_pair *pair,
              void *record);

/* Sets a member of a list; false: the pair is about something else. */
bool role_set_access(const char *list_name, const vec_pair *pair, role_list *list);

/* The list, ready for look-ups; the test fails where an entry is refused. */
rocecc_acl role_acl(role_list *list);

/* The names of rocecc_arrival_verdict. */
#define ROLE_ARRIVAL_NAMES                                                             \
    "ok no_ip partial bad_checksum bad_source bad_destination bad_options "            \
    "unknown_option unknown_header segments_left unsupported"

/* Makes an ICMP error as rows have it: offset from the frame, which begins at start. */
void role_icmp(rocecc_icmp_error *error, size_t start);

#define ROLE_SOURCE 256

/* Whether a row has another source than now says, which says it then. */
bool role_source(const vec_row *row, char *now);

#endif /* TESTS_LIB_ROLE_H */
