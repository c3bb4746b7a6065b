/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * roles.c - measures the two ends of a Fast CNP, each with a list of 64 permitted /64s.
 * The switch reads a data packet over IPv6 and writes a Fast CNP of 104 bytes. The
 * sender's gate reads it on Ethernet and gives its verdict. The gate's cost for data is
 * also measured.
 *
 * By hand there is one form of each packet: IPv6 without a tag, and the plain option.
 * The code makes the library's checks of that form: lengths, opcode, options,
 * addresses, list, ICRC, rate. Both sides use PCLMULQDQ for the CRC, so that the rows
 * compare the code around it. valgrind does not know VPCLMULQDQ, and a Fast CNP is too
 * short for it. The CPU must have PCLMULQDQ.
 *
 * bench: with: gcc -O2
 * bench: with: clang-19 -O2
 * bench: with: clang-19 -Os
 */
#include "../../../examples/crc32/x86.h"
#define ROCECC_CRC32_UPDATE(state, b, n) crc32_pclmul(state, b, n)
#include "bench.h"

#include "by_hand.h"
#include "rocecc/role/congestion_point.h"
#include "rocecc/role/reaction_point.h"

#define PREFIXES 64u
#define INPUTS 16u
#define TYPE_PLAIN 0x9e
#define TYPE_IOAM 0x9f
#define STEP_NS 100000u /* between two packets, so that no limit applies */
#define RATE_PER_S 1000000u
#define FAST_BYTES 104u /* IPv6, an option header of 24 bytes, UDP, CNP */
#define ETHER_BYTES 14u

typedef struct frame {
    uint8_t b[256];
    size_t n;
} frame;

static rocecc_domain domain;
static rocecc_acl_entry entries[PREFIXES];
static rocecc_acl access_list;
static rocecc_aclindex_cell index_cells[4096];
static rocecc_aclindex access_index;
static rocecc_reaction_config reaction_config;
static rocecc_reaction_point reaction_point;
static rocecc_admission_source reaction_sources[PREFIXES];
static rocecc_congestion_config congestion_config;
static rocecc_congestion_point congestion_point;
static rocecc_admission_source congestion_sources[PREFIXES];
static rocecc_cnpgate flow_gate;
static rocecc_cnp switch_cnp;
static uint64_t now_ns = 1;

static frame data[INPUTS], fast[INPUTS], ordinary[INPUTS];
static rocecc_packet data_packets[INPUTS];
static uint8_t written[256];

/* The library. */

static inline void gate_by(const frame *f, const rocecc_aclindex *index,
                           rocecc_reaction_result *out)
{
    rocecc_reaction_event e = ROCECC_ZERO;
    rocecc_packet p;
    e.admission.now_ns = now_ns += STEP_NS;
    e.admission.list = &access_list;
    e.admission.index = index;
    e.admission.sources = reaction_sources;
    e.admission.n_sources = PREFIXES;
    out->verdict = ROCECC_REACTION_NOT_A_CNP;
    if (rocecc_packet_parse(&domain, rocecc_reader_of(f->b, f->b + f->n), &p) ==
        ROCECC_OK)
        rocecc_reaction_point_step(&reaction_config, &reaction_point, &p, &e, out);
}

static rocecc_reaction_result gate(const frame *f)
{
    rocecc_reaction_result r;
    gate_by(f, NULL, &r);
    return r;
}

static inline size_t build(const rocecc_packet *p, uint32_t qp)
{
    rocecc_writer w = rocecc_writer_of(written, written + sizeof written);
    rocecc_cnp cnp = switch_cnp;
    rocecc_fastcnp option;
    if (rocecc_fastcnp_derive(p, &option) != ROCECC_OK) return 0;
    cnp.dst = rocecc_ip6_load(p->bytes.base + p->headers.ip.offset + 8);
    cnp.src_port = (uint16_t)hand_load16(p->bytes.base + p->headers.udp);
    cnp.pkey = (uint16_t)hand_load16(p->bytes.base + p->headers.bth + 2);
    cnp.dest_qp = qp;
    return rocecc_fastcnp_build(&w, p, ROCECC_ICRC_AUTO, &cnp, &option) == ROCECC_OK
               ? w.at
               : 0;
}

