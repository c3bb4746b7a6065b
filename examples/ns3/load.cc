/* SPDX-License-Identifier: BSD-2-Clause */

/* load.cc - an incast, a list, and web search. */
#include "load.h"

#include "ns3/fatal-error.h"

#include <fstream>
#include <sstream>

namespace roce
{

using namespace ns3;

constexpr int64_t kStream = 1000000; /* of random numbers, not used by switches */

std::vector<Flow> Incast(const Fabric &fabric, uint64_t bytes)
{
    const uint32_t to = fabric.Hosts() - 1;
    std::vector<Flow> flows;
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(kStream);
    for (uint32_t i = 0; i < to; i++)
        flows.push_back({i, fabric.StationAt(i), fabric.StationAt(to), bytes,
                         NanoSeconds(random->GetInteger(0, 999))});
    return flows;
}

std::vector<Flow> Listed(const Fabric &fabric, const std::string &file)
{
    const uint32_t to = fabric.Hosts() - 1;
    std::vector<Flow> flows;
    std::ifstream in(file);
    std::string line;
    if (!in)
        NS_FATAL_ERROR("load " << file
                               << ": expected longlived, incast, websearch, or a file "
                                  "that can be read");
    for (uint64_t number = 1; std::getline(in, line); number++) {
        std::istringstream words(line);
        uint64_t us, from, receiver, bytes;
        if (line.empty() || line[0] == '#') continue;
        if (!(words >> us >> from >> receiver >> bytes) || from >= to ||
            receiver != 0 || bytes == 0)
            NS_FATAL_ERROR(file << ": line " << number
                                << ": expected START_US SENDER 0 BYTES, with a SENDER "
                                   "below "
                                << to);
        flows.push_back({static_cast<uint32_t>(flows.size()),
                         fabric.StationAt(static_cast<uint32_t>(from)),
                         fabric.StationAt(to), bytes, MicroSeconds(us)});
    }
    return flows;
}

/*
 * Returns the sizes of DCTCP's web search workload (Alizadeh et al., SIGCOMM 2010,
 * figure 4), with the points from pFabric (SIGCOMM 2013) and the runs of HPCC (SIGCOMM
 * 2019). A point is a size in bytes, and the share of flows with at most this size.
 */
static Ptr<EmpiricalRandomVariable> Sizes()
{
    static const double points[][2] = {{1, 0},         {10000, 0.15},    {20000, 0.2},
                                       {30000, 0.3},   {50000, 0.4},     {80000, 0.53},
                                       {200000, 0.6},  {1000000, 0.7},   {2000000, 0.8},
                                       {5000000, 0.9}, {10000000, 0.97}, {30000000, 1}};
    Ptr<EmpiricalRandomVariable> sizes = CreateObject<EmpiricalRandomVariable>();
    for (const auto &p : points)
        sizes->CDF(p[0], p[1]);
    sizes->SetInterpolate(true);
    sizes->SetStream(kStream + 1);
    return sizes;
}

constexpr double kMeanBytes = 1711250; /* their mean, linear between the points */

std::vector<Flow> WebSearch(const Fabric &fabric, uint64_t rateBps, double percent,
                            Time duration)
{
    const double perSecond =
        static_cast<double>(rateBps) / 8 * percent / 100 / kMeanBytes * fabric.Hosts();
    Ptr<EmpiricalRandomVariable> sizes = Sizes();
    Ptr<ExponentialRandomVariable> gap = CreateObject<ExponentialRandomVariable>();
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    std::vector<Flow> flows;
    gap->SetStream(kStream + 2);
    random->SetStream(kStream + 3);
    for (Time at = Seconds(gap->GetValue(1 / perSecond, 0)); at < duration;
         at += Seconds(gap->GetValue(1 / perSecond, 0))) {
        const uint32_t n = fabric.Hosts();
        const uint32_t from = random->GetInteger(0, n - 1);
        const uint32_t to = (from + random->GetInteger(1, n - 1)) % n;
        flows.push_back({static_cast<uint32_t>(flows.size()), fabric.StationAt(from),
                         fabric.StationAt(to),
                         static_cast<uint64_t>(sizes->GetValue()) + 1, at});
    }
    return flows;
}

} // namespace roce
