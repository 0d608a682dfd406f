/* A point as one line, `kernel=decode_opt2 G=8 TILE=256 d=128 S=4096`, that parses back to it. */
#ifndef KS_SWEEP_KEY_H
#define KS_SWEEP_KEY_H

#include "sweep/name.h"

/* KEY order; what equals its default is left out, and so are shapes that the kernel does not take. */
void ks_key_print(ks_text *out, const ks_kernel_table *kernels, const ks_point *point);

/* Without the kernel: shapes that are 0 are left out. */
void ks_key_print_part(ks_text *out, const ks_kernel_table *kernels, const ks_point *point);

/* Takes `name=value` in any order, values canonical or not, blanks between. Every complaint is
 * KS_INPUT, `KEY:1:COLUMN: found X, expected Y`. */
KS_CHECKED ks_status ks_key_parse(const char *text, const ks_kernel_table *kernels, ks_point *point,
                                  ks_error *error);

/* The same for a part of a KEY: kernel and shapes may be missing. `base` gives the constants that
 * are not named; `names` becomes the set of those that are. `file` stands in the message's place. */
KS_CHECKED ks_status ks_key_parse_part(const char *text, const char *file,
                                       const ks_kernel_table *kernels, const ks_calibration *base,
                                       ks_point *point, ks_names *names, ks_error *error);

enum { KS_KEY_ID = 17 }; /* 16 hex digits and NUL */
/* The first 16 hex digits of XXH3-128 of the KEY as printed. */
void ks_key_id(char id[KS_KEY_ID], const char *key);

#endif
