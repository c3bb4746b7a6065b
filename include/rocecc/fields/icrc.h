/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ICRC_H
#define ROCECC_FIELDS_ICRC_H

/* icrc.h - names for wire/icrc.h. */
#include "../wire/icrc.h"

#define ROCECC_ICRC_RULE_NAMES "auto standard masked literal stripped none"

#endif /* ROCECC_FIELDS_ICRC_H */
