/* Which build is running, to the byte: what two builds of one commit do not share. */
#ifndef KS_BASE_PROGRAM_DIGEST_H
#define KS_BASE_PROGRAM_DIGEST_H

#include "base/digest.h"
#include "base/status.h"

/* Of the program's own file. KS_IO where the system does not show it. */
KS_CHECKED ks_status ks_program_digest(ks_digest *digest, ks_error *error);

#endif
