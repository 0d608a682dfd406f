#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void pieces_are_zeroed_and_aligned_to_64(void **state) {
    (void)state;
    ks_arena *arena = ks_arena_new(1024);
    for (size_t bytes = 1; bytes <= 200; bytes++) {
        unsigned char *piece = ks_arena_take(arena, bytes, 1);
        assert_non_null(piece);
        assert_int_equal((uintptr_t)piece % 64, 0);
        for (size_t i = 0; i < bytes; i++) assert_int_equal(piece[i], 0);
        memset(piece, 0xff, bytes);
    }
    ks_arena_free(arena);
}

static void pieces_do_not_overlap(void **state) {
    (void)state;
    enum { PIECES = 300 };
    ks_arena *arena = ks_arena_new(512);
    unsigned char *pieces[PIECES];
    for (size_t i = 0; i < PIECES; i++) {
        pieces[i] = ks_arena_take(arena, i + 1, 1);
        memset(pieces[i], (int)(i & 255), i + 1);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t k = 0; k <= i; k++) assert_int_equal(pieces[i][k], i & 255);
    ks_arena_free(arena);
}

static void a_reset_gives_the_same_memory_again_zeroed(void **state) {
    (void)state;
    ks_arena *arena = ks_arena_new(256);
    void *first[8];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 8; i++) {
            unsigned char *piece = ks_arena_take(arena, 100, 1);
            if (round == 0) first[i] = piece;
            assert_ptr_equal(piece, first[i]);
            for (int k = 0; k < 100; k++) assert_int_equal(piece[k], 0);
            memset(piece, 0xa5, 100);
        }
        ks_arena_reset(arena);
    }
    ks_arena_free(arena);
}

static void a_piece_may_be_larger_than_a_block(void **state) {
    (void)state;
    ks_arena *arena = ks_arena_new(64);
    unsigned char *small = ks_arena_take(arena, 64, 1);
    unsigned char *large = ks_arena_take(arena, 1000, 1000);
    unsigned char *after = ks_arena_take(arena, 64, 1);
    assert_non_null(small);
    assert_non_null(large);
    assert_non_null(after);
    memset(large, 1, 1000000);
    assert_int_equal(after[0], 0);
    ks_arena_free(arena);
}

static void a_size_that_overflows_is_refused(void **state) {
    (void)state;
    ks_arena *arena = ks_arena_new(1024);
    assert_null(ks_arena_take(arena, SIZE_MAX, 2));
    assert_null(ks_arena_take(arena, SIZE_MAX / 2 + 1, 2));
    assert_null(ks_arena_take(arena, SIZE_MAX, 1));
    assert_null(ks_arena_take(arena, (SIZE_MAX >> 32) + 1, (SIZE_MAX >> 32) + 1));
    assert_non_null(ks_arena_take(arena, 16, 1)); /* and the arena goes on */
    ks_arena_free(arena);
}

static void a_piece_of_nothing_is_not_null(void **state) {
    (void)state;
    ks_arena *arena = ks_arena_new(64);
    assert_non_null(ks_arena_take(arena, 0, 8));
    assert_non_null(ks_arena_take(arena, 8, 0));
    assert_non_null(ks_arena_take(arena, 64, 1)); /* the block is full now */
    assert_non_null(ks_arena_take(arena, 0, 8));
    ks_arena_free(arena);
}

static void texts_are_copied_with_their_nul(void **state) {
    (void)state;
    ks_arena *arena = ks_arena_new(64);
    char original[] = "text";
    const char *copy = ks_arena_text(arena, original);
    original[0] = 'n';
    assert_string_equal(copy, "text");
    assert_string_equal(ks_arena_text(arena, ""), "");
    ks_arena_free(arena);
}

static void its_bytes_are_those_of_all_blocks(void **state) {
    (void)state;
    ks_arena *arena = ks_arena_new(1024);
    assert_int_equal(ks_arena_bytes(arena), 1024);
    assert_non_null(ks_arena_take(arena, 1024, 1));
    assert_int_equal(ks_arena_bytes(arena), 1024);
    assert_non_null(ks_arena_take(arena, 1, 1));
    assert_int_equal(ks_arena_bytes(arena), 2048);
    assert_non_null(ks_arena_take(arena, 4096, 1));
    assert_int_equal(ks_arena_bytes(arena), 2048 + 4096);
    ks_arena_reset(arena);
    assert_int_equal(ks_arena_bytes(arena), 2048 + 4096); /* blocks stay */
    ks_arena_free(arena);
}

static void freeing_null_is_fine(void **state) {
    (void)state;
    ks_arena_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_zeroed_and_aligned_to_64),
        cmocka_unit_test(pieces_do_not_overlap),
        cmocka_unit_test(a_reset_gives_the_same_memory_again_zeroed),
        cmocka_unit_test(a_piece_may_be_larger_than_a_block),
        cmocka_unit_test(a_size_that_overflows_is_refused),
        cmocka_unit_test(a_piece_of_nothing_is_not_null),
        cmocka_unit_test(texts_are_copied_with_their_nul),
        cmocka_unit_test(its_bytes_are_those_of_all_blocks),
        cmocka_unit_test(freeing_null_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
