/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_NS3_FRAME_H
#define EXAMPLES_NS3_FRAME_H

/*
 * frame.h - a frame at a node: the bytes of an ns3::Packet, or only the first bytes
 * that the node examines. The library reads and writes them.
 *
 *     Ethernet | IPv6 [IOAM] | UDP | BTH [LSN] | payload, zeros of ns-3 | ICRC
 *     <---------- head: what a switch loads ---------->
 */
#include "network.h"

#include "rocecc/packet/edit.h"

#include "ns3/packet.h"

namespace roce
{

constexpr uint32_t kHeadBytes = 256;   /* enough for the headers of any frame */
constexpr uint32_t kFrameBytes = 2048; /* enough for a whole frame */
constexpr uint32_t kAroundBytes = 24;  /* preamble, FCS and gap, only on the wire */
constexpr uint32_t kAethBytes = 4;
constexpr uint8_t kData = 0x04; /* RC SEND Only */
constexpr uint8_t kAck = 0x11;

/* Header fields of a RoCE frame. */
struct Heading {
    rocecc_mac dstMac;
    const Station *src, *dst;
    uint16_t port; /* UDP source port; selects the path */
    uint8_t dscp;
    uint8_t opcode;
    uint32_t qp, psn;
    uint32_t more;    /* bytes after the BTH, without ICRC */
    uint16_t flowTag; /* QCN: of the CN-TAG; 0: none */
};

class Frame
{
  public:
    explicit Frame(const Network &network);
    /* Loads the first bytes of a packet, at most `most`. */
    void Load(const ns3::Ptr<const ns3::Packet> &packet, uint32_t most);
    /* Writes Ethernet, IPv6, UDP and BTH. n is the offset after them. */
    void Write(const Heading &h);
    /* Adds bytes after the first n, counted by IP and UDP. Returns their place. */
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
    /* Appends a payload of zeros and the ICRC, and returns the whole packet. */
    ns3::Ptr<ns3::Packet> Seal(uint32_t payload);
    /* Returns the n bytes as a packet. */
    ns3::Ptr<ns3::Packet> ToPacket() const;
    /* Returns the packet with these bytes in place of its first n. */
    ns3::Ptr<ns3::Packet> Into(const ns3::Ptr<const ns3::Packet> &packet) const;

    const Network &network;
    rocecc_headers headers;
    uint32_t n;
    uint8_t b[kFrameBytes];
};

uint32_t WireBytes(uint32_t frameBytes);

} // namespace roce

#endif
