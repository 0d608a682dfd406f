/* Software pipelined, ten commands a tile: the scores of tile j + 1 are issued before the work of
 * tile j, so two tiles of S are alive at a time. */
#include "kernels/decode.h"

void ks_decode_opt3(ks_tl *tl, const ks_point *point, const ks_layout *layout) {
    ks_decode d;
    const ks_handle *s = NULL;
    ks_decode_begin(&d, tl, point, layout);
    for (uint64_t j = 0; j < d.tile_count && !ks_tl_has_failed(tl); j = ks_tl_tile_after(tl, j)) {
        ks_tl_tile_begin(tl, j);
        if (j == 0) s = ks_decode_scores(&d, 0);
        const ks_handle *next = j + 1 < d.tile_count ? ks_decode_scores(&d, j + 1) : NULL;
        ks_decode_values(&d, j, ks_decode_merge_steps(&d, s), NULL);
        s = next;
        ks_tl_tile_end(tl);
    }
    ks_decode_end(&d);
}
