/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 2 */
/*
 * bounds.c - bounds for the presets at 25, 100 and 400 Gb/s. If a flow's rate or window
 * is within its bounds, it is within them after any event. This holds for any valid
 * values in the rest of its state. Eva knows no relation between two unknown numbers,
 * so the parameters are known.
 */
#include "rocecc/rocecc.h"
#include "prove.h"

/*@ requires min <= max;
    assigns \result \from min, max;
    ensures min <= \result <= max; */
unsigned long Frama_C_unsigned_long_interval(unsigned long min, unsigned long max);

static uint64_t between(uint64_t low, uint64_t high)
{
    return Frama_C_unsigned_long_interval(low, high);
}

static uint8_t byte(int low, int high)
{
    return (uint8_t)Frama_C_interval(low, high);
}

/* Returns an active flow with rates from R_min to the line rate, in any stages. */
static rocecc_dcqcn dcqcn_flow(const rocecc_dcqcn_params *p)
{
    rocecc_dcqcn s = rocecc_dcqcn_start(p);
    s.rate_bps = between(p->min_bps, p->line_bps);
    s.target_bps = between(p->min_bps, p->line_bps);
    s.alpha_q31 = (uint32_t)between(0, 2147483648);
    s.sent_bytes = (uint32_t)prove_any();
    s.time_stages = byte(0, 255);
    s.byte_stages = byte(0, 255);
    s.decays = byte(0, 255);
    s.flags = (uint8_t)(byte(0, 15) | ROCECC_DCQCN_ACTIVE);
    return s;
}

static void dcqcn_within(const rocecc_dcqcn_params *p, const rocecc_dcqcn *s)
{
    /*@ assert rate: p->min_bps <= s->rate_bps <= p->line_bps; */
    /*@ assert target: p->min_bps <= s->target_bps <= p->line_bps; */
}

static void dcqcn(rocecc_dcqcn_params p)
{
    rocecc_dcqcn s;
    if (rocecc_dcqcn_init(&p) != ROCECC_DCQCN_ACCEPTED) return;
    s = rocecc_dcqcn_start(&p);
    dcqcn_within(&p, &s);
    (void)rocecc_dcqcn_cnp(&p, &s);
    dcqcn_within(&p, &s);
    s = dcqcn_flow(&p);
    (void)rocecc_dcqcn_cnp(&p, &s);
    dcqcn_within(&p, &s);
    s = dcqcn_flow(&p);
    (void)rocecc_dcqcn_alpha_timer(&p, &s);
    dcqcn_within(&p, &s);
    s = dcqcn_flow(&p);
    (void)rocecc_dcqcn_cut_timer(&p, &s);
    dcqcn_within(&p, &s);
    s = dcqcn_flow(&p);
    (void)rocecc_dcqcn_increase_timer(&p, &s);
    dcqcn_within(&p, &s);
    s = dcqcn_flow(&p);
    (void)rocecc_dcqcn_sent(&p, &s, (uint32_t)prove_any());
    dcqcn_within(&p, &s);
    s = dcqcn_flow(&p);
    (void)rocecc_dcqcn_restart(&p, &s);
    dcqcn_within(&p, &s);
    s = dcqcn_flow(&p);
    s.rate_bps = prove_any(); /* from a link of another speed */
    s.target_bps = prove_any();
    (void)rocecc_dcqcn_relink(&p, &s);
    dcqcn_within(&p, &s);
}

/* Returns a flow with W and Wc from W_min to W_max. */
static rocecc_hpcc hpcc_flow(const rocecc_hpcc_params *p)
{
    rocecc_hpcc s = rocecc_hpcc_start(p);
    s.window_q20 = between(p->w_min_bytes << 20, p->w_max_bytes << 20);
    s.reference_q20 = between(p->w_min_bytes << 20, p->w_max_bytes << 20);
    s.u_q32 = between(0, ROCECC_HPCC_U_MAX_Q32);
    s.changed_ns = prove_any();
    s.update_seq = (uint32_t)prove_any();
    s.stage = byte(0, p->max_stage);
    s.hops = byte(0, p->max_hops);
    s.blind = byte(0, 255);
    s.flags = byte(0, 7);
    return s;
}

