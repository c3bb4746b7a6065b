/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_BASE_H
#define ROCECC_BASE_H

/*
 * base.h - what every header of rocecc stands on: types, linkage, status.
 *
 *     status = rocecc_bth_parse(&r, &bth);
 *     12 bytes left     OK: bth is filled, r.at has grown by 12
 *     11 bytes left     ERR_SHORT: r and bth are as they were
 *
 * A host may set these macros before the first include. None changes a layout.
 *   ROCECC_TYPES_H   a header that brings these names, and may bring more, for hosts
 *                    without the standard ones (a kernel):
 *                        int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
 *                        uintptr_t size_t bool true false NULL offsetof
 *                        UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX SIZE_MAX
 *                        UINT32_C UINT64_C
 *   ROCECC_FN        how functions are linked, e.g. a DPDK __rte_always_inline
 *   ROCECC_INLINE    how the cursor and the walk are linked
 *   ROCECC_PREFETCH  (p): a hint that the bytes at p are read soon
 *   ROCECC_DIV64     (n, d): how 64-bit numbers are divided; d is never 0. A kernel of
 *                    32 bits has its div64_u64, a target that cannot divide
 *                    rocecc_div64_by_mul, and includes fixed.h first
 *   ROCECC_SHORTCUTS whether functions have a shorter way for the packets that most
 *                    packets are: 1, or 0 for less code. Hosts with a C library have 1,
 *                    freestanding builds and BPF 0. No result depends on it
 */
#if defined(ROCECC_TYPES_H)
#include ROCECC_TYPES_H
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

/* A byte is promoted to int before it is shifted, so `byte << 24` needs 32 bits. */
typedef char rocecc_int_has_32_bits_[sizeof(int) >= 4 ? 1 : -1];

#define ROCECC_VERSION "0.2.0"
#define ROCECC_VERSION_NUM 0x000200 /* 0xMMmmpp */

#if defined(ROCECC_FN)
#define ROCECC_CHOSEN_FN_
#elif defined(__bpf__)
#define ROCECC_FN static inline __attribute__((always_inline))
#elif defined(__cplusplus)
#define ROCECC_FN inline /* a C++ inline function must not call static ones (ODR) */
#else
#define ROCECC_FN static inline
#endif

/*
 * How the cursor and the steps of the walk are linked: a compiler that outlines one of
 * them (gcc -Os every take()) has to keep the cursor in memory for it, and the code is
 * longer and slower. ROCECC_FN holds for these, too, where a host has chosen it.
 */
#if defined(ROCECC_INLINE)
/* the host chose */
#elif defined(ROCECC_CHOSEN_FN_) || !defined(__GNUC__)
#define ROCECC_INLINE ROCECC_FN
#else
#define ROCECC_INLINE ROCECC_FN __attribute__((always_inline))
#endif

#ifndef ROCECC_SHORTCUTS
#if defined(__bpf__)
#define ROCECC_SHORTCUTS 0
#else
#define ROCECC_SHORTCUTS __STDC_HOSTED__
#endif
#endif

#ifndef ROCECC_DIV64
#define ROCECC_DIV64(n, d) ((n) / (d))
#endif

/* A condition that seldom holds: compilers lay what follows it aside. */
#if defined(__GNUC__) && !defined(__FRAMAC__)
#define ROCECC_UNLIKELY_(condition) (__builtin_expect((condition), 0) != 0)
#else
#define ROCECC_UNLIKELY_(condition) (condition)
#endif

/* A hint that what p points to is read soon; a host may have its own, or none. */
#if defined(ROCECC_PREFETCH)
/* the host chose */
#elif defined(__GNUC__) && !defined(__bpf__) && !defined(__FRAMAC__)
#define ROCECC_PREFETCH(p) __builtin_prefetch(p)
#else
#define ROCECC_PREFETCH(p) ((void)(p))
#endif

/*
 * Enumerations that structs hold in 8 bits. The first macro ends the definition, the
 * second is the type of a member:
 *
 *     typedef enum rocecc_ecn_ { ... } ROCECC_IN_8_BITS_(rocecc_ecn);
 *     ROCECC_ENUM8_(rocecc_ecn) ecn;
 *
 * gcc and clang pack the enumeration into 8 bits. They warn if a member gets an
 * enumerator of another enumeration (-Wenum-conversion, in gcc by -Wextra), and in C++
 * they refuse it. Elsewhere members are uint8_t, so that each struct has the same
 * layout everywhere. Under BPF an enumeration outside of structs remains an int: with
 * results of 8 bits the verifier of Linux 6.1 counts more than 1,000,000 instructions
 * where it counts 561,000. There clang's -Wconversion warns about members
 * (-Wno-implicit-int-conversion). A field of a packet whose value may be outside the
 * enumeration is a uint8_t for all compilers.
 */
