/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * gate_xdp.c - two XDP programs for a domain whose switches send Fast CNPs, by
 * draft-xiao-rtgwg-rocev2-fast-cnp-00, security considerations.
 *
 *   border  on both ports of what sits on a link out of the domain: a Fast CNP crosses
 *           it in neither direction (FC-20). No state. XDP sees what comes in: on a
 *           router of the domain, outer ports stop what enters, and what leaves is
 *           stopped at the other end of the link.
 *   host    where a sender receives. Of a CNP with a Fast CNP option, in this order:
 *             are they enabled ?                  DISABLED (FC-21)
 *             well-formed, its one option too ?   MALFORMED, UNSUPPORTED (FC-23)
 *             its source on the access list ?     ACCESS (FC-17, FC-19)
 *             a token left ?                      LIMITED (FC-18)
 *           Only what passed all the rest takes a token, so that nobody from outside
 *           uses up what the switches may send.
 *
 * All other packets pass, but for those that may hide a Fast CNP from both programs:
 * UNSEEN. The ICRC is not checked here: that is for the NIC, or for whoever acts on the
 * CNP. What passes goes on to the kernel, whose IPv6 does not know the option, drops
 * the packet and sends a Parameter Problem: a host that reacts to Fast CNPs in software
 * returns XDP_REDIRECT instead, to a socket of its own.
 *
 *   clang -target bpf -mcpu=v3 -Os -g -ffreestanding -Iinclude
 *       -I/usr/include/$(gcc -print-multiarch) -c gate_xdp.c -o gate.o
 *   bpftool prog loadall gate.o /sys/fs/bpf/gate pinmaps /sys/fs/bpf/gate/maps
 *   gate /sys/fs/bpf/gate/maps host type_plain=0x9e 2001:db8:ffff::/48
 *   bpftool net attach xdp pinned /sys/fs/bpf/gate/host dev eth0
 *
 * The functions are global, and not inlined: so the verifier reads each of them once,
 * for any arguments, instead of once for each of the ways that lead to it. What the
 * walk found is kept in a map, of each CPU its own, and each function makes a packet of
 * it again.
 */
#include "gate.h"

/* What <bpf/bpf_helpers.h> of libbpf brings, as far as it is needed here. */
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
MAP(counts, BPF_MAP_TYPE_PERCPU_ARRAY, uint64_t, GATE_VERDICTS);
MAP(where, BPF_MAP_TYPE_PERCPU_ARRAY, rocecc_where, 1);
char gate_license[] SEC("license") = "Dual BSD/GPL";

static const gate_config *in_force(void)
{
    const uint32_t zero = 0;
    const uint32_t *at = map_lookup(&slot, &zero);
    return at == NULL ? NULL : map_lookup(&config, at);
}

static rocecc_where *found(void)
{
    const uint32_t zero = 0;
    return map_lookup(&where, &zero);
}

/* Inlined, as all of ROCECC_FN: a function would hand on numbers, and not a packet. */
ROCECC_FN rocecc_reader bytes(const struct xdp_md *x)
{
    return rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
}

ROCECC_FN rocecc_packet packet(const struct xdp_md *x, const rocecc_domain *d,
                               const rocecc_where *f)
{
    return rocecc_packet_attach(d, bytes(x), f);
}

GLOBAL int locate(struct xdp_md *x, const rocecc_domain *d)
{
    rocecc_where *f = found();
    if (d == NULL || f == NULL) return ROCECC_ERR_FORMAT;
    return (int)rocecc_where_of(d, bytes(x), f);
}

GLOBAL int is_cnp(struct xdp_md *x, const rocecc_domain *d)
{
    const rocecc_where *f = found();
    rocecc_packet p;
    if (d == NULL || f == NULL) return false;
    p = packet(x, d, f);
    return rocecc_cnp_match(&p);
}

GLOBAL int crosses(struct xdp_md *x, const rocecc_domain *d)
{
    const rocecc_where *f = found();
    rocecc_packet p;
    if (d == NULL || f == NULL) return ROCECC_BORDER_UNSEEN;
    p = packet(x, d, f);
    return (int)rocecc_fastcnp_border(&p);
}

