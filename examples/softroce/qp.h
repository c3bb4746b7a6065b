/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SOFTROCE_QP_H
#define SOFTROCE_QP_H

/* qp.h - which QPs of this host are connected to which, as the kernel's RDMA netlink
 * has it: what `rdma resource show qp` shows. */
#include <stdbool.h>
#include <stdint.h>

bool qp_open(void);

/* Each QP that is connected: its number, and that of the QP at the other end. */
void qp_each(void (*of)(uint32_t qp, uint32_t other, void *to), void *to);

#endif /* SOFTROCE_QP_H */
