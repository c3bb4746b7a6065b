/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_BASE_H
#define ROCECC_BASE_H

/*
 * base.h - types, linkage and status codes for every header of rocecc.
 *
 *     status = rocecc_bth_parse(&r, &bth);
 *     12 bytes left     OK: bth is filled, and r.at has grown by 12
 *     11 bytes left     ERR_SHORT: r and bth are unchanged
 *
 * A host may define these macros before the first include. None changes a layout.
 *   ROCECC_TYPES_H   a header for hosts without the standard headers (a kernel). It
 *                    must define at least these names:
 *                        int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
 *                        uintptr_t size_t bool true false NULL offsetof
 *                        UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX SIZE_MAX
 *                        UINT32_C UINT64_C
 *   ROCECC_FN        linkage of functions, for example DPDK's __rte_always_inline
 *   ROCECC_INLINE    linkage of the cursor and the walk
 *   ROCECC_PREFETCH  (p) is a hint that the bytes at p will soon be read.
 *   ROCECC_DIV64     (n, d) divides 64-bit numbers. d is never 0. A 32-bit kernel can
 *                    use its div64_u64. A target that cannot divide can use
 *                    rocecc_div64_by_mul, and must then include fixed.h before the
 *                    other headers.
 *   ROCECC_SHORTCUTS 1 if functions have a faster path for the most common packets, 0
 *                    for less code. The default is 1 for hosts with a C library, and 0
 *                    for freestanding builds and BPF. No result depends on it.
 */
#if defined(ROCECC_TYPES_H)
#include ROCECC_TYPES_H
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

/*
 * A byte is promoted to int before it is shifted, so `byte << 24` needs an int of 32
 * bits.
 */
typedef char rocecc_int_has_32_bits_[sizeof(int) >= 4 ? 1 : -1];

#define ROCECC_VERSION "0.2.0"
#define ROCECC_VERSION_NUM 0x000200 /* 0xMMmmpp */

#if defined(ROCECC_FN)
#define ROCECC_CHOSEN_FN_
#elif defined(__bpf__)
#define ROCECC_FN static inline __attribute__((always_inline))
#elif defined(__cplusplus)
#define ROCECC_FN inline /* C++ inline functions must not call static ones (ODR) */
#else
#define ROCECC_FN static inline
#endif

/*
 * Linkage of the cursor and the steps of the walk. A compiler that does not inline
 * these functions (gcc -Os outlines every take()) must keep the cursor in memory for
 * them. This makes the code longer and slower. A ROCECC_FN of the host applies here,
 * too.
 */
#if defined(ROCECC_INLINE)
/* defined by the host */
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

/* A condition that is rarely true. Compilers move its code out of the common path. */
#if defined(__GNUC__) && !defined(__FRAMAC__)
#define ROCECC_UNLIKELY_(condition) (__builtin_expect((condition), 0) != 0)
#else
#define ROCECC_UNLIKELY_(condition) (condition)
#endif

/*
 * A hint that the bytes at p will soon be read. A host may define its own, or an empty
 * one.
 */
#if defined(ROCECC_PREFETCH)
/* defined by the host */
#elif defined(__GNUC__) && !defined(__bpf__) && !defined(__FRAMAC__)
#define ROCECC_PREFETCH(p) __builtin_prefetch(p)
#else
#define ROCECC_PREFETCH(p) ((void)(p))
#endif

/*
 * Macros for enumerations that structs hold in 8 bits. The first macro ends the
 * definition, and the second is the type of a member.
 *
 *     typedef enum rocecc_ecn_ { ... } ROCECC_IN_8_BITS_(rocecc_ecn);
 *     ROCECC_ENUM8_(rocecc_ecn) ecn;
 *
 * gcc and clang pack the enumeration into 8 bits. They warn if a member is set to an
 * enumerator of another enumeration (-Wenum-conversion, which -Wextra enables in gcc),
 * and in C++ they reject this. With other compilers a member is a uint8_t, so each
 * struct has the same layout everywhere. Under BPF an enumeration outside of structs
 * remains an int, because with 8-bit results the verifier of Linux 6.1 counts more than
 * 1,000,000 instructions instead of 561,000. There clang's -Wconversion warns about
 * members unless -Wno-implicit-int-conversion is set. A packet field that may have a
 * value outside the enumeration is a uint8_t for all compilers.
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
 * Status of a call that can fail. If it is not OK, the reader, the writer and the
 * output are unchanged, unless the function's comment says otherwise.
 */
