/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROCECC_H
#define ROCECC_ROCECC_H

/* rocecc.h - everything, in order. */
#include "base.h"
#include "net.h"
#include "bytes.h"
#include "fixed.h"
#include "wire/ether.h"
#include "wire/ip.h"
#include "wire/icmp6.h"
#include "wire/udp.h"
#include "wire/tcp.h"
#include "wire/grh.h"
#include "wire/ip6opt.h"
#include "wire/ioam.h"
#include "wire/bth.h"
#include "wire/frame.h"
#include "wire/srv6.h"
#include "wire/ext.h"
#include "wire/icrc.h"
#include "wire/cnp.h"
#include "wire/fastcnp.h"
#include "wire/lsn.h"
#include "algo/ecntunnel.h"
#include "algo/tokenbucket.h"
#include "algo/acl.h"
#include "algo/cnpgate.h"
#include "algo/wred.h"
#include "algo/dcqcn.h"
#include "algo/hop.h"
#include "algo/hpcc.h"
#include "algo/ldcp.h"

#endif /* ROCECC_ROCECC_H */
