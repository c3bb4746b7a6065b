/* SPDX-License-Identifier: BSD-2-Clause */

/* host.cc - a NIC's receive path, and the line of waiting senders. */
#include "host.h"

#include "rocecc/wire/cnm.h"

#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

namespace roce
{

using namespace ns3;

NS_OBJECT_ENSURE_REGISTERED(Host);

constexpr uint32_t kHostQueueBytes = 4000; /* above this, senders wait */
constexpr int64_t kJitterStream = 2000000; /* not a switch's or a load's */

TypeId Host::GetTypeId()
{
    static TypeId tid =
        TypeId("roce::Host")
            .SetParent<Object>()
            .AddConstructor<Host>()
            .AddTraceSource("Finished", "All of a flow is acknowledged: its number.",
                            MakeTraceSourceAccessor(&Host::m_finished),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource(
                "Rate", "A flow's number, its new bit/s and its new window.",
                MakeTraceSourceAccessor(&Host::m_changed), "roce::Host::RateCallback");
    return tid;
}

void Host::Setup(std::shared_ptr<const Network> net, const Station &me, Ptr<Port> port)
{
    m_net = net;
    m_me = me;
    m_port = port;
    m_reaction = rocecc_reaction_point_start(&net->reaction, 0);
    m_switches = rocecc_admission_source_start(&net->reaction.admission, 0);
    port->SetReceiveCallback(MakeCallback(&Host::Receive, this));
    port->SetDrained(MakeCallback(&Host::Drained, this));
    if (net->jitterPs == 0) return;
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(kJitterStream + me.index);
    port->SetJitter(random, PicoSeconds(net->jitterPs));
}

void Host::AddSender(const Flow &flow)
{
    std::unique_ptr<Sender> s = MakeSender(*this, flow);
    m_byPeer[{flow.dst.index, flow.ReceiverQp()}] = s.get();
    Simulator::ScheduleWithContext(m_port->GetNode()->GetId(), flow.start,
                                   &Sender::Start, s.get());
    m_senders[flow.SenderQp()] = std::move(s);
}

void Host::AddReceiver(const Flow &flow)
{
    m_receivers[flow.ReceiverQp()] = MakeReceiver(*this, flow);
}

const Receiver *Host::ReceiverOf(const Flow &flow) const
{
    return m_receivers.at(flow.ReceiverQp()).get();
}

const Network &Host::Net() const
{
    return *m_net;
}

/* Returns the station's address for bridges, and the router's otherwise. */
rocecc_mac Host::MacTowards(const Station &to) const
{
    rocecc_mac mac = to.mac;
    if (!m_net->Bridged()) m_port->Peer()->GetAddress().CopyTo(mac.b);
    return mac;
}

void Host::Transmit(Ptr<Packet> packet, Port::Class which)
{
    m_port->Enqueue(packet, which);
}

bool Host::HasRoom() const
{
    return m_port->Queued(Port::Data) <= kHostQueueBytes;
}

void Host::StandInLine(Sender *sender)
{
    if (sender->inLine) return;
    sender->inLine = true;
    m_line.push_back(sender);
}

void Host::Drained()
{
    while (!m_line.empty() && HasRoom()) {
        Sender *s = m_line.front();
        m_line.pop_front();
        s->inLine = false;
        s->Send();
    }
}

void Host::Finished(const Flow &flow)
{
    m_finished(flow.id);
}

void Host::Changed(const Flow &flow, uint64_t rateBps, uint64_t windowBytes)
{
    m_changed(flow.id, rateBps, windowBytes);
}

/* Returns the maximum of 4 round trips, 2 ms, and a round trip behind a full buffer. */
Time Host::RetryTime() const
{
    const Options &o = m_net->options;
    const uint64_t full = o.bufferBytes * 8000000 / (o.rateBps / 1000);
    const uint64_t rtt = o.rttNs;
    return NanoSeconds(rocecc_max(rocecc_max(4 * rtt, 2000000), rtt + full));
}

bool Host::Receive(Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t, const Address &)
{
    Frame f(*m_net);
    f.Load(packet, kFrameBytes);
    const rocecc_bth bth = f.Bth();
    const auto receiver = m_receivers.find(bth.dest_qp);
    const auto sender = m_senders.find(bth.dest_qp);
    const bool roce = f.headers.bth != 0;
    if (!roce)
        CnmCame(f);
    else if (!f.Intact())
        broken++;
    else if (bth.opcode == kData && receiver != m_receivers.end())
        receiver->second->Data(f);
    else if (bth.opcode == kAck && sender != m_senders.end())
        sender->second->Ack(f);
    else
        Notified(f);
    return true;
}

/* Handles a CNP from the receiver, or from a permitted switch. */
void Host::Notified(const Frame &frame)
{
    const rocecc_packet came = frame.Located();
    rocecc_reaction_event e = {};
    rocecc_reaction_result out;
    Sender *sender = nullptr;
    e.admission.now_ns = static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
    e.admission.list = &m_net->switches;
    e.admission.sources = &m_switches;
    e.admission.n_sources = 1;
    rocecc_reaction_point_step(&m_net->reaction, &m_reaction, &came, &e, &out);
    if (out.verdict == ROCECC_REACTION_ORDINARY) {
        const auto s = m_senders.find(out.cnp.dest_qp);
        if (s != m_senders.end()) sender = s->second.get();
    } else if (out.verdict == ROCECC_REACTION_FAST_PLAIN ||
               out.verdict == ROCECC_REACTION_FAST_IOAM) {
        const auto s =
            m_byPeer.find({rocecc_load32(out.key.remote.b + 12), out.key.remote_qp});
        if (s != m_byPeer.end()) sender = s->second;
    }
    if (sender == nullptr) {
        broken++;
    } else if (sender->Running()) {
        notifications++;
        sender->Cnp();
    }
}

/* Handles a CNM to this station, for one of its flows. */
void Host::CnmCame(const Frame &frame)
{
    rocecc_cnm_config c = {};
    rocecc_cnm_verdict why;
    rocecc_cnm_frame h = {};
    c.station = m_me.mac;
    if (rocecc_cnm_frame_parse(&c, frame.View(), &h, &why) != ROCECC_OK) {
        broken++;
        return;
    }
    const auto s = m_senders.find(Flow{h.head.flow_id - 1u, {}, {}, 0, {}}.SenderQp());
    if (s == m_senders.end()) {
        broken++;
    } else if (s->second->Running()) {
        notifications++;
        s->second->Cnm(h.cnm.qntz_fb);
    }
}

} // namespace roce
