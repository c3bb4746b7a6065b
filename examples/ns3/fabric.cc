/* SPDX-License-Identifier: BSD-2-Clause */

/* fabric.cc - topologies, and the shortest paths in them. */
#include "fabric.h"

#include "ns3/mac48-address.h"

namespace roce
{

using namespace ns3;

Fabric::Fabric(std::shared_ptr<const Network> net) : m_net(net)
{
}

void Fabric::AddHost()
{
    const uint32_t i = static_cast<uint32_t>(m_vertex.size());
    Ptr<Node> node = CreateObject<Node>();
    Ptr<Host> host = CreateObject<Host>();
    node->AggregateObject(host);
    m_hosts.push_back(host);
    m_vertex.push_back({node, StationOf(i, false), {}, {}});
}

uint32_t Fabric::AddSwitch()
{
    const uint32_t i = static_cast<uint32_t>(switches.size());
    Ptr<Node> node = CreateObject<Node>();
    Ptr<Switch> sw = CreateObject<Switch>();
    sw->Setup(m_net, StationOf(i, true));
    node->AggregateObject(sw);
    switches.push_back(sw);
    m_vertex.push_back({node, sw->Me(), {}, {}});
    return static_cast<uint32_t>(m_vertex.size() - 1);
}

Ptr<Port> Fabric::NewPort(uint32_t vertex, uint32_t peer, Ptr<Link> link)
{
    Vertex &v = m_vertex[vertex];
    Ptr<Port> port = CreateObject<Port>();
    Mac48Address mac;
    mac.CopyFrom(v.station.mac.b);
    port->SetAddress(mac);
    port->Connect(link, m_net->options.rateBps);
    v.node->AddDevice(port);
    v.ports.push_back(port);
    v.peers.push_back(peer);
    ports.push_back(port);
    return port;
}

void Fabric::Connect(uint32_t a, uint32_t b, Time delay)
{
    Ptr<Link> link = CreateObject<Link>();
    Ptr<Port> one = NewPort(a, b, link), other = NewPort(b, a, link);
    link->Connect(one, other, delay);
}

void Fabric::Star(uint32_t hosts)
{
    const Time delay = NanoSeconds(m_net->options.rttNs / 4);
    for (uint32_t i = 0; i < hosts; i++)
        AddHost();
    const uint32_t sw = AddSwitch();
    for (uint32_t i = 0; i < hosts; i++)
        Connect(i, sw, delay);
    Finish();
}

/*
 * Pod p has edge switches 2p and 2p + 1 with two hosts each, and two aggregation
 * switches.
 */
void Fabric::FatTree()
{
    const Time delay = NanoSeconds(m_net->options.rttNs / 12);
    for (uint32_t i = 0; i < 16; i++)
        AddHost();
    for (uint32_t i = 0; i < 20; i++)
        AddSwitch();
    const uint32_t edge = 16, aggregation = 24, core = 32;
    for (uint32_t i = 0; i < 16; i++)
        Connect(i, edge + i / 2, delay);
    for (uint32_t i = 0; i < 16; i++)
        Connect(edge + i / 2, aggregation + i / 4 * 2 + i % 2, delay);
    for (uint32_t i = 0; i < 16; i++)
        Connect(aggregation + i / 2, core + i / 2 % 2 * 2 + i % 2, delay);
    Finish();
}

/* Returns all distances from a host. Paths lead only through switches. */
std::vector<uint32_t> Fabric::Distances(uint32_t from) const
{
    std::vector<uint32_t> far(m_vertex.size(), UINT32_MAX), queue{from};
    far[from] = 0;
    for (size_t i = 0; i < queue.size(); i++) {
        const uint32_t at = queue[i];
        if (at != from && at < m_hosts.size()) continue;
        for (uint32_t next : m_vertex[at].peers) {
            if (far[next] != UINT32_MAX) continue;
            far[next] = far[at] + 1;
            queue.push_back(next);
        }
    }
    return far;
}

/* Sets up the nodes and their routes, when all ports exist. */
void Fabric::Finish()
{
    const size_t n = m_hosts.size();
    for (uint32_t i = 0; i < n; i++)
        m_hosts[i]->Setup(m_net, m_vertex[i].station, m_vertex[i].ports[0]);
    for (size_t s = 0; s < switches.size(); s++)
        for (Ptr<Port> port : m_vertex[n + s].ports)
            switches[s]->AddPort(port);
    for (uint32_t to = 0; to < n; to++) {
        const std::vector<uint32_t> far = Distances(to);
        for (size_t s = 0; s < switches.size(); s++) {
            std::vector<uint32_t> route;
            const Vertex &v = m_vertex[n + s];
            for (uint32_t k = 0; k < v.ports.size(); k++)
                if (far[v.peers[k]] + 1 == far[n + s]) route.push_back(k);
            switches[s]->SetRoute(to, route);
        }
    }
}

std::shared_ptr<const Network> Fabric::Net() const
{
    return m_net;
}

uint32_t Fabric::Hosts() const
{
    return static_cast<uint32_t>(m_hosts.size());
}

Ptr<Host> Fabric::HostAt(uint32_t i) const
{
    return m_hosts[i];
}

Station Fabric::StationAt(uint32_t host) const
{
    return m_vertex[host].station;
}

void Fabric::Add(const Flow &flow)
{
    m_hosts[flow.dst.index]->AddReceiver(flow);
    m_hosts[flow.src.index]->AddSender(flow);
}

uint64_t Fabric::Got(const Flow &flow) const
{
    return m_hosts[flow.dst.index]->ReceiverOf(flow)->Got();
}

uint32_t Fabric::Links(uint32_t from, uint32_t to) const
{
    return Distances(from)[to];
}

Ptr<Port> Fabric::PortTo(uint32_t host) const
{
    return m_vertex[host].ports[0]->Peer();
}

} // namespace roce
