#include "contract/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void ranges_overlap_when_they_share_a_byte(void **state) {
    (void)state;
    static const struct {
        ks_range a, b;
        bool is_overlap;
    } table[] = {
        {{KS_TCM, 64, 64}, {KS_TCM, 64, 64}, true},
        {{KS_TCM, 64, 64}, {KS_TCM, 127, 1}, true},  /* last byte */
        {{KS_TCM, 64, 64}, {KS_TCM, 128, 1}, false}, /* one beyond */
        {{KS_TCM, 64, 64}, {KS_TCM, 63, 1}, false},  /* one before */
        {{KS_TCM, 64, 64}, {KS_TCM, 63, 2}, true},
        {{KS_TCM, 64, 64}, {KS_TCM, 0, 4096}, true}, /* inside */
        {{KS_TCM, 64, 64}, {KS_HBM, 64, 64}, false}, /* another memory */
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        assert_int_equal(ks_range_overlaps(&table[i].a, &table[i].b), table[i].is_overlap);
        assert_int_equal(ks_range_overlaps(&table[i].b, &table[i].a), table[i].is_overlap);
    }
}

static void a_handle_is_as_many_bytes_as_its_elements(void **state) {
    (void)state;
    const ks_handle h = {.addr = 4096, .rows = 3, .cols = 5, .space = KS_HBM, .dtype = KS_F32};
    const ks_range range = ks_handle_range(&h);
    assert_int_equal(ks_handle_elements(&h), 15);
    assert_int_equal(ks_handle_bytes(&h), 60);
    assert_int_equal(range.space, KS_HBM);
    assert_int_equal(range.addr, 4096);
    assert_int_equal(range.bytes, 60);
}

static void commands_conflict_when_one_writes_what_the_other_touches(void **state) {
    (void)state;
    static const ks_range x = {KS_TCM, 0, 64}, y = {KS_TCM, 64, 64};
    static const struct {
        const char *name;
        const ks_range *earlier_read, *earlier_write, *later_read, *later_write;
        bool is_conflict;
    } table[] = {
        {"RAR", &x, &y, &x, NULL, false}, {"RAW", NULL, &x, &x, &y, true},
        {"WAR", &x, NULL, &y, &x, true},  {"WAW", NULL, &x, NULL, &x, true},
        {"none", &x, &x, &y, &y, false},  {"nothing", NULL, NULL, NULL, NULL, false},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        const ks_command earlier = {.read_count = table[i].earlier_read != NULL,
                                    .reads = table[i].earlier_read,
                                    .write_count = table[i].earlier_write != NULL,
                                    .writes = table[i].earlier_write};
        const ks_command later = {.read_count = table[i].later_read != NULL,
                                  .reads = table[i].later_read,
                                  .write_count = table[i].later_write != NULL,
                                  .writes = table[i].later_write};
        if (ks_command_conflicts(&earlier, &later) != table[i].is_conflict)
            print_error("%s\n", table[i].name);
        assert_int_equal(ks_command_conflicts(&earlier, &later), table[i].is_conflict);
    }
}

static void a_conflict_may_be_in_any_of_the_ranges(void **state) {
    (void)state;
    static const ks_range many[] = {{KS_TCM, 0, 64}, {KS_TCM, 64, 64}, {KS_TCM, 128, 64}};
    static const ks_range last = {KS_TCM, 191, 1}, beyond = {KS_TCM, 192, 1};
    const ks_command earlier = {.write_count = 3, .writes = many};
    const ks_command hit = {.read_count = 1, .reads = &last},
                     miss = {.read_count = 1, .reads = &beyond};
    assert_true(ks_command_conflicts(&earlier, &hit));
    assert_false(ks_command_conflicts(&earlier, &miss));
}

static void the_gemm_of_a_command_is_found_by_kind(void **state) {
    (void)state;
    const ks_op ops[] = {{.kind = KS_OP_rmax}, {.kind = KS_OP_gemm}, {.kind = KS_OP_add}};
    assert_int_equal(ks_command_gemm_index(&(ks_command){.op_count = 3, .ops = ops}), 1);
    assert_int_equal(ks_command_gemm_index(&(ks_command){.op_count = 2, .ops = ops + 1}), 0);
    assert_int_equal(ks_command_gemm_index(&(ks_command){.op_count = 1, .ops = ops}), -1);
    assert_int_equal(ks_command_gemm_index(&(ks_command){.op_count = 0, .ops = NULL}), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_overlap_when_they_share_a_byte),
        cmocka_unit_test(a_handle_is_as_many_bytes_as_its_elements),
        cmocka_unit_test(commands_conflict_when_one_writes_what_the_other_touches),
        cmocka_unit_test(a_conflict_may_be_in_any_of_the_ranges),
        cmocka_unit_test(the_gemm_of_a_command_is_found_by_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
