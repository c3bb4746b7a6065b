/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIVE_MODULE_TYPES_H
#define TESTS_LIVE_MODULE_TYPES_H

/*
 * types.h - ROCECC_TYPES_H of a module of Linux: the kernel's headers, and limits that
 * have other names there.
 */
#include <linux/limits.h>
#include <linux/stddef.h>
#include <linux/types.h>

#define UINT8_MAX U8_MAX
#define UINT16_MAX U16_MAX
#define UINT32_MAX U32_MAX
#define UINT64_MAX U64_MAX
#define UINT32_C(x) x##U
#define UINT64_C(x) x##ULL

#endif /* TESTS_LIVE_MODULE_TYPES_H */
