#include "report/run_words.h"

static bool is_bare(const ks_run_facts *run) { return ks_account_is_bare(&run->account); }
static bool is_left_out(const ks_run_facts *run) { return run->is_left_out; }

static size_t count_of(const ks_run_facts *runs, size_t count, bool (*is)(const ks_run_facts *)) {
    size_t result = 0;
    for (size_t i = 0; i < count; i++) result += is(&runs[i]);
    return result;
}

static void add_names(ks_text *out, const char *before, const ks_run_facts *runs, size_t count,
                      bool (*is)(const ks_run_facts *)) {
    for (size_t i = 0; i < count; i++) {
        if (!is(&runs[i])) continue;
        ks_text_add_format(out, "%s%s", before, runs[i].sweep);
        before = ", ";
    }
}

void ks_run_words_print(ks_text *out, const ks_run_facts *runs, size_t count, int exit_code) {
    static const char *const words[] = {"clean", "a check failed", "input is wrong", "incomplete",
                                        "nothing is wrong, but points have no golden yet"};
    if (count == 1 && is_left_out(runs)) {
        ks_text_add_string(out, "not run: --fail-fast, and a sweep before it is red");
    } else if (exit_code == 0 && count_of(runs, count, is_bare)) {
        ks_text_add_string(out,
                           "nothing failed, but no golden, gate, number or op_log was checked");
        if (count > 1) add_names(out, " in ", runs, count, is_bare);
    } else {
        ks_text_add_string(out, words[exit_code]);
        const size_t left_out = count_of(runs, count, is_left_out);
        if (left_out)
            ks_text_add_format(out, "; --fail-fast, not run: %zu of %zu sweeps", left_out, count);
        add_names(out, ", ", runs, count, is_left_out);
    }
}
