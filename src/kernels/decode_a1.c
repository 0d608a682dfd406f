/* ADR-0065's rejected alternative A1: three composites a tile, softmax_merge as one of its own. */
#include "kernels/decode.h"

void ks_decode_a1(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    ks_decode d;
    ks_decode_begin(&d, tl, point, layout);
    for (uint64_t j = 0; j < d.tile_count && !ks_tl_has_failed(tl); j = ks_tl_tile_after(tl, j)) {
        ks_tl_tile_begin(tl, j);
        const ks_call merge = ks_decode_merge_call(&d, ks_decode_scores(&d, j));
        const ks_handle *p =
            ks_tl_composite(tl, &(ks_composite){.prologue = &merge, .prologue_count = 1});
        ks_decode_values(&d, j, p, NULL);
        ks_tl_tile_end(tl);
    }
    ks_decode_end(&d);
}
