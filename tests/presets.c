/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * presets.c - compares every parameter of every preset of every algorithm with its
 * source, and every member of the defaults of formats and roles. A preset without a
 * row, a row without a preset, and a parameter that a row omits are failures.
 */
#include "../examples/cctrace/algo.h"
#include "lib/test.h"

#include <rocecc/rocecc.h>

#include <stdlib.h>
#include <string.h>

typedef struct row {
    const char *algo;
    const char *preset;
    uint64_t link_bps;
    const char *source;
    const char *params; /* all, in the order of tests/law/ */
} row;

static const row rows[] = {
    {"acl", "empty", 0, "no parameters", ""},
    {"cnpgate", "paper", 0, "Zhu 2015, 3.1: N 50 us; a gate suppresses",
     "interval_ns=50000 defer=0"},
    {"cnpgate", "nvidia", 0, "mlxconfig of a card: MIN_TIME_BETWEEN_CNPS 4 us",
     "interval_ns=4000 defer=0"},
    {"cnpgate", "ns3", 0, "HPCC's ns-3 has no gate", "interval_ns=0 defer=0"},
    {"dcqcn", "paper", 40000000000,
     "Zhu 2015: g 1/256, K = T = 55 us, alpha_0 1, alpha/2 per cut, F 5, B 10 MB, R_AI "
     "40 "
     "Mb/s, clamps always; R_min 100 Mb/s as CONWEAVE, R_HAI 400 Mb/s as RoCC",
     "g_q20=4096 alpha_timer_ns=55000 alpha_init_q20=1048576 cut_interval_ns=0 "
     "cut_shift=1 min_dec_q20=0 min_bps=100000000 line_bps=40000000000 "
     "fast_recovery_stages=5 increase_timer_ns=55000 byte_counter_bytes=10000000 "
     "ai_bps=40000000 hai_bps=400000000 clamp_target=1 clamp_target_after_time=0 "
     "first_cnp_bps=0 release_bps=0 stage_rule=0 hai_flat=0 alpha_first=0 periodic=0 "
     "restart_bps=0"},
    {"dcqcn", "nvidia", 100000000000,
     "mlxconfig of three cards: dce_tcp_g 1019, dce_tcp_rtt 1, initial_alpha_value "
     "1023, "
     "rate_reduce_monitor_period 4, rpg_gd 11, rpg_min_dec_fac 50, rpg_min_rate 1, "
     "rpg_threshold 1, rpg_time_reset 300, rpg_byte_reset 32767, rpg_ai_rate 5, "
     "rpg_hai_rate 50, clamp_tgt_rate 0, clamp_tgt_rate_after_time_inc 1",
     "g_q20=5120 alpha_timer_ns=1000 alpha_init_q20=1047552 cut_interval_ns=4000 "
     "cut_shift=1 min_dec_q20=524288 min_bps=1000000 line_bps=100000000000 "
     "fast_recovery_stages=1 increase_timer_ns=300000 byte_counter_bytes=32767000 "
     "ai_bps=5000000 hai_bps=50000000 clamp_target=0 clamp_target_after_time=1 "
     "first_cnp_bps=0 release_bps=100000000000 stage_rule=2 hai_flat=1 alpha_first=0 "
     "periodic=1 restart_bps=0"},
    {"dcqcn", "ns3_hpcc", 100000000000,
     "run.py of HPCC's ns-3: g 1/256, K 1 us, cut 4 us, T 300 us, F 1, R_min 1 Gb/s, "
     "R_AI "
     "5 and R_HAI 50 Mb/s for each 25 Gb/s; rdma-hw.cc: no byte counter",
     "g_q20=4096 alpha_timer_ns=1000 alpha_init_q20=1048576 cut_interval_ns=4000 "
     "cut_shift=1 min_dec_q20=0 min_bps=1000000000 line_bps=100000000000 "
     "fast_recovery_stages=1 increase_timer_ns=300000 byte_counter_bytes=0 "
     "ai_bps=20000000 hai_bps=200000000 clamp_target=0 clamp_target_after_time=1 "
     "first_cnp_bps=0 release_bps=0 stage_rule=3 hai_flat=1 alpha_first=0 periodic=1 "
     "restart_bps=0"},
    {"hpcc", "paper", 100000000000,
     "HPCC: T 13 us, eta 0.95, maxStage 5, W_init = B T, W_AI = W_init (1 - eta) / "
     "100, "
     "which is 81.25 bytes; U_init 1; 5 hops; a second",
     "base_rtt_ns=13000 eta_q20=996147 max_stage=5 w_ai_q8=20800 w_init_bytes=162500 "
     "w_max_bytes=162500 w_min_bytes=1 u_init_q20=1048576 max_hops=5 ts_mod_ns=0 "
     "tx_mod_bytes=0 dt_max_ns=1000000000 pd_base_ns=0 "
     "fastest_bps=400000000000 reorder_ns=52000 queue_max_bytes=32000000 "
     "w_blind_bytes=8125 tick_max_ns=0"},
    {"hpcc", "ns3", 100000000000,
     "int-header.h: ns of 24 bits, 128 bytes of 20 bits for each 25 Gb/s; run.py: "
     "maxStage 0",
     "base_rtt_ns=13000 eta_q20=996147 max_stage=0 w_ai_q8=20800 w_init_bytes=162500 "
     "w_max_bytes=162500 w_min_bytes=1 u_init_q20=1048576 max_hops=5 "
     "ts_mod_ns=16777216 tx_mod_bytes=536870912 dt_max_ns=5000000 pd_base_ns=0 "
     "fastest_bps=400000000000 reorder_ns=52000 queue_max_bytes=32000000 "
     "w_blind_bytes=8125 tick_max_ns=0"},
    {"hpcc-csig", "paper", 400000000000, "HPCC, as above, at 400 Gb/s: W_AI 325 bytes",
     "base_rtt_ns=13000 eta_q20=996147 max_stage=5 w_ai_q8=83200 w_init_bytes=650000 "
     "w_max_bytes=650000 w_min_bytes=1 u_init_q20=1048576 max_hops=5 ts_mod_ns=0 "
     "tx_mod_bytes=0 dt_max_ns=1000000000 pd_base_ns=0 "
     "fastest_bps=1600000000000 reorder_ns=52000 queue_max_bytes=32000000 "
     "w_blind_bytes=32500 tick_max_ns=0"},
    {"hpcc-csig", "ns3", 25000000000, "int-header.h, as above, at 25 Gb/s",
     "base_rtt_ns=13000 eta_q20=996147 max_stage=0 w_ai_q8=5200 w_init_bytes=40625 "
     "w_max_bytes=40625 w_min_bytes=1 u_init_q20=1048576 max_hops=5 "
     "ts_mod_ns=16777216 tx_mod_bytes=134217728 dt_max_ns=5000000 pd_base_ns=0 "
     "fastest_bps=100000000000 reorder_ns=52000 queue_max_bytes=32000000 "
     "w_blind_bytes=2031 tick_max_ns=0"},
    {"ldcp", "hns", 102400000000,
     "HNS RoCE manual: alpha 1, beta 1/2, gamma 1/4, eta 1/2; an ACK per packet; IW is "
     "8 us",
     "alpha_q16=65536 beta_q16=32768 gamma_q16=16384 eta_q16=32768 iw_packets=100 "
     "cw_max_packets=0 loss_floor_packets=1 m_packets=1 mtu_bytes=1024 split=0 "
     "continuous=0"},
    {"pause", "service", 0,
     "rocecc's own: 1 s, 100 us, 20 us, 1 us, 200 and 100 kB; 16 times 32; 802.1p",
     "hash_key[0]=0 hash_key[1]=0 max_ns=1000000000 pause_ns=100000 pfc_ns=20000 "
     "min_ns=1000 xoff_bytes=200000 xon_bytes=100000 requesters=16 "
     "max_slots_per_requester=32 mode=0 "
     "priorities=8"},
    {"pause", "flow", 0, "the same",
     "hash_key[0]=0 hash_key[1]=0 max_ns=1000000000 pause_ns=100000 pfc_ns=20000 "
     "min_ns=1000 xoff_bytes=200000 xon_bytes=100000 requesters=16 "
     "max_slots_per_requester=32 mode=1 "
     "priorities=8"},
    {"pause", "priority", 0, "the same",
     "hash_key[0]=0 hash_key[1]=0 max_ns=1000000000 pause_ns=100000 pfc_ns=20000 "
     "min_ns=1000 xoff_bytes=200000 xon_bytes=100000 requesters=16 "
     "max_slots_per_requester=32 mode=2 "
     "priorities=8"},
    {"pause", "class", 0, "the same",
     "hash_key[0]=0 hash_key[1]=0 max_ns=1000000000 pause_ns=100000 pfc_ns=20000 "
     "min_ns=1000 xoff_bytes=200000 xon_bytes=100000 requesters=16 "
     "max_slots_per_requester=32 mode=3 "
     "priorities=8"},
    {"qcn_cp", "mib", 0, "IEEE8021-CN-MIB, 32.8.3, 32.8.6 (2^1), 32.8.11",
     "set_point_bytes=26000 weight_q10=2048 sample_base_bytes=150000 emit_zero_fb=0 "
     "skip_dropped=0"},
    {"qcn_cp", "mlxreg", 0, "Mellanox register cpcs: the same in cells of 64 bytes",
     "set_point_bytes=26048 weight_q10=2048 sample_base_bytes=150016 emit_zero_fb=0 "
     "skip_dropped=0"},
    {"qcn", "qau", 10000000000,
     "IEEE8021-CN-MIB, 32.11.1 to 32.11.10: 15 ms, 150000, 5, 5 Mb/s, 50 Mb/s, 7, 50 "
     "%, "
     "5 Mb/s",
     "max_bps=10000000000 min_bps=5000000 ai_bps=5000000 hai_bps=50000000 "
     "time_reset_ns=15000000 byte_reset_bytes=150000 threshold=5 gd_exp=7 "
     "min_dec_percent=50 enable=1 clamp_target=0 halve_in=0 active_byte=0 jitter=0 "
     "release_needs_empty=0"},
    {"qcn", "ns3", 10000000000, "qbb-net-device.cc: halved in hyper increase",
     "max_bps=10000000000 min_bps=5000000 ai_bps=5000000 hai_bps=50000000 "
     "time_reset_ns=15000000 byte_reset_bytes=150000 threshold=5 gd_exp=7 "
     "min_dec_percent=50 enable=1 clamp_target=0 halve_in=1 active_byte=1 jitter=0 "
     "release_needs_empty=0"},
    {"qcn_timed", "qau", 10000000000,
     "IEEE8021-CN-MIB, 32.11.1 to 32.11.10: 15 ms, 150000, 5, 5 Mb/s, 50 Mb/s, 7, 50 "
     "%, "
     "5 Mb/s",
     "max_bps=10000000000 min_bps=5000000 ai_bps=5000000 hai_bps=50000000 "
     "time_reset_ns=15000000 byte_reset_bytes=150000 threshold=5 gd_exp=7 "
     "min_dec_percent=50 enable=1 clamp_target=0 halve_in=0 active_byte=0 jitter=0 "
     "release_needs_empty=0"},
    {"qcn_timed", "ns3", 10000000000, "qbb-net-device.cc: halved in hyper increase",
     "max_bps=10000000000 min_bps=5000000 ai_bps=5000000 hai_bps=50000000 "
     "time_reset_ns=15000000 byte_reset_bytes=150000 threshold=5 gd_exp=7 "
     "min_dec_percent=50 enable=1 clamp_target=0 halve_in=1 active_byte=1 jitter=0 "
     "release_needs_empty=0"},
    {"red", "floyd", 100000000000,
     "Floyd's RED page: w 0.002 is 2^-9, maxp 0.1, max_th = 3 min_th, gentle",
     "maxp_q32=429496730 min_bytes=100000 max_bytes=300000 packet_ns=80 weight_exp=9 "
     "gentle=1 dpdk=0 hard_drop=0"},
    {"abw", "csig", 100000000000, "SAI-CSIG, 4.5: 256 us",
     "rate_bps=100000000000 window_ns=256000"},
    {"tokenbucket", "per_s", 128000000000, "rocecc's own: a burst of 1/16 s",
     "rate_per_s=16000 burst=1000"},
    {"wred", "ldcp", 100000000000,
     "rocecc's own: P_max 0.8 from BDP/5 to 4/5 BDP, Not-ECT to 2/5 BDP",
     "mark.min_bytes=20000 mark.max_bytes=80000 mark.pmax_q32=3435973837 "
     "drop.min_bytes=40000 drop.max_bytes=40000 drop.pmax_q32=0 buf_max_bytes=1600000"},
    {"wred", "dcqcn_paper", 0, "Zhu 2015: 5 and 200 KB, 0.01; lossless",
     "mark.min_bytes=5000 mark.max_bytes=200000 mark.pmax_q32=42949673 "
     "drop.min_bytes=4294967295 drop.max_bytes=4294967295 drop.pmax_q32=0 "
     "buf_max_bytes=4294967295"},
    {"wred", "hpcc_runs", 100000000000,
     "run.py of HPCC's ns-3: 100 and 400 KB for each 25 Gb/s, 0.2; lossless",
     "mark.min_bytes=400000 mark.max_bytes=1600000 mark.pmax_q32=858993459 "
     "drop.min_bytes=4294967295 drop.max_bytes=4294967295 drop.pmax_q32=0 "
     "buf_max_bytes=4294967295"},
    {"wred", "nvidia", 0,
     "Cumulus Linux 5.x, default_ecn_red_conf: 150000 and 1500000 bytes, 100 %",
     "mark.min_bytes=150000 mark.max_bytes=1500000 mark.pmax_q32=4294967296 "
     "drop.min_bytes=4294967295 drop.max_bytes=4294967295 drop.pmax_q32=0 "
     "buf_max_bytes=4294967295"}};

