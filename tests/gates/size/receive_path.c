/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/packet/fastcnp.h"

/*
 * receive_path.c - the use of the library in a NIC's firmware if the hardware has
 * checked the ICRC. It finds data, a CNP, or a Fast CNP with its option in a frame from
 * the wire.
 */
typedef enum receive_path {
    RECEIVE_OTHER = 0, /* not RoCEv2 */
    RECEIVE_DATA,
    RECEIVE_CNP,      /* *cnp */
    RECEIVE_FAST_CNP, /* *cnp, and *fast with the flow */
    RECEIVE_BROKEN    /* a CNP or an option contradicts its format */
} receive_path;

receive_path receive_frame(const rocecc_domain *d, const uint8_t *frame, uint32_t bytes,
                           rocecc_cnp *cnp, rocecc_fastcnp *fast)
{
    const rocecc_reader r = rocecc_reader_of(frame, frame + bytes);
    rocecc_packet p;
    rocecc_status status;
    if (rocecc_packet_parse_plain(d, r, &p) != ROCECC_OK ||
        p.headers.kind != ROCECC_PACKET_KIND_ROCEV2)
        return RECEIVE_OTHER;
    if (!rocecc_cnp_match(&p)) return RECEIVE_DATA;
    if (rocecc_cnp_parse(&p, cnp) != ROCECC_OK) return RECEIVE_BROKEN;
    status = rocecc_fastcnp_find(&p, fast);
    if (status == ROCECC_NO_MATCH) return RECEIVE_CNP;
    return status == ROCECC_OK ? RECEIVE_FAST_CNP : RECEIVE_BROKEN;
}
