/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_ICRC_HOOK_H
#define TESTS_LIB_ICRC_HOOK_H

/* icrc_hook.h - library functions with a ROCECC_CRC32_UPDATE that counts its calls. */
#include "rocecc/packet/icrc.h"
#include "rocecc/wire/cnp.h"

rocecc_status icrc_hook_verify(rocecc_icrc_rule rule, const rocecc_packet *p,
                               rocecc_icrc *out);
rocecc_status icrc_hook_patch(uint32_t *icrc, rocecc_reader was, rocecc_reader is,
                              uint32_t after);
rocecc_status icrc_hook_cnp(rocecc_writer *w, const rocecc_cnp *h);
unsigned long icrc_hook_calls(void);

#endif /* TESTS_LIB_ICRC_HOOK_H */
