/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_NS3_RESULTS_H
#define EXAMPLES_NS3_RESULTS_H

/*
 * results.h - what came of a run, from trace sources and counters. Queue and goodput
 * are, of endless flows, those of the second half, and else until the last one's end.
 */
#include "fabric.h"

#include <ostream>

namespace roce
{

/* For how long a queue had which length. */
class QueueWatch
{
  public:
    void Attach(ns3::Ptr<Port> port);
    void Begin();
    void End();
    double MeanBytes() const;
    /* The length that it does not exceed for 99 % of the time, in whole KB. */
    uint32_t P99Bytes() const;
    uint32_t MostBytes() const;

  private:
    void Changed(uint32_t before, uint32_t now);
    void Account(uint32_t bytes);

    ns3::Ptr<Port> m_port;
    ns3::Time m_last;
    double m_seconds = 0, m_area = 0;
    uint32_t m_most = 0;
    bool m_ended = false;
    std::vector<double> m_perKb;
};

class Results
{
  public:
    Results(Fabric &fabric, const std::vector<Flow> &flows);
    /* Queue and goodput count from then on. */
    void CountFrom(ns3::Time when);
    /* Name and value, a line each. */
    void Summary(std::ostream &out);
    /* A line for each flow: id from to bytes links start_ns fct_ns, 0 if it goes on. */
    void Flows(std::ostream &out) const;

  private:
    void Begin();
    void Finished(uint32_t flow);
    void Freeze();
    void Rates(std::ostream &out) const;
    void Ledger(std::ostream &out) const;

    Fabric &m_fabric;
    const std::vector<Flow> &m_flows;
    std::vector<ns3::Time> m_end;
    std::vector<uint64_t> m_before;
    uint64_t m_wireBefore = 0;
    uint64_t m_wire = 0;
    ns3::Time m_from, m_until;
    bool m_counts = false; /* rates */
    size_t m_left;         /* flows */
    QueueWatch m_queue;
};

} // namespace roce

#endif
