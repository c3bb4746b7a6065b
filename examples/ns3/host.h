/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_NS3_HOST_H
#define EXAMPLES_NS3_HOST_H

/*
 * host.h - a host with one NIC. It passes each frame to its QP. The library parses all
 * frames, and verifies their ICRCs.
 */
#include "flow.h"
#include "port.h"

#include <map>

namespace roce
{

class Host : public ns3::Object
{
  public:
    using RateCallback = void (*)(uint32_t flow, uint64_t rateBps,
                                  uint64_t windowBytes);
    static ns3::TypeId GetTypeId();
    void Setup(std::shared_ptr<const Network> net, const Station &me,
               ns3::Ptr<Port> port);
    /* Add an end of a flow, before the flow starts. */
    void AddSender(const Flow &flow);
    void AddReceiver(const Flow &flow);
    const Receiver *ReceiverOf(const Flow &flow) const;

    /* Called by its senders and receivers. */
    const Network &Net() const;
    rocecc_mac MacTowards(const Station &to) const;
    void Transmit(ns3::Ptr<ns3::Packet> packet, Port::Class which);
    bool HasRoom() const;
    void StandInLine(Sender *sender);
    void Finished(const Flow &flow);
    void Changed(const Flow &flow, uint64_t rateBps, uint64_t windowBytes);
    ns3::Time RetryTime() const;

    uint64_t broken = 0;        /* frames with a wrong ICRC, or not for this host */
    uint64_t notifications = 0; /* notifications that its senders followed */

  private:
    using Key = std::pair<uint32_t, uint32_t>; /* a peer and its QP */
    bool Receive(ns3::Ptr<ns3::NetDevice> device, ns3::Ptr<const ns3::Packet> packet,
                 uint16_t protocol, const ns3::Address &from);
    void Drained();
    void Notified(const Frame &frame);
    void CnmCame(const Frame &frame);

    std::shared_ptr<const Network> m_net;
    Station m_me;
    ns3::Ptr<Port> m_port;
    rocecc_reaction_point m_reaction;
    rocecc_admission_source m_switches; /* buckets of the list's only entry */
    std::map<uint32_t, std::unique_ptr<Sender>> m_senders; /* indexed by their QPs */
    std::map<uint32_t, std::unique_ptr<Receiver>> m_receivers;
    std::map<Key, Sender *> m_byPeer; /* Fast CNPs name the receiver's QP */
    std::deque<Sender *> m_line;
    ns3::TracedCallback<uint32_t> m_finished;
    ns3::TracedCallback<uint32_t, uint64_t, uint64_t> m_changed;
};

} // namespace roce

#endif
