#include "kernels/decode.h"

#include <math.h>

static uint64_t tile_width(const ks_decode *d, uint64_t j) {
    const uint64_t rest = d->S - j * d->tile_length;
    return rest < d->tile_length ? rest : d->tile_length;
}

void ks_decode_begin(ks_decode *d, ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    const uint64_t head_dim = ks_param_of(point, KS_P_d);
    const ks_dtype score = (ks_dtype)ks_param_of(point, KS_P_score);
    *d = (ks_decode){
        .tl = tl,
        .K = ks_layout_find(layout, "K"),
        .V = ks_layout_find(layout, "V"),
        .OUT = ks_layout_find(layout, "OUT"),
        .s_buffer_count = ks_param_of(point, KS_P_s_buffers),
        .G = ks_param_of(point, KS_P_G),
        .S = ks_param_of(point, KS_P_S),
        .tile_length = ks_param_of(point, KS_P_TILE),
        /* sqrt and / round correctly, so only a tie of the double would round twice; there is
         * none for d up to 2^30. */
        .scale = (float)(1.0 / sqrt((double)head_dim)),
        .acc = (ks_dtype)ks_param_of(point, KS_P_acc),
        .p_dtype = (ks_dtype)ks_param_of(point, KS_P_p_dtype),
    };
    d->scale *= ks_layout_find(layout, "Q")->scale * d->K->scale; /* powers of two: exact */
    d->tile_count = (d->S + d->tile_length - 1) / d->tile_length;
    ks_tl_set_tile_count(tl, d->tile_count);

    d->Q = ks_tl_load_tensor(tl, ks_layout_find(layout, "Q"));
    d->m = ks_tl_alloc(tl, d->G, 1, d->acc);
    d->l = ks_tl_alloc(tl, d->G, 1, d->acc);
    d->O = ks_tl_alloc(tl, d->G, head_dim, d->acc);
    for (uint64_t i = 0; i < d->s_buffer_count; i++)
        d->s_buffers[i] = ks_tl_alloc(tl, d->G, d->tile_length, score);
    ks_tl_fill(tl, d->m, -INFINITY);
    ks_tl_fill(tl, d->l, 0);
    ks_tl_fill(tl, d->O, 0);
    ks_tl_result(tl, d->m);
    ks_tl_result(tl, d->l);
    ks_tl_result(tl, d->O);
}

const ks_handle *ks_decode_scores(ks_decode *d, uint64_t j) {
    const uint64_t width = tile_width(d, j);
    const ks_handle *buffer = d->s_buffers[j % d->s_buffer_count];
    const ks_call scale = {.op = "scale", .scope = KS_SCOPE_OUTPUT_TILE, .immediate = d->scale};
    return ks_tl_composite(
        d->tl, &(ks_composite){.op = "gemm",
                               .a = d->Q,
                               .b = ks_tl_ref_rows(d->tl, d->K, j * d->tile_length, width),
                               .is_b_transposed = true,
                               .out = ks_tl_view(d->tl, buffer, d->G, width),
                               .epilogue = &scale,
                               .epilogue_count = 1});
}

ks_call ks_decode_merge_call(const ks_decode *d, const ks_handle *s) {
    return (ks_call){.op = "softmax_merge",
                     .operand_count = 4,
                     .operands = {{"s", s}, {"m", d->m}, {"l", d->l}, {"O", d->O}},
                     .has_primary_dtype = true,
                     .primary_dtype = d->p_dtype};
}

const ks_handle *ks_decode_merge_steps(ks_decode *d, const ks_handle *s) {
    ks_tl *tl = d->tl;
    const ks_handle *m_loc = ks_tl_alloc(tl, d->G, 1, d->acc);
    const ks_handle *m_new = ks_tl_alloc(tl, d->G, 1, d->acc);
    const ks_handle *corr = ks_tl_alloc(tl, d->G, 1, d->acc);
    const ks_handle *p = ks_tl_alloc(tl, s->rows, s->cols, d->p_dtype);
    const ks_handle *l_loc = ks_tl_alloc(tl, d->G, 1, d->acc);
    const ks_math steps[] = {
        {.kind = KS_OP_rmax, .out = m_loc, .operands = {s}},
        {.kind = KS_OP_max_elem, .out = m_new, .operands = {d->m, m_loc}},
        {.kind = KS_OP_exp_diff, .out = corr, .operands = {d->m, m_new}},
        {.kind = KS_OP_exp_diff, .out = p, .operands = {s, m_new}},
        {.kind = KS_OP_rsum, .out = l_loc, .operands = {p}},
        {.kind = KS_OP_fma, .out = d->l, .operands = {d->l, corr, l_loc}},
        {.kind = KS_OP_mul_bcast, .out = d->O, .operands = {d->O, corr}},
        {.kind = KS_OP_copy, .out = d->m, .operands = {m_new}},
    };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) ks_tl_math(tl, &steps[i]);
    return p;
}

void ks_decode_values(ks_decode *d, uint64_t j, const ks_handle *p, const ks_call *merge) {
    const ks_call add = {.op = "add",
                         .scope = KS_SCOPE_OUTPUT_TILE,
                         .operand_count = 1,
                         .operands = {{"other", d->O}}};
    ks_tl_composite(d->tl, &(ks_composite){.prologue = merge,
                                           .prologue_count = merge ? 1 : 0,
                                           .op = "gemm",
                                           .a = p,
                                           .b = ks_tl_ref_rows(d->tl, d->V, j * d->tile_length,
                                                               tile_width(d, j)),
                                           .out = d->O,
                                           .epilogue = &add,
                                           .epilogue_count = 1});
}

void ks_decode_end(ks_decode *d) {
    const ks_handle *result = d->O;
    ks_tl_math(d->tl, &(ks_math){.kind = KS_OP_div_bcast,
                                 .out = d->O,
                                 .operands = {d->O, d->l},
                                 .immediate = d->V->scale});
    if (d->acc != d->OUT->dtype) {
        result = ks_tl_alloc(d->tl, d->O->rows, d->O->cols, d->OUT->dtype);
        ks_tl_math(d->tl, &(ks_math){.kind = KS_OP_cast, .out = result, .operands = {d->O}});
    }
    ks_tl_store(d->tl, result, d->OUT->addr);
}
