/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_BPF_PACKET_H
#define TESTS_BPF_PACKET_H

/*
 * packet.h - finds the packet like BPF_LAW(), for a program with several functions.
 * Each function finds it again, because no pointer to it can be passed on.
 */
static __attribute__((always_inline)) rocecc_reader packet(const struct xdp_md *x)
{
    return rocecc_reader_of((const uint8_t *)(long)x->data + 14,
                            (const uint8_t *)(long)x->data_end);
}

static __attribute__((always_inline)) bool is_empty(const struct xdp_md *x)
{
    return (const uint8_t *)(long)x->data + 14 > (const uint8_t *)(long)x->data_end;
}

#endif /* TESTS_BPF_PACKET_H */
