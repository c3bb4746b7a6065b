/* SPDX-License-Identifier: BSD-2-Clause */

/* port.c - sends and receives a device's frames through a packet socket. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>

#include "node.h"

rocecc_reader node_view(const node_frame *p)
{
    return rocecc_reader_of(p->bytes, p->bytes + p->n);
}

rocecc_writer node_room(node_frame *p)
{
    return rocecc_writer_of(p->bytes, p->bytes + sizeof p->bytes);
}

rocecc_packet node_packet(const node_frame *p)
{
    return rocecc_packet_attach(&node_domain, node_view(p), &p->f);
}

uint64_t node_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void fail(const char *what)
{
    fprintf(stderr, "node: %s: %s%s\n", what, strerror(errno),
            errno == EPERM ? ": run node as root or give it CAP_NET_RAW" : "");
    exit(1);
}

bool node_mac(const char *text, rocecc_mac *mac)
{
    uint8_t *b = mac->b;
    int n = 0;
    return sscanf(text, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%n", &b[0], &b[1], &b[2],
                  &b[3], &b[4], &b[5], &n) == 6 &&
           text[n] == '\0';
}

static void bind_to(node_port *p, const char *dev)
{
    struct sockaddr_ll at;
    struct ifreq r;
    memset(&r, 0, sizeof r);
    memset(&at, 0, sizeof at);
    memcpy(r.ifr_name, dev, strlen(dev));
    if (ioctl(p->fd, SIOCGIFHWADDR, &r) != 0) fail(dev);
    memcpy(p->mac.b, r.ifr_hwaddr.sa_data, sizeof p->mac.b);
    if (ioctl(p->fd, SIOCGIFINDEX, &r) != 0) fail(dev);
    at.sll_family = AF_PACKET;
    at.sll_protocol = htons(ETH_P_ALL);
    at.sll_ifindex = r.ifr_ifindex;
    if (bind(p->fd, (struct sockaddr *)&at, sizeof at) != 0) fail(dev);
}

node_port node_open(const char *arg)
{
    const char *mac = strchr(arg, '=');
    const int looks_on = mac == NULL, one = 1, buffer = 1 << 22;
    const size_t n = mac == NULL ? strlen(arg) : (size_t)(mac - arg);
    char dev[IFNAMSIZ] = "";
    node_port p = {-1, {{0}}, {{0}}};
    if (n >= sizeof dev || (mac != NULL && !node_mac(mac + 1, &p.next))) {
        fprintf(stderr, "node: %s: expected DEV=MAC, such as eth0=02:00:00:00:00:01\n",
                arg);
        exit(2);
    }
    memcpy(dev, arg, n);
    p.fd = socket(AF_PACKET, SOCK_RAW, 0);
    if (p.fd < 0) fail("a packet socket cannot be opened");
    if (setsockopt(p.fd, SOL_PACKET, PACKET_AUXDATA, &one, sizeof one) != 0 ||
        setsockopt(p.fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer) != 0 ||
        (!looks_on &&
         setsockopt(p.fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof one) != 0))
        fail(dev);
    bind_to(&p, dev);
    return p;
}

/* Returns TPID and TCI of the outer VLAN tag, which is not in the frame, or 0. */
static uint32_t tag_beside(struct msghdr *m)
{
    struct tpacket_auxdata aux;
    struct cmsghdr *c;
    for (c = CMSG_FIRSTHDR(m); c != NULL; c = CMSG_NXTHDR(m, c)) {
        if (c->cmsg_level != SOL_PACKET || c->cmsg_type != PACKET_AUXDATA) continue;
        memcpy(&aux, CMSG_DATA(c), sizeof aux);
        if ((aux.tp_status & TP_STATUS_VLAN_VALID) != 0)
            return (uint32_t)aux.tp_vlan_tpid << 16 | aux.tp_vlan_tci;
    }
    return 0;
}

