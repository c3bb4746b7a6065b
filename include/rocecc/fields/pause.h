/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_PAUSE_H
#define ROCECC_FIELDS_PAUSE_H

/* pause.h - field tables for guard/pause.h and ask.h, with rows as in field.h. */
#include "../guard/ask.h"

#define ROCECC_PAUSE_VERDICT_NAMES                                                     \
    "nothing run hold ask ask_resume hand_on ignored_type ignored_parameter "          \
    "ignored_full ignored_requester"

#define ROCECC_PAUSE_REFUSAL_NAMES                                                     \
    "accepted mode max pause pfc xon priorities key min max_slots"

#define ROCECC_PAUSE_PARAMS(P, T)                                                      \
    P(T, UINT, hash_key[0], NULL, "", "not both 0", "random")                          \
    P(T, UINT, hash_key[1], NULL, "", "not both 0", "random")                          \
    P(T, UINT, max_ns, NULL, "ns", "1 .. 2^62", "ours: 1 s")                           \
    P(T, UINT, pause_ns, NULL, "ns", "1 .. max_ns", "ours: 100 us")                    \
    P(T, UINT, pfc_ns, NULL, "ns", "1 .. pause_ns", "ours: 20 us")                     \
    P(T, UINT, min_ns, NULL, "ns", "1 .. pfc_ns", "ours: an ARN's 1 us")               \
    P(T, UINT, xoff_bytes, NULL, "bytes", "> xon_bytes", "ours")                       \
    P(T, UINT, xon_bytes, NULL, "bytes", "< xoff_bytes", "ours")                       \
    P(T, UINT, requesters, NULL, "", "any", "ours: 16")                                \
    P(T, UINT, max_slots_per_requester, NULL, "slots", ">= 1", "ours: 32")             \
    P(T, ENUM, mode, "service flow priority class", "", "", "fcn-00, 4.1.2")           \
    P(T, UINT, priorities, NULL, "", "1 .. 64, 8 of class", "802.1Q: 8, DSCP: 64")

/* Content of an ARN or a PFC frame. */
#define ROCECC_PAUSE_NOTICE_FIELDS(F, T)                                               \
    F(T, IP6, flow.src, NULL, 128, "", "")                                             \
    F(T, IP6, flow.dst, NULL, 128, "", "")                                             \
    F(T, UINT, flow.src_port, NULL, 16, "", "")                                        \
    F(T, UINT, flow.dst_port, NULL, 16, "", "")                                        \
    F(T, UINT, flow.proto, NULL, 8, "", "")                                            \
    F(T, IP6, from.node, NULL, 128, "", "address of the requester")                    \
    F(T, UINT, from.tag, NULL, 0, "", "number of the requester")                       \
    F(T, UINT, priority, NULL, 0, "", "priority or class of the traffic")              \
    F(T, UINT, port, NULL, 0, "", "port of arrival")                                   \
    F(T, UINT, time_ns, NULL, 0, "ns", "requested pause time")                         \
    F(T, UINT, type, NULL, 8, "", "1 pause, 2 resume, 3 failure, 4 recovery")          \
    F(T, BOOL, pfc, NULL, 0, "", "PFC frame, not an ARN")                              \
    F(T, BOOL, has_flow, NULL, 0, "", "")                                              \
    F(T, BOOL, has_priority, NULL, 0, "", "")                                          \
    F(T, BOOL, has_time, NULL, 0, "", "")

#define ROCECC_PAUSE_COUNT_FIELDS(F, T)                                                \
    F(T, UINT, held, NULL, 0, "", "number of slots in use")                            \
    F(T, UINT, missing, NULL, 0, "", "messages with missing or unsuitable parameters") \
    F(T, UINT, full, NULL, 0, "", "messages rejected for lack of room")                \
    F(T, UINT, refused, NULL, 0, "", "messages rejected because of their requester")

#define ROCECC_ASK_COUNT_FIELDS(F, T)                                                  \
    F(T, UINT, asked, NULL, 0, "", "number of slots in use")                           \
    F(T, UINT, full, NULL, 0, "", "requests not sent for lack of room")

#define ROCECC_PAUSE_ACTION_FIELDS(F, T)                                               \
    F(T, ENUM, what, ROCECC_PAUSE_VERDICT_NAMES, 0, "", "action to take")              \
    F(T, BOOL, pfc, NULL, 0, "", "request by PFC, not by ARN")                         \
    F(T, BOOL, evicted, NULL, 0, "", "slot taken from expired traffic")                \
    F(T, BOOL, arm, NULL, 0, "", "start the timer of the slot")                        \
    F(T, UINT, slot, NULL, 0, "", "index of the affected slot")                        \
    F(T, UINT, wait_ns, NULL, 0, "ns", "time until the timer expires")                 \
    F(T, UINT, time_ns, NULL, 0, "ns", "pause time, left or requested")

#endif /* ROCECC_FIELDS_PAUSE_H */
