/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_SKIP_H
#define ROCECC_WIRE_SKIP_H

/*
 * skip.h - the length of IFA and INT data, for a walk that steps over this data. ifa.h
 * and intmd.h read the data.
 *
 *   IFA 2.0   after IP   4 bytes; after UDP   4, 4 if C, 4 if MF, the stack
 *   INT-MD    after UDP  4 bytes and Length words
 *
 *     ff00fe08      IFA metadata without C and MF: 4 bytes + 8 words = 36 bytes
 *     140f12b7      an INT shim: 4 bytes + 15 words = 64 bytes
 */
#include "../bytes.h"

#define ROCECC_IFA_VERSION 2u
#define ROCECC_IFA_HEADER_BYTES 4
#define ROCECC_IFA_METADATA_BYTES 4
#define ROCECC_IFA_CHECKSUM_BYTES 4
#define ROCECC_IFA_FRAGMENT_BYTES 4

/* Flags in the IFA header. The three high bits are reserved. */
#define ROCECC_IFA_FLAG_MF 0x10u /* a fragment header is present */
#define ROCECC_IFA_FLAG_TS 0x08u /* the stack follows the payload */
#define ROCECC_IFA_FLAG_I 0x04u  /* a live packet; clear: a clone or a probe */
#define ROCECC_IFA_FLAG_TA 0x02u /* turn around at the zone's end */
#define ROCECC_IFA_FLAG_C 0x01u  /* a checksum header is present */

/*
 * Returns the number of bytes from the metadata header through the stack, at most
 * 1,032. The number is 4 + 4 * current_length, plus 4 for each of the flags C and MF
 * that is set. current_length is the last byte of the metadata header.
 */
ROCECC_FN size_t rocecc_ifa_stack_bytes(uint8_t flags, uint8_t current_length)
{
    size_t bytes = ROCECC_IFA_METADATA_BYTES + (size_t)current_length * 4;
    if ((flags & ROCECC_IFA_FLAG_C) != 0) bytes += ROCECC_IFA_CHECKSUM_BYTES;
    if ((flags & ROCECC_IFA_FLAG_MF) != 0) bytes += ROCECC_IFA_FRAGMENT_BYTES;
    return bytes;
}

#define ROCECC_INTMD_SHIM_BYTES 4

/* Type of the data after a shim. */
typedef enum rocecc_intmd_type {
    ROCECC_INTMD_TYPE_MD = 1,
    ROCECC_INTMD_TYPE_DESTINATION = 2, /* no document describes the content */
    ROCECC_INTMD_TYPE_MX = 3           /* only instructions (rocecc_intmd_header) */
} rocecc_intmd_type;

/*
 * NPT (Next Protocol Type), the kind of mark that indicates INT. NPT determines the
 * content of the shim's last 16 bits.
 */
typedef enum rocecc_intmd_npt {
    /* DSCP or probe marker: 8 reserved bits, 6 bits of DSCP, 2 reserved bits */
    ROCECC_INTMD_NPT_NONE = 0,
    ROCECC_INTMD_NPT_PORT = 1, /* UDP port: the original destination port */
    /* new UDP header: 8 reserved bits, 8 bits of IP protocol */
    ROCECC_INTMD_NPT_NEW_UDP = 2
} rocecc_intmd_npt;

#endif /* ROCECC_WIRE_SKIP_H */
