#include "selftest/selftest.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "selftest/golden_spoils.h"
#include "selftest/judge.h"

enum { FILE_LIMIT = 1 << 24, ARENA_BLOCK = 1 << 16 };

#define GOLDEN_FILE "golden/" KS_SWEEP_NAME ".csv"
#define OBSERVED_FILE "kept/observed.csv"

/* Files that trials change, as the clean run has them. `kept` is its report. */
enum { SWEEP, GOLDEN, OBSERVED, RUN_JSON, FILES };
static const char *const file_names[FILES] = {KS_SWEEP_FILE, GOLDEN_FILE, OBSERVED_FILE,
                                              "kept/run.json"};

typedef struct selftest {
    const ks_selftest_host *host;
    const char *folder;
    ks_arena *clean_arena, *arena;
    ks_report clean;
    ks_text files[FILES];
    ks_text said;
    ks_error *error;
} selftest;

/* ---- files ---- */

static ks_status path_in(const selftest *s, const char *name, ks_text *path) {
    ks_text_clear(path);
    ks_text_add_format(path, "%s/%s", s->folder, name);
    return path->has_failed ? ks_fail(s->error, KS_NO_MEMORY, "out of memory") : KS_OK;
}

static ks_status write_file(const selftest *s, const char *name, const ks_text *bytes) {
    ks_text path = {0};
    ks_status status = path_in(s, name, &path);
    if (!status) status = ks_file_write(path.data, ks_text_string(bytes), bytes->length, s->error);
    ks_text_free(&path);
    return status;
}

static ks_status read_file(const selftest *s, const char *name, ks_text *bytes) {
    ks_text path = {0};
    ks_text_clear(bytes);
    ks_status status = path_in(s, name, &path);
    if (!status) status = ks_file_read(path.data, FILE_LIMIT, bytes, s->error);
    ks_text_free(&path);
    return status;
}

static ks_status remove_path(const selftest *s, const char *name) {
    ks_text path = {0};
    ks_status status = path_in(s, name, &path);
    if (!status) status = ks_path_remove(path.data, s->error);
    ks_text_free(&path);
    return status;
}

/* KS_FAILED: the text to change is not there once. */
static ks_status apply_edit(const selftest *s, const ks_edit *edit) {
    ks_text before = {0}, after = {0};
    ks_status status = read_file(s, edit->file, &before);
    const char *at = status ? NULL : strstr(ks_text_string(&before), edit->find);
    if (!status && (!at || strstr(at + 1, edit->find))) status = KS_FAILED;
    if (!status) {
        ks_text_add(&after, before.data, (size_t)(at - before.data));
        ks_text_add_string(&after, edit->replace);
        ks_text_add_string(&after, at + strlen(edit->find));
        status = after.has_failed ? KS_NO_MEMORY : write_file(s, edit->file, &after);
    }
    ks_text_free(&before);
    ks_text_free(&after);
    return status;
}

/* KS_FAILED: there is nothing to spoil. */
static ks_status spoil_golden(const selftest *s, const ks_golden_spoil *spoil, int file) {
    ks_text bytes = {0};
    if (spoil->what == KS_SPOIL_NOTHING) return KS_OK;
    if (spoil->what == KS_SPOIL_GONE) return remove_path(s, file_names[file]);
    ks_text_add(&bytes, s->files[file].data, s->files[file].length);
    ks_status status = ks_golden_spoil_apply(spoil, &bytes) ? KS_OK : KS_FAILED;
    if (!status) status = write_file(s, file_names[file], &bytes);
    ks_text_free(&bytes);
    return status;
}

/* The folder as the clean run found it. */
static ks_status clean_up(const selftest *s) {
    static const char *const left[] = {"out", "out.part", "out.prev"};
    ks_status status = KS_OK;
    for (size_t i = 0; i < sizeof left / sizeof left[0] && !status; i++)
        status = remove_path(s, left[i]);
    for (int i = 0; i < FILES && !status; i++)
        if (s->files[i].length) status = write_file(s, file_names[i], &s->files[i]);
    return status;
}

/* ---- calls ---- */

static int call(const selftest *s, ks_trial_call what, const char *folder, const ks_trial *trial) {
    ks_command_line run = {
        .words = {"run", KS_SWEEP_FILE, "-o", folder, "-j", "1", "--progress", "none"}};
    ks_command_line bless = {
        .words = {"bless", KS_SWEEP_FILE, "-o", folder, "--reason", "selftest", "--yes"}};
    ks_command_line line = what == KS_CALL_RUN ? run : bless;
    size_t count = 0;
    while (line.words[count]) count++;
    for (size_t i = 0; trial && i < KS_TRIAL_WORDS && trial->words[i]; i++)
        line.words[count++] = trial->words[i];
    line.folder = s->folder;
    line.spoil = trial && trial->spoil.key ? &trial->spoil : NULL;
    line.is_in_ci = what == KS_CALL_BLESS_IN_CI;
    return s->host->call(s->host->self, &line);
}

static ks_status read_report(const selftest *s, const char *folder, ks_arena *arena,
                             ks_report *report, bool *is_there) {
    ks_text path = {0};
    ks_status status = path_in(s, folder, &path);
    *is_there = !status && ks_path_exists(path.data);
    if (*is_there) status = ks_report_read(path.data, arena, report, s->error);
    ks_text_free(&path);
    return status;
}

/* ---- the clean run ---- */

