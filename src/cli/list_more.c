#include "cli/list_more.h"

#include <inttypes.h>
#include <stdio.h>

#include "run/cost.h"
#include "sweep/key.h"

enum { SHOWN_VALUES = 32 };

void ks_list_costs_take(ks_list_costs *costs, const ks_sweep *sweep, const ks_point *point) {
    const uint64_t k = ks_param_of(point, KS_P_kernel);
    const double seconds =
        ks_cost_seconds(&sweep->kernels->kernels[k], point, sweep->mode, sweep->oplog);
    costs->kernels[k].points++;
    costs->kernels[k].seconds += seconds;
    if (costs->has_most && seconds <= costs->most_seconds) return;
    costs->has_most = true;
    costs->most_seconds = seconds;
    costs->most = *point;
}

static void print_column(const ks_sweep *sweep, const ks_axis *axis, const ks_axis_column *column) {
    ks_text out = {0};
    ks_text_add_format(&out, "  %s:", ks_name_text(column->name));
    for (uint32_t i = 0; i < axis->count && i < SHOWN_VALUES; i++) {
        ks_text_add_char(&out, ' ');
        ks_value_print(&out, column->name, sweep->kernels, column->values[i]);
    }
    if (axis->count > SHOWN_VALUES)
        ks_text_add_format(&out, " and %" PRIu32 " more", axis->count - SHOWN_VALUES);
    puts(ks_text_string(&out));
    ks_text_free(&out);
}

static void print_labels(const ks_axis *axis) {
    if (!axis->labels) return;
    printf("  model:");
    for (uint32_t i = 0; i < axis->count; i++) printf(" %s", axis->labels[i]);
    printf("\n");
}

static void print_rules(const char *kind, const ks_rule *rules, size_t count) {
    for (size_t i = 0; i < count; i++)
        printf("  %s at line %zu: %s%s%s\n", kind, rules[i].place.line, ks_expr_text(rules[i].when),
               rules[i].verdict ? " is " : "", rules[i].verdict ? rules[i].verdict : "");
}

static void print_gate(const ks_sweep *sweep, const ks_gate *gate) {
    printf("  gate %s: ", gate->name);
    if (gate->expr) printf("%s", ks_expr_text(gate->expr));
    for (size_t i = 0; i < gate->twin_count; i++)
        printf("%s%s", i ? ", " : "twins ", sweep->kernels->kernels[gate->twins[i]].name);
    if (gate->when) printf(" when %s", ks_expr_text(gate->when));
    printf("%s\n", gate->expects_fail ? ", expected to fail" : "");
}

static void print_costs(const ks_sweep *sweep, const ks_list_costs *costs) {
    ks_text key = {0};
    for (size_t k = 0; k < sweep->kernels->count; k++)
        if (costs->kernels[k].points)
            printf("  %s: %" PRIu64 " point%s, %.3g s on one thread\n",
                   sweep->kernels->kernels[k].name, costs->kernels[k].points,
                   costs->kernels[k].points == 1 ? "" : "s", costs->kernels[k].seconds);
    if (!costs->has_most) return;
    ks_key_print(&key, sweep->kernels, &costs->most);
    printf("  costliest, %.3g s: %s\n", costs->most_seconds, ks_text_string(&key));
    ks_text_free(&key);
}

void ks_list_more_print(const ks_sweep *sweep, const ks_list_costs *costs) {
    printf("values:\n");
    for (size_t i = 0; i < sweep->axis_count; i++) {
        print_labels(&sweep->axes[i]);
        for (size_t c = 0; c < sweep->axes[i].column_count; c++)
            print_column(sweep, &sweep->axes[i], &sweep->axes[i].columns[c]);
    }
    printf("rules and gates:\n");
    if (sweep->where) printf("  where: %s\n", ks_expr_text(sweep->where));
    print_rules("exclude", sweep->excludes, sweep->exclude_count);
    print_rules("expect", sweep->expects, sweep->expect_count);
    for (size_t i = 0; i < sweep->gate_count; i++) print_gate(sweep, &sweep->gates[i]);
    printf("costs:\n");
    print_costs(sweep, costs);
}
