/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_EXT_H
#define ROCECC_WIRE_EXT_H

/*
 * ext.h - the extended transport headers between the BTH and the payload, and the
 * payload's bounds. IBTA volume 1, 9.3; FETH from Annex A19.
 *
 * The opcode of a packet determines its headers (rocecc_opcode_lookup()). They follow
 * the BTH in this order, with these lengths in bytes (all multiples of 4):
 *
 *   RDETH 4 | DETH 8 | XRCETH 4 | FETH 4 | RETH 16 | AtomicETH 28 | AETH 4 |
 *   AtomicAckETH 8 | ImmDt 4 | IETH 4 | the 16 reserved bytes of a CNP
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |   reserved    |                  EE-Context                   | RDETH
 *   |                             Q_Key                             | DETH
 *   |   reserved    |                     SrcQP                     |   and
 *   |   reserved    |                    XRCSRQ                     | XRCETH
 *   |                     reserved                      |Sel|  PLT  | FETH
 *   |                   Virtual Address, 8 bytes                    | RETH
 *   |                             R_Key                             |   and
 *   |                          DMA Length                           |   and
 *   |   Syndrome    |                      MSN                      | AETH
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 * AtomicETH contains Virtual Address (8 bytes), R_Key (4), Swap (or Add) Data (8) and
 * Compare Data (8). AtomicAckETH contains the original value (8 bytes), ImmDt contains
 * 4 bytes of data, and IETH contains the R_Key to invalidate.
 *
 *     000055d4c0726000 000047b3 00000005     RETH: 5 bytes to 0x55d4c0726000
 *
 * load() and store() cannot fail, and store() reproduces the loaded bytes.
 */
#include "bth.h"
#include "config.h"

typedef struct rocecc_rdeth {
    uint8_t reserved;
    uint32_t ee_context; /* end-to-end context of the Reliable Datagram; 24 bits */
} rocecc_rdeth;

typedef struct rocecc_deth {
    uint32_t q_key; /* key for access to the receive queue */
    uint8_t reserved;
    uint32_t src_qp; /* queue pair of the sender; 24 bits */
} rocecc_deth;

typedef struct rocecc_xrceth {
    uint8_t reserved;
    uint32_t xrcsrq; /* XRC shared receive queue at the destination; 24 bits */
} rocecc_xrceth;

typedef struct rocecc_feth {
    uint32_t reserved;   /* reserved bits; 26 bits */
    uint8_t selectivity; /* FLUSH extent (0 range, 1 memory region); Sel, 2 bits */
    uint8_t placement; /* placement (1 global visibility, 2 persistence, 3 both); PLT, 4
                          bits */
} rocecc_feth;

typedef struct rocecc_reth {
    uint64_t va;         /* virtual address in the responder's memory */
    uint32_t r_key;      /* key for access to the responder's memory */
    uint32_t dma_length; /* number of bytes to read, write or flush; at most 2^31; not
                            checked here */
} rocecc_reth;

typedef struct rocecc_atomiceth {
    uint64_t va;          /* virtual address in the responder's memory */
    uint32_t r_key;       /* key for access to the responder's memory */
    uint64_t swap_or_add; /* value to swap in, or to add */
    uint64_t compare;     /* value to compare with the memory content */
} rocecc_atomiceth;

typedef struct rocecc_aeth {
    uint8_t syndrome; /* type and value of the acknowledgement; a rocecc_syndrome */
    uint32_t msn;     /* number of messages completed by the responder; 24 bits; counts
                         modulo 2^24 */
} rocecc_aeth;

typedef struct rocecc_atomicacketh {
    uint64_t original; /* value at the address before the operation */
} rocecc_atomicacketh;

typedef struct rocecc_immdt {
    uint32_t data; /* immediate data for the receiver; opaque to the transport */
} rocecc_immdt;

typedef struct rocecc_ieth {
    uint32_t r_key; /* key to invalidate at the receiver */
} rocecc_ieth;