#define ROWS (sizeof rows / sizeof rows[0])

/* Reads "name=value " at *text, and moves *text after it. Returns false without it. */
static bool takes(const char **text, const char *name, uint64_t *value)
{
    const size_t n = strlen(name);
    char *end;
    if (strncmp(*text, name, n) != 0 || (*text)[n] != '=') return false;
    *value = strtoull(*text + n + 1, &end, 10);
    *text = end + (*end == ' ');
    return true;
}

static void compare(const row *r, const algo *a, const void *params)
{
    const char *text = r->params;
    size_t i;
    for (i = 0; i < a->n_params; i++) {
        const field *f = &a->params[i].f;
        uint64_t value = 0;
        test_context("%s %s %s: %s", r->algo, r->preset, f->name, r->source);
        CHECK(takes(&text, f->name, &value));
        CHECK_EQ(field_get(f, params), value);
    }
    CHECK(*text == '\0');
}

static const row *row_of(const char *name, const char *preset)
{
    size_t i;
    for (i = 0; i < ROWS; i++)
        if (strcmp(rows[i].algo, name) == 0 && strcmp(rows[i].preset, preset) == 0)
            return &rows[i];
    return NULL;
}

TEST(presets_match_their_source)
{
    size_t i, k, presets = 0;
    for (i = 0; algo_all[i] != NULL; i++) {
        const algo *a = algo_all[i];
        for (k = 0; k < a->n_presets; k++) {
            const row *r = row_of(a->name, a->presets[k].name);
            /* the presets of the previous algorithm, compared there */
            void *params;
            if (r == NULL && i > 0 && algo_all[i - 1]->presets == a->presets) continue;
            params = calloc(1, a->params_bytes + 1);
            test_context("%s %s", a->name, a->presets[k].name);
            CHECK(r != NULL && params != NULL);
            presets++;
            if (r == NULL || params == NULL) continue;
            a->presets[k].set(params, r->link_bps);
            compare(r, a, params);
            free(params);
        }
    }
    test_context("%s", "");
    CHECK_EQ(presets, ROWS);
}

