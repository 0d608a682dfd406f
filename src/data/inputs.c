/* The generator that data.h describes. */
#include "data/inputs.h"
#include "data/isa.h"

enum { STREAM_MAIN, STREAM_BERNOULLI, STREAM_OUTLIER };

static uint64_t stream_key(uint64_t seed, uint32_t tensor, uint32_t stream) {
    return ks_mix(ks_mix(seed + KS_GAMMA) + 4 * (uint64_t)tensor + stream + 1);
}

/* What scores are made of: Q, K; of a bench A or X. */
static bool is_scaled_by_large(const ks_numbers_key *key, uint32_t tensor) {
    return tensor == 0 || (key->task == KS_TASK_ATTENTION && tensor == 1);
}

void ks_input_generate(const ks_numbers_key *key, const ks_isa *isa, uint32_t tensor,
                       uint64_t first, uint64_t count, float *values) {
    const uint64_t seed = key->params[KS_P_seed];
    const ks_dist dist = (ks_dist)key->params[KS_P_dist];
    const bool is_large = dist == KS_DIST_large && is_scaled_by_large(key, tensor);
    const ks_draws draws = {.key = stream_key(seed, tensor, STREAM_MAIN),
                            .bernoulli_key = stream_key(seed, tensor, STREAM_BERNOULLI),
                            .outlier_key = stream_key(seed, tensor, STREAM_OUTLIER),
                            .factor = is_large ? 512.0f : 1.0f};
    isa->input->generators[dist](&draws, first, count, values);
}
