/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_IP6OPT_H
#define ROCECC_FIELDS_IP6OPT_H

/* ip6opt.h - field tables for wire/ip6opt.h, with rows as in field.h. */
#include "../wire/ip6opt.h"

#define ROCECC_IP6OPTS_FIELDS(F, T)                                                    \
    F(T, UINT, next_header, NULL, 8, "", "")                                           \
    F(T, VIEW, options, NULL, 0, "", "list of options and padding")

#define ROCECC_IP6OPT_FIELDS(F, T)                                                     \
    F(T, UINT, type, NULL, 8, "", "option type")                                       \
    F(T, VIEW, body, NULL, 0, "", "data of the option")

#endif /* ROCECC_FIELDS_IP6OPT_H */