/* Extended headers after a BTH. All fields of an absent header are 0. */
typedef struct rocecc_ext {
    uint16_t present; /* set of the present headers; ROCECC_EXT_... */
    rocecc_rdeth rdeth;
    rocecc_deth deth;
    rocecc_xrceth xrceth;
    rocecc_feth feth;
    rocecc_reth reth;
    rocecc_atomiceth atomiceth;
    rocecc_aeth aeth;
    rocecc_atomicacketh atomicacketh;
    rocecc_immdt immdt;
    rocecc_ieth ieth;
    uint8_t cnp[16]; /* reserved bytes of a CNP; should be 0; ignored on receipt
                        (A17.9.3); emit() copies them */
} rocecc_ext;

/* Reads an RDETH of 4 bytes. */
ROCECC_FN rocecc_rdeth rocecc_rdeth_load(const uint8_t *bytes)
{
    rocecc_rdeth h;
    h.reserved = bytes[0];
    h.ee_context = rocecc_load32(bytes) & 0xffffff;
    return h;
}

/* Writes an RDETH of 4 bytes. A value that is too wide loses its high bits. */
ROCECC_FN void rocecc_rdeth_store(uint8_t *bytes, const rocecc_rdeth *header)
{
    rocecc_store32(bytes,
                   (uint32_t)header->reserved << 24 | (header->ee_context & 0xffffff));
}

/* Reads a DETH of 8 bytes. */
ROCECC_FN rocecc_deth rocecc_deth_load(const uint8_t *bytes)
{
    rocecc_deth h;
    h.q_key = rocecc_load32(bytes);
    h.reserved = bytes[4];
    h.src_qp = rocecc_load32(bytes + 4) & 0xffffff;
    return h;
}

/* Writes a DETH of 8 bytes. A value that is too wide loses its high bits. */
ROCECC_FN void rocecc_deth_store(uint8_t *bytes, const rocecc_deth *header)
{
    rocecc_store32(bytes, header->q_key);
    rocecc_store32(bytes + 4,
                   (uint32_t)header->reserved << 24 | (header->src_qp & 0xffffff));
}

/* Reads an XRCETH of 4 bytes. */
ROCECC_FN rocecc_xrceth rocecc_xrceth_load(const uint8_t *bytes)
{
    rocecc_xrceth h;
    h.reserved = bytes[0];
    h.xrcsrq = rocecc_load32(bytes) & 0xffffff;
    return h;
}

/* Writes an XRCETH of 4 bytes. A value that is too wide loses its high bits. */
ROCECC_FN void rocecc_xrceth_store(uint8_t *bytes, const rocecc_xrceth *header)
{
    rocecc_store32(bytes,
                   (uint32_t)header->reserved << 24 | (header->xrcsrq & 0xffffff));
}

/* Reads a FETH of 4 bytes. */
ROCECC_FN rocecc_feth rocecc_feth_load(const uint8_t *bytes)
{
    const uint32_t w0 = rocecc_load32(bytes);
    rocecc_feth h;
    h.reserved = w0 >> 6;
    h.selectivity = (uint8_t)(w0 >> 4 & 0x3);
    h.placement = (uint8_t)(w0 & 0xf);
    return h;
}

/* Writes a FETH of 4 bytes. A value that is too wide loses its high bits. */
ROCECC_FN void rocecc_feth_store(uint8_t *bytes, const rocecc_feth *header)
{
    rocecc_store32(bytes, header->reserved << 6 | (header->selectivity & 0x3u) << 4 |
                              (header->placement & 0xfu));
}

/* Reads a RETH of 16 bytes. */
ROCECC_FN rocecc_reth rocecc_reth_load(const uint8_t *bytes)
{
    rocecc_reth h;
    h.va = rocecc_load64(bytes);
    h.r_key = rocecc_load32(bytes + 8);
    h.dma_length = rocecc_load32(bytes + 12);
    return h;
}

