/* Foreign text in a message: quoted, cut, without control characters. */
#ifndef KS_SWEEP_QUOTE_H
#define KS_SWEEP_QUOTE_H

#include <stddef.h>

enum { KS_QUOTE_MAX = 96 };

/* `'text'`; "nothing" when it is empty. Returns `out`. */
const char *ks_quote(char out[KS_QUOTE_MAX], const char *text, size_t length);

#endif
