/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_ECNTUNNEL_H
#define ROCECC_FIELDS_ECNTUNNEL_H

/* ecntunnel.h - names for algo/ecntunnel.h. */
#include "../algo/ecntunnel.h"

#define ROCECC_ECNTUNNEL_ALARM_NAMES "no_alarm unused dangerous"

#endif /* ROCECC_FIELDS_ECNTUNNEL_H */
