/* SPDX-License-Identifier: BSD-2-Clause */

/* qcn_edges.c - QCN at its edges: RP-n are of algo/README.md. */
#include "lib/test.h"
#include "rocecc/algo/qcn.h"

#include <string.h>

/*
 * RP-5: a CNM leaves 1 - QntzFb / 128, and rpgMinDecFac per cent at least, each to the
 * bit/s. Of 12.8 Mb/s 5/128 leave 12.3, which is above 96 % of it, 12.288; 4/128 leave
 * 12.4, which is below 97 %, 12.416.
 */
TEST(edges_qcn_floors_to_the_per_cent)
{
    static const struct {
        uint8_t qntz_fb, percent;
        uint64_t rate_bps;
    } rows[] = {{5, 96, 12300000}, {4, 97, 12416000}, {4, 96, 12400000}};
    size_t i;
    for (i = 0; i < 3; i++) {
        rocecc_qcn_rp_params p = rocecc_qcn_rp_qau(12800000);
        rocecc_qcn_rp s;
        p.min_dec_percent = rows[i].percent;
        CHECK_EQ(rocecc_qcn_rp_init(&p), ROCECC_QCN_RP_ACCEPTED);
        s = rocecc_qcn_rp_start(&p);
        CHECK_EQ(rocecc_qcn_rp_cnm(&p, &s, rows[i].qntz_fb, 0).rate_bps,
                 rows[i].rate_bps);
    }
}

/* It writes its parameters, and nothing after them. */
TEST(edges_qcn_cp_init_writes_its_own)
{
    struct {
        rocecc_qcn_cp_params p;
        uint8_t after[16];
    } x;
    size_t i;
    memset(&x, 0xa5, sizeof x);
    x.p = rocecc_qcn_cp_mib();
    CHECK_EQ(rocecc_qcn_cp_init(&x.p), ROCECC_QCN_CP_ACCEPTED);
    for (i = 0; i < sizeof x.after; i++)
        CHECK_EQ(x.after[i], 0xa5);
}

/* A counter is loaded with its length, or with 0.85 to 1.15 of it: without jitter no
 * random number adds anything. */
TEST(edges_qcn_interval_with_and_without_jitter)
{
    static const struct {
        uint64_t length;
        bool jitter;
        uint32_t low, span, middle; /* the draw of the middle random number */
    } rows[] = {{1000, false, 1000, 0, 1000},
                {1000, true, 850, 300, 1000},
                {0, true, 0, 0, 0},
                {UINT32_MAX, false, UINT32_MAX, 0, UINT32_MAX}};
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rocecc_qcn_interval of =
            rocecc_qcn_make_interval_(rows[i].length, rows[i].jitter);
        CHECK_EQ(of.low, rows[i].low);
        CHECK_EQ(of.span, rows[i].span);
        CHECK_EQ(rocecc_qcn_draw_(&of, 0), rows[i].low);
        CHECK_EQ(rocecc_qcn_draw_(&of, UINT32_C(1) << 31), rows[i].middle);
    }
}
