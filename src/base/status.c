#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>

ks_status ks_fail_v(ks_error *error, ks_status status, const char *format, va_list args) {
    if (error) vsnprintf(error->text, sizeof error->text, format, args);
    return status;
}

ks_status ks_fail(ks_error *error, ks_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    ks_fail_v(error, status, format, args);
    va_end(args);
    return status;
}

void ks_bug(const char *file, int line, const char *format, ...) {
    va_list args;
    fprintf(stderr, "kernsweep: bug at %s:%d: ", file, line);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}
