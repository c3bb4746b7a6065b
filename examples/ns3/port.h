/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_NS3_PORT_H
#define EXAMPLES_NS3_PORT_H

/*
 * port.h - a NetDevice with two queues, control before data, and the link between two
 * of them. In a distributed run a link to a node of another process is a Link with a
 * Carry() that sends the serialized packet by MPI.
 */
#include "ns3/channel.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <deque>

namespace roce
{

class Port;

class Link : public ns3::Channel
{
  public:
    static ns3::TypeId GetTypeId();
    void Connect(ns3::Ptr<Port> a, ns3::Ptr<Port> b, ns3::Time delay);
    /* Delivers a packet. Its last bit leaves `from` after `sending`. */
    virtual void Carry(const Port *from, ns3::Ptr<ns3::Packet> packet,
                       ns3::Time sending);
    std::size_t GetNDevices() const override;
    ns3::Ptr<ns3::NetDevice> GetDevice(std::size_t i) const override;
    ns3::Ptr<Port> Other(const Port *from) const;

  private:
    ns3::Ptr<Port> m_port[2];
    ns3::Time m_delay;
};

/* Frames and their bytes, without the overhead on the wire. */
struct Count {
    uint64_t packets = 0, bytes = 0;
    void Add(uint32_t size);
};

class Port : public ns3::NetDevice
{
  public:
    enum Class { Control, Data, Classes };
    using Leave = ns3::Callback<ns3::Ptr<ns3::Packet>, ns3::Ptr<ns3::Packet>>;
    using Drained = ns3::Callback<void>;

    static ns3::TypeId GetTypeId();
    void Connect(ns3::Ptr<Link> link, uint64_t rateBps);
    void Enqueue(ns3::Ptr<ns3::Packet> packet, Class which);
    void Drop(ns3::Ptr<const ns3::Packet> packet);
    void Arrive(ns3::Ptr<ns3::Packet> packet);
    /* Sets a function that may change a data packet that has left the queue. */
    void SetLeave(Leave leave);
    /* Delays each packet on the link by less than `below`, and keeps their order. */
    void SetJitter(ns3::Ptr<ns3::UniformRandomVariable> random, ns3::Time below);
    void SetDrained(Drained drained);
    uint32_t Queued() const;
    uint32_t Queued(Class which) const;
    uint64_t RateBps() const;
    uint64_t WireBytesSent() const;
    ns3::Ptr<Port> Peer() const;

    Count enqueued, sent, received, dropped;

    /* NetDevice */
    void SetIfIndex(uint32_t index) override;
    uint32_t GetIfIndex() const override;
    ns3::Ptr<ns3::Channel> GetChannel() const override;
    void SetAddress(ns3::Address address) override;
    ns3::Address GetAddress() const override;
    bool SetMtu(uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(ns3::Callback<void> callback) override;
    bool IsBroadcast() const override;
    ns3::Address GetBroadcast() const override;
    bool IsMulticast() const override;
    ns3::Address GetMulticast(ns3::Ipv4Address group) const override;
    ns3::Address GetMulticast(ns3::Ipv6Address group) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(ns3::Ptr<ns3::Packet> packet, const ns3::Address &to,
              uint16_t protocol) override;
    bool SendFrom(ns3::Ptr<ns3::Packet> packet, const ns3::Address &from,
                  const ns3::Address &to, uint16_t protocol) override;
    ns3::Ptr<ns3::Node> GetNode() const override;
    void SetNode(ns3::Ptr<ns3::Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(ReceiveCallback callback) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override;
    bool SupportsSendFrom() const override;

  private:
    void Serve();
    void Sent();
    ns3::Time Left(ns3::Time sending);

    ns3::Ptr<ns3::Node> m_node;
    ns3::Ptr<Link> m_link;
    ns3::Address m_address;
    uint32_t m_index = 0;
    uint16_t m_mtu = 1500;
    uint64_t m_rateBps = 0, m_wireBytes = 0;
    bool m_busy = false;
    std::deque<ns3::Ptr<ns3::Packet>> m_queue[Classes];
    uint32_t m_bytes[Classes] = {0, 0};
    ns3::TracedValue<uint32_t> m_queued;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>> m_dropped, m_sending;
    ns3::Ptr<ns3::UniformRandomVariable> m_jitter; /* nullptr: none */
    ns3::Time m_below, m_left; /* bound of jitter; when the last bit of a packet left */
    Leave m_leave;
    Drained m_drained;
    ReceiveCallback m_receive;
};

} // namespace roce

#endif
