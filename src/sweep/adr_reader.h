/* A table file while it is read; for adr_*.c alone. */
#ifndef KS_SWEEP_ADR_READER_H
#define KS_SWEEP_ADR_READER_H

#include "sweep/adr_file.h"
#include "sweep/sweep_reader.h"

/* What a ks_adr is inside. The sweep in it is no sweep: it holds what tables and sweeps are read
 * alike with (kernels, expressions, gates). */
typedef struct ks_adr_box {
    ks_adr adr; /* first: the caller's pointer */
    ks_sweep_box *common;
} ks_adr_box;

typedef struct ks_adr_reader {
    ks_adr *adr;
    ks_sweep_reader common;
} ks_adr_reader;

ks_status ks_adr_read_gates(ks_adr_reader *r, const ks_tree *root);
ks_status ks_adr_read_tables(ks_adr_reader *r, const ks_tree *root);

/* "found X for WHAT, expected Y" at the node, or at the owner where node is NULL. */
ks_status ks_adr_expected(ks_adr_reader *r, const ks_tree *owner, const ks_tree *node,
                          const char *what, const char *expected);
/* The list of the map's key; one that is there must hold something. NULL: the key is not there. */
ks_status ks_adr_list(ks_adr_reader *r, const ks_tree *map, const char *key, const char *expected,
                      const ks_tree **list);
/* One line of text of the map's key; "" (or refused, where it is needed) when it is not there. */
ks_status ks_adr_line(ks_adr_reader *r, const ks_tree *map, const char *key, bool is_needed,
                      const char **out);
void *ks_adr_take(ks_adr_reader *r, size_t count, size_t item_bytes); /* NULL: said */

#endif
