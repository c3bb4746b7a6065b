/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_NS3_NETWORK_H
#define EXAMPLES_NS3_NETWORK_H

/*
 * network.h - the configuration that all nodes share: unassigned numbers and
 * parameters. It does not change during a run. Variable state belongs to a single node,
 * so each process of a distributed run may have a copy of the configuration.
 */
#include "params.h"

#include "rocecc/algo/dcqcn.h"
#include "rocecc/algo/hpcc.h"
#include "rocecc/algo/ldcp.h"
#include "rocecc/algo/qcn.h"
#include "rocecc/algo/wred.h"
#include "rocecc/role/congestion_point.h"
#include "rocecc/role/notification_point.h"
#include "rocecc/role/reaction_point.h"
#include "rocecc/telemetry/telemetry.h"
#include "rocecc/wire/lsn.h"

#include <memory>
#include <string>

namespace roce
{

enum class Scheme { Dcqcn, FastCnp, Hpcc, Ldcp, Qcn };

struct Options {
    std::string scheme = "dcqcn";
    uint64_t rateBps = 100000000000;
    uint64_t rttNs = 8000; /* of links only, along the longest path */
    uint64_t bufferBytes = 32000000;
    uint32_t payloadBytes = 1000;
    uint32_t hops = 4;  /* for which telemetry has room */
    std::string preset; /* DCQCN's: paper, nvidia, ns3_hpcc; empty: by the rate */
    std::string set;    /* parameters: NAME=VALUE,... */
    std::string markAt = "departure"; /* or arrival: when a switch reads its queue */
    int64_t jitterNs = -1; /* bound of a host's frame delay; -1: a packet's time */
};

struct Network {
    Scheme scheme;
    Options options;
    Settings settings;
    bool marksAtArrival;
    uint64_t jitterPs; /* bound of a host's frame delay */
    rocecc_domain domain;
    rocecc_acl_entry switchEntry, hostEntry;
    rocecc_acl switches, hosts; /* lists of their addresses */
    rocecc_wred_params wred;
    rocecc_dcqcn_params dcqcn;
    rocecc_notification_config notification;
    rocecc_congestion_config congestion;
    rocecc_reaction_config reaction;
    rocecc_hpcc_params hpcc;
    rocecc_telemetry_config telemetry;
    rocecc_ldcp_params ldcp;
    rocecc_qcn_cp_params qcnCp;
    rocecc_qcn_rp_params qcnRp;

    /* Returns true if switches use MAC addresses. Routers would not forward CNMs. */
    bool Bridged() const
    {
        return scheme == Scheme::Qcn;
    }
};

/* A node's identity on the wire. */
struct Station {
    uint32_t index;
    rocecc_mac mac;
    rocecc_ip6 ip;
};

Station StationOf(uint32_t index, bool isSwitch);

/* Builds a network. Ends the program if the options are invalid. */
std::shared_ptr<const Network> Agree(const Options &options);

} // namespace roce

#endif
