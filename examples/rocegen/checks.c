/* SPDX-License-Identifier: BSD-2-Clause */

/* checks.c - the ICRC and the checksums, from the library's functions. */
#include <stdio.h>
#include <string.h>

#include "gen.h"

/* Returns the bytes between two offsets in the frame. */
static rocecc_reader between(const frame *f, size_t at, size_t end)
{
    return rocecc_subrange(rocecc_reader_of(f->buffer, f->buffer + f->bytes), at, end);
}

/* Returns the first header of layer i's packet, after any labels at its start. */
static size_t start_of(const frame *f, size_t i)
{
    while (i > 0 && f->layers[i - 1].level == f->layers[i].level)
        i--;
    while (frame_is(f, i, "mpls") && frame_next(f, i) < f->n)
        i++;
    return i;
}

/*
 * Sets the ICRC in layer i, the last layer of its packet. If the ICRC cannot be
 * computed and no key gives it, reports an error and returns 1.
 */
static int icrc(frame *f, size_t i)
{
    icrc_record *h = (icrc_record *)f->layers[i].record;
    const size_t start = start_of(f, i);
    const layer *first = &f->layers[start];
    const rocecc_reader r =
        rocecc_reader_of(f->buffer + first->at,
                         f->buffer + f->layers[i].end + ifa_tails_bytes(f, start));
    const bool given = frame_given(f, i, "value");
    rocecc_domain d = *f->domain;
    rocecc_packet p;
    uint8_t b[ROCECC_ICRC_BYTES];
    uint32_t value;
    if (strcmp(first->kind->name, "ether") != 0) d.link = ROCECC_LINK_IP;
    (void)rocecc_packet_parse(&d, r, &p);
    if (rocecc_icrc_compute(h->rule, &p, &value) != ROCECC_OK)
        return given ? 0
                     : gen_bad("the ICRC of this packet cannot be computed; set it "
                               "with icrc.value=",
                               "icrc");
    rocecc_icrc_store(b, value);
    h->value = rocecc_load32(b);
    return 0;
}

int frame_icrcs(frame *f)
{
    size_t i;
    for (i = 0; i < f->n; i++) {
        if (strcmp(f->layers[i].kind->name, "icrc") != 0) continue;
        if (icrc(f, i) != 0) return 1;
    }
    return 0;
}

/*
 * Sets v6->dst to the packet's final destination (RFC 8200, 8.1). If an SRH has
 * segments left, this is the first segment of its list, the last on the path.
 */
static void final_dst(const frame *f, size_t ip, rocecc_ipv6 *v6)
{
    const size_t at = frame_after(f, ip, "srh");
    const rocecc_srh *srh;
    rocecc_ip6 last;
    if (at == f->n) return;
    srh = (const rocecc_srh *)f->layers[at].record;
    if (srh->segments_left != 0 && rocecc_srh_segment(srh, 0, &last) == ROCECC_OK)
        v6->dst = last;
}

/*
 * Computes the pseudo-header's sum from the nearest IP header before layer i. Returns
 * false if its packet has no IP header.
 */
static bool pseudo(const frame *f, size_t i, uint8_t proto, size_t n, uint32_t *sum)
{
    size_t ip = i;
    while (ip-- > 0) {
        const char *name = f->layers[ip].kind->name;
        if (f->layers[ip].level != f->layers[i].level) return false;
        if (strcmp(name, "ipv4") == 0) {
            rocecc_ipv4 v4 = *(const rocecc_ipv4 *)f->layers[ip].record;
            v4.protocol = proto;
            *sum = rocecc_checksum_pseudo4(&v4, (uint16_t)n);
            return true;
        }
        if (strcmp(name, "ipv6") == 0) {
            rocecc_ipv6 v6 = *(const rocecc_ipv6 *)f->layers[ip].record;
            final_dst(f, ip, &v6);
            *sum = rocecc_checksum_pseudo6(&v6, proto, (uint32_t)n);
            return true;
        }
    }
    return false;
}

/*
 * Sets the checksum over the datagram as its sender wrote it, without the metadata that
 * IFA added to it. Without an IP header, the checksum is 0.
 */
static void udp(frame *f, size_t i)
{
    static uint8_t datagram[ROOM];
    rocecc_udp *h = (rocecc_udp *)f->layers[i].record;
    rocecc_writer w = rocecc_writer_of(datagram, datagram + sizeof datagram);
    const size_t at = f->layers[i].at,
                 end = f->layers[f->n - 1].end + ifa_tails_bytes(f, i);
    uint32_t sum = 0;
    h->checksum = 0;
    (void)rocecc_append(&w, between(f, at, at + ROCECC_UDP_BYTES), ROOM);
    (void)rocecc_append(
        &w, between(f, at + ROCECC_UDP_BYTES + ifa_after_bytes(f, i), end), ROOM);
    if (pseudo(f, i, ROCECC_PROTO_UDP, w.at, &sum))
        h->checksum = rocecc_udp_checksum(sum, rocecc_written(&w));
}

void frame_checksum(frame *f, size_t i)
{
    const layer *l = &f->layers[i];
    if (strcmp(l->kind->name, "udp") == 0) udp(f, i);
    if (strcmp(l->kind->name, "ipv4") == 0)
        ((rocecc_ipv4 *)l->record)->header_checksum =
            rocecc_ipv4_checksum(between(f, l->at, l->end));
}
