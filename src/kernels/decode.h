/* What the GQA decode variants share: set-up, the commands of one context tile, the end. */
#ifndef KS_KERNELS_DECODE_H
#define KS_KERNELS_DECODE_H

#include "kernels/kernels.h"

typedef struct ks_decode {
    ks_tl *tl;
    const ks_tensor *K, *V, *OUT;
    const ks_handle *Q, *m, *l, *O; /* O is G x d, m and l are G x 1, all in acc's format */
    const ks_handle *s_buffers[2];  /* G x TILE */
    uint64_t s_buffer_count;
    uint64_t G, S, tile_length, tile_count;
    float scale; /* 1/sqrt(d), times the scales of Q and K */
    ks_dtype acc, p_dtype;
} ks_decode;

/* Loads Q; allocates and fills m, l, O; allocates the S buffers. */
void ks_decode_begin(ks_decode *d, ks_tl *tl, const ks_point *point, const ks_layout *layout);

/* Composite #1 of tile j: S = scale (Q K_j^T). Returns the tile's S, G x w. */
const ks_handle *ks_decode_scores(ks_decode *d, uint64_t j);

/* softmax_merge on S as one prologue call. */
ks_call ks_decode_merge_call(const ks_decode *d, const ks_handle *s);

/* The same eight steps as primitives. Returns P. */
const ks_handle *ks_decode_merge_steps(ks_decode *d, const ks_handle *s);

/* Composite P V_j added onto O. `merge`: its prologue (P is then bound by it), or NULL. */
void ks_decode_values(ks_decode *d, uint64_t j, const ks_handle *p, const ks_call *merge);

/* Divides O by l, casts, stores OUT. */
void ks_decode_end(ks_decode *d);

#endif
