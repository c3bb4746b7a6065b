/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SOFTROCE_QP_H
#define SOFTROCE_QP_H

/* qp.h - connections of this host's QPs from the kernel's RDMA netlink, as in `rdma
 * resource show qp`. */
#include <stdbool.h>
#include <stdint.h>

bool qp_open(void);

/* Calls `of` with the number of each connected QP and the other end's QP number. */
void qp_each(void (*of)(uint32_t qp, uint32_t other, void *to), void *to);

#endif /* SOFTROCE_QP_H */