static inline size_t answer(const frame *f)
{
    rocecc_writer w = rocecc_writer_of(written, written + sizeof written);
    rocecc_congestion_event e = ROCECC_ZERO;
    rocecc_packet p;
    e.admission.now_ns = now_ns += STEP_NS;
    e.admission.list = &access_list;
    e.admission.sources = congestion_sources;
    e.admission.n_sources = PREFIXES;
    e.gate = &flow_gate;
    e.verdict = ROCECC_WRED_MARK;
    if (rocecc_packet_parse(&domain, rocecc_reader_of(f->b, f->b + f->n), &p) !=
        ROCECC_OK)
        return 0;
    (void)rocecc_congestion_point_step(&congestion_config, &congestion_point, &p, &e,
                                       &w);
    return w.at;
}

/* By hand. */

static uint64_t hand_prefixes[PREFIXES]; /* sorted */
static uint64_t hand_sent_ns, hand_now_ns = 1;
static uint8_t hand_template[FAST_BYTES];

/* A bucket of one second, in ns. A token is 1,000 ns. */
typedef struct hand_bucket {
    uint64_t tokens_ns, last_ns;
} hand_bucket;
static hand_bucket hand_shared, hand_admitted[PREFIXES], hand_verified[PREFIXES];
static hand_bucket hand_answered[PREFIXES]; /* for the switch */

/* Returns false for unspecified, loopback, IPv4-mapped and multicast addresses. */
static inline bool hand_is_source(const uint8_t *a)
{
    return a[0] != 0xff &&
           (hand_load64(a) | (hand_load64(a + 8) & ~UINT64_C(1))) != 0 &&
           (hand_load64(a) != 0 || hand_load32(a + 8) != 0xffff);
}

/* Returns the index of a source's prefix, or PREFIXES. */
static inline unsigned hand_find_prefix(const uint8_t *source)
{
    const uint64_t prefix = hand_load64(source);
    unsigned low = 0, high = PREFIXES - 1;
    while (low < high) {
        const unsigned middle = (low + high + 1) / 2;
        if (hand_prefixes[middle] <= prefix)
            low = middle;
        else
            high = middle - 1;
    }
    return hand_prefixes[low] == prefix ? low : PREFIXES;
}

static inline bool hand_holds(hand_bucket *b, uint64_t at_ns)
{
    b->tokens_ns += at_ns - b->last_ns;
    b->last_ns = at_ns;
    if (b->tokens_ns > 1000000000) b->tokens_ns = 1000000000;
    return b->tokens_ns >= 1000000000 / RATE_PER_S;
}

static inline bool hand_take(hand_bucket *b, uint64_t at_ns)
{
    if (!hand_holds(b, at_ns)) return false;
    b->tokens_ns -= 1000000000 / RATE_PER_S;
    return true;
}

static inline bool hand_take_token(uint64_t at_ns)
{
    return hand_take(&hand_shared, at_ns);
}

/* Checks the UDP checksum of 40 bytes (RFC 768). 0 means no checksum. */
static inline bool hand_sum_ok(const uint8_t *ip, const uint8_t *udp)
{
    uint64_t sum = 17 + 40;
    int i;
    if ((udp[6] | udp[7]) == 0) return true;
    for (i = 8; i < 40; i += 4)
        sum += hand_load32(ip + i);
    for (i = 0; i < 40; i += 4)
        sum += hand_load32(udp + i);
    return sum % 0xffff == 0;
}

