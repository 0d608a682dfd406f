#include "base/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void failing_writes_the_message_and_gives_the_status(void **state) {
    (void)state;
    ks_error error = {{0}};
    assert_int_equal(ks_fail(&error, KS_INPUT, "%s:%d: found %s", "file", 3, "x"), KS_INPUT);
    assert_string_equal(error.text, "file:3: found x");
}

static void failing_without_an_error_gives_the_status_only(void **state) {
    (void)state;
    assert_int_equal(ks_fail(NULL, KS_IO, "%s", "nobody reads this"), KS_IO);
}

static void a_long_message_is_cut_at_the_end_of_the_buffer(void **state) {
    (void)state;
    ks_error error;
    memset(&error, 'z', sizeof error);
    assert_int_equal(ks_fail(&error, KS_FAILED, "%5000d", 7), KS_FAILED);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_writes_the_message_and_gives_the_status),
        cmocka_unit_test(failing_without_an_error_gives_the_status_only),
        cmocka_unit_test(a_long_message_is_cut_at_the_end_of_the_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
