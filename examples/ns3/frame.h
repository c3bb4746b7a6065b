/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_NS3_FRAME_H
#define EXAMPLES_NS3_FRAME_H

/*
 * frame.h - a frame in the hands of a node: the bytes of an ns3::Packet, or as many of
 * the first ones as the node looks at, where the library reads and writes them.
 *
 *     Ethernet | IPv6 [IOAM] | UDP | BTH [LSN] | payload, zeros of ns-3 | ICRC
 *     <---------- head: what a switch loads ---------->
 */
#include "network.h"

#include "rocecc/packet/edit.h"

#include "ns3/packet.h"

namespace roce
{

constexpr uint32_t kHeadBytes = 256;   /* the headers of any frame are in these */
constexpr uint32_t kFrameBytes = 2048; /* a whole frame is */
constexpr uint32_t kAroundBytes = 24;  /* preamble, FCS and gap, on the wire alone */
constexpr uint32_t kAethBytes = 4;
constexpr uint8_t kData = 0x04; /* RC SEND Only */
constexpr uint8_t kAck = 0x11;

/* What a RoCE frame says of its way. */
struct Heading {
    rocecc_mac dstMac;
    const Station *src, *dst;
    uint16_t port; /* UDP source port, by which paths are chosen */
    uint8_t dscp;
    uint8_t opcode;
    uint32_t qp, psn;
    uint32_t more;    /* bytes that follow the BTH, without ICRC */
    uint16_t flowTag; /* QCN: of a CN-TAG; 0: none */
};

class Frame
{
  public:
    explicit Frame(const Network &network);
    /* As many of the first bytes of a packet as there are, `most` at most. */
    void Load(const ns3::Ptr<const ns3::Packet> &packet, uint32_t most);
    /* Ethernet, IPv6, UDP and BTH; n is where they end. */
    void Write(const Heading &h);
    /* Bytes more after the n that are there, counted by IP and UDP. */
    uint8_t *Append(uint32_t bytes);
    void Change(const rocecc_edit &edit);
    void Locate();
    bool Intact() const;
    bool IsData() const;
    rocecc_ecn Ecn() const;
    rocecc_reader View() const;
    rocecc_writer Room();
    rocecc_packet Located() const;
    rocecc_bth Bth() const;
    /* Zeros of payload and the ICRC after what there is, and the whole as a packet. */
    ns3::Ptr<ns3::Packet> Seal(uint32_t payload);
    /* What there is, as a packet. */
    ns3::Ptr<ns3::Packet> ToPacket() const;
    /* The packet with these bytes in place of its first n. */
    ns3::Ptr<ns3::Packet> Into(const ns3::Ptr<const ns3::Packet> &packet) const;

    const Network &network;
    rocecc_headers headers;
    uint32_t n;
    uint8_t b[kFrameBytes];
};

uint32_t WireBytes(uint32_t frameBytes);

} // namespace roce

#endif
