/* What a KEY leaves out, as text: two programs with other defaults mean other points by one KEY. */
#ifndef KS_CONTRACT_DEFAULTS_H
#define KS_CONTRACT_DEFAULTS_H

#include "base/text.h"

/* Of src/MODEL.md; to be raised when the machine itself changes so much that its figures should
 * not be compared with those of before. */
#define KS_MODEL_VERSION "1"

/* Appends `name=value` of every parameter and constant that has a default, in KEY order, joined by
 * blanks. */
void ks_defaults_print(ks_text *out);

#endif
