/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_L3QCN_TOR_H
#define ROCECC_ROLE_L3QCN_TOR_H

/*
 * l3qcn_tor.h - the access top-of-rack switch (ToR) of L3QCN. The ToR stores the MAC
 * addresses, tags, FLOW-ID and port of each flow that its hosts send, because this
 * information is lost when packets are routed. It can then convert a private CNM for
 * such a flow into a standard QCN CNM for the host. draft-yu-tsvwg-l3qcn-00, 3.2.2,
 * steps 1 and 4, Figure 5.
 *
 *           host's port                          fabric port
 *   host  --data, CN-TAG-->  learn()   --data, routed-->       congested device
 *         <-----CNM--------  convert() <--private CNM, routed--
 *                            (learn() is in l3qcn_tor_learn.h)
 *
 * convert() works in place. The PDU does not move, and the head of the CNM overwrites
 * the bytes before the PDU. The next figure shows IPv4 and a CNM with two VLAN tags.
 *
 *   +----------+--------+-------+------------------+---------+
 *   | Ethernet | IPv4   | UDP   | L3QCN: 5-tuple   | CNM PDU |
 *   +----------+--------+-+-----+------------------+---------+-------------+
 *                         | DA SA tags CN-TAG Type | CNM PDU | zeros to 60 |
 *                         +------------------------+---------+-------------+
 *
 * Example: a host sends UDP from 192.0.2.1:1025 to 198.51.100.2:4791 through port 3,
 * with FLOW-ID 7 in the CN-TAG. learn() stores the host's MAC address, port 3 and
 * FLOW-ID 7. convert() turns a private CNM for this flow into a CNM with FLOW-ID 7 to
 * that MAC address. The result tells the caller to send the CNM out of port 3.
 *
 * The caller must call convert() only for packets that would leave through a host port.
 * It must route private CNMs for other ToRs without converting them. README.md lists
 * the conversion steps C1 to C14 and the checks S3 to S8, and explains how far a
 * private CNM can be trusted.
 *
 * Only one thread at a time may call learn(), convert(), sweep() or forget().
 */
#include "../guard/admission.h"
#include "../guard/cnpgate.h"
#include "../guard/flowforget.h"
#include "../packet/arrival.h"
#include "../packet/flow.h"
#include "../packet/l3qcn.h"
#include "../packet/udp.h"

/* Reasons why init() rejects a configuration. */
typedef enum rocecc_l3qcn_tor_refusal {
    ROCECC_L3QCN_TOR_ACCEPTED = 0,
    ROCECC_L3QCN_TOR_REFUSED_PORT,     /* the domain's l3qcn.port is 0 or 4791 */
    ROCECC_L3QCN_TOR_REFUSED_TABLE,    /* rocecc_flowtable_init() gives the reason */
    ROCECC_L3QCN_TOR_REFUSED_MAC,      /* `mac` is all 0 or a group address */
    ROCECC_L3QCN_TOR_REFUSED_PRIORITY, /* `priority` is above 7 */
    ROCECC_L3QCN_TOR_REFUSED_GATE, /* interval_ns is 2^31 or more, or defer is set */
    ROCECC_L3QCN_TOR_REFUSED_LIMIT /* a port limit is 0, or rocecc_admission_init()
                                      fails */
} rocecc_l3qcn_tor_refusal;

/*
 * Configuration of a ToR. Unless `unlimited` is set, init() rejects a value of 0 for
 * port_flows, or for the rate or burst of port_limit. A flow gets at most one CNM per
 * gate.interval_ns, but a CNM with a larger QntzFb than the last CNM is sent at once.
 */
typedef struct rocecc_l3qcn_tor_config {
    rocecc_flowtable_params table;
    rocecc_mac mac;             /* source address of the CNMs; C7 */
    uint8_t priority;           /* priority of the CNMs; C8: cngCnmTransmitPriority,
                                   0 to 7 */
    bool learn_untagged;        /* also learn frames without a CN-TAG; with FLOW-ID 0 */
    bool rewrite_encap;         /* copy the host's priority and gateway into CNMs;
                                   C11: the PDU gets the priority and the DA of the
                                   host's frame */
    bool check_msdu;            /* reject an MSDU of another flow; S3: a missing or
                                   unreadable MSDU passes; leave it off if the network
                                   uses IFA or INT */
    rocecc_cnpgate_params gate; /* S4; defer must be 0, because no CNM is kept */
    bool unlimited;             /* ignore port_limit and port_flows */
    rocecc_tokenbucket_params port_limit; /* limit for flows new to a port; S5 */
    uint32_t port_flows; /* maximum number of flows per port; S6; expired flows count
                            until a sweep removes them */
    bool listed;         /* convert only CNMs from permitted CPIDs; S7: the list must
                            permit the CPID; S8: `admission` limits the rate */
    rocecc_admission_params admission;
} rocecc_l3qcn_tor_config;

