/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/packet.h"
#include "lib/domain.h"
#include "lib/frame.h"
#include "lib/guard.h"
#include "lib/noun.h"
#include "lib/walk_domain.h"

#include <stdlib.h>
#include <string.h>

static const noun_call calls[] = {{"packet_parse", domain_call_packet_of},
                                  {"packet_inner", domain_call_packet_inner}};
static const noun_file file = {"packet", law_packet, NULL, 0, calls, NOUN_COUNT(calls)};

TEST(packet_vectors)
{
    noun_frame_vectors(&file);
}

/* Comparison of the walk with lib/walk.h, written from the RFCs alone. */

static void check_same_ip(const rocecc_headers_ip *a, const walk_ip *b)
{
    CHECK_EQ(a->version, b->version);
    CHECK_EQ(a->proto, b->proto);
    CHECK_EQ(a->n_ext, b->n_ext);
    CHECK_EQ(a->fragment, b->fragment);
    CHECK_EQ(a->offset, b->at);
    CHECK_EQ(a->hop_by_hop, b->hop_by_hop);
    CHECK_EQ(a->dst_opts[0], b->dst_opts[0]);
    CHECK_EQ(a->dst_opts[1], b->dst_opts[1]);
    CHECK_EQ(a->routing, b->routing);
    CHECK_EQ(a->upper, b->upper);
    CHECK_EQ(a->end, b->end);
}

static void check_same(const rocecc_packet *p, const walk_result *r)
{
    const rocecc_headers *f = &p->headers;
    CHECK_EQ(f->status, r->status);
    CHECK_EQ(f->kind, r->kind);
    CHECK_EQ(f->stopped, r->stopped);
    CHECK_EQ(f->tunnel, r->tunnel);
    CHECK_EQ(f->next, r->next);
    CHECK_EQ(f->n_vlan, r->n_vlan);
    CHECK_EQ(f->csig_bytes, r->csig_bytes);
    CHECK_EQ(f->link, (uint16_t)r->link);
    CHECK_EQ(f->csig, r->csig);
    CHECK_EQ(f->cntag, r->cntag);
    CHECK_EQ(f->ifa, r->ifa);
    CHECK_EQ(f->udp, r->udp);
    CHECK_EQ(f->intmd, r->intmd);
    CHECK_EQ(f->overlay, r->overlay);
    CHECK_EQ(f->inner, r->inner);
    CHECK_EQ(f->inner_type, r->inner_type);
    CHECK_EQ(f->cut, r->cut);
    CHECK_EQ(f->grh, r->grh);
    CHECK_EQ(f->bth, r->bth);
    CHECK_EQ(f->end, r->end);
    CHECK_EQ(f->partial, r->partial);
    CHECK_EQ(f->reserved, 0);
    check_same_ip(&f->outer, &r->outer);
    check_same_ip(&f->ip, &r->ip);
    if (f->bth != 0 && r->ifa_metadata != 0) CHECK_EQ(r->ifa_metadata, f->udp + 8u);
}

#define SEEDS 6000
#define SEED_BYTES 600
#define FRONT 64 /* maximum offset of a packet in its buffer */

static struct {
    uint8_t bytes[SEED_BYTES];
    size_t n;
} seeds[SEEDS];
static size_t n_seeds;

static void add_seed(const vec_row *row, void *arg)
{
    (void)arg;
    if (row->n == 0 || row->n > SEED_BYTES || n_seeds == SEEDS) return;
    memcpy(seeds[n_seeds].bytes, row->bytes, row->n);
    seeds[n_seeds++].n = row->n;
}

static void read_seeds(void)
{
    static const char *const files[] = {
        "vectors/packet.vec",  "vectors/frame.vec", "vectors/cnp.vec",
        "vectors/fastcnp.vec", "vectors/ifa.vec",   "vectors/intmd.vec",
        "vectors/ioam.vec",    "vectors/icrc.vec",  "vectors/srv6.vec",
        "vectors/l3qcn.vec",   "vectors/arn.vec",   "vectors/icmp.vec"};
    size_t i;
    n_seeds = 0;
    for (i = 0; i < NOUN_COUNT(files); i++)
        (void)vec_read(files[i], add_seed, NULL);
}