static ks_status expect(selftest *s, ks_trial_call what, const char *folder, int code) {
    const int found = call(s, what, folder, NULL);
    const ks_status status = read_file(s, KS_COMMAND_SAID, &s->said);
    if (status || found == code) return status;
    return ks_fail(s->error, KS_FAILED,
                   "nothing is proved: the clean %s ends with exit %d, expected %d:\n%s",
                   what == KS_CALL_RUN ? "run" : "bless", found, code, ks_text_string(&s->said));
}

/* A run, its golden, and a run that is held against it. */
static ks_status run_clean(selftest *s) {
    bool is_there = false;
    ks_text_add_string(&s->files[SWEEP], ks_selftest_sweep);
    ks_status status = s->files[SWEEP].has_failed ? KS_NO_MEMORY : clean_up(s);
    if (!status) status = expect(s, KS_CALL_RUN, "out", 4);
    if (!status) status = expect(s, KS_CALL_BLESS, "out", 0);
    if (!status) status = expect(s, KS_CALL_RUN, "kept", 0);
    if (!status) status = read_report(s, "kept", s->clean_arena, &s->clean, &is_there);
    for (int i = GOLDEN; i < FILES && !status; i++)
        status = read_file(s, file_names[i], &s->files[i]);
    if (status || is_there) return status;
    return ks_fail(s->error, KS_FAILED, "nothing is proved: the clean run leaves no report");
}

/* ---- trials ---- */

static ks_status spoil_files(const selftest *s, const ks_trial *trial) {
    ks_status status = clean_up(s);
    for (size_t i = 0; i < KS_TRIAL_EDITS && trial->edits[i].file && !status; i++)
        status = apply_edit(s, &trial->edits[i]);
    if (!status) status = spoil_golden(s, &trial->golden, GOLDEN);
    if (!status) status = spoil_golden(s, &trial->observed, OBSERVED);
    return status;
}

static bool is_same_text(const ks_text *a, const ks_text *b) {
    return a->length == b->length && memcmp(ks_text_string(a), ks_text_string(b), a->length) == 0;
}

/* The golden's bytes; none where it is gone. */
static ks_status read_golden(const selftest *s, ks_text *bytes) {
    ks_text path = {0};
    ks_status status = path_in(s, GOLDEN_FILE, &path);
    if (!status && ks_path_exists(path.data)) status = read_file(s, GOLDEN_FILE, bytes);
    ks_text_free(&path);
    return status;
}

static ks_status judge_call(selftest *s, const ks_trial *trial, bool *is_caught, ks_text *text) {
    ks_report report;
    ks_text before = {0}, after = {0};
    bool is_there = false;
    ks_status status = read_golden(s, &before);
    if (status) goto done;
    const int code = call(s, trial->call, trial->call == KS_CALL_RUN ? "out" : "kept", trial);
    status = read_file(s, KS_COMMAND_SAID, &s->said);
    if (!status) status = read_golden(s, &after);
    if (!status) status = read_report(s, "out", s->arena, &report, &is_there);
    if (status) goto done;
    const ks_outcome outcome = {code, ks_text_string(&s->said), is_there ? &report : NULL,
                                !is_same_text(&before, &after)};
    *is_caught = ks_trial_judge(trial, &s->clean, &outcome, text);
    if (text->has_failed) status = KS_NO_MEMORY;

done:
    ks_text_free(&before);
    ks_text_free(&after);
    return status;
}

/* *text: what became of it, and *is_caught. */
static ks_status run_trial(selftest *s, const ks_trial *trial, bool *is_caught, ks_text *text) {
    *is_caught = false;
    ks_arena_reset(s->arena);
    const ks_status status = spoil_files(s, trial);
    if (status != KS_FAILED) return status ? status : judge_call(s, trial, is_caught, text);
    ks_text_add_string(text, "what it changes is not there");
    return KS_OK;
}

static ks_status run_table(selftest *s, ks_trials trials, uint64_t *caught, uint64_t *count) {
    ks_text text = {0};
    ks_status status = KS_OK;
    for (size_t i = 0; i < trials.count && !status; i++) {
        ks_mutation_line line = {.name = trials.trials[i].name};
        ks_text_clear(&text);
        status = run_trial(s, &trials.trials[i], &line.is_caught, &text);
        if (status) break;
        line.text = ks_text_string(&text);
        *count += 1;
        *caught += line.is_caught;
        s->host->tell(s->host->self, &line);
    }
    ks_text_free(&text);
    return status;
}

ks_status ks_selftest_run(const ks_selftest_host *host, const char *folder, uint64_t *caught,
                          uint64_t *count, ks_error *error) {
    selftest s = {.host = host, .folder = folder, .error = error};
    const ks_trials tables[] = {ks_trials_of_rows(), ks_trials_of_results(), ks_trials_of_sweeps(),
                                ks_trials_of_goldens(), ks_trials_of_blesses()};
    *caught = *count = 0;
    s.clean_arena = ks_arena_new(ARENA_BLOCK);
    s.arena = ks_arena_new(ARENA_BLOCK);
    ks_status status = s.clean_arena && s.arena ? run_clean(&s) : KS_NO_MEMORY;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && !status; i++)
        status = run_table(&s, tables[i], caught, count);
    if (status == KS_NO_MEMORY && !error->text[0]) ks_fail(error, status, "out of memory");
    for (int i = 0; i < FILES; i++) ks_text_free(&s.files[i]);
    ks_text_free(&s.said);
    ks_arena_free(s.clean_arena);
    ks_arena_free(s.arena);
    return status;
}
