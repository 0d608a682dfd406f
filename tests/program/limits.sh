# Under limits of the system that sanitizers can live with: open files, threads.
# shellcheck shell=bash disable=SC2317

claim_a_run_needs_less_than_64_files_at_64_threads() {
    t_sweep
    (ulimit -n 64 && run_into 0 out t.yaml -j 64 --set 'TILE={range: [16, 46, 1]}') || exit 1
    run_into 0 ref t.yaml -j 1 --set 'TILE={range: [16, 46, 1]}'
    same_reports ref out
}

claim_as_many_threads_as_can_be_asked_for() {
    t_sweep
    run_into 0 ref t.yaml -j 1
    run_into 0 out t.yaml -j 1024
    same_reports ref out
}
