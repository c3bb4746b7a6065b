/* SPDX-License-Identifier: BSD-2-Clause */

/* switch.cc - forwarding by MAC (QCN) or IPv6 address, with ECMP by a hash. */
#include "switch.h"

namespace roce
{

using namespace ns3;

NS_OBJECT_ENSURE_REGISTERED(Switch);

TypeId Switch::GetTypeId()
{
    static TypeId tid =
        TypeId("roce::Switch").SetParent<Object>().AddConstructor<Switch>();
    return tid;
}

void Switch::Setup(std::shared_ptr<const Network> net, const Station &me)
{
    m_net = net;
    m_me = me;
    congestion = rocecc_congestion_point_start(&net->congestion, 0);
    told = rocecc_admission_source_start(&net->congestion.admission, 0);
    m_random = CreateObject<UniformRandomVariable>();
    m_random->SetStream(me.index);
}

void Switch::AddPort(Ptr<Port> port)
{
    const uint32_t i = static_cast<uint32_t>(m_ports.size());
    m_ports.push_back(port);
    m_signals.push_back(MakeSignal(*this, port));
    port->SetReceiveCallback(MakeCallback(&Switch::Receive, this));
    if (m_net->scheme != Scheme::FastCnp && m_net->scheme != Scheme::Qcn)
        port->SetLeave(MakeCallback(&Switch::Leave, this).Bind(i));
}

void Switch::SetRoute(uint32_t host, std::vector<uint32_t> ports)
{
    if (m_routes.size() <= host) m_routes.resize(host + 1);
    m_routes[host] = std::move(ports);
}

const Network &Switch::Net() const
{
    return *m_net;
}

const Station &Switch::Me() const
{
    return m_me;
}

uint32_t Switch::Random()
{
    return m_random->GetInteger(0, UINT32_MAX);
}

uint32_t Switch::Ports() const
{
    return static_cast<uint32_t>(m_ports.size());
}

const Signal &Switch::SignalOf(uint32_t port) const
{
    return *m_signals[port];
}

bool Switch::Receive(Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t,
                     const Address &)
{
    Frame f(*m_net);
    f.Load(packet, kHeadBytes);
    Forward(f, packet, false);
    return true;
}

void Switch::Originate(const Frame &f)
{
    Frame own = f;
    originated.Add(f.n);
    own.Locate();
    Forward(own, own.ToPacket(), true);
}

/* Returns the next port, or nullptr. The hash includes the switch. */
Port *Switch::NextPort(const Frame &f) const
{
    const bool ip = f.headers.ip.version == 6;
    const bool known = m_net->Bridged() || ip;
    const uint32_t to =
        !known ? UINT32_MAX
               : rocecc_load32(m_net->Bridged() ? f.b + 2 : f.b + f.headers.ip.offset + 36);
    uint32_t hash = m_me.index * 0x9e3779b9u;
    if (to >= m_routes.size() || m_routes[to].empty()) return nullptr;
    if (f.headers.udp != 0) hash ^= rocecc_load16(f.b + f.headers.udp) * 0x85ebca6bu;
    if (ip) hash ^= rocecc_load32(f.b + f.headers.ip.offset + 20) * 0xc2b2ae35u;
    hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
    return PeekPointer(m_ports[m_routes[to][(hash >> 16) % m_routes[to].size()]]);
}

/* Updates the headers as a router. Returns false if the hop limit falls to 0. */
bool Switch::Route(Frame &f, const Port &port, bool own) const
{
    port.Peer()->GetAddress().CopyTo(f.b);
    rocecc_mac_store(f.b + 6, &m_me.mac);
    return own || --f.b[f.headers.ip.offset + 7] != 0;
}

bool Switch::Admit(Frame &f, Port &port, uint32_t frameBytes)
{
    return port.Queued() + frameBytes <= m_net->options.bufferBytes &&
           (!f.IsData() || m_signals[port.GetIfIndex()]->Enter(f, frameBytes));
}

void Switch::Forward(Frame &f, Ptr<const Packet> packet, bool own)
{
    Port *port = NextPort(f);
    if (port == nullptr || (!m_net->Bridged() && !Route(f, *port, own))) {
        astray.Add(packet->GetSize());
        return;
    }
    if (!Admit(f, *port, packet->GetSize())) {
        port->Drop(packet);
        return;
    }
    port->Enqueue(f.Into(packet), f.IsData() ? Port::Data : Port::Control);
}

/* Applies marks and telemetry, as a data frame goes onto the link. */
Ptr<Packet> Switch::Leave(uint32_t port, Ptr<Packet> packet)
{
    Frame f(*m_net);
    f.Load(packet, kHeadBytes);
    return m_signals[port]->Exit(f) ? f.Into(packet) : packet;
}

} // namespace roce
