/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIELDS_CM_H
#define ROCECC_FIELDS_CM_H

/* cm.h - field tables for wire/cm.h, with rows as in field.h. */
#include "../wire/cm.h"

#define ROCECC_CM_FIELDS(F, T)                                                         \
    F(T, UINT, attribute, NULL, 16, "", "REQ 0x10, REP 0x13, RTU 0x14, DREQ 0x15")     \
    F(T, UINT, service, NULL, 2, "", "service in a REQ: 0 RC, 1 UC")                   \
    F(T, UINT, local_id, NULL, 32, "", "communication ID of the message's sender")     \
    F(T, UINT, remote_id, NULL, 32, "", "communication ID of the message's receiver")  \
    F(T, UINT, qpn, NULL, 24, "", "sender's QPN, in a DREQ the receiver's")

#endif /* ROCECC_FIELDS_CM_H */