/* Writes a RETH of 16 bytes. */
ROCECC_FN void rocecc_reth_store(uint8_t *bytes, const rocecc_reth *header)
{
    rocecc_store64(bytes, header->va);
    rocecc_store32(bytes + 8, header->r_key);
    rocecc_store32(bytes + 12, header->dma_length);
}

/* Reads an AtomicETH of 28 bytes. */
ROCECC_FN rocecc_atomiceth rocecc_atomiceth_load(const uint8_t *bytes)
{
    rocecc_atomiceth h;
    h.va = rocecc_load64(bytes);
    h.r_key = rocecc_load32(bytes + 8);
    h.swap_or_add = rocecc_load64(bytes + 12);
    h.compare = rocecc_load64(bytes + 20);
    return h;
}

/* Writes an AtomicETH of 28 bytes. */
ROCECC_FN void rocecc_atomiceth_store(uint8_t *bytes, const rocecc_atomiceth *header)
{
    rocecc_store64(bytes, header->va);
    rocecc_store32(bytes + 8, header->r_key);
    rocecc_store64(bytes + 12, header->swap_or_add);
    rocecc_store64(bytes + 20, header->compare);
}

/* Reads an AETH of 4 bytes. */
ROCECC_FN rocecc_aeth rocecc_aeth_load(const uint8_t *bytes)
{
    rocecc_aeth h;
    h.syndrome = bytes[0];
    h.msn = rocecc_load32(bytes) & 0xffffff;
    return h;
}

/* Writes an AETH of 4 bytes. A value that is too wide loses its high bits. */
ROCECC_FN void rocecc_aeth_store(uint8_t *bytes, const rocecc_aeth *header)
{
    rocecc_store32(bytes, (uint32_t)header->syndrome << 24 | (header->msn & 0xffffff));
}

/* Reads an AtomicAckETH of 8 bytes. */
ROCECC_FN rocecc_atomicacketh rocecc_atomicacketh_load(const uint8_t *bytes)
{
    rocecc_atomicacketh h;
    h.original = rocecc_load64(bytes);
    return h;
}

/* Writes an AtomicAckETH of 8 bytes. */
ROCECC_FN void rocecc_atomicacketh_store(uint8_t *bytes,
                                         const rocecc_atomicacketh *header)
{
    rocecc_store64(bytes, header->original);
}

/* Reads an ImmDt of 4 bytes. */
ROCECC_FN rocecc_immdt rocecc_immdt_load(const uint8_t *bytes)
{
    rocecc_immdt h;
    h.data = rocecc_load32(bytes);
    return h;
}

/* Writes an ImmDt of 4 bytes. */
ROCECC_FN void rocecc_immdt_store(uint8_t *bytes, const rocecc_immdt *header)
{
    rocecc_store32(bytes, header->data);
}

/* Reads an IETH of 4 bytes. */
ROCECC_FN rocecc_ieth rocecc_ieth_load(const uint8_t *bytes)
{
    rocecc_ieth h;
    h.r_key = rocecc_load32(bytes);
    return h;
}

/* Writes an IETH of 4 bytes. */
ROCECC_FN void rocecc_ieth_store(uint8_t *bytes, const rocecc_ieth *header)
{
    rocecc_store32(bytes, header->r_key);
}

/*
 * Parses the headers in `present`, a set of ROCECC_EXT_... bits as in
 * rocecc_opcode_class.ext. Returns RANGE if the set has an unknown bit, and SHORT if
 * the headers extend beyond `reader`.
 */
