/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_NS3_LOAD_H
#define EXAMPLES_NS3_LOAD_H

/* load.h - the flows of a run. */
#include "fabric.h"

namespace roce
{

/* Returns a flow from each other host to the last host. They start within 1 us. */
std::vector<Flow> Incast(const Fabric &fabric, uint64_t bytes);

/*
 * Returns the flows in a file with lines of start in us, sender, receiver (0: the last
 * host) and bytes, as in cclab. But starts are whole us, and no flow is endless. Ends
 * the program if the file is invalid.
 */
std::vector<Flow> Listed(const Fabric &fabric, const std::string &file);

/*
 * Returns Poisson arrivals between random pairs, with sizes of the web search workload.
 * Payload takes this percentage of each host's link on average.
 */
std::vector<Flow> WebSearch(const Fabric &fabric, uint64_t rateBps, double percent,
                            ns3::Time duration);

} // namespace roce

#endif
