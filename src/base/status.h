/* What a fallible function answers, and the message that goes with it. */
#ifndef KS_BASE_STATUS_H
#define KS_BASE_STATUS_H

#include <stdarg.h>

typedef enum ks_status {
    KS_OK = 0,
    KS_FAILED,   /* a check failed: exit code 1 */
    KS_INPUT,    /* the user's input or the command line is wrong: exit code 2 */
    KS_IO,       /* reading or writing failed, folder unusable, interrupted: exit code 3 */
    KS_NO_MEMORY /* exit code 3 */
} ks_status;

#define KS_CHECKED __attribute__((warn_unused_result))
#define KS_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* Text of one failure, for a person. Owned by the caller; empty while nothing failed. */
typedef struct ks_error {
    char text[2048];
} ks_error;

/* Writes the message (cut at the end of the buffer) and returns `status`, so that
 * `return ks_fail(error, KS_INPUT, "...")` reads as one step. NULL error: only the status. */
ks_status ks_fail(ks_error *error, ks_status status, const char *format, ...) KS_PRINTF(3, 4);
ks_status ks_fail_v(ks_error *error, ks_status status, const char *format, va_list args);

/* Our own mistake: prints file, line and message, and aborts. Going on would lie. */
#define KS_BUG(...) ks_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void ks_bug(const char *file, int line, const char *format, ...) KS_PRINTF(3, 4);

#endif
