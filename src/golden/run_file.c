#include "golden/run_file.h"

#include <string.h>

#include "base/decimal.h"

/* What follows `"KEY": ` and `open`; NULL: there is no such key. */
static const char *find(const char *json, const char *key, const char *open) {
    ks_text mark = {0};
    ks_text_add_format(&mark, "\"%s\": %s", key, open);
    const char *at = mark.has_failed ? NULL : strstr(json, ks_text_string(&mark));
    if (at) at += mark.length;
    ks_text_free(&mark);
    return at;
}

bool ks_run_file_digest(const ks_text *json, const char *key, char hex[KS_DIGEST_HEX]) {
    const char *at = find(ks_text_string(json), key, "\"");
    if (!at || strcspn(at, "\"") != KS_DIGEST_HEX - 1) return false;
    memcpy(hex, at, KS_DIGEST_HEX - 1);
    hex[KS_DIGEST_HEX - 1] = '\0';
    return true;
}

bool ks_run_file_count(const ks_text *json, const char *section, const char *key, uint64_t *count) {
    const char *begin = find(ks_text_string(json), section, "{");
    const char *end = begin ? strchr(begin, '}') : NULL;
    const char *at = end ? find(begin, key, "") : NULL;
    return at && at < end && ks_u64_parse(at, strcspn(at, ",\n}"), count);
}
