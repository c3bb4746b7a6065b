/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_NS3_FABRIC_H
#define EXAMPLES_NS3_FABRIC_H

/*
 * fabric.h - nodes, links and routes of a topology.
 *
 *   star       n hosts at one switch
 *   fat tree   k = 4: 16 hosts, 8 edge, 8 aggregation and 4 core switches, with equal
 *              links
 */
#include "host.h"
#include "switch.h"

namespace roce
{

class Fabric
{
  public:
    explicit Fabric(std::shared_ptr<const Network> net);
    void Star(uint32_t hosts);
    void FatTree(); /* k = 4 */

    std::shared_ptr<const Network> Net() const;
    uint32_t Hosts() const;
    ns3::Ptr<Host> HostAt(uint32_t i) const;
    Station StationAt(uint32_t host) const;
    void Add(const Flow &flow);
    uint64_t Got(const Flow &flow) const;
    /* Returns the number of links between two hosts. */
    uint32_t Links(uint32_t from, uint32_t to) const;
    /* Returns the switch's port to a host that is connected to it. */
    ns3::Ptr<Port> PortTo(uint32_t host) const;

    std::vector<ns3::Ptr<Port>> ports; /* all */
    std::vector<ns3::Ptr<Switch>> switches;

  private:
    struct Vertex {
        ns3::Ptr<ns3::Node> node;
        Station station;
        std::vector<ns3::Ptr<Port>> ports;
        std::vector<uint32_t> peers; /* vertices, in the order of ports */
    };
    void AddHost();
    uint32_t AddSwitch();
    ns3::Ptr<Port> NewPort(uint32_t vertex, uint32_t peer, ns3::Ptr<Link> link);
    void Connect(uint32_t a, uint32_t b, ns3::Time delay);
    std::vector<uint32_t> Distances(uint32_t from) const;
    void Finish();

    std::shared_ptr<const Network> m_net;
    std::vector<Vertex> m_vertex; /* hosts, then switches */
    std::vector<ns3::Ptr<Host>> m_hosts;
};

} // namespace roce

#endif
