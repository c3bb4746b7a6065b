/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_CNPGATE_H
#define ROCECC_FIELDS_CNPGATE_H

/* cnpgate.h - field tables for guard/cnpgate.h, with rows as in field.h. */
#include "../guard/cnpgate.h"

#define ROCECC_CNPGATE_REFUSAL_NAMES "accepted interval defer"

#define ROCECC_CNPGATE_PARAMS(P, T)                                                    \
    P(T, UINT, interval_ns, NULL, "ns", "0 .. 2^31 - 1", "Zhu 2015 3.1: N")            \
    P(T, UINT, defer, NULL, "", "0 .. 1", "0 suppress, 1 defer")

#define ROCECC_CNPGATE_STATE_FIELDS(F, T)                                              \
    F(T, UINT, last_ns, NULL, 0, "ns", "time of the last CNP")                         \
    F(T, UINT, sent, NULL, 0, "", "1 if last_ns is valid")                             \
    F(T, UINT, pending, NULL, 0, "", "1 if a CE packet awaits the timer")

#define ROCECC_CNPGATE_ACTION_FIELDS(F, T)                                             \
    F(T, BOOL, send, NULL, 0, "", "send a CNP now")                                    \
    F(T, BOOL, arm, NULL, 0, "", "start or restart the timer")                         \
    F(T, UINT, wait_ns, NULL, 0, "ns", "time until the timer expires")

#endif /* ROCECC_FIELDS_CNPGATE_H */
