/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-slevel 60 */
#define PROVE_BYTES 64
#include "law/admission.h"
#include "prove.h"

#define CELLS 16

/*
 * Runs begin() and finish() with any accepted parameters and any buckets. begin() gets
 * any list, without and with an index, and also no list.
 */
void main(void)
{
    static rocecc_admission_params p;
    static rocecc_admission s;
    static rocecc_admission_source sources[2];
    static rocecc_acl_entry entries[2];
    static rocecc_aclindex_cell cells[CELLS];
    rocecc_acl acl = {NULL, 0, 0};
    rocecc_aclindex index;
    rocecc_admission_event e = {0, NULL, NULL, sources, 0};
    rocecc_acl_result listed;
    static rocecc_ip6 source;
    (void)law_admission_run(prove_reader());
    (void)rocecc_admission_for((uint16_t)prove_any(), (uint32_t)prove_any());
    Frama_C_make_unknown((char *)&p, sizeof p);
    p.unlimited = Frama_C_interval(0, 1) != 0;
    Frama_C_make_unknown((char *)entries, sizeof entries);
    Frama_C_make_unknown((char *)cells, sizeof cells);
    Frama_C_make_unknown((char *)&source, sizeof source);
    acl.entries = entries;
    acl.n = (uint32_t)Frama_C_interval(0, 2);
    acl.half = (uint32_t)prove_any();
    if (rocecc_admission_init(&p, &acl) != ROCECC_ADMISSION_ACCEPTED) return;
    s = rocecc_admission_start(&p, prove_any());
    sources[0] = rocecc_admission_source_start(&p, prove_any());
    Frama_C_make_unknown((char *)&s, sizeof s);
    Frama_C_make_unknown((char *)sources, sizeof sources);
    index = rocecc_aclindex_attach(&acl, cells, (uint32_t)Frama_C_interval(0, CELLS));
    e.now_ns = prove_any();
    e.list = &acl;
    e.n_sources = (uint32_t)Frama_C_interval(0, 2);
    (void)rocecc_admission_begin(&p, &s, &e, &source, &listed);
    e.index = &index;
    (void)rocecc_admission_begin(&p, &s, &e, &source, &listed);
    e.index = NULL;
    e.list = NULL;
    (void)rocecc_admission_begin(&p, &s, &e, &source, &listed);
    (void)rocecc_admission_finish(&p, &s, &e, (uint32_t)prove_any());
}