/* Returns the ICRC of a CNP over IPv6. Fields that change on the way count as ones. */
static inline uint32_t hand_icrc(const uint8_t *ip, size_t extensions)
{
    const uint8_t *udp = ip + 40 + extensions;
    uint8_t masked[40];
    uint32_t crc;
    memcpy(masked, ip, 40);
    masked[0] |= 0x0f;
    masked[1] = masked[2] = masked[3] = masked[7] = 0xff;
    crc = rocecc_icrc_bytes(ROCECC_ICRC_START, masked, 40);
    crc = rocecc_icrc_bytes(crc, ip + 40, extensions);
    memcpy(masked, udp, 20);
    masked[6] = masked[7] = masked[12] = 0xff;
    crc = rocecc_icrc_bytes(crc, masked, 20);
    return ~rocecc_icrc_bytes(crc, udp + 20, 16);
}

/* Returns the address in the only Fast CNP option, or NULL. */
static inline const uint8_t *hand_option(const uint8_t *header, size_t bytes)
{
    const uint8_t *flow = NULL;
    size_t at = 2;
    unsigned options = 0;
    while (at < bytes) {
        const uint8_t *o = header + at;
        if (*o == 0) { /* Pad1 */
            at++;
            continue;
        }
        if (at + 2 > bytes || at + 2 + o[1] > bytes || ++options > 8) return NULL;
        if (*o == TYPE_PLAIN) {
            if (flow != NULL || o[1] != 16) return NULL;
            flow = o + 2;
        } else if (*o == 1) { /* PadN, of zeros */
            unsigned i;
            for (i = 0; i < o[1]; i++)
                if (o[2 + i] != 0) return NULL;
        } else if (*o >> 6 != 0 || *o == TYPE_IOAM) {
            return NULL;
        }
        at += 2u + o[1];
    }
    return flow;
}

/* Returns true and the key if the frame must slow down the QP. */
static bool hand_gate(const frame *f, rocecc_reaction_key *key)
{
    const uint8_t *ip = f->b + ETHER_BYTES, *extension = ip + 40, *udp, *flow;
    size_t bytes, payload;
    unsigned place;
    uint32_t icrc;
    if (f->n < ETHER_BYTES + 40 + 8 + 40 || hand_load16(f->b + 12) != 0x86dd ||
        ip[0] >> 4 != 6 || ip[6] != 60 || extension[0] != 17)
        return false;
    bytes = 8 + 8 * (size_t)extension[1];
    payload = hand_load16(ip + 4);
    if (payload < bytes + 40 || f->n < ETHER_BYTES + 40 + payload) return false;
    udp = extension + bytes;
    if (hand_load16(udp + 2) != 4791 || hand_load16(udp + 4) != 40 || udp[8] != 0x81 ||
        (udp[9] & 0x3f) != 0) /* PadCnt, TVer */
        return false;
    flow = hand_option(extension, bytes);
    if (flow == NULL || !hand_is_source(ip + 24) || !hand_is_source(ip + 8) ||
        !hand_is_source(flow) || memcmp(ip + 8, ip + 24, 16) == 0 ||
        memcmp(ip + 8, flow, 16) == 0)
        return false;
    place = hand_find_prefix(ip + 8);
    hand_now_ns += STEP_NS;
    if (place == PREFIXES || !hand_holds(&hand_admitted[place], hand_now_ns) ||
        !hand_take(&hand_verified[place], hand_now_ns) || !hand_sum_ok(ip, udp))
        return false;
    icrc = hand_icrc(ip, bytes);
    if (memcmp(&icrc, udp + 36, 4) != 0 ||
        !hand_take(&hand_admitted[place], hand_now_ns) || !hand_take_token(hand_now_ns))
        return false;
    memcpy(key->remote.b, flow, 16);
    key->remote_qp = hand_load32(udp + 12) & 0xffffff;
    return true;
}

