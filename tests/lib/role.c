/* SPDX-License-Identifier: BSD-2-Clause */
#include "role.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

bool role_set(const field *f, size_t n, const char *prefix, const vec_pair *pair,
              void *record)
{
    const size_t skip = strlen(prefix);
    size_t i;
    for (i = 0; i < n; i++) {
        const char *member = f[i].name;
        if (strncmp(member, prefix, skip) == 0) member += skip;
        if (strcmp(member, pair->key) == 0)
            return field_set(&f[i], record, pair->value);
    }
    return false;
}

#define ENTRY_FIELDS(F, T)                                                             \
    F(T, IP6, prefix, NULL)                                                            \
    F(T, UINT, length, NULL)                                                           \
    F(T, UINT, permit, NULL)                                                           \
    F(T, UINT, tag, NULL)
static const field entry_fields[] = {ENTRY_FIELDS(FIELD_ROW, rocecc_acl_entry)};

bool role_set_access(const char *list_name, const vec_pair *pair, role_list *list)
{
    const size_t skip = strlen(list_name);
    vec_pair rest = *pair;
    char *member;
    unsigned long i;
    if (strncmp(pair->key, list_name, skip) != 0 || pair->key[skip] != '[')
        return false;
    i = strtoul(pair->key + skip + 1, &member, 10);
    if (i >= ROLE_ENTRIES || strncmp(member, "].", 2) != 0) return false;
    if (i + 1 > list->n) list->n = (uint32_t)i + 1;
    rest.key = member + 2;
    return role_set(entry_fields, sizeof entry_fields / sizeof *entry_fields, "", &rest,
                    &list->entries[i]);
}

rocecc_acl role_acl(role_list *list)
{
    rocecc_acl acl = {NULL, 0, 0};
    uint32_t at;
    CHECK_EQ(rocecc_acl_init(&acl, list->entries, list->n, &at), ROCECC_ACL_ACCEPTED);
    return acl;
}

bool role_source(const vec_row *row, char *now)
{
    if (strcmp(row->source, now) == 0) return false;
    if (strlen(row->source) >= ROLE_SOURCE) abort();
    strcpy(now, row->source);
    return true;
}

void role_icmp(rocecc_icmp_error *error, size_t start)
{
    if (error->type == 0)
        error->offset = 0; /* without an error */
    else
        error->offset = (uint16_t)(error->offset - start);
}
