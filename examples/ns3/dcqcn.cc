/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * dcqcn.cc - DCQCN's sender, with three timers as ns-3 events, and its receiver. The
 * receiver answers marks with CNPs. With Fast CNPs a switch notifies the sender, so the
 * receiver has no mark to answer.
 */
#include "host.h"

#include "ns3/simulator.h"

namespace roce
{

using namespace ns3;

class DcqcnSender : public Sender
{
  public:
    DcqcnSender(Host &host, const Flow &f)
        : Sender(host, f), m_state(rocecc_dcqcn_start(&m_net.dcqcn))
    {
    }

    void Cnp() override
    {
        Act(rocecc_dcqcn_cnp(&m_net.dcqcn, &m_state));
        Send();
    }

  private:
    enum Kind { Alpha, Cut, Increase, Kinds }; /* in the order of an action's bits */

    void Begin() override
    {
        Set(m_net.dcqcn.line_bps, 0);
    }

    void Sent(uint32_t wireBytes) override
    {
        Act(rocecc_dcqcn_sent(&m_net.dcqcn, &m_state, wireBytes));
    }

    void End() override
    {
        for (EventId &timer : m_timer)
            timer.Cancel();
    }

    void Fire(int kind)
    {
        Act(kind == Alpha ? rocecc_dcqcn_alpha_timer(&m_net.dcqcn, &m_state)
            : kind == Cut ? rocecc_dcqcn_cut_timer(&m_net.dcqcn, &m_state)
                          : rocecc_dcqcn_increase_timer(&m_net.dcqcn, &m_state));
    }

    void Act(const rocecc_dcqcn_action &a)
    {
        const uint32_t ns[Kinds] = {m_net.dcqcn.alpha_timer_ns,
                                    m_net.dcqcn.cut_interval_ns,
                                    m_net.dcqcn.increase_timer_ns};
        Set(a.rate_bps, 0);
        for (int i = 0; i < Kinds; i++) {
            if (((a.stop | a.arm) >> i & 1) != 0) m_timer[i].Cancel();
            if ((a.arm >> i & 1) != 0)
                m_timer[i] = Simulator::Schedule(NanoSeconds(ns[i]), &DcqcnSender::Fire,
                                                 this, i);
        }
    }

    rocecc_dcqcn m_state;
    EventId m_timer[Kinds];
};

class NotifyingReceiver : public Receiver
{
  public:
    NotifyingReceiver(Host &host, const Flow &f)
        : Receiver(host, f), m_gate(rocecc_cnpgate_start(&m_net.notification.gate))
    {
    }

  private:
    /*
     * Answers a marked packet, even if it is out of order. The library writes the CNP
     * from its IP header on.
     */
    void Met(const Frame &data) override
    {
        const rocecc_packet came = data.Located();
        rocecc_notification_event e = {};
        Frame cnp(m_net);
        rocecc_writer w = cnp.Room();
        rocecc_ether ether = {m_host.MacTowards(flow.src), flow.dst.mac,
                              ROCECC_TYPE_IPV6};
        e.now_ns = static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
        e.src_qp = flow.SenderQp();
        (void)rocecc_ether_emit(&w, &ether);
        if (rocecc_notification_point_step(&m_net.notification, &m_gate, &came, e, &w)
                .verdict != ROCECC_NOTIFICATION_SENT)
            return;
        cnp.n = static_cast<uint32_t>(w.at);
        m_host.Transmit(cnp.ToPacket(), Port::Control);
    }

    rocecc_cnpgate m_gate;
};

std::unique_ptr<Sender> MakeDcqcnSender(Host &host, const Flow &flow)
{
    return std::make_unique<DcqcnSender>(host, flow);
}

std::unique_ptr<Receiver> MakeDcqcnReceiver(Host &host, const Flow &flow)
{
    return std::make_unique<NotifyingReceiver>(host, flow);
}

} // namespace roce
