/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 60 */
/* prove-options: -eva-slevel-function rocecc_packet_ip:200 */
/* prove-options: -eva-slevel-function rocecc_flow_read_:200,rocecc_packet_flow:200 */
/* prove-options: -eva-slevel-function rocecc_flow_without_telemetry_:200 */
#define PROVE_BYTES 80
#define ROCECC_ARN_REST_MAX_BYTES 40
#include "any.h"
#include "rocecc/role/flow_control.h"

static rocecc_flow_control_config c;
static rocecc_pause_notice m;

static void any_config(void)
{
    c.trust_dscp = Frama_C_interval(0, 1) != 0;
    Frama_C_make_unknown((char *)c.class_of, sizeof c.class_of);
}

static void any_notice(void)
{
    Frama_C_make_unknown((char *)&m.flow, sizeof m.flow);
    Frama_C_make_unknown((char *)&m.from, sizeof m.from);
    m.pfc = Frama_C_interval(0, 1) != 0;
    m.priority = (uint32_t)prove_any();
    m.port = (uint32_t)prove_any();
    m.time_ns = prove_any();
    m.type = (uint8_t)Frama_C_interval(0, 255);
    m.has_flow = Frama_C_interval(0, 1) != 0;
    m.has_priority = Frama_C_interval(0, 1) != 0;
    m.has_time = Frama_C_interval(0, 1) != 0;
}

static void packet_any(void)
{
    const rocecc_packet p = prove_packet();
    static rocecc_pause_traffic x;
    static const uint8_t zero[ROCECC_ARN_BYTES];
    static const rocecc_pause_requester from = {{{0xfd, 2}}, 3};
    rocecc_arn h = rocecc_arn_load(zero);
    rocecc_status status = rocecc_arn_find(&p, &h);
    if (status == ROCECC_OK)
        m = rocecc_flow_control_arn_load(&prove_domain.arn, &h, &from, 0);
    /*@ slevel merge; */
    status = rocecc_flow_control_traffic(&c, &p, 1, 2, &x);
    if (status == ROCECC_OK) {
        /*@ assert x.in_port == 1 && x.out_port == 2; */
    }
}

static void out_any(void)
{
    static uint8_t mac[6], any[32];
    rocecc_datagram d;
    rocecc_mac src;
    rocecc_writer w = prove_writer();
    Frama_C_make_unknown((char *)mac, sizeof mac);
    src = rocecc_mac_load(mac);
    any_notice();
    (void)rocecc_flow_control_arn_emit(&w, &prove_domain.arn, &m);
    /*@ slevel merge; */
    w = prove_writer();
    d = rocecc_arn_datagram(&prove_domain.arn, (uint32_t)prove_any());
    Frama_C_make_unknown((char *)any, sizeof any);
    d.src = rocecc_ip6_load(any);
    d.dst = rocecc_ip6_load(any + 16);
    (void)rocecc_flow_control_arn_build(&w, &prove_domain.arn, &d, &m);
    /*@ slevel merge; */
    w = prove_writer();
    (void)rocecc_flow_control_pfc_build(&w, &src, prove_any(), &m);
}

static void pfc_any(void)
{
    static rocecc_pfc h;
    Frama_C_make_unknown((char *)&h, sizeof h);
    (void)rocecc_flow_control_pfc_load(&h, (unsigned)prove_any(), prove_any(), 0, &m);
}

static void ask_any(void)
{
    static rocecc_pause_traffic x;
    static rocecc_pause_params p;
    rocecc_pause_result act = rocecc_pause_make_result_(ROCECC_PAUSE_ASK);
    Frama_C_make_unknown((char *)&x.outer, sizeof x.outer);
    Frama_C_make_unknown((char *)&x.inner, sizeof x.inner);
    Frama_C_make_unknown((char *)&p, sizeof p);
    x.priority = (uint8_t)Frama_C_interval(0, 255);
    x.pfc_class = (uint8_t)Frama_C_interval(0, 255);
    x.in_port = x.out_port = (uint32_t)prove_any();
    act.what = (uint8_t)Frama_C_interval(0, 255);
    act.pfc = Frama_C_interval(0, 1) != 0;
    act.time_ns = prove_any();
    m = rocecc_flow_control_ask(&p, &act, &x);
}

void main(void)
{
    any_config();
    prove_agree();
    (void)rocecc_flow_control_init(&c, &prove_domain);
    packet_any();
    /*@ slevel merge; */
    out_any();
    /*@ slevel merge; */
    pfc_any();
    /*@ slevel merge; */
    ask_any();
}