/*
 * Verdicts of learn() on a frame from a host. The caller must drop a SPOOFED frame, and
 * forward every other frame.
 */
typedef enum rocecc_l3qcn_tor_learn_verdict_ {
    ROCECC_L3QCN_TOR_UNTAGGED = 0,      /* no CN-TAG, and learn_untagged is off */
    ROCECC_L3QCN_TOR_LEARNED,           /* `table` has the outcome */
    ROCECC_L3QCN_TOR_SPOOFED,           /* C1: a private CNM from a host */
    ROCECC_L3QCN_TOR_NO_FLOW,           /* no 5-tuple, or no Ethernet header */
    ROCECC_L3QCN_TOR_TOO_MANY_TAGS,     /* 3 VLAN tags; the parser reads at most 3 */
    ROCECC_L3QCN_TOR_BAD_STATION,       /* the source MAC is all 0 or a group address */
    ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED, /* S5: no token, or port >= n_ports */
    ROCECC_L3QCN_TOR_CROWDED,           /* S6: the port already has port_flows flows */
    ROCECC_L3QCN_TOR_LEARNINGS          /* number of verdicts */
} ROCECC_IN_8_BITS_(rocecc_l3qcn_tor_learn_verdict);

/*
 * Verdicts of convert() on a packet from the fabric. The caller must forward the packet
 * after OTHER, send `cnm` after CONVERTED, and drop the packet after any other verdict.
 */
typedef enum rocecc_l3qcn_tor_verdict_ {
    ROCECC_L3QCN_TOR_OTHER = 0,     /* not a private CNM */
    ROCECC_L3QCN_TOR_CONVERTED,     /* C14: send `cnm` out of `port` */
    ROCECC_L3QCN_TOR_WRAPPED,       /* C2: has IFA, INT or an outer IP header */
    ROCECC_L3QCN_TOR_BAD_ARRIVAL,   /* C2: see `arrival`; e.g. a first fragment */
    ROCECC_L3QCN_TOR_BAD_CHECKSUM,  /* C2: UDP checksum wrong or 0, or UDP Length < 8 */
    ROCECC_L3QCN_TOR_MALFORMED,     /* C3: `why` has the reason */
    ROCECC_L3QCN_TOR_NO_ENTRY,      /* C4: the flow is not in the table */
    ROCECC_L3QCN_TOR_AGED,          /* C5: the flow has expired */
    ROCECC_L3QCN_TOR_WRONG_MAC,     /* C6: the stored MAC is 0 or a group address */
    ROCECC_L3QCN_TOR_WRONG_MSDU,    /* S3: the MSDU belongs to another flow */
    ROCECC_L3QCN_TOR_HELD,          /* S4: the flow's gate is closed */
    ROCECC_L3QCN_TOR_NO_SPACE,      /* no room for the CNM, or an invalid stored tag */
    ROCECC_L3QCN_TOR_UNLISTED_CPID, /* S7: the list does not permit the CPID */
    ROCECC_L3QCN_TOR_RATE_LIMITED,  /* S8: no token; `admission` has the reason */
    ROCECC_L3QCN_TOR_VERDICTS       /* number of verdicts */
} ROCECC_IN_8_BITS_(rocecc_l3qcn_tor_verdict);

/* Returns false only for OTHER. The caller must then forward the packet. */
ROCECC_FN bool rocecc_l3qcn_tor_needs_action(rocecc_l3qcn_tor_verdict verdict)
{
    return verdict != ROCECC_L3QCN_TOR_OTHER;
}

/*
 * State of a ToR. The caller's arrays hold the table's buckets and slots, the gates,
 * the ports, and the sources of `admission`.
 */
