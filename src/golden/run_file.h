/* Facts of a run, read back from the run.json that our own writer left in its report folder: of one
 * sweep, every text in it with its quotes escaped. False: it does not say so. */
#ifndef KS_GOLDEN_RUN_FILE_H
#define KS_GOLDEN_RUN_FILE_H

#include "base/digest.h"
#include "base/text.h"

enum { KS_RUN_FILE_LIMIT = 64 << 20 };

/* The digest that stands behind `key`, which is unique in it. */
bool ks_run_file_digest(const ks_text *json, const char *key, char hex[KS_DIGEST_HEX]);
/* The number behind `key` in the object `section`, one without others inside. */
bool ks_run_file_count(const ks_text *json, const char *section, const char *key, uint64_t *count);

#endif
