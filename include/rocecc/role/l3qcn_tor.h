/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_L3QCN_TOR_H
#define ROCECC_ROLE_L3QCN_TOR_H

/*
 * l3qcn_tor.h - the access ToR of L3QCN. Of each flow that a host sends it remembers
 * what routing takes away; and from a private CNM that comes back it makes the CNM that
 * the host's QCN knows. draft-yu-tsvwg-l3qcn-00, 3.2.2, steps 1 and 4, Figure 5.
 *
 *           host's port                          fabric port
 *   host  --data, CN-TAG-->  learn()   --data, routed-->       congested device
 *         <-----CNM--------  convert() <--private CNM, routed--
 *                            (learn() is in l3qcn_tor_learn.h)
 *
 * A private CNM is turned where it stands: its PDU stays, and the head of the CNM is
 * written over what is before it (drawn for IPv4, and a CNM with both VLAN tags).
 *
 *   +----------+--------+-------+------------------+---------+
 *   | Ethernet | IPv4   | UDP   | L3QCN: 5-tuple   | CNM PDU |
 *   +----------+--------+-+-----+------------------+---------+-------------+
 *                         | DA SA tags CN-TAG Type | CNM PDU | zeros to 60 |
 *                         +------------------------+---------+-------------+
 *
 * Example: a host sends 192.0.2.1:1025 -> 198.51.100.2:4791 over UDP from port 3, with
 * CN-TAG 7. learn() keeps its MAC, port 3 and 7. A private CNM that names this flow
 * becomes a CNM to that MAC with CN-TAG 7, which convert() says to send out of port 3.
 *
 * What is not converted is dropped, but for OTHER, which is no private CNM. convert()
 * is for what would leave by a host's port; a private CNM on its way to another ToR is
 * to be routed. README.md has the steps C1 to S8 by which a CNM is made or not, and who
 * is believed. Threads: learn(), sweep() and forget() write the buckets and the ports,
 * one thread at a time; convert() reads the buckets, writes gates, counters and the
 * buckets of tokens.
 */
#include "../guard/admission.h"
#include "../guard/cnpgate.h"
#include "../guard/flowforget.h"
#include "../packet/arrival.h"
#include "../packet/flow.h"
#include "../packet/l3qcn.h"
#include "../packet/udp.h"

typedef enum rocecc_l3qcn_tor_refusal {
    ROCECC_L3QCN_TOR_ACCEPTED = 0,
    ROCECC_L3QCN_TOR_REFUSED_PORT,  /* 0, or that of RoCEv2 */
    ROCECC_L3QCN_TOR_REFUSED_TABLE, /* rocecc_flowtable_init() says why */
    ROCECC_L3QCN_TOR_REFUSED_MAC,   /* all 0, or a group address */
    ROCECC_L3QCN_TOR_REFUSED_PRIORITY,
    ROCECC_L3QCN_TOR_REFUSED_GATE, /* or defer: later, there is no CNM */
    ROCECC_L3QCN_TOR_REFUSED_LIMIT /* of ports, or rocecc_admission_init() says why */
} rocecc_l3qcn_tor_refusal;

/*
 * A port of hosts may have port_flows of flows in the table, and new ones as often as
 * port_limit says. init() rejects 0 of either, unless `unlimited` is set. Of private
 * CNMs a flow gets at most one in gate.interval_ns, or a stronger one. Set `listed` to
 * admit only those of listed switches.
 */
typedef struct rocecc_l3qcn_tor_config {
    rocecc_flowtable_params table;
    rocecc_mac mac;             /* C7 */
    uint8_t priority;           /* C8: cngCnmTransmitPriority, 0 to 7 */
    bool learn_untagged;        /* frames without a CN-TAG, too, for FLOW-ID 0 */
    bool rewrite_encap;         /* C11 */
    bool check_msdu;            /* S3; off where IFA or INT is in the network */
    rocecc_cnpgate_params gate; /* S4 */
    bool unlimited;             /* neither of these two: */
    rocecc_tokenbucket_params port_limit; /* S5: flows that are new to a port */
    uint32_t port_flows; /* S6: of a port; expired ones until a sweep */
    bool listed;         /* S7, S8: CPIDs need admission */
    rocecc_admission_params admission;
} rocecc_l3qcn_tor_config;

