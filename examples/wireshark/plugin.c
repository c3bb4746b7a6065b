/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * plugin.c - the functions that Wireshark calls. The plugin is a post-dissector. It
 * gets each frame from its first byte, after all dissectors of Wireshark, for all ports
 * and EtherTypes. So it replaces no protocol of Wireshark, and parses each frame as
 * rocedump does.
 */
#include "plugin.h"

#include <epan/proto.h>
#include <wiretap/pcap-encap.h>
#include <wiretap/wtap.h>
#include <ws_version.h>

WS_DLL_PUBLIC_DEF const gchar plugin_version[] = ROCECC_VERSION;
WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;
WS_DLL_PUBLIC void plugin_register(void);

#define LINK_UNKNOWN UINT32_MAX

int proto_rocecc = -1;

static settings config;

/*
 * Returns the file link type for Wireshark's own number. ERF is left out, because
 * Wireshark removes its header.
 */
static uint32_t link_type(int encapsulation)
{
    static const uint32_t types[] = {LINK_ETHERNET, LINK_NULL, LINK_RAW,
                                     LINK_LOOP,     LINK_SLL,  LINK_PPI,
                                     LINK_IPV4,     LINK_IPV6, LINK_SLL2};
    size_t i;
    for (i = 0; i < COUNT(types); i++)
        if (wtap_pcap_encap_to_wtap_encap((int)types[i]) == encapsulation)
            return types[i];
    return LINK_UNKNOWN;
}

/*
 * Returns a number that identifies the interface within the file. Wireshark counts the
 * interfaces of each section from 0 on, and does not pass their number to plugins.
 */
static uint32_t interface_of(const wtap_rec *rec)
{
    const bool has_id = (rec->presence_flags & WTAP_HAS_INTERFACE_ID) != 0;
    const bool has_section = (rec->presence_flags & WTAP_HAS_SECTION_NUMBER) != 0;
    const uint32_t id = has_id ? rec->rec_header.packet_header.interface_id : 0;
    return id + (has_section ? rec->section_number << 16 : 0);
}

/* Makes rocedump's packet from a frame. Returns false for other records, or 0 bytes. */
static bool packet_of(tvbuff_t *tvb, const packet_info *pinfo, packet *p)
{
    const wtap_packet_header *h = &pinfo->rec->rec_header.packet_header;
    const gint n = (gint)tvb_captured_length(tvb);
    uint32_t link;
    const guint8 *b;
    if (pinfo->rec->rec_type != REC_TYPE_PACKET || n == 0) return false;
    b = tvb_get_ptr(tvb, 0, n);
    p->number = pinfo->num;
    p->time_ns =
        (uint64_t)pinfo->abs_ts.secs * 1000000000u + (uint64_t)pinfo->abs_ts.nsecs;
    p->len = tvb_reported_length(tvb);
    p->bytes = rocecc_reader_of(b, b + n);
    p->id = p->source = NULL;
    p->iface = interface_of(pinfo->rec);
    link = link_type(h->pkt_encap);
    if (config.domain.link == ROCECC_LINK_IP && link == LINK_ETHERNET) link = LINK_RAW;
    p->link = link_of(link, &p->bytes);
    return true;
}

/* The dissection is static, because taps read it after the function returns. */
static int dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    static dissection f;
    (void)data;
    if (!packet_of(tvb, pinfo, &f.p)) return 0;
    decode(&config, &f.p, f.d);
    stat_frame(&f, pinfo);
    tree_frame(f.d, tvb, pinfo, tree);
    return (int)tvb_captured_length(tvb);
}

static void proto_register_rocecc(void)
{
    proto_rocecc =
        proto_register_protocol("RDMA congestion control (rocecc)", "rocecc", "rocecc");
    names_register(proto_rocecc);
    tree_register(proto_rocecc);
    config_default(&config);
    prefs_start(proto_rocecc, &config);
    stat_register();
}

static void proto_reg_handoff_rocecc(void)
{
    register_postdissector(create_dissector_handle(dissect, proto_rocecc));
}

void plugin_register(void)
{
    static const proto_plugin plugin = {proto_register_rocecc,
                                        proto_reg_handoff_rocecc};
    proto_register_plugin(&plugin);
}