/* Returns a number with a meaning for the walk. */
static uint16_t type_at_random(uint32_t r)
{
    static const uint16_t types[] = {
        0x0021, 0x0057, 0x0800, 0x22e9, 0x22eb, 0x6558, 0x8100, 0x86dd, 0x8847, 0x8848,
        0x8864, 0x88a8, 0x88be, 0x8909, 0x8915, 0x8926, 0x893f, 0x9100, 0x9900, 0x9901,
        0xd28b, 0x0010, 0x0120, 100,    4754,   4789,   4790,   4791,   5000,   6081,
        6635,   8472,   0xaaaa, 0x1100, 0x2000, 0x4500, 0x6000};
    return types[(r >> 8) % NOUN_COUNT(types)];
}

/* Changes a bit or a byte, or writes a number with a meaning. */
static void mutate(uint8_t *b, size_t n, uint64_t *random)
{
    static const uint8_t protocols[] = {0,  4,  6,  17, 41,  43,  44,  47,  50,  51,
                                        58, 59, 60, 97, 135, 137, 139, 140, 143, 253};
    const size_t at = test_random(random) % (n < 160 ? n : 160);
    const uint32_t r = test_random(random);
    const uint16_t type = type_at_random(r);
    switch (r & 7) {
    case 0:
    case 1:
        b[at] ^= (uint8_t)(1u << (r >> 8 & 7));
        break;
    case 2:
        b[at] = (uint8_t)(r >> 8);
        break;
    case 3:
        b[at]++;
        break;
    case 4:
        b[at]--;
        break;
    case 5:
        b[at] = protocols[(r >> 8) % NOUN_COUNT(protocols)];
        break;
    default:
        b[at] = (uint8_t)type;
        if (at == 0) break;
        b[at - 1] = (uint8_t)(type >> 8);
    }
}

static rocecc_domain domain_at_random(bool ip_first, uint32_t r)
{
    rocecc_domain d;
    memset(&d, 0, sizeof d);
    d.link = ip_first ? ROCECC_LINK_IP : ROCECC_LINK_ETHER;
    if ((r >> 1 & 1) != 0) d.tag.vlan_tpid = 0x9100;
    if ((r >> 13 & 1) != 0) d.tag.etag_type = 0x893f;
    if ((r >> 14 & 1) != 0) d.tag.vntag_type = 0x8926;
    if ((r >> 15 & 1) != 0) d.tag.arista_type = 0xd28b;
    d.ah = (r >> 28 & 1) != 0;
    if ((r >> 29 & 1) != 0) {
        d.overlay.own_ports = true;
        d.overlay.vxlan_port = 8472;
        d.overlay.vxlan_port_2 = (r >> 30 & 1) != 0 ? 4789 : 0;
        d.overlay.vxlan_gpe_port = 4790;
        d.overlay.geneve_port = (r >> 30 & 1) != 0 ? 6081 : 0;
        d.overlay.mpls_port = 6635;
        d.overlay.gre_port = 4754;
    }
    if ((r >> 2 & 1) != 0) d.csig.compact_tpid = 0x9900;
    if ((r >> 3 & 1) != 0) d.csig.wide_tpid = 0x9901;
    if ((r >> 4 & 1) != 0) d.ifa.protocol = 253;
    if ((r >> 5 & 1) != 0) d.intmd.udp_port = 5000;
    if ((r >> 6 & 7) == 0) d.intmd.dscp_mask = (uint8_t)(r >> 16 & 0x3f);
    d.intmd.dscp = (uint8_t)(r >> 22 & 0x3f);
    if ((r >> 9 & 3) == 0) d.intmd.probe_marker = 0x0123456789abcdef;
    d.intmd.before_options = (r >> 11 & 1) != 0;
    if ((r >> 12 & 7) == 0) d.rocev2_port = 1021;
    return d;
}

/*
 * Compares both walks of bytes[start .. n), and of the packets inside. The first header
 * is the domain's, or has EtherType `type` if it is not 0. Returns the number of inner
 * packets.
 */
