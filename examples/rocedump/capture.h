/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_CAPTURE_H
#define ROCEDUMP_CAPTURE_H

/* capture.h - the parts of the capture reader. */
#include "decode.h"
#include "pcapng.h"

/* capture.c: reads a pcap or pcapng file, or standard input for -. */
bool capture_read(input *in, const char *path);

/*
 * gz.c: opens the contents of a gzip file. Returns NULL and a reason in *why on
 * failure. Closing the result also closes `raw`, unless it is standard input. `path` is
 * for messages, and must last.
 */
FILE *gz_open(FILE *raw, const char *path, const char **why);

/* Sets *why if the contents of a gzip file were damaged since gz_reset(). */
void gz_broken(const char **why);
void gz_reset(void);

/*
 * bpf.c: compiles the expression, once per link type. Returns false, with a message, on
 * an error or for a 17th link type.
 */
bool bpf_ready(const char *expression, uint32_t link);

/* Returns true if a frame passes. Requires bpf_ready() for its link type. */
bool bpf_passes(const captured *frame);

#endif /* ROCEDUMP_CAPTURE_H */
