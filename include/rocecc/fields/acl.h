/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ACL_H
#define ROCECC_FIELDS_ACL_H

/* acl.h - field tables for guard/acl.h, with rows as in field.h. */
#include "../guard/acl.h"

#define ROCECC_ACL_REFUSAL_NAMES "accepted many length host_bits permit twice"

#define ROCECC_ACL_ENTRY_FIELDS(F, T)                                                  \
    F(T, IP6, prefix, NULL, 0, "", "address prefix")                                   \
    F(T, UINT, length, NULL, 0, "bits", "prefix length")                               \
    F(T, UINT, permit, NULL, 0, "", "verdict: 0 deny, 1 permit")                       \
    F(T, UINT, tag, NULL, 0, "", "number chosen by the caller")

#define ROCECC_ACL_MATCH_FIELDS(F, T)                                                  \
    F(T, BOOL, permit, NULL, 0, "", "verdict, true to permit")                         \
    F(T, BOOL, found, NULL, 0, "", "match with an entry")                              \
    F(T, UINT, length, NULL, 0, "bits", "prefix length of the matching entry")         \
    F(T, UINT, tag, NULL, 0, "", "tag of the matching entry")

#endif /* ROCECC_FIELDS_ACL_H */