/* Reads one frame with all its tags, for any address. */
static bool receive(const node_port *from, node_frame *p)
{
    union {
        struct cmsghdr align;
        uint8_t bytes[CMSG_SPACE(sizeof(struct tpacket_auxdata))];
    } control;
    struct iovec all = {p->bytes, sizeof p->bytes - ROCECC_VLAN_BYTES};
    struct msghdr m;
    uint32_t tag;
    ssize_t n;
    memset(&m, 0, sizeof m);
    m.msg_iov = &all;
    m.msg_iovlen = 1;
    m.msg_control = &control;
    m.msg_controllen = sizeof control;
    n = recvmsg(from->fd, &m, MSG_DONTWAIT);
    if (n < 0 && errno == EAGAIN) return false;
    if (n < ROCECC_ETHER_BYTES) fail("a frame cannot be received");
    p->n = (size_t)n;
    tag = tag_beside(&m);
    if (tag == 0) return true;
    memmove(p->bytes + 12 + ROCECC_VLAN_BYTES, p->bytes + 12, p->n - 12);
    rocecc_store32(p->bytes + 12, tag);
    p->n += ROCECC_VLAN_BYTES;
    return true;
}

bool node_receive(const node_port *from, node_frame *p)
{
    static const rocecc_mac none;
    while (receive(from, p)) {
        if (memcmp(&from->next, &none, sizeof none) != 0 &&
            memcmp(p->bytes, &from->mac, sizeof from->mac) != 0)
            continue;
        (void)rocecc_headers_parse(&node_domain, node_view(p), &p->f);
        return true;
    }
    return false;
}

void node_send(const node_port *to, rocecc_reader frame)
{
    const size_t n = rocecc_left(&frame);
    const uint8_t *b = rocecc_take(&frame, n);
    if (send(to->fd, b, n, 0) != (ssize_t)n) fail("a frame cannot be sent");
}

rocecc_ether node_ether(const node_port *to, uint16_t type)
{
    rocecc_ether h;
    h.dst = to->next;
    h.src = to->mac;
    h.type = type;
    return h;
}

bool node_route(const node_port *to, node_frame *p)
{
    const rocecc_headers_ip *ip = p->f.outer.version != 0 ? &p->f.outer : &p->f.ip;
    const bool v4 = ip->version == 4;
    const rocecc_ether ether = node_ether(to, v4 ? ROCECC_TYPE_IPV4 : ROCECC_TYPE_IPV6);
    uint8_t *b = p->bytes + ip->offset;
    if (p->f.status == ROCECC_ERR_FORMAT || p->f.status == ROCECC_ERR_SHORT ||
        ip->version == 0 || ip->offset < ROCECC_ETHER_BYTES || ip->end > p->n)
        return false;
    if (b[v4 ? 8 : 7] <= 1) return false; /* sends no ICMP error */
    if (v4)
        rocecc_ipv4_ttl_store(b, (uint8_t)(b[8] - 1));
    else
        rocecc_ipv6_hop_limit_store(b, (uint8_t)(b[7] - 1));
    rocecc_ether_store(b - ROCECC_ETHER_BYTES, &ether);
    node_send(to, rocecc_subrange(node_view(p), (size_t)ip->offset - ROCECC_ETHER_BYTES,
                                  ip->end));
    return true;
}

static volatile sig_atomic_t stopped;

static void on_term(int signal)
{
    (void)signal;
    stopped = 1;
}

void node_ready(const char *role)
{
    struct sigaction term;
    sigset_t set;
    memset(&term, 0, sizeof term);
    term.sa_handler = on_term;
    sigaction(SIGTERM, &term, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL); /* except in node_wait() */
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("%s is ready\n", role);
}

bool node_wait(const node_port *ports, int n, uint64_t until_ns)
{
    struct pollfd at[2];
    struct timespec wait = {1, 0};
    const uint64_t now_ns = node_ns();
    sigset_t none;
    int i, come;
    sigemptyset(&none);
    for (i = 0; i < n && i < 2; i++) {
        at[i].fd = ports[i].fd;
        at[i].events = POLLIN;
    }
    if (stopped || until_ns <= now_ns)
        wait.tv_sec = 0;
    else if (until_ns - now_ns < 1000000000) {
        wait.tv_sec = 0;
        wait.tv_nsec = (long)(until_ns - now_ns);
    }
    come = ppoll(at, (nfds_t)i, &wait, &none);
    return come > 0 || !stopped;
}
