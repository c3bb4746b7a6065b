/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_CSIG_H
#define ROCECC_FIELDS_CSIG_H

/* csig.h - field tables for wire/csig.h, with rows as in field.h. */
#include "../wire/csig.h"

/*
 * Rows for a tag in either form. The next two tables give the widths in each form. In
 * the UEC variant, no_update takes up the last bit of the locator field.
 */
#define ROCECC_CSIG_FIELDS(F, T)                                                       \
    F(T, UINT, tpid, NULL, 16, "", "TPID of compact or wide tags")                     \
    F(T, BOOL, wide, NULL, 0, "", "wide form of the tag")                              \
    F(T, UINT, type, NULL, 0, "", "signal type")                                       \
    F(T, UINT, reserved, NULL, 0, "", "reserved bits")                                 \
    F(T, UINT, value, NULL, 0, "", "bucket of the signal's value")                     \
    F(T, UINT, locator, NULL, 0, "", "locator of the port that wrote the value")       \
    F(T, BOOL, no_update, NULL, 0, "", "do-not-update flag for hops")

#define ROCECC_CSIG_COMPACT_FIELDS(F, T)                                               \
    F(T, UINT, tpid, NULL, 16, "", "TPID of compact or wide tags")                     \
    F(T, UINT, type, NULL, 3, "", "signal type")                                       \
    F(T, UINT, reserved, NULL, 1, "", "reserved bits")                                 \
    F(T, UINT, value, NULL, 5, "", "bucket of the signal's value")                     \
    F(T, UINT, locator, NULL, 7, "", "locator of the port that wrote the value")

#define ROCECC_CSIG_WIDE_FIELDS(F, T)                                                  \
    F(T, UINT, tpid, NULL, 16, "", "TPID of compact or wide tags")                     \
    F(T, UINT, locator, NULL, 16, "", "locator of the port that wrote the value")      \
    F(T, UINT, type, NULL, 4, "", "signal type")                                       \
    F(T, UINT, value, NULL, 20, "", "bucket of the signal's value")                    \
    F(T, UINT, reserved, NULL, 8, "", "reserved bits")

#define ROCECC_CSIG_CONFIG_FIELDS(F, T)                                                \
    F(T, UINT, compact_tpid, NULL, 0, "", "TPID of compact tags")                      \
    F(T, UINT, wide_tpid, NULL, 0, "", "TPID of wide tags")                            \
    F(T, BOOL, uec, NULL, 0, "", "use the UEC variant")

#endif /* ROCECC_FIELDS_CSIG_H */