static unsigned walk_both(const rocecc_domain *d, uint16_t type, const uint8_t *bytes,
                          size_t start, size_t n)
{
    const walk_domain w = walk_domain_of(d);
    rocecc_reader r = rocecc_reader_of(bytes, bytes + n);
    rocecc_packet p;
    walk_place place = {
        .start = start, .n = n, .type = type, .declared = SIZE_MAX, .why = WALK_WHOLE};
    walk_result is;
    unsigned level;
    (void)rocecc_take(&r, start);
    if (type != 0) {
        CHECK_EQ(rocecc_packet_parse_as(d, r, type, &p), p.headers.status);
        walk_at(&w, bytes, &place, &is);
    } else {
        CHECK_EQ(rocecc_packet_parse(d, r, &p), p.headers.status);
        walk(&w, bytes, start, n, &is);
    }
    CHECK(p.bytes.base == bytes && p.bytes.at == start && p.bytes.end == n);
    CHECK(p.domain == d);
    for (level = 0;; level++) {
        const walk_partial cut = is.cut ? WALK_MIRRORED : WALK_WHOLE;
        check_same(&p, &is);
        if (is.inner == 0 || p.headers.inner == 0 || level == 3) return level;
        /* A part of a packet may declare lengths beyond it, but has no more bytes. */
        if (is.end != 0 && is.end < place.n) place.n = is.end;
        place.start = is.inner;
        place.type = is.inner_type;
        place.declared = is.end == 0 ? SIZE_MAX : is.end;
        place.why = is.partial != WALK_WHOLE ? is.partial : cut;
        (void)rocecc_packet_inner(&p, &p);
        walk_at(&w, bytes, &place, &is);
    }
}

TEST(packet_walk_matches_another_walk)
{
    static uint8_t bytes[FRONT + SEED_BYTES];
    const uint64_t rounds = test_rounds(500000);
    uint64_t random = 17, i, inside = 0;
    read_seeds();
    CHECK(n_seeds > 1000);
    for (i = 0; i < rounds; i++) {
        const size_t k = i < n_seeds ? (size_t)i : test_random(&random) % n_seeds;
        const size_t start = 2 + test_random(&random) % (FRONT - 2);
        const bool is_ip = seeds[k].bytes[0] >> 4 == 4 || seeds[k].bytes[0] >> 4 == 6;
        const uint32_t r = test_random(&random);
        const rocecc_domain d =
            domain_at_random((r & 15) == 0 ? !is_ip : is_ip, r >> 4);
        unsigned changes = i < n_seeds ? 0 : test_random(&random) % 4;
        size_t n = seeds[k].n;
        test_at("seed, round, domain", k, i, r);
        memcpy(bytes + start, seeds[k].bytes, n);
        for (; changes > 0; changes--)
            mutate(bytes + start, n, &random);
        if (i >= n_seeds && test_random(&random) % 4 == 0)
            n = test_random(&random) % (n + 1);
        inside += walk_both(&d, (r >> 28) == 0 ? type_at_random(r) : 0, bytes, start,
                            start + n);
    }
    CHECK(inside > rounds / 100);
}

/* Reads the IP headers of two captured packets, checked by hand. The CNP of a
 * ConnectX-4 Lx has TOS 0xc2. The second begins with 6e21face and has 255 hops. */
