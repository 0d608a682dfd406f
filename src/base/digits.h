/* Numbers as text, written in place: each call writes at `at`, where KS_DIGITS_ROOM bytes must be
 * free, and returns the end of its text. Bytes after the end may have been written to; no NUL. For
 * whoever writes millions of cells; all others append to a ks_text. */
#ifndef KS_BASE_DIGITS_H
#define KS_BASE_DIGITS_H

#include <stddef.h>
#include <stdint.h>

enum { KS_DIGITS_ROOM = 40 };

char *ks_put_u64(char *at, uint64_t value);
char *ks_put_ticks(char *at, uint64_t ticks); /* shortest decimal of ten-thousandths: "43.5" */
/* Shortest digits that read back to the same double, the nearest of these; exponent form where
 * %.17g would use it. Needs a finite value. */
char *ks_put_double(char *at, double value);
/* Two lower-case hex digits a byte. Writes exactly 2 * count bytes; `at` needs no more room. */
char *ks_put_hex(char *at, const unsigned char *bytes, size_t count);

#endif
