/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/packet/cnp.h"
#include "rocecc/packet/icrc.h"

/* qp_path.c - the QP that a CNP slows down, or -1 without a CNP or a right ICRC. */
int32_t cnp_qp(const rocecc_domain *d, const uint8_t *frame, uint32_t bytes)
{
    const rocecc_reader r = rocecc_reader_of(frame, frame + bytes);
    rocecc_packet p;
    rocecc_icrc icrc;
    if (rocecc_packet_parse_plain(d, r, &p) != ROCECC_OK || !rocecc_cnp_match(&p))
        return -1;
    if (rocecc_icrc_verify_plain(&p, &icrc) != ROCECC_OK || !icrc.ok) return -1;
    return (int32_t)(rocecc_load32(frame + p.headers.bth + 4) & 0xffffff);
}
