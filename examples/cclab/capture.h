/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_CCLAB_CAPTURE_H
#define EXAMPLES_CCLAB_CAPTURE_H

/*
 * capture.h - writes the frames of a run as little-endian pcapng
 * (draft-ietf-opsawg-pcapng).
 *
 *   section      its comment is the domain as a file (vectors/README)
 *   interface    one per link, with its ends (host3-switch0), initial rate, times in ns
 *   packet       a frame as it enters a link, without its payload. It is outbound if
 *                the end named first sends it, and inbound if the other end does.
 */
#include <stdio.h>

#include "lab.h"

/* Writes the section and the interfaces. From then on the run writes each frame, until
 * a write fails. The caller must check ferror(f). */
void lab_capture_start(lab *l, FILE *f);

/* Returns errno of a write that failed since then, or 0. */
int lab_capture_error(void);

#endif /* EXAMPLES_CCLAB_CAPTURE_H */
