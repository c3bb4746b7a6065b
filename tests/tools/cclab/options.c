/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * options.c - tests that each command-line option sets one member of the options and
 * from there one parameter, and that fabrics have the requested times and rates.
 */
#define _POSIX_C_SOURCE 200809L /* dup */
#include "../../../examples/cctrace/algo.h"
#include "../../../examples/cclab/report.h"
#include "claims.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define US LAB_US
#define MS LAB_MS
#define S (1000 * LAB_MS)
#define TBPS (1000 * GBPS)
#define AT(member) offsetof(lab_options, member), sizeof((lab_options *)0)->member

/* Each option with a value, its smallest and largest values, and values beyond. */
static const struct {
    const char *option, *text;
    size_t at, size;
    uint64_t value;
    const char *name, *least, *most, *less, *more;
} rows[] = {
    {"flows", "17", AT(flows), 17, "", "1", "4096", "0", "4097"},
    {"rate", "25G", AT(rate_bps), 25 * GBPS, "", "1M", "1600G", "999999",
     "1600000000001"},
    {"rate", "1T", AT(rate_bps), TBPS, "", "1000k", "1T", "999k", "2T"},
    {"rtt", "9us", AT(rtt), 9 * US, "", "1000ns", "1s", "999ns", "1001ms"},
    {"buffer", "3M", AT(buffer_bytes), 3000000, "", "2K", "1G", "1999", "1000000001"},
    {"size", "70K", AT(size_bytes), 70000, "", "1", "1000G", "0", "1000000000001"},
    {"percent", "71", AT(percent), 71, "", "1", "100", "0", "101"},
    {"duration", "7ms", AT(duration), 7 * MS, "", "10us", "100s", "9999ns", "100001ms"},
    {"seed", "18446744073709551614", AT(seed), UINT64_MAX - 1, "", "0",
     "18446744073709551614", "-1", "18446744073709551615"},
    {"set", "ai_bps=10k", AT(ai_bps), 10000, "ai_bps", "1", "1600G", "0",
     "1600000000001"},
    {"set", "line_bps=16M", AT(line_bps), 16000000, "line_bps", "1M", "1600G", "999999",
     "1600000000001"},
    {"set", "payload_bytes=999", AT(payload_bytes), 999, "payload_bytes", "256", "4096",
     "255", "4097"},
    {"set", "jitter_ns=8ns", AT(jitter), 8000, "jitter_ns", "0ns", "4ms", "8",
     "4000001ns"},
    {"set", "np_delay_ns=9us", AT(np_delay), 9 * US, "np_delay_ns", "0ns", "100s",
     "-1ns", "100001ms"},
    {"set", "mark_at=arrival", AT(mark_at), LAB_ARRIVAL, "mark_at", "departure",
     "arrival", "leave", ""},
    {"fault", "lose=18", AT(lose_permille), 18, "lose", "0", "1000", "-1", "1001"},
    {"fault", "corrupt=19", AT(corrupt_permille), 19, "corrupt", "0", "1000", "-1",
     "1001"},
    {"fault", "liar", AT(liar), 1, NULL, NULL, NULL, NULL, NULL},
    {"fault", "storm", AT(storm), 1, NULL, NULL, NULL, NULL, NULL},
    {"fault", "unfiltered", AT(unfiltered), 1, NULL, NULL, NULL, NULL, NULL},
    {"fault", "open", AT(open), 1, NULL, NULL, NULL, NULL, NULL},
    {"fault", "from=20ns", AT(from), 20000, "from", "1ns", "100s", "0ns", "100001ms"},
    {"fault", "until=21s", AT(until), 21 * S, "until", "1ns", "100s", "0ns",
     "100001ms"},
    {"fault", "pause=22us", AT(pause), 22 * US, "pause", "1ns", "100s", "0ns",
     "100001ms"},
    {"fault", "sleep=23us", AT(sleep), 23 * US, "sleep", "1ns", "100s", "0ns",
     "100001ms"},
    {"fault", "clockstep=24ms", AT(clock_step), 24 * MS, "clockstep", "1ns", "900s",
     "0ns", "901s"},
    {"fault", "clockstep=-24ms", AT(clock_step), UINT64_MAX - 24 * MS + 1, "clockstep",
     "-1ns", "-900s", "-0ns", "-901s"},
    {"fault", "clockstep", AT(clock_step), UINT64_MAX - 10 * MS + 1, NULL, NULL, NULL,
     NULL, NULL},
    {"fault", "speed=26G", AT(speed_bps), 26 * GBPS, "speed", "1M", "1600G", "999999",
     "1600000000001"},
    {"fault", "nic=27G", AT(nic_bps), 27 * GBPS, "nic", "1M", "1600G", "999999",
     "1600000000001"},
    {"fault", "reroute", AT(reroute), 1, NULL, NULL, NULL, NULL, NULL},
    {"fault", "blind", AT(blind), 1, NULL, NULL, NULL, NULL, NULL},
    {"fault", "nak=28", AT(nak_permille), 28, "nak", "1", "1000", "0", "1001"},
    {"fault", "nak", AT(nak_permille), 10, NULL, NULL, NULL, NULL, NULL}};

