/* Windows of items through threads: each item once, windows in order, never too many under way. */
#include "run/pipeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdatomic.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { WINDOWS = 40, ITEMS_MOST = 64 };

typedef struct factory {
    ks_pipeline pipeline;
    atomic_int runs[WINDOWS][ITEMS_MOST];
    uint64_t number_at[KS_PIPELINE_PLACES]; /* by place: its window */
    atomic_int begun, ended;
    int most_under_way;
    bool begins_in_order, ends_in_order, was_complete;
    atomic_bool has_wrong_thread;
    int over_after; /* items; 0: never */
    atomic_int item_count;
} factory;

/* Windows of none, one and many items. */
static size_t items_of(uint64_t window) { return window % 5 == 3 ? 0 : window * 7 % ITEMS_MOST; }

static size_t begin(void *self, uint64_t window, int place) {
    factory *f = self;
    f->begins_in_order = f->begins_in_order && window == (uint64_t)atomic_load(&f->begun);
    f->number_at[place] = window;
    const int under_way = atomic_fetch_add(&f->begun, 1) + 1 - atomic_load(&f->ended);
    if (under_way > f->most_under_way) f->most_under_way = under_way;
    return items_of(window);
}

static void run(void *self, int thread, int place, size_t item) {
    factory *f = self;
    const uint64_t window = f->number_at[place];
    if (thread < 0 || thread >= f->pipeline.threads) atomic_store(&f->has_wrong_thread, true);
    atomic_fetch_add(&f->runs[window][item], 1);
    atomic_fetch_add(&f->item_count, 1);
}

static void end(void *self, int place) {
    factory *f = self;
    const uint64_t window = f->number_at[place];
    f->ends_in_order = f->ends_in_order && window == (uint64_t)atomic_load(&f->ended);
    for (size_t i = 0; i < ITEMS_MOST; i++) {
        const int expected = i < items_of(window);
        f->was_complete = f->was_complete && atomic_load(&f->runs[window][i]) == expected;
    }
    atomic_fetch_add(&f->ended, 1);
}

static bool is_over(void *self) {
    factory *f = self;
    return f->over_after && atomic_load(&f->item_count) >= f->over_after;
}

static factory *factory_of(int threads) {
    factory *f = test_calloc(1, sizeof *f);
    f->pipeline = (ks_pipeline){.window_count = WINDOWS,
                                .threads = threads,
                                .self = f,
                                .begin = begin,
                                .run = run,
                                .end = end,
                                .is_over = is_over};
    f->begins_in_order = f->ends_in_order = f->was_complete = true;
    return f;
}

static void every_item_runs_once_and_windows_end_in_order_and_complete(void **state) {
    static const int threads[] = {1, 2, 3, 8};
    (void)state;
    for (size_t t = 0; t < COUNT(threads); t++) {
        factory *f = factory_of(threads[t]);
        uint64_t begun, ended;
        assert_int_equal(ks_pipeline_run(&f->pipeline, &begun, &ended), KS_OK);
        assert_int_equal(begun, WINDOWS);
        assert_int_equal(ended, WINDOWS);
        assert_int_equal(atomic_load(&f->ended), WINDOWS);
        assert_true(f->begins_in_order && f->ends_in_order && f->was_complete);
        assert_true(f->most_under_way <= KS_PIPELINE_PLACES);
        assert_false(atomic_load(&f->has_wrong_thread));
        test_free(f);
    }
}

static void one_by_one_a_window_begins_when_all_before_it_have_ended(void **state) {
    (void)state;
    factory *f = factory_of(3);
    uint64_t begun, ended;
    f->pipeline.is_one_by_one = true;
    assert_int_equal(ks_pipeline_run(&f->pipeline, &begun, &ended), KS_OK);
    assert_int_equal(ended, WINDOWS);
    assert_true(f->begins_in_order && f->ends_in_order && f->was_complete);
    assert_int_equal(f->most_under_way, 1);
    test_free(f);
}

static void what_is_over_begins_no_item_and_ends_no_window_that_is_not_complete(void **state) {
    static const int threads[] = {1, 4};
    (void)state;
    for (size_t t = 0; t < COUNT(threads); t++) {
        factory *f = factory_of(threads[t]);
        uint64_t begun, ended;
        f->over_after = 100;
        assert_int_equal(ks_pipeline_run(&f->pipeline, &begun, &ended), KS_OK);
        assert_true(ended < begun && begun <= ended + KS_PIPELINE_PLACES);
        assert_true(begun < WINDOWS);
        assert_int_equal(ended, atomic_load(&f->ended));
        assert_true(f->begins_in_order && f->ends_in_order && f->was_complete);
        /* Items that were taken run to their end. */
        assert_in_range(atomic_load(&f->item_count), 100, 100 + 4);
        test_free(f);
    }
}

static void no_windows_are_no_work(void **state) {
    (void)state;
    factory *f = factory_of(2);
    uint64_t begun = 7, ended = 7;
    f->pipeline.window_count = 0;
    assert_int_equal(ks_pipeline_run(&f->pipeline, &begun, &ended), KS_OK);
    assert_int_equal(begun, 0);
    assert_int_equal(ended, 0);
    test_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_runs_once_and_windows_end_in_order_and_complete),
        cmocka_unit_test(one_by_one_a_window_begins_when_all_before_it_have_ended),
        cmocka_unit_test(what_is_over_begins_no_item_and_ends_no_window_that_is_not_complete),
        cmocka_unit_test(no_windows_are_no_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
