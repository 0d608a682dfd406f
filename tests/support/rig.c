#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "kernels/kernels.h"
#include "op_log/resolve.h"

/* ---- a point from words ---- */

typedef const char *name_of(int value);
static const char *dtype_name(int value) { return ks_dtype_name((ks_dtype)value); }
static const char *policy_name(int value) { return ks_policy_name((ks_policy)value); }
static const char *dist_name(int value) { return ks_dist_name((ks_dist)value); }
static const char *rule_name(int value) { return ks_gemm_rule_name((ks_gemm_rule)value); }

static uint64_t word_value(const char *word, name_of *name, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(word, name(i)) == 0) return (uint64_t)i;
    fail_msg("rig: no value is called '%s'", word);
    return 0;
}

static uint64_t kernel_value(const char *word) {
    const int index = ks_kernel_find(&ks_kernels, word);
    if (index < 0) fail_msg("rig: no kernel is called '%s'", word);
    return (uint64_t)index;
}

static uint64_t whole_value(const char *word) {
    uint64_t value = 0;
    if (!ks_u64_parse(word, strlen(word), &value)) fail_msg("rig: '%s' is not a number", word);
    return value;
}

static uint64_t param_value(ks_param param, const char *word) {
    switch (ks_param_describe(param)->value_class) {
    case KS_PARAM_KERNEL: return kernel_value(word);
    case KS_PARAM_WIDE_DTYPE:
    case KS_PARAM_DTYPE: return word_value(word, dtype_name, KS_DTYPE_COUNT);
    case KS_PARAM_POLICY: return word_value(word, policy_name, KS_POLICY_COUNT);
    case KS_PARAM_DIST: return word_value(word, dist_name, KS_DIST_COUNT);
    case KS_PARAM_SHAPE:
    case KS_PARAM_COUNT_1_2:
    case KS_PARAM_FLAG:
    case KS_PARAM_SEED: return whole_value(word);
    }
    return 0;
}

static uint64_t constant_value(ks_constant constant, const char *word) {
    if (constant == KS_C_gemm_rule) return word_value(word, rule_name, KS_RULE_COUNT);
    uint64_t ticks = 0;
    if (ks_decimal_parse(word, strlen(word), &ticks) != KS_DECIMAL_OK)
        fail_msg("rig: '%s' is not a decimal", word);
    return ticks;
}

static void set_word(ks_point *point, bool *is_given, const char *name, const char *value) {
    for (int p = 0; p < KS_PARAM_COUNT; p++)
        if (strcmp(name, ks_param_describe((ks_param)p)->name) == 0) {
            point->params[p] = param_value((ks_param)p, value);
            is_given[p] = true;
            return;
        }
    for (int c = 0; c < KS_CONSTANT_COUNT; c++)
        if (strcmp(name, ks_constant_describe((ks_constant)c)->name) == 0) {
            point->calibration.values[c] = constant_value((ks_constant)c, value);
            return;
        }
    fail_msg("rig: nothing is called '%s'", name);
}

ks_point rig_point(const char *key) {
    ks_point point = ks_point_default();
    bool is_given[KS_PARAM_COUNT] = {0};
    char words[1024];
    assert_true(strlen(key) < sizeof words);
    strcpy(words, key);
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *sign = strchr(word, '=');
        if (!sign) fail_msg("rig: '%s' is not name=value", word);
        *sign = '\0';
        set_word(&point, is_given, word, sign + 1);
    }
    if (!is_given[KS_P_score]) point.params[KS_P_score] = point.params[KS_P_dtype];
    if (!is_given[KS_P_p_dtype]) point.params[KS_P_p_dtype] = point.params[KS_P_score];
    return point;
}

/* ---- lowering ---- */

rig rig_try_kernel(const ks_kernel *kernel, const char *key) {
    rig r = {.arena = ks_arena_new(1 << 16), .point = rig_point(key), .kernel = kernel};
    assert_non_null(r.arena);
    r.machine = ks_machine_of(&r.point);
    r.lowering = ks_arena_take(r.arena, 1, sizeof *r.lowering);
    assert_non_null(r.lowering);
    ks_lower(kernel, &r.point, r.arena, r.lowering);
    r.program = &r.lowering->program;
    if (r.lowering->verdict == KS_LOWERED)
        r.dispatch_verdict =
            ks_dispatch_total(r.program, &r.machine, &r.dispatch, &r.over_cap_bytes);
    return r;
}

rig rig_lower_kernel(const ks_kernel *kernel, const char *key) {
    const rig r = rig_try_kernel(kernel, key);
    if (r.lowering->verdict != KS_LOWERED)
        fail_msg("rig: '%s' is not lowered: verdict %d, end %llu, %s", key,
                 (int)r.lowering->verdict, (unsigned long long)r.lowering->end,
                 r.lowering->error.text);
    return r;
}

static const ks_kernel *kernel_of(const char *key) {
    return &ks_kernels.kernels[rig_point(key).params[KS_P_kernel]];
}

rig rig_try(const char *key) { return rig_try_kernel(kernel_of(key), key); }

rig rig_lower(const char *key) { return rig_lower_kernel(kernel_of(key), key); }