typedef struct rocecc_l3qcn_tor {
    rocecc_flowtable table;
    rocecc_admission admission;
    uint64_t
        table_count[ROCECC_FLOWTABLE_ACTIONS]; /* LEARNED, by the table's outcome */
    uint64_t learning_count[ROCECC_L3QCN_TOR_LEARNINGS];
    uint64_t verdict_count[ROCECC_L3QCN_TOR_VERDICTS];
    uint64_t malformed_count[ROCECC_L3QCN_VERDICTS];
    uint64_t arrival_count[ROCECC_ARRIVAL_VERDICTS]; /* BAD_ARRIVAL, by reason */
} rocecc_l3qcn_tor;

/*
 * Gate for the CNMs of one flow (S4). The caller must provide a gate for each table
 * slot, unless S4 is off.
 */
typedef struct rocecc_l3qcn_tor_gate {
    rocecc_cnpgate gate;
    uint8_t qntz_fb; /* QntzFb of the last CNM; a larger QntzFb passes at once */
} rocecc_l3qcn_tor_gate;

/* Result of learn(). */
typedef struct rocecc_l3qcn_tor_learn_result {
    ROCECC_ENUM8_(rocecc_l3qcn_tor_learn_verdict) what;
    rocecc_flowtable_learn_result table; /* outcome if LEARNED; otherwise FULL */
} rocecc_l3qcn_tor_learn_result;

/*
 * State of one host port. The caller must set all members to 0 when it initialises the
 * table. The bucket is then empty at clock time 0, and is full when the clock reaches
 * port_limit.full_ns.
 */
typedef struct rocecc_l3qcn_tor_port {
    rocecc_tokenbucket bucket; /* for port_limit */
    uint32_t flows;            /* flows in the table */
} rocecc_l3qcn_tor_port;

/*
 * Time and origin of a received packet, and the caller's arrays. If `port` is n_ports
 * or more, learn() learns flows that are new to this port only if config.unlimited is
 * set.
 */
typedef struct rocecc_l3qcn_tor_event {
    rocecc_admission_event admission; /* time; S7: list, see rocecc_l3qcn_tor_cpid() */
    rocecc_flowtable_memory memory;   /* config.table.buckets buckets and their slots */
    rocecc_l3qcn_tor_gate *gate;      /* one per slot, or always NULL to turn S4 off */
    uint32_t port;                    /* learn(): port on which the frame arrived */
    uint16_t vrf;         /* learn(): VRF of `port`; convert(): VRF of the packet */
    rocecc_writer writer; /* convert(): covers the packet's buffer */
    rocecc_l3qcn_tor_port *ports; /* by port; may be NULL (n_ports 0) if unlimited */
    uint32_t n_ports;
} rocecc_l3qcn_tor_event;

/* Result of convert(). */
typedef struct rocecc_l3qcn_tor_convert_result {
    ROCECC_ENUM8_(rocecc_l3qcn_tor_verdict) verdict;
    ROCECC_ENUM8_(rocecc_l3qcn_verdict) why; /* reason for MALFORMED */
    uint32_t port;                           /* if CONVERTED: the output port */
    rocecc_reader cnm; /* if CONVERTED: the frame, without its FCS */
    ROCECC_ENUM8_(rocecc_arrival_verdict) arrival; /* reason for BAD_ARRIVAL */
    rocecc_icmp_error icmp; /* if BAD_ARRIVAL: ICMP error to send; type 0: none */
    ROCECC_ENUM8_(rocecc_admission_verdict) admission; /* reason for RATE_LIMITED */
    bool listed;  /* if config.listed: the list has an entry for the CPID */
    uint32_t tag; /* tag of that entry */
} rocecc_l3qcn_tor_convert_result;

/*
 * Returns the default configuration. As in section 3.2.2 of the draft, the ToR learns
 * flows only from frames with a CN-TAG (step 1) and keeps the PDU unchanged (step 4,
 * Figure 5). The domain's l3qcn.cnm.fixed_msdu selects the draft's MSDU of 64 bytes.
 * CNMs have priority 6, as in IEEE 802.1Q. The other values are rocecc's own. A flow
 * expires after 10 s without a frame, and a flow's gate has an interval of 10 us. A
 * port may add 1,000 flows at once and then 1,000 per second, up to 16,384 flows in
 * all. S3, S7 and S8 are off. The caller must set table.secret, table.buckets and mac,
 * and also `admission` if it sets `listed`.
 */
