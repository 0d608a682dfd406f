/* Commands and rows in words, for `show`. */
#ifndef KS_REPORT_PROGRAM_H
#define KS_REPORT_PROGRAM_H

#include "op_log/op_log.h"

/* Instructions in order: a DISPATCH with its command's ops, WAITs joined on a line. */
void ks_program_print(ks_text *out, const ks_program *program, uint64_t header_bytes,
                      uint64_t operand_bytes);

#endif
