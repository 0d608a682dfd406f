/* Tables of input that is refused, and the whole message. */
#ifndef KS_TEST_SWEEP_REFUSALS_H
#define KS_TEST_SWEEP_REFUSALS_H

#include "sweep_bench.h"

typedef struct refusal {
    const char *yaml;
    size_t length;
    const char *message; /* @ stands for the file */
} refusal;

#define REFUSED(yaml, message) \
    { yaml, sizeof(yaml) - 1, message }

static inline void expect_message(const char *got, const char *message) {
    ks_text wanted = {0};
    for (const char *s = message; *s; s++)
        if (*s == '@')
            ks_text_add_string(&wanted, FILE_NAME);
        else
            ks_text_add_char(&wanted, *s);
    assert_string_equal(got, ks_text_string(&wanted));
    ks_text_free(&wanted);
}

static inline void expect_refusals(const refusal *refusals, size_t count) {
    for (size_t i = 0; i < count; i++) {
        ks_sweep *sweep;
        ks_error error = {""};
        const ks_status status = ks_sweep_parse(FILE_NAME, refusals[i].yaml, refusals[i].length,
                                                &bench_table, &bench_options, &sweep, &error);
        if (status != KS_INPUT) fail_msg("status %d: %s", (int)status, refusals[i].yaml);
        expect_message(error.text, refusals[i].message);
        assert_null(sweep);
    }
}

#endif