ROCECC_FN rocecc_l3qcn_tor_config rocecc_l3qcn_tor_default(void)
{
    rocecc_l3qcn_tor_config c = ROCECC_ZERO;
    c.table = rocecc_flowtable_l3qcn();
    c.priority = ROCECC_CNM_PRIORITY;
    c.gate.interval_ns = 10000;
    c.port_limit.rate_per_s = 1000;
    c.port_limit.burst = 1000;
    c.port_flows = 16384;
    return c;
}

/*
 * Returns a CPID's key for the access list. The first 64 bits are the CPID, and the
 * other bits are 0. A list entry with a prefix of 48 bits matches all CPIDs with the
 * same MAC address.
 */
ROCECC_FN rocecc_ip6 rocecc_l3qcn_tor_cpid(uint64_t cpid)
{
    rocecc_ip6 key = {{0}};
    rocecc_store64(key.b, cpid);
    return key;
}

/* Returns true if an address is neither all 0 nor a group address. */
ROCECC_FN bool rocecc_l3qcn_tor_is_station_(const rocecc_mac *address)
{
    return (address->b[0] & 1) == 0 &&
           (address->b[0] | address->b[1] | address->b[2] | address->b[3] |
            address->b[4] | address->b[5]) != 0;
}

/*
 * Checks and prepares a configuration for packets of `domain`. `list` must be the
 * access list that is also passed with the later events. If `listed` is set, a `list`
 * of NULL gives REFUSED_LIMIT. Otherwise `list` may be NULL. Returns the first refusal
 * in the order of the enumeration, or ACCEPTED. The caller must not use a rejected
 * configuration, because it may be partly prepared.
 */
ROCECC_FN rocecc_l3qcn_tor_refusal
rocecc_l3qcn_tor_init(rocecc_l3qcn_tor_config *config, const rocecc_domain *domain,
                      const rocecc_acl *list)
{
    if (domain->l3qcn.port == 0 || rocecc_l3qcn_init(&domain->l3qcn) != ROCECC_OK)
        return ROCECC_L3QCN_TOR_REFUSED_PORT;
    if (rocecc_flowtable_init(&config->table) != ROCECC_FLOWTABLE_ACCEPTED)
        return ROCECC_L3QCN_TOR_REFUSED_TABLE;
    if (!rocecc_l3qcn_tor_is_station_(&config->mac))
        return ROCECC_L3QCN_TOR_REFUSED_MAC;
    if (config->priority > 7) return ROCECC_L3QCN_TOR_REFUSED_PRIORITY;
    if (rocecc_cnpgate_init(&config->gate) != ROCECC_CNPGATE_ACCEPTED ||
        config->gate.defer != 0)
        return ROCECC_L3QCN_TOR_REFUSED_GATE;
    if (!config->unlimited &&
        (rocecc_tokenbucket_init(&config->port_limit) != ROCECC_TOKENBUCKET_ACCEPTED ||
         config->port_flows == 0))
        return ROCECC_L3QCN_TOR_REFUSED_LIMIT;
    if (config->listed &&
        (list == NULL ||
         rocecc_admission_init(&config->admission, list) != ROCECC_ADMISSION_ACCEPTED))
        return ROCECC_L3QCN_TOR_REFUSED_LIMIT;
    return ROCECC_L3QCN_TOR_ACCEPTED;
}

/*
 * Returns the state of a ToR with an empty table. Empties the config->table.buckets
 * buckets in `memory`, regardless of their content, in O(buckets) time. The gates need
 * no initial value. The caller must set the ports to 0 and, if `listed` is set,
 * initialise the sources of `admission` with rocecc_admission_source_start().
 */
ROCECC_FN rocecc_l3qcn_tor rocecc_l3qcn_tor_start(const rocecc_l3qcn_tor_config *config,
                                                  const rocecc_flowtable_memory *memory)
{
    rocecc_l3qcn_tor s;
    int i;
    s.table = rocecc_flowtable_start(&config->table, memory);
    s.admission = rocecc_admission_start(&config->admission, 0); /* full at time 0 */
    for (i = 0; i < ROCECC_FLOWTABLE_ACTIONS; i++)
        s.table_count[i] = 0;
    for (i = 0; i < ROCECC_L3QCN_TOR_LEARNINGS; i++)
        s.learning_count[i] = 0;
    for (i = 0; i < ROCECC_L3QCN_TOR_VERDICTS; i++)
        s.verdict_count[i] = 0;
    for (i = 0; i < ROCECC_L3QCN_VERDICTS; i++)
        s.malformed_count[i] = 0;
    for (i = 0; i < ROCECC_ARRIVAL_VERDICTS; i++)
        s.arrival_count[i] = 0;
    return s;
}

