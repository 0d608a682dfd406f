/* The blocking baseline: opt3's commands without the pipelining, a WAIT after every one. */
#include "kernels/decode.h"

void ks_decode_opt1(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    ks_decode d;
    ks_tl_block_always(tl);
    ks_decode_begin(&d, tl, point, layout);
    for (uint64_t j = 0; j < d.tile_count && !ks_tl_has_failed(tl); j = ks_tl_tile_after(tl, j)) {
        ks_tl_tile_begin(tl, j);
        const ks_handle *s = ks_decode_scores(&d, j);
        ks_decode_values(&d, j, ks_decode_merge_steps(&d, s), NULL);
        ks_tl_tile_end(tl);
    }
    ks_decode_end(&d);
}
