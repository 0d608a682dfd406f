#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/data_cache.h"

static ks_numbers_key key_of_seed(uint64_t seed) {
    ks_point point = ks_point_default();
    point.params[KS_P_G] = 2;
    point.params[KS_P_d] = 64;
    point.params[KS_P_S] = 256;
    point.params[KS_P_seed] = seed;
    return ks_numbers_key_of(KS_TASK_ATTENTION, &point);
}

static ks_numbers *take(ks_data_cache *cache, uint64_t seed) {
    const ks_numbers_key key = key_of_seed(seed);
    ks_numbers *numbers = ks_data_cache_numbers(cache, &key, NULL);
    assert_non_null(numbers);
    assert_true(ks_numbers_key_equal(ks_numbers_key_get(numbers), &key));
    return numbers;
}

static void visit(ks_data_cache *cache, uint64_t seed) {
    ks_data_cache_release(cache, take(cache, seed));
}

static uint64_t bytes_of_one(void) {
    ks_data_cache *cache = ks_data_cache_new(1);
    ks_numbers *numbers = take(cache, 1);
    const uint64_t bytes = ks_numbers_bytes(numbers);
    ks_data_cache_release(cache, numbers);
    ks_data_cache_free(cache);
    return bytes;
}

static void equal_keys_share(void **state) {
    ks_data_cache *cache = ks_data_cache_new(UINT64_C(1) << 30);
    (void)state;
    ks_numbers *first = take(cache, 1), *second = take(cache, 1), *other = take(cache, 2);
    assert_ptr_equal(first, second);
    assert_ptr_not_equal(first, other);
    ks_data_cache_release(cache, first);
    ks_data_cache_release(cache, second);
    ks_data_cache_release(cache, other);
    const ks_data_counts counts = ks_data_cache_counts(cache);
    assert_int_equal(counts.numbers_made, 2);
    assert_int_equal(counts.numbers_shared, 1);
    ks_data_cache_free(cache);
}

/* Room for two: of three the one that was used last longest ago goes. */
static void the_bound_holds_and_the_longest_unused_goes_first(void **state) {
    const uint64_t one = bytes_of_one();
    ks_data_cache *cache = ks_data_cache_new(2 * one);
    (void)state;
    visit(cache, 1);
    visit(cache, 2);
    visit(cache, 1);
    visit(cache, 3); /* 2 goes */
    assert_int_equal(ks_data_cache_counts(cache).numbers_made, 3);
    visit(cache, 1);
    visit(cache, 3);
    assert_int_equal(ks_data_cache_counts(cache).numbers_made, 3);
    visit(cache, 2);
    assert_int_equal(ks_data_cache_counts(cache).numbers_made, 4);
    ks_data_cache_free(cache);
    cache = ks_data_cache_new(2 * one - 1);
    visit(cache, 1);
    visit(cache, 2);
    visit(cache, 1);
    assert_int_equal(ks_data_cache_counts(cache).numbers_made, 3);
    ks_data_cache_free(cache);
}

static void what_is_in_use_stays_beyond_the_bound(void **state) {
    ks_data_cache *cache = ks_data_cache_new(bytes_of_one());
    (void)state;
    ks_numbers *held = take(cache, 1);
    const double reference = ks_numbers_reference(held)[5];
    for (uint64_t seed = 2; seed < 6; seed++) visit(cache, seed);
    assert_true(ks_numbers_reference(held)[5] == reference);
    ks_data_cache_release(cache, held);
    ks_data_cache_free(cache);
}

static void a_bound_of_nothing_keeps_nothing(void **state) {
    ks_data_cache *cache = ks_data_cache_new(0);
    const ks_digest key = {{1}};
    const ks_data_result result = {.judgement = {.err = 1}};
    ks_data_result found;
    (void)state;
    assert_false(ks_data_cache_keeps(cache));
    ks_numbers *first = take(cache, 1), *second = take(cache, 1);
    assert_ptr_not_equal(first, second);
    ks_data_cache_release(cache, first);
    ks_data_cache_release(cache, second);
    ks_data_cache_keep(cache, &key, &result);
    assert_false(ks_data_cache_find(cache, &key, &found));
    ks_data_cache_free(cache);
}

static void results_come_back_under_their_key_alone(void **state) {
    ks_data_cache *cache = ks_data_cache_new(1 << 20);
    (void)state;
    for (uint64_t i = 0; i < 100000; i++) { /* more than there is room for */
        const ks_digest key = ks_digest_of(&i, sizeof i);
        const ks_data_result result = {.errors = {.nonfinite = i}};
        ks_data_cache_keep(cache, &key, &result);
    }
    uint64_t found_count = 0;
    for (uint64_t i = 0; i < 200000; i++) {
        const ks_digest key = ks_digest_of(&i, sizeof i);
        ks_data_result found;
        if (!ks_data_cache_find(cache, &key, &found)) continue;
        assert_int_equal(found.errors.nonfinite, i);
        assert_true(i < 100000);
        found_count++;
    }
    assert_true(found_count > 100 && found_count * sizeof(ks_data_result) < 1 << 20);
    ks_data_cache_free(cache);
}

enum { THREADS = 4, VISITS = 60 };

static void *visit_many(void *cache) {
    for (uint64_t i = 0; i < VISITS; i++) visit(cache, 1 + i % 3);
    return NULL;
}

static void threads_that_want_the_same_make_it_once(void **state) {
    ks_data_cache *cache = ks_data_cache_new(UINT64_C(1) << 30);
    pthread_t threads[THREADS];
    (void)state;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, visit_many, cache), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    const ks_data_counts counts = ks_data_cache_counts(cache);
    assert_int_equal(counts.numbers_made, 3);
    assert_int_equal(counts.numbers_shared, THREADS * VISITS - 3);
    ks_data_cache_free(cache);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_keys_share),
        cmocka_unit_test(the_bound_holds_and_the_longest_unused_goes_first),
        cmocka_unit_test(what_is_in_use_stays_beyond_the_bound),
        cmocka_unit_test(a_bound_of_nothing_keeps_nothing),
        cmocka_unit_test(results_come_back_under_their_key_alone),
        cmocka_unit_test(threads_that_want_the_same_make_it_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
