#include "contract/command.h"

static bool any_overlap(const ks_range *a, uint32_t a_count, const ks_range *b, uint32_t b_count) {
    for (uint32_t i = 0; i < a_count; i++)
        for (uint32_t j = 0; j < b_count; j++)
            if (ks_range_overlaps(&a[i], &b[j])) return true;
    return false;
}

bool ks_command_conflicts(const ks_command *earlier, const ks_command *later) {
    return any_overlap(earlier->writes, earlier->write_count, later->reads, later->read_count) ||
           any_overlap(earlier->writes, earlier->write_count, later->writes, later->write_count) ||
           any_overlap(earlier->reads, earlier->read_count, later->writes, later->write_count);
}

int ks_command_gemm_index(const ks_command *command) {
    for (uint32_t i = 0; i < command->op_count; i++)
        if (command->ops[i].kind == KS_OP_gemm) return (int)i;
    return -1;
}
