/* A report folder on its way: written as DIR.part, renamed to DIR at its end; a finished DIR
 * becomes DIR.prev, of which one is kept. */
#ifndef KS_RUN_FOLDER_H
#define KS_RUN_FOLDER_H

#include <stdio.h>

#include "base/status.h"

typedef struct ks_folder {
    char *final, *part, *previous; /* owned */
} ks_folder;

/* KS_INPUT: DIR.part is there, left by an unfinished run, or DIR or DIR.prev holds files but no
 * run.json, so that it is no report; KS_IO: not usable. Makes DIR.part. */
KS_CHECKED ks_status ks_folder_begin(ks_folder *folder, const char *path, ks_error *error);
/* Renames. What was written must be closed. */
KS_CHECKED ks_status ks_folder_end(ks_folder *folder, ks_error *error);
/* Forgets the names; the folders stay as they are. */
void ks_folder_free(ks_folder *folder);

/* A new file NAME in DIR.part. NULL, with the error said, when it cannot be made. */
FILE *ks_folder_create(const ks_folder *folder, const char *name, ks_error *error);

#endif
