/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ALGORITHMS_H
#define ROCECC_FIELDS_ALGORITHMS_H

/*
 * algorithms.h - the algorithms that have a model and traces in vectors/, as a list of
 * rows A(NAME, name, trace, header, enums):
 *
 *      NAME    the tables in this folder are ROCECC_<NAME>_PARAMS and so on
 *      name    the types of state and parameters: rocecc_<name>, rocecc_<name>_params
 *      trace   the algorithm's name in vectors/ and in cctrace
 *      header  the header with its functions
 *      enums   which of its enumerations have names in this folder, word for word:
 *              NONE, REFUSAL, or VERDICT (the refusals and the verdicts). In a row
 *              with NONE, each refusal has the name of a parameter.
 */
#include "abw.h"
#include "acl.h"
#include "cnpgate.h"
#include "dcqcn.h"
#include "hpcc.h"
#include "ldcp.h"
#include "pause.h"
#include "qcn.h"
#include "tokenbucket.h"
#include "wred.h"

#define ROCECC_ALGORITHMS(A)                                                           \
    A(ABW, abw, "abw", "algo/abw.h", REFUSAL)                                          \
    A(ACL, acl, "acl", "guard/acl.h", REFUSAL)                                         \
    A(CNPGATE, cnpgate, "cnpgate", "guard/cnpgate.h", REFUSAL)                         \
    A(DCQCN, dcqcn, "dcqcn", "algo/dcqcn.h", NONE)                                     \
    A(DCQCN, dcqcn_timed, "dcqcn_timed", "algo/dcqcn_timed.h", NONE)                   \
    A(HPCC, hpcc, "hpcc", "algo/hpcc.h", NONE)                                         \
    A(HPCC, hpcc_csig, "hpcc-csig", "algo/hpcc_csig.h", NONE)                          \
    A(LDCP, ldcp, "ldcp", "algo/ldcp.h", REFUSAL)                                      \
    A(PAUSE, pause, "pause", "guard/pause.h", VERDICT)                                 \
    A(QCN_CP, qcn_cp, "qcn_cp", "algo/qcn_cp.h", NONE)                                 \
    A(QCN_RP, qcn_rp, "qcn", "algo/qcn_rp.h", NONE)                                    \
    A(QCN_RP, qcn_rp_timed, "qcn_timed", "algo/qcn_timed.h", NONE)                     \
    A(RED, red, "red", "algo/wred.h", REFUSAL)                                         \
    A(TOKENBUCKET, tokenbucket, "tokenbucket", "guard/tokenbucket.h", REFUSAL)         \
    A(WRED, wred, "wred", "algo/wred.h", VERDICT)

#endif /* ROCECC_FIELDS_ALGORITHMS_H */
