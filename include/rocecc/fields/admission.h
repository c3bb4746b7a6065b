/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ADMISSION_H
#define ROCECC_FIELDS_ADMISSION_H

/* admission.h - field tables for guard/admission.h, with rows as in field.h. */
#include "../guard/admission.h"

#define ROCECC_ADMISSION_VERDICT_NAMES                                                 \
    "admitted unlisted source_limited verify_limited shared_limited"

#define ROCECC_ADMISSION_REFUSAL_NAMES "accepted source shared verify list"

/* Rows for the member `admission` of a role's configuration. */
#define ROCECC_ADMISSION_MEMBER_FIELDS(F, T)                                           \
    F(T, BOOL, admission.unlimited, NULL, 0, "",                                       \
      "use only the list, without rate limits")                                        \
    F(T, UINT, admission.misbehaving, NULL, 16, "",                                    \
      "number of misbehaving sources to tolerate")                                     \
    F(T, UINT, admission.source.rate_per_s, NULL, 0, "1/s", "tokens added per second") \
    F(T, UINT, admission.source.burst, NULL, 0, "",                                    \
      "maximum number of tokens in the bucket")                                        \
    F(T, UINT, admission.verify.rate_per_s, NULL, 0, "1/s", "tokens added per second") \
    F(T, UINT, admission.verify.burst, NULL, 0, "",                                    \
      "maximum number of tokens in the bucket")                                        \
    F(T, UINT, admission.shared.rate_per_s, NULL, 0, "1/s", "tokens added per second") \
    F(T, UINT, admission.shared.burst, NULL, 0, "",                                    \
      "maximum number of tokens in the bucket")

#endif /* ROCECC_FIELDS_ADMISSION_H */
