/* The stages of each different plan of a program, for `show --plan`. */
#ifndef KS_RUN_PLAN_PRINT_H
#define KS_RUN_PLAN_PRINT_H

#include "base/text.h"
#include "contract/command.h"
#include "contract/point.h"

void ks_plans_print(ks_text *out, const ks_program *program, const ks_point *point);

#endif
