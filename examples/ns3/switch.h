/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_NS3_SWITCH_H
#define EXAMPLES_NS3_SWITCH_H

/*
 * switch.h - a switch: where a frame goes, and for each port one object that says what
 * its queue does to a frame (signal.cc): mark, drop, answer, write telemetry.
 */
#include "frame.h"
#include "port.h"

#include "ns3/random-variable-stream.h"

#include <vector>

namespace roce
{

class Switch;

/* What a queue signals. Of plain WRED, as DCQCN and LDCP have it. */
class Signal
{
  public:
    Signal(Switch &at, ns3::Ptr<Port> port);
    virtual ~Signal() = default;
    /* Before a frame of data goes into the queue; false: it is dropped. */
    virtual bool Enter(Frame &f, uint32_t frameBytes);
    /* Looks at a frame of data that has left the queue and goes onto the link. Returns
       true if the frame was changed. */
    virtual bool Exit(Frame &f);
    uint64_t marks = 0;

  protected:
    /* Decides by a queue of data: with this frame as it comes, behind it as it leaves.
     */
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
    /* Ports of equal cost towards a host, by its index. */
    void SetRoute(uint32_t host, std::vector<uint32_t> ports);
    /* A frame of its own. */
    void Originate(const Frame &f);

    const Network &Net() const;
    const Station &Me() const;
    uint32_t Random();
    uint32_t Ports() const;
    const Signal &SignalOf(uint32_t port) const;

    rocecc_congestion_point congestion;
    rocecc_admission_source told; /* buckets of the one entry of the list of hosts */
    Count originated, astray;     /* astray: no way, or no hop left */

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
