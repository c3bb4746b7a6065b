/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_PAUSE_H
#define ROCECC_FIELDS_PAUSE_H

/* pause.h - tables of guard/pause.h: rows as field.h has them. */
#include "../guard/pause.h"

#define ROCECC_PAUSE_WHAT_NAMES                                                        \
    "nothing run hold ask ask_resume hand_on ignored_type ignored_parameter "          \
    "ignored_full"

#define ROCECC_PAUSE_REFUSAL_NAMES "accepted mode max pause pfc xon priorities"

#define ROCECC_PAUSE_PARAMS(P, T)                                                      \
    P(T, UINT, hash_key[0], NULL, "", "any", "random")                                 \
    P(T, UINT, hash_key[1], NULL, "", "any", "random")                                 \
    P(T, UINT, max_ns, NULL, "ns", "1 .. 2^62", "ours: 1 s")                           \
    P(T, UINT, pause_ns, NULL, "ns", "1 .. max_ns", "ours: 100 us")                    \
    P(T, UINT, pfc_ns, NULL, "ns", "1 .. pause_ns", "ours: 20 us")                     \
    P(T, UINT, xoff_bytes, NULL, "bytes", "> xon_bytes", "ours")                       \
    P(T, UINT, xon_bytes, NULL, "bytes", "< xoff_bytes", "ours")                       \
    P(T, ENUM, mode, "service flow priority", "", "", "fcn-00, 4.1.2")                 \
    P(T, UINT, priorities, NULL, "", "1 .. 64", "802.1Q: 8, DSCP: 64")

#define ROCECC_PAUSE_COUNT_FIELDS(F, T)                                                \
    F(T, UINT, held, NULL, 0, "", "slots that hold a flow")                            \
    F(T, UINT, missing, NULL, 0, "", "ARNs that lack what is needed")                  \
    F(T, UINT, full, NULL, 0, "", "ARNs that found no room")

#define ROCECC_PAUSE_ACTION_FIELDS(F, T)                                               \
    F(T, ENUM, what, ROCECC_PAUSE_WHAT_NAMES, 0, "", "what is to be done")             \
    F(T, BOOL, pfc, NULL, 0, "", "pause the port's priority")                          \
    F(T, BOOL, evicted, NULL, 0, "", "another had to go")                              \
    F(T, BOOL, arm, NULL, 0, "", "arm the timer of the slot")                          \
    F(T, UINT, slot, NULL, 0, "", "which timer")                                       \
    F(T, UINT, wait_ns, NULL, 0, "ns", "how long until it fires")                      \
    F(T, UINT, time_ns, NULL, 0, "ns", "how long it is held")

#endif /* ROCECC_FIELDS_PAUSE_H */
