/* The only way in which goldens are written: under a lock, beside the old file, renamed. */
#ifndef KS_GOLDEN_GOLDEN_WRITE_H
#define KS_GOLDEN_GOLDEN_WRITE_H

#include "base/text.h"

/* Makes the folder if need be and takes it for this process; one process at a time. KS_IO: another
 * one has it, or it is not usable. */
KS_CHECKED ks_status ks_golden_lock(const char *folder, int *lock, ks_error *error);
void ks_golden_unlock(int lock); /* -1 is fine */

/* FOLDER/NAME gets these bytes: all of them or, when anything fails, none. */
KS_CHECKED ks_status ks_golden_replace(const char *folder, const char *name, const ks_text *bytes,
                                       ks_error *error);

#endif
