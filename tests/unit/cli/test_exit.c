/* Exit codes: which status gives which, and which of two wins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/verbs.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void the_worst_code_wins_in_the_order_2_3_1_4_0(void **state) {
    static const int from_the_worst[] = {2, 3, 1, 4, 0};
    (void)state;
    for (size_t i = 0; i < COUNT(from_the_worst); i++)
        for (size_t k = i; k < COUNT(from_the_worst); k++) {
            assert_int_equal(ks_worst_code(from_the_worst[i], from_the_worst[k]),
                             from_the_worst[i]);
            assert_int_equal(ks_worst_code(from_the_worst[k], from_the_worst[i]),
                             from_the_worst[i]);
        }
}

static void every_status_has_its_code(void **state) {
    static const struct {
        ks_status status;
        int code;
    } table[] = {{KS_OK, 0}, {KS_FAILED, 1}, {KS_INPUT, 2}, {KS_IO, 3}, {KS_NO_MEMORY, 3}};
    const ks_error nothing = {""};
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++)
        assert_int_equal(ks_say_error(table[i].status, &nothing), table[i].code);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_code_wins_in_the_order_2_3_1_4_0),
        cmocka_unit_test(every_status_has_its_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
