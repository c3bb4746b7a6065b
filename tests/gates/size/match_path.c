/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/packet/cnp.h"

/*
 * match_path.c - the minimum for a NIC's firmware: true if a frame from the wire is a
 * CNP, and so worth more time.
 */
bool frame_is_cnp(const rocecc_domain *d, const uint8_t *frame, uint32_t bytes)
{
    const rocecc_reader r = rocecc_reader_of(frame, frame + bytes);
    rocecc_packet p;
    return rocecc_packet_parse_plain(d, r, &p) == ROCECC_OK && rocecc_cnp_match(&p);
}
