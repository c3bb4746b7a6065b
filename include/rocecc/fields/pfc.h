/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_PFC_H
#define ROCECC_FIELDS_PFC_H

/* pfc.h - field tables for wire/pfc.h, with rows as in field.h. */
#include "../wire/pfc.h"

#define ROCECC_PFC_FIELDS(F, T)                                                        \
    F(T, MAC, src, NULL, 48, "", "station that sent it")                               \
    F(T, UINT, reserved, NULL, 8, "", "reserved, ignored on receipt")                  \
    F(T, UINT, enable, NULL, 8, "", "which priorities it is about")                    \
    F(T, UINT, quanta[0], NULL, 16, "512 bits", "how long to pause priority 0")        \
    F(T, UINT, quanta[1], NULL, 16, "512 bits", "how long to pause priority 1")        \
    F(T, UINT, quanta[2], NULL, 16, "512 bits", "how long to pause priority 2")        \
    F(T, UINT, quanta[3], NULL, 16, "512 bits", "how long to pause priority 3")        \
    F(T, UINT, quanta[4], NULL, 16, "512 bits", "how long to pause priority 4")        \
    F(T, UINT, quanta[5], NULL, 16, "512 bits", "how long to pause priority 5")        \
    F(T, UINT, quanta[6], NULL, 16, "512 bits", "how long to pause priority 6")        \
    F(T, UINT, quanta[7], NULL, 16, "512 bits", "how long to pause priority 7")

#define ROCECC_PFC_PAUSE_FIELDS(F, T)                                                  \
    F(T, MAC, dst, NULL, 48, "", "station the frame is for")                           \
    F(T, MAC, src, NULL, 48, "", "station that sent it")                               \
    F(T, UINT, quanta, NULL, 16, "512 bits", "how long to pause")

#endif /* ROCECC_FIELDS_PFC_H */
