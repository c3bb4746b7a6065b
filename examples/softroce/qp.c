/* SPDX-License-Identifier: BSD-2-Clause */
#include "qp.h"

#include <libmnl/libmnl.h>
#include <rdma/rdma_netlink.h>
#include <stdlib.h>
#include <unistd.h>

#define DEVICES_MAX 64

static struct mnl_socket *kernel;

typedef struct each {
    void (*of)(uint32_t qp, uint32_t other, void *to);
    void *to;
    uint32_t device[DEVICES_MAX];
    unsigned devices;
} each;

typedef struct qp {
    uint32_t own, other;
} qp;

bool qp_open(void)
{
    kernel = mnl_socket_open(NETLINK_RDMA);
    return kernel != NULL && mnl_socket_bind(kernel, 0, MNL_SOCKET_AUTOPID) == 0;
}

/* Requests a dump, and passes its messages to `answer`. */
static void dump(uint16_t command, const uint32_t *device, mnl_cb_t answer, each *e)
{
    static char buffer[65536];
    static uint32_t sequence;
    struct nlmsghdr *h = mnl_nlmsg_put_header(buffer);
    ssize_t n;
    h->nlmsg_type = (uint16_t)RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command);
    h->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_DUMP;
    h->nlmsg_seq = ++sequence;
    if (device != NULL) mnl_attr_put_u32(h, RDMA_NLDEV_ATTR_DEV_INDEX, *device);
    if (mnl_socket_sendto(kernel, h, h->nlmsg_len) < 0) return;
    do {
        n = mnl_socket_recvfrom(kernel, buffer, sizeof buffer);
    } while (n > 0 &&
             mnl_cb_run(buffer, (size_t)n, sequence, mnl_socket_get_portid(kernel),
                        answer, e) > MNL_CB_STOP);
}

static int device_attribute(const struct nlattr *a, void *to)
{
    each *e = to;
    if (mnl_attr_get_type(a) == RDMA_NLDEV_ATTR_DEV_INDEX && e->devices < DEVICES_MAX)
        e->device[e->devices++] = mnl_attr_get_u32(a);
    return MNL_CB_OK;
}

static int device_message(const struct nlmsghdr *h, void *e)
{
    return mnl_attr_parse(h, 0, device_attribute, e);
}

static int qp_attribute(const struct nlattr *a, void *to)
{
    qp *q = to;
    if (mnl_attr_get_type(a) == RDMA_NLDEV_ATTR_RES_LQPN) q->own = mnl_attr_get_u32(a);
    if (mnl_attr_get_type(a) == RDMA_NLDEV_ATTR_RES_RQPN)
        q->other = mnl_attr_get_u32(a);
    return MNL_CB_OK;
}

/* Reports a QP if it is connected. Before that, the other end's number is 0 or
 * missing. */
static int qp_entry(const struct nlattr *a, void *to)
{
    const each *e = to;
    qp q = {0, 0};
    (void)mnl_attr_parse_nested(a, qp_attribute, &q);
    if (q.other != 0) e->of(q.own, q.other, e->to);
    return MNL_CB_OK;
}

static int qp_table(const struct nlattr *a, void *e)
{
    return mnl_attr_get_type(a) == RDMA_NLDEV_ATTR_RES_QP
               ? mnl_attr_parse_nested(a, qp_entry, e)
               : MNL_CB_OK;
}

static int qp_message(const struct nlmsghdr *h, void *e)
{
    return mnl_attr_parse(h, 0, qp_table, e);
}

void qp_each(void (*of)(uint32_t qp, uint32_t other, void *to), void *to)
{
    each e = {of, to, {0}, 0};
    unsigned i;
    dump(RDMA_NLDEV_CMD_GET, NULL, device_message, &e);
    for (i = 0; i < e.devices; i++)
        dump(RDMA_NLDEV_CMD_RES_QP_GET, &e.device[i], qp_message, &e);
}
