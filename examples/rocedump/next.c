/* SPDX-License-Identifier: BSD-2-Clause */

/* next.c - see next.h. Numbers are IANA's and IEEE's, unless noted. */
#include "next.h"

#include <string.h>

enum { NEXT_TYPE, NEXT_PROTOCOL, NEXT_PORT };

static const struct {
    uint8_t kind;
    uint16_t number;
    const char *name;
} names[] = {
    {NEXT_TYPE, 0x0806, "arp"},
    {NEXT_TYPE, 0x0842, "wake_on_lan"},
    {NEXT_TYPE, 0x22ea, "srp"},
    {NEXT_TYPE, 0x22f0, "avtp"},
    {NEXT_TYPE, 0x22f3, "trill"},
    {NEXT_TYPE, 0x8035, "rarp"},
    {NEXT_TYPE, 0x8808, "mac_control"}, /* neither PFC nor PAUSE */
    {NEXT_TYPE, 0x8809, "slow_protocols"},
    {NEXT_TYPE, 0x8847, "mpls"},
    {NEXT_TYPE, 0x8848, "mpls_upstream"},
    {NEXT_TYPE, 0x8863, "pppoe_discovery"},
    {NEXT_TYPE, 0x8864, "pppoe"},
    {NEXT_TYPE, 0x888e, "eapol"},
    {NEXT_TYPE, 0x8892, "profinet"},
    {NEXT_TYPE, 0x88a2, "aoe"},
    {NEXT_TYPE, 0x88a4, "ethercat"},
    {NEXT_TYPE, 0x88cc, "lldp"},
    {NEXT_TYPE, 0x88e5, "macsec"},
    {NEXT_TYPE, 0x88e7, "pbb_i_tag"},
    {NEXT_TYPE, 0x88f5, "mvrp"},
    {NEXT_TYPE, 0x88f7, "ptp"},
    {NEXT_TYPE, 0x88fb, "prp"},
    {NEXT_TYPE, 0x8902, "cfm"},
    {NEXT_TYPE, 0x8906, "fcoe"},
    {NEXT_TYPE, 0x8914, "fip"},
    {NEXT_TYPE, 0x8915, "rocev1"},
    {NEXT_TYPE, 0x8926, "vn_tag"},
    {NEXT_TYPE, 0x892f, "hsr"},
    {NEXT_TYPE, 0x893f, "e_tag"},
    {NEXT_TYPE, 0x894f, "nsh"},
    {NEXT_TYPE, 0x9000, "loopback"},
    {NEXT_TYPE, 0x9100, "old_qinq"}, /* before 802.1ad */
    {NEXT_TYPE, 0xd28b, "arista"},   /* timestamps from its switches */
    {NEXT_TYPE, 0xdada, "edsa"},     /* Linux: a Marvell switch tag */
    {NEXT_PROTOCOL, 1, "icmp"},
    {NEXT_PROTOCOL, 2, "igmp"},
    {NEXT_PROTOCOL, 33, "dccp"},
    {NEXT_PROTOCOL, 46, "rsvp"},
    {NEXT_PROTOCOL, 47, "gre"},
    {NEXT_PROTOCOL, 50, "esp"},
    {NEXT_PROTOCOL, 51, "ah"},
    {NEXT_PROTOCOL, 58, "icmp6"},
    {NEXT_PROTOCOL, 59, "none"},
    {NEXT_PROTOCOL, 88, "eigrp"},
    {NEXT_PROTOCOL, 89, "ospf"},
    {NEXT_PROTOCOL, 103, "pim"},
    {NEXT_PROTOCOL, 108, "ipcomp"},
    {NEXT_PROTOCOL, 112, "vrrp"},
    {NEXT_PROTOCOL, 115, "l2tp"},
    {NEXT_PROTOCOL, 124, "isis"},
    {NEXT_PROTOCOL, 132, "sctp"},
    {NEXT_PROTOCOL, 136, "udp_lite"},
    {NEXT_PROTOCOL, 137, "mpls"},
    {NEXT_PROTOCOL, 145, "nsh"},
    {NEXT_PORT, 53, "dns"},
    {NEXT_PORT, 67, "dhcp"},
    {NEXT_PORT, 68, "dhcp"},
    {NEXT_PORT, 69, "tftp"},
    {NEXT_PORT, 123, "ntp"},
    {NEXT_PORT, 161, "snmp"},
    {NEXT_PORT, 162, "snmp_trap"},
    {NEXT_PORT, 319, "ptp"},
    {NEXT_PORT, 320, "ptp"},
    {NEXT_PORT, 443, "quic"},
    {NEXT_PORT, 500, "isakmp"},
    {NEXT_PORT, 514, "syslog"},
    {NEXT_PORT, 520, "rip"},
    {NEXT_PORT, 521, "ripng"},
    {NEXT_PORT, 546, "dhcp6"},
    {NEXT_PORT, 547, "dhcp6"},
    {NEXT_PORT, 646, "ldp"},
    {NEXT_PORT, 862, "twamp"},
    {NEXT_PORT, 1701, "l2tp"},
    {NEXT_PORT, 1900, "ssdp"},
    {NEXT_PORT, 2055, "netflow"}, /* by custom */
    {NEXT_PORT, 2152, "gtp_u"},
    {NEXT_PORT, 3784, "bfd"},
    {NEXT_PORT, 3785, "bfd_echo"},
    {NEXT_PORT, 4341, "lisp"},
    {NEXT_PORT, 4500, "ipsec_nat_t"},
    {NEXT_PORT, 4739, "ipfix"},
    {NEXT_PORT, 4754, "gre_in_udp"},
    {NEXT_PORT, 4755, "gre_in_udp_dtls"},
    {NEXT_PORT, 4784, "bfd_multihop"},
    {NEXT_PORT, 4789, "vxlan"},
    {NEXT_PORT, 4790, "vxlan_gpe"},
    {NEXT_PORT, 4791, "rocev2"},
    {NEXT_PORT, 5353, "mdns"},
    {NEXT_PORT, 5355, "llmnr"},
    {NEXT_PORT, 6081, "geneve"},
    {NEXT_PORT, 6343, "sflow"},
    {NEXT_PORT, 6635, "mpls"},
    {NEXT_PORT, 6636, "mpls_dtls"},
    {NEXT_PORT, 8472, "vxlan_linux"}, /* Linux's default */
    {NEXT_PORT, 51820, "wireguard"},  /* by custom */
};