static int taken(lab_options *o, size_t i, const char *value)
{
    char text[80];
    (void)snprintf(text, sizeof text, "%s%s%s", rows[i].name,
                   rows[i].name[0] == '\0' ? "" : "=", value);
    return lab_option(o, rows[i].option, text);
}

/* Each option sets one member and leaves the others unchanged. */
TEST(each_option_sets_one_member)
{
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lab_options o, want;
        const uint32_t v32 = (uint32_t)rows[i].value;
        const bool flag = rows[i].value != 0;
        memset(&o, 0, sizeof o);
        memset(&want, 0, sizeof want);
        memcpy((char *)&want + rows[i].at,
               rows[i].size == 8   ? (const void *)&rows[i].value
               : rows[i].size == 4 ? (const void *)&v32
                                   : (const void *)&flag,
               rows[i].size);
        test_context("--%s %s", rows[i].option, rows[i].text);
        CHECK_EQ(lab_option(&o, rows[i].option, rows[i].text), 0);
        CHECK(memcmp(&o, &want, sizeof o) == 0);
    }
}

/* The limits are accepted. A refused value leaves the options unchanged. */
TEST(options_accept_their_limits_and_refuse_values_beyond)
{
    const int shown = dup(2), hidden = open("/dev/null", O_WRONLY);
    size_t i;
    CHECK(shown >= 0 && dup2(hidden, 2) == 2);
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lab_options o, none;
        if (rows[i].name == NULL) continue;
        memset(&o, 0, sizeof o);
        memset(&none, 0, sizeof none);
        test_context("--%s %s", rows[i].option, rows[i].name);
        CHECK_EQ(taken(&o, i, rows[i].less), 2);
        CHECK_EQ(taken(&o, i, rows[i].more), 2);
        CHECK(memcmp(&o, &none, sizeof o) == 0);
        CHECK_EQ(taken(&o, i, rows[i].least), 0);
        CHECK_EQ(taken(&o, i, rows[i].most), 0);
    }
    CHECK(dup2(shown, 2) == 2);
    (void)close(shown);
    (void)close(hidden);
}

/* ---- parameters by cctrace's names */

static const struct {
    const char *text;
    const algo *algo;
    const char *member; /* NULL: a preset */
    uint64_t value;
} settings[] = {
    {"dcqcn.g_q20=4096", &algo_dcqcn, "g_q20", 4096},
    {"dcqcn.alpha_timer_ns=13us", &algo_dcqcn, "alpha_timer_ns", 13000},
    {"dcqcn.alpha_timer_ns=13", &algo_dcqcn, "alpha_timer_ns", 13},
    {"dcqcn.hai_bps=11M", &algo_dcqcn, "hai_bps", 11000000},
    {"dcqcn.stage_rule=qau", &algo_dcqcn, "stage_rule", ROCECC_DCQCN_STAGE_QAU},
    {"dcqcn.preset=nvidia", &algo_dcqcn, NULL, 1},
    {"cnpgate.interval_ns=1ms", &algo_cnpgate, "interval_ns", 1000000},
    {"wred.mark.pmax_q32=20%", &algo_wred, "mark.pmax_q32", 858993459},
    {"wred.mark.pmax_q32=100%", &algo_wred, "mark.pmax_q32", UINT64_C(1) << 32},
    {"wred.mark.max_bytes=3M", &algo_wred, "mark.max_bytes", 3000000},
    {"hpcc.eta_q20=95%", &algo_hpcc, "eta_q20", 996147},
    {"hpcc.max_stage=0", &algo_hpcc, "max_stage", 0},
    {"ldcp.continuous=1", &algo_ldcp, "continuous", 1},
    {"qcn.byte_reset_bytes=150K", &algo_qcn_rp, "byte_reset_bytes", 150000},
    {"qcn_cp.set_point_bytes=26K", &algo_qcn_cp, "set_point_bytes", 26000},
    {"k_min_bytes=6K", &algo_wred, "mark.min_bytes", 6000},
    {"k_max_bytes=7M", &algo_wred, "mark.max_bytes", 7000000},
    {"pmax_percent=8", &algo_wred, "mark.pmax_q32", 343597384},
    {"cnp_interval_ns=15ms", &algo_cnpgate, "interval_ns", 15000000}};

