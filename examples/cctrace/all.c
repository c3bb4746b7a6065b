/* SPDX-License-Identifier: BSD-2-Clause */
#include "algo.h"

extern const algo algo_tokenbucket;

const algo *const algo_all[] = {&algo_tokenbucket, NULL};
