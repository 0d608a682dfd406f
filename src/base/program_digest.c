#include "base/program_digest.h"

#include "base/file.h"

enum { PROGRAM_LIMIT = 1 << 30 };

ks_status ks_program_digest(ks_digest *digest, ks_error *error) {
    ks_text bytes = {0};
    const ks_status status = ks_file_read("/proc/self/exe", PROGRAM_LIMIT, &bytes, error);
    if (!status) *digest = ks_digest_of(ks_text_string(&bytes), bytes.length);
    ks_text_free(&bytes);
    return status;
}
