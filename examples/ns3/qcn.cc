/* SPDX-License-Identifier: BSD-2-Clause */

/* qcn.cc - QCN's sender. Its rate depends on CNMs, a timer and its bytes. */
#include "host.h"

#include "ns3/simulator.h"

namespace roce
{

using namespace ns3;

class QcnSender : public Sender
{
  public:
    QcnSender(Host &host, const Flow &f)
        : Sender(host, f), m_state(rocecc_qcn_rp_start(&m_net.qcnRp))
    {
    }

    void Cnm(uint8_t feedback) override
    {
        Act(rocecc_qcn_rp_cnm(&m_net.qcnRp, &m_state, feedback, 0));
        Send();
    }

  private:
    void Begin() override
    {
        Set(m_net.qcnRp.max_bps, 0);
    }

    void Sent(uint32_t wireBytes) override
    {
        Act(rocecc_qcn_rp_sent(&m_net.qcnRp, &m_state, wireBytes, 0, 0));
    }

    void End() override
    {
        m_timer.Cancel();
    }

    void Fire()
    {
        Act(rocecc_qcn_rp_timer(&m_net.qcnRp, &m_state, 0, 0));
    }

    void Act(const rocecc_qcn_rp_action &a)
    {
        Set(a.rate_bps, 0);
        if (a.released || a.timer_ns != 0) m_timer.Cancel();
        if (a.timer_ns != 0)
            m_timer =
                Simulator::Schedule(NanoSeconds(a.timer_ns), &QcnSender::Fire, this);
    }

    rocecc_qcn_rp m_state;
    EventId m_timer;
};

std::unique_ptr<Sender> MakeQcnSender(Host &host, const Flow &flow)
{
    return std::make_unique<QcnSender>(host, flow);
}

} // namespace roce
