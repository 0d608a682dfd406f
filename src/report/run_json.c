#include "report/run_json.h"

#include <unistd.h>

#include "base/build_info.h"
#include "report/json.h"

enum { SCHEMA_VERSION = 1 };

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

void ks_run_json_put_program(ks_json *json) {
    char host[256] = "";
    if (gethostname(host, sizeof host - 1)) host[0] = '\0';
    ks_json_put_u64(json, "schema_version", SCHEMA_VERSION);
    ks_json_key(json, "program");
    ks_json_begin(json, '{');
    ks_json_put_string(json, "version", ks_build_version());
    ks_json_put_string(json, "commit", ks_build_commit());
    ks_json_key(json, "dirty");
    ks_json_bool(json, ks_build_is_dirty());
    ks_json_put_string(json, "compiler", ks_build_compiler());
    ks_json_end(json, '}');
    ks_json_put_string(json, "host", host);
}

static void put_account(ks_json *json, const ks_account *account) {
    ks_json_key(json, "account");
    ks_json_begin(json, '{');
    ks_json_put_u64(json, "planned", account->planned);
    for (int v = 0; v < KS_VERDICT_COUNT; v++)
        ks_json_put_u64(json, ks_verdict_name((ks_verdict)v), account->verdicts[v]);
    ks_json_put_u64(json, "red", account->red);
    ks_json_put_u64(json, "invariants_skipped", account->skipped_invariants);
    ks_json_end(json, '}');
    ks_json_key(json, "golden");
    ks_json_begin(json, '{');
    for (int i = 0; i < 4; i++)
        ks_json_put_u64(json, ks_golden_state_name((ks_golden_state)i), account->goldens[i]);
    ks_json_put_u64(json, "orphans", account->golden_orphans);
    ks_json_put_u64(json, "stale", account->golden_stale);
    ks_json_end(json, '}');
    ks_json_key(json, "gates");
    ks_json_begin(json, '{');
    for (int i = 0; i < 3; i++)
        ks_json_put_u64(json, ks_gate_answer_name((ks_gate_answer)i), account->gate_groups[i]);
    ks_json_put_u64(json, "not_asked", account->gates_not_asked);
    ks_json_put_u64(json, "red", account->gates_red);
    ks_json_end(json, '}');
}

static void put_options(ks_json *json, const ks_run_facts *run) {
    ks_json_put_string(json, "mode", run->mode);
    ks_json_put_string(json, "oplog", run->oplog);
    ks_json_key(json, "where");
    if (run->where)
        ks_json_string(json, run->where);
    else
        ks_json_null(json);
    ks_json_key(json, "set");
    ks_json_begin(json, '[');
    for (size_t i = 0; i < run->set_count; i++) ks_json_string(json, run->sets[i]);
    ks_json_end(json, ']');
}

static void put_run(ks_json *json, const ks_run_facts *run) {
    ks_json_begin(json, '{');
    ks_json_put_string(json, "sweep", run->sweep);
    ks_json_put_string(json, "file", run->file);
    put_options(json, run);
    ks_json_key(json, "digests");
    ks_json_begin(json, '{');
    put_digest(json, "sweep", run->sweep_digest);
    put_digest(json, "calibration", run->calibration_digest);
    put_digest(json, "models", run->models_digest);
    put_digest(json, "golden", run->golden_digest);
    put_digest(json, "observed", run->observed_digest);
    put_digest(json, "points", run->points_digest);
    ks_json_end(json, '}');
    ks_json_key(json, "calibration_file");
    if (run->calibration_file)
        ks_json_string(json, run->calibration_file);
    else
        ks_json_null(json);
    ks_json_key(json, "complete");
    ks_json_bool(json, run->is_complete);
    ks_json_put_u64(json, "exit_code", (uint64_t)run->exit_code);
    put_account(json, &run->account);
    ks_json_key(json, "points_by_path");
    ks_json_begin(json, '{');
    for (int i = 0; i < KS_PATH_COUNT; i++)
        ks_json_put_u64(json, ks_row_path_name((ks_row_path)i), run->account.paths[i]);
    ks_json_end(json, '}');
    ks_json_key(json, "data_cache");
    ks_json_begin(json, '{');
    for (int i = 0; i < KS_SHARE_COUNT; i++)
        ks_json_put_u64(json, ks_share_name((ks_share)i), run->account.shares[i]);
    ks_json_end(json, '}');
    ks_json_put_string(json, "started", run->started);
    ks_json_key(json, "wall_seconds");
    ks_json_double(json, run->wall_seconds);
    ks_json_put_u64(json, "threads", (uint64_t)run->threads);
    ks_json_end(json, '}');
}

void ks_run_json_print(ks_text *out, const ks_run_facts *runs, size_t count, int exit_code) {
    ks_json json = ks_json_on(out);
    ks_json_begin(&json, '{');
    ks_run_json_put_program(&json);
    put_digest(&json, "program_digest", count ? runs[0].program_digest : NULL);
    ks_json_put_u64(&json, "exit_code", (uint64_t)exit_code);
    ks_json_key(&json, "sweeps");
    ks_json_begin(&json, '[');
    for (size_t i = 0; i < count; i++) put_run(&json, &runs[i]);
    ks_json_end(&json, ']');
    ks_json_put_line_checks(&json);
    ks_json_end(&json, '}');
}
