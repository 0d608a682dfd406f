#include "report/study_page.h"

#include "report/json.h"
#include "report/run_json.h"
#include "report/table_print.h"

static void add_digest(ks_text *out, const ks_digest *digest) {
    char hex[KS_DIGEST_HEX];
    if (!digest) return;
    ks_digest_print(hex, digest);
    ks_text_add_format(out, " (xxh128 %s)", hex);
}

void ks_study_page_print(ks_text *out, const ks_study_facts *f, const ks_tables *tables) {
    ks_text_add_format(out, "# Study %s\n\n", f->name);
    if (*f->about) ks_text_add_format(out, "%s\n\n", f->about);
    ks_text_add_format(out, "- point: `%s`\n- kernels: %s\n- study file: `%s`", f->base, f->kernels,
                       f->file);
    add_digest(out, f->study_digest);
    if (f->calibration_file)
        ks_text_add_format(out, "\n- calibration: `%s`", f->calibration_file);
    else
        ks_text_add_string(out, "\n- calibration: the model's defaults");
    add_digest(out, f->calibration_digest);
    ks_text_add_format(out, "\n- again: `kernsweep study %s`\n", f->file);
    for (size_t i = 0; i < tables->count; i++) ks_table_print_page(out, tables->items[i]);
    ks_tables_print_columns(out, tables);
}

static void put_digest(ks_json *json, const char *key, const ks_digest *digest) {
    char hex[KS_DIGEST_HEX];
    ks_json_key(json, key);
    if (digest) {
        ks_digest_print(hex, digest);
        ks_json_string(json, hex);
    } else {
        ks_json_null(json);
    }
}

void ks_study_json_print(ks_text *out, const ks_study_facts *f) {
    ks_json json = ks_json_on(out);
    ks_json_begin(&json, '{');
    ks_run_json_put_program(&json);
    ks_json_put_string(&json, "study", f->name);
    ks_json_put_string(&json, "file", f->file);
    ks_json_key(&json, "digests");
    ks_json_begin(&json, '{');
    put_digest(&json, "study", f->study_digest);
    put_digest(&json, "calibration", f->calibration_digest);
    ks_json_end(&json, '}');
    ks_json_key(&json, "calibration_file");
    if (f->calibration_file)
        ks_json_string(&json, f->calibration_file);
    else
        ks_json_null(&json);
    ks_json_put_u64(&json, "points_asked", f->asked);
    ks_json_put_u64(&json, "points_simulated", f->simulated);
    ks_json_key(&json, "gate");
    ks_json_bool(&json, f->asks_gates);
    ks_json_put_u64(&json, "gates_failed", f->gates_failed);
    ks_json_put_u64(&json, "exit_code", (uint64_t)f->exit_code);
    ks_json_put_string(&json, "started", f->started);
    ks_json_key(&json, "wall_seconds");
    ks_json_double(&json, f->wall_seconds);
    ks_json_put_u64(&json, "threads", (uint64_t)f->threads);
    ks_json_key(&json, "lines");
    ks_json_begin(&json, '{');
    if (f->robustness) ks_json_put_string(&json, "robustness.csv", f->robustness);
    if (f->half_planes) ks_json_put_string(&json, "half-planes.csv", f->half_planes);
    ks_json_end(&json, '}');
    ks_json_put_line_checks(&json);
    ks_json_end(&json, '}');
    ks_text_add_char(out, '\n');
}
