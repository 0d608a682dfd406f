/* The loop of a script. Seen by device/ only. */
#ifndef KS_DEVICE_SCRIPT_LOOP_H
#define KS_DEVICE_SCRIPT_LOOP_H

#include "device/script.h"

/* Of a script of a program with a repeat count, its commands and hazards made: puts the loop's
 * tiles in. KS_FAILED: the tiles before, in and after the repeat are not equal. */
KS_CHECKED ks_status ks_loop_build(ks_script *script, const ks_machine *machine, ks_arena *arena);

#endif
