/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_CAPTURE_H
#define ROCEDUMP_CAPTURE_H

/* capture.h - what capture.c, which reads captures, is made of. */
#include "decode.h"
#include "pcapng.h"

/* capture.c: a pcap or pcapng file, or - for standard input. */
bool capture_read(input *in, const char *path);

/* gz.c: what a gzip file has inside; closing it closes raw, too. NULL: no memory. */
FILE *gz_open(FILE *raw);

/*
 * bpf.c: a filter expression, compiled once for each link type that a file has. False,
 * with a message: libpcap does not take it.
 */
bool bpf_ready(const char *expression, uint32_t link);

/* Whether a frame passes; bpf_ready() has been true for its link type. */
bool bpf_passes(const captured *frame);

#endif /* ROCEDUMP_CAPTURE_H */
