/* A table file while it is read; for adr_*.c alone. */
#ifndef KS_SWEEP_ADR_READER_H
#define KS_SWEEP_ADR_READER_H

#include "sweep/adr_file.h"
#include "sweep/reader.h"

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

#endif
