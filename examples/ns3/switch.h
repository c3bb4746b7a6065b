/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_NS3_SWITCH_H
#define EXAMPLES_NS3_SWITCH_H

/*
 * switch.h - a switch, with its routes. For each port one object decides how its queue
 * marks, drops or answers a frame, or writes telemetry (signal.cc).
 */
#include "frame.h"
#include "port.h"

#include "ns3/random-variable-stream.h"

#include <vector>

namespace roce
{

class Switch;

/* The signals of a queue. The base class is plain WRED, for DCQCN and LDCP. */
class Signal
{
  public:
    Signal(Switch &at, ns3::Ptr<Port> port);
    virtual ~Signal() = default;
    /* Handles a data frame before it enters the queue. Returns false to drop it. */
    virtual bool Enter(Frame &f, uint32_t frameBytes);
    /*
     * Handles a data frame that has left the queue and goes onto the link. Returns true
     * if it changes the frame.
     */
    virtual bool Exit(Frame &f);
    uint64_t marks = 0;

  protected:
    /* Decides by the data queue, including an arriving but not a departing frame. */
    rocecc_wred_verdict Wred(const Frame &f, uint32_t queueBytes);
    bool Mark(Frame &f);
    rocecc_writer Answer(Frame &answer) const;

    Switch &m_at;
    ns3::Ptr<Port> m_port;
    const Network &m_net;
};

std::unique_ptr<Signal> MakeSignal(Switch &at, ns3::Ptr<Port> port);

class Switch : public ns3::Object
{
  public:
    static ns3::TypeId GetTypeId();
    void Setup(std::shared_ptr<const Network> net, const Station &me);
    void AddPort(ns3::Ptr<Port> port);
    /* Sets the ports of equal cost to a host, by its index. */
    void SetRoute(uint32_t host, std::vector<uint32_t> ports);
    /* Sends a frame of its own. */
    void Originate(const Frame &f);

    const Network &Net() const;
    const Station &Me() const;
    uint32_t Random();
    uint32_t Ports() const;
    const Signal &SignalOf(uint32_t port) const;

    rocecc_congestion_point congestion;
    rocecc_admission_source told; /* buckets of the host list's only entry */
    Count originated, astray;     /* astray: no route, or hop limit 0 */

  private:
    bool Receive(ns3::Ptr<ns3::NetDevice> device, ns3::Ptr<const ns3::Packet> packet,
                 uint16_t protocol, const ns3::Address &from);
    void Forward(Frame &f, ns3::Ptr<const ns3::Packet> packet, bool own);
    Port *NextPort(const Frame &f) const;
    bool Route(Frame &f, const Port &port, bool own) const;
    bool Admit(Frame &f, Port &port, uint32_t frameBytes);
    ns3::Ptr<ns3::Packet> Leave(uint32_t port, ns3::Ptr<ns3::Packet> packet);

    std::shared_ptr<const Network> m_net;
    Station m_me;
    std::vector<ns3::Ptr<Port>> m_ports;
    std::vector<std::unique_ptr<Signal>> m_signals;
    std::vector<std::vector<uint32_t>> m_routes;
    ns3::Ptr<ns3::UniformRandomVariable> m_random;
};

} // namespace roce

#endif