TEST(a_parameter_name_selects_its_member)
{
    size_t i;
    for (i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        lab_options o = lab_defaults();
        const lab_setting *s = &o.setting[0];
        set(&o, settings[i].text);
        CHECK_EQ(o.n_settings, 1);
        CHECK(s->algo == settings[i].algo);
        CHECK_EQ(s->value, settings[i].value);
        if (settings[i].member == NULL)
            CHECK(s->param == NULL);
        else
            CHECK(s->param != NULL &&
                  strcmp(s->param->f.name, settings[i].member) == 0);
    }
}

/*
 * Unknown names, unknown values, and values that do not fit are refused and not kept.
 */
TEST(invalid_parameters_are_refused)
{
    static const char *const bad[] = {"dcqcn.nonsense=1",
                                      "dcqcn.g_q20",
                                      "dcqcn.g_q20=",
                                      "dcqcn.g_q20=x",
                                      "dcqcn.g_q20=-1",
                                      "dcqcn.g_q20=4294967296",
                                      "dcqcn.g_q20=101%",
                                      "dcqcn.ai_bps=5K",
                                      "dcqcn.ai_bps=5%",
                                      "dcqcn.stage_rule=none",
                                      "dcqcn.stage_rule=",
                                      "dcqcn.stage_rule=0",
                                      "dcqcn.preset=none",
                                      "dcqcn.=1",
                                      ".g_q20=1",
                                      "preset=none",
                                      "preset",
                                      "ldcp.continuous=2",
                                      "hpcc.eta_q20=0x5",
                                      "pmax_percent=101",
                                      "k_min_bytes=1us",
                                      "k_min_bytes=4294967296",
                                      "acl.x=1"};
    const int shown = dup(2), hidden = open("/dev/null", O_WRONLY);
    size_t i;
    CHECK(shown >= 0 && dup2(hidden, 2) == 2);
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        lab_options o = lab_defaults();
        test_context("%s", bad[i]);
        CHECK_EQ(lab_option(&o, "set", bad[i]), 2);
        CHECK_EQ(o.n_settings, 0);
    }
    CHECK(dup2(shown, 2) == 2);
    (void)close(shown);
    (void)close(hidden);
}

/* An error of fclose() is printed with its reason. The descriptor is closed before, so
   fclose() fails. */
TEST(an_error_of_fclose_is_printed_with_its_reason)
{
    FILE *f = fopen("/dev/null", "w"), *printed = tmpfile();
    const int shown = dup(2);
    char text[200] = "";
    CHECK(f != NULL && printed != NULL && shown >= 0);
    if (f == NULL || printed == NULL || shown < 0) return;
    CHECK(dup2(fileno(printed), 2) == 2);
    (void)close(fileno(f));
    CHECK(!report_finish(f, "x.csv"));
    CHECK(dup2(shown, 2) == 2);
    rewind(printed);
    CHECK(fgets(text, sizeof text, printed) != NULL);
    CHECK(strcmp(text, "cclab: x.csv cannot be written: Bad file descriptor\n") == 0);
    (void)fclose(printed);
    (void)close(shown);
}

/* ---- from options to a scheme's parameters (cnp.c has DCQCN's) */

