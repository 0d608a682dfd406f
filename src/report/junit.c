#include "report/junit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_map.h"
#include "report/account.h"
#include "report/xml.h"

const char ks_junit_head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
const char ks_junit_tail[] = "</testsuites>\n";

enum { COUNTS_BYTES = 128, KINDS = 64 };

typedef enum outcome { PASSED, FAILED, ERRED, SKIPPED, OUTCOMES } outcome;

/* Points of one kernel and outcome beyond the limit. */
typedef struct rest {
    outcome outcome;
    uint64_t count;
    ks_text kernel;
} rest;

struct ks_junit {
    FILE *file;
    ks_text sweep; /* escaped */
    ks_text line;
    long counts_at; /* in the file: blanks that the counts of the suite go into */
    uint64_t counts[OUTCOMES];
    bool is_in_properties;
    uint64_t gate_counts[OUTCOMES];
    ks_text gates;    /* their test cases */
    ks_text_map *map; /* "OUTCOME KERNEL" of the rests */
    rest rests[KINDS];
};

static ks_status put(ks_junit *j) {
    if (j->line.has_failed) return KS_NO_MEMORY;
    const size_t length = j->line.length;
    const bool is_fine = fwrite(ks_text_string(&j->line), 1, length, j->file) == length;
    ks_text_clear(&j->line);
    return is_fine ? KS_OK : KS_IO;
}

static ks_status begin_suite(ks_junit *j, const char *suffix) {
    ks_text_add_format(&j->line, "<testsuite name=\"%s%s\"", ks_text_string(&j->sweep), suffix);
    const ks_status status = put(j);
    if (status) return status;
    j->counts_at = ftell(j->file);
    memset(j->counts, 0, sizeof j->counts);
    ks_text_add_format(&j->line, "%*s>\n", COUNTS_BYTES, "");
    return put(j);
}

static ks_status end_suite(ks_junit *j) {
    char counts[COUNTS_BYTES + 1];
    const uint64_t tests =
        j->counts[PASSED] + j->counts[FAILED] + j->counts[ERRED] + j->counts[SKIPPED];
    ks_text_add_string(&j->line, "</testsuite>\n");
    const ks_status status = put(j);
    if (status) return status;
    snprintf(counts, sizeof counts,
             " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"%" PRIu64
             "\" skipped=\"%" PRIu64 "\"",
             tests, j->counts[FAILED], j->counts[ERRED], j->counts[SKIPPED]);
    const bool is_fine = j->counts_at >= 0 && !fseek(j->file, j->counts_at, SEEK_SET) &&
                         fputs(counts, j->file) >= 0 && !fseek(j->file, 0, SEEK_END);
    return is_fine ? KS_OK : KS_IO;
}

ks_junit *ks_junit_begin(FILE *file, const char *sweep) {
    ks_junit *j = calloc(1, sizeof *j);
    if (!j) return NULL;
    j->file = file;
    j->map = ks_text_map_new();
    ks_text_add_xml(&j->sweep, sweep);
    if (j->map && !j->sweep.has_failed && fputs(ks_junit_head, file) >= 0 &&
        begin_suite(j, "") != KS_NO_MEMORY)
        return j; /* what cannot be written shows in the next call */
    ks_junit_free(j);
    return NULL;
}

void ks_junit_free(ks_junit *j) {
    if (!j) return;
    for (size_t i = 0; i < KINDS; i++) ks_text_free(&j->rests[i].kernel);
    ks_text_map_free(j->map);
    ks_text_free(&j->sweep);
    ks_text_free(&j->line);
    ks_text_free(&j->gates);
    free(j);
}

/* ---- test cases ---- */

static outcome outcome_of(const ks_record *record) {
    static const bool is_error[KS_VERDICT_COUNT] = {
        [KS_VERDICT_error] = true, [KS_VERDICT_crash] = true, [KS_VERDICT_timeout] = true};
    if (record->is_red) return is_error[record->row->verdict] ? ERRED : FAILED;
    return record->row->verdict == KS_VERDICT_pass ? PASSED : SKIPPED;
}

