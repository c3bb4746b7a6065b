/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-slevel 60 -eva-auto-loop-unroll 0 */
#define PROVE_BYTES 256
#include "any.h"
#include "rocecc/role/echo.h"

#define HOPS 4

/* Writes an echo with values of any width and a record of any length. */
static void emit_any(void)
{
    rocecc_writer out = prove_writer();
    rocecc_echo h;
    h.version = (uint8_t)Frama_C_interval(0, 255);
    h.format = (uint8_t)Frama_C_interval(0, 255);
    h.truncated = prove_bit();
    h.read_response = prove_bit();
    h.psn_resv = (uint8_t)Frama_C_interval(0, 255);
    h.psn = (uint32_t)prove_any();
    h.resv = (uint16_t)Frama_C_interval(0, 65535);
    h.length = (uint8_t)Frama_C_interval(0, 255);
    h.record = prove_reader();
    (void)rocecc_echo_bytes(&h);
    (void)rocecc_echo_emit(&out, &h);
}

static void parse_any(void)
{
    rocecc_reader r = prove_reader();
    rocecc_ioam_view ioam;
    rocecc_ifa ifa;
    rocecc_intmd intmd;
    rocecc_csig csig;
    rocecc_echo h;
    if (rocecc_echo_parse(&r, &h) != ROCECC_OK) return;
    /*@ assert h.version == 1 && h.format <= 3; */
    /*@ assert h.length >= 1; */
    (void)rocecc_echo_ioam(&prove_domain.ioam, &h, &ioam);
    (void)rocecc_echo_ifa(&prove_domain.ifa, &h, &ifa);
    (void)rocecc_echo_intmd(&prove_domain.intmd, &h, &intmd);
    (void)rocecc_echo_csig(&prove_domain.csig, &h, &csig);
}

/* Handles any packet in any domain, as data and as an ACK. */
static void packet_any(void)
{
    static rocecc_hop hops[HOPS];
    static rocecc_telemetry_config c;
    const rocecc_packet p = prove_packet();
    rocecc_writer w = prove_writer();
    rocecc_echo_sender_result heard;
    rocecc_echo_sender_event e;
    rocecc_echo h;
    int verdict;
    (void)rocecc_echo_extract(&p, &h);
    (void)rocecc_echo_find(&p, &h);
    /*@ slevel merge; */
    verdict = (int)rocecc_echo_receiver_step(&p, &w);
    (void)rocecc_echo_receiver_needs_action((rocecc_echo_receiver_verdict)verdict);
    /*@ slevel merge; */
    Frama_C_make_unknown((char *)&c, sizeof c);
    c.seconds = prove_bit();
    c.every_node = prove_bit();
    e.qp = (uint32_t)prove_any();
    e.first_psn = (uint32_t)prove_any();
    e.n_psns = (uint32_t)prove_any();
    e.first_read_psn = (uint32_t)prove_any();
    e.n_read_psns = (uint32_t)prove_any();
    e.max_hops = HOPS;
    e.format = (uint8_t)Frama_C_interval(0, 255);
    rocecc_echo_sender_step(&c, &p, e, hops, &heard);
    /*@ assert heard.verdict < 9; */
    (void)rocecc_echo_sender_needs_action(heard.verdict);
}

void main(void)
{
    prove_agree();
    (void)rocecc_roce_init(&prove_domain.roce);
    emit_any();
    /*@ slevel merge; */
    parse_any();
    /*@ slevel merge; */
    packet_any();
}