typedef enum rocecc_status_ {
    ROCECC_OK = 0,
    ROCECC_END,             /* a walker has no more elements */
    ROCECC_NO_MATCH,        /* well-formed, but not what was asked for */
    ROCECC_ERR_SHORT,       /* the capture ends too early; more bytes may help */
    ROCECC_ERR_FORMAT,      /* the bytes violate the format; more cannot help */
    ROCECC_ERR_UNSUPPORTED, /* above a limit, or a version or form not known here */
    ROCECC_ERR_RANGE,       /* a value does not fit its field, or is out of bounds */
    ROCECC_ERR_SPACE        /* the output is full */
} ROCECC_IN_8_BITS_(rocecc_status);

/*
 * Returns the status of a record whose length a header declares, with FORMAT instead of
 * SHORT. Such a record that ends too early contradicts its header, and more bytes
 * cannot help.
 */
ROCECC_FN rocecc_status rocecc_status_declared(rocecc_status status)
{
    return status == ROCECC_ERR_SHORT ? ROCECC_ERR_FORMAT : status;
}

/*
 * ROCECC_MERGE_PATHS_ belongs before "if (status == ROCECC_OK) *out = ...; return
 * status;" in a function that sets the status in many places. Otherwise gcc follows
 * each path into the caller, loses track of some, and warns of an uninitialised output.
 * The empty asm merges the paths. ROCECC_ASSUME_WRITTEN_ is for a function that fills
 * *out in place because a copy would take too much stack. gcc then assumes that *out
 * was written. Neither macro generates code.
 */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__FRAMAC__)
#define ROCECC_MERGE_PATHS_(status) __asm__("" : "+r"(status))
#define ROCECC_ASSUME_WRITTEN_(out) __asm__("" : : "r"(out) : "memory")
#else
#define ROCECC_MERGE_PATHS_(status) ((void)0)
#define ROCECC_ASSUME_WRITTEN_(out) ((void)0)
#endif

/* An all-zero initial value for any type: rocecc_domain d = ROCECC_ZERO; */
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
 * Tells the compiler that p is not NULL. reader_of() and writer_of() ensure this for a
 * cursor's base (bytes.h), but the compiler cannot see it. With this macro it knows
 * that take() returns NULL for only one reason, and drops the other test.
 */
#if defined(__GNUC__) && !defined(__FRAMAC__)
#define ROCECC_NOT_NULL_(p) ((p) != NULL ? (void)0 : __builtin_unreachable())
#else
#define ROCECC_NOT_NULL_(p) ((void)(p))
#endif

/*
 * The kernel's verifier learns the bounds of a number from a comparison or a mask, but
 * only for the register in which it saw the number. Compilers work against this. They
 * drop a mask that cannot change the value, compare one copy and use another, or load
 * the number from the stack again. Kernels before 6.9 forget the bounds of a number
 * that goes through the stack or through an XOR.
 *
 *   ROCECC_BPF_KEEP_(x)        The compiler treats x as a new number, so the copy that
 *                              is compared next is the copy that is used next.
 *   ROCECC_BPF_PART_(x)        The verifier, too, treats x as a new number. It does not
 *                              apply new bounds of x to copies of x, so it has fewer
 *                              states.
 *   ROCECC_BPF_MASK_(x, mask)  x &= mask, by an instruction that no compiler drops. x
 *                              must have no other bits, so its value does not change.
 *
 * x must be a size_t, a uint64_t or a pointer. On hosts these macros do nothing, so the
 * proved code is the shipped code.
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