/* ---- running ---- */

typedef struct collector {
    ks_op_row *rows;
    size_t count, capacity;
} collector;

static ks_status collect(void *self, const ks_op_row *row) {
    collector *c = self;
    if (c->count == c->capacity) {
        c->capacity = c->capacity ? 2 * c->capacity : 256;
        ks_op_row *rows = test_realloc(c->rows, c->capacity * sizeof *rows);
        assert_non_null(rows);
        c->rows = rows;
    }
    c->rows[c->count++] = *row;
    return KS_OK;
}

static void run(rig *r) {
    collector c = {0};
    ks_op_log_feed feed = {0, {&c, collect}};
    const ks_event_sink sink = {&feed, ks_op_log_take};
    r->status = ks_timeline_run(r->program, &r->machine, r->arena, &sink, &r->timeline);
    r->rows = c.rows;
    r->row_count = c.count;
}

rig rig_run_kernel(const ks_kernel *kernel, const char *key) {
    rig r = rig_lower_kernel(kernel, key);
    run(&r);
    if (r.status != KS_OK) fail_msg("rig: '%s' ran into status %d", key, (int)r.status);
    return r;
}

rig rig_run(const char *key) { return rig_run_kernel(kernel_of(key), key); }

rig rig_run_freely(const char *key) {
    rig r = rig_lower(key);
    run(&r);
    return r;
}

void rig_close(rig *r) {
    if (r->rows) test_free(r->rows);
    ks_arena_free(r->arena);
    *r = (rig){0};
}

/* ---- looking ---- */

ks_plan rig_plan(rig *r, uint32_t cmd) {
    ks_plan plan;
    assert_true(cmd < r->program->command_count);
    assert_int_equal(ks_plan_build(r->program->commands[cmd], &r->machine, r->arena, &plan), KS_OK);
    return plan;
}

const ks_op_row *rig_row(const rig *r, uint32_t cmd, int64_t stage) {
    for (size_t i = 0; i < r->row_count; i++)
        if (r->rows[i].cmd == cmd && r->rows[i].stage == stage) return &r->rows[i];
    fail_msg("rig: command %u has no stage %lld", cmd, (long long)stage);
    return NULL;
}

const ks_op_row *rig_cpu_row(const rig *r, ks_row_kind kind, uint32_t cmd, uint32_t nth) {
    for (size_t i = 0; i < r->row_count; i++)
        if (r->rows[i].kind == kind && r->rows[i].cmd == cmd && nth-- == 0) return &r->rows[i];
    return NULL;
}

uint64_t rig_count(const rig *r, ks_row_kind kind) {
    uint64_t count = 0;
    for (size_t i = 0; i < r->row_count; i++) count += r->rows[i].kind == kind;
    return count;
}

uint64_t rig_start(const rig *r, uint32_t cmd) {
    uint64_t start = UINT64_MAX;
    for (size_t i = 0; i < r->row_count; i++)
        if (r->rows[i].cmd == cmd && r->rows[i].stage >= 0 && r->rows[i].start < start)
            start = r->rows[i].start;
    return start;
}

uint64_t rig_end(const rig *r, uint32_t cmd) {
    uint64_t end = 0;
    for (size_t i = 0; i < r->row_count; i++)
        if (r->rows[i].cmd == cmd && r->rows[i].stage >= 0 && r->rows[i].end > end)
            end = r->rows[i].end;
    return end;
}

uint64_t rig_dispatch_end(const rig *r, uint32_t cmd) {
    uint64_t end = 0;
    for (size_t i = 0; i < r->row_count; i++)
        if (r->rows[i].cmd == cmd && r->rows[i].kind == KS_ROW_DISPATCH) end = r->rows[i].end;
    return end;
}

const char *rig_log(const rig *r) {
    ks_text log = {0};
    ks_text_add_string(&log, KS_OP_LOG_HEADER);
    for (size_t i = 0; i < r->row_count; i++) ks_op_row_print(&log, &r->rows[i]);
    assert_false(log.has_failed);
    const char *copy = ks_arena_text(r->arena, log.data);
    ks_text_free(&log);
    assert_non_null(copy);
    return copy;
}

static int line_length(const char *text) { return (int)strcspn(text, "\n"); }

void rig_expect_log(const rig *r, const char *expected) {
    const char *found = rig_log(r);
    for (int line = 1; *found || *expected; line++) {
        const int f = line_length(found), e = line_length(expected);
        if (f != e || strncmp(found, expected, (size_t)f + 1) != 0)
            fail_msg("op_log line %d\n  found    %.*s\n  expected %.*s", line, f, found, e,
                     expected);
        found += f + (found[f] == '\n');
        expected += e + (expected[e] == '\n');
    }
}

void rig_expect_cycles_at(uint64_t ticks, const char *expected, const char *file, int line) {
    char found[KS_DECIMAL_TEXT_MAX];
    ks_decimal_print(found, ticks);
    if (strcmp(found, expected) != 0)
        print_error("%s:%d: %s cycles, expected %s\n", file, line, found, expected);
    _assert_string_equal(found, expected, file, line);
}