static void hpcc_within(const rocecc_hpcc_params *p, const rocecc_hpcc *s,
                        const rocecc_hpcc_action *act)
{
    /*@ assert window: p->w_min_bytes * 0x100000 <= s->window_q20 <=
          p->w_max_bytes * 0x100000; */
    /*@ assert reference: p->w_min_bytes * 0x100000 <= s->reference_q20 <=
          p->w_max_bytes * 0x100000; */
    /*@ assert u: s->u_q32 < 0x100000000000; */
    /*@ assert stage: s->stage <= p->max_stage; */
    /*@ assert bytes: p->w_min_bytes <= act->window_bytes <= p->w_max_bytes; */
    /*@ assert rate: 0 < act->rate_bps < 0x80000000000; */
}

static void hpcc(rocecc_hpcc_params p)
{
    static rocecc_hpcc_hop l[ROCECC_HPCC_HOPS_MAX];
    static rocecc_hop hops[ROCECC_HPCC_HOPS_MAX];
    rocecc_hpcc_event r;
    static rocecc_hpcc_csig_event e;
    rocecc_hpcc s;
    rocecc_hpcc_action act;
    Frama_C_make_unknown((char *)l, sizeof l);
    Frama_C_make_unknown((char *)hops, sizeof hops);
    Frama_C_make_unknown((char *)&e, sizeof e);
    r.hops = hops;
    r.n_hops = (uint32_t)prove_any();
    r.seq = (uint32_t)prove_any();
    r.snd_nxt = (uint32_t)prove_any();
    r.now_ns = prove_any();
    r.ecn = byte(0, 255);
    r.incomplete = byte(0, 1) != 0;
    if (rocecc_hpcc_init(&p) != ROCECC_HPCC_ACCEPTED) return;
    s = hpcc_flow(&p);
    act = rocecc_hpcc_ack(&p, &s, l, &r);
    hpcc_within(&p, &s, &act);
    s = hpcc_flow(&p);
    act = rocecc_hpcc_fastcnp(&p, &s, l, &r);
    hpcc_within(&p, &s, &act);
    s = hpcc_flow(&p);
    act = rocecc_hpcc_csig_ack(&p, &s, &e);
    hpcc_within(&p, &s, &act);
    s = hpcc_flow(&p);
    rocecc_hpcc_forget(&p, &s);
    hpcc_within(&p, &s, &act);
    s = hpcc_flow(&p);
    s.window_q20 = prove_any(); /* from another link */
    s.reference_q20 = prove_any();
    act = rocecc_hpcc_relink(&p, &s);
    hpcc_within(&p, &s, &act);
    /* After the first ACK (UNTOUCHED is not set), relink() does not restart W. */
    s = hpcc_flow(&p);
    s.flags = byte(0, 3);
    s.window_q20 = between(p.w_min_bytes << 20, (p.w_min_bytes << 20) + 1000000);
    (void)rocecc_hpcc_relink(&p, &s);
    /*@ assert no_start: s.window_q20 <= p.w_min_bytes * 0x100000 + 1000000; */
}

/* Returns a flow with rates from rpgMinRate to rpgMaxRate. */
static rocecc_qcn_rp qcn_flow(const rocecc_qcn_rp_params *p)
{
    rocecc_qcn_rp s = rocecc_qcn_rp_start(p);
    s.rate_bps = between(p->min_bps, p->max_bps);
    s.target_bps = between(p->min_bps, p->max_bps);
    s.left_bytes = (uint32_t)prove_any();
    s.byte_stage = byte(0, 255);
    s.time_stage = byte(0, 255);
    s.state = byte(0, 2);
    s.enabled = byte(0, 1);
    return s;
}

static void qcn_within(const rocecc_qcn_rp_params *p, const rocecc_qcn_rp *s)
{
    /*@ assert rate: p->min_bps <= s->rate_bps <= p->max_bps; */
    /*@ assert target: p->min_bps <= s->target_bps <= p->max_bps; */
}

static void qcn(rocecc_qcn_rp_params p)
{
    rocecc_qcn_rp s;
    if (rocecc_qcn_rp_init(&p) != ROCECC_QCN_RP_ACCEPTED) return;
    s = qcn_flow(&p);
    (void)rocecc_qcn_rp_cnm(&p, &s, byte(0, 255), (uint32_t)prove_any());
    qcn_within(&p, &s);
    s = qcn_flow(&p);
    (void)rocecc_qcn_rp_sent(&p, &s, (uint32_t)prove_any(), byte(0, 255),
                             (uint32_t)prove_any());
    qcn_within(&p, &s);
    s = qcn_flow(&p);
    (void)rocecc_qcn_rp_timer(&p, &s, byte(0, 255), (uint32_t)prove_any());
    qcn_within(&p, &s);
    s = qcn_flow(&p);
    s.rate_bps = prove_any();
    s.target_bps = prove_any();
    (void)rocecc_qcn_rp_relink(&p, &s);
    qcn_within(&p, &s);
}