/* What became of a frame from a host. All but SPOOFED are forwarded. */
typedef enum rocecc_l3qcn_tor_learn_verdict_ {
    ROCECC_L3QCN_TOR_UNTAGGED = 0,  /* no CN-TAG: nothing to learn */
    ROCECC_L3QCN_TOR_LEARNED,       /* the table was asked: `table` says what it did */
    ROCECC_L3QCN_TOR_SPOOFED,       /* C1: drop it */
    ROCECC_L3QCN_TOR_NO_FLOW,       /* rocecc_packet_flow() finds none */
    ROCECC_L3QCN_TOR_TOO_MANY_TAGS, /* a third VLAN tag */
    ROCECC_L3QCN_TOR_BAD_STATION,   /* its source address is all 0 or a group's */
    ROCECC_L3QCN_TOR_NEW_FLOWS_LIMITED, /* S5: no token, or a port that has no bucket */
    ROCECC_L3QCN_TOR_CROWDED,           /* S6: the port has as many flows as it may */
    ROCECC_L3QCN_TOR_LEARNINGS          /* how many there are */
} ROCECC_IN_8_BITS_(rocecc_l3qcn_tor_learn_verdict);

/* What became of a frame from the fabric. All but the first two are dropped. */
typedef enum rocecc_l3qcn_tor_verdict_ {
    ROCECC_L3QCN_TOR_OTHER = 0,    /* no private CNM: forward it */
    ROCECC_L3QCN_TOR_CONVERTED,    /* C14: send the frame out of `port` */
    ROCECC_L3QCN_TOR_WRAPPED,      /* C2: IFA, INT or a tunnel, to be taken off first */
    ROCECC_L3QCN_TOR_BAD_ARRIVAL,  /* C2: `arrival` says why; a first fragment, too */
    ROCECC_L3QCN_TOR_BAD_CHECKSUM, /* C2; or UDP Length is below 8 */
    ROCECC_L3QCN_TOR_MALFORMED,    /* C3: `why` says how */
    ROCECC_L3QCN_TOR_NO_ENTRY,     /* C4 */
    ROCECC_L3QCN_TOR_AGED,         /* C5 */
    ROCECC_L3QCN_TOR_WRONG_MAC,    /* C6 */
    ROCECC_L3QCN_TOR_WRONG_MSDU,   /* S3 */
    ROCECC_L3QCN_TOR_HELD,         /* S4 */
    ROCECC_L3QCN_TOR_NO_SPACE,     /* no room after the PDU, or no such tags */
    ROCECC_L3QCN_TOR_UNLISTED_CPID, /* S7: of no switch on the list */
    ROCECC_L3QCN_TOR_RATE_LIMITED,  /* S8 */
    ROCECC_L3QCN_TOR_VERDICTS       /* how many there are */
} ROCECC_IN_8_BITS_(rocecc_l3qcn_tor_verdict);

/* Whether the ToR has anything to do with a frame but to forward it. */
ROCECC_FN bool rocecc_l3qcn_tor_needs_action(rocecc_l3qcn_tor_verdict verdict)
{
    return verdict != ROCECC_L3QCN_TOR_OTHER;
}

/* What is kept beside the table's buckets, and beside the gates. */
typedef struct rocecc_l3qcn_tor {
    rocecc_flowtable table;
    rocecc_admission admission;
    uint64_t
        table_count[ROCECC_FLOWTABLE_ACTIONS]; /* by rocecc_flowtable_learn_outcome */
    uint64_t learning_count[ROCECC_L3QCN_TOR_LEARNINGS];
    uint64_t verdict_count[ROCECC_L3QCN_TOR_VERDICTS];
    uint64_t malformed_count[ROCECC_L3QCN_VERDICTS];
    uint64_t arrival_count[ROCECC_ARRIVAL_VERDICTS]; /* of BAD_ARRIVAL, by reason */
} rocecc_l3qcn_tor;

/* What is kept of the CNMs of a flow, one for each slot of the table. S4 */
typedef struct rocecc_l3qcn_tor_gate {
    rocecc_cnpgate gate;
    uint8_t qntz_fb; /* of the last CNM: a stronger one does not wait */
} rocecc_l3qcn_tor_gate;

typedef struct rocecc_l3qcn_tor_learn_result {
    ROCECC_ENUM8_(rocecc_l3qcn_tor_learn_verdict) what;
    rocecc_flowtable_learn_result table; /* of LEARNED */
} rocecc_l3qcn_tor_learn_result;

