/* The op_log as text while it comes about: lines in pieces of 64 rows, hashed while they are warm, and
 * kept only where somebody wants them. */
#ifndef KS_OP_LOG_LOG_WRITER_H
#define KS_OP_LOG_LOG_WRITER_H

#include <stdio.h>

#include "base/digest.h"
#include "op_log/log_blocks.h"
#include "op_log/log_texts.h"

typedef struct ks_log_writer ks_log_writer;

ks_log_writer *ks_log_writer_new(void);         /* NULL if out of memory */
void ks_log_writer_free(ks_log_writer *writer); /* NULL is fine */

/* A log begins. `texts` are its program's. Its lines also go to `file`, and its pieces to `blocks`;
 * both may be NULL. */
void ks_log_writer_begin(ks_log_writer *writer, ks_log_texts *texts, FILE *file,
                         ks_log_blocks *blocks);
/* The next row; `writer` is a ks_log_writer (the shape of ks_event_sink.event). KS_OK; KS_IO;
 * KS_NO_MEMORY. */
KS_CHECKED ks_status ks_log_writer_event(void *writer, const ks_event *event);
KS_CHECKED ks_status ks_log_writer_end(ks_log_writer *writer, ks_digest *digest,
                                       uint64_t *row_count);

#endif
