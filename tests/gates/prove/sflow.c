/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 100 */
#define PROVE_BYTES 96 /* a header, and a flow sample with a raw header */
#define ROCECC_SFLOW_SAMPLES_MAX 2
#define ROCECC_SFLOW_RECORDS_MAX 2
#define ROCECC_SFLOW_COPY_MAX_BYTES 64
#include "law/sflow.h"
#include "prove.h"

/* Writes values of any width and bodies of any length. */
static void write_any(void)
{
    static const uint8_t long_body[ROCECC_SFLOW_COPY_MAX_BYTES + 1];
    static rocecc_sflow_flow flow;
    rocecc_writer out = prove_writer();
    rocecc_sflow header = ROCECC_ZERO;
    rocecc_sflow_record record = {(uint32_t)prove_any(), (uint16_t)prove_any(),
                                  prove_reader()};
    rocecc_sflow_raw raw = {1, 0, 0, prove_reader()};
    header.address_type = (rocecc_sflow_address)Frama_C_interval(0, 255);
    header.agent.b[0] = (uint8_t)Frama_C_interval(0, 255);
    header.agent.b[11] = header.agent.b[10] = (uint8_t)Frama_C_interval(0, 255);
    (void)rocecc_sflow_emit(&out, &header);
    out = prove_writer();
    (void)rocecc_sflow_record_emit(&out, &record);
    out = prove_writer();
    (void)rocecc_sflow_raw_emit(&out, &raw);
    flow.expanded = Frama_C_interval(0, 1) != 0;
    flow.source_type = (uint32_t)prove_any();
    flow.source_index = (uint32_t)prove_any();
    flow.input_format = (uint32_t)prove_any();
    flow.input_value = (uint32_t)prove_any();
    flow.output_format = (uint32_t)prove_any();
    flow.output_value = (uint32_t)prove_any();
    flow.records = prove_reader();
    out = prove_writer();
    (void)rocecc_sflow_flow_emit(&out, &flow);
    record.body = raw.header = flow.records =
        rocecc_reader_of(long_body, long_body + sizeof long_body);
    (void)rocecc_sflow_record_emit(&out, &record);
    (void)rocecc_sflow_flow_emit(&out, &flow);
    (void)rocecc_sflow_raw_emit(&out, &raw);
}

/* Walks a list that may be at its limit. */
static void walk_any(void)
{
    rocecc_sflow_list list = {prove_reader(), (uint32_t)prove_any(),
                              (uint32_t)prove_any(), Frama_C_interval(0, 1) != 0};
    rocecc_sflow_record record;
    (void)rocecc_sflow_next(&list, &record);
}

void main(void)
{
    walk_any();
    /*@ slevel merge; */
    (void)law_sflow(prove_reader());
    /*@ slevel merge; */
    write_any();
}
