/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DPDK_SEGMENTS_H
#define DPDK_SEGMENTS_H

/*
 * segments.h - packets in mbufs with segments cut anywhere. The headers are parsed in
 * one piece, and the ICRC is computed over the segments in place.
 */
#include "../crc32/select.h"

#include <rte_mbuf.h>

#include "rocecc/packet/cnp.h"
#include "rocecc/packet/icrc.h"

/*
 * Maximum bytes to search for headers. A CNP must fit. It has at most 746 bytes, with
 * Ethernet, 3 tags, IPv6, ROCECC_REACTION_EXTS_MAX_BYTES and the rest.
 */
#define SEGMENTS_HEAD_BYTES 1024

/* Returns the bytes of the first segment. */
rocecc_reader segments_first(const struct rte_mbuf *m);

/*
 * Parses a packet again if its first segment does not hold all headers, or all of a
 * CNP. Uses up to SEGMENTS_HEAD_BYTES, and `head` if they must be copied. Otherwise *p
 * is unchanged.
 */
void segments_gather(const struct rte_mbuf *m, uint8_t *head, rocecc_packet *p);

/*
 * Returns true if the ICRC of a packet is correct, like rocecc_icrc_verify(). p->bytes
 * must have the headers. The payload and the ICRC may be in any segments of m.
 */
bool segments_icrc(rocecc_icrc_rule rule, const struct rte_mbuf *m,
                   const rocecc_packet *p);

#endif /* DPDK_SEGMENTS_H */
