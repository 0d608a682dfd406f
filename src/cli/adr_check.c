/* adr --check, --check --inputs and --verify: is the page what the stored results say, are they of
 * today's inputs, does the simulator still give them? */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/adr.h"
#include "cli/verbs.h"
#include "report/adr_block.h"
#include "run/adr_verify.h"

enum { SHOWN_MISSING = 5, SHOWN_LINE = 120, SHOWN_BEFORE = 60, MOST_GATES_BYTES = 1 << 28 };

bool ks_adr_is_edited(const ks_adr_work *w) {
    char hex[KS_ADR_SHORT_HEX];
    const ks_adr_span *span = w->span;
    const ks_digest digest = ks_digest_of(w->page.bytes + span->begin, span->end - span->begin);
    ks_adr_short_hex(hex, &digest);
    return *span->block && strcmp(hex, span->block) != 0;
}

void ks_adr_say_missing(const ks_adr_work *w, ks_text *out) {
    for (size_t i = 0; i < w->block.source_count; i++) {
        const ks_adr_source *source = &w->block.sources[i];
        ks_text keys = {0};
        if (source->held >= source->planned) continue;
        ks_text_add_format(out, "missing: %s holds %" PRIu64 " of %" PRIu64 " points of %s\n",
                           ks_text_string(&w->rows_path), source->held, source->planned,
                           source->name);
        ks_adr_list_missing(w->adr, &w->stored.inputs, source->name, &w->stored.rows, SHOWN_MISSING,
                            &keys);
        for (const char *at = ks_text_string(&keys); *at;) {
            const size_t length = strcspn(at, "\n");
            ks_text_add_format(out, "  %.*s\n", (int)length, at);
            at += length + 1;
        }
        ks_text_free(&keys);
    }
}

int ks_adr_say_result(const ks_adr_work *w) {
    static const int codes[KS_ADR_RESULT_COUNT] = {[KS_ADR_FAIL] = 1, [KS_ADR_INCOMPLETE] = 3};
    size_t counts[KS_ADR_RESULT_COUNT] = {0};
    ks_text out = {0};
    int code = ks_worst_code(codes[ks_adr_block_result(&w->block)], w->block.is_whole ? 0 : 3);
    for (size_t i = 0; i < w->block.source_count; i++)
        if (w->block.sources[i].failed || *w->block.sources[i].red) code = ks_worst_code(code, 1);
    for (size_t i = 0; i < w->block.gate_count; i++) counts[w->block.gates[i].result]++;
    ks_adr_sources_say(&out, &w->block);
    ks_adr_gates_say(&out, &w->block, true);
    ks_text_add_format(&out, "%s: %zu gates", w->adr->name, w->block.gate_count);
    for (int r = 0; r < KS_ADR_RESULT_COUNT; r++)
        if (counts[r])
            ks_text_add_format(&out, ", %zu %s", counts[r], ks_adr_result_name((ks_adr_result)r));
    ks_text_add_char(&out, '\n');
    fputs(ks_text_string(&out), stdout);
    ks_text_free(&out);
    return code;
}

/* ---- bytes ---- */

/* From a little ahead of byte `at` on, as much as a terminal's line holds. */
static void say_line(const char *what, const char *text, size_t length, size_t at) {
    size_t from = at > SHOWN_BEFORE ? at - SHOWN_BEFORE : 0;
    while (from > 0 && ((unsigned char)text[from] & 0xc0) == 0x80)
        from--; /* not inside a character */
    const size_t shown = length - from < SHOWN_LINE ? length - from : SHOWN_LINE;
    printf("  %s %s%.*s\n", what, from ? "..." : "", (int)shown, text + from);
}

/* The first line in which a file and what it should say differ; `line` is that of its first byte. */
static void say_difference(const char *path, size_t line, const char *is, size_t length,
                           const ks_text *wanted, const char *what) {
    const char *should = ks_text_string(wanted), *end = is + length;
    for (;; line++) {
        const char *feed = memchr(is, '\n', (size_t)(end - is));
        const size_t found = (size_t)((feed ? feed : end) - is), expected = strcspn(should, "\n");
        const bool is_over = is == end || !*should;
        if (is_over || found != expected || memcmp(is, should, found) != 0) {
            size_t at = 0;
            while (at < found && at < expected && is[at] == should[at]) at++;
            printf("%s:%zu: %s\n", path, line, what);
            say_line("found   ", is, found, at);
            say_line("expected", should, expected, at);
            return;
        }
        is += found + (feed != NULL);
        should += expected + (should[expected] == '\n');
    }
}

static void say_block(const ks_adr_work *w, const char *what) {
    say_difference(w->adr->into, w->span->begin_line + 1, w->page.bytes + w->span->begin,
                   w->span->end - w->span->begin, &w->text, what);
}

static bool is_as_it_should(const ks_adr_work *w) {
    const size_t length = w->span->end - w->span->begin;
    return length == w->text.length &&
           memcmp(w->page.bytes + w->span->begin, w->text.data, length) == 0;
}

/* Every way in which the page is not what the stored results say; how many. A point that is not
 * stored shows in their digest. */
