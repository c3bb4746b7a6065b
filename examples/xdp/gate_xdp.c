/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * gate_xdp.c - two XDP programs for a domain with switches that send Fast CNPs, by
 * draft-xiao-rtgwg-rocev2-fast-cnp-00, security considerations.
 *
 *   border  on both ports of a node on a link out of the domain. No Fast CNP crosses it
 *           in either direction (FC-20). It has no state. XDP sees only received
 *           packets. On a router of the domain, outer ports stop packets that enter,
 *           and the other end of the link must stop packets that leave.
 *   host    at a sender. It runs the checks of role/reaction_point.h, in the order of
 *           its figure. Each prefix of the access list has its own limits, as in
 *           guard/admission.h, so misbehaving switches cannot exhaust the limits of
 *           the others.
 *
 * All other packets pass, except packets that may hide a Fast CNP from both programs
 * (UNSEEN). With icrc=stripped the ICRC is checked here, by the rule that leaves out
 * the extension headers. Otherwise the NIC, or the software that acts on the CNP, must
 * check it, and packets with a switch's forged address use up the limit of this switch.
 * If a verdict asks for an ICMPv6 error, the error is counted, but not sent. Packets
 * that pass reach the kernel. Its IPv6 does not know the option, drops the packet and
 * sends a Parameter Problem. A host that reacts to Fast CNPs in software must return
 * XDP_REDIRECT instead, to a socket of its own.
 *
 *   clang -target bpf -mcpu=v3 -Os -g -ffreestanding -Iinclude
 *       -I/usr/include/$(gcc -print-multiarch) -c gate_xdp.c -o gate.o
 *   bpftool prog loadall gate.o /sys/fs/bpf/gate pinmaps /sys/fs/bpf/gate/maps
 *   gate /sys/fs/bpf/gate/maps host type_plain=0x9e 2001:db8:ffff::/48
 *   bpftool net attach xdp pinned /sys/fs/bpf/gate/host dev eth0
 *
 * The functions are global, and not inlined, so the verifier checks each function once,
 * for any arguments, and not once for each path to it. A map with an entry per CPU
 * keeps the parsed headers, and each function makes a packet from them again.
 */
#define ROCECC_IP6OPT_MAX 3      /* per packet, as many as Linux 6.1 verifies */
#define ROCECC_ICRC_MAX_BYTES 32 /* a CNP has 16 after the BTH */
#include "gate.h"

/* The parts of libbpf's <bpf/bpf_helpers.h> that are used here. */
#define SEC(name) __attribute__((section(name), used))
#define GLOBAL __attribute__((noinline))
#define MAP(name, kind, of, n)                                                         \
    struct {                                                                           \
        int (*type)[kind];                                                             \
        int (*max_entries)[n];                                                         \
        uint32_t *key;                                                                 \
        of *value;                                                                     \
    } name SEC(".maps")
static void *(*const map_lookup)(void *map,
                                 const void *key) = (void *)BPF_FUNC_map_lookup_elem;
static uint64_t (*const ktime_get_ns)(void) = (void *)BPF_FUNC_ktime_get_ns;
static void (*const spin_lock)(struct bpf_spin_lock *) = (void *)BPF_FUNC_spin_lock;
static void (*const spin_unlock)(struct bpf_spin_lock *) = (void *)BPF_FUNC_spin_unlock;

MAP(config, BPF_MAP_TYPE_ARRAY, gate_config, 2);
MAP(slot, BPF_MAP_TYPE_ARRAY, uint32_t, 1);
MAP(bucket, BPF_MAP_TYPE_ARRAY, gate_bucket, 1);
MAP(sources, BPF_MAP_TYPE_ARRAY, gate_source, GATE_ENTRIES);
MAP(counts, BPF_MAP_TYPE_PERCPU_ARRAY, uint64_t, GATE_COUNTS);
MAP(where, BPF_MAP_TYPE_PERCPU_ARRAY, rocecc_headers, 1);
MAP(said, BPF_MAP_TYPE_PERCPU_ARRAY, rocecc_reaction_result, 1);
char gate_license[] SEC("license") = "Dual BSD/GPL";

static const gate_config *in_force(void)
{
    const uint32_t zero = 0;
    const uint32_t *at = map_lookup(&slot, &zero);
    return at == NULL ? NULL : map_lookup(&config, at);
}

static rocecc_headers *found(void)
{
    const uint32_t zero = 0;
    return map_lookup(&where, &zero);
}

/* Inlined like all of ROCECC_FN, because a global function cannot return a pointer. */
ROCECC_FN rocecc_reader bytes(const struct xdp_md *x)
{
    return rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
}

ROCECC_FN rocecc_packet packet(const struct xdp_md *x, const rocecc_domain *d,
                               const rocecc_headers *f)
{
    return rocecc_packet_attach(d, bytes(x), f);
}

