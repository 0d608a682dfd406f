#include "base/near.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void the_nearest_name_within_a_third_is_found(void **state) {
    (void)state;
    static const char *const names[] = {"decode_opt1", NULL, "decode_opt2", "gemm",
                                        "serial",      "S",  "TILE"};
    static const struct {
        const char *word, *near;
    } table[] = {
        {"decode_opt2", "decode_opt2"},
        {"decode_opt9", "decode_opt1"},  /* of equals, the first */
        {"decod_opt2", "decode_opt2"},   /* one missing */
        {"decode__opt2", "decode_opt2"}, /* one too many */
        {"decoed_opt2", "decode_opt2"},  /* two swapped: one edit */
        {"DECODE_OPT2", "decode_opt2"},  /* letter case apart */
        {"dcde_op2", NULL},              /* three edits, a third of 8 is 2 */
        {"dcod_opt2", "decode_opt2"},    /* two edits, a third of 9 is 3 */
        {"encod_opt2x", NULL},           /* four edits: never more than 3 */
        {"tile", "TILE"},
        {"gmem", "gemm"},
        {"gmme", NULL},
        {"gem", "gemm"}, /* at least one edit, however short */
        {"gm", NULL},    /* two edits */
        {"x", "S"},
        {"", "S"},
        {"wholly_other", NULL},
        {"serious", NULL}, /* three edits, a third of 7 is 2 */
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        const char *found = ks_near(table[i].word, names, COUNT(names));
        if (!found != !table[i].near)
            print_error("'%s': found %s\n", table[i].word, found ? found : "none");
        if (table[i].near)
            assert_string_equal(found, table[i].near);
        else
            assert_null(found);
    }
}

static void nothing_is_near_among_no_names(void **state) {
    (void)state;
    static const char *const names[] = {NULL, NULL};
    assert_null(ks_near("word", NULL, 0));
    assert_null(ks_near("word", names, 2));
}

static void very_long_words_are_near_nothing(void **state) {
    (void)state;
    static const char sixty_three[] =
        "123456789012345678901234567890123456789012345678901234567890123";
    static const char sixty_four[] =
        "1234567890123456789012345678901234567890123456789012345678901234";
    static const char *const names[] = {sixty_three};
    static const char *const longer[] = {sixty_four};
    assert_string_equal(ks_near(sixty_three, names, 1), sixty_three);
    assert_null(ks_near(sixty_four, names, 1));
    assert_null(ks_near(sixty_three, longer, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_name_within_a_third_is_found),
        cmocka_unit_test(nothing_is_near_among_no_names),
        cmocka_unit_test(very_long_words_are_near_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
