#include "contract/op.h"

static const struct {
    const char *name;
    ks_server engine;
    ks_weight weight;
} table[KS_OP_COUNT] = {
#define X(name, engine, weight) [KS_OP_##name] = {#name, KS_SERVER_##engine, KS_WEIGHT_##weight},
    KS_OP_MAP(X)
#undef X
};

const char *ks_op_name(ks_op_kind kind) { return table[kind].name; }
ks_server ks_op_engine(ks_op_kind kind) { return table[kind].engine; }
ks_weight ks_op_weight(ks_op_kind kind) { return table[kind].weight; }

const char *ks_server_name(ks_server server) {
    static const char *const names[KS_SERVER_COUNT] = {
#define X(id, name) [KS_SERVER_##id] = #name,
        KS_SERVER_MAP(X)
#undef X
    };
    return names[server];
}

const char *ks_space_name(ks_space space) {
    static const char *const names[KS_SPACE_COUNT] = {"hbm", "tcm", "stg", "opb", "acc", "wst"};
    return names[space];
}

uint64_t ks_op_elements(const ks_op *op) {
    uint64_t most = op->out ? ks_handle_elements(op->out) : 0;
    for (uint32_t i = 0; i < op->operand_count; i++) {
        const uint64_t elements = ks_handle_elements(op->operands[i].handle);
        if (elements > most) most = elements;
    }
    return most;
}