#if defined(__bpf__)
#define ROCECC_IN_8_BITS_(name) name
#define ROCECC_ENUM8_(name) uint8_t
#elif defined(__GNUC__)
#define ROCECC_IN_8_BITS_(name) __attribute__((__packed__)) name
#define ROCECC_ENUM8_(name) name
#else
#define ROCECC_IN_8_BITS_(name)                                                        \
    name##_int_;                                                                       \
    typedef uint8_t name
#define ROCECC_ENUM8_(name) name
#endif

/*
 * Every function that can fail answers in this way. Unless the answer is OK, the
 * reader, the writer and the output of the call are as they were.
 */
typedef enum rocecc_status_ {
    ROCECC_OK = 0,
    ROCECC_END,             /* a walker has no further element */
    ROCECC_NO_MATCH,        /* well-formed, but not what was asked for */
    ROCECC_ERR_SHORT,       /* the capture ends inside: more bytes may cure it */
    ROCECC_ERR_FORMAT,      /* the bytes contradict the format: more cannot cure it */
    ROCECC_ERR_UNSUPPORTED, /* well-formed, but beyond a cap or version known here */
    ROCECC_ERR_RANGE,       /* a value does not fit its field, a parameter its bound */
    ROCECC_ERR_SPACE        /* the output is full */
} ROCECC_IN_8_BITS_(rocecc_status);

/*
 * The status of a record whose length a header declared: SHORT becomes FORMAT. Such a
 * record that ends too early contradicts that header, and more bytes cannot cure it.
 */
ROCECC_FN rocecc_status rocecc_status_declared(rocecc_status status)
{
    return status == ROCECC_ERR_SHORT ? ROCECC_ERR_FORMAT : status;
}

/*
 * ROCECC_MERGE_PATHS_ stands before "if (status == ROCECC_OK) *out = ...; return
 * status;" where a status is set in many places. gcc follows each of them into the
 * caller, loses some, and warns there of an output without a value. After the empty asm
 * one path is left. ROCECC_ASSUME_WRITTEN_ is for a function that fills *out in place,
 * since a copy would take too much stack: gcc then has to assume that *out was written.
 * Neither is code.
 */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__FRAMAC__)
#define ROCECC_MERGE_PATHS_(status) __asm__("" : "+r"(status))
#define ROCECC_ASSUME_WRITTEN_(out) __asm__("" : : "r"(out) : "memory")
#else
#define ROCECC_MERGE_PATHS_(status) ((void)0)
#define ROCECC_ASSUME_WRITTEN_(out) ((void)0)
#endif

/* The initial value that is all 0, of any type: rocecc_domain d = ROCECC_ZERO; */
#if defined(__cplusplus)
#define ROCECC_ZERO                                                                    \
    {                                                                                  \
    }
#else
#define ROCECC_ZERO                                                                    \
    {                                                                                  \
        0                                                                              \
    }
#endif

/*
 * A cursor's base (bytes.h) is never NULL: reader_of() and writer_of() see to that, but
 * the compiler cannot. With this it knows that take() returns NULL for one reason only,
 * and drops the other test.
 */
#if defined(__GNUC__) && !defined(__FRAMAC__)
#define ROCECC_NOT_NULL_(p) ((p) != NULL ? (void)0 : __builtin_unreachable())
#else
#define ROCECC_NOT_NULL_(p) ((void)(p))
#endif

/*
 * The kernel's verifier learns the bounds of a number from a comparison or a mask, and
 * for the register in which it saw the number. Compilers work against that: they drop a
 * mask that cannot change the value, compare one copy and use another, or fetch the
 * number from the stack again. Kernels before 6.9 forget the bounds of what goes
 * through the stack, or through an XOR.
 *
 *   ROCECC_BPF_KEEP_(x)        the compiler takes x for a new number: what is compared
 *                              next is what is used next
 *   ROCECC_BPF_PART_(x)        the verifier, too, takes x for a new number: what it
 *                              learns of x it does not learn of the copies of x, which
 *                              leaves it fewer states
 *   ROCECC_BPF_MASK_(x, mask)  x &= mask, by an instruction that no compiler drops; x
 *                              has no other bits, so that its value does not change
 *
 * x is a size_t or a pointer. On hosts these do nothing: what is proved is what ships.
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
