/* SPDX-License-Identifier: BSD-2-Clause */
#include "two_headers.h"

#include <string.h>

#include "../../examples/lib/vec.h"
#include "test.h"

#define V4(a, b, c, d)                                                                 \
    {                                                                                  \
        {                                                                              \
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b, c, d                       \
        }                                                                              \
    }
#define V6(net, host)                                                                  \
    {                                                                                  \
        {                                                                              \
            0x20, 1, 0x0d, 0xb8, 0, net, 0, 0, 0, 0, 0, 0, 0, 0, 0, host               \
        }                                                                              \
    }

const two_side two_outer = {{{2, 0, 0, 0, 0x0a, 0x0d}},
                            {{2, 0, 0, 0, 0x0a, 0x05}},
                            10,
                            3,
                            201,
                            0x1a1a,
                            0x4000,
                            0xa1b2c,
                            {V4(192, 0, 2, 1), V6(0x0a, 1)},
                            {V4(198, 51, 100, 2), V6(0x0b, 2)},
                            0xaaaa,
                            0xdead};
const two_side two_inner = {{{2, 0, 0, 0, 0x01, 0x0d}},
                            {{2, 0, 0, 0, 0x01, 0x05}},
                            26,
                            2,
                            55,
                            0x2b2b,
                            0x0000,
                            0x5d4e3,
                            {V4(10, 1, 0, 3), V6(0x0c, 3)},
                            {V4(10, 2, 0, 4), V6(0x0d, 4)},
                            0xc123,
                            0x0000};

const int two_pairs[4][2] = {{4, 4}, {4, 6}, {6, 4}, {6, 6}};

const rocecc_ip6 *two_src(const two_side *s, int version)
{
    return &s->src[version == 6];
}

const rocecc_ip6 *two_dst(const two_side *s, int version)
{
    return &s->dst[version == 6];
}

static void put(two_frame *x, const void *bytes, size_t n)
{
    CHECK(x->n + n <= sizeof x->b);
    if (x->n + n > sizeof x->b) return;
    memcpy(x->b + x->n, bytes, n);
    x->n += n;
}

static void put16(two_frame *x, unsigned v)
{
    const uint8_t b[2] = {(uint8_t)(v >> 8), (uint8_t)v};
    put(x, b, 2);
}

static void set16(uint8_t *b, size_t v)
{
    b[0] = (uint8_t)(v >> 8);
    b[1] = (uint8_t)v;
}

void two_hex(two_frame *x, const char *hex)
{
    uint8_t b[1024];
    size_t n = 0;
    CHECK(strlen(hex) < 2 * sizeof b && vec_hex(hex, b, &n));
    put(x, b, n);
}

void two_ether(two_frame *x, const two_side *s)
{
    put(x, s->mac_dst.b, 6);
    put(x, s->mac_src.b, 6);
    two_hex(x, s == &two_outer ? "88a8 a111 8100 6222" : "8100 4333");
}

void two_type(two_frame *x, int version)
{
    put16(x, version == 4 ? 0x0800 : 0x86dd);
}

void two_ip(two_frame *x, const two_side *s, int version, uint8_t proto)
{
    const unsigned tos = (unsigned)s->dscp << 2 | s->ecn;
    x->ip[x->n_ip++] = x->n;
    if (version == 4) {
        put16(x, 0x4500 | tos);
        put16(x, 0);
        put16(x, s->identification);
        put16(x, s->flags);
        put16(x, (unsigned)s->hop_limit << 8 | proto);
        put16(x, 0);
        put(x, s->src[0].b + 12, 4);
        put(x, s->dst[0].b + 12, 4);
    } else {
        put16(x, 0x6000 | tos << 4 | s->flow_label >> 16);
        put16(x, s->flow_label & 0xffff);
        put16(x, 0);
        put16(x, (unsigned)proto << 8 | s->hop_limit);
        put(x, s->src[1].b, 16);
        put(x, s->dst[1].b, 16);
    }
}

void two_udp(two_frame *x, const two_side *s, uint16_t dst_port)
{
    x->udp[x->n_udp++] = x->n;
    put16(x, s->port);
    put16(x, dst_port);
    put16(x, 0);
    put16(x, s->checksum);
}

static uint32_t sum(const uint8_t *b)
{
    uint32_t s = 0;
    size_t i;
    for (i = 0; i < (b[0] & 15u) * 4u; i += 2)
        s += (uint32_t)b[i] << 8 | b[i + 1];
    while (s >> 16 != 0)
        s = (s & 0xffff) + (s >> 16);
    return s;
}

