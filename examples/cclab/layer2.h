/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_CCLAB_LAYER2_H
#define EXAMPLES_CCLAB_LAYER2_H

/*
 * layer2.h - the state of a ToR under l3qcn. A program may read its counts, or change
 * its configuration between lab_new() and lab_run().
 */
#include "lab.h"

#define LAB_TOR_BUCKETS 1024 /* with 8 flows each */

typedef struct lab_tor {
    rocecc_l3qcn_tor_config c;
    rocecc_l3qcn_tor s;
    rocecc_l3qcn_tor_gate gate[LAB_TOR_BUCKETS * ROCECC_FLOWTABLE_WAYS];
    rocecc_flowtable_bucket bucket[LAB_TOR_BUCKETS];
    rocecc_flowtable_slot slot[LAB_TOR_BUCKETS * ROCECC_FLOWTABLE_WAYS];
    rocecc_flowtable_memory memory;
} lab_tor;

/* Returns the state of a ToR if l3qcn is a part of the run, or NULL. */
lab_tor *lab_tor_of(const lab *l, const lab_node *node);

#endif /* EXAMPLES_CCLAB_LAYER2_H */
