/* Numbers of groups: the same exactly where the groups' texts are the same. */
#include "run/grouping.h"

#include "run_bench.h"

#include "base/text_map.h"
#include "run/group.h"

#define NAMES_OF_WINNERS \
    (KS_NAME_BIT(KS_P_kernel) | KS_NAME_BIT(KS_P_TILE) | KS_NAME_BIT(KS_P_policy))

/* Every point that runs: (block, number) and the group's text stand for each other. */
static void expect_same_groups(const char *yaml, ks_names inside, uint64_t block_count) {
    bench_run *b = bench_run_new(yaml, 1);
    const ks_names names = ks_group_axes(b->sweep) & ~inside;
    ks_grouping *grouping = ks_grouping_new(b->sweep, names);
    ks_text_map *texts = ks_text_map_new(), *numbers = ks_text_map_new();
    ks_text text = {0}, number = {0};
    const uint64_t size = ks_grid_size(b->grid);
    assert_true(grouping && texts && numbers);
    for (uint64_t i = 0; i < size; i++) {
        ks_cell cell;
        ks_error error;
        assert_int_equal(ks_grid_at(b->grid, i, &cell, &error), KS_OK);
        if (cell.status != KS_CELL_RUN) continue;
        const uint64_t own = ks_grouping_number(grouping, i, &cell.point);
        assert_true(own < ks_grouping_count(grouping));
        ks_group_print(&text, b->sweep, &cell.point, names);
        ks_text_clear(&number);
        ks_text_add_format(&number, "%llu %llu", (unsigned long long)ks_grouping_block(grouping, i),
                           (unsigned long long)own);
        assert_int_equal(ks_text_map_add(texts, ks_text_string(&text)),
                         ks_text_map_add(numbers, ks_text_string(&number)));
    }
    assert_int_equal(ks_grouping_block(grouping, size - 1) + 1, block_count);
    ks_text_free(&text);
    ks_text_free(&number);
    ks_text_map_free(texts);
    ks_text_map_free(numbers);
    ks_grouping_free(grouping);
    bench_run_free(b);
}

#define DECODES "set: {G: 8, d: 128, S: 64}\n"

static void axes_slower_than_all_that_vary_in_a_group_make_blocks(void **state) {
    (void)state;
    expect_same_groups("axes:\n  seed: [1, 2, 3]\n  kernel: [decode_opt2, decode_opt3]\n"
                       "  TILE: [16, 32]\n  dma_latency_cycles: [1, 2]\n" DECODES,
                       NAMES_OF_WINNERS, 3);
    expect_same_groups("axes:\n  kernel: [decode_opt2, decode_opt3]\n  seed: [1, 2, 3]\n"
                       "  TILE: [16, 32]\n" DECODES,
                       NAMES_OF_WINNERS, 1);
    expect_same_groups("axes:\n  seed: [1, 2, 3]\n  kernel: [decode_opt2]\n  TILE: [16]\n" DECODES,
                       NAMES_OF_WINNERS, 3);
}

static void kernels_that_take_other_shapes_have_groups_of_their_own(void **state) {
    (void)state;
    expect_same_groups("axes:\n  kernel: [gemm, decode_opt2, gemm_chain, decode_opt3]\n"
                       "  S: [64, 128]\n  M: [1, 2, 3]\n  TILE: [16, 32]\n"
                       "set: {G: 8, d: 128, K: 3, N: 4}\n",
                       NAMES_OF_WINNERS, 1);
    /* Of M the decodes have one point: it may come in any block. */
    expect_same_groups("axes:\n  M: [1, 2, 3]\n  kernel: [gemm, decode_opt2]\n"
                       "  S: [64, 128]\n  TILE: [16, 32]\n"
                       "set: {G: 8, d: 128, K: 3, N: 4}\n",
                       NAMES_OF_WINNERS, 1);
}

static void equal_steps_models_and_zips_fall_together_as_texts_do(void **state) {
    (void)state;
    expect_same_groups("axes:\n  model: [llama3-8b, llama3-70b, mistral-7b, qwen2.5-72b]\n"
                       "  kernel: [decode_opt2, decode_opt3]\n"
                       "zip:\n  - {TILE: [16, 32, 16, 64], seed: [1, 1, 2, 2]}\n"
                       "set: {S: 64}\n"
                       "exclude:\n"
                       "  - {when: \"model == 'llama3-8b' and kernel == decode_opt2\", why: a}\n",
                       NAMES_OF_WINNERS, 1);
    /* The copy of a step may be ruled out for another reason than the step: no block ends there. */
    expect_same_groups("axes:\n  dma_latency_cycles: [3, 1, 3, 2]\n"
                       "  kernel: [decode_opt2, decode_opt3]\n  TILE: [16, 32]\n" DECODES,
                       NAMES_OF_WINNERS, 1);
}

static void any_names_may_be_inside(void **state) {
    (void)state;
    for (ks_names inside = 0; inside < 32; inside++) {
        const ks_names names =
            (inside & 1 ? KS_NAME_BIT(KS_P_kernel) : 0) | (inside & 2 ? KS_NAME_BIT(KS_P_S) : 0) |
            (inside & 4 ? KS_NAME_BIT(KS_P_TILE) : 0) | (inside & 8 ? KS_NAME_BIT(KS_P_M) : 0) |
            (inside & 16 ? KS_NAME_BIT(KS_P_seed) : 0);
        bench_run *b = bench_run_new("axes:\n  seed: [1, 2]\n  S: [64, 128]\n"
                                     "  kernel: [decode_opt2, gemm]\n"
                                     "  TILE: [16, 32]\n  M: [1, 2]\n"
                                     "set: {G: 8, d: 128, K: 3, N: 4}\n",
                                     1);
        ks_grouping *g = ks_grouping_new(b->sweep, ks_group_axes(b->sweep) & ~names);
        const uint64_t block_count = ks_grouping_block(g, ks_grid_size(b->grid) - 1) + 1;
        ks_grouping_free(g);
        bench_run_free(b);
        /* gemm does not take S, so no block ends there. */
        assert_int_equal(block_count, inside & 16 ? 1 : 2);
        expect_same_groups("axes:\n  seed: [1, 2]\n  S: [64, 128]\n"
                           "  kernel: [decode_opt2, gemm]\n"
                           "  TILE: [16, 32]\n  M: [1, 2]\n"
                           "set: {G: 8, d: 128, K: 3, N: 4}\n",
                           names, block_count);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_slower_than_all_that_vary_in_a_group_make_blocks),
        cmocka_unit_test(kernels_that_take_other_shapes_have_groups_of_their_own),
        cmocka_unit_test(equal_steps_models_and_zips_fall_together_as_texts_do),
        cmocka_unit_test(any_names_may_be_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
