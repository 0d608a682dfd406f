#include "study/response.h"

#include <stdlib.h>

ks_status ks_response_ask(const ks_response *response, size_t count, const void *design,
                          void (*at)(const void *design, size_t index, double *u), double *y,
                          ks_error *error) {
    const size_t room = count < KS_RESPONSE_PIECE ? count : KS_RESPONSE_PIECE;
    double *u = malloc((room * response->dims + 1) * sizeof *u);
    if (!u) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    ks_status status = KS_OK;
    for (size_t first = 0; first < count && !status; first += room) {
        const size_t piece = count - first < room ? count - first : room;
        for (size_t i = 0; i < piece; i++) at(design, first + i, u + i * response->dims);
        status = response->evaluate(response->self, u, piece, y + first * response->outputs, error);
    }
    free(u);
    return status;
}
