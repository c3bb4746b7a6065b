/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz-libs: -lz */
#include <string.h>
#include <zlib.h>

#include "law/icrc.h"
#include "lib/fuzz.h"

/*
 * by_zlib() computes the ICRC by zlib's crc32, over a copy of the packet with the bytes
 * masked by the rule as ones. It returns 0 if the rule cannot cover the packet.
 */
static int mask_tlvs(uint8_t *b, size_t n, uint8_t chg)
{
    size_t at = 0;
    while (at < n) {
        size_t len;
        if (b[at] == 0) {
            at++;
            continue;
        }
        if (at + 2 > n || (len = b[at + 1]) > n - at - 2) return 0;
        if (b[at] & chg) memset(b + at + 2, 0xff, len);
        at += 2 + len;
    }
    return 1;
}

static int mask_ext(uint8_t *ip, uint8_t *b, size_t n, uint8_t type)
{
    if (type == 0 || type == 60) return mask_tlvs(b + 2, n - 2, 0x20);
    if (type != 43 || b[2] != 4) return 0;
    if (8 + 16 * ((size_t)b[4] + 1) > n || b[3] > b[4] + 1) return 0;
    if (b[3] > 0) memcpy(ip + 24, b + 8, 16);
    b[3] = b[6] = b[7] = 0xff;
    return mask_tlvs(b + 8 + 16 * ((size_t)b[4] + 1), n - 8 - 16 * ((size_t)b[4] + 1),
                     0x80);
}

static int by_zlib(rocecc_icrc_rule rule, const uint8_t *frame, const rocecc_packet *f,
                   uint32_t *icrc)
{
    static uint8_t copy[8 + 70000];
    uint8_t *p = copy + 8;
    const size_t ip = f->headers.grh != 0 ? f->headers.grh : f->headers.ip.offset;
    const size_t upper = (f->headers.grh != 0 ? f->headers.bth : f->headers.udp) - ip;
    size_t n = f->headers.end - 4 - ip;
    uint8_t *bth;
    if (f->headers.partial != ROCECC_PARTIAL_NONE) return 0; /* without an ICRC */
    memset(copy, 0xff, 8);
    memcpy(p, frame + ip, n);
    bth = p + (f->headers.bth - ip);
    bth[4] = 0xff;
    if (f->headers.grh == 0) bth[-1] = bth[-2] = 0xff;
    if (p[0] >> 4 == 4) {
        p[1] = p[8] = p[10] = p[11] = 0xff;
    } else {
        p[0] = 0x6f;
        p[1] = p[2] = p[3] = p[7] = 0xff;
    }
    if (f->headers.grh == 0 && p[0] >> 4 == 6 && upper > 40) {
        if (rule == ROCECC_ICRC_STRIPPED) {
            const size_t udp_length = f->headers.end - f->headers.udp;
            p[4] = (uint8_t)(udp_length >> 8);
            p[5] = (uint8_t)udp_length;
            p[6] = 17;
            memmove(p + 40, p + upper, n - upper);
            n -= upper - 40;
        } else if (rule == ROCECC_ICRC_MASKED) {
            uint8_t type = p[6];
            size_t at = 40;
            while (at < upper) {
                const size_t len =
                    type == 44 || type == 51 ? 0 : 8 * (size_t)p[at + 1] + 8;
                const uint8_t next = p[at];
                if (len == 0 || !mask_ext(p, p + at, len, type)) return 0;
                at += len;
                type = next;
            }
        } else if (rule == ROCECC_ICRC_STANDARD) {
            return 0;
        }
    }
    *icrc = (uint32_t)crc32(0, copy, (uInt)(8 + n));
    return 1;
}

/* Runs law_icrc(), and compares each rule with by_zlib(), at any offset. */
static uint32_t law_icrc_zlib(rocecc_reader r)
{
    const rocecc_domain c = law_packet_plain(r);
    rocecc_packet p;
    unsigned rule;
    const uint32_t digest = law_icrc(r);
    if (rocecc_packet_parse(&c, r, &p) != ROCECC_OK || p.headers.end > r.end)
        return digest;
    for (rule = ROCECC_ICRC_STANDARD; rule <= ROCECC_ICRC_STRIPPED; rule++) {
        uint32_t ours = 0, theirs = 0;
        const int ok =
            rocecc_icrc_compute((rocecc_icrc_rule)rule, &p, &ours) == ROCECC_OK;
        if (by_zlib((rocecc_icrc_rule)rule, r.base, &p, &theirs) != ok ||
            ours != theirs)
            law_broken(__FILE__, __LINE__, "the ICRC is zlib's over a masked copy");
    }
    return digest;
}

FUZZ_FRAME(law_icrc_zlib)