TEST(packet_ip_headers_match_captured_packets)
{
    const vec_packet cnp = vec_find("vectors/frame.vec", "cx4-cnp");
    const vec_packet send = vec_find("vectors/frame.vec", "uc-send6");
    static const uint8_t src[16] = {0, 0, 0,    0,    0,  0, 0,  0,
                                    0, 0, 0xff, 0xff, 10, 0, 17, 1};
    static const uint8_t dst[16] = {0, 0, 0,    0,    0,  0, 0,  0,
                                    0, 0, 0xff, 0xff, 10, 0, 18, 1};
    static const uint8_t dst6[16] = {0x20, 0x23, 0, 0, 0, 0, 0,    0,
                                     0,    0,    0, 0, 0, 0, 0x10, 0x24};
    rocecc_domain d;
    rocecc_packet p, less;
    rocecc_ip h;
    memset(&d, 0, sizeof d);
    CHECK_EQ(
        rocecc_packet_parse(&d, rocecc_reader_of(cnp.bytes, cnp.bytes + cnp.n), &p), 0);
    CHECK_EQ(rocecc_packet_ip(&p, rocecc_packet_outermost(&p), &h), ROCECC_OK);
    CHECK(h.version == 4 && h.dscp == 48 && h.ecn == ROCECC_ECN_ECT0);
    CHECK(h.hop_limit == 64 && h.flow_label == 0);
    CHECK(memcmp(h.src.b, src, 16) == 0 && memcmp(h.dst.b, dst, 16) == 0);
    less = rocecc_packet_attach(&d, rocecc_reader_of(cnp.bytes, cnp.bytes + 33),
                                &p.headers);
    CHECK_EQ(rocecc_packet_ip(&less, &less.headers.ip, &h), ROCECC_ERR_SHORT);
    CHECK_EQ(rocecc_packet_ip(&less, &less.headers.outer, &h), ROCECC_NO_MATCH);
    CHECK_EQ(
        rocecc_packet_parse(&d, rocecc_reader_of(send.bytes, send.bytes + send.n), &p),
        0);
    memset(&h, 0, sizeof h);
    CHECK_EQ(rocecc_packet_ip(&p, rocecc_packet_outermost(&p), &h), ROCECC_OK);
    CHECK(h.version == 6 && h.dscp == 56 && h.ecn == ROCECC_ECN_ECT0);
    CHECK(h.hop_limit == 255 && h.flow_label == 0x1face);
    CHECK(h.src.b[0] == 0x20 && h.src.b[1] == 0x22 && h.src.b[15] == 0x23);
    CHECK(memcmp(h.dst.b, dst6, 16) == 0);
    less = rocecc_packet_attach(&d, rocecc_reader_of(send.bytes, send.bytes + 53),
                                &p.headers);
    CHECK_EQ(rocecc_packet_ip(&less, &less.headers.ip, &h), ROCECC_ERR_SHORT);
}

/* An LLC header and a Cisco metadata header may occur once each. */
TEST(packet_accepts_each_shim_once)
{
    static const struct {
        const char *bytes;
        uint8_t stopped;
        rocecc_status status;
    } rows[] = {
        {"0030 aaaa03000000 0800", ROCECC_LAYER_IPV4, ROCECC_ERR_SHORT},
        {"0030 aaaa03000000 0030 aaaa03000000 0800", ROCECC_LAYER_LLC, ROCECC_NO_MATCH},
        {"8909 0101 0001 0000 0800", ROCECC_LAYER_IPV4, ROCECC_ERR_SHORT},
        {"8909 0101 0001 0000 8909 0101 0001 0000 0800", ROCECC_LAYER_CISCO_MD,
         ROCECC_ERR_UNSUPPORTED},
        {"8909 0101 0001 0000 0030 aaaa03000000 0800", ROCECC_LAYER_IPV4,
         ROCECC_ERR_SHORT}};
    const rocecc_domain d = ROCECC_ZERO;
    size_t i;
    for (i = 0; i < NOUN_COUNT(rows); i++) {
        uint8_t b[64] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1};
        size_t n = 0;
        rocecc_packet p;
        test_context("%s", rows[i].bytes);
        CHECK(vec_hex(rows[i].bytes, b + 12, &n));
        CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(b, b + 12 + n), &p),
                 rows[i].status);
        CHECK_EQ(p.headers.stopped, rows[i].stopped);
    }
}

/* rocecc_walk_declare() rejects an end beyond an earlier end, but accepts an end beyond
 * the capture. */
TEST(walk_declare_rejects_an_end_beyond_an_earlier_end)
{
    static const uint8_t b[64] = {0};
    rocecc_walk w;
    memset(&w, 0, sizeof w);
    w.reader = rocecc_reader_of(b, b + sizeof b);
    w.declared = SIZE_MAX;
    CHECK_EQ(rocecc_walk_declare(&w, 70), ROCECC_OK); /* beyond the capture */
    CHECK(w.declared == 70 && w.reader.end == 64);
    CHECK_EQ(rocecc_walk_declare(&w, 71), ROCECC_ERR_FORMAT);
    CHECK(w.declared == 70 && w.reader.end == 64);
    CHECK_EQ(rocecc_walk_declare(&w, 70), ROCECC_OK);
    CHECK_EQ(rocecc_walk_declare(&w, 50), ROCECC_OK);
    CHECK(w.declared == 50 && w.reader.end == 50);
}

