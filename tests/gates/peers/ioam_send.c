/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ioam_send.c - "ioam_send NAMESPACE TRACE_TYPE WORDS" writes, in hex, the Hop-by-Hop
 * Options header before UDP with an empty pre-allocated trace of so much free space.
 */
#include <stdio.h>
#include <stdlib.h>

#include "rocecc/wire/ioam.h"

int main(int argc, char **argv)
{
    rocecc_ioam_source s = {ROCECC_PROTO_UDP, ROCECC_IOAM_PREALLOCATED, 0, 0, 0, 0};
    uint8_t bytes[264];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    size_t i;
    if (argc != 4) return fputs("ioam_send NAMESPACE TRACE_TYPE WORDS\n", stderr), 2;
    s.namespace_id = (uint16_t)strtoul(argv[1], NULL, 0);
    s.trace_type = (uint32_t)strtoul(argv[2], NULL, 0);
    s.words = (uint8_t)strtoul(argv[3], NULL, 0);
    if (rocecc_ioam_build(&w, &s) != ROCECC_OK)
        return fputs("ioam_send: there is no such trace\n", stderr), 1;
    for (i = 0; i < w.at; i++)
        printf("%02x", bytes[i]);
    putchar('\n');
    return 0;
}
