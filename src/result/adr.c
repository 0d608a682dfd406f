#include "result/adr.h"

#include <stdlib.h>

const char *ks_adr_result_name(ks_adr_result result) {
    static const char *const names[KS_ADR_RESULT_COUNT] = {
        [KS_ADR_PASS] = "PASS",
        [KS_ADR_UNDECIDED] = "PASS (undecided)",
        [KS_ADR_FRAGILE] = "PASS (fragile)",
        [KS_ADR_FAIL] = "FAIL",
        [KS_ADR_INCOMPLETE] = "INCOMPLETE",
    };
    return names[result];
}

bool ks_adr_result_holds(ks_adr_result result) { return result <= KS_ADR_FRAGILE; }

void ks_adr_block_free(ks_adr_block *block) {
    for (size_t i = 0; i < block->gate_count; i++) {
        ks_exact_free(&block->gates[i].value.value);
        ks_exact_free(&block->gates[i].limit.value);
        ks_exact_free(&block->gates[i].margin_percent);
    }
    for (size_t g = 0; g < block->grid_count; g++) {
        const ks_adr_grid *grid = &block->grids[g];
        for (size_t i = 0; grid->cells && i < grid->column_count * grid->row_count; i++)
            ks_exact_free(&grid->cells[i].value);
    }
    for (size_t i = 0; i < block->group_count; i++) {
        ks_exact_free(&block->groups[i].value);
        ks_exact_free(&block->groups[i].limit);
    }
    free(block->groups);
    ks_arena_free(block->arena);
    *block = (ks_adr_block){0};
}

ks_adr_result ks_adr_block_result(const ks_adr_block *block) {
    ks_adr_result worst = block->is_whole ? KS_ADR_PASS : KS_ADR_INCOMPLETE;
    for (size_t i = 0; i < block->gate_count; i++) {
        const ks_adr_result result = block->gates[i].result;
        if (result == KS_ADR_FAIL) return KS_ADR_FAIL;
        if (result == KS_ADR_INCOMPLETE) worst = result;
    }
    return worst;
}
