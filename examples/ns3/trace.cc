/* SPDX-License-Identifier: BSD-2-Clause */

/* trace.cc - connects the trace sources of hosts and their ports. */
#include "trace.h"

#include "ns3/simulator.h"

namespace roce
{

using namespace ns3;

Trace::Trace(const Fabric &fabric, std::ostream &out) : m_net(fabric.Net()), m_out(out)
{
    for (uint32_t i = 0; i < fabric.Hosts(); i++) {
        fabric.PortTo(i)->Peer()->TraceConnectWithoutContext(
            "PhyTxBegin", MakeCallback(&Trace::Sends, this).Bind(i));
        fabric.HostAt(i)->TraceConnectWithoutContext(
            "Rate", MakeCallback(&Trace::Changes, this).Bind(i));
    }
}

void Trace::Sends(uint32_t host, Ptr<const Packet> packet)
{
    Frame f(*m_net);
    f.Load(packet, kHeadBytes);
    if (f.IsData())
        m_out << Simulator::Now().GetPicoSeconds() << "\tsend\t" << host << '\t'
              << WireBytes(packet->GetSize()) << '\n';
}

void Trace::Changes(uint32_t host, uint32_t flow, uint64_t rateBps,
                    uint64_t windowBytes)
{
    m_out << Simulator::Now().GetPicoSeconds() << "\trate\t" << host << '\t' << rateBps
          << '\t' << windowBytes << '\t' << flow << '\n';
}

} // namespace roce
