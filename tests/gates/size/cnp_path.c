/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/algo/dcqcn.h"
#include "rocecc/packet/cnp.h"
#include "rocecc/packet/icrc.h"

/*
 * cnp_path.c - the minimum that a NIC's firmware does with the library: it finds an
 * intact CNP in a frame from the wire, and slows down its flow. Returns the QP, or -1.
 * The rate is in the action from cnp_slows().
 */
int32_t cnp_path(const rocecc_domain *d, const uint8_t *frame, uint32_t bytes,
                 rocecc_cnp *cnp)
{
    const rocecc_reader r = rocecc_reader_of(frame, frame + bytes);
    rocecc_packet p;
    rocecc_icrc icrc;
    if (rocecc_packet_parse_plain(d, r, &p) != ROCECC_OK) return -1;
    if (rocecc_cnp_parse(&p, cnp) != ROCECC_OK) return -1;
    if (rocecc_icrc_verify_plain(&p, &icrc) != ROCECC_OK) return -1;
    return icrc.ok ? (int32_t)cnp->dest_qp : -1;
}

rocecc_dcqcn_action cnp_slows(const rocecc_dcqcn_params *p, rocecc_dcqcn *flow)
{
    return rocecc_dcqcn_cnp(p, flow);
}
