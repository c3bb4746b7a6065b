/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz-seeds: ioam ifa intmd */
#include "law/ifa.h"
#include "law/intmd.h"
#include "lib/fuzz.h"
#include "lib/mend.h"
#include "rocecc/packet/csig.h"
#include "rocecc/packet/ioam.h"

/*
 * Tries six random edits with IOAM, IFA, INT and CSIG in one packet, and then removes
 * these formats in one of four orders. After each change, IP must still end with the
 * bytes, and the walk must still find the BTH. At the end, the packet must be as
 * before. The law of each format uses only this format.
 */
#define EDITS_BYTES 1600 /* longest packet */
#define EDITS 6          /* edits before the removal */

enum { EDITS_IOAM, EDITS_IFA, EDITS_INT, EDITS_CSIG, EDITS_FORMATS };

typedef struct edits_run {
    rocecc_domain d;
    uint8_t *b;
    size_t n;
    uint32_t random;
    bool has[EDITS_FORMATS];
} edits_run;

static uint32_t edits_random(edits_run *run)
{
    run->random = run->random * 1664525u + 1013904223u;
    return run->random >> 16;
}

static rocecc_domain edits_domain(uint8_t first)
{
    rocecc_domain d = law_intmd_domain(0);
    const bool ip = first >> 4 == 4 || first >> 4 == 6;
    d.link = ip ? ROCECC_LINK_IP : ROCECC_LINK_ETHER;
    d.ifa = law_ifa_lab();
    d.csig.compact_tpid = 0x9900;
    d.csig.wide_tpid = 0x9901;
    d.ioam.namespace_id = 7;
    return d;
}

static void edits_insert(const rocecc_packet *p, int format, uint32_t random,
                         rocecc_edit *e)
{
    if (format == EDITS_IOAM && rocecc_packet_outermost(p)->hop_by_hop != 0) {
        /* strip() would also remove a header that had only padding */
        (void)rocecc_edit_reject(e, ROCECC_EDIT_NONE);
    } else if (format == EDITS_IOAM) {
        rocecc_ioam_source s = {0};
        s.opt_type = random & 1 ? ROCECC_IOAM_PREALLOCATED : ROCECC_IOAM_INCREMENTAL;
        s.next_header = rocecc_packet_outermost(p)->version == 6
                            ? p->bytes.base[rocecc_packet_outermost(p)->offset + 6]
                            : 0;
        s.namespace_id = 7;
        s.trace_type = 0xd00000;
        s.words = 9;
        (void)rocecc_ioam_insert(p, &s, 9000, e);
    } else if (format == EDITS_IFA) {
        (void)law_ifa_insert(p, law_front(), e);
    } else if (format == EDITS_INT) {
        (void)law_intmd_insert(p, law_front(), (uint8_t)(random % 4), 9000, e);
    } else {
        const rocecc_csig h =
            rocecc_csig_neutral(&p->domain->csig, random & 1, ROCECC_CSIG_ABW_C);
        (void)rocecc_csig_insert(p, &h, e);
    }
}

static void edits_push(const rocecc_packet *p, int format, rocecc_edit *e)
{
    if (format == EDITS_IOAM) {
        const rocecc_reader none =
            rocecc_subrange(p->bytes, p->bytes.end, p->bytes.end);
        rocecc_ioam_node n;
        rocecc_ioam_node_init(&n);
        (void)rocecc_ioam_push(p, &n, none, 9000, e);
    } else if (format == EDITS_IFA) {
        (void)law_ifa_push(p, law_front(), e);
    } else if (format == EDITS_INT) {
        (void)law_intmd_push(p, law_front(), 9000, e);
    } else {
        (void)rocecc_edit_reject(e, ROCECC_EDIT_NONE);
    }
}

static void edits_strip(const rocecc_packet *p, int format, rocecc_edit *e)
{
    if (format == EDITS_IOAM) (void)rocecc_ioam_strip(p, e);
    if (format == EDITS_IFA) (void)rocecc_ifa_strip(p, e);
    if (format == EDITS_INT) (void)rocecc_intmd_strip(p, e);
    if (format == EDITS_CSIG) (void)rocecc_csig_strip(p, e);
}

/* Carries out a plan. The BTH may appear or vanish with IFA, because IFA and INT hide
 * each other, and in a partial packet. For example, the walk rejects a trimmed packet's
 * UDP Length after INT's new UDP header. */
static uint32_t edits_carry(edits_run *run, const rocecc_packet *p,
                            const rocecc_edit *e)
{
    const bool whole = rocecc_packet_outermost(p)->end == law_front() + run->n;
    rocecc_packet is;
    LAW(run->n + LAW_EDIT_MORE <= LAW_EDIT_BYTES);
    run->n = law_edit_carry(e, run->b, run->n);
    LAW(run->n != LAW_EDIT_BAD);
    (void)rocecc_packet_parse(&run->d, law_reader(run->b, run->n), &is);
    LAW(!whole || rocecc_packet_outermost(&is)->end == law_front() + run->n);
    LAW((p->headers.bth != 0) == (is.headers.bth != 0) ||
        (p->headers.ifa | is.headers.ifa) != 0 ||
        p->headers.partial != ROCECC_PARTIAL_NONE ||
        is.headers.partial != ROCECC_PARTIAL_NONE);
    return LAW_START;
}

static uint32_t edits_one(edits_run *run, int format, bool out)
{
    rocecc_packet p;
    rocecc_edit e;
    (void)rocecc_packet_parse(&run->d, law_reader(run->b, run->n), &p);
    if (out)
        edits_strip(&p, format, &e);
    else if (run->has[format])
        edits_push(&p, format, &e);
    else
        edits_insert(&p, format, edits_random(run), &e);
    if (e.verdict == ROCECC_EDIT_CHANGE && (out || !run->has[format]))
        run->has[format] = !out;
    if (!rocecc_edit_needs_action(&e) || (!run->has[format] && !out)) return LAW_START;
    return edits_carry(run, &p, &e);
}

/* Compares n bytes. 0000 equals ffff, because both are a checksum of 0. */
static bool edits_same(const uint8_t *a, const uint8_t *b, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (a[i] == b[i]) continue;
        if (i + 1 == n || (a[i] ^ b[i]) != 0xff || (a[i + 1] ^ b[i + 1]) != 0xff ||
            a[i] != a[i + 1] || (a[i] != 0 && a[i] != 0xff))
            return false;
        i++;
    }
    return true;
}

static uint32_t law_edits(rocecc_reader r)
{
    static LAW_ROOM(room, LAW_EDIT_BYTES);
    const size_t n = rocecc_left(&r);
    const uint8_t *const was = r.base + r.at;
    edits_run run = {{0}, room, n, 0, {false, false, false, false}};
    int i;
    if (n < 20 || n > EDITS_BYTES) return LAW_START;
    run.d = edits_domain(was[0]);
    run.random = fuzz_hash(was, n);
    memcpy(room, was, n);
    for (i = 0; i < EDITS; i++)
        LAW(edits_one(&run, (int)(edits_random(&run) % EDITS_FORMATS), false) !=
            LAW_BROKEN);
    for (i = (int)(edits_random(&run) % 4); i < 24;
         i++) /* inner formats may need more rounds */
        if (run.has[i % EDITS_FORMATS])
            LAW(edits_one(&run, i % EDITS_FORMATS, true) != LAW_BROKEN);
    for (i = 0; i < EDITS_FORMATS; i++)
        LAW(!run.has[i]);
    LAW(run.n == n && edits_same(room, was, n));
    return LAW_START;
}

FUZZ_FRAME(law_edits)
FUZZ_MEND(mend_packet)
