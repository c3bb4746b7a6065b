/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_NS3_FLOW_H
#define EXAMPLES_NS3_FLOW_H

/*
 * flow.h - the two ends of one direction of an RC connection, each on its own host.
 * They use go-back-N, pacing and a window. Each scheme derives a class from each end
 * (dcqcn.cc, hpcc.cc, ldcp.cc, qcn.cc).
 */
#include "frame.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

namespace roce
{

class Host;

struct Flow {
    uint32_t id;
    Station src, dst;
    uint64_t bytes; /* UINT64_MAX: endless */
    ns3::Time start;

    uint32_t SenderQp() const;
    uint32_t ReceiverQp() const;
    uint16_t UdpPort() const;
    bool Endless() const;
};

class Sender
{
  public:
    Sender(Host &host, const Flow &flow);
    virtual ~Sender() = default;
    void Start();
    /* Sends all packets that may leave now. */
    void Send();
    void Ack(const Frame &ack);
    /* Slows down after a CNP, or by the feedback of QCN's CNM. */
    virtual void Cnp();
    virtual void Cnm(uint8_t feedback);
    bool Running() const;

    const Flow flow;
    bool inLine = false; /* waits for the NIC */

  protected:
    virtual void Begin() = 0;
    /*
     * Returns true if a packet may leave now, apart from pacing. The window decides,
     * unless a scheme has its own rule. Otherwise sets `again` to the next time to
     * check, or to Time::Max() for the next ACK.
     */
    virtual bool May(uint32_t payload, ns3::Time &again);
    virtual uint32_t HeaderBytes() const; /* after the BTH */
    virtual void Write(Frame &data, uint32_t payload);
    virtual void Sent(uint32_t wireBytes);
    virtual void Heard(const Frame &ack, uint64_t bytes, bool lost);
    virtual void Silence();
    virtual void End();
    void Set(uint64_t rateBps, uint64_t windowBytes);
    uint64_t Now() const; /* ns */

    Host &m_host;
    const Network &m_net;
    uint64_t m_sent = 0, m_acked = 0; /* bytes */
    uint64_t m_rateBps = 0;           /* 0: not paced */

  private:
    ns3::Time Due() const;
    uint64_t FlightBytes() const;
    ns3::Time Earliest(uint32_t payload);
    void WakeUp(ns3::Time at);
    void SendOne(uint32_t payload);
    void Timeout();

    uint64_t m_ackedBefore = 0, m_window = 0;
    bool m_running = false;
    ns3::Time m_last;        /* paced start of the last packet */
    uint32_t m_lastWire = 0; /* its bytes on the wire */
    uint32_t m_around = 0;   /* bytes of a packet on the wire, besides payload */
    ns3::Time m_wakeAt;      /* time of m_wake, while it is pending */
    ns3::EventId m_wake, m_timeout;
};

class Receiver
{
  public:
    Receiver(Host &host, const Flow &flow);
    virtual ~Receiver() = default;
    void Data(const Frame &data);
    uint64_t Got() const;

    const Flow flow;

  protected:
    /* Examines every data packet, with any PSN, before its answer. */
    virtual void Met(const Frame &data);
    /* Handles a data packet. Its ACK is complete except for the ICRC. */
    virtual void Received(const Frame &data, uint32_t payload, Frame &ack);
    virtual uint32_t HeaderBytes() const;
    uint32_t Packets(uint64_t bytes) const;

    Host &m_host;
    const Network &m_net;
    uint64_t m_got = 0;

  private:
    bool m_nak = false; /* a NAK is outstanding */
};

std::unique_ptr<Sender> MakeSender(Host &host, const Flow &flow);
std::unique_ptr<Receiver> MakeReceiver(Host &host, const Flow &flow);

/* Constructors for each scheme, called by the two above. */
std::unique_ptr<Sender> MakeDcqcnSender(Host &host, const Flow &flow);
std::unique_ptr<Receiver> MakeDcqcnReceiver(Host &host, const Flow &flow);
std::unique_ptr<Sender> MakeHpccSender(Host &host, const Flow &flow);
std::unique_ptr<Receiver> MakeHpccReceiver(Host &host, const Flow &flow);
std::unique_ptr<Sender> MakeLdcpSender(Host &host, const Flow &flow);
std::unique_ptr<Receiver> MakeLdcpReceiver(Host &host, const Flow &flow);
std::unique_ptr<Sender> MakeQcnSender(Host &host, const Flow &flow);

} // namespace roce

#endif
