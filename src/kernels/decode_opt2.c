/* Two composites a tile (ADR-0065): #1 scores, #2 softmax_merge, P V and the sum onto O. */
#include "kernels/decode.h"

void ks_decode_opt2(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    ks_decode d;
    ks_decode_begin(&d, tl, point, layout);
    for (uint64_t j = 0; j < d.tile_count && !ks_tl_has_failed(tl); j = ks_tl_tile_after(tl, j)) {
        ks_tl_tile_begin(tl, j);
        const ks_call merge = ks_decode_merge_call(&d, ks_decode_scores(&d, j));
        ks_decode_values(&d, j, NULL, &merge);
        ks_tl_tile_end(tl);
    }
    ks_decode_end(&d);
}