/*
 * Returns true if the UDP port or the reserved bit in the IPv4 header identifies a
 * packet as a private CNM, even if the packet is a first fragment or gets the verdict
 * WRAPPED. Ignores the reserved bit in RoCEv2 packets.
 */
ROCECC_FN bool rocecc_l3qcn_tor_is_l3qcn_(const rocecc_packet *packet)
{
    const rocecc_l3qcn_config *c = &packet->domain->l3qcn;
    rocecc_flow flow;
    rocecc_status status;
    if (rocecc_l3qcn_match(packet)) return true;
    status = rocecc_packet_has_telemetry(packet)
                 ? rocecc_packet_flow(packet, &flow)
                 : rocecc_packet_ip_flow(packet, &packet->headers.ip, &flow);
    if (status != ROCECC_OK || flow.proto != ROCECC_PROTO_UDP) return false;
    return flow.dst_port == c->port ||
           (c->reserved_bit &&
            (packet->headers.kind & ~(unsigned)ROCECC_PACKET_KIND_PARTIAL) !=
                ROCECC_PACKET_KIND_ROCEV2 &&
            rocecc_l3qcn_has_reserved_bit(packet));
}

/*
 * Converts a time to the table's clock, in ms modulo 2^32. The table's clock wraps
 * after 49 days.
 */
ROCECC_FN uint32_t rocecc_l3qcn_tor_ms_(uint64_t now_ns)
{
    return (uint32_t)ROCECC_DIV64(now_ns, 1000000u);
}

/*
 * Returns true unless the MSDU belongs to another flow (S3). Parses a copy of the MSDU,
 * because the MSDU may begin beyond offset ROCECC_PACKET_START_MAX of its buffer.
 */
ROCECC_FN bool rocecc_l3qcn_tor_msdu_fits_flow_(rocecc_reader msdu,
                                                const rocecc_flow *flow)
{
    const rocecc_domain d = ROCECC_ZERO;
    uint8_t copy[ROCECC_CNM_MSDU_MAX_BYTES] = {0};
    rocecc_writer w = rocecc_writer_of(copy, copy + sizeof copy);
    rocecc_flow shown = *flow;
    rocecc_packet p;
    const uint8_t *b = rocecc_take(&msdu, 2);
    uint16_t type;
    if (b == NULL) return true;
    type = rocecc_load16(b);
    if (type != ROCECC_TYPE_IPV4 && type != ROCECC_TYPE_IPV6) return true;
    (void)rocecc_append(&w, msdu, sizeof copy); /* always fits: at most 64 bytes */
    (void)rocecc_packet_parse_as(&d, rocecc_written(&w), type, &p);
    (void)rocecc_packet_flow(&p, &shown);
    return rocecc_flow_match(&shown, flow);
}

/* Returns the head of the CNM, from DA through Type (C6 to C10). */
ROCECC_FN rocecc_cnm_head rocecc_l3qcn_tor_make_head_(
    const rocecc_l3qcn_tor_config *config, const rocecc_flowtable_origin *origin)
{
    rocecc_cnm_head h;
    int i;
    h.dst = origin->mac_sa;
    h.src = config->mac;
    h.n_vlan = origin->n_tags;
    for (i = 0; i < ROCECC_CNM_VLAN_MAX; i++) {
        h.vlan[i].tpid = origin->tag[i].tpid;
        h.vlan[i].pcp = config->priority;
        h.vlan[i].dei = false;
        h.vlan[i].vid = origin->tag[i].vid;
    }
    h.tagged = true;
    h.flow_id = origin->flow_id;
    return h;
}

/*
 * Completes the PDU at *writer, and writes zeros from the PDU's end to offset `end`
 * (C11 to C13). On failure the PDU may be partly changed.
 */
