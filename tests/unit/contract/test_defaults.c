/* The text of what a KEY leaves out. */
#include "contract/defaults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "contract/point.h"

static void every_default_is_named_once_with_its_value(void **state) {
    (void)state;
    ks_text text = {0};
    ks_defaults_print(&text);
    assert_ptr_equal(strstr(text.data, "dtype=f16 score=dtype acc=f32 "), text.data);
    assert_non_null(strstr(text.data, " policy=strict_fifo s_buffers=2 stream_in_prologue=0 "));
    assert_non_null(strstr(text.data, " seed=1 clock_ghz=1.25 dispatch_fixed_cycles=40 "));
    for (int c = 0; c < KS_CONSTANT_COUNT; c++) {
        ks_text word = {0};
        const ks_constant_info *info = ks_constant_describe((ks_constant)c);
        ks_text_add_format(&word, " %s=%s", info->name, info->default_text);
        const char *at = strstr(text.data, word.data);
        assert_non_null(at);
        assert_true(at[word.length] == ' ' || at[word.length] == '\0');
        assert_null(strstr(at + 1, word.data));
        ks_text_free(&word);
    }
    assert_null(strpbrk(text.data, ",\"\n\r"));
    ks_text_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_default_is_named_once_with_its_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
