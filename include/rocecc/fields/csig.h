/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_CSIG_H
#define ROCECC_FIELDS_CSIG_H

/* csig.h - field tables for wire/csig.h, with rows as in field.h. */
#include "../wire/csig.h"

/* Of either tag; the widths are in the lists of each. UEC takes the last bit of the
 * locator for no_update. */
#define ROCECC_CSIG_FIELDS(F, T)                                                       \
    F(T, UINT, tpid, NULL, 16, "", "which of the two tags it is")                      \
    F(T, BOOL, wide, NULL, 0, "", "the wide tag, by its TPID")                         \
    F(T, UINT, type, NULL, 0, "", "which signal, 3 bits or 4")                         \
    F(T, UINT, reserved, NULL, 0, "", "reserved, 1 bit or 8")                          \
    F(T, UINT, value, NULL, 0, "", "bucket of the signal, 5 bits or 20")               \
    F(T, UINT, locator, NULL, 0, "", "which port wrote it, 7 bits or 16")              \
    F(T, BOOL, no_update, NULL, 0, "", "no hop is to write, UEC only")

#define ROCECC_CSIG_COMPACT_FIELDS(F, T)                                               \
    F(T, UINT, tpid, NULL, 16, "", "which of the two tags it is")                      \
    F(T, UINT, type, NULL, 3, "", "which signal")                                      \
    F(T, UINT, reserved, NULL, 1, "", "reserved")                                      \
    F(T, UINT, value, NULL, 5, "", "bucket of the signal")                             \
    F(T, UINT, locator, NULL, 7, "", "which port wrote it")

#define ROCECC_CSIG_WIDE_FIELDS(F, T)                                                  \
    F(T, UINT, tpid, NULL, 16, "", "which of the two tags it is")                      \
    F(T, UINT, locator, NULL, 16, "", "which port wrote it")                           \
    F(T, UINT, type, NULL, 4, "", "which signal")                                      \
    F(T, UINT, value, NULL, 20, "", "bucket of the signal")                            \
    F(T, UINT, reserved, NULL, 8, "", "reserved")

#define ROCECC_CSIG_CONFIG_FIELDS(F, T)                                                \
    F(T, UINT, compact_tpid, NULL, 0, "", "TPID of compact tags")                      \
    F(T, UINT, wide_tpid, NULL, 0, "", "TPID of wide tags")                            \
    F(T, BOOL, uec, NULL, 0, "", "UEC: one bit is d")

#endif /* ROCECC_FIELDS_CSIG_H */