/* Writes a template with addresses, port and P_Key of the data packet at `ip`. */
static inline size_t hand_build(const uint8_t *ip, uint32_t qp)
{
    uint32_t icrc;
    memcpy(written, hand_template, FAST_BYTES);
    memcpy(written + 24, ip + 8, 16);  /* to the sender */
    memcpy(written + 44, ip + 24, 16); /* the flow's receiver, in the option */
    memcpy(written + 64, ip + 40, 2);  /* the source port */
    memcpy(written + 74, ip + 50, 2);  /* P_Key */
    written[77] = (uint8_t)(qp >> 16);
    written[78] = (uint8_t)(qp >> 8);
    written[79] = (uint8_t)qp;
    icrc = hand_icrc(written, 24);
    memcpy(written + FAST_BYTES - 4, &icrc, 4);
    return FAST_BYTES;
}

/* Returns true for SEND, RDMA WRITE and RDMA READ Response of each transport. */
static inline bool hand_is_data(uint8_t opcode)
{
    static const uint32_t data_of[8] = {0x00c1efff, 0x00000fff, 0x0001efff, 0x00000030,
                                        0,          0x00c1efff, 0,          0};
    return (data_of[opcode >> 5] >> (opcode & 31) & 1) != 0;
}

/* Writes the Fast CNP for a data frame. Returns 0 if the switch sends nothing. */
static size_t hand_answer(const frame *f)
{
    const uint8_t *ip = f->b + ETHER_BYTES;
    hand_bth h;
    unsigned place;
    if (!hand_find(f->b, f->n, &h) || h.version != 6 || h.ip != ETHER_BYTES ||
        h.udp != ETHER_BYTES + 40 || !hand_is_data(h.opcode) ||
        !hand_is_source(ip + 8) || !hand_is_source(ip + 24))
        return 0;
    place = hand_find_prefix(ip + 8);
    hand_now_ns += STEP_NS;
    if (place == PREFIXES ||
        hand_now_ns - hand_sent_ns < congestion_config.gate.interval_ns ||
        !hand_take(&hand_answered[place], hand_now_ns) || !hand_take_token(hand_now_ns))
        return 0;
    hand_sent_ns = hand_now_ns;
    return hand_build(ip, hand_load32(f->b + h.bth + 4) & 0xffffff);
}

/* The rows. */

static void gate_ours(unsigned i)
{
    rocecc_reaction_result r;
    gate_by(&fast[i % INPUTS], NULL, &r);
    bench_keep(&r);
}

static void gate_indexed(unsigned i)
{
    rocecc_reaction_result r;
    gate_by(&fast[i % INPUTS], &access_index, &r);
    bench_keep(&r);
}

static void gate_data(unsigned i)
{
    rocecc_reaction_result r;
    gate_by(&data[i % INPUTS], NULL, &r);
    bench_keep(&r);
}

/* Does all that a receiver without a gate does with data. */
static void match_data(unsigned i)
{
    const frame *f = &data[i % INPUTS];
    rocecc_packet p;
    bench_keep(rocecc_packet_parse(&domain, rocecc_reader_of(f->b, f->b + f->n), &p) ==
                   ROCECC_OK &&
               rocecc_cnp_match(&p));
    bench_keep(&p);
}

static void gate_theirs(unsigned i)
{
    rocecc_reaction_key key;
    const bool slow = hand_gate(&fast[i % INPUTS], &key);
    bench_keep(slow);
    bench_keep(&key);
}

static void gate_ordinary(unsigned i)
{
    rocecc_reaction_result r;
    gate_by(&ordinary[i % INPUTS], NULL, &r);
    bench_keep(&r);
}

static void build_ours(unsigned i)
{
    const size_t n = build(&data_packets[i % INPUTS], i & 0xffffff);
    bench_keep(n);
    bench_keep(written);
}

static void build_theirs(unsigned i)
{
    const size_t n = hand_build(data[i % INPUTS].b + ETHER_BYTES, i & 0xffffff);
    bench_keep(n);
    bench_keep(written);
}

static void switch_ours(unsigned i)
{
    const size_t n = answer(&data[i % INPUTS]);
    bench_keep(n);
    bench_keep(written);
}

static void switch_theirs(unsigned i)
{
    const size_t n = hand_answer(&data[i % INPUTS]);
    bench_keep(n);
    bench_keep(written);
}

/* Parts of the rows. */

