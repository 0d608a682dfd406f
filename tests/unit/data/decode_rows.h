/* A decode kernel as hand-made rows, one stage at a time. */
#ifndef KS_TEST_DATA_DECODE_ROWS_H
#define KS_TEST_DATA_DECODE_ROWS_H

#include "row_bench.h"

/* The decode of MODEL.md section 5 as primitives and composites, one stage at a time. */
typedef struct decode {
    ks_handle *q, *m, *l, *o, *s, *m_loc, *m_new, *corr, *p, *l_loc, *out;
} decode;

UNUSED static void decode_tile(bench *b, const decode *x, uint64_t first, uint64_t width) {
    const ks_point *point = &b->point;
    const uint64_t g = point->params[KS_P_G];
    const ks_tensor *tensors = ks_numbers_layout(b->numbers)->tensors;
    const float scale = (float)(1.0 / __builtin_sqrt((double)point->params[KS_P_d])) *
                        tensors[0].scale * tensors[1].scale;
    ks_handle *s = tcm_at(b, x->s->addr, g, width, x->s->dtype);
    ks_handle *p = tcm_at(b, x->p->addr, g, width, x->p->dtype);
    const ks_op scaled = epilogue_op(KS_OP_scale, KS_SCOPE_OUTPUT_TILE, scale, NULL);
    const ks_op added = epilogue_op(KS_OP_add, KS_SCOPE_OUTPUT_TILE, 0, x->o);
    composite(b, x->q, hbm_rows(b, "K", first, width), true, s, &scaled, 1);
    primitive(b, KS_OP_rmax, x->m_loc, 0, READS(s));
    primitive(b, KS_OP_max_elem, x->m_new, 0, READS(x->m, x->m_loc));
    primitive(b, KS_OP_exp_diff, x->corr, 0, READS(x->m, x->m_new));
    primitive(b, KS_OP_exp_diff, p, 0, READS(s, x->m_new));
    primitive(b, KS_OP_rsum, x->l_loc, 0, READS(p));
    primitive(b, KS_OP_fma, x->l, 0, READS(x->l, x->corr, x->l_loc));
    primitive(b, KS_OP_mul_bcast, x->o, 0, READS(x->o, x->corr));
    primitive(b, KS_OP_copy, x->m, 0, READS(x->m_new));
    composite(b, p, hbm_rows(b, "V", first, width), false, x->o, &added, 1);
}

UNUSED static decode decode_begin(bench *b) {
    const uint64_t *params = b->point.params, g = params[KS_P_G], d = params[KS_P_d];
    const uint64_t tile = params[KS_P_TILE] < params[KS_P_S] ? params[KS_P_TILE] : params[KS_P_S];
    const ks_dtype acc = (ks_dtype)params[KS_P_acc], dtype = (ks_dtype)params[KS_P_dtype];
    decode x = {.q = tcm(b, g, d, dtype), .m = tcm(b, g, 1, acc), .l = tcm(b, g, 1, acc)};
    x.o = tcm(b, g, d, acc);
    x.s = tcm(b, g, tile, (ks_dtype)params[KS_P_score]);
    x.m_loc = tcm(b, g, 1, acc);
    x.m_new = tcm(b, g, 1, acc);
    x.corr = tcm(b, g, 1, acc);
    x.p = tcm(b, g, tile, (ks_dtype)params[KS_P_p_dtype]);
    x.l_loc = tcm(b, g, 1, acc);
    x.out = acc == ks_dtype_wide(dtype) ? x.o : tcm(b, g, d, ks_dtype_wide(dtype));
    const ks_handle **results = ks_arena_take(b->arena, 3, sizeof *results);
    results[0] = x.m;
    results[1] = x.l;
    results[2] = x.o;
    b->program.results = results;
    b->program.result_count = 3;
    b->program.tcm_peak_bytes = b->tcm_end;
    primitive(b, KS_OP_load, x.q, 0, READS(hbm(b, "Q")));
    primitive(b, KS_OP_fill, x.m, -__builtin_inff(), NO_READS);
    primitive(b, KS_OP_fill, x.l, 0, NO_READS);
    primitive(b, KS_OP_fill, x.o, 0, NO_READS);
    return x;
}

UNUSED static void decode_run(bench *b) {
    const decode x = decode_begin(b);
    const uint64_t length = b->point.params[KS_P_S], tile = b->point.params[KS_P_TILE];
    for (uint64_t first = 0; first < length; first += tile)
        decode_tile(b, &x, first, length - first < tile ? length - first : tile);
    primitive(b, KS_OP_div_bcast, x.o, ks_numbers_layout(b->numbers)->tensors[2].scale,
              READS(x.o, x.l));
    if (x.out != x.o) primitive(b, KS_OP_cast, x.out, 0, READS(x.o));
    primitive(b, KS_OP_store, hbm(b, "OUT"), 0, READS(x.out));
}

#endif
