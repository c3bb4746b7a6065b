/* SPDX-License-Identifier: BSD-2-Clause */

/* switch.c - a packet in a long queue is marked, and its sender gets a Fast CNP. */
#include "rocecc/role/congestion_point.h"

#include <stdio.h>
#include <string.h>

#include "data.h"

static const rocecc_domain domain = {.link = ROCECC_LINK_IP,
                                     .fastcnp.type_plain = 0x9e};

/* Writes the configuration, once. */
static bool configure(rocecc_congestion_config *c, rocecc_acl_entry *entry,
                      rocecc_acl *senders)
{
    const rocecc_acl_entry ours = {{{0x20, 0x01, 0x0d, 0xb8, 0, 0xa}}, 48, 1, 0, 0};
    const rocecc_ip6 us = {{0x20, 0x01, 0x0d, 0xb8, 0xff, 0xff, [15] = 1}};
    uint32_t at;
    *entry = ours;
    c->fastcnp_enabled = true;
    c->cnp = rocecc_cnp_default();
    c->cnp.src = us;
    c->answer = rocecc_opcode_set_data();
    c->gate = rocecc_cnpgate_paper();
    /* 1000 notifications per second to the senders of one entry, and 5000 to all. */
    c->admission = rocecc_admission_for(4, 1000);
    return rocecc_acl_init(senders, entry, 1, &at) == ROCECC_ACL_ACCEPTED &&
           rocecc_congestion_point_init(c, &domain, senders) ==
               ROCECC_CONGESTION_ACCEPTED;
}

int main(void)
{
    const rocecc_wred_params wred = rocecc_wred_dcqcn_paper();
    rocecc_congestion_config config = ROCECC_ZERO;
    rocecc_congestion_event event = ROCECC_ZERO;
    uint8_t frame[sizeof data], answer[400];
    rocecc_writer w = rocecc_writer_of(answer, answer + sizeof answer);
    rocecc_writer in_place = rocecc_writer_of(frame, frame + sizeof frame);
    rocecc_congestion_point point;      /* one per switch */
    rocecc_cnpgate gate;                /* one per flow, or per group of flows */
    rocecc_admission_source sources[1]; /* one per entry, indexed by its tag */
    rocecc_acl_entry entry;
    rocecc_acl senders;
    rocecc_congestion_result out;
    rocecc_packet p, fast;

    /* Set up once. */
    if (rocecc_wred_init(&wred) != ROCECC_WRED_ACCEPTED) return 1;
    if (!configure(&config, &entry, &senders)) return 1;
    point = rocecc_congestion_point_start(&config, 0);
    gate = rocecc_cnpgate_start(&config.gate);
    sources[entry.tag] = rocecc_admission_source_start(&config.admission, 0);
    event.admission.list = &senders;
    event.admission.sources = sources;
    event.admission.n_sources = 1;

    /* For each packet. Its queue holds 800 kB. */
    memcpy(frame, data, sizeof data);
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(frame, frame + sizeof frame),
                              &p);
    event.admission.now_ns = 1000;
    event.verdict = rocecc_wred_decide(&wred, 800000, ROCECC_ECN_ECT0, 0);
    event.sender_support =
        ROCECC_FASTCNP_SUPPORT_UNKNOWN; /* whether the sender supports Fast CNPs */
    event.gate = &gate;
    out = rocecc_congestion_point_step(&config, &point, &p, &event, &w);
    if (out.outputs != (ROCECC_CONGESTION_FAST_CNP | ROCECC_CONGESTION_MARK)) return 1;
    if (!rocecc_congestion_point_mark(&p, in_place)) return 1;
    printf("marked, and a Fast CNP of %u bytes\n", (unsigned)w.at);
    (void)rocecc_packet_parse(&domain, rocecc_written(&w), &fast);
    return !rocecc_fastcnp_match(&fast);
}
