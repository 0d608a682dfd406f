/* Which program this is, fixed when it was built. For --version and run.json; nothing whose
 * bytes are compared may hold it. The build writes the .c file. */
#ifndef KS_BASE_BUILD_INFO_H
#define KS_BASE_BUILD_INFO_H

#include <stdbool.h>

const char *ks_build_version(void);  /* "0.1.0" */
const char *ks_build_commit(void);   /* 40 hex digits; "unknown" if not built in a git checkout */
bool ks_build_is_dirty(void);        /* built from other sources than the commit's, or unknown */
const char *ks_build_compiler(void); /* "GNU 12.2.0 x86_64 -O3 -g" */

#endif