GLOBAL int option(struct xdp_md *x, const rocecc_domain *d)
{
    const rocecc_where *f = found();
    rocecc_packet p;
    rocecc_fastcnp h;
    if (d == NULL || f == NULL) return ROCECC_ERR_FORMAT;
    p = packet(x, d, f);
    return (int)rocecc_fastcnp_find(&p, &h);
}

/* The rest of the CNP, of which *src is what the list is asked. */
GLOBAL int cnp(struct xdp_md *x, const rocecc_domain *d, rocecc_ip6 *src)
{
    const rocecc_where *f = found();
    rocecc_cnp h = rocecc_cnp_default();
    rocecc_packet p;
    rocecc_status status;
    if (d == NULL || f == NULL || src == NULL) return ROCECC_ERR_FORMAT;
    p = packet(x, d, f);
    status = rocecc_cnp_parse(&p, &h);
    *src = h.src;
    return (int)status;
}

GLOBAL int permitted(const gate_config *c, const rocecc_ip6 *src)
{
    rocecc_acl list;
    if (c == NULL || src == NULL) return false;
    list = rocecc_acl_attach(c->entries, c->n);
    /* What lookup() cannot know, and the verifier asks. */
    if (list.n > GATE_ENTRIES) return false;
    return rocecc_acl_lookup(&list, src).permit;
}

/* One bucket for all; the tag of an entry would lead to one for each switch. */
GLOBAL int limited(const gate_config *c)
{
    const uint32_t zero = 0;
    gate_bucket *b = map_lookup(&bucket, &zero);
    const uint64_t now_ns = ktime_get_ns();
    rocecc_tokenbucket_params limit;
    bool token;
    if (c == NULL || b == NULL) return true;
    limit = c->limit;
    spin_lock(&b->lock); /* one CPU at a time; no calls in here */
    token = rocecc_tokenbucket_take(&limit, &b->tokens, 1, now_ns);
    spin_unlock(&b->lock);
    return !token;
}

static int count(gate_verdict verdict)
{
    const uint32_t key = verdict;
    uint64_t *n = map_lookup(&counts, &key);
    if (n != NULL) (*n)++;
    return verdict <= GATE_FAST ? XDP_PASS : XDP_DROP;
}

SEC("xdp") int border(struct xdp_md *x)
{
    const gate_config *c = in_force();
    const rocecc_where *f = found();
    int answer;
    if (c == NULL || f == NULL) return XDP_ABORTED;
    (void)locate(x, &c->domain);
    answer = crosses(x, &c->domain);
    if (answer == ROCECC_BORDER_UNSEEN) return count(GATE_UNSEEN);
    return count(answer == ROCECC_BORDER_DROP ? GATE_BORDER : GATE_OTHER);
}

SEC("xdp") int host(struct xdp_md *x)
{
    const gate_config *c = in_force();
    const rocecc_where *f = found();
    rocecc_ip6 src = {{0}};
    int status;
    if (c == NULL || f == NULL) return XDP_ABORTED;
    if (locate(x, &c->domain) != ROCECC_OK)
        return count(crosses(x, &c->domain) == ROCECC_BORDER_UNSEEN ? GATE_UNSEEN
                                                                    : GATE_OTHER);
    if (!is_cnp(x, &c->domain)) return count(GATE_OTHER);
    status = option(x, &c->domain);
    if (status == ROCECC_NO_MATCH) return count(GATE_ORDINARY);
    if (!c->enabled) return count(GATE_DISABLED);
    if (status == ROCECC_OK) status = cnp(x, &c->domain, &src);
    if (status == ROCECC_ERR_UNSUPPORTED) return count(GATE_UNSUPPORTED);
    if (status != ROCECC_OK) return count(GATE_MALFORMED);
    if (!permitted(c, &src)) return count(GATE_ACCESS);
    if (limited(c)) return count(GATE_LIMITED);
    return count(GATE_FAST);
}