ROCECC_FN bool rocecc_l3qcn_tor_mend_pdu_(rocecc_writer *writer,
                                          const rocecc_l3qcn_tor_config *config,
                                          const rocecc_l3qcn *l3qcn,
                                          const rocecc_flowtable_origin *origin,
                                          size_t end)
{
    const size_t msdu = rocecc_left(&l3qcn->cnm.msdu);
    uint8_t *b = rocecc_put(writer, ROCECC_CNM_BYTES);
    int i;
    if (b == NULL || msdu > ROCECC_CNM_MSDU_MAX_BYTES ||
        rocecc_put(writer, msdu) == NULL)
        return false;
    if (config->rewrite_encap) {
        rocecc_store16(b + 14, (uint16_t)(origin->prio << 13));
        rocecc_mac_store(b + 16, &origin->gw_mac);
    }
    rocecc_store16(b + 22, l3qcn->cnm.msdu_len);
    for (i = 0; i < ROCECC_CNM_MSDU_MAX_BYTES && writer->at < end; i++) {
        b = rocecc_put(writer, 1);
        if (b == NULL) return false;
        *b = 0;
    }
    return true;
}

/*
 * Returns true if the buffer has room for the CNM. Writes the CNM's padded length to
 * *bytes, and its offset to *start. The offset is valid only if the result is true.
 */
ROCECC_FN bool rocecc_l3qcn_tor_fits_(const rocecc_writer *writer,
                                      const rocecc_l3qcn *l3qcn,
                                      const rocecc_cnm_head *head, size_t *start,
                                      size_t *bytes)
{
    const size_t before = rocecc_cnm_head_bytes(head);
    const size_t n = before + ROCECC_CNM_BYTES + l3qcn->cnm.msdu_len;
    *bytes = n > ROCECC_CNM_FRAME_MIN_BYTES ? n : ROCECC_CNM_FRAME_MIN_BYTES;
    *start = l3qcn->pdu_offset - before;
    return l3qcn->pdu_offset >= before && *start <= writer->end &&
           writer->end - *start >= *bytes;
}

/*
 * Writes the CNM at offset `start` (C6 to C13). fits_() must have returned true.
 * Returns NO_SPACE and writes nothing if `head` has an invalid tag.
 */
ROCECC_FN rocecc_l3qcn_tor_verdict rocecc_l3qcn_tor_write_cnm_(
    const rocecc_l3qcn_tor_config *config, rocecc_writer writer,
    const rocecc_l3qcn *l3qcn, const rocecc_flowtable_origin *origin,
    const rocecc_cnm_head *head, size_t start, size_t bytes, rocecc_reader *out)
{
    writer.at = (size_t)rocecc_min(start, writer.end); /* a bound for Frama-C */
    if (rocecc_cnm_head_emit(&writer, head) != ROCECC_OK ||
        !rocecc_l3qcn_tor_mend_pdu_(&writer, config, l3qcn, origin, start + bytes))
        return ROCECC_L3QCN_TOR_NO_SPACE;
    *out = rocecc_subrange(rocecc_written(&writer), start, writer.at);
    return ROCECC_L3QCN_TOR_CONVERTED;
}

/*
 * Checks C2 (without the checksum) and then C3, and sets the MSDU length (C12). Returns
 * CONVERTED if the packet passes these checks.
 */
ROCECC_FN rocecc_l3qcn_tor_verdict
rocecc_l3qcn_tor_find_(const rocecc_packet *packet, rocecc_l3qcn *l3qcn,
                       rocecc_l3qcn_tor_convert_result *out)
{
    const rocecc_arrival_config host = ROCECC_ZERO;
    rocecc_l3qcn_verdict verdict = ROCECC_L3QCN_OTHER;
    rocecc_status status;
    if (!rocecc_l3qcn_tor_is_l3qcn_(packet)) return ROCECC_L3QCN_TOR_OTHER;
    if (packet->headers.outer.version != 0 || rocecc_packet_has_telemetry(packet))
        return ROCECC_L3QCN_TOR_WRAPPED;
    out->arrival = rocecc_arrival_check(&host, packet, &packet->headers.ip, &out->icmp);
    if (out->arrival != ROCECC_ARRIVAL_OK) return ROCECC_L3QCN_TOR_BAD_ARRIVAL;
    if (packet->headers.kind != ROCECC_PACKET_KIND_UDP)
        return ROCECC_L3QCN_TOR_BAD_CHECKSUM; /* UDP Length below 8, or an overlay */
    status = rocecc_l3qcn_find(packet, l3qcn, &verdict);
    out->why = verdict;
    if (status != ROCECC_OK) return ROCECC_L3QCN_TOR_MALFORMED;
    l3qcn->cnm.msdu_len = (uint16_t)(packet->domain->l3qcn.cnm.fixed_msdu
                                         ? ROCECC_CNM_MSDU_MAX_BYTES
                                         : rocecc_left(&l3qcn->cnm.msdu));
    return ROCECC_L3QCN_TOR_CONVERTED;
}

