/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * signal.cc - the congestion signals of a queue: marks (WRED), Fast CNPs, CNMs of QCN,
 * and telemetry for HPCC++ in the room of an IOAM option.
 */
#include "switch.h"

#include "rocecc/packet/ioam.h"
#include "rocecc/telemetry/ioam.h"
#include "rocecc/wire/cnm.h"

#include "ns3/simulator.h"

#include <map>

namespace roce
{

using namespace ns3;

constexpr uint8_t kPriority = 3;             /* the data's: DSCP 26 */
constexpr uint64_t kClockNs = 1000000000000; /* a switch's clock is ahead of a host's */

static uint64_t NowNs()
{
    return static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
}

Signal::Signal(Switch &at, Ptr<Port> port) : m_at(at), m_port(port), m_net(at.Net())
{
}

rocecc_wred_verdict Signal::Wred(const Frame &f, uint32_t queueBytes)
{
    return rocecc_wred_decide(&m_net.wred, queueBytes, f.Ecn(), m_at.Random());
}

/* Returns true if the frame was not marked before. */
bool Signal::Mark(Frame &f)
{
    const rocecc_packet p = f.Located();
    const bool anew = rocecc_congestion_point_mark(&p, f.Room());
    marks += anew;
    return anew;
}

bool Signal::Enter(Frame &f, uint32_t frameBytes)
{
    const rocecc_wred_verdict verdict =
        Wred(f, m_port->Queued(Port::Data) + frameBytes);
    if (m_net.marksAtArrival && verdict == ROCECC_WRED_MARK) (void)Mark(f);
    return verdict != ROCECC_WRED_DROP;
}

bool Signal::Exit(Frame &f)
{
    return !m_net.marksAtArrival &&
           Wred(f, m_port->Queued(Port::Data)) == ROCECC_WRED_MARK && Mark(f);
}

/* Returns a writer after the Ethernet header. The library writes answers from IP on. */
rocecc_writer Signal::Answer(Frame &answer) const
{
    rocecc_writer w = answer.Room();
    const rocecc_ether ether = {{{0}}, m_at.Me().mac, ROCECC_TYPE_IPV6};
    (void)rocecc_ether_emit(&w, &ether);
    return w;
}

/* Sends Fast CNPs, with one gate per flow. */
class FastCnpSignal : public Signal
{
  public:
    using Signal::Signal;

    bool Enter(Frame &f, uint32_t frameBytes) override
    {
        rocecc_congestion_event e = {};
        e.verdict = Wred(f, m_port->Queued(Port::Data) + frameBytes);
        if (e.verdict != ROCECC_WRED_MARK) return e.verdict != ROCECC_WRED_DROP;
        e.admission.now_ns = NowNs();
        e.sender_support = ROCECC_FASTCNP_SUPPORT_YES;
        e.admission.list = &m_net.hosts;
        e.admission.sources = &m_at.told;
        e.admission.n_sources = 1;
        e.tunnels = &m_net.switches;
        e.gate = &GateOf(f);
        Step(f, e);
        return true;
    }

    bool Exit(Frame &) override
    {
        return false; /* Enter() has notified the sender */
    }

  private:
    using Key = std::pair<uint32_t, uint32_t>; /* the receiver and its QP */

    rocecc_cnpgate &GateOf(const Frame &f)
    {
        const Key key = {rocecc_load32(f.b + f.headers.ip.offset + 36), f.Bth().dest_qp};
        const auto fresh = rocecc_cnpgate_start(&m_net.congestion.gate);
        return m_gates.emplace(key, fresh).first->second;
    }

    void Step(Frame &f, const rocecc_congestion_event &e)
    {
        const rocecc_packet met = f.Located();
        rocecc_congestion_config c = m_net.congestion;
        Frame cnp(m_net);
        rocecc_writer w = Answer(cnp);
        c.cnp.src = m_at.Me().ip;
        const rocecc_congestion_result out =
            rocecc_congestion_point_step(&c, &m_at.congestion, &met, &e, &w);
        if ((out.outputs & ROCECC_CONGESTION_MARK) != 0) (void)Mark(f);
        if ((out.outputs & ROCECC_CONGESTION_FAST_CNP) == 0) return;
        cnp.n = static_cast<uint32_t>(w.at);
        m_at.Originate(cnp);
    }