static size_t check_bytes(const ks_adr_work *w) {
    char results[KS_ADR_SHORT_HEX];
    ks_text missing = {0};
    size_t count = 0;
    ks_adr_say_missing(w, &missing);
    count += ks_adr_lacks_lines(w, &missing);
    fputs(ks_text_string(&missing), stdout);
    ks_text_free(&missing);
    ks_adr_short_hex(results, &w->stored.digest);
    if (!*w->span->block) {
        printf("%s:%zu: drift: the block of table=%s was not made yet; run `kernsweep adr %s`\n",
               w->adr->into, w->span->begin_line, w->adr->name, w->adr->file);
        return 1;
    }
    if (strcmp(results, w->span->results) != 0) {
        printf("%s: results changed: they are %s, the block at %s:%zu was made from %s\n",
               ks_text_string(&w->rows_path), results, w->adr->into, w->span->begin_line,
               w->span->results);
        count++;
    }
    if (ks_adr_is_edited(w)) {
        say_block(w, "hand edit: the block is not what kernsweep wrote");
        count++;
    } else if (!is_as_it_should(w)) {
        say_block(w, "drift: the block is not what the stored results give");
        count++;
    }
    return count;
}

/* The groups of gates, beside the page; how many differences: 0 or 1. */
static ks_status check_groups(const ks_adr_work *w, size_t *count, ks_error *error) {
    const char *path = w->gates_path.data;
    ks_text bytes = {0};
    if (!ks_path_exists(path)) {
        printf("%s: drift: it is not there; run `kernsweep adr %s`\n", path, w->adr->file);
        *count = 1;
        return KS_OK;
    }
    const ks_status status = ks_file_read(path, MOST_GATES_BYTES, &bytes, error);
    *count = !status && (bytes.length != w->gates.length ||
                         memcmp(ks_text_string(&bytes), w->gates.data, bytes.length) != 0);
    if (*count)
        say_difference(path, 1, ks_text_string(&bytes), bytes.length, &w->gates,
                       "drift: it is not what the stored results give");
    ks_text_free(&bytes);
    return status;
}

/* Blocks of tables that nobody stored results for. */
static ks_status check_neighbours(const ks_adr_work *w, ks_error *error) {
    const char *into = w->adr->into, *slash = strrchr(into, '/');
    for (size_t i = 0; i < w->page.count; i++) {
        const ks_adr_span *span = &w->page.spans[i];
        ks_text path = {0};
        ks_text_add_format(&path, "%.*s%s.results.csv", slash ? (int)(slash - into) + 1 : 0, into,
                           span->table);
        const bool is_there = span == w->span || ks_path_exists(ks_text_string(&path));
        ks_text_free(&path);
        if (!is_there)
            return ks_fail(error, KS_INPUT,
                           "%s:%zu: found a block of table=%s, expected a table whose results are "
                           "stored beside the page",
                           into, span->begin_line, span->table);
    }
    return KS_OK;
}

static ks_status check_inputs(const ks_adr_work *w, size_t *count, ks_error *error) {
    ks_adr_inputs now = {0};
    ks_text stale = {0};
    ks_status status = ks_adr_inputs_now(w->adr, &w->stored.inputs, &now, error);
    if (!status) status = ks_adr_studies_now(w, &now, error);
    if (!status) *count = ks_adr_inputs_compare(&stale, &w->stored.inputs, &now);
    fputs(ks_text_string(&stale), stdout);
    if (*count) printf("%s: run `kernsweep adr %s`\n", w->adr->name, w->adr->file);
    ks_adr_inputs_free(&now);
    ks_text_free(&stale);
    return status;
}

/* A page that drifted is not judged: what it says is not what is stored. */
static ks_status check_page(ks_adr_work *w, int *code, ks_error *error) {
    size_t stale = 0, groups = 0;
    ks_status status = ks_adr_render(w, error);
    if (!status) status = check_neighbours(w, error);
    if (status) return status;
    const size_t drift = check_bytes(w);
    status = check_groups(w, &groups, error);
    if (status) return status;
    if (w->options->checks_inputs) status = check_inputs(w, &stale, error);
    *code = drift || groups || stale ? 1 : ks_adr_say_result(w);
    return status;
}

static ks_status verify(ks_adr_work *w, int *code, ks_error *error) {
    const ks_adr_collect_options options = ks_adr_collecting(w);
    ks_text out = {0};
    size_t count = 0;
    bool is_same = true;
    ks_status status = ks_adr_verify(&w->stored, &options, &out, &count, error);
    if (!status) status = ks_adr_verify_studies(w, &is_same, error);
    fputs(ks_text_string(&out), stdout);
    if (!status)
        printf("%s: verified: %zu points simulated again, %zu differ\n", w->adr->name,
               w->stored.rows.count, count);
    if (!is_same)
        printf("%s: the studies do not give %s again\n", w->adr->name, w->robust_path.data);
    if (count || !is_same) *code = ks_worst_code(*code, 1);
    ks_text_free(&out);
    return status;
}

ks_status ks_adr_check(ks_adr_work *w, int *code, ks_error *error) {
    ks_status status = ks_adr_open_page(w, error);
    if (status) return status;
    if (!ks_adr_is_stored(w))
        return ks_fail(error, KS_FAILED,
                       "missing: %s, or what is stored beside it, is not there; `kernsweep adr %s` "
                       "collects the results",
                       w->rows_path.data, w->adr->file);
    status = ks_adr_load(w, error);
    if (w->edits.length) *code = 1; /* no results to hold the page against */
    if (!status && w->options->checks && !w->edits.length) status = check_page(w, code, error);
    if (!status && w->options->verifies) status = verify(w, code, error);
    return status;
}
