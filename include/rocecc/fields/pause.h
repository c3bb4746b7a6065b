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

/* What an ARN or a PFC frame says. */
#define ROCECC_PAUSE_NOTICE_FIELDS(F, T)                                               \
    F(T, IP6, flow.src, NULL, 128, "", "source address of the flow")                   \
    F(T, IP6, flow.dst, NULL, 128, "", "destination address of the flow")              \
    F(T, UINT, flow.src_port, NULL, 16, "", "source port of the flow")                 \
    F(T, UINT, flow.dst_port, NULL, 16, "", "destination port of the flow")            \
    F(T, UINT, flow.proto, NULL, 8, "", "IP protocol of the flow")                     \
    F(T, IP6, from.node, NULL, 128, "", "who asks")                                    \
    F(T, UINT, from.tag, NULL, 0, "", "its number, as of an access list")              \
    F(T, UINT, priority, NULL, 0, "", "which one")                                     \
    F(T, UINT, port, NULL, 0, "", "where it came in")                                  \
    F(T, UINT, time_ns, NULL, 0, "ns", "how long to hold back")                        \
    F(T, UINT, type, NULL, 8, "", "congested, cleared, failed or repaired")            \
    F(T, BOOL, pfc, NULL, 0, "", "by PFC, from the neighbour at the port")             \
    F(T, BOOL, has_flow, NULL, 0, "", "it is about a flow")                            \
    F(T, BOOL, has_priority, NULL, 0, "", "it is about a priority")                    \
    F(T, BOOL, has_time, NULL, 0, "", "it says how long")

#define ROCECC_PAUSE_COUNT_FIELDS(F, T)                                                \
    F(T, UINT, held, NULL, 0, "", "slots that hold a flow")                            \
    F(T, UINT, missing, NULL, 0, "", "ARNs that lack what is needed")                  \
    F(T, UINT, full, NULL, 0, "", "ARNs that found no room")                           \
    F(T, UINT, refused, NULL, 0, "", "ARNs of askers that may not, or have all theirs")

#define ROCECC_ASK_COUNT_FIELDS(F, T)                                                  \
    F(T, UINT, asked, NULL, 0, "", "slots that are asked for")                         \
    F(T, UINT, full, NULL, 0, "", "asks that found no room")

#define ROCECC_PAUSE_ACTION_FIELDS(F, T)                                               \
    F(T, ENUM, what, ROCECC_PAUSE_VERDICT_NAMES, 0, "", "what is to be done")          \
    F(T, BOOL, pfc, NULL, 0, "", "pause the port's priority")                          \
    F(T, BOOL, evicted, NULL, 0, "", "another had to go")                              \
    F(T, BOOL, arm, NULL, 0, "", "arm the timer of the slot")                          \
    F(T, UINT, slot, NULL, 0, "", "which timer")                                       \
    F(T, UINT, wait_ns, NULL, 0, "ns", "how long until it fires")                      \
    F(T, UINT, time_ns, NULL, 0, "ns", "how long it is held")

#endif /* ROCECC_FIELDS_PAUSE_H */
