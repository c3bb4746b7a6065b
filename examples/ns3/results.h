/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_NS3_RESULTS_H
#define EXAMPLES_NS3_RESULTS_H

/*
 * results.h - a run's results, from trace sources and counters. With endless flows,
 * queue and goodput cover the second half of the run. With other loads, the queue is
 * measured until the last flow's end, and there is no goodput. The longest queue is
 * from the whole run.
 */
#include "fabric.h"

#include <ostream>

namespace roce
{

/* The time that a queue had each length. */
class QueueWatch
{
  public:
    void Attach(ns3::Ptr<Port> port);
    void Begin();
    void End();
    double MeanBytes() const;
    /* Returns the length that is not exceeded for 99 % of the time, in whole KB. */
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
    /* Starts to measure queue and goodput at `when`. */
    void CountFrom(ns3::Time when);
    /* Writes a line per value, with its name. */
    void Summary(std::ostream &out);
    /*
     * Writes a line per flow: id from to bytes got links start_ns fct_ns. An unfinished
     * flow has fct_ns 0.
     */
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
    bool m_counts = false; /* rates are measured */
    size_t m_left;         /* unfinished flows */
    QueueWatch m_queue;
};

} // namespace roce

#endif
