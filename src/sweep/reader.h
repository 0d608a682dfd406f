/* What study files and table files are read alike with; for files of this room that read one. */
#ifndef KS_SWEEP_READER_H
#define KS_SWEEP_READER_H

#include "sweep/sweep_reader.h"

/* The box of a sweep that is none: it holds kernels, expressions and all memory of a file. NULL: out
 * of memory. Freed by ks_sweep_free. */
ks_sweep_box *ks_reader_box_new(const char *file, const ks_kernel_table *kernels);

/* "found X for WHAT, expected Y" at the node, or at the owner where node is NULL. */
ks_status ks_reader_expected(ks_sweep_reader *r, const ks_tree *owner, const ks_tree *node,
                             const char *what, const char *expected);
/* The list of the map's key, which must hold something. NULL (or refused, where it is needed): the key
 * is not there. */
ks_status ks_reader_list(ks_sweep_reader *r, const ks_tree *map, const char *key, bool is_needed,
                         const char *expected, const ks_tree **list);
/* One line of text of the map's key; "" (or refused, where it is needed) when it is not there. */
ks_status ks_reader_line(ks_sweep_reader *r, const ks_tree *map, const char *key, bool is_needed,
                         const char **out);
/* The name that the map's key gives the file's contents: it names files. */
ks_status ks_reader_name(ks_sweep_reader *r, const ks_tree *map, const char *key, const char **out);
/* "found 'WORD', expected WHAT", with the nearest of the names. */
ks_status ks_reader_unknown(ks_sweep_reader *r, const ks_place *place, const char *word,
                            const char *what, const char *const *names, size_t count);
void *ks_reader_take(ks_sweep_reader *r, size_t count, size_t item_bytes); /* NULL: said */

#endif
