/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * gates.c - measures the cost of a notification from an attacker for its receiver, from
 * Ethernet to the verdict. It also measures the most expensive packet for the sender's
 * gate. This packet has 640 bytes of extension headers, a listed source, and a wrong
 * ICRC that the gate compares by each rule.
 */
#include <stdlib.h>

#include "cost.h"
#include "lib/flood.c"

static flood_frame frame;
static flood_counts counts;
static uint64_t frame_number;
static uint8_t longest[800];
static size_t longest_bytes;
static volatile bool sink;

/* Makes the next frame from this sender in the flood. */
static void make_next(flood_kind kind, flood_who who)
{
    do
        frame_number++;
    while (sender(frame_number) != who);
    flood_make(kind, frame_number, &frame);
}

#define FLOODED(name, kind, who)                                                       \
    COST bool cost_##name(flood_frame *f)                                              \
    {                                                                                  \
        return flood_heard(kind, f, &counts);                                          \
    }                                                                                  \
    static void name(unsigned i)                                                       \
    {                                                                                  \
        if (i == 0) (void)flood_open();                                                \
        if (i == 0) frame_number = 0;                                                  \
        make_next(kind, who);                                                          \
        sink = cost_##name(&frame);                                                    \
    }
FLOODED(fastcnp_unlisted, FLOOD_FAST_CNP, FLOOD_UNLISTED)
FLOODED(fastcnp_forged, FLOOD_FAST_CNP, FLOOD_FORGED)
FLOODED(fastcnp_misbehaving, FLOOD_FAST_CNP, FLOOD_MISBEHAVING)
FLOODED(cnp_forged, FLOOD_CNP, FLOOD_FORGED)
FLOODED(arn_unlisted, FLOOD_ARN, FLOOD_UNLISTED)
FLOODED(arn_forged, FLOOD_ARN, FLOOD_FORGED)
FLOODED(arn_misbehaving, FLOOD_ARN, FLOOD_MISBEHAVING)
FLOODED(private_cnm_unlisted, FLOOD_CNM, FLOOD_UNLISTED)
FLOODED(private_cnm_forged, FLOOD_CNM, FLOOD_FORGED)
FLOODED(pfc_misbehaving, FLOOD_PFC, FLOOD_MISBEHAVING)

/* Makes a Hop-by-Hop header of 7 options to skip, before the Fast CNP option. */
static void make_longest(void)
{
    const size_t ip = ROCECC_ETHER_BYTES, hbh = ip + 40;
    const size_t hbh_bytes = ROCECC_REACTION_EXTS_MAX_BYTES - 24;
    size_t at = hbh + 2, i;
    flood_make(FLOOD_FAST_CNP, 0, &frame);
    memcpy(longest, frame.bytes, hbh);
    memcpy(longest + hbh + hbh_bytes, frame.bytes + hbh, frame.n - hbh);
    longest[hbh] = longest[ip + 6];
    longest[hbh + 1] = (uint8_t)(hbh_bytes / 8 - 1);
    longest[ip + 6] = ROCECC_PROTO_HOPOPTS;
    for (i = 0; i < 7; i++) {
        const size_t left = hbh + hbh_bytes - at;
        longest[at] = 0x1e;
        longest[at + 1] = (uint8_t)(left / (7 - i) - 2);
        at += 2u + longest[at + 1];
    }
    longest_bytes = frame.n + hbh_bytes;
    rocecc_store16(longest + ip + 4, (uint16_t)(longest_bytes - ip - 40));
}

/* Returns true for BAD_ICRC: the gate has read the whole packet by each rule. */
COST bool cost_fastcnp_longest(uint64_t now_ns)
{
    const rocecc_reaction_event e = {{now_ns, &node.access, NULL, node.cnps, LISTED},
                                     ROCECC_REACTION_PEER_UNKNOWN};
    rocecc_reaction_result is;
    rocecc_packet p;
    (void)rocecc_packet_parse(&node.domain,
                              rocecc_reader_of(longest, longest + longest_bytes), &p);
    rocecc_reaction_point_step(&node.reaction, &node.point, &p, &e, &is);
    return is.verdict == ROCECC_REACTION_BAD_ICRC;
}

static void fastcnp_longest(unsigned i)
{
    if (i == 0) {
        (void)flood_open();
        make_longest();
        longest[longest_bytes - 1] ^= 1;
    }
    if (!cost_fastcnp_longest((uint64_t)i * 1000000)) abort();
}

static const cost_case cases[] = {{"cost_fastcnp_unlisted", fastcnp_unlisted},
                                  {"cost_fastcnp_forged", fastcnp_forged},
                                  {"cost_fastcnp_misbehaving", fastcnp_misbehaving},
                                  {"cost_fastcnp_longest", fastcnp_longest},
                                  {"cost_cnp_forged", cnp_forged},
                                  {"cost_arn_unlisted", arn_unlisted},
                                  {"cost_arn_forged", arn_forged},
                                  {"cost_arn_misbehaving", arn_misbehaving},
                                  {"cost_private_cnm_unlisted", private_cnm_unlisted},
                                  {"cost_private_cnm_forged", private_cnm_forged},
                                  {"cost_pfc_misbehaving", pfc_misbehaving}};

COST_MAIN(cases)
