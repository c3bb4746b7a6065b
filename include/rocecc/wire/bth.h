/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_BTH_H
#define ROCECC_WIRE_BTH_H

/*
 * bth.h - the Base Transport Header of InfiniBand and RoCE, and the packet layout that
 * follows from its opcode. IBTA volume 1, 9.2 and Table 38; Annex A17 for RoCEv2 and
 * its CNP.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |     OpCode    |S|M|Pad| TVer  |             P_Key             |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |F|B|   Resv6   |                    DestQP                     |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |A|    Resv7    |                      PSN                      |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     8100ffff 40000118 00000000     a CNP with B set, to QP 0x118, default P_Key
 *     0a70ffff 0000010a 80a788bc     RC WRITE Only to QP 0x10a, M set, 3 bytes of
 *                                    padding, an ACK is requested, PSN 0xa788bc
 */
#include "../bytes.h"

#define ROCECC_BTH_BYTES 12
#define ROCECC_ICRC_BYTES 4 /* at the end of every packet; see icrc.h */

typedef struct rocecc_bth {
    uint8_t opcode; /* opcode of the packet; a rocecc_opcode or any other value */
    bool solicited; /* request for an event at the receiver; S, solicited event */
    bool migreq;    /* state of path migration; M; real NICs set it in data and ACKs */
    uint8_t pad;    /* length of the padding after the payload; 2 bits; in bytes */
    uint8_t tver;   /* transport header version; 4 bits; 0 */
    uint16_t pkey;  /* partition key; the high bit means full membership */
    bool fecn; /* forward explicit congestion notification; F; RoCEv2 receivers ignore F
                  and B (CA17-29) */
    bool becn; /* backward explicit congestion notification; B; set in the CNPs of real
                  NICs */
    uint8_t resv6; /* reserved bits; 6 bits; some NICs set them; ignored on receipt */
    uint32_t dest_qp; /* queue pair at the destination; 24 bits */
    bool ack_req;     /* request for an ACK; A */
    uint8_t resv7; /* reserved bits; 7 bits; ignored on receipt, covered by the ICRC */
    uint32_t psn;  /* packet sequence number; 24 bits; counts modulo 2^24 */
} rocecc_bth;

/*
 * Reads a BTH. Any 12 bytes are valid, and rocecc_bth_store() reproduces them exactly.
 */
ROCECC_FN rocecc_bth rocecc_bth_load(const uint8_t *bytes)
{
    const uint32_t w0 = rocecc_load32(bytes);
    const uint32_t w1 = rocecc_load32(bytes + 4);
    const uint32_t w2 = rocecc_load32(bytes + 8);
    rocecc_bth h;
    h.opcode = (uint8_t)(w0 >> 24);
    h.solicited = (w0 >> 23 & 1) != 0;
    h.migreq = (w0 >> 22 & 1) != 0;
    h.pad = (uint8_t)(w0 >> 20 & 0x3);
    h.tver = (uint8_t)(w0 >> 16 & 0xf);
    h.pkey = (uint16_t)w0;
    h.fecn = (w1 >> 31) != 0;
    h.becn = (w1 >> 30 & 1) != 0;
    h.resv6 = (uint8_t)(w1 >> 24 & 0x3f);
    h.dest_qp = w1 & 0xffffff;
    h.ack_req = (w2 >> 31) != 0;
    h.resv7 = (uint8_t)(w2 >> 24 & 0x7f);
    h.psn = w2 & 0xffffff;
    return h;
}

/*
 * Writes a BTH of 12 bytes. A value that is too wide loses its high bits, but does not
 * change other fields.
 */