/* What is kept of a port; all 0 at first, as the table is empty. */
typedef struct rocecc_l3qcn_tor_port {
    rocecc_tokenbucket bucket; /* of port_limit */
    uint32_t flows;            /* in the table */
} rocecc_l3qcn_tor_port;

/*
 * A packet came in; and the host's arrays for the time of this call. A port of n_ports
 * or more learns no new flow.
 */
typedef struct rocecc_l3qcn_tor_event {
    rocecc_admission_event admission; /* time; S7: a list by rocecc_l3qcn_tor_cpid() */
    rocecc_flowtable_memory memory;   /* of config.table.buckets */
    rocecc_l3qcn_tor_gate *gate; /* one for each slot; NULL, and in each call: no S4 */
    uint32_t port;               /* learn(): the host's */
    uint16_t vrf;         /* of that port; convert(): that the packet is routed in */
    rocecc_writer writer; /* convert(): writes the buffer that the packet lies in */
    rocecc_l3qcn_tor_port *ports; /* by port; NULL and 0: unlimited */
    uint32_t n_ports;
} rocecc_l3qcn_tor_event;

typedef struct rocecc_l3qcn_tor_convert_result {
    ROCECC_ENUM8_(rocecc_l3qcn_tor_verdict) verdict;
    ROCECC_ENUM8_(rocecc_l3qcn_verdict) why; /* of MALFORMED */
    uint32_t port;                           /* of CONVERTED: where to send it */
    rocecc_reader cnm; /* of CONVERTED: the frame, without its FCS */
    ROCECC_ENUM8_(rocecc_arrival_verdict) arrival; /* reason of BAD_ARRIVAL */
    rocecc_icmp_error icmp; /* the ICMP error that the verdict asks for */
    ROCECC_ENUM8_(rocecc_admission_verdict) admission; /* reason of RATE_LIMITED */
    bool listed;  /* with config.listed: the list has an entry for the CPID */
    uint32_t tag; /* of that entry */
} rocecc_l3qcn_tor_convert_result;

/*
 * Of the draft: only what has a CN-TAG is learned (3.2.2, step 1), the PDU goes on as
 * it came (step 4, Figure 5; its 64 bytes of MSDU are l3qcn.cnm.fixed_msdu of the
 * domain). Of 802.1Q: priority 6. The draft has no security considerations: expiry and
 * gate are of rocecc's own (10 s; 10 us), and so is what a port may do, 1,000 new flows
 * a second after as many at once, and 16,384 in all. Off: S3, S7, S8. Still to be set:
 * secret, buckets, mac.
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

/* What the list is asked for of a CPID: as a prefix, its MAC address has 48 bits. */
ROCECC_FN rocecc_ip6 rocecc_l3qcn_tor_cpid(uint64_t cpid)
{
    rocecc_ip6 key = {{0}};
    rocecc_store64(key.b, cpid);
    return key;
}

/* Whether an address is one that a station has: not all 0, and not a group's. */
ROCECC_FN bool rocecc_l3qcn_tor_is_station_(const rocecc_mac *address)
{
    return (address->b[0] & 1) == 0 &&
           (address->b[0] | address->b[1] | address->b[2] | address->b[3] |
            address->b[4] | address->b[5]) != 0;
}

/* Checks a configuration, once, before it is used for packets of a domain. */
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
        rocecc_admission_init(&config->admission, list) != ROCECC_ADMISSION_ACCEPTED)
        return ROCECC_L3QCN_TOR_REFUSED_LIMIT;
    return ROCECC_L3QCN_TOR_ACCEPTED;
}

/*
 * An empty table in config->table.buckets buckets of any bits; gates need no start, for
 * learn() starts that of each new flow. O(buckets).
 */
