/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ldcp.cc - LDCP. The first round trip's packets are not ECN-capable, and a switch
 * drops them early. It marks later packets, and the LSN header of each ACK echoes the
 * mark.
 */
#include "host.h"

#include "ns3/simulator.h"

namespace roce
{

using ns3::NanoSeconds;
using ns3::Simulator;
using ns3::Time;

constexpr uint32_t kAround = ROCECC_BTH_BYTES + ROCECC_LSN_BYTES + ROCECC_ICRC_BYTES;

static uint32_t PacketsOf(const Network &net, uint64_t bytes)
{
    return static_cast<uint32_t>((bytes + net.options.payloadBytes - 1) /
                                 net.options.payloadBytes);
}

/* Returns the LSN after these bytes of payload. */
static uint32_t LsnOf(const Network &net, uint64_t bytes)
{
    return static_cast<uint32_t>(bytes) + PacketsOf(net, bytes) * kAround;
}

/* Parses the header at an offset of a frame. */
static bool LsnAt(const Frame &f, size_t at, rocecc_lsn *h)
{
    rocecc_reader r = rocecc_subrange(f.View(), at, f.n);
    return rocecc_lsn_parse(&r, h) == ROCECC_OK;
}

class LdcpSender : public Sender
{
  public:
    LdcpSender(Host &host, const Flow &f)
        : Sender(host, f), m_state(rocecc_ldcp_start(&m_net.ldcp)), m_space()
    {
    }

  private:
    void Begin() override
    {
        Window();
    }

    void Window()
    {
        Set(0, rocecc_ldcp_window_bytes(&m_net.ldcp, &m_state));
    }

    uint32_t RttNs() const
    {
        return static_cast<uint32_t>(m_net.options.rttNs);
    }

    bool May(uint32_t payload, Time &again) override
    {
        const rocecc_ldcp_next_packet next = {
            LsnOf(m_net, m_sent) - LsnOf(m_net, m_acked), payload + kAround};
        const rocecc_ldcp_send_action r =
            rocecc_ldcp_may_send_bytes(&m_net.ldcp, &m_state, next, RttNs(), Now());
        if (r.allowed) return true;
        m_limited = Simulator::Now() + NanoSeconds(RttNs());
        again =
            r.wait_ns == 0 ? Time::Max() : Simulator::Now() + NanoSeconds(r.wait_ns);
        return false;
    }

    uint32_t HeaderBytes() const override
    {
        return ROCECC_LSN_BYTES;
    }

    void Write(Frame &data, uint32_t payload) override
    {
        const uint64_t after = m_sent + payload;
        const uint32_t lsn = LsnOf(m_net, after);
        rocecc_lsn h = rocecc_lsn_default();
        h.last = after == flow.bytes;
        h.packet = static_cast<uint16_t>(PacketsOf(m_net, m_sent));
        h.lsn = LsnOf(m_net, m_sent);
        rocecc_lsn_store(data.b + data.n, &h); /* already in the lengths */
        data.n += ROCECC_LSN_BYTES;
        rocecc_ipv6_ecn_store(data.b + data.headers.ip.offset,
                              rocecc_ldcp_send(&m_net.ldcp, &m_state, h.last, Now()));
        if (rocecc_serial_after(lsn, m_sentLsn)) m_sentLsn = lsn;
    }

    void Heard(const Frame &ack, uint64_t, bool lost) override
    {
        const size_t at = ack.headers.bth + size_t{ROCECC_BTH_BYTES} + kAethBytes;
        rocecc_lsn h;
        uint32_t n = 0;
        if (LsnAt(ack, at, &h) && h.ack && !h.read_response)
            n = rocecc_ldcp_confirm(&m_space, m_sentLsn, h.lsn, h.packet);
        if (n != 0) {
            const bool full = !rocecc_ldcp_may_send(&m_state, RttNs(), Now()).allowed;
            const rocecc_ldcp_ack_event heard = {n, h.ece,
                                                 Simulator::Now() <= m_limited || full};
            rocecc_ldcp_ack(&m_net.ldcp, &m_state, heard);
            m_host.notifications += h.ece;
        }
        if (lost) (void)rocecc_ldcp_nak(&m_net.ldcp, &m_state);
        Window();
    }

    void Silence() override
    {
        (void)rocecc_ldcp_timeout(&m_net.ldcp, &m_state);
        Window();
    }

    rocecc_ldcp m_state;
    rocecc_ldcp_space m_space; /* the acknowledged packets */
    uint32_t m_sentLsn = 0;    /* after the last byte ever sent */
    Time m_limited;            /* an RTT after the window last held a packet back */
};

/*
 * Adds an LSN header to each ACK. A packet counts, and its CE is echoed, only if it is
 * in order or repeats the last packet in order.
 */
class LdcpReceiver : public Receiver
{
  public:
    LdcpReceiver(Host &host, const Flow &f)
        : Receiver(host, f), m_state(rocecc_ldcp_receiver_start())
    {
    }

  private:
    uint32_t HeaderBytes() const override
    {
        return ROCECC_LSN_BYTES;
    }

    void Received(const Frame &data, uint32_t payload, Frame &ack) override
    {
        rocecc_lsn h, echo = rocecc_lsn_default();
        if (!LsnAt(data, data.headers.bth + size_t{ROCECC_BTH_BYTES}, &h)) return;
        echo.ack = true;
        echo.lsn = LsnOf(m_net, m_got);
        echo.packet = static_cast<uint16_t>(Packets(m_got));
        if (h.lsn + payload + kAround == echo.lsn)
            echo.ece =
                rocecc_ldcp_received(&m_net.ldcp, &m_state, data.Ecn() == ROCECC_ECN_CE)
                    .marked != 0;
        rocecc_lsn_store(ack.Append(ROCECC_LSN_BYTES), &echo);
    }

    rocecc_ldcp_receiver m_state;
};

std::unique_ptr<Sender> MakeLdcpSender(Host &host, const Flow &flow)
{
    return std::make_unique<LdcpSender>(host, flow);
}

std::unique_ptr<Receiver> MakeLdcpReceiver(Host &host, const Flow &flow)
{
    return std::make_unique<LdcpReceiver>(host, flow);
}

} // namespace roce
