/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_CCLAB_LAYER2_H
#define EXAMPLES_CCLAB_LAYER2_H

/*
 * layer2.h - what a switch that hosts are at keeps under l3qcn, for whoever looks at
 * what it counts or wants another configuration: after lab_new(), and before lab_run().
 */
#include "lab.h"

#define LAB_TOR_BUCKETS 1024 /* of 8 flows */

typedef struct lab_tor {
    rocecc_l3qcn_tor_config c;
    rocecc_l3qcn_tor s;
    rocecc_l3qcn_tor_gate gate[LAB_TOR_BUCKETS * ROCECC_FLOWTABLE_WAYS];
    rocecc_flowtable_bucket bucket[LAB_TOR_BUCKETS];
    rocecc_flowtable_slot slot[LAB_TOR_BUCKETS * ROCECC_FLOWTABLE_WAYS];
    rocecc_flowtable_memory memory;
} lab_tor;

/* NULL: the node is no such switch, or the scheme another. */
lab_tor *lab_tor_of(const lab *l, const lab_node *node);

#endif /* EXAMPLES_CCLAB_LAYER2_H */