/*
 * Checks that a window of any bits is from gamma to cw_max after an ACK of a limited
 * flow past fast start, and from gamma to iw_packets after relink().
 */
static void ldcp(rocecc_ldcp_params p)
{
    static rocecc_ldcp s;
    rocecc_ldcp_ack_event h = {1, false, true};
    if (rocecc_ldcp_init(&p) != ROCECC_LDCP_ACCEPTED) return;
    Frama_C_make_unknown((char *)&s, sizeof s);
    s.stable = 1;
    h.packets = (uint32_t)between(1, UINT32_MAX);
    h.ece = byte(0, 1) != 0;
    rocecc_ldcp_ack(&p, &s, h);
    /*@ assert window: p.gamma_q32 <= s.cw_q32 <= p.cw_max_q32; */
    Frama_C_make_unknown((char *)&s, sizeof s);
    rocecc_ldcp_relink(&p, &s);
    /*@ assert link: p.gamma_q32 <= s.cw_q32 <= (uint64_t)p.iw_packets * 0x100000000; */
}

/*
 * Checks an ECN-capable packet in a queue of up to buf_max_bytes. It passes below
 * min_bytes, is marked from max_bytes on, and is never dropped.
 */
static void wred(const rocecc_wred_params *p)
{
    const uint32_t random = (uint32_t)prove_any();
    const rocecc_ecn ecn = (rocecc_ecn)Frama_C_interval(1, 3);
    rocecc_wred_verdict v;
    v = rocecc_wred_decide(p, (uint32_t)between(0, p->mark.min_bytes - 1), ecn, random);
    /*@ assert below_min: v == ROCECC_WRED_PASS; */
    v = rocecc_wred_decide(p, (uint32_t)between(p->mark.max_bytes, p->buf_max_bytes),
                           ecn, random);
    /*@ assert from_max_on: v == ROCECC_WRED_MARK; */
    v = rocecc_wred_decide(p, (uint32_t)between(0, p->buf_max_bytes), ecn, random);
    /*@ assert no_drop: v != ROCECC_WRED_DROP; */
}

/* Checks decapsulation for each pair of fields against RFC 6040's prose. */
static void ecntunnel(void)
{
    int inner, outer;
    //@ loop unroll 4;
    for (inner = 0; inner < 4; inner++)
        //@ loop unroll 4;
        for (outer = 0; outer < 4; outer++) {
            const rocecc_ecntunnel_action m =
                rocecc_ecntunnel_decapsulate((rocecc_ecn)inner, (rocecc_ecn)outer);
            const int marks = inner == 3 || outer == 3;
            /*@ assert drop: m.drop == (inner == 0 && outer == 3 ? 1 : 0); */
            /*@ assert not_ect: inner == 0 ==> m.ecn == 0; */
            /*@ assert ce: inner != 0 && marks ==> m.ecn == 3; */
            /*@ assert ect1: inner != 0 && !marks && (inner == 1 || outer == 1) ==>
                  m.ecn == 1; */
            /*@ assert same: inner == outer || outer == 0 ==> m.ecn == inner; */
        }
}

void main(void)
{
    static const uint64_t lines[] = {25000000000, 100000000000, 400000000000};
    const rocecc_wred_params runs = rocecc_wred_hpcc_runs(100000000000),
                             paper = rocecc_wred_dcqcn_paper();
    int i;
    //@ loop unroll 3;
    for (i = 0; i < 3; i++) {
        dcqcn(rocecc_dcqcn_paper(lines[i]));
        dcqcn(rocecc_dcqcn_nvidia(lines[i]));
        dcqcn(rocecc_dcqcn_ns3_hpcc(lines[i]));
        hpcc(rocecc_hpcc_paper(lines[i]));
        hpcc(rocecc_hpcc_ns3(lines[i]));
        qcn(rocecc_qcn_rp_qau(lines[i]));
        qcn(rocecc_qcn_rp_ns3(lines[i]));
    }
    ldcp(rocecc_ldcp_hns(64));
    ldcp(rocecc_ldcp_hns(1024));
    wred(&runs);
    wred(&paper);
    ecntunnel();
}