/* Values for slow and odd link rates. */
TEST(presets_of_slow_and_odd_links)
{
    CHECK_EQ(rocecc_dcqcn_paper(10000000).min_bps, 10000000);
    CHECK_EQ(rocecc_dcqcn_nvidia(100000).min_bps, 100000);
    CHECK_EQ(rocecc_dcqcn_ns3_hpcc(100000000).min_bps, 100000000);
    CHECK_EQ(rocecc_qcn_rp_qau(1000000).min_bps, 1000000);
    CHECK_EQ(rocecc_hpcc_ns3(1000000000).tx_mod_bytes, 134217728);
    CHECK_EQ(rocecc_hpcc_ns3(UINT64_C(49999000000)).tx_mod_bytes, 134217728);
    CHECK_EQ(rocecc_hpcc_ns3(UINT64_C(50000000000)).tx_mod_bytes, 268435456);
    CHECK_EQ(rocecc_hpcc_ns3(UINT64_C(1600000000000)).tx_mod_bytes,
             UINT64_C(8589934592));
    CHECK_EQ(rocecc_tokenbucket_per_s(15).burst, 1);
    CHECK_EQ(rocecc_tokenbucket_per_s(16).burst, 1);
    CHECK_EQ(rocecc_tokenbucket_per_s(32).burst, 2);
}

