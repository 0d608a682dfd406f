/* Four digits at a time, copied from one long text of all of them. */
#include "base/digits.h"

#include <string.h>

#include "base/decimal.h"

#define ONE(head) \
    head "0" head "1" head "2" head "3" head "4" head "5" head "6" head "7" head "8" head "9"
#define TEN(head) \
    ONE(head "0") \
    ONE(head "1") \
    ONE(head "2") \
    ONE(head "3") \
    ONE(head "4") ONE(head "5") ONE(head "6") ONE(head "7") ONE(head "8") ONE(head "9")
#define HUNDRED(head) \
    TEN(head "0")     \
    TEN(head "1")     \
    TEN(head "2")     \
    TEN(head "3")     \
    TEN(head "4") TEN(head "5") TEN(head "6") TEN(head "7") TEN(head "8") TEN(head "9")

/* "0000", "0001", ... "9999". */
static const char fours[] = HUNDRED("0") HUNDRED("1") HUNDRED("2") HUNDRED("3") HUNDRED("4")
    HUNDRED("5") HUNDRED("6") HUNDRED("7") HUNDRED("8") HUNDRED("9");

enum { FOUR = 10000 };
#define EIGHT UINT64_C(100000000)

static char *put_four(char *at, uint64_t value) {
    memcpy(at, fours + 4 * value, 4);
    return at + 4;
}

/* Below 10^4, without leading zeros; 0 is "0". What is copied too much is of the next value. */
static char *put_head(char *at, uint64_t value) {
    const size_t zeros = (size_t)(value < 10) + (value < 100) + (value < 1000);
    memcpy(at, fours + 4 * value + zeros, 4);
    return at + 4 - zeros;
}

static char *put_eight(char *at, uint64_t value) {
    return put_four(put_four(at, value / FOUR), value % FOUR);
}

static char *put_long(char *at, uint64_t value) {
    if (value < EIGHT * FOUR) return put_eight(put_head(at, value / EIGHT), value % EIGHT);
    return put_eight(ks_put_u64(at, value / EIGHT), value % EIGHT);
}

char *ks_put_u64(char *at, uint64_t value) {
    if (value < FOUR) return put_head(at, value);
    if (value < EIGHT) return put_four(put_head(at, value / FOUR), value % FOUR);
    return put_long(at, value);
}

char *ks_put_ticks(char *at, uint64_t ticks) {
    const uint64_t fraction = ticks % KS_TICKS_PER_UNIT;
    at = ks_put_u64(at, ticks / KS_TICKS_PER_UNIT);
    if (fraction == 0) return at;
    *at = '.';
    const size_t zeros =
        (size_t)(fraction % 10 == 0) + (fraction % 100 == 0) + (fraction % 1000 == 0);
    return put_four(at + 1, fraction) - zeros;
}

char *ks_put_hex(char *at, const unsigned char *bytes, size_t count) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < count; i++) {
        at[2 * i] = digits[bytes[i] >> 4];
        at[2 * i + 1] = digits[bytes[i] & 15];
    }
    return at + 2 * count;
}