TEST(walk_link_reads_tags_and_pppoe)
{
    static const uint8_t tags[] = {0x20, 0x05, 0x88, 0x64, 0x11, 0, 0, 7,
                                   0,    6,    0x00, 0x57, 0x60, 0, 0, 0};
    const rocecc_domain d = {0};
    const rocecc_overlay o = {ROCECC_TUNNEL_GENEVE, true, 9, ROCECC_TYPE_IPV6};
    uint16_t type = 0;
    rocecc_headers f;
    rocecc_walk w;
    memset(&w, 0, sizeof w);
    w.reader = rocecc_reader_of(tags, tags + sizeof tags);
    w.declared = SIZE_MAX;
    w.domain = &d;
    w.next = 0x8100;
    rocecc_headers_clear(&f);
    CHECK_EQ(rocecc_walk_link(&w, &f, 0, &type), ROCECC_OK);
    CHECK(type == 0x86dd && w.next == 0x0057 && f.stopped == ROCECC_LAYER_PPPOE);
    CHECK(w.reader.at == 12 && w.declared == 16 && w.reader.end == 16);
    CHECK(f.n_vlan == 1 && f.vlan[0] == 0 && f.link == 8);
    CHECK_EQ(rocecc_walk_set_inner(w, &f, 3, &o, ROCECC_ERR_SHORT), ROCECC_ERR_SHORT);
    CHECK(f.kind == ROCECC_PACKET_KIND_OVERLAY && f.overlay == 3 && f.inner == 0 &&
          !f.cut);
    CHECK_EQ(rocecc_walk_set_inner(w, &f, 3, &o, ROCECC_OK), ROCECC_NO_MATCH);
    CHECK(f.inner == 12 && f.inner_type == 0x86dd && f.end == 16 && f.cut);
    CHECK(f.tunnel == ROCECC_TUNNEL_GENEVE);
    w.declared = SIZE_MAX; /* no declared end */
    CHECK_EQ(rocecc_walk_set_inner(w, &f, 3, &o, ROCECC_OK), ROCECC_NO_MATCH);
    CHECK_EQ(f.end, 0);
}

/* A burst gives the same results as single packets, but parses at most 64. */
TEST(packet_parse_burst_equals_single_packets)
{
    const vec_packet cnp6 = vec_find("vectors/frame.vec", "cnp6");
    const rocecc_domain d = {0};
    rocecc_reader bytes[ROCECC_PACKET_BURST_MAX + 2];
    static rocecc_packet p[ROCECC_PACKET_BURST_MAX + 2];
    size_t i, n;
    for (i = 0; i < ROCECC_PACKET_BURST_MAX + 2; i++) /* every second one is cut */
        bytes[i] = rocecc_reader_of(cnp6.bytes,
                                    cnp6.bytes + (i % 2 == 0 ? cnp6.n : i % cnp6.n));
    for (n = 0; n < ROCECC_PACKET_BURST_MAX + 2; n++) {
        const size_t most = n < 64 ? n : 64;
        memset(p, 0xff, sizeof p);
        CHECK_EQ(rocecc_packet_parse_burst(&d, bytes, p, n), most);
        for (i = 0; i < n + 1; i++)
            if (i >= most)
                CHECK(p[i].headers.bth == 0xffff); /* unchanged */
            else if (i % 2 == 0)
                CHECK(p[i].headers.bth == 62 && p[i].headers.end == 94 &&
                      p[i].bytes.end == 94 && p[i].domain == &d);
            else
                CHECK(p[i].headers.bth == 0 && p[i].bytes.end == i &&
                      p[i].headers.status == ROCECC_ERR_SHORT);
    }
    bytes[0] = rocecc_reader_of(NULL, NULL);
    CHECK_EQ(rocecc_packet_parse_burst(&d, bytes, p, 1), 1);
    CHECK_EQ(p[0].headers.status, ROCECC_ERR_SHORT);
}

TEST(headers_clear_sets_all_members_to_0)
{
    static const rocecc_headers none;
    rocecc_headers f, kept;
    rocecc_packet p;
    memset(&f, 0xff, sizeof f);
    kept = f;
    p = rocecc_packet_attach(NULL, rocecc_reader_of(NULL, NULL), &kept);
    CHECK(memcmp(&p.headers, &kept, sizeof f) == 0 && p.domain == NULL);
    rocecc_headers_clear(&f);
    CHECK(memcmp(&f, &none, sizeof f) == 0);
}

#define ETHER "020000000001 020000000002"

