/* Whole op_logs beside a golden: FOLDER/oplog/ID.csv, for sweeps that say `golden: oplog`. */
#ifndef KS_GOLDEN_GOLDEN_LOGS_H
#define KS_GOLDEN_GOLDEN_LOGS_H

#include "golden/golden_file.h"

enum { KS_GOLDEN_ID = 17 }; /* 16 hex digits and NUL */
void ks_golden_id_of(char id[KS_GOLDEN_ID], const char *key);

/* The op_log that a line pins is there, and its bytes are those of the line's digest. `has_file`
 * false: it is not there. KS_INPUT: other bytes, with their place; KS_IO. A line without an op_log
 * is fine, and has none. */
KS_CHECKED ks_status ks_golden_log_check(const char *folder, const ks_golden *golden, size_t index,
                                         bool *has_file, ks_error *error);
/* That for every line; a file that is missing is KS_INPUT too. */
KS_CHECKED ks_status ks_golden_logs_check(const char *folder, const ks_golden *golden,
                                          ks_error *error);

/* take(self, name) for every file ID.csv of FOLDER/oplog that no line has, nor one of another golden
 * of the folder, in no order. KS_INPUT: another golden is damaged, or a file is not what it pins. */
KS_CHECKED ks_status ks_golden_logs_orphans(const char *folder, const ks_golden *golden, void *self,
                                            void (*take)(void *self, const char *name),
                                            ks_error *error);

#endif
