#include "study/flip_search.h"

ks_status ks_flip_search_run(ks_flip_search *search, ks_subject *subject,
                             const uint64_t *calibration, uint64_t budget, ks_error *error) {
    const ks_study_constant *constant = &ks_subject_study(subject)->constants[search->constant];
    ks_gate_line *gate_line =
        ks_gate_line_new(subject, search->figure, search->constant, calibration);
    if (!gate_line) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    const ks_line line = ks_gate_line_over(gate_line, constant->low, constant->high);
    ks_status status = ks_line_walk(&line, constant->base, budget, &search->flips, error);
    if (!status) status = ks_line_sample(&line, KS_FLIP_FURTHER_VALUES, &search->flips, error);
    search->effect = ks_gate_line_effect(gate_line);
    ks_gate_line_free(gate_line);
    return status;
}

bool ks_flip_search_is_whole(const ks_flip_search *search, const ks_study *study) {
    const ks_study_constant *constant = &study->constants[search->constant];
    return search->flips.from <= constant->low && search->flips.to >= constant->high;
}

const char *ks_flip_search_method(const ks_flip_search *search, const ks_flip *flip) {
    static const char *const names[] = {
        [KS_EFFECT_NONE] = "no effect",         [KS_EFFECT_LINEAR] = "closed form",
        [KS_EFFECT_SERVICES] = "every service", [KS_EFFECT_ORDER] = "every order of instants",
        [KS_EFFECT_UNKNOWN] = "every value",
    };
    const ks_flips *flips = &search->flips;
    const bool is_inside = !flip || (flip->below >= flips->from && flip->above <= flips->to);
    return is_inside ? names[search->effect] : "sample: at least these";
}

ks_exact ks_flip_value(const ks_flip *flip, uint64_t base) {
    if (flip->has_root) return ks_exact_copy(&flip->root);
    return ks_exact_of_ticks(flip->below >= base ? flip->above : flip->below);
}