static void walk_fast(unsigned i)
{
    const frame *f = &fast[i % INPUTS];
    rocecc_packet p;
    bench_keep(rocecc_packet_parse(&domain, rocecc_reader_of(f->b, f->b + f->n), &p));
    bench_keep(&p);
}

static rocecc_packet fast_packets[INPUTS];

static void find_fast(unsigned i)
{
    rocecc_reaction_result r;
    rocecc_reaction_point_find(&reaction_config, &fast_packets[i % INPUTS], &r);
    bench_keep(&r);
}

static void verify_fast(unsigned i)
{
    rocecc_icrc icrc;
    bench_keep(rocecc_icrc_verify(ROCECC_ICRC_AUTO, &fast_packets[i % INPUTS], &icrc));
    bench_keep(&icrc);
}

static void icrc_by_hand(unsigned i)
{
    const uint32_t icrc = hand_icrc(fast[i % INPUTS].b + ETHER_BYTES, 24);
    bench_keep(icrc);
}

/* Inputs of the rows. */

static void data_frame(frame *f, unsigned i)
{
    const size_t payload = 64, upper = 8 + 12 + payload + 4;
    uint8_t *ip = f->b + ETHER_BYTES, *udp = ip + 40;
    memset(f->b, 0, sizeof f->b);
    f->b[0] = f->b[6] = 2;
    hand_store16(f->b + 12, 0x86dd);
    ip[0] = 0x60;
    hand_store16(ip + 4, (uint32_t)upper);
    ip[6] = 17;
    ip[7] = 64;
    memcpy(ip + 8, entries[i * 5 % PREFIXES].prefix.b, 8);
    ip[23] = (uint8_t)(1 + i);
    ip[24] = 0x20;
    ip[25] = 1;
    ip[39] = (uint8_t)(100 + i);
    hand_store16(udp, 50000 + i);
    hand_store16(udp + 2, 4791);
    hand_store16(udp + 4, (uint32_t)upper);
    udp[8] = 7; /* RC WRITE Middle */
    udp[10] = udp[11] = 0xff;
    udp[15] = (uint8_t)(0x50 + i);
    f->n = ETHER_BYTES + 40 + upper;
}

static rocecc_packet walked(const frame *f)
{
    rocecc_packet p;
    if (rocecc_packet_parse(&domain, rocecc_reader_of(f->b, f->b + f->n), &p) !=
        ROCECC_OK)
        bench_differs("the walk", (unsigned)(f - data));
    return p;
}

/* Copies written[] into a frame with `like`'s Ethernet header. */
static void frame_of(frame *f, const frame *like, size_t n)
{
    memcpy(f->b, like->b, ETHER_BYTES);
    memcpy(f->b + ETHER_BYTES, written, n);
    f->n = ETHER_BYTES + n;
}