ROCECC_FN rocecc_status rocecc_ext_parse(rocecc_reader *reader, uint16_t present,
                                         rocecc_ext *out)
{
    rocecc_ext e = {0,         {0, 0},    {0, 0, 0},    {0, 0},
                    {0, 0, 0}, {0, 0, 0}, {0, 0, 0, 0}, {0, 0},
                    {0},       {0},       {0},          {0}};
    rocecc_reader rest = *reader;
    const uint8_t *b;
    int i;
    if ((present & ~ROCECC_EXT_ALL) != 0) return ROCECC_ERR_RANGE;
    e.present = present;
    if (present & ROCECC_EXT_RDETH) {
        if ((b = rocecc_take(&rest, 4)) == NULL) return ROCECC_ERR_SHORT;
        e.rdeth = rocecc_rdeth_load(b);
    }
    if (present & ROCECC_EXT_DETH) {
        if ((b = rocecc_take(&rest, 8)) == NULL) return ROCECC_ERR_SHORT;
        e.deth = rocecc_deth_load(b);
    }
    if (present & ROCECC_EXT_XRCETH) {
        if ((b = rocecc_take(&rest, 4)) == NULL) return ROCECC_ERR_SHORT;
        e.xrceth = rocecc_xrceth_load(b);
    }
    if (present & ROCECC_EXT_FETH) {
        if ((b = rocecc_take(&rest, 4)) == NULL) return ROCECC_ERR_SHORT;
        e.feth = rocecc_feth_load(b);
    }
    if (present & ROCECC_EXT_RETH) {
        if ((b = rocecc_take(&rest, 16)) == NULL) return ROCECC_ERR_SHORT;
        e.reth = rocecc_reth_load(b);
    }
    if (present & ROCECC_EXT_ATOMICETH) {
        if ((b = rocecc_take(&rest, 28)) == NULL) return ROCECC_ERR_SHORT;
        e.atomiceth = rocecc_atomiceth_load(b);
    }
    if (present & ROCECC_EXT_AETH) {
        if ((b = rocecc_take(&rest, 4)) == NULL) return ROCECC_ERR_SHORT;
        e.aeth = rocecc_aeth_load(b);
    }
    if (present & ROCECC_EXT_ATOMICACKETH) {
        if ((b = rocecc_take(&rest, 8)) == NULL) return ROCECC_ERR_SHORT;
        e.atomicacketh = rocecc_atomicacketh_load(b);
    }
    if (present & ROCECC_EXT_IMMDT) {
        if ((b = rocecc_take(&rest, 4)) == NULL) return ROCECC_ERR_SHORT;
        e.immdt = rocecc_immdt_load(b);
    }
    if (present & ROCECC_EXT_IETH) {
        if ((b = rocecc_take(&rest, 4)) == NULL) return ROCECC_ERR_SHORT;
        e.ieth = rocecc_ieth_load(b);
    }
    if (present & ROCECC_EXT_CNP) {
        if ((b = rocecc_take(&rest, 16)) == NULL) return ROCECC_ERR_SHORT;
        for (i = 0; i < 16; i++)
            e.cnp[i] = b[i];
    }
    *out = e;
    *reader = rest;
    return ROCECC_OK;
}

/*
 * Writes the headers in ext->present. Returns RANGE if a value is wider than its field,
 * even in an absent header, or if `present` has an unknown bit. Returns SPACE if the
 * headers do not fit.
 */