GLOBAL int locate(struct xdp_md *x, const rocecc_domain *d)
{
    rocecc_headers *f = found();
    if (d == NULL || f == NULL) return ROCECC_ERR_FORMAT;
    return (int)rocecc_headers_parse(d, bytes(x), f);
}

GLOBAL int crosses(struct xdp_md *x, const rocecc_domain *d)
{
    const rocecc_headers *f = found();
    rocecc_packet p;
    if (d == NULL || f == NULL) return ROCECC_FASTCNP_BORDER_UNSEEN;
    p = packet(x, d, f);
    return (int)rocecc_fastcnp_border(&p);
}

/*
 * Returns true if a packet may be a Fast CNP, or a part of one, but cannot be parsed.
 * Reads only the parsed headers, and no packet bytes.
 */
GLOBAL int unseen(const rocecc_domain *d)
{
    const rocecc_headers *f = found();
    rocecc_packet p;
    if (d == NULL || f == NULL) return true;
    p = rocecc_packet_attach(d, rocecc_reader_of(NULL, NULL), f);
    return rocecc_fastcnp_border_stopped(&p) == ROCECC_FASTCNP_BORDER_UNSEEN;
}

ROCECC_FN rocecc_reaction_result *heard(void)
{
    const uint32_t zero = 0;
    return map_lookup(&said, &zero);
}

/* The parts of rocecc_reaction_point_find(). Each returns the verdict so far. */
#define PART(name, call)                                                               \
    GLOBAL int name(struct xdp_md *x, const gate_config *c)                            \
    {                                                                                  \
        const rocecc_headers *f = found();                                             \
        rocecc_reaction_result *out = heard();                                         \
        rocecc_packet p;                                                               \
        if (c == NULL || f == NULL || out == NULL) return ROCECC_REACTION_MALFORMED;   \
        p = packet(x, &c->domain, f);                                                  \
        call;                                                                          \
        return out->verdict;                                                           \
    }
/* Accepts no tunnels. Because of the constant, the verifier follows one IP header. */
PART(is_for_us, {
    const rocecc_reaction_config no_tunnels = {.fastcnp_enabled =
                                                   c->reaction.fastcnp_enabled};
    rocecc_reaction_point_find_tunnel(&no_tunnels, &p, out);
    rocecc_reaction_point_find_host(&no_tunnels, &p, out);
})
PART(option, rocecc_reaction_point_find_option(&c->reaction, &p, out))
PART(cnp, rocecc_reaction_point_find_cnp(&p, out))

/* Looks up the source. Returns GATE_ACCESS, or stores its tag and returns GATE_FAST. */
GLOBAL int permitted(const gate_config *c)
{
    rocecc_reaction_result *out = heard();
    rocecc_acl_result m;
    rocecc_acl list;
    if (c == NULL || out == NULL) return GATE_ACCESS;
    list = rocecc_acl_attach(c->entries, c->n);
    /* lookup() does not know this bound, but the verifier needs it. */
    if (list.n > GATE_ENTRIES) return GATE_ACCESS;
    m = rocecc_acl_lookup(&list, &out->cnp.src);
    out->tag = m.tag;
    return m.permit ? GATE_FAST : GATE_ACCESS;
}

/*
 * Applies the limits of rocecc_admission_begin(), before the ICRC check. One CPU at a
 * time has the buckets of a source, and makes no calls meanwhile.
 */
GLOBAL int begins(const gate_config *c)
{
    const uint64_t now_ns = ktime_get_ns();
    const rocecc_reaction_result *out = heard();
    gate_source *s;
    bool admits, verifies = false;
    if (c == NULL || out == NULL) return GATE_SOURCE;
    if (c->reaction.admission.unlimited) return GATE_FAST;
    s = map_lookup(&sources, &out->tag);
    if (s == NULL) return GATE_SOURCE;
    spin_lock(&s->lock);
    admits = rocecc_tokenbucket_holds(&c->reaction.admission.source,
                                      &s->buckets.admitted, 1, now_ns);
    if (admits)
        verifies = rocecc_tokenbucket_take(&c->reaction.admission.verify,
                                           &s->buckets.verified, 1, now_ns);
    spin_unlock(&s->lock);
    if (!admits) return GATE_SOURCE;
    return verifies ? GATE_FAST : GATE_VERIFY;
}

/* Checks the ICRC without the extension headers. The verifier follows no other rule. */
GLOBAL int is_right(struct xdp_md *x, const gate_config *c)
{
    const rocecc_headers *f = found();
    rocecc_icrc icrc = {0};
    rocecc_packet p;
    if (c == NULL || f == NULL) return 0;
    p = packet(x, &c->domain, f);
    return rocecc_icrc_verify(ROCECC_ICRC_STRIPPED, &p, &icrc) == ROCECC_OK && icrc.ok;
}

