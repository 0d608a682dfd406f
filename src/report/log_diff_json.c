#include "report/log_diff_text.h"

static void put_signed(ks_json *json, const char *key, int64_t ticks) {
    ks_text text = {0};
    ks_text_add_change(&text, ticks);
    ks_json_key(json, key);
    ks_json_string(json, ks_text_string(&text)); /* exact, whatever the reader's numbers hold */
    ks_text_free(&text);
}

static void put_line(ks_json *json, const char *key, const ks_log_line *line) {
    if (key) ks_json_key(json, key);
    ks_json_begin(json, '{');
    ks_json_put_u64(json, "seq", line->seq);
    ks_json_put_u64(json, "cmd", line->cmd);
    const struct {
        const char *name, *value;
    } texts[] = {{"stage", line->stage}, {"server", line->server}, {"kind", line->kind},
                 {"op", line->op},       {"phase", line->phase},   {"m", line->m},
                 {"n", line->n},         {"k", line->k},           {"start", line->start},
                 {"end", line->end},     {"bytes", line->bytes},   {"elements", line->elements},
                 {"reads", line->reads}, {"writes", line->writes}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        ks_json_put_string(json, texts[i].name, texts[i].value);
    ks_json_end(json, '}');
}

static void put_lines(ks_json *json, const char *key, const ks_log_line *lines, size_t count) {
    ks_json_key(json, key);
    ks_json_begin(json, '[');
    for (size_t i = 0; i < count; i++) put_line(json, NULL, &lines[i]);
    ks_json_end(json, ']');
}

static void put_starter(ks_json *json, const char *key, const ks_log_starter *starter) {
    if (!starter->is_there) return;
    ks_json_key(json, key);
    ks_json_begin(json, '{');
    ks_json_put_string(json, "relation", starter->relation);
    put_line(json, "row", &starter->row);
    ks_json_end(json, '}');
}

static void put_fields(ks_json *json, const ks_log_diff *diff) {
    ks_json_key(json, "fields");
    ks_json_begin(json, '[');
    for (size_t i = 0; i < diff->field_count; i++) {
        ks_json_begin(json, '{');
        ks_json_put_string(json, "name", diff->fields[i].name);
        ks_json_put_string(json, "expected", diff->fields[i].expected);
        ks_json_put_string(json, "got", diff->fields[i].got);
        ks_json_end(json, '}');
    }
    ks_json_end(json, ']');
}

static void put_drift(ks_json *json, const ks_log_diff *diff) {
    ks_json_key(json, "drift");
    ks_json_begin(json, '[');
    for (size_t i = 0; i < diff->mark_count; i++) {
        ks_json_begin(json, '{');
        ks_json_put_u64(json, "seq", diff->marks[i].seq);
        put_signed(json, "cycles", diff->marks[i].late_ticks);
        ks_json_end(json, '}');
    }
    ks_json_end(json, ']');
}

static void put_divergence(ks_json *json, const ks_log_diff *diff) {
    if (diff->has_expected) put_line(json, "expected", &diff->expected);
    if (diff->has_got) put_line(json, "got", &diff->got);
    put_fields(json, diff);
    put_starter(json, "expected_starts_after", &diff->starters[0]);
    put_starter(json, "got_starts_after", &diff->starters[1]);
    if (diff->has_blocker) put_line(json, "server_taken_by", &diff->blocker);
    ks_json_put_u64(json, "server_rows", diff->server_rows);
    ks_json_put_u64(json, "server_rows_changed", diff->server_rows_changed);
    put_lines(json, "before", diff->before, diff->before_count);
    put_lines(json, "after", diff->after, diff->after_count);
    put_drift(json, diff);
}

void ks_log_diff_json(ks_json *json, const ks_log_diff *diff, const char *key) {
    ks_json_begin(json, '{');
    ks_json_put_string(json, "key", key);
    ks_json_put_string(json, "change", ks_log_change_name(diff->change));
    ks_json_put_u64(json, "rows_expected", diff->row_counts[0]);
    ks_json_put_u64(json, "rows_got", diff->row_counts[1]);
    ks_json_put_u64(json, "changed", diff->changed);
    ks_json_put_u64(json, "missing", diff->missing);
    ks_json_put_u64(json, "extra", diff->extra);
    ks_json_key(json, "last_end_expected");
    ks_json_decimal(json, diff->total_ticks[0]);
    ks_json_key(json, "last_end_got");
    ks_json_decimal(json, diff->total_ticks[1]);
    if (diff->change != KS_LOG_SAME) put_divergence(json, diff);
    ks_json_end(json, '}');
}