TEST(options_set_scheme_parameters)
{
    lab_options o = usual();
    lab *l;
    set(&o, "ldcp.gamma_q16=6249");
    set(&o, "ldcp.continuous=1");
    set(&o, "ai_bps=1G");
    set(&o, "hpcc.max_stage=7");
    set(&o, "hpcc.eta_q20=90%");
    set(&o, "qcn.gd_exp=5");
    set(&o, "qcn_cp.weight_q10=99");
    l = lab_new(&lab_hpcc_int, &o);
    CHECK(l != NULL);
    if (l == NULL) return;
    CHECK_EQ(l->part[0].hpcc.base_rtt_ns,
             8400); /* the paper's T is 5 % above the fabric's */
    CHECK_EQ(l->part[0].hpcc.w_ai_q8, 1050 * 256); /* 1 Gb/s for 8.4 us */
    CHECK_EQ(l->part[0].hpcc.max_stage, 7);
    CHECK_EQ(l->part[0].hpcc.eta_q20, 943718); /* 0.9 * 2^20 is 943718.4 */
    lab_free(l);
    l = lab_new(&lab_ldcp, &o);
    CHECK(l != NULL);
    if (l == NULL) return;
    CHECK_EQ(l->part[0].ldcp.gamma_q16, 6249);
    CHECK(l->part[0].ldcp.continuous);
    lab_free(l);
    l = lab_new(&lab_qcn, &o);
    CHECK(l != NULL);
    if (l == NULL) return;
    CHECK_EQ(l->part[0].qcn_rp.gd_exp, 5);
    CHECK_EQ(l->qcn_cp.weight_q10, 99);
    lab_free(l);
}

/* A member overrides a preset, in either order of the options. */
TEST(a_member_overrides_a_preset_in_either_order)
{
    int i;
    for (i = 0; i < 2; i++) {
        const rocecc_dcqcn_params nvidia = rocecc_dcqcn_nvidia(100 * GBPS);
        lab_options o = usual();
        lab *l;
        set(&o, i == 0 ? "dcqcn.ai_bps=9M" : "preset=nvidia");
        set(&o, i == 1 ? "dcqcn.ai_bps=9M" : "preset=nvidia");
        l = lab_new(&lab_dcqcn, &o);
        CHECK(l != NULL);
        if (l == NULL) return;
        CHECK_EQ(l->part[0].dcqcn.ai_bps, 9000000);
        CHECK_EQ(l->part[0].dcqcn.hai_bps, nvidia.hai_bps);
        CHECK_EQ(l->part[0].dcqcn.g_q20, nvidia.g_q20);
        CHECK_EQ(l->part[0].np.gate.interval_ns, 4000);
        lab_free(l);
    }
}

/* ---- the fabric */

/*
 * A single packet and its ACK take the requested round trip and the time of their bytes
 * on each link. Data has 1102 bytes on a link and an ACK 106, plus 64 in a tunnel. A
 * byte takes 320 ps at the sender (25 Gb/s), 20 between leaves and spines, 40 before
 * and behind the narrow link of the wide area, and otherwise 80 (100 Gb/s).
 */
TEST(a_packet_and_its_ack_take_the_rtt_plus_transmission_times)
{
    static const struct {
        lab_topology topology;
        lab_ps data, ack; /* time of each on all links */
    } is[] = {{LAB_STAR, 1102 * (320 + 80), 106 * (320 + 80)},
              {LAB_DUMBBELL, 1102 * (320 + 80 + 80), 106 * (320 + 80 + 80)},
              {LAB_CLOS, 1102 * (320 + 20 + 20 + 80), 106 * (320 + 20 + 20 + 80)},
              {LAB_WAN, 1102 * (320 + 80) + 1166 * (40 + 80 + 40),
               106 * (320 + 80) + 170 * (40 + 80 + 40)}};
    size_t i;
    for (i = 0; i < sizeof is / sizeof is[0]; i++) {
        lab_options o = usual();
        lab_result r;
        o.topology = is[i].topology;
        o.load = "incast";
        o.flows = 1;
        o.size_bytes = 1000;
        o.line_bps = 25 * GBPS;
        o.jitter = 0;
        o.rtt = 48 * LAB_US; /* 48 is a multiple of 4, 6, 8 and 16 */
        r = result_of(&lab_none, &o);
        test_context("%s: %llu ps", lab_topologies[o.topology].name,
                     (unsigned long long)r.fct_p50);
        CHECK_EQ(r.finished, 1);
        CHECK_EQ(r.fct_p50, o.rtt + is[i].data + is[i].ack);
        CHECK_EQ(r.fct_p99, r.fct_p50);
    }
}