ROCECC_FN void rocecc_bth_store(uint8_t *bytes, const rocecc_bth *header)
{
    rocecc_store32(bytes,
                   (uint32_t)header->opcode << 24 | (uint32_t)header->solicited << 23 |
                       (uint32_t)header->migreq << 22 | (header->pad & 0x3u) << 20 |
                       (header->tver & 0xfu) << 16 | header->pkey);
    rocecc_store32(bytes + 4,
                   (uint32_t)header->fecn << 31 | (uint32_t)header->becn << 30 |
                       (header->resv6 & 0x3fu) << 24 | (header->dest_qp & 0xffffff));
    rocecc_store32(bytes + 8, (uint32_t)header->ack_req << 31 |
                                  (header->resv7 & 0x7fu) << 24 |
                                  (header->psn & 0xffffff));
}

/* Parses a BTH. Returns SHORT if fewer than 12 bytes are left. */
ROCECC_FN rocecc_status rocecc_bth_parse(rocecc_reader *reader, rocecc_bth *out)
{
    const uint8_t *b = rocecc_take(reader, ROCECC_BTH_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *out = rocecc_bth_load(b);
    return ROCECC_OK;
}

/*
 * Writes a BTH. Returns RANGE if a value is wider than its field, and SPACE if 12 bytes
 * do not fit.
 */
ROCECC_FN rocecc_status rocecc_bth_emit(rocecc_writer *writer, const rocecc_bth *header)
{
    uint8_t *b;
    if ((header->pad >> 2 | header->tver >> 4 | header->resv6 >> 6 |
         header->resv7 >> 7) != 0 ||
        (header->dest_qp | header->psn) >> 24 != 0)
        return ROCECC_ERR_RANGE;
    b = rocecc_put(writer, ROCECC_BTH_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_bth_store(b, header);
    return ROCECC_OK;
}

/*
 * Opcodes. Bits 7..5 select the service, and bits 4..0 select the operation. All
 * services except the CNP class use the same operation numbers. Annex A19 defines FLUSH
 * and ATOMIC WRITE.
 */
typedef enum rocecc_opcode {
    ROCECC_RC_SEND_FIRST = 0x00,
    ROCECC_RC_SEND_MIDDLE = 0x01,
    ROCECC_RC_SEND_LAST = 0x02,
    ROCECC_RC_SEND_LAST_IMM = 0x03,
    ROCECC_RC_SEND_ONLY = 0x04,
    ROCECC_RC_SEND_ONLY_IMM = 0x05,
    ROCECC_RC_RDMA_WRITE_FIRST = 0x06,
    ROCECC_RC_RDMA_WRITE_MIDDLE = 0x07,
    ROCECC_RC_RDMA_WRITE_LAST = 0x08,
    ROCECC_RC_RDMA_WRITE_LAST_IMM = 0x09,
    ROCECC_RC_RDMA_WRITE_ONLY = 0x0a,
    ROCECC_RC_RDMA_WRITE_ONLY_IMM = 0x0b,
    ROCECC_RC_RDMA_READ_REQUEST = 0x0c,
    ROCECC_RC_RDMA_READ_RESPONSE_FIRST = 0x0d,
    ROCECC_RC_RDMA_READ_RESPONSE_MIDDLE = 0x0e,
    ROCECC_RC_RDMA_READ_RESPONSE_LAST = 0x0f,
    ROCECC_RC_RDMA_READ_RESPONSE_ONLY = 0x10,
    ROCECC_RC_ACKNOWLEDGE = 0x11,
    ROCECC_RC_ATOMIC_ACKNOWLEDGE = 0x12,
    ROCECC_RC_CMP_SWAP = 0x13,
    ROCECC_RC_FETCH_ADD = 0x14,
    ROCECC_RC_SEND_LAST_INV = 0x16,
    ROCECC_RC_SEND_ONLY_INV = 0x17,
    ROCECC_RC_FLUSH = 0x1c,
    ROCECC_RC_ATOMIC_WRITE = 0x1d,
    ROCECC_UC_SEND_FIRST = 0x20,
    ROCECC_UC_SEND_MIDDLE = 0x21,
    ROCECC_UC_SEND_LAST = 0x22,
    ROCECC_UC_SEND_LAST_IMM = 0x23,
    ROCECC_UC_SEND_ONLY = 0x24,
    ROCECC_UC_SEND_ONLY_IMM = 0x25,
    ROCECC_UC_RDMA_WRITE_FIRST = 0x26,
    ROCECC_UC_RDMA_WRITE_MIDDLE = 0x27,
    ROCECC_UC_RDMA_WRITE_LAST = 0x28,
    ROCECC_UC_RDMA_WRITE_LAST_IMM = 0x29,
    ROCECC_UC_RDMA_WRITE_ONLY = 0x2a,
    ROCECC_UC_RDMA_WRITE_ONLY_IMM = 0x2b,
    ROCECC_RD_SEND_FIRST = 0x40,
    ROCECC_RD_SEND_MIDDLE = 0x41,
    ROCECC_RD_SEND_LAST = 0x42,
    ROCECC_RD_SEND_LAST_IMM = 0x43,
    ROCECC_RD_SEND_ONLY = 0x44,
    ROCECC_RD_SEND_ONLY_IMM = 0x45,
    ROCECC_RD_RDMA_WRITE_FIRST = 0x46,
    ROCECC_RD_RDMA_WRITE_MIDDLE = 0x47,
    ROCECC_RD_RDMA_WRITE_LAST = 0x48,
    ROCECC_RD_RDMA_WRITE_LAST_IMM = 0x49,
    ROCECC_RD_RDMA_WRITE_ONLY = 0x4a,
    ROCECC_RD_RDMA_WRITE_ONLY_IMM = 0x4b,
    ROCECC_RD_RDMA_READ_REQUEST = 0x4c,
    ROCECC_RD_RDMA_READ_RESPONSE_FIRST = 0x4d,
    ROCECC_RD_RDMA_READ_RESPONSE_MIDDLE = 0x4e,
    ROCECC_RD_RDMA_READ_RESPONSE_LAST = 0x4f,
    ROCECC_RD_RDMA_READ_RESPONSE_ONLY = 0x50,
    ROCECC_RD_ACKNOWLEDGE = 0x51,
    ROCECC_RD_ATOMIC_ACKNOWLEDGE = 0x52,
    ROCECC_RD_CMP_SWAP = 0x53,
    ROCECC_RD_FETCH_ADD = 0x54,
    ROCECC_RD_RESYNC = 0x55,
    ROCECC_RD_FLUSH = 0x5c,
    ROCECC_RD_ATOMIC_WRITE = 0x5d,
    ROCECC_UD_SEND_ONLY = 0x64,
    ROCECC_UD_SEND_ONLY_IMM = 0x65,
    ROCECC_XRC_SEND_FIRST = 0xa0,
    ROCECC_XRC_SEND_MIDDLE = 0xa1,
    ROCECC_XRC_SEND_LAST = 0xa2,
    ROCECC_XRC_SEND_LAST_IMM = 0xa3,
    ROCECC_XRC_SEND_ONLY = 0xa4,
    ROCECC_XRC_SEND_ONLY_IMM = 0xa5,
    ROCECC_XRC_RDMA_WRITE_FIRST = 0xa6,
    ROCECC_XRC_RDMA_WRITE_MIDDLE = 0xa7,
    ROCECC_XRC_RDMA_WRITE_LAST = 0xa8,
    ROCECC_XRC_RDMA_WRITE_LAST_IMM = 0xa9,
    ROCECC_XRC_RDMA_WRITE_ONLY = 0xaa,
    ROCECC_XRC_RDMA_WRITE_ONLY_IMM = 0xab,
    ROCECC_XRC_RDMA_READ_REQUEST = 0xac,
    ROCECC_XRC_RDMA_READ_RESPONSE_FIRST = 0xad,
    ROCECC_XRC_RDMA_READ_RESPONSE_MIDDLE = 0xae,
    ROCECC_XRC_RDMA_READ_RESPONSE_LAST = 0xaf,
    ROCECC_XRC_RDMA_READ_RESPONSE_ONLY = 0xb0,
    ROCECC_XRC_ACKNOWLEDGE = 0xb1,
    ROCECC_XRC_ATOMIC_ACKNOWLEDGE = 0xb2,
    ROCECC_XRC_CMP_SWAP = 0xb3,
    ROCECC_XRC_FETCH_ADD = 0xb4,
    ROCECC_XRC_SEND_LAST_INV = 0xb6,
    ROCECC_XRC_SEND_ONLY_INV = 0xb7,
    ROCECC_XRC_FLUSH = 0xbc,
    ROCECC_XRC_ATOMIC_WRITE = 0xbd,
    ROCECC_OPCODE_CN = 0x80, /* native InfiniBand (Annex A10), not RoCE */
    ROCECC_OPCODE_CNP = 0x81 /* RoCEv2 CNP, A17.9.3 */
} rocecc_opcode;

/* Services (bits 7..5 of the opcode). Services 6 and 7 are manufacturer-specific. */
typedef enum rocecc_opcode_service_ {
    ROCECC_SERVICE_RC = 0,
    ROCECC_SERVICE_UC = 1,
    ROCECC_SERVICE_RD = 2, /* not used by RoCE products */
    ROCECC_SERVICE_UD = 3,
    ROCECC_SERVICE_CNP = 4,
    ROCECC_SERVICE_XRC = 5
} ROCECC_IN_8_BITS_(rocecc_opcode_service);

typedef enum rocecc_opcode_operation_ {
    ROCECC_OPERATION_SEND, /* the first three operations carry message data */
    ROCECC_OPERATION_RDMA_WRITE,
    ROCECC_OPERATION_RDMA_READ_RESPONSE,
    ROCECC_OPERATION_RDMA_READ_REQUEST,
    ROCECC_OPERATION_ACKNOWLEDGE,
    ROCECC_OPERATION_ATOMIC_ACKNOWLEDGE,
    ROCECC_OPERATION_CMP_SWAP,
    ROCECC_OPERATION_FETCH_ADD,
    ROCECC_OPERATION_RESYNC,
    ROCECC_OPERATION_FLUSH,
    ROCECC_OPERATION_ATOMIC_WRITE,
    ROCECC_OPERATION_CN,
    ROCECC_OPERATION_CNP
} ROCECC_IN_8_BITS_(rocecc_opcode_operation);

/* Extended headers after the BTH, in wire order. */
#define ROCECC_EXT_RDETH 0x001u
#define ROCECC_EXT_DETH 0x002u
#define ROCECC_EXT_XRCETH 0x004u
#define ROCECC_EXT_FETH 0x008u
#define ROCECC_EXT_RETH 0x010u
#define ROCECC_EXT_ATOMICETH 0x020u
#define ROCECC_EXT_AETH 0x040u
#define ROCECC_EXT_ATOMICACKETH 0x080u
#define ROCECC_EXT_IMMDT 0x100u
#define ROCECC_EXT_IETH 0x200u
#define ROCECC_EXT_CNP 0x400u /* the 16 reserved bytes of a RoCEv2 CNP */
#define ROCECC_EXT_ALL 0x7ffu

typedef enum rocecc_opcode_payload_ {
    ROCECC_PAYLOAD_NONE,
    ROCECC_PAYLOAD_ANY, /* any length (0 only if the message is empty) */
    ROCECC_PAYLOAD_8    /* exactly 8 bytes */
} ROCECC_IN_8_BITS_(rocecc_opcode_payload);

/* Properties of a packet that follow from its opcode. */
typedef struct rocecc_opcode_class {
    ROCECC_ENUM8_(rocecc_opcode_service) service;     /* transport service */
    ROCECC_ENUM8_(rocecc_opcode_operation) operation; /* operation, such as SEND */
    bool first;    /* first packet of a message; an Only packet is first and last */
    bool last;     /* last packet of a message */
    bool response; /* packet from the responder to the requester */
    bool pad;      /* possible padding after the payload; if false, PadCnt must be 0 */
    ROCECC_ENUM8_(rocecc_opcode_payload) payload; /* permitted length of the payload */
    uint16_t ext;      /* extended headers after the BTH; set of ROCECC_EXT_... */
    uint8_t hdr_bytes; /* length of BTH and extended headers; the payload's offset */
} rocecc_opcode_class;

/*
 * Returns the total length of the extended headers in a set, 0 to 100 bytes. Ignores
 * unknown bits.
 */
ROCECC_FN uint8_t rocecc_ext_bytes(uint16_t present)
{
    static const uint8_t bytes[11] = {4, 8, 4, 4, 16, 28, 4, 8, 4, 4, 16};
    uint8_t sum = 0;
    int i;
    for (i = 0; i < 11; i++)
        if (present >> i & 1) sum = (uint8_t)(sum + bytes[i]);
    return sum;
}

/*
 * Looks up an opcode in IBTA Table 38. Returns NO_MATCH if the opcode is reserved, and
 * UNSUPPORTED if it is manufacturer-specific (0xc0 to 0xff). In rocecc, RD FLUSH and RD
 * ATOMIC WRITE have no DETH (README.md).
 */
ROCECC_FN rocecc_status rocecc_opcode_lookup(uint8_t opcode, rocecc_opcode_class *out)
{
    /* Set of operations for each service. */
    static const uint32_t has[6] = {
        0x30dfffff, /* RC: all but RESYNC */
        0x00000fff, /* UC: SEND and RDMA WRITE, without invalidate */
        0x303fffff, /* RD: all but invalidate */
        0x00000030, /* UD: SEND Only, with and without immediate */
        0x00000003, /* CNP class: CN and CNP */
        0x30dfffff  /* XRC: same as RC */
    };
    /* Leading headers of each service, in requests and in responses. */
    static const uint16_t lead[6][2] = {
        {0, 0}, /* RC */
        {0, 0}, /* UC */
        {ROCECC_EXT_RDETH | ROCECC_EXT_DETH, ROCECC_EXT_RDETH},
        {ROCECC_EXT_DETH, 0}, /* UD has no responses */
        {0, 0},               /* CNP class */
        {ROCECC_EXT_XRCETH, 0}};
    /* Flags and headers of each operation. */
    static const struct {
        uint8_t operation;
        bool first, last, response;
        uint16_t ext;
    } row[34] = {
        {ROCECC_OPERATION_SEND, 1, 0, 0, 0}, /* 0x00 */
        {ROCECC_OPERATION_SEND, 0, 0, 0, 0},
        {ROCECC_OPERATION_SEND, 0, 1, 0, 0},
        {ROCECC_OPERATION_SEND, 0, 1, 0, ROCECC_EXT_IMMDT},
        {ROCECC_OPERATION_SEND, 1, 1, 0, 0}, /* 0x04 */
        {ROCECC_OPERATION_SEND, 1, 1, 0, ROCECC_EXT_IMMDT},
        {ROCECC_OPERATION_RDMA_WRITE, 1, 0, 0, ROCECC_EXT_RETH},
        {ROCECC_OPERATION_RDMA_WRITE, 0, 0, 0, 0},
        {ROCECC_OPERATION_RDMA_WRITE, 0, 1, 0, 0}, /* 0x08 */
        {ROCECC_OPERATION_RDMA_WRITE, 0, 1, 0, ROCECC_EXT_IMMDT},
        {ROCECC_OPERATION_RDMA_WRITE, 1, 1, 0, ROCECC_EXT_RETH},
        {ROCECC_OPERATION_RDMA_WRITE, 1, 1, 0, ROCECC_EXT_RETH | ROCECC_EXT_IMMDT},
        {ROCECC_OPERATION_RDMA_READ_REQUEST, 1, 1, 0, ROCECC_EXT_RETH}, /* 0x0c */
        {ROCECC_OPERATION_RDMA_READ_RESPONSE, 1, 0, 1, ROCECC_EXT_AETH},
        {ROCECC_OPERATION_RDMA_READ_RESPONSE, 0, 0, 1, 0},
        {ROCECC_OPERATION_RDMA_READ_RESPONSE, 0, 1, 1, ROCECC_EXT_AETH},
        {ROCECC_OPERATION_RDMA_READ_RESPONSE, 1, 1, 1, ROCECC_EXT_AETH}, /* 0x10 */
        {ROCECC_OPERATION_ACKNOWLEDGE, 1, 1, 1, ROCECC_EXT_AETH},
        {ROCECC_OPERATION_ATOMIC_ACKNOWLEDGE, 1, 1, 1,
         ROCECC_EXT_AETH | ROCECC_EXT_ATOMICACKETH},
        {ROCECC_OPERATION_CMP_SWAP, 1, 1, 0, ROCECC_EXT_ATOMICETH},
        {ROCECC_OPERATION_FETCH_ADD, 1, 1, 0, ROCECC_EXT_ATOMICETH}, /* 0x14 */
        {ROCECC_OPERATION_RESYNC, 1, 1, 0, 0},
        {ROCECC_OPERATION_SEND, 0, 1, 0, ROCECC_EXT_IETH},
        {ROCECC_OPERATION_SEND, 1, 1, 0, ROCECC_EXT_IETH},
        {0, 0, 0, 0, 0}, /* 0x18 to 0x1b: reserved */
        {0, 0, 0, 0, 0},
        {0, 0, 0, 0, 0},
        {0, 0, 0, 0, 0},
        {ROCECC_OPERATION_FLUSH, 1, 1, 0, ROCECC_EXT_FETH | ROCECC_EXT_RETH}, /* 0x1c */
        {ROCECC_OPERATION_ATOMIC_WRITE, 1, 1, 0, ROCECC_EXT_RETH},
        {0, 0, 0, 0, 0}, /* 0x1e, 0x1f: reserved */
        {0, 0, 0, 0, 0},
        {ROCECC_OPERATION_CN, 1, 1, 0, 0}, /* the CNP class */
        {ROCECC_OPERATION_CNP, 1, 1, 0, ROCECC_EXT_CNP}};
    const unsigned service = opcode >> 5;
    unsigned op = opcode & 0x1f;
    size_t response;
    rocecc_opcode_class c;
    if (service > ROCECC_SERVICE_XRC) return ROCECC_ERR_UNSUPPORTED;
    if ((has[service] >> op & 1) == 0) return ROCECC_NO_MATCH;
    if (service == ROCECC_SERVICE_CNP) op = 32 + (op & 1);
    c.service = (rocecc_opcode_service)service;
    c.operation = (rocecc_opcode_operation)row[op].operation;
    c.first = row[op].first;
    c.last = row[op].last;
    c.response = row[op].response;
    response = c.response;
    ROCECC_BPF_MASK_(response, 1);
    c.ext = row[op].ext | lead[service][response];
    if (c.operation >= ROCECC_OPERATION_FLUSH) c.ext &= (uint16_t)~ROCECC_EXT_DETH;
    c.payload = ROCECC_PAYLOAD_NONE;
    if (c.operation <= ROCECC_OPERATION_RDMA_READ_RESPONSE)
        c.payload = ROCECC_PAYLOAD_ANY;
    if (c.operation == ROCECC_OPERATION_ATOMIC_WRITE) c.payload = ROCECC_PAYLOAD_8;
    c.pad = c.payload == ROCECC_PAYLOAD_ANY && c.last;
    c.hdr_bytes = (uint8_t)(ROCECC_BTH_BYTES + rocecc_ext_bytes(c.ext));
    *out = c;
    return ROCECC_OK;
}

/* Returns true if the opcode is an RC or XRC ACKNOWLEDGE (an ACK or a NAK). */
ROCECC_FN bool rocecc_opcode_is_ack(uint8_t opcode)
{
    return opcode == ROCECC_RC_ACKNOWLEDGE || opcode == ROCECC_XRC_ACKNOWLEDGE;
}

/*
 * Flags for BTH bits that are set although they do not fit the opcode. Receivers
 * nevertheless process such packets. ROCECC_CNP_ODD_SOLICITED and
 * ROCECC_CNP_ODD_ACK_REQ in cnp.h have the same values.
 */
#define ROCECC_BTH_ODD_SOLICITED 0x01u /* S set, but no event can follow (IBTA 9.2) */
#define ROCECC_BTH_ODD_ACK_REQ 0x04u   /* A set, but no ACK can follow (IBTA 9.2) */

/*
 * Returns the ROCECC_BTH_ODD_... flags of a BTH, or 0 if its opcode is reserved or
 * manufacturer-specific. S is valid only in the last packet of a SEND, or of an RDMA
 * WRITE with immediate data. A is valid only in requests of RC, RD and XRC (IBTA 9.7,
 * 9.8). This function never reports MigReq, F, B or reserved bits, because real NICs
 * set them.
 */
ROCECC_FN uint8_t rocecc_bth_odd(const rocecc_bth *header)
{
    rocecc_opcode_class c;
    bool event, reliable;
    if (rocecc_opcode_lookup(header->opcode, &c) != ROCECC_OK) return 0;
    event = c.last && (c.operation == ROCECC_OPERATION_SEND ||
                       (c.operation == ROCECC_OPERATION_RDMA_WRITE &&
                        (c.ext & ROCECC_EXT_IMMDT) != 0));
    reliable = c.service == ROCECC_SERVICE_RC || c.service == ROCECC_SERVICE_RD ||
               c.service == ROCECC_SERVICE_XRC;
    return (uint8_t)((header->solicited && !event ? ROCECC_BTH_ODD_SOLICITED : 0) |
                     (header->ack_req && (!reliable || c.response)
                          ? ROCECC_BTH_ODD_ACK_REQ
                          : 0));
}

/* Set of opcodes. Bit n of bits[s] represents the opcode 32 * s + n. */
typedef struct rocecc_opcode_set {
    uint32_t
        bits[8]; /* index: bits 7..5 of the opcode (service or manufacturer-specific) */
} rocecc_opcode_set;

/* Returns true if the set contains the opcode. */
ROCECC_FN bool rocecc_opcode_set_has(const rocecc_opcode_set *set, uint8_t opcode)
{
    size_t service = opcode >> 5;
    ROCECC_BPF_MASK_(service, 7);
    return (set->bits[service] >> (opcode & 0x1f) & 1) != 0;
}

/* Returns true if the set is empty. */
ROCECC_FN bool rocecc_opcode_set_is_empty(const rocecc_opcode_set *set)
{
    uint32_t any = 0;
    int i;
    for (i = 0; i < 8; i++)
        any |= set->bits[i];
    return any == 0;
}

/*
 * Returns the set of opcodes that carry message data (SEND, RDMA WRITE and RDMA READ
 * Response). The set does not include ATOMIC WRITE, opcodes without payload, reserved
 * opcodes or manufacturer-specific opcodes.
 */
ROCECC_FN rocecc_opcode_set rocecc_opcode_set_data(void)
{
    const rocecc_opcode_set data = {{
        0x00c1efff, /* RC: 0x00 to 0x0b, 0x0d to 0x10, 0x16, 0x17 */
        0x00000fff, /* UC: SEND and RDMA WRITE */
        0x0001efff, /* RD: same as RC, but without invalidate */
        0x00000030, /* UD: SEND Only, with and without immediate */
        0,          /* the CNP class */
        0x00c1efff, /* XRC: same as RC */
        0, 0        /* manufacturer-specific */
    }};
    return data;
}

#endif /* ROCECC_WIRE_BTH_H */
