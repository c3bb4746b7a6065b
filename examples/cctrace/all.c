/* SPDX-License-Identifier: BSD-2-Clause */
#include "algo.h"

extern const algo algo_abw;
extern const algo algo_acl;
extern const algo algo_cnpgate;
extern const algo algo_dcqcn;
extern const algo algo_dcqcn_timed;
extern const algo algo_hpcc;
extern const algo algo_hpcc_csig;
extern const algo algo_keyflow;
extern const algo algo_ldcp;
extern const algo algo_pause;
extern const algo algo_qcn_cp;
extern const algo algo_qcn_rp;
extern const algo algo_qcn_timed;
extern const algo algo_red;
extern const algo algo_tokenbucket;
extern const algo algo_wred;

const algo *const algo_all[] = {&algo_abw,
                                &algo_acl,
                                &algo_cnpgate,
                                &algo_dcqcn,
                                &algo_dcqcn_timed,
                                &algo_hpcc,
                                &algo_hpcc_csig,
                                &algo_keyflow,
                                &algo_ldcp,
                                &algo_pause,
                                &algo_qcn_cp,
                                &algo_qcn_rp,
                                &algo_qcn_timed,
                                &algo_red,
                                &algo_tokenbucket,
                                &algo_wred,
                                NULL};