/* A PPPoE session in an overlay must not be longer than the overlay. */
TEST(walk_pppoe_beyond_an_overlay_is_malformed)
{
    static const rocecc_domain d = ROCECC_ZERO;
    const test_frame x = frame_of(ETHER "8864 1100 0001 000a c021 00000000 00000000");
    const rocecc_reader r = rocecc_reader_of(x.b, x.b + x.n);
    rocecc_headers f;
    CHECK_EQ(
        rocecc_headers_parse_as(&d, r, ROCECC_TYPE_TEB, 30, ROCECC_PARTIAL_NONE, &f),
        ROCECC_NO_MATCH);
    CHECK(f.stopped == ROCECC_LAYER_PPPOE && f.next == 0xc021);
    CHECK_EQ(
        rocecc_headers_parse_as(&d, r, ROCECC_TYPE_TEB, 29, ROCECC_PARTIAL_NONE, &f),
        ROCECC_ERR_FORMAT);
    CHECK(f.stopped == ROCECC_LAYER_PPPOE && f.link == 0);
}

/* The next protocol of this VXLAN-GPE is not a packet. The reader for the inner packet
 * is empty, at the end. Only `inner` shows this. */
TEST(inner_reader_is_empty_without_an_inner_packet)
{
    static const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const test_frame x = frame_of("45000030 00004000 40110000 c0000201 c0000202"
                                  "c00112b6 001c0000 0c000009 00000100"
                                  "00000000 00000000 00000000");
    rocecc_packet p = frame_walked(&d, &x), inner, before;
    rocecc_reader r;
    int type;
    CHECK(p.headers.kind == ROCECC_PACKET_KIND_OVERLAY && p.headers.overlay == 28);
    CHECK_EQ(p.headers.inner, 0);
    memset(&before, 0xa5, sizeof before);
    for (type = 0; type < 2; type++) { /* the second with a changed type */
        test_context("type %d", type);
        if (type != 0) p.headers.inner_type = ROCECC_TYPE_TEB;
        r = rocecc_headers_inner_bytes(p.bytes, &p.headers);
        CHECK(r.at == x.n && r.end == x.n);
        inner = before;
        CHECK_EQ(rocecc_headers_parse_inner(&d, p.bytes, &p.headers, &inner.headers),
                 ROCECC_NO_MATCH);
        CHECK_EQ(rocecc_packet_inner(&p, &inner), ROCECC_NO_MATCH);
        CHECK(memcmp(&inner, &before, sizeof inner) == 0);
    }
    test_context("%s", "");
    p.headers.inner = 36; /* with an inner packet, the reader begins there */
    p.headers.inner_type = 0;
    p.headers.end = 44;
    r = rocecc_headers_inner_bytes(p.bytes, &p.headers);
    CHECK(r.at == 36 && r.end == 44);
}

/* IPv4 has no extension headers. The reader is empty, after the packet's last byte. */
TEST(exts_reader_of_ipv4_is_empty)
{
    static const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const test_frame x = frame_of("45000018 00004000 40fd0000 c0000201 c0000202 01");
    const rocecc_packet p = frame_walked(&d, &x);
    uint8_t type = 1;
    const rocecc_reader r = rocecc_packet_exts(&p, &p.headers.ip, &type);
    CHECK_EQ(type, ROCECC_PROTO_NONE);
    CHECK(r.at == x.n && r.end == x.n);
}

/* The reader is also empty if AH follows IPv4 and ends at ip.upper. */
TEST(exts_reader_of_ipv4_with_ah_is_empty)
{
    static const rocecc_domain d = {.link = ROCECC_LINK_IP, .ah = true};
    const test_frame x = frame_of("45000024 00004000 40330000 c0000201 c0000202"
                                  "fd010000 00000001 00000001 01");
    const rocecc_packet p = frame_walked(&d, &x);
    uint8_t type = 1;
    const rocecc_reader r = rocecc_packet_exts(&p, &p.headers.ip, &type);
    CHECK(p.headers.ip.n_ext == 1 && p.headers.ip.upper == 32);
    CHECK_EQ(type, ROCECC_PROTO_NONE);
    CHECK(r.at == x.n && r.end == x.n);
}

