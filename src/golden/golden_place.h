/* Where goldens lie: a folder `golden` beside the folder `sweeps` that holds the sweep file, or in
 * the folder of a sweep file that lies elsewhere. A sweep's name cannot lead out of it. */
#ifndef KS_GOLDEN_GOLDEN_PLACE_H
#define KS_GOLDEN_GOLDEN_PLACE_H

#include "base/text.h"

/* Appends the folder: sweeps/x.yaml -> golden, a/sweeps/x.yaml -> a/golden, a/x.yaml -> a/golden.
 * `sweep_file` is not "-". */
void ks_golden_folder_of(ks_text *out, const char *sweep_file);

/* What is there of FOLDER, FOLDER/SWEEP.csv and FOLDER/oplog is what a bless made: no link, which
 * could lead to other goldens, no FIFO. KS_INPUT; KS_IO: it cannot be known. Missing is fine. */
KS_CHECKED ks_status ks_golden_place_look(const char *folder, const char *sweep, ks_error *error);

/* Whether `sweep` may be written as FOLDER/SWEEP.csv. KS_INPUT: the folder or the file is a link or
 * no folder or file, or another golden differs in letter case alone; KS_IO. A missing folder is
 * fine. */
KS_CHECKED ks_status ks_golden_place_check(const char *folder, const char *sweep, ks_error *error);

#endif
