/* SPDX-License-Identifier: BSD-2-Clause */

/* main.cc - one run, with its options and its output files. */
#include "load.h"
#include "results.h"
#include "trace.h"

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
    bool trace = false;
    Time duration = MilliSeconds(4);
};

void Parse(Run &r, int argc, char **argv)
{
    CommandLine cmd;
    cmd.AddValue("scheme", "dcqcn, fastcnp, hpcc, ldcp, qcn", r.network.scheme);
    cmd.AddValue("load",
                 "on a star: longlived, incast, or a file; on a fat tree: websearch",
                 r.load);
    cmd.AddValue("senders", "number of sending hosts of a star", r.senders);
    cmd.AddValue("size", "bytes of each flow of incast", r.size);
    cmd.AddValue("percent", "mean load of each host's link with websearch, in percent",
                 r.percent);
    cmd.AddValue("duration", "end of longlived; end of flow starts with websearch",
                 r.duration);
    cmd.AddValue("rate", "rate of all links in bit/s", r.network.rateBps);
    cmd.AddValue("rtt", "round-trip time of the links alone in ns", r.network.rttNs);
    cmd.AddValue("buffer", "buffer of a switch port in bytes", r.network.bufferBytes);
    cmd.AddValue("payload", "payload of a packet in bytes", r.network.payloadBytes);
    cmd.AddValue("preset", "preset of dcqcn and fastcnp: paper, nvidia, ns3_hpcc",
                 r.network.preset);
    cmd.AddValue("set",
                 "parameters, NAME=VALUE,...: ai_bps, or a name from cctrace, such as "
                 "dcqcn.hai_bps, cnpgate.interval_ns, wred.mark.min_bytes, "
                 "hpcc.max_stage, ldcp.continuous, qcn.gd_exp, qcn_cp.weight_q10",
                 Callback<bool, std::string>([&r](std::string one) {
                     r.network.set += (r.network.set.empty() ? "" : ",") + one;
                     return true;
                 }));
    cmd.AddValue("markAt", "mark by the queue at a packet's departure or arrival",
                 r.network.markAt);
    cmd.AddValue("jitterNs",
                 "limit of a host frame's random delay; -1: a data packet's time",
                 r.network.jitterNs);
    cmd.AddValue("seed", "seed of the random numbers", r.seed);
    cmd.AddValue("out", "write OUT.flows.tsv and OUT.tsv; without it, print a summary",
                 r.out);
    cmd.AddValue("trace", "also write OUT.trace.tsv, with sends and rates of hosts",
                 r.trace);
    cmd.Parse(argc, argv);
    if (r.network.payloadBytes == 0 || r.network.payloadBytes > 1500)
        NS_FATAL_ERROR("payload: expected 1 to 1500");
    if (r.trace && r.out.empty()) NS_FATAL_ERROR("trace: needs --out");
}

/* Writes the parameters of a run. */
void Heading(std::ostream &out, const Run &r)
{
    out << "scheme\t" << r.network.scheme << "\nload\t" << r.load << "\nseed\t"
        << r.seed << "\nrate_bps\t" << r.network.rateBps << "\nrtt_ns\t"
        << r.network.rttNs << "\npayload_bytes\t" << r.network.payloadBytes
        << "\nbuffer_bytes\t" << r.network.bufferBytes << "\npercent\t" << r.percent
        << "\npreset\t" << r.network.preset << "\nset\t" << r.network.set
        << "\nmark_at\t" << r.network.markAt << "\njitter_ns\t" << r.network.jitterNs
        << '\n';
}

/* Writes the results. OUT.tsv appears last and complete, when the run is done. */
void Write(roce::Results &results, const Run &r)
{
    const std::string &out = r.out;
    if (out.empty()) {
        Heading(std::cout, r);
        results.Summary(std::cout);
        return;
    }
    std::ofstream flows(out + ".flows.tsv"), summary(out + ".tsv.part");
    flows.precision(12);
    summary.precision(12);
    results.Flows(flows);
    Heading(summary, r);
    results.Summary(summary);
    flows.close();
    summary.close();
    if (!flows || !summary ||
        std::rename((out + ".tsv.part").c_str(), (out + ".tsv").c_str()) != 0)
        NS_FATAL_ERROR(out << ".tsv or .flows.tsv cannot be written");
}

std::vector<roce::Flow> FlowsOf(const Run &r, const roce::Fabric &fabric)
{
    if (r.load == "websearch")
        return roce::WebSearch(fabric, r.network.rateBps, r.percent, r.duration);
    if (r.load == "longlived") return roce::Incast(fabric, UINT64_MAX);
    if (r.load == "incast") return roce::Incast(fabric, r.size);
    return roce::Listed(fabric, r.load);
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
    const std::vector<roce::Flow> flows = FlowsOf(r, fabric);
    roce::Results results(fabric, flows);
    std::ofstream trace;
    std::unique_ptr<roce::Trace> tracer;
    if (r.trace) {
        trace.open(r.out + ".trace.tsv");
        tracer = std::make_unique<roce::Trace>(fabric, trace);
    }
    for (const roce::Flow &f : flows)
        fabric.Add(f);
    if (endless) results.CountFrom(r.duration / 2);
    Simulator::Stop(endless ? r.duration : Seconds(2)); /* others end by themselves */
    Simulator::Run();
    if (r.trace && !trace.flush())
        NS_FATAL_ERROR(r.out << ".trace.tsv cannot be written");
    Write(results, r);
    Simulator::Destroy();
    return 0;
}