static const char *element_of(outcome o) {
    static const char *const elements[] = {
        [PASSED] = "", [FAILED] = "failure", [ERRED] = "error", [SKIPPED] = "skipped"};
    return elements[o];
}

static void add_attribute(ks_text *out, const char *name, const char *value) {
    ks_text_add_format(out, " %s=\"", name);
    ks_text_add_xml(out, value);
    ks_text_add_char(out, '"');
}

ks_status ks_junit_property(ks_junit *j, const char *name, const char *value) {
    if (!j->is_in_properties) ks_text_add_string(&j->line, "<properties>\n");
    j->is_in_properties = true;
    ks_text_add_string(&j->line, "<property");
    add_attribute(&j->line, "name", name);
    add_attribute(&j->line, "value", value);
    ks_text_add_string(&j->line, "/>\n");
    return put(j);
}

static void end_properties(ks_junit *j) {
    if (j->is_in_properties) ks_text_add_string(&j->line, "</properties>\n");
    j->is_in_properties = false;
}

static void begin_case(ks_junit *j, const char *class_suffix, const char *name) {
    ks_text_add_format(&j->line, "<testcase classname=\"%s", ks_text_string(&j->sweep));
    if (*class_suffix) ks_text_add_char(&j->line, '.');
    ks_text_add_xml(&j->line, class_suffix);
    ks_text_add_char(&j->line, '"');
    add_attribute(&j->line, "name", name);
}

static void add_line(ks_text *out, const char *before, const char *text) {
    if (!*text) return;
    ks_text_add_string(out, before);
    ks_text_add_xml(out, text);
    ks_text_add_char(out, '\n');
}

static void end_case(ks_junit *j, outcome o, const char *message, const char *text) {
    if (o == PASSED) {
        ks_text_add_string(&j->line, "/>\n");
        return;
    }
    ks_text_add_format(&j->line, "><%s", element_of(o));
    add_attribute(&j->line, "message", message);
    if (o == SKIPPED)
        ks_text_add_string(&j->line, "/></testcase>\n");
    else
        ks_text_add_format(&j->line, ">\n%s</%s></testcase>\n", text, element_of(o));
}

static ks_status count_rest(ks_junit *j, const ks_record *record, outcome o) {
    ks_text key = {0};
    ks_text_add_format(&key, "%d %s", o, record->kernel);
    const size_t number = key.has_failed ? KS_TEXT_MAP_NONE : ks_text_map_add(j->map, key.data);
    ks_text_free(&key);
    if (number == KS_TEXT_MAP_NONE) return KS_NO_MEMORY;
    if (number >= KINDS) KS_BUG("more kernels than kinds of rests");
    rest *r = &j->rests[number];
    if (!r->count++) {
        r->outcome = o;
        ks_text_add_string(&r->kernel, record->kernel);
    }
    return r->kernel.has_failed ? KS_NO_MEMORY : KS_OK;
}

ks_status ks_junit_point(ks_junit *j, const ks_record *record, const char *reproducer) {
    const outcome o = outcome_of(record);
    if (j->counts[o]++ >= KS_JUNIT_LISTED) return count_rest(j, record, o);
    ks_text message = {0}, text = {0};
    ks_text_add_string(&message, ks_verdict_name(record->row->verdict));
    if (record->row->reason[0]) ks_text_add_format(&message, ": %s", record->row->reason);
    if (record->why[0]) ks_text_add_format(&message, " (%s)", record->why);
    add_line(&text, "", record->detail);
    add_line(&text, "the rule says: ", record->why);
    add_line(&text, "", reproducer);
    end_properties(j);
    begin_case(j, record->kernel, record->key);
    end_case(j, o, ks_text_string(&message), ks_text_string(&text));
    const bool has_failed = message.has_failed || text.has_failed;
    ks_text_free(&message);
    ks_text_free(&text);
    return has_failed ? KS_NO_MEMORY : put(j);
}

/* ---- the end of the points, and gates ---- */