ROCECC_FN rocecc_status rocecc_ext_emit(rocecc_writer *writer, const rocecc_ext *ext)
{
    const uint16_t set = ext->present;
    rocecc_writer out = *writer;
    uint8_t *b;
    int i;
    if ((ext->rdeth.ee_context | ext->deth.src_qp | ext->xrceth.xrcsrq |
         ext->aeth.msn) >>
                24 !=
            0 ||
        ext->feth.reserved >> 26 != 0 || ext->feth.selectivity >> 2 != 0 ||
        ext->feth.placement >> 4 != 0 || (set & ~ROCECC_EXT_ALL) != 0)
        return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < rocecc_ext_bytes(set)) return ROCECC_ERR_SPACE;
    if (set & ROCECC_EXT_RDETH) {
        if ((b = rocecc_put(&out, 4)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_rdeth_store(b, &ext->rdeth);
    }
    if (set & ROCECC_EXT_DETH) {
        if ((b = rocecc_put(&out, 8)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_deth_store(b, &ext->deth);
    }
    if (set & ROCECC_EXT_XRCETH) {
        if ((b = rocecc_put(&out, 4)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_xrceth_store(b, &ext->xrceth);
    }
    if (set & ROCECC_EXT_FETH) {
        if ((b = rocecc_put(&out, 4)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_feth_store(b, &ext->feth);
    }
    if (set & ROCECC_EXT_RETH) {
        if ((b = rocecc_put(&out, 16)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_reth_store(b, &ext->reth);
    }
    if (set & ROCECC_EXT_ATOMICETH) {
        if ((b = rocecc_put(&out, 28)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_atomiceth_store(b, &ext->atomiceth);
    }
    if (set & ROCECC_EXT_AETH) {
        if ((b = rocecc_put(&out, 4)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_aeth_store(b, &ext->aeth);
    }
    if (set & ROCECC_EXT_ATOMICACKETH) {
        if ((b = rocecc_put(&out, 8)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_atomicacketh_store(b, &ext->atomicacketh);
    }
    if (set & ROCECC_EXT_IMMDT) {
        if ((b = rocecc_put(&out, 4)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_immdt_store(b, &ext->immdt);
    }
    if (set & ROCECC_EXT_IETH) {
        if ((b = rocecc_put(&out, 4)) == NULL) return ROCECC_ERR_SPACE;
        rocecc_ieth_store(b, &ext->ieth);
    }
    if (set & ROCECC_EXT_CNP) {
        if ((b = rocecc_put(&out, 16)) == NULL) return ROCECC_ERR_SPACE;
        for (i = 0; i < 16; i++)
            b[i] = ext->cnp[i];
    }
    *writer = out;
    return ROCECC_OK;
}

/*
 * Syndrome of the AETH. IBTA volume 1, 9.7.5.
 *
 *    0 1 2 3 4 5 6 7
 *   +-+-+-+-+-+-+-+-+
 *   |0|typ|  value  |
 *   +-+-+-+-+-+-+-+-+
 */
typedef enum rocecc_syndrome_type_ {
    ROCECC_SYNDROME_ACK = 0,     /* value: a credit code, 31 if credits are not used */
    ROCECC_SYNDROME_RNR_NAK = 1, /* value: see rocecc_rnr_timer_us() */
    ROCECC_SYNDROME_RESERVED = 2,
    ROCECC_SYNDROME_NAK = 3 /* value: a rocecc_nak */
} ROCECC_IN_8_BITS_(rocecc_syndrome_type);

typedef enum rocecc_nak {
    ROCECC_NAK_PSN_SEQUENCE_ERROR = 0,
    ROCECC_NAK_INVALID_REQUEST = 1,
    ROCECC_NAK_REMOTE_ACCESS_ERROR = 2,
    ROCECC_NAK_REMOTE_OPERATIONAL_ERROR = 3,
    ROCECC_NAK_INVALID_RD_REQUEST = 4
} rocecc_nak;

typedef struct rocecc_syndrome {
    bool reserved;                            /* reserved high bit; 0 */
    ROCECC_ENUM8_(rocecc_syndrome_type) type; /* type of the acknowledgement */
    uint8_t value; /* credit code, timer code or NAK code; 5 bits */
} rocecc_syndrome;

/* Reads a syndrome of 1 byte. Any byte is valid. */
ROCECC_FN rocecc_syndrome rocecc_syndrome_load(const uint8_t *bytes)
{
    rocecc_syndrome s;
    s.reserved = bytes[0] >> 7 != 0;
    s.type = (rocecc_syndrome_type)(bytes[0] >> 5 & 0x3);
    s.value = bytes[0] & 0x1f;
    return s;
}

/* Writes a syndrome of 1 byte. A value that is too wide loses its high bits. */
ROCECC_FN void rocecc_syndrome_store(uint8_t *bytes, const rocecc_syndrome *syndrome)
{
    bytes[0] = (uint8_t)((syndrome->reserved ? 0x80u : 0u) |
                         (syndrome->type & 0x3u) << 5 | (syndrome->value & 0x1fu));
}

/*
 * Returns the waiting time, in us, that an RNR NAK asks for. A value of 0 means the
 * longest time. Only the low 5 bits of `value` are used.
 */
ROCECC_FN uint32_t rocecc_rnr_timer_us(uint8_t value)
{
    static const uint32_t us[32] = {655360, 10,     20,     30,    40,    60,    80,
                                    120,    160,    240,    320,   480,   640,   960,
                                    1280,   1920,   2560,   3840,  5120,  7680,  10240,
                                    15360,  20480,  30720,  40960, 61440, 81920, 122880,
                                    163840, 245760, 327680, 491520};
    return us[value & 0x1f];
}

/* Positions of the payload and the ICRC, relative to the BTH. */
typedef struct rocecc_extent {
    rocecc_opcode_class opclass; /* in a short CNP, ext is 0 and hdr_bytes is 12 */
    uint8_t payload;             /* the payload's offset, opclass.hdr_bytes */
    uint32_t payload_bytes;      /* without padding */
    uint8_t pad_bytes;
    uint32_t icrc;      /* offset of the last 4 bytes */
    bool pad_forbidden; /* the opcode forbids this padding; the caller decides whether
                           to accept the packet */
} rocecc_extent;

/*
 * Locates the payload and the ICRC. `bytes` is the length from the BTH through the ICRC
 * (UDP Length - 8, or PayLen of the GRH). It is the total length of the BTH, the
 * extended headers, the payload, the padding and the ICRC (4 bytes). The payload of an
 * ACK is either empty or an echo (echo.h) of at most config->echo_bytes bytes. The
 * payload of a data packet is accepted even if it is empty or exceeds the MTU. Returns
 * NO_MATCH if the opcode is reserved. Returns UNSUPPORTED if the opcode is
 * manufacturer-specific, or if it is an RD opcode and config->rd is not set. Returns
 * FORMAT if `bytes` is not a multiple of 4 or does not fit the opcode, PadCnt and
 * config.
 */
ROCECC_FN rocecc_status rocecc_extent_locate(const rocecc_roce_config *config,
                                             const rocecc_bth *header, uint32_t bytes,
                                             rocecc_extent *out)
{
    rocecc_extent e;
    uint32_t rest;
    const rocecc_status status = rocecc_opcode_lookup(header->opcode, &e.opclass);
    if (status != ROCECC_OK) return status;
    if (e.opclass.service == ROCECC_SERVICE_RD && !config->rd)
        return ROCECC_ERR_UNSUPPORTED;
    if (config->short_cnp && header->opcode == ROCECC_OPCODE_CNP && bytes == 16) {
        e.opclass.ext = 0;
        e.opclass.hdr_bytes = ROCECC_BTH_BYTES;
    }
    if (bytes < e.opclass.hdr_bytes + 4u || bytes % 4 != 0) return ROCECC_ERR_FORMAT;
    rest = bytes - 4 - e.opclass.hdr_bytes;
    if (rest < header->pad) return ROCECC_ERR_FORMAT;
    e.payload = e.opclass.hdr_bytes;
    e.payload_bytes = rest - header->pad;
    e.pad_bytes = header->pad;
    e.icrc = bytes - 4;
    e.pad_forbidden = header->pad != 0 && !e.opclass.pad;
    if (e.opclass.payload == ROCECC_PAYLOAD_NONE &&
        e.payload_bytes >
            (rocecc_opcode_is_ack(header->opcode) ? config->echo_bytes : 0u))
        return ROCECC_ERR_FORMAT;
    if (e.opclass.payload == ROCECC_PAYLOAD_8 && e.payload_bytes != 8)
        return ROCECC_ERR_FORMAT;
    *out = e;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_EXT_H */
