/* SPDX-License-Identifier: BSD-2-Clause */

/* network.cc - each scheme's parameters, from the library's presets and the options. */
#include "network.h"

#include "ns3/fatal-error.h"

namespace roce
{

/* Returns 2001:db8::/48 for hosts, and 2001:db8:1::/48 for switches. */
static rocecc_ip6 Prefix(bool isSwitch)
{
    rocecc_ip6 ip = {{0x20, 1, 0x0d, 0xb8, 0, static_cast<uint8_t>(isSwitch)}};
    return ip;
}

Station StationOf(uint32_t index, bool isSwitch)
{
    Station s = {index, {{2, static_cast<uint8_t>(isSwitch)}}, Prefix(isSwitch)};
    rocecc_store32(s.mac.b + 2, index);
    rocecc_store32(s.ip.b + 12, index);
    return s;
}

static Scheme SchemeOf(const std::string &name)
{
    if (name == "dcqcn") return Scheme::Dcqcn;
    if (name == "fastcnp") return Scheme::FastCnp;
    if (name == "hpcc") return Scheme::Hpcc;
    if (name == "ldcp") return Scheme::Ldcp;
    if (name == "qcn") return Scheme::Qcn;
    NS_FATAL_ERROR("scheme " << name << ": expected dcqcn, fastcnp, hpcc, ldcp or qcn");
}

/* Sets laboratory values for numbers that are not assigned. */
static void Numbers(Network &n)
{
    n.domain.roce.echo_bytes = 160;
    n.domain.ioam.namespace_id = 123;
    n.domain.ioam.tx_bytes_bit = 12;
    n.domain.fastcnp.type_plain = 0x9e;
    n.domain.fastcnp.type_ioam = 0x9f;
    if (rocecc_domain_init(&n.domain) != ROCECC_DOMAIN_ACCEPTED)
        NS_FATAL_ERROR("the library refuses the domain");
}

static void Lists(Network &n)
{
    uint32_t at;
    n.switchEntry.prefix = Prefix(true);
    n.hostEntry.prefix = Prefix(false);
    n.switchEntry.length = n.hostEntry.length = 48;
    n.switchEntry.permit = n.hostEntry.permit = 1;
    if (rocecc_acl_init(&n.switches, &n.switchEntry, 1, &at) != ROCECC_ACL_ACCEPTED ||
        rocecc_acl_init(&n.hosts, &n.hostEntry, 1, &at) != ROCECC_ACL_ACCEPTED)
        NS_FATAL_ERROR("the library refuses the access lists");
}

/*
 * Sets reaction point, notification point and marks from one preset, except that nvidia
 * has the marks of HPCC's simulations. Up to 40 Gb/s the default is DCQCN's paper. The
 * paper has no numbers above this, so there the default is from HPCC's simulations.
 */
static void DcqcnPreset(Network &n)
{
    const uint64_t bps = n.options.rateBps;
    rocecc_cnpgate_params &gate = n.notification.gate;
    std::string preset = n.options.preset;
    if (preset.empty()) preset = bps <= 40000000000 ? "paper" : "ns3_hpcc";
    n.wred = rocecc_wred_hpcc_runs(bps);
    if (preset == "paper") {
        n.dcqcn = rocecc_dcqcn_paper(bps);
        gate = rocecc_cnpgate_paper();
        n.wred = rocecc_wred_dcqcn_paper();
    } else if (preset == "nvidia") {
        n.dcqcn = rocecc_dcqcn_nvidia(bps);
        gate = rocecc_cnpgate_nvidia();
    } else if (preset == "ns3_hpcc") {
        n.dcqcn = rocecc_dcqcn_ns3_hpcc(bps);
        gate = rocecc_cnpgate_ns3();
    } else {
        NS_FATAL_ERROR("preset " << preset << ": expected paper, nvidia or ns3_hpcc");
    }
}

/*
 * Sets DCQCN. HPCC's authors have no interval between CNPs, because their sender's
 * timer paces the cuts. Switches have one, because a Fast CNP is an additional packet.
 */
static void Dcqcn(Network &n)
{
    rocecc_dcqcn_params &p = n.dcqcn;
    rocecc_cnpgate_params &gate = n.notification.gate;
    DcqcnPreset(n);
    if (n.settings.AiBps() != 0) p.ai_bps = n.settings.AiBps();
    n.settings.Apply("dcqcn", &p);
    n.settings.Apply("cnpgate", &gate);
    p.min_bps = rocecc_min(p.min_bps, n.options.rateBps);
    Ready("dcqcn", &p);
    Ready("cnpgate", &gate);
    n.congestion.gate = gate.interval_ns == 0 ? rocecc_cnpgate_nvidia() : gate;
    n.notification.cnp = rocecc_cnp_default();
    if (rocecc_notification_point_init(&n.notification) != ROCECC_NOTIFICATION_ACCEPTED)
        NS_FATAL_ERROR("the library refuses the notification point");
}

/*
 * A list here has one entry, for all switches or all hosts, so a source's limits are
 * limits for all of them. No notification is forged, and no run reaches the limits.
 */
constexpr uint32_t kHeardPerSecond = 50000;
constexpr uint32_t kToldPerSecond = 1000000;

/* Sets the hosts' gate. It accepts Fast CNPs only in scheme fastcnp, from switches. */
static void Reaction(Network &n)
{
    n.reaction.check_icrc = true;
    n.reaction.fastcnp_enabled = n.scheme == Scheme::FastCnp;
    n.reaction.admission = rocecc_admission_for(1, kHeardPerSecond);
    if (rocecc_reaction_point_init(&n.reaction, &n.domain, &n.switches) !=
        ROCECC_REACTION_ACCEPTED)
        NS_FATAL_ERROR("the library refuses the reaction point");
}

/* Sets the switches. Each switch puts its own address into cnp.src. */
static void Congestion(Network &n)
{
    rocecc_congestion_config &c = n.congestion;
    c.fastcnp_enabled = c.quiet_if_told = true;
    c.answer = rocecc_opcode_set_data();
    c.cnp = rocecc_cnp_default();
    c.cnp.src = StationOf(0, true).ip;
    c.admission = rocecc_admission_for(1, kToldPerSecond);
    if (rocecc_congestion_point_init(&c, &n.domain, &n.hosts) !=
        ROCECC_CONGESTION_ACCEPTED)
        NS_FATAL_ERROR("the library refuses the congestion point");
}

/* Sets T to 5 % above the round trip, and W_AI to the paper's 80 bytes at 100 Gb/s. */
static void Hpcc(Network &n)
{
    rocecc_hpcc_params &p = n.hpcc;
    const uint64_t bps = n.options.rateBps;
    n.telemetry.rate_bps = bps;
    n.telemetry.queue_unit_bytes = 80;
    p = rocecc_hpcc_paper(bps);
    p.base_rtt_ns = static_cast<uint32_t>(n.options.rttNs * 105 / 100);
    p.w_init_bytes = p.w_max_bytes = bps / 8000000 * p.base_rtt_ns / 1000;
    p.w_blind_bytes = rocecc_max(p.w_init_bytes / 20, 1);
    p.w_ai_q8 = bps * 256 / 1250000000;
    if (n.settings.AiBps() != 0)
        p.w_ai_q8 = n.settings.AiBps() / 1000 * p.base_rtt_ns / 8000 * 256 / 1000;
    p.reorder_ns = 4 * p.base_rtt_ns;
    p.max_hops = static_cast<uint8_t>(n.options.hops);
    n.wred = rocecc_wred_hpcc_runs(bps);
    if (rocecc_telemetry_init(&n.telemetry) != ROCECC_OK)
        NS_FATAL_ERROR("the library refuses the telemetry");
    const rocecc_telemetry_moduli wraps = rocecc_telemetry_moduli_derive(
        &n.telemetry, ROCECC_TELEMETRY_IOAM, p.fastest_bps, p.reorder_ns);
    p.ts_mod_ns = wraps.ts_mod_ns;
    p.tx_mod_bytes = wraps.tx_mod_bytes;
    p.dt_max_ns = wraps.dt_max_ns;
    n.settings.Apply("hpcc", &p);
    Ready("hpcc", &p);
}

/* Sets IW to a BDP in packets, plus 2 packets for store-and-forward. */
static void Ldcp(Network &n)
{
    const uint32_t mtu = n.options.payloadBytes + ROCECC_BTH_BYTES + ROCECC_LSN_BYTES +
                         ROCECC_ICRC_BYTES;
    const uint32_t bdp =
        static_cast<uint32_t>(n.options.rateBps / 8000 * n.options.rttNs / 1000000);
    n.ldcp = rocecc_ldcp_hns(bdp / (mtu + 62 + 24) + 2);
    n.ldcp.mtu_bytes = mtu;
    n.wred = rocecc_wred_ldcp(bdp, static_cast<uint32_t>(n.options.bufferBytes));
    n.settings.Apply("ldcp", &n.ldcp);
    Ready("ldcp", &n.ldcp);
}

/* Scales the rates and times of 802.1Qau, which are for 10 Gb/s, to the link rate. */
static void Qcn(Network &n)
{
    const uint64_t bps = n.options.rateBps, at10g = 10000000000;
    rocecc_qcn_rp_params &p = n.qcnRp;
    n.qcnCp = rocecc_qcn_cp_mib();
    n.qcnCp.skip_dropped = 1; /* only admitted frames are offered */
    p = rocecc_qcn_rp_qau(bps);
    p.ai_bps = p.ai_bps * (bps / 1000000) / (at10g / 1000000);
    p.hai_bps = p.hai_bps * (bps / 1000000) / (at10g / 1000000);
    p.min_bps = p.ai_bps;
    p.time_reset_ns = static_cast<uint32_t>(p.time_reset_ns * at10g / bps);
    n.settings.Apply("qcn", &p);
    n.settings.Apply("qcn_cp", &n.qcnCp);
    Ready("qcn", &p);
    Ready("qcn_cp", &n.qcnCp);
}

/*
 * Sets the marks. For a scheme that relies on marks, the buffer must exceed min_bytes.
 */
static void Marks(Network &n)
{
    const bool alone = n.scheme != Scheme::Hpcc && n.scheme != Scheme::Qcn;
    n.settings.Apply("wred", &n.wred);
    Ready("wred", &n.wred);
    if (alone && n.wred.mark.min_bytes >= n.options.bufferBytes)
        NS_FATAL_ERROR("wred.mark.min_bytes="
                       << n.wred.mark.min_bytes << " is above the buffer of "
                       << n.options.bufferBytes
                       << " bytes, so no packet would be marked");
    if (n.options.markAt != "departure" && n.options.markAt != "arrival")
        NS_FATAL_ERROR("markAt " << n.options.markAt
                                 << ": expected departure or arrival");
    n.marksAtArrival = n.options.markAt == "arrival";
}

static void Jitter(Network &n)
{
    const Options &o = n.options;
    const uint64_t packet = o.payloadBytes + 78; /* Ethernet, IPv6, UDP, BTH and ICRC */
    if (o.jitterNs > 4000000) NS_FATAL_ERROR("jitterNs: expected at most 4000000");
    n.jitterPs = o.jitterNs < 0 ? (packet + 24) * UINT64_C(8000000000000) / o.rateBps
                                : static_cast<uint64_t>(o.jitterNs) * 1000;
}

std::shared_ptr<const Network> Agree(const Options &options)
{
    auto n = std::make_shared<Network>();
    n->options = options;
    n->scheme = SchemeOf(options.scheme);
    n->settings = Settings(options.set);
    Numbers(*n);
    Lists(*n);
    Dcqcn(*n);
    Reaction(*n);
    Congestion(*n);
    if (n->scheme == Scheme::Hpcc) Hpcc(*n);
    if (n->scheme == Scheme::Ldcp) Ldcp(*n);
    Qcn(*n);
    Marks(*n);
    Jitter(*n);
    return n;
}

} // namespace roce
