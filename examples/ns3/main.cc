/* SPDX-License-Identifier: BSD-2-Clause */

/* main.cc - one run: its options, and where its results go. */
#include "load.h"
#include "results.h"

#include "ns3/command-line.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <fstream>
#include <iostream>

using namespace ns3;

namespace
{

struct Run {
    roce::Options network;
    std::string load = "longlived", out;
    uint32_t senders = 16, seed = 1;
    uint64_t size = 500000;
    double percent = 50;
    Time duration = MilliSeconds(4);
};

void Parse(Run &r, int argc, char **argv)
{
    CommandLine cmd;
    cmd.AddValue("scheme", "dcqcn, fastcnp, hpcc, ldcp, qcn", r.network.scheme);
    cmd.AddValue("load", "longlived, incast: a star; websearch: a fat tree", r.load);
    cmd.AddValue("senders", "star: hosts that send", r.senders);
    cmd.AddValue("size", "incast: bytes of a flow", r.size);
    cmd.AddValue("percent", "websearch: of each link, on average", r.percent);
    cmd.AddValue("duration", "longlived: until then; websearch: flows start until then",
                 r.duration);
    cmd.AddValue("rate", "of all links, bit/s", r.network.rateBps);
    cmd.AddValue("rtt", "of links alone, ns", r.network.rttNs);
    cmd.AddValue("buffer", "of a switch's port, bytes", r.network.bufferBytes);
    cmd.AddValue("payload", "of a packet, bytes", r.network.payloadBytes);
    cmd.AddValue("seed", "of random numbers", r.seed);
    cmd.AddValue("out", "OUT.flows.tsv and OUT.tsv are written; stdout: a summary",
                 r.out);
    cmd.Parse(argc, argv);
    if (r.network.payloadBytes == 0 || r.network.payloadBytes > 1500)
        NS_FATAL_ERROR("payload: 1 to 1500");
}

void Write(roce::Results &results, const std::string &out)
{
    if (out.empty()) {
        results.Summary(std::cout);
        return;
    }
    std::ofstream flows(out + ".flows.tsv"), summary(out + ".tsv.part");
    flows.precision(12);
    summary.precision(12);
    results.Flows(flows);
    results.Summary(summary);
    flows.close();
    summary.close();
    if (!flows || !summary ||
        std::rename((out + ".tsv.part").c_str(), (out + ".tsv").c_str()) != 0)
        NS_FATAL_ERROR("cannot write " << out);
}

} // namespace

int main(int argc, char **argv)
{
    Run r;
    Time::SetResolution(Time::PS); /* a byte takes 80 ps at 100 Gb/s */
    Parse(r, argc, argv);
    const bool web = r.load == "websearch", endless = r.load == "longlived";
    RngSeedManager::SetRun(r.seed);
    r.network.hops = web ? 5 : 4;
    roce::Fabric fabric(roce::Agree(r.network));
    if (web)
        fabric.FatTree();
    else
        fabric.Star(r.senders + 1);
    const std::vector<roce::Flow> flows =
        web ? roce::WebSearch(fabric, r.network.rateBps, r.percent, r.duration)
            : roce::Incast(fabric, endless ? UINT64_MAX : r.size);
    roce::Results results(fabric, flows);
    for (const roce::Flow &f : flows)
        fabric.Add(f);
    if (endless) results.CountFrom(r.duration / 2);
    Simulator::Stop(endless ? r.duration : Seconds(2)); /* others end by themselves */
    Simulator::Run();
    Write(results, r.out);
    Simulator::Destroy();
    return 0;
}
