/* Checks of a text's lines, 8 hex digits of XXH3-128 each, joined, and at last one of those digits:
 * they say which line was edited. */
#ifndef KS_BASE_LINE_CHECKS_H
#define KS_BASE_LINE_CHECKS_H

#include "base/text.h"

/* Appends those of every line; a line ends with LF or with the text. */
void ks_line_checks_add(ks_text *out, const char *text, size_t length);

/* The first line, from 1, that is not what its check says, is not there, or has no check; that behind
 * the last one where the checks themselves were edited; 0: none. */
size_t ks_line_checks_find(const char *checks, const char *text, size_t length);

#endif