ROCECC_FN rocecc_l3qcn_tor rocecc_l3qcn_tor_start(const rocecc_l3qcn_tor_config *config,
                                                  const rocecc_flowtable_memory *memory)
{
    rocecc_l3qcn_tor s;
    int i;
    s.table = rocecc_flowtable_start(&config->table, memory);
    s.admission = rocecc_admission_start(&config->admission, 0); /* full at any time */
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
 * Whether a packet is a private CNM. By its port or bit it is also a first fragment,
 * one with IFA, INT or a tunnel around it, and one whose UDP Length is wrong.
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

/* The clock of the table: ms, which wrap after 49 days as its own do. */
ROCECC_FN uint32_t rocecc_l3qcn_tor_ms_(uint64_t now_ns)
{
    return (uint32_t)ROCECC_DIV64(now_ns, 1000000u);
}

/*
 * S3: whether an MSDU is of this flow, or at least does not show another. It is walked
 * as a copy: the walk starts in the first ROCECC_PACKET_START_MAX bytes of a buffer,
 * and an MSDU may stand behind them.
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
    (void)rocecc_append(&w, msdu, sizeof copy); /* parsed: no MSDU is longer */
    (void)rocecc_packet_parse_as(&d, rocecc_written(&w), type, &p);
    (void)rocecc_packet_flow(&p, &shown);
    return rocecc_flow_match(&shown, flow);
}

/* The head of the CNM: C6 to C10. */
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
 * C11 to C13 at the PDU, which begins at writer: the MSDU's new end, then zeros to
 * `end`.
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
 * Returns true if the buffer of a private CNM has room for its CNM, whose head is this
 * one. *start is the offset at which it begins, *bytes its length with zeros.
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

/* C6 to C13: writes the CNM, `bytes` long from `start` on, which fits. */
ROCECC_FN rocecc_l3qcn_tor_verdict rocecc_l3qcn_tor_write_cnm_(
    const rocecc_l3qcn_tor_config *config, rocecc_writer writer,
    const rocecc_l3qcn *l3qcn, const rocecc_flowtable_origin *origin,
    const rocecc_cnm_head *head, size_t start, size_t bytes, rocecc_reader *out)
{
    writer.at = (size_t)rocecc_min(start, writer.end); /* Frama-C sees the bound */
    if (rocecc_cnm_head_emit(&writer, head) != ROCECC_OK ||
        !rocecc_l3qcn_tor_mend_pdu_(&writer, config, l3qcn, origin, start + bytes))
        return ROCECC_L3QCN_TOR_NO_SPACE;
    *out = rocecc_subrange(rocecc_written(&writer), start, writer.at);
    return ROCECC_L3QCN_TOR_CONVERTED;
}

/* C2, C3 and C12, without the checksum. CONVERTED: it was found, in *l3qcn. MALFORMED:
 * out->why has the reason. */
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
        return ROCECC_L3QCN_TOR_BAD_CHECKSUM; /* by its UDP Length it has none */
    status = rocecc_l3qcn_find(packet, l3qcn, &verdict);
    out->why = verdict;
    if (status != ROCECC_OK) return ROCECC_L3QCN_TOR_MALFORMED;
    l3qcn->cnm.msdu_len = (uint16_t)(packet->domain->l3qcn.cnm.fixed_msdu
                                         ? ROCECC_CNM_MSDU_MAX_BYTES
                                         : rocecc_left(&l3qcn->cnm.msdu));
    return ROCECC_L3QCN_TOR_CONVERTED;
}

/* Returns the verdict on a private CNM that its admission refuses. */
ROCECC_FN rocecc_l3qcn_tor_verdict
rocecc_l3qcn_tor_admission_verdict_(rocecc_admission_verdict admission)
{
    return admission == ROCECC_ADMISSION_UNLISTED ? ROCECC_L3QCN_TOR_UNLISTED_CPID
                                                  : ROCECC_L3QCN_TOR_RATE_LIMITED;
}

/* S7, the first half of S8, and the checksum of C2. Writes what the list says to *out.
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

/* Returns the gate of a flow that has had no CNM. */
ROCECC_FN rocecc_l3qcn_tor_gate
rocecc_l3qcn_tor_gate_start(const rocecc_l3qcn_tor_config *config)
{
    rocecc_l3qcn_tor_gate g;
    g.gate = rocecc_cnpgate_start(&config->gate);
    g.qntz_fb = 0;
    return g;
}

/* S4: whether a CNM may be sent for a flow now. Moves *gate if so. */
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

/* C4 to C14, of a private CNM that was found and verified. */
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
    if (config->listed) { /* tokens last */
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
 * A packet came in at a fabric port. event->writer writes the buffer that it lies in,
 * from the first byte; after a PDU it needs room for zeros: 18 bytes do, with
 * fixed_msdu 64. Nothing is written unless CONVERTED: then out->cnm lies in that
 * buffer, and the packet is no more.
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
