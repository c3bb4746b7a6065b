/* SPDX-License-Identifier: BSD-2-Clause */

/* Builds a trace at the source, and parses and writes a Direct Export option. */
#include "bpf.h"
#include "rocecc/wire/ioamdex.h"

rocecc_ioam_source source; /* in a map */
rocecc_ioam_node newer, older;

__attribute__((noinline)) int build(struct xdp_md *x)
{
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    uint8_t routers = 0;
    if (rocecc_ioam_node_gap(&newer, &older, &routers) != ROCECC_OK) return routers;
    if (rocecc_ioam_build_bytes(&source) > 256) return 0;
    return (int)rocecc_ioam_build(&w, &source) + rocecc_ioam_source_fits(&source);
}

__attribute__((noinline)) int option(struct xdp_md *x)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_ioam_option o = {0, ROCECC_IOAM_DIRECT_EXPORT, r};
    rocecc_ioam_dex h;
    o.data = rocecc_subrange(r, 60, 100);
    if (rocecc_ioam_dex_parse(&o, &h) != ROCECC_OK) return 0;
    return (int)rocecc_ioam_dex_emit(&w, &h) +
           (int)rocecc_ioam_option_emit(&w, ROCECC_IOAM_OPTION_FIXED, &o);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return build(x) + option(x);
}
