/* SPDX-License-Identifier: BSD-2-Clause */

/* flow.cc - the common part of all schemes' senders and receivers. */
#include "flow.h"

#include "host.h"

#include "rocecc/wire/ext.h"

#include "ns3/simulator.h"

namespace roce
{

using namespace ns3;

constexpr uint8_t kSequenceError = 0x60; /* syndrome of a NAK in an AETH */
constexpr uint32_t kFirstQp = 0x10;

uint32_t Flow::SenderQp() const
{
    return kFirstQp + 2 * id;
}

uint32_t Flow::ReceiverQp() const
{
    return kFirstQp + 2 * id + 1;
}

uint16_t Flow::UdpPort() const
{
    return static_cast<uint16_t>(0xc000 + (id * 2654435761u >> 18));
}

bool Flow::Endless() const
{
    return bytes == UINT64_MAX;
}

static uint64_t PsnAfter(const Network &net, uint64_t bytes)
{
    return (bytes + net.options.payloadBytes - 1) / net.options.payloadBytes;
}

/* ---- sender */

Sender::Sender(Host &host, const Flow &f) : flow(f), m_host(host), m_net(host.Net())
{
}

void Sender::Cnp()
{
}

void Sender::Cnm(uint8_t)
{
}

bool Sender::May(uint32_t, Time &again)
{
    if (m_window == 0 || FlightBytes() < m_window) return true;
    again = Time::Max();
    return false;
}

uint32_t Sender::HeaderBytes() const
{
    return 0;
}

void Sender::Write(Frame &, uint32_t)
{
}

void Sender::Sent(uint32_t)
{
}

void Sender::Heard(const Frame &, uint64_t, bool)
{
}

void Sender::Silence()
{
}

void Sender::End()
{
}

bool Sender::Running() const
{
    return m_running;
}

uint64_t Sender::Now() const
{
    return static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
}

/*
 * Returns when pacing allows the next packet. It follows the last packet by that
 * packet's time at the present rate, even if the rate has just changed.
 */
Time Sender::Due() const
{
    const uint64_t bits = m_lastWire * UINT64_C(8000000000000); /* bits * 10^12 */
    return m_rateBps == 0 ? Time() : m_last + PicoSeconds(bits / m_rateBps);
}

/* Returns the bytes in flight, with wire overhead, because a window counts it. */
uint64_t Sender::FlightBytes() const
{
    const uint64_t payload = m_sent - m_acked;
    return payload + PsnAfter(m_net, payload) * m_around;
}

/* Calls Send() at this time, unless a call is pending by then. */
void Sender::WakeUp(Time at)
{
    if (m_wake.IsRunning() && at >= m_wakeAt) return;
    m_wake.Cancel();
    m_wakeAt = at;
    m_wake = Simulator::Schedule(at - Simulator::Now(), &Sender::Send, this);
}

void Sender::Set(uint64_t rateBps, uint64_t windowBytes)
{
    if (rateBps != m_rateBps || windowBytes != m_window)
        m_host.Changed(flow, rateBps, windowBytes);
    m_rateBps = rateBps;
    m_window = windowBytes;
    if (m_wake.IsRunning()) WakeUp(Max(Due(), Simulator::Now()));
}

void Sender::Start()
{
    m_running = true;
    Begin();
    m_timeout = Simulator::Schedule(m_host.RetryTime(), &Sender::Timeout, this);
    Send();
}

/* Resends all unacknowledged packets, if none was acknowledged since the last call. */
void Sender::Timeout()
{
    if (m_acked == m_ackedBefore && m_sent > m_acked) {
        m_sent = m_acked;
        Silence();
        Send();
    }
    m_ackedBefore = m_acked;
    m_timeout = Simulator::Schedule(m_host.RetryTime(), &Sender::Timeout, this);
}

/* Returns when a packet may leave, or Time::Max() if it must wait for an ACK. */
Time Sender::Earliest(uint32_t payload)
{
    Time at = Simulator::Now();
    if (!May(payload, at)) return at;
    return Max(at, Due());
}

void Sender::Send()
{
    while (m_running && m_sent < flow.bytes) {
        const uint64_t left = flow.bytes - m_sent;
        const uint32_t most = m_net.options.payloadBytes;
        const uint32_t payload = left < most ? static_cast<uint32_t>(left) : most;
        const Time at = Earliest(payload);
        if (at == Time::Max()) return;
        if (at > Simulator::Now()) {
            WakeUp(at);
            return;
        }
        if (!m_host.HasRoom()) {
            m_host.StandInLine(this);
            return;
        }
        SendOne(payload);
    }
}

void Sender::SendOne(uint32_t payload)
{
    Frame f(m_net);
    Heading h = {};
    h.dstMac = m_host.MacTowards(flow.dst);
    h.src = &flow.src;
    h.dst = &flow.dst;
    h.port = flow.UdpPort();
    h.dscp = 26;
    h.opcode = kData;
    h.qp = flow.ReceiverQp();
    h.psn = static_cast<uint32_t>(PsnAfter(m_net, m_sent));
    h.more = HeaderBytes() + payload;
    h.flowTag = m_net.Bridged() ? static_cast<uint16_t>(flow.id + 1) : uint16_t{0};
    f.Write(h);
    Write(f, payload);
    Ptr<Packet> packet = f.Seal(payload);
    const uint32_t wire = WireBytes(packet->GetSize());
    m_sent += payload;
    m_last = Max(Due(), Simulator::Now());
    m_lastWire = wire;
    m_around = wire - payload;
    m_host.Transmit(packet, Port::Data);
    Sent(wire);
}

/* Handles an ACK. Its PSN is the next packet's. An older PSN acknowledges nothing. */
void Sender::Ack(const Frame &ack)
{
    const uint64_t before = PsnAfter(m_net, m_acked);
    const uint64_t more = (ack.Bth().psn - before) & 0xffffff;
    const uint64_t at =
        (before + (more < 0x800000 ? more : 0)) * m_net.options.payloadBytes;
    const uint64_t bytes = rocecc_min(at, flow.bytes) - m_acked;
    const bool lost =
        ack.b[ack.headers.bth + ROCECC_BTH_BYTES] >> 5 == kSequenceError >> 5;
    if (!m_running) return;
    m_acked += bytes;
    if (m_sent < m_acked || lost) m_sent = m_acked;
    Heard(ack, bytes, lost);
    if (m_acked == flow.bytes) {
        m_running = false;
        m_wake.Cancel();
        m_timeout.Cancel();
        End();
        m_host.Finished(flow);
    }
    Send();
}

/* ---- receiver */

Receiver::Receiver(Host &host, const Flow &f) : flow(f), m_host(host), m_net(host.Net())
{
}

void Receiver::Met(const Frame &)
{
}

void Receiver::Received(const Frame &, uint32_t, Frame &)
{
}

uint32_t Receiver::HeaderBytes() const
{
    return 0;
}

uint64_t Receiver::Got() const
{
    return m_got;
}

uint32_t Receiver::Packets(uint64_t bytes) const
{
    return static_cast<uint32_t>(PsnAfter(m_net, bytes));
}

/* Accepts data in order. After a gap, only the first packet gets a NAK. */
void Receiver::Data(const Frame &data)
{
    const uint32_t ahead = (data.Bth().psn - Packets(m_got)) & 0xffffff;
    const uint32_t payload = data.headers.end - data.headers.bth - ROCECC_BTH_BYTES -
                             HeaderBytes() - ROCECC_ICRC_BYTES;
    rocecc_aeth aeth = {0, 0};
    Frame ack(m_net);
    Heading h = {};
    Met(data);
    if (ahead == 0) {
        m_got += payload;
        m_nak = false;
    } else if (ahead < 0x800000) {
        if (m_nak) return;
        m_nak = true;
        aeth.syndrome = kSequenceError;
    }
    h.dstMac = m_host.MacTowards(flow.src);
    h.src = &flow.dst;
    h.dst = &flow.src;
    h.port = flow.UdpPort();
    h.dscp = 48;
    h.opcode = kAck;
    h.qp = flow.SenderQp();
    h.psn = Packets(m_got);
    ack.Write(h);
    rocecc_aeth_store(ack.Append(kAethBytes), &aeth);
    Received(data, payload, ack);
    m_host.Transmit(ack.Seal(0), Port::Control);
}

/* ---- by the network's scheme */

std::unique_ptr<Sender> MakeSender(Host &host, const Flow &flow)
{
    switch (host.Net().scheme) {
    case Scheme::Hpcc:
        return MakeHpccSender(host, flow);
    case Scheme::Ldcp:
        return MakeLdcpSender(host, flow);
    case Scheme::Qcn:
        return MakeQcnSender(host, flow);
    default:
        return MakeDcqcnSender(host, flow);
    }
}

std::unique_ptr<Receiver> MakeReceiver(Host &host, const Flow &flow)
{
    switch (host.Net().scheme) {
    case Scheme::Hpcc:
        return MakeHpccReceiver(host, flow);
    case Scheme::Ldcp:
        return MakeLdcpReceiver(host, flow);
    case Scheme::Qcn:
        return std::make_unique<Receiver>(host, flow);
    default:
        return MakeDcqcnReceiver(host, flow);
    }
}

} // namespace roce