static const char *name_of(uint8_t kind, uint16_t number)
{
    size_t i;
    if (kind == NEXT_TYPE && number <= ROCECC_LLC_LENGTH_MAX)
        return "llc"; /* a length */
    for (i = 0; i < COUNT(names); i++)
        if (names[i].kind == kind && names[i].number == number) return names[i].name;
    return NULL;
}

/* Returns true if the name of the last layer begins with `prefix`. */
static bool last_is(const decoded *d, const char *prefix)
{
    return d->n > 0 &&
           strncmp(d->layers[d->n - 1].kind->name, prefix, strlen(prefix)) == 0;
}

/*
 * Sets the port that identifies the next protocol. This is the source port if only it
 * has a name, as in an answer, and else the destination port.
 */
static void port_of(const decoded *d, next_record *out)
{
    const rocecc_udp *udp = &d->udp[d->n_udp - 1];
    const char *by_source = name_of(NEXT_PORT, udp->src_port);
    out->kind = NEXT_PORT;
    out->number = udp->dst_port;
    out->name = name_of(NEXT_PORT, udp->dst_port);
    if (out->name != NULL || by_source == NULL) return;
    out->number = udp->src_port;
    out->name = by_source;
}

bool next_of(const decoded *d, next_record *out)
{
    const rocecc_headers *f = &d->p.headers;
    const bool unsupported = f->status == ROCECC_ERR_UNSUPPORTED;
    if (d->has_bth || d->inner != NULL ||
        (f->status != ROCECC_NO_MATCH && !unsupported))
        return false;
    if (f->kind == ROCECC_PACKET_KIND_UDP) {
        if (d->status != ROCECC_OK || d->n_udp == 0 || !last_is(d, "udp")) return false;
        port_of(d, out);
        return true;
    }
    if (f->kind != ROCECC_PACKET_KIND_OTHER) return false;
    out->kind = f->ip.version != 0 ? NEXT_PROTOCOL : NEXT_TYPE;
    out->number = f->ip.version != 0 ? f->ip.proto : f->next;
    out->name = name_of(out->kind, out->number);
    if (unsupported) return out->name != NULL && out->kind == NEXT_PROTOCOL;
    return d->status == ROCECC_OK && d->n > 0 && !last_is(d, "icmp") &&
           !last_is(d, "icmp_error") && !last_is(d, "problem") && !last_is(d, "cnm") &&
           !last_is(d, "pfc") && !last_is(d, "pause");
}

void next_text(const decoded *d, FILE *out)
{
    static const char *const kinds[] = {"EtherType", "IP protocol", "UDP port"};
    next_record h;
    if (!next_of(d, &h)) return;
    fprintf(out, h.kind == NEXT_TYPE ? "  then    %s 0x%04x" : "  then    %s %u",
            kinds[h.kind], h.number);
    if (h.name != NULL) fprintf(out, ", %s", h.name);
    fputs(": not decoded\n", out);
}

void next_json(const decoded *d, sink *to)
{
    static const char *const kinds[] = {"type", "protocol", "port"};
    next_record h;
    if (!next_of(d, &h)) return;
    sink_text(to, ",\"next\":{\"by\":\"");
    sink_text(to, kinds[h.kind]);
    sink_text(to, "\",\"number\":");
    sink_decimal(to, h.number);
    sink_text(to, h.name != NULL ? ",\"name\":\"" : ",\"name\":null}");
    if (h.name == NULL) return;
    sink_text(to, h.name);
    sink_text(to, "\"}");
}
