/* SPDX-License-Identifier: BSD-2-Clause */

/* sender.c - a switch's Fast CNP passes the gate, and slows down a flow. */
#include "rocecc/algo/dcqcn_timed.h"
#include "rocecc/packet/build.h"
#include "rocecc/role/reaction_point.h"

#include <stdio.h>

#include "data.h"

#define LINE_BPS 100000000000u

/* No type is assigned to the option yet. 0x9e is this network's own choice. */
static const rocecc_domain domain = {.link = ROCECC_LINK_IP,
                                     .fastcnp.type_plain = 0x9e};

/* Builds the Fast CNP from switch 2001:db8:ffff::1 about a packet of this sender. */
static rocecc_reader notification(uint8_t *bytes, size_t n)
{
    const rocecc_ip6 us = {{0x20, 0x01, 0x0d, 0xb8, 0, 0xa, [15] = 0x10}};
    const rocecc_ip6 it = {{0x20, 0x01, 0x0d, 0xb8, 0xff, 0xff, [15] = 1}};
    rocecc_writer w = rocecc_writer_of(bytes, bytes + n);
    rocecc_cnp cnp = rocecc_cnp_default();
    rocecc_fastcnp option;
    rocecc_packet about;
    cnp.src = it;
    cnp.dst = us;
    cnp.dest_qp = 0x456; /* the packet's DestQP, at the receiver */
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(data, data + sizeof data),
                              &about);
    (void)rocecc_fastcnp_derive(&about, &option);
    (void)rocecc_fastcnp_build(&w, &about, ROCECC_ICRC_MASKED, &cnp, &option);
    return rocecc_written(&w);
}

int main(void)
{
    /* The entry permits one switch. Switches with a common entry share its limit. */
    rocecc_acl_entry entry = {
        {{0x20, 0x01, 0x0d, 0xb8, 0xff, 0xff, [15] = 1}}, 128, 1, 0, 0};
    rocecc_reaction_config config = ROCECC_ZERO;
    rocecc_dcqcn_params params = rocecc_dcqcn_nvidia(LINE_BPS);
    rocecc_reaction_event event = ROCECC_ZERO;
    rocecc_admission_source sources[1]; /* one per entry, indexed by its tag */
    rocecc_reaction_point gate;         /* one per host */
    rocecc_dcqcn_timed flow;            /* one per sending QP */
    rocecc_reaction_result out;
    rocecc_packet p;
    rocecc_acl switches;
    uint8_t bytes[256];
    uint64_t rate_bps;
    uint32_t at;

    /* Set up once. */
    if (rocecc_acl_init(&switches, &entry, 1, &at) != ROCECC_ACL_ACCEPTED) return 1;
    config.fastcnp_enabled = config.check_icrc = true;
    config.admission = rocecc_admission_for(4, 1000); /* 4 misbehaving switches */
    if (rocecc_reaction_point_init(&config, &domain, &switches) !=
            ROCECC_REACTION_ACCEPTED ||
        rocecc_dcqcn_init(&params) != ROCECC_DCQCN_ACCEPTED)
        return 1;
    gate = rocecc_reaction_point_start(&config, 0);
    sources[entry.tag] = rocecc_admission_source_start(&config.admission, 0);
    event.admission.list = &switches;
    event.admission.sources = sources;
    event.admission.n_sources = 1;
    flow = rocecc_dcqcn_timed_start(&params, 0);

    /* For each packet that may be a CNP. */
    (void)rocecc_packet_parse(&domain, notification(bytes, sizeof bytes), &p);
    event.admission.now_ns = 5000;
    rocecc_reaction_point_step(&config, &gate, &p, &event, &out);
    if (out.verdict != ROCECC_REACTION_FAST_PLAIN) return 1;
    if (out.key.remote_qp != 0x456) return 1; /* the key identifies the host's QP */
    (void)rocecc_dcqcn_timed_cnp(&params, &flow, event.admission.now_ns);

    /* Before the next packet, 10 us later. This NIC cuts at most once per 4 us. */
    rate_bps = rocecc_dcqcn_timed_advance(&params, &flow, 15000).rate_bps;
    printf("from 100 to %u Gb/s\n", (unsigned)(rate_bps / 1000000000));
    return rate_bps >= LINE_BPS;
}
