/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_NS3_TRACE_H
#define EXAMPLES_NS3_TRACE_H

/* trace.h - a trace of the hosts' data, and of their flows' rates and windows. */
#include "fabric.h"

#include <ostream>

namespace roce
{

class Trace
{
  public:
    /*
     * Writes a line per event, in the order of events. Its columns are time_ps, send,
     * host, bytes on the wire, or time_ps, rate, host, bit/s (0 for no pacing), window
     * in bytes, flow.
     */
    Trace(const Fabric &fabric, std::ostream &out);

  private:
    void Sends(uint32_t host, ns3::Ptr<const ns3::Packet> packet);
    void Changes(uint32_t host, uint32_t flow, uint64_t rateBps, uint64_t windowBytes);

    std::shared_ptr<const Network> m_net;
    std::ostream &m_out;
};

} // namespace roce

#endif