void two_sum(uint8_t *b, size_t at)
{
    set16(b + at + 10, 0);
    set16(b + at + 10, 0xffff - sum(b + at));
}

bool two_sum_is_right(const uint8_t *b, size_t at)
{
    return b[at] >> 4 == 6 || sum(b + at) == 0xffff;
}

void two_end(two_frame *x)
{
    size_t i;
    for (i = 0; i < x->n_udp; i++)
        set16(x->b + x->udp[i] + 4, x->n - x->udp[i]);
    for (i = 0; i < x->n_ip; i++) {
        uint8_t *b = x->b + x->ip[i];
        if (b[0] >> 4 == 4) {
            set16(b + 2, x->n - x->ip[i]);
            two_sum(x->b, x->ip[i]);
        } else {
            set16(b + 4, x->n - x->ip[i] - 40);
        }
    }
}

void two_trailer(two_frame *x, size_t n)
{
    uint8_t *b = x->b + x->ip[0];
    CHECK(x->n + n <= sizeof x->b);
    memset(x->b + x->n, 0x5a, n);
    x->n += n;
    set16(b + (b[0] >> 4 == 4 ? 2 : 4), x->n - x->ip[0] - (b[0] >> 4 == 4 ? 0 : 40));
    if (b[0] >> 4 == 4) two_sum(x->b, x->ip[0]);
    if (x->n_udp > 1) set16(x->b + x->udp[0] + 4, x->n - x->udp[0]);
}

/* These ICRCs are from zlib's crc32, over the bytes of IBTA A17.3.3, masked by hand. */
void two_data(two_frame *x, int inner)
{
    two_udp(x, &two_inner, 4791);
    two_hex(x, "0440 8001 00000456 80000789 0102030405060708");
    two_hex(x, inner == 4 ? "d273d551" : "64e6780a");
}

void two_cnp(two_frame *x, int inner)
{
    two_udp(x, &two_inner, 4791);
    two_hex(x, "8100 8001 40000456 00000000 00000000000000000000000000000000");
    two_hex(x, inner == 4 ? "a585fc31" : "7b998851");
}

static uint8_t in_ip(int version)
{
    return version == 4 ? 4 : 41;
}

two_frame two_tunnel(int outer, int inner, two_upper upper)
{
    two_frame x;
    memset(&x, 0, sizeof x);
    two_ether(&x, &two_outer);
    two_type(&x, outer);
    two_ip(&x, &two_outer, outer, in_ip(inner));
    two_ip(&x, &two_inner, inner, 17);
    upper(&x, inner);
    two_end(&x);
    return x;
}

two_frame two_vxlan(int outer, int inner, two_upper upper)
{
    two_frame x;
    memset(&x, 0, sizeof x);
    two_ether(&x, &two_outer);
    two_type(&x, outer);
    two_ip(&x, &two_outer, outer, 17);
    two_udp(&x, &two_outer, 4789);
    two_hex(&x, "08000000 00070000");
    two_ether(&x, &two_inner);
    two_type(&x, inner);
    two_ip(&x, &two_inner, inner, 17);
    upper(&x, inner);
    two_end(&x);
    return x;
}

rocecc_packet two_walked(const rocecc_domain *d, const two_frame *x)
{
    rocecc_packet p;
    (void)rocecc_packet_parse(d, rocecc_reader_of(x->b, x->b + x->n), &p);
    return p;
}

rocecc_packet two_inside(const rocecc_domain *d, const two_frame *x)
{
    const rocecc_packet p = two_walked(d, x);
    rocecc_packet inner = p;
    CHECK(rocecc_packet_inner(&p, &inner) != ROCECC_NO_MATCH || inner.headers.bth == 0);
    CHECK(p.headers.inner != 0);
    return inner;
}

void two_changed(const uint8_t *before, const uint8_t *now, size_t n,
                 const two_byte *change)
{
    size_t i, k;
    for (i = 0; i < n; i++) {
        uint8_t want = before[i];
        for (k = 0; change[k].at != TWO_END; k++)
            if (change[k].at == i) want = change[k].is;
        if (now[i] != want)
            test_fail(__FILE__, __LINE__, "byte %zu is 0x%02x, and not 0x%02x", i,
                      now[i], want);
    }
}
