/* A table of a decision record while `adr` works on it; for verb_adr.c and adr_*.c alone. */
#ifndef KS_CLI_ADR_H
#define KS_CLI_ADR_H

#include "cli/options.h"
#include "report/adr_page.h"
#include "run/adr_collect.h"
#include "run/adr_judge.h"

typedef struct ks_adr_work {
    const ks_options *options;
    ks_adr *adr;
    ks_text rows_path, inputs_path, robust_path, gates_path; /* beside the page */
    ks_adr_stored stored;
    ks_text edits; /* of stored rows, a line each; said already */
    ks_adr_block block;
    ks_text text;  /* of the block, as it should stand */
    ks_text gates; /* of every group of every gate, likewise */
    ks_text page_bytes;
    ks_adr_page page;
    const ks_adr_span *span; /* of this table */
} ks_adr_work;

bool ks_adr_is_stored(const ks_adr_work *w);
ks_status ks_adr_load(ks_adr_work *w, ks_error *error);
/* What is stored stands while its inputs are the same; the rest is simulated, run or read. */
ks_status ks_adr_get_results(ks_adr_work *w, ks_error *error);
/* New bytes are there whole or not at all. */
ks_status ks_adr_write_whole(const char *path, const char *bytes, size_t length, ks_error *error);
ks_status ks_adr_make_folder_of(const char *path, ks_error *error);
ks_status ks_adr_render(ks_adr_work *w, ks_error *error);
ks_status ks_adr_open_page(ks_adr_work *w, ks_error *error);
ks_adr_collect_options ks_adr_collecting(ks_adr_work *w);

/* Robustness from every study of the table, with what it was made from: the old lines of a study whose
 * inputs are the same. `now` NULL: none are. */
ks_status ks_adr_take_studies(ks_adr_work *w, const ks_adr_stored *old, const ks_adr_inputs *now,
                              ks_error *error);
/* Whether a stored line of a study is gone; appends `missing: ...`. */
bool ks_adr_lacks_lines(const ks_adr_work *w, ks_text *out);
/* Adds the inputs of studies as they are now, without running. */
ks_status ks_adr_studies_now(const ks_adr_work *w, ks_adr_inputs *now, ks_error *error);
/* Runs the studies again: is what they say what is stored? */
ks_status ks_adr_verify_studies(const ks_adr_work *w, bool *is_same, ks_error *error);

/* --check, --check --inputs, --verify. */
ks_status ks_adr_check(ks_adr_work *w, int *code, ks_error *error);
/* The block's text is not what its own digest says. */
bool ks_adr_is_edited(const ks_adr_work *w);
/* Appends `missing: ...` and KEYs of points that are planned but not stored. */
void ks_adr_say_missing(const ks_adr_work *w, ks_text *out);
/* Prints the gates and the verdict; the exit code. */
int ks_adr_say_result(const ks_adr_work *w);

#endif
