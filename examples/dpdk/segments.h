/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DPDK_SEGMENTS_H
#define DPDK_SEGMENTS_H

/*
 * segments.h - packets in mbufs of several segments, cut anywhere: the headers are
 * walked in one piece, the ICRC goes over the segments as they are.
 */
#include "../crc32/select.h"

#include <rte_mbuf.h>

#include "rocecc/packet/cnp.h"
#include "rocecc/packet/icrc.h"

/*
 * As far as the headers of a packet are looked for. A CNP has to be in one piece: of
 * Ethernet with 3 tags, IPv6 with ROCECC_REACTION_EXTS_MAX_BYTES and the rest it has
 * 766 bytes.
 */
#define SEGMENTS_HEAD_BYTES 1024

/* What the first segment holds. */
rocecc_reader segments_first(const struct rte_mbuf *m);

/*
 * Walks a packet again, whose first segment did not hold its headers, or not all of a
 * CNP: as far as head goes it is gathered there. Any other stays as it is in *p.
 */
void segments_gather(const struct rte_mbuf *m, uint8_t *head, rocecc_packet *p);

/* Whether the ICRC of a packet is right, whose headers are in p->bytes, and whose
 * payload and ICRC are in any segments of m. As rocecc_icrc_verify() says it. */
bool segments_icrc(rocecc_icrc_rule rule, const struct rte_mbuf *m,
                   const rocecc_packet *p);

#endif /* DPDK_SEGMENTS_H */
