#include "op_log/op_log.h"

static void add_index(ks_text *out, uint64_t index) {
    ks_text_add_char(out, ',');
    if (index != KS_NO_INDEX) ks_text_add_u64(out, index);
}

static void add_range(ks_text *out, const ks_range *range) {
    ks_text_add_string(out, ks_space_name(range->space));
    ks_text_add_string(out, ":0x");
    ks_text_add_hex(out, range->addr);
    ks_text_add_char(out, '+');
    ks_text_add_u64(out, range->bytes);
}

static void add_field(ks_text *out, const char *field) {
    ks_text_add_char(out, ',');
    ks_text_add_string(out, field);
}

void ks_op_row_print(ks_text *out, const ks_op_row *row) {
    ks_text_add_u64(out, row->seq);
    ks_text_add_char(out, ',');
    ks_text_add_u64(out, row->cmd);
    ks_text_add_string(out, row->stage == KS_CPU_STAGE ? ",-1" : ",");
    if (row->stage != KS_CPU_STAGE) ks_text_add_u64(out, (uint64_t)row->stage);
    add_field(out, ks_server_name(row->server));
    add_field(out, ks_row_kind_name(row->kind));
    add_field(out, row->op ? ks_op_name(row->op->kind) : "");
    add_field(out, ks_phase_name(row->phase));
    add_index(out, row->m);
    add_index(out, row->n);
    add_index(out, row->k);
    ks_text_add_char(out, ',');
    ks_text_add_decimal(out, row->start);
    ks_text_add_char(out, ',');
    ks_text_add_decimal(out, row->end);
    ks_text_add_char(out, ',');
    ks_text_add_u64(out, row->bytes);
    ks_text_add_char(out, ',');
    ks_text_add_u64(out, row->elements);
    ks_text_add_char(out, ',');
    for (uint32_t i = 0; i < row->read_count; i++) {
        if (i) ks_text_add_char(out, '|');
        add_range(out, &row->reads[i].range);
    }
    ks_text_add_char(out, ',');
    if (row->write_count) add_range(out, &row->write.range);
    ks_text_add_char(out, '\n');
}
