/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ACL_H
#define ROCECC_FIELDS_ACL_H

/* acl.h - field tables for guard/acl.h, with rows as in field.h. */
#include "../guard/acl.h"

#define ROCECC_ACL_REFUSAL_NAMES "accepted many length host_bits permit twice"

#define ROCECC_ACL_ENTRY_FIELDS(F, T)                                                  \
    F(T, IP6, prefix, NULL, 0, "", "addresses that begin so")                          \
    F(T, UINT, length, NULL, 0, "bits", "how many bits of it count")                   \
    F(T, UINT, permit, NULL, 0, "", "whether they may pass")                           \
    F(T, UINT, tag, NULL, 0, "", "what the owner calls it")

#define ROCECC_ACL_MATCH_FIELDS(F, T)                                                  \
    F(T, BOOL, permit, NULL, 0, "", "whether it may pass")                             \
    F(T, BOOL, found, NULL, 0, "", "an entry matched, not the default")                \
    F(T, UINT, length, NULL, 0, "bits", "the prefix length that matched")              \
    F(T, UINT, tag, NULL, 0, "", "the tag of that entry")

#endif /* ROCECC_FIELDS_ACL_H */
