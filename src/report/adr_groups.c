#include "report/adr_block.h"

static void add_value(ks_text *out, const ks_adr_group *group, const ks_exact *value) {
    const double real = ks_exact_double(value);
    ks_text_add_char(out, ',');
    if (group->has_sides && real - real == 0) ks_text_add_double(out, real);
    ks_text_add_char(out, ',');
    if (group->has_sides) ks_exact_print(out, value);
}

void ks_adr_groups_print(ks_text *out, const ks_adr_block *block) {
    ks_text_add_string(out, "gate,group,value,exact_value,op,limit,exact_limit,result\n");
    for (size_t i = 0; i < block->group_count; i++) {
        const ks_adr_group *group = &block->groups[i];
        ks_text_add_csv(out, group->gate);
        ks_text_add_char(out, ',');
        ks_text_add_csv(out, group->group);
        add_value(out, group, &group->value);
        ks_text_add_format(out, ",%s", group->op);
        add_value(out, group, &group->limit);
        ks_text_add_format(out, ",%s\n", ks_adr_result_name(group->result));
    }
}
