/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_DCQCN_DEPLOYMENT_H
#define ROCECC_FIELDS_DCQCN_DEPLOYMENT_H

/*
 * dcqcn_deployment.h - names for role/dcqcn_deployment.h. The tables for its members
 * are in dcqcn.h, cnpgate.h and wred.h.
 */
#include "../role/dcqcn_deployment.h"

#define ROCECC_DCQCN_DEPLOYMENT_REFUSAL_NAMES                                          \
    "accepted reaction notification marking never_marked alpha increase_timer"

#endif /* ROCECC_FIELDS_DCQCN_DEPLOYMENT_H */