/* A burst looks ahead, but reads no reader before the first or after the last. */
TEST(burst_reads_only_its_own_readers)
{
    static const rocecc_domain d = {.link = ROCECC_LINK_IP};
    static const uint8_t b[1] = {0x45};
    static rocecc_packet p[ROCECC_PACKET_BURST_MAX];
    rocecc_reader bytes[ROCECC_PACKET_BURST_MAX];
    size_t n;
    for (n = 0; n < ROCECC_PACKET_BURST_MAX; n++)
        bytes[n] = rocecc_reader_of(b, b + 1);
    for (n = 0; n <= ROCECC_PACKET_BURST_MAX; n++) {
        const void *end = guard_end(bytes, n * sizeof bytes[0]);
        const void *start = guard_start(bytes, n * sizeof bytes[0]);
        test_context("%zu", n);
        CHECK_EQ(rocecc_packet_parse_burst(&d, end, p, n), n);
        CHECK_EQ(rocecc_packet_parse_burst(&d, start, p, n), n);
    }
}

/* The capture has 100 bytes. A packet ends with UDP or a GRH, or with the outermost IP
 * header, whichever is first. 0 means no such header. */
TEST(partial_is_captured_if_the_packet_end_is_missing)
{
    static const uint8_t b[100];
    static const struct {
        uint32_t outer, ip, upper;
        rocecc_partial reason, partial;
    } rows[] = {
        {0, 0, 0, ROCECC_PARTIAL_NONE, ROCECC_PARTIAL_NONE},
        {0, 100, 0, ROCECC_PARTIAL_NONE, ROCECC_PARTIAL_NONE},
        {0, 101, 0, ROCECC_PARTIAL_NONE, ROCECC_PARTIAL_CAPTURED},
        {0, 0, 100, ROCECC_PARTIAL_NONE, ROCECC_PARTIAL_NONE},
        {0, 0, 101, ROCECC_PARTIAL_NONE, ROCECC_PARTIAL_CAPTURED},
        {0, 101, 100, ROCECC_PARTIAL_NONE, ROCECC_PARTIAL_NONE},
        {0, 101, 101, ROCECC_PARTIAL_NONE, ROCECC_PARTIAL_CAPTURED},
        {0, 100, 101, ROCECC_PARTIAL_NONE, ROCECC_PARTIAL_NONE},
        {101, 100, 0, ROCECC_PARTIAL_NONE, ROCECC_PARTIAL_CAPTURED},
        {100, 101, 0, ROCECC_PARTIAL_NONE, ROCECC_PARTIAL_NONE},
        {101, 101, 100, ROCECC_PARTIAL_NONE, ROCECC_PARTIAL_NONE},
        {0, 101, 101, ROCECC_PARTIAL_TRIMMED, ROCECC_PARTIAL_TRIMMED},
        {0, 100, 100, ROCECC_PARTIAL_QUOTED, ROCECC_PARTIAL_QUOTED},
    };
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rocecc_packet p;
        rocecc_headers_clear(&p.headers);
        p.bytes = rocecc_reader_of(b, b + sizeof b);
        p.headers.outer.version = rows[i].outer != 0 ? 6 : 0;
        p.headers.outer.end = rows[i].outer;
        p.headers.ip.end = rows[i].ip;
        p.headers.end = rows[i].upper;
        p.headers.partial = rows[i].reason;
        test_context("row %zu", i);
        CHECK_EQ(rocecc_packet_partial(&p), rows[i].partial);
    }
    test_context("%s", "");
}

#define IPV4_ROCE                                                                      \
    "4500002c 00004000 40110000 c0000201 c0000202 c00112b7 00180000"                   \
    "81000000 00000001 00000000 00000000"

/* In a domain that init() rejects, INT and RoCEv2 share a port. The walk reads INT
 * first. */
TEST(walk_reads_int_where_int_shares_the_rocev2_port)
{
    rocecc_domain d = {.link = ROCECC_LINK_IP};
    const test_frame x = frame_of(IPV4_ROCE);
    CHECK_EQ(frame_walked(&d, &x).headers.status, ROCECC_OK);
    d.intmd.udp_port = 4791;
    CHECK_EQ(rocecc_domain_init(&d), ROCECC_DOMAIN_REFUSED_PORT);
    CHECK_EQ(frame_walked(&d, &x).headers.status, ROCECC_ERR_UNSUPPORTED);
    CHECK_EQ(frame_walked(&d, &x).headers.stopped, ROCECC_LAYER_INTMD);
}

