/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 1 -eva-auto-loop-unroll 0 -eva-slevel 60 */
#define PROVE_BYTES 160
#define ROCECC_SRV6_INNER_MAX_BYTES 64
#include "any.h"
#include "rocecc/role/srv6_pe.h"

static rocecc_srv6_pe_config c;

static void any_config(void)
{
    static uint8_t sid[16];
    Frama_C_make_unknown((char *)sid, sizeof sid);
    c.end_con = rocecc_ip6_load(sid);
    c.compatibility = Frama_C_interval(0, 1) != 0;
    c.copy_dscp = Frama_C_interval(0, 1) != 0;
    c.dscp = (uint8_t)Frama_C_interval(0, 255);
    c.reduced = Frama_C_interval(0, 1) != 0;
    c.open = Frama_C_interval(0, 1) != 0;
}

static void ingress_any(void)
{
    rocecc_writer w = prove_writer();
    rocecc_srv6_pe_path way;
    rocecc_srv6_pe_ingress_result in;
    way.policy = prove_reader();
    way.flow_label = (uint32_t)prove_any();
    way.mtu_bytes = (uint32_t)prove_any();
    rocecc_srv6_pe_encapsulate(&c, prove_reader(), &way, &w, &in);
    w = rocecc_writer_of(prove_bytes, prove_bytes + PROVE_BYTES); /* the same buffer */
    w.end = (size_t)Frama_C_interval(0, PROVE_BYTES);
    rocecc_srv6_pe_push(&c, prove_reader(), &way, &w, &in);
}

static void end_any(void)
{
    const rocecc_packet p = prove_packet();
    static rocecc_srv6_pe_result out;
    static rocecc_acl_entry e[2];
    const rocecc_acl access = rocecc_acl_attach(e, 2);
    Frama_C_make_unknown((char *)e, sizeof e);
    rocecc_srv6_pe_egress(&c.end_con, &p, prove_writer(), &out);
    rocecc_srv6_pe_end_con(&c, &access, &p, prove_writer(), &out);
    rocecc_srv6_pe_end(&c.end_con, &p, prove_writer(), &out);
    (void)rocecc_srv6_pe_needs_action(out.verdict);
}

/* Moves an SRH with any values, at any place, to its next segment. */
static void advance_any(void)
{
    rocecc_srh srh;
    srh.next_header = (uint8_t)Frama_C_interval(0, 255);
    srh.segments_left = (uint8_t)Frama_C_interval(0, 255);
    srh.flags = (uint8_t)Frama_C_interval(0, 255);
    srh.tag = (uint16_t)Frama_C_interval(0, 0xffff);
    srh.segments = prove_reader();
    srh.tlvs = prove_reader();
    (void)rocecc_srv6_pe_advance_segment_(prove_writer(), &srh, (size_t)prove_any(),
                                          (uint8_t)Frama_C_interval(0, 255));
}

void main(void)
{
    any_config();
    prove_agree();
    (void)rocecc_srv6_pe_init(&c, &prove_domain);
    /*@ slevel merge; */
    ingress_any();
    /*@ slevel merge; */
    end_any();
    /*@ slevel merge; */
    advance_any();
}