    std::map<Key, rocecc_cnpgate> m_gates;
};

class QcnSignal : public Signal
{
  public:
    QcnSignal(Switch &at, Ptr<Port> port)
        : Signal(at, port), m_state(rocecc_qcn_cp_start(&m_net.qcnCp, at.Random()))
    {
    }

    bool Enter(Frame &f, uint32_t frameBytes) override
    {
        rocecc_qcn_cp_event q = {};
        q.frame_bytes = frameBytes;
        q.queue_bytes = m_port->Queued(Port::Data) + frameBytes;
        q.random = m_at.Random();
        const rocecc_qcn_cp_action a = rocecc_qcn_cp_offer(&m_net.qcnCp, &m_state, &q);
        if (a.cnm) Tell(f, a);
        return true;
    }

    bool Exit(Frame &) override
    {
        return false;
    }

  private:
    void Tell(const Frame &f, const rocecc_qcn_cp_action &a)
    {
        const rocecc_cnm_config c = {};
        rocecc_cnm_frame h = {};
        rocecc_reader r = rocecc_subrange(f.View(), f.headers.cntag, f.n);
        rocecc_cntag sampled = {};
        Frame cnm(m_net);
        rocecc_writer w = cnm.Room();
        if (f.headers.cntag != 0) (void)rocecc_cntag_parse(&r, &sampled);
        h.head.dst = rocecc_mac_load(f.b + 6);
        h.head.src = m_at.Me().mac;
        h.head.tagged = true;
        h.head.flow_id = sampled.flow_id;
        h.cnm.qntz_fb = a.qntz_fb;
        (void)rocecc_cnm_cpid(&m_at.Me().mac, m_port->GetIfIndex(), kPriority,
                              &h.cnm.cpid);
        h.cnm.q_offset = rocecc_cnm_q_offset(ROCECC_CNM_SIGNS_A, a.offset_bytes);
        h.cnm.q_delta = rocecc_cnm_q_delta(ROCECC_CNM_SIGNS_A, a.delta_bytes);
        h.cnm.encap_priority = kPriority;
        h.cnm.encap_dst = rocecc_mac_load(f.b);
        h.cnm.msdu =
            rocecc_cnm_msdu(&c, rocecc_subrange(f.View(), f.headers.ip.offset - 2u, f.n),
                            ROCECC_CNM_MSDU_MAX_BYTES);
        if (rocecc_cnm_frame_build(&w, &c, &h) != ROCECC_OK) return;
        cnm.n = static_cast<uint32_t>(w.at);
        m_at.Originate(cnm);
    }

    rocecc_qcn_cp m_state;
};

class TelemetrySignal : public Signal
{
  public:
    using Signal::Signal;

    bool Exit(Frame &f) override
    {
        (void)Signal::Exit(f);
        const rocecc_packet at = f.Located();
        const rocecc_hop h = Measured();
        rocecc_ioam_node n;
        rocecc_ioam_node_init(&n);
        (void)rocecc_ioam_set(&n, ROCECC_IOAM_ITEM_HOP_LIMIT, f.b[f.headers.ip.offset + 7]);
        rocecc_telemetry_ioam_store(&m_net.telemetry, &h, &n);
        (void)rocecc_ioam_update(&at, f.Room(), &n, rocecc_subrange(at.bytes, 0, 0));
        return true;
    }

  private:
    /*
     * Returns the port's values. Sent bytes count as on the link. This frame is not yet
     * included.
     */
    rocecc_hop Measured() const
    {
        rocecc_hop h = {};
        h.id = static_cast<uint64_t>(m_at.Me().index) << 32 | m_port->GetIfIndex();
        h.rate_bps = m_port->RateBps();
        h.tx_bytes = m_port->WireBytesSent() & 0xffffffff;
        h.ts_ns = NowNs() + kClockNs;
        h.queue_bytes = m_port->Queued() / m_net.telemetry.queue_unit_bytes *
                        m_net.telemetry.queue_unit_bytes;
        h.valid = ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_TX | ROCECC_HOP_TS |
                  ROCECC_HOP_QUEUE;
        return h;
    }
};

std::unique_ptr<Signal> MakeSignal(Switch &at, Ptr<Port> port)
{
    switch (at.Net().scheme) {
    case Scheme::FastCnp:
        return std::make_unique<FastCnpSignal>(at, port);
    case Scheme::Hpcc:
        return std::make_unique<TelemetrySignal>(at, port);
    case Scheme::Qcn:
        return std::make_unique<QcnSignal>(at, port);
    default:
        return std::make_unique<Signal>(at, port);
    }
}

} // namespace roce
