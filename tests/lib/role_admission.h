/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_ROLE_ADMISSION_H
#define TESTS_LIB_ROLE_ADMISSION_H

/*
 * role_admission.h - the buckets of a role's sources, and their form in rows. level_e9
 * and last_ns are from the shared bucket, and admitted_e9 and verified_e9 from the
 * packet's source, if it is listed.
 */
#include "role.h"
#include "rocecc/guard/admission.h"

#include <string.h>

#define ROLE_SOURCES 80

typedef struct role_sources {
    rocecc_admission_source of[ROLE_SOURCES];
    uint32_t n;
} role_sources;

typedef struct role_buckets {
    uint64_t level_e9, last_ns;
    uint64_t admitted_e9, verified_e9;
} role_buckets;

/* Fields of a record with a member `buckets`. */
#define ROLE_BUCKETS_FIELDS(F, T)                                                      \
    F(T, UINT, buckets.level_e9, NULL)                                                 \
    F(T, UINT, buckets.last_ns, NULL)                                                  \
    F(T, UINT, buckets.admitted_e9, NULL)                                              \
    F(T, UINT, buckets.verified_e9, NULL)

/* Returns true if a row's key is a member of role_buckets. */
static inline bool role_is_bucket(const char *key)
{
    const size_t n = strlen(key);
    return strcmp(key, "last_ns") == 0 || (n > 3 && strcmp(key + n - 3, "_e9") == 0);
}

/* Fills the buckets of n sources. */
static inline void role_open_sources(role_sources *s, uint32_t n,
                                     const rocecc_admission_params *params,
                                     uint64_t now_ns)
{
    uint32_t i;
    memset(s, 0, sizeof *s);
    s->n = n < ROLE_SOURCES ? n : ROLE_SOURCES;
    for (i = 0; i < s->n; i++)
        s->of[i] = rocecc_admission_source_start(params, now_ns);
}

/* Returns the bucket levels, with the listed source of this tag. */
static inline role_buckets role_levels(const rocecc_admission *state,
                                       const role_sources *s, bool listed, uint32_t tag)
{
    role_buckets b = {0, 0, 0, 0};
    b.level_e9 = state->shared.level_e9;
    b.last_ns = state->shared.last_ns;
    if (listed && tag < s->n) {
        b.admitted_e9 = s->of[tag].admitted.level_e9;
        b.verified_e9 = s->of[tag].verified.level_e9;
    }
    return b;
}

/* Values that init() derives from the parameters, as in rows of init(). */
#define ROLE_REFUSED_FIELDS(T)                                                         \
    FIELD_AT("admission.source.full_ns", UINT, offsetof(T, p.source.full_ns), 8,       \
             NULL),                                                                    \
        FIELD_AT("admission.verify.full_ns", UINT, offsetof(T, p.verify.full_ns), 8,   \
                 NULL),                                                                \
        FIELD_AT("admission.shared.full_ns", UINT, offsetof(T, p.shared.full_ns), 8,   \
                 NULL)

#endif /* TESTS_LIB_ROLE_ADMISSION_H */
