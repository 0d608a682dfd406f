#include "report/json.h"

#include <string.h>

#include "base/line_checks.h"

ks_json ks_json_on(ks_text *out) { return (ks_json){.out = out}; }

static void new_line(ks_json *json) {
    ks_text_add_char(json->out, '\n');
    for (int i = 0; i < json->level; i++) ks_text_add_string(json->out, "  ");
}

/* Before a key, or a value that has none. */
static void next_item(ks_json *json) {
    if (json->is_after_key) {
        json->is_after_key = false;
        return;
    }
    if (json->has_items[json->level]) ks_text_add_char(json->out, ',');
    json->has_items[json->level] = true;
    if (json->level) new_line(json);
}

void ks_json_begin(ks_json *json, char bracket) {
    next_item(json);
    ks_text_add_char(json->out, bracket);
    if (json->level == KS_JSON_LEVELS) KS_BUG("JSON nested too deep");
    json->has_items[++json->level] = false;
}

void ks_json_end(ks_json *json, char bracket) {
    const bool has_items = json->has_items[json->level];
    json->level--;
    if (has_items) new_line(json);
    ks_text_add_char(json->out, bracket);
    if (json->level == 0) ks_text_add_char(json->out, '\n');
}

void ks_json_key(ks_json *json, const char *key) {
    next_item(json);
    ks_text_add_json(json->out, key);
    ks_text_add_string(json->out, ": ");
    json->is_after_key = true;
}

void ks_json_string(ks_json *json, const char *value) {
    next_item(json);
    ks_text_add_json(json->out, value);
}

void ks_json_u64(ks_json *json, uint64_t value) {
    next_item(json);
    ks_text_add_u64(json->out, value);
}

void ks_json_decimal(ks_json *json, uint64_t ticks) {
    next_item(json);
    ks_text_add_decimal(json->out, ticks);
}

void ks_json_double(ks_json *json, double value) {
    next_item(json);
    ks_text_add_double(json->out, value);
}

void ks_json_bool(ks_json *json, bool value) {
    next_item(json);
    ks_text_add_string(json->out, value ? "true" : "false");
}

void ks_json_null(ks_json *json) {
    next_item(json);
    ks_text_add_string(json->out, "null");
}

void ks_json_put_string(ks_json *json, const char *key, const char *value) {
    ks_json_key(json, key);
    ks_json_string(json, value);
}

void ks_json_put_u64(ks_json *json, const char *key, uint64_t value) {
    ks_json_key(json, key);
    ks_json_u64(json, value);
}

void ks_json_put_line_checks(ks_json *json) {
    ks_text checks = {0};
    ks_json_key(json, "line_checks");
    const char *text = ks_text_string(json->out), *feed = strrchr(text, '\n');
    if (feed) ks_line_checks_add(&checks, text, (size_t)(feed - text) + 1);
    ks_json_string(json, ks_text_string(&checks));
    json->out->has_failed |= checks.has_failed;
    ks_text_free(&checks);
}
