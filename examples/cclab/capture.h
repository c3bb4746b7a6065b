/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_CCLAB_CAPTURE_H
#define EXAMPLES_CCLAB_CAPTURE_H

/*
 * capture.h - the frames of a run as pcapng (draft-ietf-opsawg-pcapng), little-endian.
 *
 *   section      the comment is the domain as a file (vectors/README)
 *   interface    one per link: its two ends (host3-switch0), its speed at the start, ns
 *   packet       a frame as it goes onto a link, without its payload. It is outbound if
 *                the end named first sends it, and inbound if the other end does.
 */
#include <stdio.h>

#include "lab.h"

/* Writes the head of a capture. From now on the run writes each frame. After a failed
 * write it writes none. The caller must check ferror(f). */
void lab_capture_start(lab *l, FILE *f);

/* Writes what all nodes have agreed on as the file of a domain. */
void lab_capture_domain(FILE *f);

#endif /* EXAMPLES_CCLAB_CAPTURE_H */
