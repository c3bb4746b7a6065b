/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads an Ethernet frame from stdin. For an intact CNP, prints the QP to slow down. */
#include <rocecc/packet/cnp.h>
#include <rocecc/packet/icrc.h>

#include <stdio.h>

int main(void)
{
    const rocecc_domain ether = ROCECC_ZERO;
    uint8_t frame[2048];
    const size_t n = fread(frame, 1, sizeof frame, stdin);
    rocecc_packet p;
    rocecc_cnp cnp;
    rocecc_icrc icrc;
    if (rocecc_packet_parse(&ether, rocecc_reader_of(frame, frame + n), &p) !=
            ROCECC_OK ||
        rocecc_cnp_parse(&p, &cnp) != ROCECC_OK ||
        rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &icrc) != ROCECC_OK || !icrc.ok)
        return 1;
    printf("QP 0x%x slows down\n", (unsigned)cnp.dest_qp);
    return 0;
}
