/* SPDX-License-Identifier: BSD-2-Clause */

/* results.cc - queue lengths over time, rates, and a ledger of frames. */
#include "results.h"

#include "ns3/simulator.h"

namespace roce
{

using namespace ns3;

/* ---- a queue */

void QueueWatch::Attach(Ptr<Port> port)
{
    m_port = port;
    port->TraceConnectWithoutContext("Queued",
                                     MakeCallback(&QueueWatch::Changed, this));
}

void QueueWatch::Begin()
{
    m_last = Simulator::Now();
    m_seconds = m_area = 0;
    m_perKb.clear();
}

void QueueWatch::End()
{
    Account(m_port->Queued());
    m_ended = true;
}

void QueueWatch::Account(uint32_t bytes)
{
    const double passed = (Simulator::Now() - m_last).GetSeconds();
    const size_t kb = (bytes + 999) / 1000;
    if (kb >= m_perKb.size()) m_perKb.resize(kb + 1);
    m_perKb[kb] += passed;
    m_seconds += passed;
    m_area += passed * bytes;
    m_last = Simulator::Now();
}

void QueueWatch::Changed(uint32_t before, uint32_t now)
{
    Account(before);
    if (now > m_most) m_most = now;
}

double QueueWatch::MeanBytes() const
{
    return m_seconds == 0 ? 0 : m_area / m_seconds;
}

uint32_t QueueWatch::P99Bytes() const
{
    double sum = 0;
    uint32_t kb = 0;
    while (kb < m_perKb.size() && (sum += m_perKb[kb]) < 0.99 * m_seconds)
        kb++;
    return kb * 1000;
}

uint32_t QueueWatch::MostBytes() const
{
    return m_most;
}

/* ---- a run */

Results::Results(Fabric &fabric, const std::vector<Flow> &flows)
    : m_fabric(fabric), m_flows(flows), m_end(flows.size()), m_before(flows.size()),
      m_left(flows.size())
{
    m_queue.Attach(fabric.PortTo(fabric.Hosts() - 1));
    for (uint32_t i = 0; i < fabric.Hosts(); i++)
        fabric.HostAt(i)->TraceConnectWithoutContext(
            "Finished", MakeCallback(&Results::Finished, this));
}

void Results::CountFrom(Time when)
{
    Simulator::Schedule(when, &Results::Begin, this);
}

void Results::Begin()
{
    m_counts = true;
    m_from = Simulator::Now();
    m_queue.Begin();
    m_wireBefore = m_fabric.PortTo(m_fabric.Hosts() - 1)->WireBytesSent();
    for (size_t i = 0; i < m_flows.size(); i++)
        m_before[i] = m_fabric.Got(m_flows[i]);
}

void Results::Finished(uint32_t flow)
{
    m_end[flow] = Simulator::Now();
    if (--m_left == 0) Freeze();
}

/* Ends all measurements over time. */
void Results::Freeze()
{
    m_until = Simulator::Now();
    m_wire = m_fabric.PortTo(m_fabric.Hosts() - 1)->WireBytesSent() - m_wireBefore;
    m_queue.End();
}

/* Writes goodput and Jain's index of all flows, and the use of the last host's link. */
void Results::Rates(std::ostream &out) const
{
    const double seconds = (m_until - m_from).GetSeconds();
    const Ptr<Port> port = m_fabric.PortTo(m_fabric.Hosts() - 1);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < m_flows.size(); i++) {
        const double got = static_cast<double>(m_fabric.Got(m_flows[i]) - m_before[i]);
        sum += got;
        squares += got * got;
    }
    const double wire = static_cast<double>(m_wire);
    const double rate = static_cast<double>(port->RateBps());
    out << "goodput_gbps\t" << sum * 8e-9 / seconds << "\nutilisation\t"
        << wire * 8 / seconds / rate << "\njain\t"
        << sum * sum / (squares * static_cast<double>(m_flows.size())) << '\n';
}

static void Row(std::ostream &out, const char *name, const Count &c)
{
    out << name << "_packets\t" << c.packets << '\n'
        << name << "_bytes\t" << c.bytes << '\n';
}

static void Add(Count &sum, const Count &c)
{
    sum.packets += c.packets;
    sum.bytes += c.bytes;
}

/*
 * Writes a ledger of frames: made by hosts, made by switches, delivered to hosts,
 * dropped, without a route or with hop limit 0, in flight, and queued.
 */
void Results::Ledger(std::ostream &out) const
{
    Count made, told, delivered, dropped, astray, sent, received, entered;
    uint64_t queued = 0;
    for (uint32_t i = 0; i < m_fabric.Hosts(); i++) {
        const Ptr<Port> nic = m_fabric.PortTo(i)->Peer();
        Add(made, nic->enqueued);
        Add(delivered, nic->received);
    }
    for (const Ptr<Switch> &s : m_fabric.switches) {
        Add(told, s->originated);
        Add(astray, s->astray);
    }
    for (const Ptr<Port> &p : m_fabric.ports) {
        Add(dropped, p->dropped);
        Add(sent, p->sent);
        Add(received, p->received);
        Add(entered, p->enqueued);
        queued += p->Queued();
    }
    Row(out, "made", made);
    Row(out, "told", told);
    Row(out, "delivered", delivered);
    Row(out, "dropped", dropped);
    Row(out, "astray", astray);
    Row(out, "flying", {sent.packets - received.packets, sent.bytes - received.bytes});
    Row(out, "queued", {entered.packets - sent.packets, queued});
}

void Results::Summary(std::ostream &out)
{
    uint64_t marks = 0, notifications = 0, broken = 0, idle = 0;
    size_t finished = 0;
    for (size_t i = 0; i < m_flows.size(); i++)
        finished += m_end[i] != Time();
    for (const Ptr<Switch> &s : m_fabric.switches)
        for (uint32_t k = 0; k < s->Ports(); k++)
            marks += s->SignalOf(k).marks;
    for (uint32_t i = 0; i < m_fabric.Hosts(); i++) {
        notifications += m_fabric.HostAt(i)->notifications;
        broken += m_fabric.HostAt(i)->broken;
    }
    for (const Ptr<Port> &p : m_fabric.ports)
        idle += p->sent.packets == 0;
    if (m_left != 0) Freeze();
    out << "flows\t" << m_flows.size() << "\nfinished\t" << finished << "\nmarks\t"
        << marks << "\nnotifications\t" << notifications << "\nidle_ports\t" << idle
        << "\nbroken\t" << broken << "\nqueue_mean_bytes\t" << m_queue.MeanBytes()
        << "\nqueue_p99_bytes\t" << m_queue.P99Bytes() << "\nqueue_most_bytes\t"
        << m_queue.MostBytes() << '\n';
    if (m_counts) Rates(out);
    Ledger(out);
    out << "events\t" << Simulator::GetEventCount() << '\n';
}

void Results::Flows(std::ostream &out) const
{
    out << "id\tfrom\tto\tbytes\tgot\tlinks\tstart_ns\tfct_ns\n";
    for (size_t i = 0; i < m_flows.size(); i++) {
        const Flow &f = m_flows[i];
        const bool ended = m_end[i] != Time();
        const double ns = ended ? (m_end[i] - f.start).GetSeconds() * 1e9 : 0;
        out << f.id << '\t' << f.src.index << '\t' << f.dst.index << '\t'
            << (f.Endless() ? 0 : f.bytes) << '\t' << m_fabric.Got(f) << '\t'
            << m_fabric.Links(f.src.index, f.dst.index) << '\t'
            << f.start.GetNanoSeconds() << '\t' << ns << '\n';
    }
}

} // namespace roce
