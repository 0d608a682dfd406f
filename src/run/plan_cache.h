/* Lowered points and their scripts, kept from point to point: points that differ only in constants on
 * which no command and no plan depends share them. One per worker. */
#ifndef KS_RUN_PLAN_CACHE_H
#define KS_RUN_PLAN_CACHE_H

#include "device/script.h"
#include "host/host.h"
#include "op_log/log_writer.h"

typedef struct ks_plan_cache ks_plan_cache;

ks_plan_cache *ks_plan_cache_new(void);         /* NULL if out of memory */
void ks_plan_cache_free(ks_plan_cache *cache);  /* NULL is fine */
void ks_plan_cache_clear(ks_plan_cache *cache); /* nothing is kept */

/* True: one lowering and one script serve both points. */
bool ks_plan_serves(const ks_kernel *kernel, const ks_point *a, const ks_point *b);

/* As ks_lower or ks_lower_short. Valid until the next such call. NULL if out of memory. */
const ks_lowering *ks_plan_cache_lower(ks_plan_cache *cache, const ks_kernel *kernel,
                                       const ks_point *point, bool is_short);
uint64_t ks_plan_cache_lowered(const ks_plan_cache *cache); /* how often one was not there yet */
/* The script of what was lowered last, timed for the machine; as ks_script_build and
 * ks_script_time. */
KS_CHECKED ks_status ks_plan_cache_script(ks_plan_cache *cache, const ks_machine *machine,
                                          const ks_script **script);

/* What is constant in the op_log of what was lowered last. NULL if out of memory. */
ks_log_texts *ks_plan_cache_texts(ks_plan_cache *cache);

#endif
