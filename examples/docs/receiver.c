/* SPDX-License-Identifier: BSD-2-Clause */

/* receiver.c - packets come with CE, and the receiver answers the first with a CNP. */
#include "rocecc/role/notification_point.h"

#include <stdio.h>
#include <string.h>

#include "data.h"

int main(void)
{
    const rocecc_domain domain = {.link = ROCECC_LINK_IP};
    rocecc_notification_event event = {0, 0x11, false}; /* our QP 0x456 is with 0x11 */
    rocecc_notification_config config = ROCECC_ZERO;
    uint8_t frame[sizeof data], answer[128];
    rocecc_writer w = rocecc_writer_of(answer, answer + sizeof answer);
    rocecc_notification_result out;
    rocecc_cnpgate gate; /* one for each QP */
    rocecc_packet p, cnp;

    /* Once. */
    config.gate = rocecc_cnpgate_paper(); /* a CNP in 50 us */
    config.cnp = rocecc_cnp_default();
    config.cnp.src_port = 0xc001;
    if (rocecc_notification_point_init(&config) != ROCECC_NOTIFICATION_ACCEPTED)
        return 1;
    gate = rocecc_cnpgate_start(&config.gate);

    /* For each packet: this one was marked on its way. */
    memcpy(frame, data, sizeof data);
    rocecc_ipv6_ecn_store(frame, ROCECC_ECN_CE);
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(frame, frame + sizeof frame),
                              &p);
    event.now_ns = 1000;
    out = rocecc_notification_point_step(&config, &gate, &p, event, &w);
    if (out.verdict != ROCECC_NOTIFICATION_SENT) return 1;
    printf("a CNP of %u bytes to QP 0x%x\n", (unsigned)w.at, (unsigned)out.cnp.dest_qp);
    if (rocecc_packet_parse(&domain, rocecc_written(&w), &cnp) != ROCECC_OK) return 1;
    if (!rocecc_cnp_match(&cnp) || w.at != 80) return 1;

    /* Another one, 10 us later: too early for a second CNP. */
    event.now_ns = 11000;
    out = rocecc_notification_point_step(&config, &gate, &p, event, &w);
    return out.verdict != ROCECC_NOTIFICATION_HELD;
}
