/* JSON text with its commas and indentation. Keys and values alternate as in the document. */
#ifndef KS_REPORT_JSON_H
#define KS_REPORT_JSON_H

#include "base/text.h"

enum { KS_JSON_LEVELS = 16 };

typedef struct ks_json {
    ks_text *out;
    int level;
    bool has_items[KS_JSON_LEVELS + 1];
    bool is_after_key;
} ks_json;

ks_json ks_json_on(ks_text *out);
void ks_json_begin(ks_json *json, char bracket); /* '{' or '[' */
void ks_json_end(ks_json *json, char bracket);   /* '}' or ']' */
void ks_json_key(ks_json *json, const char *key);
void ks_json_string(ks_json *json, const char *value);
void ks_json_u64(ks_json *json, uint64_t value);
void ks_json_decimal(ks_json *json, uint64_t ticks); /* as a number: exact decimal */
void ks_json_double(ks_json *json, double value);    /* finite */
void ks_json_bool(ks_json *json, bool value);
void ks_json_null(ks_json *json);
/* A key with a value in one call. */
void ks_json_put_string(ks_json *json, const char *key, const char *value);
void ks_json_put_u64(ks_json *json, const char *key, uint64_t value);
/* `line_checks`, of every line so far: the last of the document's own keys. See base/line_checks.h. */
void ks_json_put_line_checks(ks_json *json);

#endif
