/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/algo/dcqcn.h"
#include "rocecc/packet/cnp.h"
#include "rocecc/packet/icrc.h"

/*
 * cnp_path.c - what a NIC's firmware makes of the library for the least that it can
 * do: a frame from the wire is found to be a CNP, intact, and its flow is slowed down.
 * The return is the QP, or -1; what to do about the rate is in act.
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
