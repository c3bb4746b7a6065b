/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 120          /* a CNP behind Ethernet and an extension header */
#define ROCECC_CHECKSUM_WORDS 30 /* the loop ends by its cap, too */
#include "law/cnp.h"
#include "prove.h"

/* Values of any width, addresses of either family. */
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

/* Beyond where a frame may begin. */
static void build_far(void)
{
    static uint8_t big[ROCECC_FRAME_START_MAX + 100];
    rocecc_writer w = rocecc_writer_of(big, big + sizeof big);
    const rocecc_cnp h = rocecc_cnp_default();
    (void)rocecc_put(&w, ROCECC_FRAME_START_MAX + 1);
    (void)rocecc_cnp_build(&w, &h);
}

/* Whatever is located, and whatever two receivers make of it. */
static void parse_any(void)
{
    const rocecc_reader r = prove_reader();
    const rocecc_frame_config config = {(bool)Frama_C_interval(0, 1), 0};
    rocecc_status status;
    rocecc_frame f;
    rocecc_cnp h;
    if (rocecc_frame_locate(&config, r, &f) != ROCECC_OK) return;
    (void)law_cnp_parse(r, &f, Frama_C_interval(0, 1) != 0, &status, &h);
}

void main(void)
{
    parse_any();
    build_any();
    build_far();
}
