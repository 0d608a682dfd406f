/* Which build is running. */
#include "base/program_digest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"

static char *program;

static void the_digest_is_that_of_the_programs_file(void **state) {
    ks_text bytes = {0};
    ks_error error = {""};
    ks_digest found;
    (void)state;
    assert_int_equal(ks_program_digest(&found, &error), KS_OK);
    assert_int_equal(ks_file_read(program, SIZE_MAX >> 1, &bytes, &error), KS_OK);
    const ks_digest expected = ks_digest_of(bytes.data, bytes.length);
    assert_memory_equal(&found, &expected, sizeof found);
    ks_text_free(&bytes);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_digest_is_that_of_the_programs_file),
    };
    if (argc < 1) return 2;
    program = argv[0];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
