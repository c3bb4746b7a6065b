/* SPDX-License-Identifier: BSD-2-Clause */

/* frame.cc - frames, written, parsed and changed by the library. */
#include "frame.h"

#include "rocecc/wire/ether.h"

#include "ns3/fatal-error.h"

#include <cstring>

namespace roce
{

using ns3::Create;
using ns3::Packet;
using ns3::Ptr;

uint32_t WireBytes(uint32_t frameBytes)
{
    return (frameBytes > 60 ? frameBytes : 60) + kAroundBytes;
}

Frame::Frame(const Network &net) : network(net), n(0)
{
    rocecc_headers_clear(&headers);
}

void Frame::Load(const Ptr<const Packet> &packet, uint32_t most)
{
    n = packet->CopyData(b, most < kFrameBytes ? most : kFrameBytes);
    Locate();
}

rocecc_reader Frame::View() const
{
    return rocecc_reader_of(b, b + n);
}

rocecc_writer Frame::Room()
{
    return rocecc_writer_of(b, b + sizeof b);
}

void Frame::Locate()
{
    (void)rocecc_headers_parse(&network.domain, View(), &headers);
}

rocecc_packet Frame::Located() const
{
    return rocecc_packet_attach(&network.domain, View(), &headers);
}

/* Writes addresses, an optional CN-TAG, and a type. */
static void WriteEther(rocecc_writer &w, const Heading &h)
{
    const rocecc_cntag tag = {h.flowTag};
    uint8_t *at = rocecc_put(&w, 12);
    rocecc_mac_store(at, &h.dstMac);
    rocecc_mac_store(at + 6, &h.src->mac);
    if (h.flowTag != 0) (void)rocecc_cntag_emit(&w, &tag);
    rocecc_store16(rocecc_put(&w, 2), ROCECC_TYPE_IPV6);
}

void Frame::Write(const Heading &h)
{
    rocecc_writer w = Room();
    rocecc_udp udp = {h.port, ROCECC_UDP_PORT_ROCEV2, 0, 0};
    rocecc_ipv6 ip = {};
    rocecc_bth bth = {};
    udp.length = static_cast<uint16_t>(ROCECC_UDP_BYTES + ROCECC_BTH_BYTES + h.more +
                                       ROCECC_ICRC_BYTES);
    ip.dscp = h.dscp;
    ip.ecn = h.opcode == kData ? ROCECC_ECN_ECT0 : ROCECC_ECN_NOT_ECT;
    ip.payload_length = udp.length;
    ip.next_header = ROCECC_PROTO_UDP;
    ip.hop_limit = 64;
    ip.src = h.src->ip;
    ip.dst = h.dst->ip;
    bth.opcode = h.opcode;
    bth.pkey = 0xffff;
    bth.dest_qp = h.qp;
    bth.psn = h.psn & 0xffffff;
    WriteEther(w, h);
    (void)rocecc_ipv6_emit(&w, &ip);
    (void)rocecc_udp_emit(&w, &udp);
    (void)rocecc_bth_emit(&w, &bth);
    n = static_cast<uint32_t>(w.at);
    Locate();
}

uint8_t *Frame::Append(uint32_t bytes)
{
    uint8_t *ip = b + headers.ip.offset, *udp = b + headers.udp, *more = b + n;
    n += bytes;
    rocecc_store16(ip + 4, static_cast<uint16_t>(rocecc_load16(ip + 4) + bytes));
    rocecc_store16(udp + 4, static_cast<uint16_t>(rocecc_load16(udp + 4) + bytes));
    return more;
}

void Frame::Change(const rocecc_edit &edit)
{
    rocecc_writer w = Room();
    w.at = n;
    if (rocecc_edit_apply(&edit, &w) != ROCECC_OK)
        NS_FATAL_ERROR("a frame cannot be edited");
    n = static_cast<uint32_t>(w.at);
    Locate();
}

bool Frame::Intact() const
{
    const rocecc_packet p = Located();
    rocecc_icrc icrc = {};
    return rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &icrc) == ROCECC_OK && icrc.ok;
}

bool Frame::IsData() const
{
    return headers.bth != 0 && b[headers.bth] == kData;
}

rocecc_ecn Frame::Ecn() const
{
    return static_cast<rocecc_ecn>(b[headers.ip.offset + 1] >> 4 & 3);
}

rocecc_bth Frame::Bth() const
{
    rocecc_bth bth = {};
    rocecc_reader r = rocecc_subrange(View(), headers.bth, n);
    if (headers.bth != 0) (void)rocecc_bth_parse(&r, &bth);
    return bth;
}

Ptr<Packet> Frame::Seal(uint32_t payload)
{
    const uint32_t head = n;
    std::memset(b + n, 0, payload + ROCECC_ICRC_BYTES);
    n += payload + ROCECC_ICRC_BYTES;
    Locate();
    const rocecc_packet whole = Located();
    if (rocecc_icrc_emplace(ROCECC_ICRC_AUTO, &whole, Room()) != ROCECC_OK)
        NS_FATAL_ERROR("a frame cannot get its ICRC");
    Ptr<Packet> packet = Create<Packet>(b, head);
    if (payload != 0) packet->AddAtEnd(Create<Packet>(payload));
    packet->AddAtEnd(Create<Packet>(b + head + payload, ROCECC_ICRC_BYTES));
    return packet;
}

Ptr<Packet> Frame::ToPacket() const
{
    return Create<Packet>(b, n);
}

Ptr<Packet> Frame::Into(const Ptr<const Packet> &packet) const
{
    Ptr<Packet> changed = ToPacket();
    if (packet->GetSize() > n)
        changed->AddAtEnd(packet->CreateFragment(n, packet->GetSize() - n));
    return changed;
}

} // namespace roce
