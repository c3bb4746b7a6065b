/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROCECC_H
#define ROCECC_ROCECC_H

/* rocecc.h - everything, in order. */
#include "base.h"
#include "net.h"
#include "bytes.h"
#include "wire/ip6opt.h"
#include "wire/bth.h"

#endif /* ROCECC_ROCECC_H */
