/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_BASE_H
#define ROCECC_BASE_H

/*
 * base.h - what every header of rocecc stands on: types, linkage, status.
 *
 * Two macros may be set before the first include, and none changes a layout:
 *   ROCECC_TYPES_H  a header that brings uintN_t, size_t, bool, NULL, SIZE_MAX,
 *                   for hosts without the standard ones ("vmlinux.h", a kernel)
 *   ROCECC_FN       how functions are linked, e.g. a DPDK __rte_always_inline
 */
#if defined(ROCECC_TYPES_H)
#include ROCECC_TYPES_H
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

#define ROCECC_VERSION "0.2.0"
#define ROCECC_VERSION_NUM 0x000200 /* 0xMMmmpp */

#if defined(ROCECC_FN)
/* the host chose */
#elif defined(__bpf__)
#define ROCECC_FN static inline __attribute__((always_inline))
#elif defined(__cplusplus)
#define ROCECC_FN inline /* a C++ inline function must not call static ones (ODR) */
#else
#define ROCECC_FN static inline
#endif

/*
 * The one shape of an answer. Unless it is OK, the reader, the writer and the
 * output of the call are as they were.
 */
typedef enum rocecc_status {
    ROCECC_OK = 0,
    ROCECC_END,             /* a walker has no further element */
    ROCECC_NO_MATCH,        /* well-formed, but not what was asked for */
    ROCECC_ERR_SHORT,       /* the capture ends inside: more bytes may cure it */
    ROCECC_ERR_FORMAT,      /* the bytes contradict the format: more cannot cure it */
    ROCECC_ERR_UNSUPPORTED, /* well-formed, but beyond a cap or version known here */
    ROCECC_ERR_RANGE,       /* a value does not fit its field, a parameter its bound */
    ROCECC_ERR_SPACE        /* the output is full */
} rocecc_status;

/*
 * The status of a record whose length a header declared: there, a record that
 * ends too early contradicts that header, and more bytes would not cure it.
 */
ROCECC_FN rocecc_status rocecc_declared(rocecc_status status)
{
    return status == ROCECC_ERR_SHORT ? ROCECC_ERR_FORMAT : status;
}

/*
 * Before "if (status == ROCECC_OK) *out = ...; return status;" where a status has come
 * by many ways: gcc, which follows each of them into the caller, loses some, and warns
 * there of an output without a value. Past the empty asm there is one way. No code.
 * ROCECC_PASSED_, where a copy would be too much stack: past it *out may have been
 * written, for all that gcc knows.
 */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__FRAMAC__)
#define ROCECC_SETTLED_(status) __asm__("" : "+r"(status))
#define ROCECC_PASSED_(out) __asm__("" : : "r"(out) : "memory")
#else
#define ROCECC_SETTLED_(status) ((void)0)
#define ROCECC_PASSED_(out) ((void)0)
#endif

/* The initial value that is all 0, of any type: rocecc_domain d = ROCECC_ZERO; */
#if defined(__cplusplus)
#define ROCECC_ZERO {}
#else
#define ROCECC_ZERO {0}
#endif

/*
 * What a kernel's verifier forgets. It knows the bounds of a number by the comparison
 * or the mask that it saw, in the register where it saw it. A compiler knows better: it
 * drops a mask that cannot change the value, compares one copy and uses another, or
 * fetches the number from the stack again; and kernels before 6.9 forget there what
 * they had learned of it, as they do at an XOR.
 *
 *   ROCECC_BPF_KEEP_(x)        after this, the compiler takes x for another number:
 *                              what is compared next is what is used next
 *   ROCECC_BPF_PART_(x)        the verifier, too, takes x for another number: what it
 *                              learns of it, it does not learn of the copies of x, so
 *                              that its states are fewer
 *   ROCECC_BPF_MASK_(x, mask)  x &= mask, by an instruction that no compiler drops.
 *                              x has no bit beside those of mask: it changes nothing
 *
 * x is a size_t or a pointer. On hosts there is nothing to do,
 * and nothing is done: the code that is proved is the code that ships.
 */
#if defined(__bpf__)
#define ROCECC_BPF_KEEP_(x) __asm__ volatile("" : "+r"(x))
#define ROCECC_BPF_PART_(x) __asm__ volatile("%0 |= 0" : "+r"(x))
#define ROCECC_BPF_MASK_(x, mask) __asm__ volatile("%0 &= %1" : "+r"(x) : "i"(mask))
#else
#define ROCECC_BPF_KEEP_(x) ((void)0)
#define ROCECC_BPF_PART_(x) ((void)0)
#define ROCECC_BPF_MASK_(x, mask) ((void)0)
#endif

#endif /* ROCECC_BASE_H */
