/* The machine of MODEL.md section 7 a second time: the textbook event loop, with every row kept and
 * the critical path walked back over them. Slow and plain; what the product's core is held against
 * and timed against. It shares with the product the plan of a command and the engines' services. */
#ifndef KS_TEST_SUPPORT_REFERENCE_H
#define KS_TEST_SUPPORT_REFERENCE_H

#include "device/timeline.h"

/* As ks_timeline_run: the same events to the sink, the same figures, the same status. */
KS_CHECKED ks_status reference_run(const ks_program *program, const ks_machine *machine,
                                   ks_arena *arena, const ks_event_sink *sink,
                                   ks_timeline *timeline);

#endif
