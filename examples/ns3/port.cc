/* SPDX-License-Identifier: BSD-2-Clause */

/* port.cc - queues, transmission times, and ns-3's NetDevice functions. */
#include "port.h"

#include "frame.h"

#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

namespace roce
{

using namespace ns3;

NS_OBJECT_ENSURE_REGISTERED(Link);
NS_OBJECT_ENSURE_REGISTERED(Port);

TypeId Link::GetTypeId()
{
    static TypeId tid =
        TypeId("roce::Link").SetParent<Channel>().AddConstructor<Link>();
    return tid;
}

void Link::Connect(Ptr<Port> a, Ptr<Port> b, Time delay)
{
    m_port[0] = a;
    m_port[1] = b;
    m_delay = delay;
}

Ptr<Port> Link::Other(const Port *from) const
{
    return m_port[from == PeekPointer(m_port[0])];
}

void Link::Carry(const Port *from, Ptr<Packet> packet, Time sending)
{
    Ptr<Port> to = Other(from);
    Simulator::ScheduleWithContext(to->GetNode()->GetId(), sending + m_delay,
                                   &Port::Arrive, to, packet);
}

std::size_t Link::GetNDevices() const
{
    return 2;
}

Ptr<NetDevice> Link::GetDevice(std::size_t i) const
{
    return m_port[i];
}

void Count::Add(uint32_t size)
{
    packets++;
    bytes += size;
}

TypeId Port::GetTypeId()
{
    static TypeId tid =
        TypeId("roce::Port")
            .SetParent<NetDevice>()
            .AddConstructor<Port>()
            .AddTraceSource("Queued", "Bytes in its queues.",
                            MakeTraceSourceAccessor(&Port::m_queued),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("Drop", "A packet that finds no room.",
                            MakeTraceSourceAccessor(&Port::m_dropped),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxBegin", "A packet goes onto the link.",
                            MakeTraceSourceAccessor(&Port::m_sending),
                            "ns3::Packet::TracedCallback");
    return tid;
}

void Port::Connect(Ptr<Link> link, uint64_t rateBps)
{
    m_link = link;
    m_rateBps = rateBps;
}

void Port::SetLeave(Leave leave)
{
    m_leave = leave;
}

void Port::SetJitter(Ptr<UniformRandomVariable> random, Time below)
{
    m_jitter = random;
    m_below = below;
}

void Port::SetDrained(Drained drained)
{
    m_drained = drained;
}

uint32_t Port::Queued(Class which) const
{
    return m_bytes[which];
}

uint32_t Port::Queued() const
{
    return m_queued;
}

uint64_t Port::RateBps() const
{
    return m_rateBps;
}

uint64_t Port::WireBytesSent() const
{
    return m_wireBytes;
}

Ptr<Port> Port::Peer() const
{
    return m_link->Other(this);
}

void Port::Drop(Ptr<const Packet> packet)
{
    dropped.Add(packet->GetSize());
    m_dropped(packet);
}

void Port::Enqueue(Ptr<Packet> packet, Class which)
{
    enqueued.Add(packet->GetSize());
    m_bytes[which] += packet->GetSize();
    m_queue[which].push_back(packet);
    m_queued += packet->GetSize();
    Serve();
}

/*
 * Returns the time from now until the packet's last bit has left. Jitter is random.
 * Without it, a full port's queue drops the same sender's packets again and again,
 * because all frames keep their phase.
 */
Time Port::Left(Time sending)
{
    if (m_jitter == nullptr) return sending;
    const double below = static_cast<double>(m_below.GetPicoSeconds());
    const Time late = PicoSeconds(static_cast<uint64_t>(m_jitter->GetValue(0, below)));
    m_left = Max(m_left, Simulator::Now() + sending + late);
    return m_left - Simulator::Now();
}

void Port::Serve()
{
    const Class which = m_queue[Control].empty() ? Data : Control;
    if (m_busy || m_queue[which].empty()) return;
    Ptr<Packet> packet = m_queue[which].front();
    m_queue[which].pop_front();
    m_bytes[which] -= packet->GetSize();
    m_queued -= packet->GetSize();
    if (which == Data && !m_leave.IsNull()) packet = m_leave(packet);
    m_sending(packet);
    const uint32_t wire = WireBytes(packet->GetSize());
    const Time time = PicoSeconds(wire * UINT64_C(8000000000000) / m_rateBps);
    m_wireBytes += wire;
    sent.Add(packet->GetSize());
    m_busy = true;
    Simulator::Schedule(time, &Port::Sent, this);
    m_link->Carry(this, packet, Left(time));
    if (!m_drained.IsNull()) m_drained();
}

void Port::Sent()
{
    m_busy = false;
    Serve();
}

void Port::Arrive(Ptr<Packet> packet)
{
    received.Add(packet->GetSize());
    m_receive(this, packet, ROCECC_TYPE_IPV6, Peer()->GetAddress());
}

/* ---- NetDevice */

void Port::SetIfIndex(const uint32_t index)
{
    m_index = index;
}

uint32_t Port::GetIfIndex() const
{
    return m_index;
}

Ptr<Channel> Port::GetChannel() const
{
    return m_link;
}

void Port::SetAddress(Address address)
{
    m_address = address;
}

Address Port::GetAddress() const
{
    return m_address;
}

bool Port::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t Port::GetMtu() const
{
    return m_mtu;
}

bool Port::IsLinkUp() const
{
    return m_link != nullptr;
}

void Port::AddLinkChangeCallback(Callback<void>)
{
}

bool Port::IsBroadcast() const
{
    return false;
}

Address Port::GetBroadcast() const
{
    return Address();
}

bool Port::IsMulticast() const
{
    return false;
}

Address Port::GetMulticast(Ipv4Address) const
{
    return Address();
}

Address Port::GetMulticast(Ipv6Address) const
{
    return Address();
}

bool Port::IsBridge() const
{
    return false;
}

bool Port::IsPointToPoint() const
{
    return true;
}

/* The frame already has an Ethernet header. */
bool Port::Send(Ptr<Packet> packet, const Address &, uint16_t)
{
    Enqueue(packet, Data);
    return true;
}

bool Port::SendFrom(Ptr<Packet>, const Address &, const Address &, uint16_t)
{
    return false;
}

Ptr<Node> Port::GetNode() const
{
    return m_node;
}

void Port::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool Port::NeedsArp() const
{
    return false;
}

void Port::SetReceiveCallback(ReceiveCallback callback)
{
    m_receive = callback;
}

void Port::SetPromiscReceiveCallback(PromiscReceiveCallback)
{
}

bool Port::SupportsSendFrom() const
{
    return false;
}

} // namespace roce
