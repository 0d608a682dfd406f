/* Templates of a script. Seen by device/ only. */
#ifndef KS_DEVICE_SCRIPT_TEMPLATE_H
#define KS_DEVICE_SCRIPT_TEMPLATE_H

#include "device/script.h"

/* The template of the command's shape; works are added to the script's. */
KS_CHECKED ks_status ks_template_build(ks_script *script, const ks_command *command,
                                       const ks_machine *machine, ks_arena *arena,
                                       ks_template *made);

/* An array in the arena: `items` with room for one more than `count`, moved where it must grow. NULL: out of memory. */
void *ks_room_grow(ks_arena *arena, void *items, size_t count, size_t item_bytes);

#endif
