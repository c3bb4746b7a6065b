/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 60 */
/* prove-options: -eva-slevel-function rocecc_cnp_parse:4000 */
#define PROVE_BYTES 120
#define ROCECC_CHECKSUM_MAX_BYTES 64 /* low, so that the loop also reaches it */
#include "any.h"
#include "rocecc/packet/build.h"
#include "rocecc/packet/cnp.h"

/* Builds a CNP with values of any width and either address family. */
static void build_any(void)
{
    rocecc_writer out = prove_writer();
    static uint8_t any[32];
    rocecc_cnp h = rocecc_cnp_default();
    Frama_C_make_unknown((char *)any, sizeof any);
    h.src = rocecc_ip6_load(any);
    h.dst = rocecc_ip6_load(any + 16);
    h.dscp = (uint8_t)Frama_C_interval(0, 255);
    h.ecn = (uint8_t)Frama_C_interval(0, 255);
    h.flow_label = (uint32_t)prove_any();
    h.dest_qp = (uint32_t)prove_any();
    h.udp_checksum = Frama_C_interval(0, 1) != 0;
    (void)rocecc_cnp_build(&out, &h);
}

/* Builds a CNP beyond where a packet may begin. */
static void build_far(void)
{
    static uint8_t big[ROCECC_PACKET_START_MAX + 100];
    rocecc_writer w = rocecc_writer_of(big, big + sizeof big);
    const rocecc_cnp h = rocecc_cnp_default();
    (void)rocecc_put(&w, ROCECC_PACKET_START_MAX + 1);
    (void)rocecc_cnp_build(&w, &h);
}

static void parse_any(void)
{
    const rocecc_packet p = prove_packet();
    rocecc_cnp h;
    (void)rocecc_cnp_parse(&p, &h);
}

void main(void)
{
    prove_agree();
    parse_any();
    /*@ slevel merge; */
    build_any();
    /*@ slevel merge; */
    build_far();
}
