/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SOFTROCE_BPF_H
#define SOFTROCE_BPF_H

/*
 * bpf.h - the parts that sender.c and receiver.c share. One object file of each loads
 * on the kernels 6.1 to 6.18, if it is built like this:
 *
 *   clang-19 -target bpf -mcpu=v3 -Os -g -ffreestanding -Iinclude
 *       -I/usr/include/$(gcc -print-multiarch) -c sender.c -o sender.o
 *
 * As in examples/xdp, functions are global and not inlined, so that the verifier checks
 * each of them once for any arguments. A per-CPU map holds the result of the header
 * walk, and each function makes a packet from it again.
 */
#include "softroce.h"

#include <bpf/bpf_helpers.h>

#define GLOBAL __attribute__((noinline))
#define MAP(name, kind, of_key, of, n)                                                 \
    struct {                                                                           \
        __uint(type, kind);                                                            \
        __uint(max_entries, n);                                                        \
        __type(key, of_key);                                                           \
        __type(value, of);                                                             \
    } name SEC(".maps")

MAP(config, BPF_MAP_TYPE_ARRAY, uint32_t, softroce_config, 1);
MAP(qps, BPF_MAP_TYPE_HASH, uint32_t, uint32_t, SOFTROCE_FLOWS);
MAP(counts, BPF_MAP_TYPE_PERCPU_ARRAY, uint32_t, uint64_t, SOFTROCE_COUNTS);
MAP(where, BPF_MAP_TYPE_PERCPU_ARRAY, uint32_t, rocecc_headers, 1);
char softroce_license[] SEC("license") = "Dual BSD/GPL";

/* The only element of an array. In a per-CPU map, it is this CPU's element. */
#define ONE(map) bpf_map_lookup_elem(&(map), &(const uint32_t){0})

ROCECC_FN const softroce_config *configured(void)
{
    return ONE(config);
}

ROCECC_FN rocecc_headers *found(void)
{
    return ONE(where);
}

ROCECC_FN void count(uint32_t key)
{
    uint64_t *n = bpf_map_lookup_elem(&counts, &key);
    if (n != NULL) (*n)++;
}

/* The packet of a tc or XDP context. It is inlined like all of ROCECC_FN, because to
 * the verifier a function's result is a number, and not a packet. */
#define PACKET_BYTES(x)                                                                \
    rocecc_reader_of((void *)(long)(x)->data, (void *)(long)(x)->data_end)
#define PACKET(x, c, f) rocecc_packet_attach(&(c)->domain, PACKET_BYTES(x), f)

/* Returns true if a packet's IP protocol, or its first next header, is TCP. */
ROCECC_FN bool is_tcp(const struct __sk_buff *x)
{
    uint8_t proto = 0;
    const bool v6 = x->protocol == __builtin_bswap16(ROCECC_TYPE_IPV6);
    (void)bpf_skb_load_bytes(x, 14 + (v6 ? 6 : 9), &proto, 1);
    return proto == ROCECC_PROTO_TCP;
}

/*
 * Finds the headers of a packet for tc. tc sees only the linear part, so the whole
 * packet is pulled into it. TCP is refused, because its packets may have 64 KB.
 */
GLOBAL int locate(struct __sk_buff *x, const softroce_config *c)
{
    rocecc_headers *f = found();
    if (c == NULL || f == NULL || is_tcp(x)) return ROCECC_ERR_FORMAT;
    if (bpf_skb_pull_data(x, x->len) != 0) return ROCECC_ERR_FORMAT;
    return (int)rocecc_headers_parse(&c->domain, PACKET_BYTES(x), f);
}

/* Finds the headers of a packet for XDP. XDP has the whole packet. */
GLOBAL int locate_xdp(struct xdp_md *x, const softroce_config *c)
{
    rocecc_headers *f = found();
    if (c == NULL || f == NULL) return ROCECC_ERR_FORMAT;
    return (int)rocecc_headers_parse(&c->domain, PACKET_BYTES(x), f);
}

#endif /* SOFTROCE_BPF_H */