/* draft-yu-tsvwg-l3qcn-00 has no numbers, so the numbers are ours or the host's. */
TEST(presets_l3qcn)
{
    const rocecc_flowtable_params t = rocecc_flowtable_l3qcn();
    const rocecc_l3qcn_tor_config c = rocecc_l3qcn_tor_default();
    static const rocecc_mac none;
    CHECK(t.secret[0] == 0 && t.secret[1] == 0 && t.buckets == 0);
    CHECK_EQ(t.expiry_ms, 10000);
    CHECK_EQ(t.evict_oldest, 0);
    CHECK(c.table.secret[0] == 0 && c.table.secret[1] == 0 && c.table.buckets == 0);
    CHECK_EQ(c.table.expiry_ms, 10000);
    CHECK_EQ(c.table.evict_oldest, 0);
    CHECK(memcmp(&c.mac, &none, sizeof none) == 0);
    CHECK_EQ(c.priority, 6);
    CHECK(!c.learn_untagged && !c.rewrite_encap && !c.check_msdu);
    CHECK_EQ(c.gate.interval_ns, 10000);
    CHECK_EQ(c.gate.defer, 0);
}

/* As in IBTA A17.9.3, with DSCP 48 (CS6) from NICs and BECN from NVIDIA's NICs. */
TEST(presets_cnp)
{
    const rocecc_cnp h = rocecc_cnp_default();
    static const rocecc_ip6 none;
    size_t i;
    CHECK(memcmp(&h.src, &none, 16) == 0 && memcmp(&h.dst, &none, 16) == 0);
    CHECK_EQ(h.dscp, 48);
    CHECK_EQ(h.ecn, 0);
    CHECK_EQ(h.hop_limit, 64);
    CHECK(h.flow_label == 0 && h.identification == 0 && h.src_port == 0);
    CHECK_EQ(h.pkey, 0xffff);
    CHECK(!h.fecn && h.becn && h.dest_qp == 0 && !h.udp_checksum && h.odd == 0);
    for (i = 0; i < sizeof h.reserved; i++)
        CHECK_EQ(h.reserved[i], 0);
}

