/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * hpcc.cc - HPCC++ by IOAM. The sender leaves room for a record of each switch, the
 * receiver copies the records into its ACK, and the sender computes its window from
 * them.
 */
#include "host.h"

#include "rocecc/packet/ioam.h"
#include "rocecc/role/echo.h"

namespace roce
{

constexpr uint32_t kHopsMost = 16; /* maximum hpcc.max_hops */
constexpr uint8_t kBecn = 0x40; /* in a BTH's fifth byte */
constexpr uint32_t kNoMtu = 0xffff;

class HpccSender : public Sender
{
  public:
    HpccSender(Host &host, const Flow &f)
        : Sender(host, f), m_state(rocecc_hpcc_start(&m_net.hpcc)), m_hop()
    {
    }

  private:
    void Begin() override
    {
        Set(m_net.options.rateBps, m_net.hpcc.w_init_bytes);
    }

    void Write(Frame &data, uint32_t) override
    {
        const rocecc_packet at = data.Located();
        rocecc_ioam_source s = {};
        rocecc_edit e;
        s.namespace_id = m_net.domain.ioam.namespace_id;
        s.trace_type = ROCECC_IOAM_TYPE_HPCC;
        s.words = static_cast<uint8_t>(m_net.options.hops * 5);
        if (rocecc_ioam_insert(&at, &s, kNoMtu, &e) == ROCECC_EDIT_CHANGE)
            data.Change(e);
    }

    void Heard(const Frame &ack, uint64_t bytes, bool) override
    {
        const rocecc_packet came = ack.Located();
        const uint32_t mtu = m_net.options.payloadBytes;
        const uint64_t first = (m_acked - bytes + mtu - 1) / mtu;
        const rocecc_echo_sender_event e = {flow.SenderQp(),
                                     static_cast<uint32_t>(first) & 0xffffff, 0x800000,
                                     m_net.options.hops, ROCECC_ECHO_IOAM, 0, 0};
        rocecc_hop hops[kHopsMost];
        rocecc_hpcc_event r = {};
        rocecc_echo_sender_result heard;
        rocecc_echo_sender_step(&m_net.telemetry, &came, e, hops, &heard);
        r.hops = hops;
        r.seq = static_cast<uint32_t>(m_acked);
        r.snd_nxt = static_cast<uint32_t>(m_sent);
        r.now_ns = Now();
        r.ecn = (ack.b[ack.headers.bth + 4] & kBecn) != 0 ? ROCECC_HPCC_ECN_MARKED
                                                        : ROCECC_HPCC_ECN_UNMARKED;
        if (heard.verdict == ROCECC_ECHO_SENDER_HOPS) {
            r.n_hops = heard.path.n;
            r.incomplete = heard.path.complete == ROCECC_TELEMETRY_COMPLETE_NO;
        }
        const rocecc_hpcc_action a = rocecc_hpcc_ack(&m_net.hpcc, &m_state, m_hop, &r);
        if (a.verdict != ROCECC_HPCC_IGNORED) m_host.notifications++;
        Set(a.rate_bps, a.window_bytes);
    }

    rocecc_hpcc m_state;
    rocecc_hpcc_hop m_hop[kHopsMost];
};

class EchoingReceiver : public Receiver
{
  public:
    using Receiver::Receiver;

  private:
    /* Copies the records after the AETH, and echoes CE as BECN. */
    void Received(const Frame &data, uint32_t, Frame &ack) override
    {
        const rocecc_packet came = data.Located();
        rocecc_writer w = ack.Room();
        w.at = ack.n;
        if (data.Ecn() == ROCECC_ECN_CE) ack.b[ack.headers.bth + 4] |= kBecn;
        if (rocecc_echo_receiver_needs_action(rocecc_echo_receiver_step(&came, &w)))
            (void)ack.Append(static_cast<uint32_t>(w.at) - ack.n); /* counts them */
    }
};

std::unique_ptr<Sender> MakeHpccSender(Host &host, const Flow &flow)
{
    return std::make_unique<HpccSender>(host, flow);
}

std::unique_ptr<Receiver> MakeHpccReceiver(Host &host, const Flow &flow)
{
    return std::make_unique<EchoingReceiver>(host, flow);
}

} // namespace roce