/* The declared end, 43, is before IP's 44 (FORMAT), but with QUOTED it is ignored. */
TEST(parse_as_ignores_the_declared_end_of_a_quote)
{
    static const rocecc_domain d = ROCECC_ZERO;
    const test_frame x = frame_of(IPV4_ROCE);
    const rocecc_reader r = rocecc_reader_of(x.b, x.b + x.n);
    rocecc_headers f;
    CHECK_EQ(
        rocecc_headers_parse_as(&d, r, ROCECC_TYPE_IPV4, 43, ROCECC_PARTIAL_NONE, &f),
        ROCECC_ERR_FORMAT);
    CHECK_EQ(
        rocecc_headers_parse_as(&d, r, ROCECC_TYPE_IPV4, 43, ROCECC_PARTIAL_QUOTED, &f),
        ROCECC_OK);
    CHECK(f.partial == ROCECC_PARTIAL_QUOTED && f.end == 44);
    CHECK_EQ(f.kind, ROCECC_PACKET_KIND_ROCEV2 | ROCECC_PACKET_KIND_PARTIAL);
}

/* The fragment offset is recorded even if IPv4 is longer than declared. */
TEST(fragment_is_recorded_even_if_the_end_gives_format)
{
    static const rocecc_domain d = ROCECC_ZERO;
    const test_frame x = frame_of("4500002c 00000001 40110000 c0000201 c0000202");
    rocecc_headers f;
    CHECK_EQ(rocecc_headers_parse_as(&d, rocecc_reader_of(x.b, x.b + x.n),
                                     ROCECC_TYPE_IPV4, 43, ROCECC_PARTIAL_NONE, &f),
             ROCECC_ERR_FORMAT);
    CHECK(f.ip.fragment == ROCECC_IP_FRAGMENT_LATER && f.ip.end == 44);
    CHECK(f.partial == ROCECC_PARTIAL_NONE && f.kind == ROCECC_PACKET_KIND_OTHER);
}

/* Four of 8 bytes of options after IPv6 are missing. The reader has the others. */
TEST(exts_reader_ends_with_the_bytes)
{
    static const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const test_frame x = frame_of("60000000 00083c40"
                                  "20010db8 00000000 00000000 00000001"
                                  "20010db8 00000000 00000000 00000002"
                                  "3b000104 00000000");
    rocecc_packet p = frame_walked(&d, &x);
    uint8_t type = 1;
    rocecc_reader r;
    CHECK_EQ(p.headers.ip.upper, 48);
    p.bytes.end = 44;
    r = rocecc_packet_exts(&p, &p.headers.ip, &type);
    CHECK(r.at == 40 && r.end == 44 && type == ROCECC_PROTO_DSTOPTS);
    p.bytes.end = 39;
    r = rocecc_packet_exts(&p, &p.headers.ip, &type);
    CHECK(r.at == 39 && r.end == 39 && type == ROCECC_PROTO_NONE);
}

/* The first end of a copy may be beyond the declared end. No later end replaces it. */
TEST(walk_declare_packet_replaces_the_end_of_a_copy_once)
{
    static const uint8_t b[50];
    rocecc_headers f;
    rocecc_walk w;
    memset(&w, 0, sizeof w);
    w.reader = rocecc_reader_of(b, b + sizeof b);
    w.declared = 50;
    w.copied = true;
    rocecc_headers_clear(&f);
    f.outer.version = 4;
    CHECK_EQ(rocecc_walk_declare_packet(&w, &f, 60), ROCECC_ERR_FORMAT);
    CHECK(w.declared == 50 && f.partial == ROCECC_PARTIAL_NONE && f.kind == 0);
    f.outer.version = 0;
    CHECK_EQ(rocecc_walk_declare_packet(&w, &f, 60), ROCECC_OK);
    CHECK(w.declared == 60 && w.reader.end == 50);
    CHECK(f.partial == ROCECC_PARTIAL_MIRRORED && f.kind == ROCECC_PACKET_KIND_PARTIAL);
    CHECK_EQ(rocecc_walk_declare_packet(&w, &f, 70), ROCECC_OK);
    CHECK_EQ(w.declared, 60);
}
