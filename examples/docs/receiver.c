/* SPDX-License-Identifier: BSD-2-Clause */

/* receiver.c - packets with CE arrive. The receiver answers the first with a CNP. */
#include "rocecc/role/notification_point.h"

#include <stdio.h>
#include <string.h>

#include "data.h"

int main(void)
{
    const rocecc_domain domain = {.link = ROCECC_LINK_IP};
    rocecc_notification_event event = {0, 0x11, false}; /* the sender's QP is 0x11 */
    rocecc_notification_config config = ROCECC_ZERO;
    uint8_t frame[sizeof data], answer[128];
    rocecc_writer w = rocecc_writer_of(answer, answer + sizeof answer);
    rocecc_notification_result out;
    rocecc_cnpgate gate; /* one per QP */
    rocecc_packet p, cnp;

    /* Set up once. */
    config.gate = rocecc_cnpgate_paper(); /* at most one CNP per 50 us */
    config.cnp = rocecc_cnp_default();
    config.cnp.src_port = 0xc001;
    if (rocecc_notification_point_init(&config) != ROCECC_NOTIFICATION_ACCEPTED)
        return 1;
    gate = rocecc_cnpgate_start(&config.gate);

    /* For each packet. A switch marked this packet. */
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

    /* A packet 10 us later is too early for a second CNP. */
    event.now_ns = 11000;
    out = rocecc_notification_point_step(&config, &gate, &p, event, &w);
    return out.verdict != ROCECC_NOTIFICATION_HELD;
}
