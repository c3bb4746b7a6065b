/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/tcp.h"
#include "lib/noun.h"

NOUN(tcp, parse, false, ROCECC_TCP_FIELDS);

static const noun_file file = {"tcp", law_tcp, &tcp_noun, 1, NULL, 0};

TEST(tcp_vectors)
{
    noun_vectors(&file);
}
