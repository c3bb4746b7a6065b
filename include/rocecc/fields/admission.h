/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ADMISSION_H
#define ROCECC_FIELDS_ADMISSION_H

/* admission.h - field tables for guard/admission.h, with rows as in field.h. */
#include "../guard/admission.h"

#define ROCECC_ADMISSION_VERDICT_NAMES                                                 \
    "admitted unlisted source_limited verify_limited shared_limited"

#define ROCECC_ADMISSION_REFUSAL_NAMES "accepted source shared verify list"

/* The member `admission` of the configuration of a role. */
#define ROCECC_ADMISSION_MEMBER_FIELDS(F, T)                                           \
    F(T, BOOL, admission.unlimited, NULL, 0, "", "no limits: the list alone decides")  \
    F(T, UINT, admission.misbehaving, NULL, 16, "", "sources that may misbehave")      \
    F(T, UINT, admission.source.rate_per_s, NULL, 0, "1/s", "admitted of a source")    \
    F(T, UINT, admission.source.burst, NULL, 0, "", "at once, at most")                \
    F(T, UINT, admission.verify.rate_per_s, NULL, 0, "1/s", "verified of a source")    \
    F(T, UINT, admission.verify.burst, NULL, 0, "", "at once, at most")                \
    F(T, UINT, admission.shared.rate_per_s, NULL, 0, "1/s", "admitted of all sources") \
    F(T, UINT, admission.shared.burst, NULL, 0, "", "at once, at most")

#endif /* ROCECC_FIELDS_ADMISSION_H */
