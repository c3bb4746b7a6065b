/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_PFC_H
#define ROCECC_FIELDS_PFC_H

/* pfc.h - field tables for wire/pfc.h, with rows as in field.h. */
#include "../wire/pfc.h"

#define ROCECC_PFC_FIELDS(F, T)                                                        \
    F(T, MAC, src, NULL, 48, "", "")                                                   \
    F(T, UINT, reserved, NULL, 8, "", "reserved bits of priority_enable_vector")       \
    F(T, UINT, enable, NULL, 8, "", "priorities with a valid time, one bit each")      \
    F(T, UINT, quanta[0], NULL, 16, "512 bits", "pause time for the priority")         \
    F(T, UINT, quanta[1], NULL, 16, "512 bits", "pause time for the priority")         \
    F(T, UINT, quanta[2], NULL, 16, "512 bits", "pause time for the priority")         \
    F(T, UINT, quanta[3], NULL, 16, "512 bits", "pause time for the priority")         \
    F(T, UINT, quanta[4], NULL, 16, "512 bits", "pause time for the priority")         \
    F(T, UINT, quanta[5], NULL, 16, "512 bits", "pause time for the priority")         \
    F(T, UINT, quanta[6], NULL, 16, "512 bits", "pause time for the priority")         \
    F(T, UINT, quanta[7], NULL, 16, "512 bits", "pause time for the priority")

#define ROCECC_PFC_PAUSE_FIELDS(F, T)                                                  \
    F(T, MAC, dst, NULL, 48, "", "destination address")                                \
    F(T, MAC, src, NULL, 48, "", "")                                                   \
    F(T, UINT, quanta, NULL, 16, "512 bits", "pause time for the link")

#endif /* ROCECC_FIELDS_PFC_H */