/* Takes the source's token, and then a shared token, like rocecc_admission_finish(). */
GLOBAL int finishes(const gate_config *c)
{
    const uint64_t now_ns = ktime_get_ns();
    const uint32_t zero = 0;
    const rocecc_reaction_result *out = heard();
    gate_source *s;
    gate_bucket *all;
    bool token;
    if (c == NULL || out == NULL) return GATE_SOURCE;
    if (c->reaction.admission.unlimited) return GATE_FAST;
    s = map_lookup(&sources, &out->tag);
    if (s == NULL) return GATE_SOURCE;
    spin_lock(&s->lock);
    token = rocecc_tokenbucket_take(&c->reaction.admission.source, &s->buckets.admitted,
                                    1, now_ns);
    spin_unlock(&s->lock);
    if (!token) return GATE_SOURCE;
    all = map_lookup(&bucket, &zero);
    if (all == NULL) return GATE_SHARED;
    spin_lock(&all->lock);
    token =
        rocecc_tokenbucket_take(&c->reaction.admission.shared, &all->tokens, 1, now_ns);
    spin_unlock(&all->lock);
    return token ? GATE_FAST : GATE_SHARED;
}

static void increment(uint32_t key)
{
    uint64_t *n = map_lookup(&counts, &key);
    if (n != NULL) (*n)++;
}

static int count(uint32_t key)
{
    increment(key);
    return key <= GATE_FAST ? XDP_PASS : XDP_DROP;
}

/* Counts a verdict of find(), with its arrival reason and its due error. */
static int count_found(const rocecc_reaction_result *out, uint32_t verdict)
{
    if (verdict == GATE_ARRIVAL) increment(GATE_ARRIVALS + out->arrival);
    if (verdict > GATE_FAST && out->icmp.type != 0) increment(GATE_ERRORS_DUE);
    return count(verdict);
}

SEC("xdp") int border(struct xdp_md *x)
{
    const gate_config *c = in_force();
    const rocecc_headers *f = found();
    int answer;
    if (c == NULL || f == NULL) return XDP_ABORTED;
    (void)locate(x, &c->domain);
    answer = crosses(x, &c->domain);
    if (answer == ROCECC_FASTCNP_BORDER_UNSEEN) return count(GATE_UNSEEN);
    return count(answer == ROCECC_FASTCNP_BORDER_DROP ? GATE_BORDER : GATE_OTHER);
}

/* Gate verdicts for find()'s final verdicts, and for an ordinary CNP. */
static const uint32_t told[ROCECC_REACTION_VERDICTS] = {
    [ROCECC_REACTION_NOT_A_CNP] = GATE_OTHER,
    [ROCECC_REACTION_ORDINARY] = GATE_ORDINARY,
    [ROCECC_REACTION_UNEXPECTED_OPCODE] = GATE_OPCODE,
    [ROCECC_REACTION_MALFORMED] = GATE_MALFORMED,
    [ROCECC_REACTION_UNSUPPORTED] = GATE_UNSUPPORTED,
    [ROCECC_REACTION_DISABLED] = GATE_DISABLED,
    [ROCECC_REACTION_UNEXPECTED_TUNNEL] = GATE_TUNNEL,
    [ROCECC_REACTION_BAD_ARRIVAL] = GATE_ARRIVAL,
    [ROCECC_REACTION_SOURCE_IS_RECEIVER] = GATE_FLOW};

/* Decides if a Fast CNP may slow down a flow. */
static int admitted(struct xdp_md *x, const gate_config *c)
{
    int verdict = permitted(c);
    if (verdict == GATE_FAST) verdict = begins(c);
    if (verdict == GATE_FAST && c->reaction.check_icrc && !is_right(x, c))
        verdict = GATE_ICRC;
    return verdict == GATE_FAST ? finishes(c) : verdict;
}

SEC("xdp") int host(struct xdp_md *x)
{
    const gate_config *c = in_force();
    const rocecc_headers *f = found();
    const rocecc_reaction_result *out = heard();
    uint32_t verdict;
    if (c == NULL || f == NULL || out == NULL) return XDP_ABORTED;
    (void)locate(x, &c->domain);
    if (unseen(&c->domain)) return count(GATE_UNSEEN);
    (void)is_for_us(x, c);
    (void)option(x, c);
    verdict = (uint32_t)cnp(x, c);
    if (verdict >= ROCECC_REACTION_VERDICTS) return XDP_ABORTED;
    if (verdict != ROCECC_REACTION_FAST_PLAIN && verdict != ROCECC_REACTION_FAST_IOAM)
        return count_found(out, told[verdict]);
    return count((uint32_t)admitted(x, c));
}
