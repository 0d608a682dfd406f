/* What a YAML file may be made of, before YAML is asked; for tree*.c alone. */
#ifndef KS_SWEEP_TREE_BYTES_H
#define KS_SWEEP_TREE_BYTES_H

#include "sweep/tree.h"

/* UTF-8, LF, printable, no tab, no byte order mark. */
KS_CHECKED ks_status ks_tree_check_bytes(const char *file, const char *bytes, size_t length,
                                         ks_error *error);
/* The same of a scalar after its escapes: KS_INPUT where one stands for something unprintable. */
KS_CHECKED ks_status ks_tree_check_scalar(const ks_place *place, const char *text, size_t length,
                                          ks_error *error);

#endif