ROCECC_FN rocecc_l3qcn_tor_verdict
rocecc_l3qcn_tor_admission_verdict_(rocecc_admission_verdict admission)
{
    return admission == ROCECC_ADMISSION_UNLISTED ? ROCECC_L3QCN_TOR_UNLISTED_CPID
                                                  : ROCECC_L3QCN_TOR_RATE_LIMITED;
}

/*
 * If `listed` is set, checks S7 and the first half of S8. Then checks the UDP checksum
 * (C2), even if `listed` is not set. Returns the verdict of the first check that fails,
 * or CONVERTED.
 */
ROCECC_FN rocecc_l3qcn_tor_verdict rocecc_l3qcn_tor_verify_(
    const rocecc_l3qcn_tor_config *config, rocecc_l3qcn_tor *state,
    const rocecc_packet *packet, uint64_t cpid, const rocecc_l3qcn_tor_event *event,
    rocecc_l3qcn_tor_convert_result *out)
{
    if (config->listed) {
        const rocecc_ip6 key = rocecc_l3qcn_tor_cpid(cpid);
        rocecc_acl_result listed;
        out->admission = rocecc_admission_begin(&config->admission, &state->admission,
                                                &event->admission, &key, &listed);
        out->listed = listed.found;
        out->tag = listed.tag;
        if (out->admission != ROCECC_ADMISSION_ADMITTED)
            return rocecc_l3qcn_tor_admission_verdict_(out->admission);
    }
    return rocecc_udp_verify(packet) ? ROCECC_L3QCN_TOR_CONVERTED
                                     : ROCECC_L3QCN_TOR_BAD_CHECKSUM;
}

/*
 * Returns the gate of a flow for which no CNM has been sent yet. Callers of learn() do
 * not need this function, because learn() initialises the gates.
 */
ROCECC_FN rocecc_l3qcn_tor_gate
rocecc_l3qcn_tor_gate_start(const rocecc_l3qcn_tor_config *config)
{
    rocecc_l3qcn_tor_gate g;
    g.gate = rocecc_cnpgate_start(&config->gate);
    g.qntz_fb = 0;
    return g;
}

/*
 * Returns true and updates *gate if the interval is over or `qntz_fb` is larger than
 * the last CNM's QntzFb (S4). Otherwise returns false and leaves *gate unchanged.
 */
ROCECC_FN bool rocecc_l3qcn_tor_pass_gate_(const rocecc_l3qcn_tor_config *config,
                                           rocecc_l3qcn_tor_gate *gate, uint8_t qntz_fb,
                                           uint64_t now_ns)
{
    if (!rocecc_cnpgate_ce(&config->gate, &gate->gate, now_ns).send) {
        if (qntz_fb <= gate->qntz_fb) return false;
        gate->gate = rocecc_cnpgate_start(&config->gate);
        (void)rocecc_cnpgate_ce(&config->gate, &gate->gate, now_ns);
    }
    gate->qntz_fb = qntz_fb;
    return true;
}

/*
 * Makes the CNM from a verified private CNM (C4 to C14, S3, S4, and the second half of
 * S8). Unless the verdict is CONVERTED, the buffer and the gate are unchanged.
 */
