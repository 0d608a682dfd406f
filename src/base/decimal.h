/* Exact decimals with at most four fractional digits, held as an integer number of
 * ten-thousandths ("ticks"; 10,000 ticks = 1 cycle where the unit is time). */
#ifndef KS_BASE_DECIMAL_H
#define KS_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KS_TICKS_PER_UNIT UINT64_C(10000)
#define KS_TICKS_LIMIT (UINT64_C(1) << 63) /* every tick count is below it */

typedef enum ks_decimal_fault {
    KS_DECIMAL_OK,
    KS_DECIMAL_SYNTAX,      /* not `digits` or `digits.digits{1,4}`: sign, exponent, blank, text */
    KS_DECIMAL_TOO_PRECISE, /* more than four fractional digits */
    KS_DECIMAL_TOO_LARGE    /* not below 2^63 ticks */
} ks_decimal_fault;

/* Reads the whole of text[0..length). On a fault *ticks is untouched. Leading zeros are fine. */
ks_decimal_fault ks_decimal_parse(const char *text, size_t length, uint64_t *ticks);

/* What a fault means, for a message: "has more than four fractional digits", ... */
const char *ks_decimal_fault_text(ks_decimal_fault fault);

/* `digits` only, below 2^64. False on anything else. */
bool ks_u64_parse(const char *text, size_t length, uint64_t *value);

/* Shortest decimal (`43.5`, `100`, `0.0625`), NUL-terminated; returns its length. */
enum { KS_DECIMAL_TEXT_MAX = 40 };
size_t ks_decimal_print(char out[KS_DECIMAL_TEXT_MAX], uint64_t ticks);
size_t ks_u64_print(char out[KS_DECIMAL_TEXT_MAX], uint64_t value);

#endif
