/* A finished report folder, read as it was written: run.json tells of each of its own lines, and of
 * files beside it, whether they are what the program wrote. */
#ifndef KS_RUN_REPORT_FOLDER_H
#define KS_RUN_REPORT_FOLDER_H

#include "base/arena.h"
#include "base/digest.h"
#include "base/text.h"
#include "sweep/tree.h"

typedef struct ks_report_folder {
    const char *path; /* the caller's */
    ks_arena *arena;
    const ks_tree *json; /* a map; of the arena */
} ks_report_folder;

/* KS_FAILED: a line of run.json was edited; KS_INPUT: it is no run.json of this version. To be closed
 * whatever the status. */
KS_CHECKED ks_status ks_report_folder_open(ks_report_folder *report, const char *path,
                                           ks_error *error);
void ks_report_folder_close(ks_report_folder *report); /* all zero is fine */

/* NULL: the map (NULL is fine) has no such text. */
const char *ks_report_folder_text(const ks_tree *map, const char *key);
bool ks_report_folder_is_digest(const char *hex, const ks_digest *digest);

/* Appends the bytes of a file whose line checks stand in run.json, `lines`. KS_FAILED: a line of it was
 * edited. */
KS_CHECKED ks_status ks_report_folder_read(const ks_report_folder *report, const char *name,
                                           ks_text *out, ks_error *error);

#endif