static void add_case_of(ks_junit *j, outcome o, const char *kernel, uint64_t count,
                        const char *what) {
    ks_text name = {0};
    ks_text_add_format(&name, "%" PRIu64 " %s", count, what);
    begin_case(j, kernel, ks_text_string(&name));
    end_case(j, o, ks_text_string(&name), "not listed one by one\n");
    if (name.has_failed) j->line.has_failed = true;
    ks_text_free(&name);
}

static void add_rests(ks_junit *j) {
    static const char *const words[] = {[PASSED] = "more passed",
                                        [FAILED] = "more failed",
                                        [ERRED] = "more in error",
                                        [SKIPPED] = "more skipped"};
    for (size_t i = 0; i < ks_text_map_count(j->map); i++)
        add_case_of(j, j->rests[i].outcome, ks_text_string(&j->rests[i].kernel), j->rests[i].count,
                    words[j->rests[i].outcome]);
}

static outcome outcome_of_gate(const ks_gate_line *line) { return line->is_red ? FAILED : PASSED; }

ks_status ks_junit_gate(ks_junit *j, const ks_gate_line *line, const char *reproducer) {
    const outcome o = outcome_of_gate(line);
    if (j->gate_counts[o]++ >= KS_JUNIT_LISTED) return KS_OK;
    ks_text name = {0}, message = {0}, text = {0};
    ks_text_add_format(&name, "%s%s%s", line->gate, line->group[0] ? " at " : "", line->group);
    ks_gate_line_print(&message, line);
    if (message.length) message.data[--message.length] = '\0'; /* its line feed */
    add_line(&text, "", reproducer);
    begin_case(j, "gates", ks_text_string(&name));
    end_case(j, o, ks_text_string(&message), ks_text_string(&text));
    ks_text_add(&j->gates, ks_text_string(&j->line), j->line.length);
    const bool has_failed = name.has_failed || message.has_failed || text.has_failed ||
                            j->line.has_failed || j->gates.has_failed;
    ks_text_clear(&j->line);
    ks_text_free(&name);
    ks_text_free(&message);
    ks_text_free(&text);
    return has_failed ? KS_NO_MEMORY : KS_OK;
}

static ks_status write_gates(ks_junit *j, uint64_t not_asked) {
    static const char *const words[] = {
        [PASSED] = "more gate groups that hold", [FAILED] = "more red gate groups"};
    ks_status status = begin_suite(j, " gates");
    if (status) return status;
    ks_text_add(&j->line, ks_text_string(&j->gates), j->gates.length);
    for (int o = PASSED; o <= FAILED; o++) {
        j->counts[o] = j->gate_counts[o];
        if (j->counts[o] > KS_JUNIT_LISTED)
            add_case_of(j, (outcome)o, "gates", j->counts[o] - KS_JUNIT_LISTED, words[o]);
    }
    j->counts[SKIPPED] = not_asked;
    if (not_asked) add_case_of(j, SKIPPED, "gates", not_asked, "gate groups not asked");
    status = put(j);
    return status ? status : end_suite(j);
}

ks_status ks_junit_end(ks_junit *j, const ks_account *account, const char *red) {
    const uint64_t not_run = account->verdicts[KS_VERDICT_not_run];
    end_properties(j);
    add_rests(j);
    j->counts[SKIPPED] += not_run;
    if (not_run) add_case_of(j, SKIPPED, "", not_run, "not run");
    if (*red) {
        j->counts[ERRED]++;
        begin_case(j, "", "the run as a whole");
        ks_text escaped = {0};
        add_line(&escaped, "", red);
        end_case(j, ERRED, red, ks_text_string(&escaped));
        ks_text_free(&escaped);
    }
    ks_status status = put(j);
    if (!status) status = end_suite(j);
    const bool has_gates =
        j->gate_counts[PASSED] + j->gate_counts[FAILED] + account->gates_not_asked > 0;
    if (!status && has_gates) status = write_gates(j, account->gates_not_asked);
    if (status) return status;
    ks_text_add_string(&j->line, ks_junit_tail);
    return put(j);
}