ROCECC_FN rocecc_l3qcn_tor_verdict rocecc_l3qcn_tor_make_cnm_(
    const rocecc_l3qcn_tor_config *config, rocecc_l3qcn_tor *state,
    const rocecc_l3qcn *l3qcn, const rocecc_l3qcn_tor_event *event,
    rocecc_l3qcn_tor_convert_result *out)
{
    const rocecc_flow flow = rocecc_l3qcn_flow(l3qcn);
    const rocecc_flowtable_lookup_result m =
        rocecc_flowtable_lookup(&config->table, &event->memory, &flow, event->vrf,
                                rocecc_l3qcn_tor_ms_(event->admission.now_ns));
    rocecc_l3qcn_tor_gate gate = rocecc_l3qcn_tor_gate_start(config);
    rocecc_l3qcn_tor_verdict verdict;
    rocecc_cnm_head head;
    size_t start, bytes;
    if (m.what == ROCECC_FLOWTABLE_UNKNOWN) return ROCECC_L3QCN_TOR_NO_ENTRY;
    if (m.what == ROCECC_FLOWTABLE_AGED) return ROCECC_L3QCN_TOR_AGED;
    if (!rocecc_l3qcn_tor_is_station_(&m.origin.mac_sa))
        return ROCECC_L3QCN_TOR_WRONG_MAC;
    if (config->check_msdu && !rocecc_l3qcn_tor_msdu_fits_flow_(l3qcn->cnm.msdu, &flow))
        return ROCECC_L3QCN_TOR_WRONG_MSDU;
    if (event->gate != NULL) gate = event->gate[m.slot];
    if (!rocecc_l3qcn_tor_pass_gate_(config, &gate, l3qcn->cnm.qntz_fb,
                                     event->admission.now_ns))
        return ROCECC_L3QCN_TOR_HELD;
    head = rocecc_l3qcn_tor_make_head_(config, &m.origin);
    if (!rocecc_l3qcn_tor_fits_(&event->writer, l3qcn, &head, &start, &bytes))
        return ROCECC_L3QCN_TOR_NO_SPACE;
    if (config->listed) { /* second half of S8, after all other checks */
        out->admission = rocecc_admission_finish(&config->admission, &state->admission,
                                                 &event->admission, out->tag);
        if (out->admission != ROCECC_ADMISSION_ADMITTED)
            return rocecc_l3qcn_tor_admission_verdict_(out->admission);
    }
    verdict = rocecc_l3qcn_tor_write_cnm_(config, event->writer, l3qcn, &m.origin,
                                          &head, start, bytes, &out->cnm);
    if (verdict != ROCECC_L3QCN_TOR_CONVERTED) return verdict;
    if (event->gate != NULL) event->gate[m.slot] = gate;
    out->port = m.origin.ingress_port;
    return verdict;
}

/*
 * Converts a private CNM from a fabric port into a CNM, in place. event->writer must
 * cover the packet's buffer from the first byte. The buffer must have room after the
 * PDU for up to 18 bytes of padding, or up to 64 bytes if l3qcn.cnm.fixed_msdu is set.
 * Always writes *out, and counts the verdict. The first check that fails determines the
 * verdict. The checks run in the order of rocecc_l3qcn_tor_verdict, except that
 * UNLISTED_CPID, RATE_LIMITED and the UDP checksum come directly after MALFORMED, in
 * this order. The rate limit is checked again before the CNM is written. If the verdict
 * is CONVERTED, the CNM in out->cnm has overwritten the packet. Otherwise the buffer is
 * unchanged.
 */
ROCECC_FN void rocecc_l3qcn_tor_convert(const rocecc_l3qcn_tor_config *config,
                                        rocecc_l3qcn_tor *state,
                                        const rocecc_packet *packet,
                                        const rocecc_l3qcn_tor_event *event,
                                        rocecc_l3qcn_tor_convert_result *out)
{
    const rocecc_icmp_error none = ROCECC_ZERO;
    rocecc_l3qcn_tor_verdict verdict;
    rocecc_l3qcn h;
    out->why = ROCECC_L3QCN_TAKEN;
    out->arrival = ROCECC_ARRIVAL_OK;
    out->icmp = none;
    out->admission = ROCECC_ADMISSION_ADMITTED;
    out->listed = false;
    out->tag = 0;
    out->port = 0;
    out->cnm = rocecc_subrange(packet->bytes, packet->bytes.at, packet->bytes.at);
    verdict = rocecc_l3qcn_tor_find_(packet, &h, out);
    if (verdict == ROCECC_L3QCN_TOR_CONVERTED) {
        verdict =
            rocecc_l3qcn_tor_verify_(config, state, packet, h.cnm.cpid, event, out);
        if (verdict == ROCECC_L3QCN_TOR_CONVERTED)
            verdict = rocecc_l3qcn_tor_make_cnm_(config, state, &h, event, out);
    }
    out->verdict = verdict;
    state->verdict_count[verdict]++;
    if (verdict == ROCECC_L3QCN_TOR_MALFORMED) state->malformed_count[out->why]++;
    if (verdict == ROCECC_L3QCN_TOR_BAD_ARRIVAL) state->arrival_count[out->arrival]++;
}

#endif /* ROCECC_ROLE_L3QCN_TOR_H */