/* A message without content. Members that the drafts leave 0 are 0. */
TEST(presets_arn)
{
    static const rocecc_arn_config c;
    const rocecc_arn h = rocecc_arn_default(&c, 2, 0x9);
    static const rocecc_flow none;
    CHECK_EQ(h.type, 2);
    CHECK_EQ(h.version, 1);
    CHECK(h.resv == 0 && h.metric == 0 && !h.lsb);
    CHECK_EQ(h.para_type, 0x90);
    CHECK(h.tuple_bytes == 0 && h.flow_zero == 0 && rocecc_flow_match(&h.flow, &none));
    CHECK(h.path_id == 0 && h.priority == 0 && h.time == 0);
    CHECK_EQ(rocecc_left(&h.rest), 0);
}

/*
 * IEEE 802.1Q, 32.9.2. The intervals are 10^4 times the standard's, so that one octet
 * of the table counts. `low` is 0.85 of each, and `span` is 0.3 for the random part.
 */
TEST(presets_qcn_intervals)
{
    static const uint32_t octets[8] = {150000, 75000, 50000, 37500,
                                       30000,  25000, 21500, 18500};
    rocecc_qcn_cp_params p = rocecc_qcn_cp_mib();
    unsigned i;
    p.sample_base_bytes = 1500000000;
    CHECK_EQ(rocecc_qcn_cp_init(&p), ROCECC_QCN_CP_ACCEPTED);
    for (i = 0; i < 8; i++) {
        CHECK_EQ(p.intervals[i].low, octets[i] * 8500u);
        CHECK_EQ(p.intervals[i].span, octets[i] * 3000u);
    }
}
