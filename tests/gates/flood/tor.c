/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * tor.c - "flood-tor N" floods examples/l3qcn/tor.c with private CNMs from N
 * misbehaving switches. They name the host's flows with the weakest feedback, or no
 * flow. The honest switch's CNMs have the strongest. This file has node.h's functions
 * instead of port.c, and time is simulated.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "../../../examples/docs/data.h"
#include "../../../examples/l3qcn/node.h"
#include "dropin.h"

#define FLOWS 96
#define START_NS 1000000000 /* uptime of the node */
#define REFRESH_NS 50000000 /* interval of the host's frames for each flow */

rocecc_domain node_domain = {.l3qcn = {.port = 51966}};

static dropin_packet packet;
static uint64_t now_ns = START_NS, refreshed_ns = START_NS;
static unsigned refresh = FLOWS; /* flows that still get a frame */
static bool waits = true, forwarded;

/* Replaces the C library's function, so that the table's secret is always the same. */
ssize_t getrandom(void *bytes, size_t n, unsigned flags);
ssize_t getrandom(void *bytes, size_t n, unsigned flags)
{
    (void)flags;
    memset(bytes, 0x5a, n);
    return (ssize_t)n;
}

uint64_t node_ns(void)
{
    return now_ns;
}

rocecc_writer node_room(node_frame *p)
{
    return rocecc_writer_of(p->bytes, p->bytes + sizeof p->bytes);
}

rocecc_packet node_packet(const node_frame *p)
{
    return rocecc_packet_attach(&node_domain,
                                rocecc_reader_of(p->bytes, p->bytes + p->n), &p->f);
}

/* Opens port 0, the host's, or port 1, the fabric's. */
node_port node_open(const char *arg)
{
    node_port p = {arg[0] - '0', {{2}}, {{2, 0, 0, 0, 0, 9}}};
    return p;
}

void node_ready(const char *role)
{
    (void)role;
}

static rocecc_mac mac_of(unsigned source)
{
    rocecc_mac m = {{2, 0, 0, 0, 0xff}};
    m.b[5] = (uint8_t)source;
    return m;
}

/* Writes a frame of the host: a CN-TAG, and data. */
static void put_data(node_frame *p, unsigned flow)
{
    const rocecc_ether ether = {{{2}}, {{2, 0, 0, 0, 0, 0x10}}, ROCECC_TYPE_CNTAG};
    rocecc_writer w = node_room(p);
    uint8_t *tag;
    (void)rocecc_ether_emit(&w, &ether);
    tag = rocecc_put(&w, 4);
    rocecc_store16(tag, (uint16_t)(0x11 + flow));
    rocecc_store16(tag + 2, ROCECC_TYPE_IPV6);
    (void)rocecc_append(&w, rocecc_reader_of(data, data + sizeof data), sizeof data);
    rocecc_store16(p->bytes + 18 + 40, (uint16_t)(0xc000 + flow));
    p->n = w.at;
}

/* Writes a private CNM of a switch. */
static void put_cnm(node_frame *p)
{
    const rocecc_ether ether = {{{2}}, {{2, 0, 0, 0, 0, 9}}, ROCECC_TYPE_IPV6};
    const rocecc_l3qcn_outer outer = rocecc_l3qcn_outer_default(0);
    const rocecc_mac mac = mac_of(packet.source);
    const bool honest = packet.who != DROPIN_MISBEHAVING;
    rocecc_writer w = node_room(p);
    rocecc_reader ip = rocecc_reader_of(data, data + sizeof data);
    rocecc_ip6 src, dst;
    rocecc_l3qcn h;
    memcpy(src.b, ip.base + 8, sizeof src.b);
    memcpy(dst.b, ip.base + 24, sizeof dst.b);
    memset(&h, 0, sizeof h);
    h.src = src;
    h.dst = dst;
    h.ports = true;
    h.src_port = (uint16_t)(0xc000 + (packet.number + 24 * packet.source) % FLOWS);
    if (!honest && packet.number % 7 == 0) h.src_port = 0x1000; /* no flow */
    h.dst_port = ROCECC_UDP_PORT_ROCEV2;
    h.proto = ROCECC_PROTO_UDP;
    h.cnm.qntz_fb = honest ? 63 : 1;
    h.cnm.cpid = ((uint64_t)rocecc_load32(mac.b) << 16 | rocecc_load16(mac.b + 4))
                 << 16;
    h.cnm.msdu = rocecc_reader_of(NULL, NULL);
    (void)rocecc_ether_emit(&w, &ether);
    (void)rocecc_l3qcn_build(&w, &node_domain.l3qcn, &outer, &h);
    p->n = w.at;
    if (packet.who == DROPIN_FORGED) p->bytes[ROCECC_ETHER_BYTES + 40 + 7] ^= 0x55;
}

bool node_receive(const node_port *from, node_frame *p)
{
    if (from->fd == 0) {
        if (refresh == 0) return false;
        put_data(p, --refresh);
    } else {
        if (refresh != 0 || !waits) return false;
        waits = dropin_next(&packet);
        if (!waits) return false;
        now_ns = START_NS + packet.now_ns;
        if (now_ns - refreshed_ns >= REFRESH_NS) { /* before the fabric's next frame */
            refreshed_ns = now_ns;
            refresh = FLOWS;
        }
        put_cnm(p);
    }
    (void)rocecc_headers_parse(&node_domain,
                               rocecc_reader_of(p->bytes, p->bytes + p->n), &p->f);
    return true;
}

bool node_wait(const node_port *ports, int n, uint64_t until_ns)
{
    (void)ports;
    (void)n;
    (void)until_ns;
    return waits;
}

/* Counts a CNM to the host. */
void node_send(const node_port *to, rocecc_reader frame)
{
    (void)frame;
    if (to->fd == 0) dropin_took(&packet);
}

/* Notes a private CNM that is forwarded to the host. Data goes to the fabric. */
bool node_route(const node_port *to, node_frame *p)
{
    (void)p;
    if (to->fd == 0) forwarded = true;
    return true;
}

int main(int argc, char **argv)
{
    static char host_port[] = "0", fabric_port[] = "1";
    char *ports[] = {host_port, fabric_port};
    node_options o = {8000000, 2000000, 20, 2, {{{0}}}, 0}; /* defaults of main.c */
    const unsigned n = argc == 2 ? (unsigned)atoi(argv[1]) : 1;
    dropin_start(n);
    for (; o.n_switches <= n; o.n_switches++)
        o.switches[o.n_switches] = mac_of(o.n_switches);
    if (tor(&o, ports) != 0) return 1;
    if (forwarded) puts("flood: examples/l3qcn forwards a private CNM");
    return !dropin_end("examples/l3qcn/tor.c", 1000) || forwarded;
}
