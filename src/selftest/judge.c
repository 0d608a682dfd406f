#include "selftest/judge.h"

#include <string.h>

#include "sweep/key.h"

typedef struct judging {
    const ks_trial *trial;
    const ks_report *clean, *found;
    ks_text *text;
} judging;

static bool is_same_row(const ks_sheet *a, const ks_sheet *b, size_t row) {
    for (size_t i = 0; i < a->columns; i++)
        if (strcmp(a->cells[row][i], b->cells[row][i]) != 0) return false;
    return true;
}

/* The trial's point of this row; NULL: none of them. */
static const char *key_of(const judging *j, const char *id) {
    for (size_t i = 0; i < KS_TRIAL_KEYS && j->trial->keys[i]; i++) {
        char key_id[17];
        ks_key_id(key_id, j->trial->keys[i]);
        if (strcmp(key_id, id) == 0) return j->trial->keys[i];
    }
    return NULL;
}

/* Is `id` one of the words in `list`, which blanks part? */
static bool is_word_of(const char *id, size_t length, const char *list) {
    for (const char *word = list; word && *word;) {
        const size_t word_length = strcspn(word, " ");
        if (word_length == length && strncmp(word, id, length) == 0) return true;
        word += word_length + (word[word_length] == ' ');
    }
    return false;
}

static bool judge_invariants(const judging *j, const char *key, const char *cell) {
    const ks_trial *t = j->trial;
    bool is_there = !t->invariant;
    const bool has_ids = strcmp(cell, "ok") != 0 && strcmp(cell, "skipped") != 0;
    for (const char *id = has_ids ? cell : ""; *id;) {
        const size_t length = strcspn(id, "|");
        if (is_word_of(id, length, t->invariant))
            is_there = true;
        else if (!is_word_of(id, length, t->also)) {
            ks_text_add_format(j->text, "%s: %.*s is broken, which was not expected", key,
                               (int)length, id);
            return false;
        }
        id += length + (id[length] == '|');
    }
    if (!is_there) ks_text_add_format(j->text, "%s: %s is not broken", key, t->invariant);
    return is_there;
}

static bool judge_point(const judging *j, size_t row, size_t *red) {
    const ks_sheet *points = &j->found->points;
    const bool is_same = is_same_row(&j->clean->points, points, row);
    const char *key = key_of(j, ks_sheet_cell(points, row, "id"));
    const char *verdict = ks_sheet_cell(points, row, "verdict");
    const char *wanted = j->trial->verdict ? j->trial->verdict : "fail";
    if (!key && is_same) return true;
    if (!key) {
        ks_text_add_format(j->text, "point %s has changed, which was not expected",
                           ks_sheet_cell(points, row, "id"));
        return false;
    }
    *red += 1;
    if (is_same) {
        ks_text_add_format(j->text, "%s: its row is as ever", key);
        return false;
    }
    if (strcmp(verdict, wanted) != 0) {
        ks_text_add_format(j->text, "%s: verdict %s, expected %s", key, verdict, wanted);
        return false;
    }
    const char *golden = ks_sheet_cell(points, row, "golden");
    if (j->trial->golden_cell && strcmp(golden, j->trial->golden_cell) != 0) {
        ks_text_add_format(j->text, "%s: golden %s, expected %s", key, golden,
                           j->trial->golden_cell);
        return false;
    }
    return judge_invariants(j, key, ks_sheet_cell(points, row, "invariants"));
}

static bool judge_points(const judging *j) {
    const ks_sheet *clean = &j->clean->points, *found = &j->found->points;
    size_t red = 0, wanted = 0;
    while (wanted < KS_TRIAL_KEYS && j->trial->keys[wanted]) wanted++;
    if (clean->rows != found->rows || clean->columns != found->columns) {
        ks_text_add_format(j->text, "points.csv has %zu rows of %zu cells, expected %zu of %zu",
                           found->rows, found->columns, clean->rows, clean->columns);
        return false;
    }
    for (size_t row = 0; row < clean->rows; row++)
        if (!judge_point(j, row, &red)) return false;
    if (red != wanted) ks_text_add_format(j->text, "%zu of %zu points have rows", red, wanted);
    return red == wanted;
}

/* The answer that the clean run has in the same gate and group; "" where it has none. */
static const char *clean_answer(const judging *j, const char *gate, const char *group) {
    const ks_sheet *gates = &j->clean->gates;
    for (size_t row = 0; row < gates->rows; row++)
        if (strcmp(ks_sheet_cell(gates, row, "gate"), gate) == 0 &&
            strcmp(ks_sheet_cell(gates, row, "group"), group) == 0)
            return ks_sheet_cell(gates, row, "passed");
    return "";
}

static bool judge_gates(const judging *j) {
    const ks_sheet *gates = &j->found->gates;
    bool has_turned = false;
    for (size_t row = 0; row < gates->rows; row++) {
        const char *gate = ks_sheet_cell(gates, row, "gate");
        const char *answer = ks_sheet_cell(gates, row, "passed");
        if (strcmp(answer, clean_answer(j, gate, ks_sheet_cell(gates, row, "group"))) == 0)
            continue;
        has_turned = true;
        if (j->trial->gate && strcmp(gate, j->trial->gate) == 0) continue;
        ks_text_add_format(j->text, "gate %s answers %s, which was not expected", gate, answer);
        return false;
    }
    if (!j->trial->gate || has_turned) return true;
    ks_text_add_format(j->text, "gate %s answers as ever", j->trial->gate);
    return false;
}

static void add_what_caught(const ks_trial *t, ks_text *text) {
    const char *joint = "";
    for (size_t i = 0; i < KS_TRIAL_KEYS && t->keys[i]; i++, joint = "; ")
        ks_text_add_format(text, "%s%s", joint, t->keys[i]);
    ks_text_add_string(text, *joint ? ", " : "");
    if (t->invariant)
        ks_text_add_format(text, "%s", t->invariant);
    else if (t->gate)
        ks_text_add_format(text, "gate %s", t->gate);
    else if (t->golden_cell)
        ks_text_add_format(text, "golden %s", t->golden_cell);
    else if (t->verdict)
        ks_text_add_format(text, "verdict %s", t->verdict);
    else
        ks_text_add_format(text, "\"%s\"", t->says ? t->says : "");
    ks_text_add_format(text, ", exit %d", t->code);
}

bool ks_trial_judge(const ks_trial *trial, const ks_report *clean, const ks_outcome *outcome,
                    ks_text *text) {
    const judging j = {trial, clean, outcome->report, text};
    if (outcome->code != trial->code) {
        ks_text_add_format(text, "exit %d, expected %d", outcome->code, trial->code);
        return false;
    }
    if (trial->says && !strstr(outcome->said, trial->says)) {
        ks_text_add_format(text, "the program does not say '%s'", trial->says);
        return false;
    }
    if (outcome->has_golden_moved) {
        ks_text_add_string(text, "the golden was written");
        return false;
    }
    if (trial->code == 2 && outcome->report) {
        ks_text_add_string(text, "it is refused, and leaves a report");
        return false;
    }
    const bool wants_report = trial->keys[0] || trial->gate;
    if (wants_report && !outcome->report) {
        ks_text_add_string(text, "it leaves no report");
        return false;
    }
    if (wants_report && (!judge_points(&j) || !judge_gates(&j))) return false;
    add_what_caught(trial, text);
    return true;
}
