/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_NS3_LOAD_H
#define EXAMPLES_NS3_LOAD_H

/* load.h - which flows there are. */
#include "fabric.h"

namespace roce
{

/* One of each host but the last, to the last; within a microsecond. */
std::vector<Flow> Incast(const Fabric &fabric, uint64_t bytes);

/*
 * Those of a file, in lines of: start in us, sender, receiver (0: the last host),
 * bytes, as cclab reads them. Ends the program if it makes no sense.
 */
std::vector<Flow> Listed(const Fabric &fabric, const std::string &file);

/*
 * Poisson arrivals between random pairs, with sizes of the web search workload, so that
 * payload takes this percentage of each host's link on average.
 */
std::vector<Flow> WebSearch(const Fabric &fabric, uint64_t rateBps, double percent,
                            ns3::Time duration);

} // namespace roce

#endif