static void roles_configure(void)
{
    uint32_t i, at;
    domain.fastcnp.type_plain = TYPE_PLAIN;
    domain.fastcnp.type_ioam = TYPE_IOAM;
    bench_keep(&domain); /* hides it from compilers */
    for (i = 0; i < PREFIXES; i++) {
        rocecc_acl_entry *e = &entries[i];
        e->prefix.b[0] = 0x20;
        e->prefix.b[1] = 1;
        e->prefix.b[3] = (uint8_t)i;
        e->length = 64;
        e->permit = 1;
        e->tag = i;
        hand_prefixes[i] = hand_load64(e->prefix.b);
    }
    reaction_config.fastcnp_enabled = reaction_config.check_icrc = true;
    reaction_config.ordinary_listed = true;
    reaction_config.admission = rocecc_admission_for(1, RATE_PER_S);
    switch_cnp = rocecc_cnp_default();
    switch_cnp.src = entries[0].prefix;
    switch_cnp.src.b[3] = 5;
    switch_cnp.src.b[15] = 1;
    congestion_config.fastcnp_enabled = true;
    congestion_config.cnp = switch_cnp;
    congestion_config.answer = rocecc_opcode_set_data();
    congestion_config.gate.interval_ns = STEP_NS / 2;
    congestion_config.admission = rocecc_admission_for(1, RATE_PER_S);
    if (rocecc_acl_init(&access_list, entries, PREFIXES, &at) != ROCECC_ACL_ACCEPTED ||
        rocecc_aclindex_init(&access_index, &access_list, index_cells,
                             sizeof index_cells / sizeof index_cells[0]) != ROCECC_OK ||
        rocecc_reaction_point_init(&reaction_config, &domain, &access_list) !=
            ROCECC_REACTION_ACCEPTED ||
        rocecc_congestion_point_init(&congestion_config, &domain, &access_list) !=
            ROCECC_CONGESTION_ACCEPTED)
        bench_differs("the configuration", 0);
    reaction_point = rocecc_reaction_point_start(&reaction_config, 0);
    for (i = 0; i < PREFIXES; i++)
        reaction_sources[i] =
            rocecc_admission_source_start(&reaction_config.admission, 0);
    congestion_point = rocecc_congestion_point_start(&congestion_config, 0);
    for (i = 0; i < PREFIXES; i++)
        congestion_sources[i] =
            rocecc_admission_source_start(&congestion_config.admission, 0);
}

/* Checks that both sides write the same bytes, and return the same key per Fast CNP. */
static void roles_same(unsigned i)
{
    uint8_t wrote[FAST_BYTES];
    rocecc_reaction_key key;
    rocecc_reaction_result r;
    if (build(&data_packets[i], 0x123456) != FAST_BYTES) bench_differs("build", i);
    memcpy(wrote, written, FAST_BYTES);
    if (hand_build(data[i].b + ETHER_BYTES, 0x123456) != FAST_BYTES ||
        memcmp(wrote, written, FAST_BYTES) != 0)
        bench_differs("a Fast CNP built by hand", i);
    if (answer(&data[i]) != FAST_BYTES) bench_differs("the switch", i);
    memcpy(wrote, written, FAST_BYTES);
    if (hand_answer(&data[i]) != FAST_BYTES || memcmp(wrote, written, FAST_BYTES) != 0)
        bench_differs("a switch by hand", i);
    r = gate(&fast[i]);
    if (r.verdict != ROCECC_REACTION_FAST_PLAIN || !hand_gate(&fast[i], &key) ||
        memcmp(&key, &r.key, sizeof key) != 0)
        bench_differs("a gate by hand", i);
    gate_by(&fast[i], &access_index, &r);
    if (r.verdict != ROCECC_REACTION_FAST_PLAIN ||
        memcmp(&key, &r.key, sizeof key) != 0)
        bench_differs("a gate by the index", i);
    if (gate(&ordinary[i]).verdict != ROCECC_REACTION_ORDINARY ||
        hand_gate(&ordinary[i], &key))
        bench_differs("an ordinary CNP", i);
}

static void same_verdict(const frame *f, unsigned i, unsigned *refused)
{
    const rocecc_reaction_result r = gate(f);
    rocecc_reaction_key key;
    const bool slow = hand_gate(f, &key);
    if (slow != (r.verdict == ROCECC_REACTION_FAST_PLAIN) ||
        (slow && memcmp(&key, &r.key, sizeof key) != 0))
        bench_differs("a gate by hand, of other frames", i);
    *refused += !slow;
}

static void same_answer(const frame *f, unsigned i, unsigned *refused)
{
    const size_t n = answer(f);
    uint8_t wrote[FAST_BYTES];
    memcpy(wrote, written, FAST_BYTES);
    if (hand_answer(f) != n || (n != 0 && memcmp(wrote, written, n) != 0))
        bench_differs("a switch by hand, of other frames", i);
    *refused += n == 0;
}

/* Gives a Fast CNP the right ICRC for its bytes. */
static void seal(frame *f)
{
    const uint32_t icrc = hand_icrc(f->b + ETHER_BYTES, 24);
    memcpy(f->b + ETHER_BYTES + FAST_BYTES - 4, &icrc, 4);
}

/*
 * Checks that both sides refuse the same frames: with each bit inverted, for Fast CNPs
 * also with a corrected ICRC, and from the flow's receiver itself.
 */
static void roles_same_refusals(void)
{
    unsigned bit, refused = 0, sealed = 0, silent = 0;
    frame f = fast[0];
    for (bit = 8 * 12; bit < 8 * fast[0].n; bit++) {
        f = fast[0];
        f.b[bit / 8] ^= (uint8_t)(1u << bit % 8);
        same_verdict(&f, bit, &refused);
        seal(&f);
        same_verdict(&f, bit, &sealed);
    }
    for (bit = 8 * 12; bit < 8 * 74; bit++) { /* to the end of the BTH */
        f = data[0];
        f.b[bit / 8] ^= (uint8_t)(1u << bit % 8);
        same_answer(&f, bit, &silent);
    }
    f = fast[0];
    memcpy(f.b + ETHER_BYTES + 44, f.b + ETHER_BYTES + 8, 16);
    seal(&f);
    same_verdict(&f, bit, &sealed);
    if (refused < 8 * FAST_BYTES / 2 || sealed < 8 * 16 || silent < 8 * 8)
        bench_differs("the number of refusals", sealed);
}

static void roles_start(void)
{
    unsigned i;
    roles_configure();
    for (i = 0; i < INPUTS; i++) {
        rocecc_writer w = rocecc_writer_of(written, written + sizeof written);
        rocecc_cnp cnp = switch_cnp;
        data_frame(&data[i], i);
        data_packets[i] = walked(&data[i]);
        frame_of(&fast[i], &data[i], build(&data_packets[i], 0x55 + i));
        fast_packets[i] = walked(&fast[i]);
        memcpy(hand_template, written, FAST_BYTES);
        cnp.dst = rocecc_ip6_load(data[i].b + ETHER_BYTES + 8);
        if (rocecc_cnp_build(&w, &cnp) != ROCECC_OK) bench_differs("a CNP", i);
        frame_of(&ordinary[i], &data[i], w.at);
    }
    for (i = 0; i < INPUTS; i++)
        roles_same(i);
    roles_same_refusals();
}

/*
 * Goals beside code with a template. The switch may take 1,150 instructions (gcc) or
 * 1,350 (clang).
 */
#if defined(__clang__)
#define BUILD_GOAL 2.5
#define SWITCH_GOAL 2.9
#else
#define BUILD_GOAL 1
#define SWITCH_GOAL 2.32
#endif

static const bench_row rows[] = {
    {"Fast CNP, frame to verdict", "by hand", gate_ours, gate_theirs, BENCH_BOTH, 2},
    {"Fast CNP, frame to verdict, index", "by hand", gate_indexed, gate_theirs,
     BENCH_BOTH, 1.5},
    {"data, frame to verdict", "walked and matched", gate_data, match_data, BENCH_BOTH,
     1.1},
    {"Fast CNP built about data", "by hand", build_ours, build_theirs, BENCH_BOTH,
     BUILD_GOAL},
    {"switch, data to Fast CNP", "by hand", switch_ours, switch_theirs, BENCH_BOTH,
     SWITCH_GOAL},
    {"CNP, frame to verdict", NULL, gate_ordinary, NULL, BENCH_INSTRUCTIONS, 0},
    {"Fast CNP walked", NULL, walk_fast, NULL, BENCH_INSTRUCTIONS, 0},
    {"Fast CNP found", NULL, find_fast, NULL, BENCH_INSTRUCTIONS, 0},
    {"Fast CNP, ICRC verified", NULL, verify_fast, NULL, BENCH_INSTRUCTIONS, 0},
    {"Fast CNP, ICRC by hand", NULL, icrc_by_hand, NULL, BENCH_INSTRUCTIONS, 0},
};

int main(int argc, char **argv)
{
    roles_start();
    return BENCH_MAIN(rows);
}
