# Sourced by ci/test, ci/nightly and ci/parts/*.sh, in the top folder.
# shellcheck shell=bash

# A hook may run us inside of git's own environment.
while read -r name; do unset "$name"; done < <(git rev-parse --local-env-vars 2>/dev/null || true)
unset CFLAGS CPPFLAGS LDFLAGS
export LC_ALL=C.UTF-8

log_folder=.build/log
mkdir -p "$log_folder"
passed=0
failed=0
red_parts=()

# count PASSED FAILED: adds to the account.
count() {
    passed=$((passed + $1))
    failed=$((failed + $2))
}

# claim NAME COMMAND...: one test that is not ctest's; passes if the command does.
claim() {
    local name=$1
    shift
    if "$@"; then
        count 1 0
        echo "ok      $name"
    else
        count 0 1
        echo "NOT OK  $name"
    fi
}

# part NAME COMMAND...: runs the command here, says how long it took, remembers if it failed. A
# part that fails without a failed test (it did not build, say) counts as one. The command runs
# without `set -e`: it must say itself when it fails.
part() {
    local name=$1 start=$SECONDS failed_before=$failed verdict=ok
    shift
    echo "== $name"
    "$@" || verdict=FAILED
    if [ "$failed" -gt "$failed_before" ]; then
        verdict=FAILED
    elif [ "$verdict" = FAILED ]; then
        count 0 1
    fi
    [ "$verdict" = ok ] || red_parts+=("$name")
    echo "== $name: $verdict, $((SECONDS - start)) s"
}

# build PRESET [TARGET]: configures and builds; what it says is shown only when it fails.
build() {
    local log=$log_folder/build-$1.txt
    if cmake --preset "$1" >"$log" 2>&1 &&
        cmake --build --preset "$1" --target "${2:-all}" >>"$log" 2>&1; then
        return 0
    fi
    # From the first failure on, without the commands, which are pages long.
    sed -n '/^FAILED:\|^CMake Error/,$p' "$log" | cut -c -400 | head -n 150
    echo "all of it: $PWD/$log"
    return 1
}

# run_ctest PRESET [ARGUMENTS]: runs the tests and adds them to the account.
run_ctest() {
    local preset=$1 log junit status=0
    shift
    log=$log_folder/ctest-$preset.txt
    junit=$PWD/$log_folder/ctest-$preset.xml
    rm -f "$junit"
    ctest --preset "$preset" --output-junit "$junit" "$@" >"$log" 2>&1 || status=$?
    if ! count_junit "$junit"; then
        echo "ctest $preset ran no tests"
        tail -n 30 "$log"
        return 1
    fi
    # Output of failures, then the list of them; passes only in the log.
    [ "$status" -eq 0 ] || grep -vE '^ *Start +[0-9]+:| Passed +[0-9.]+ sec' "$log" || true
    grep -E '^[0-9]+% tests passed' "$log" || true
    return "$status"
}

# Counts of a ctest JUnit file. False if it holds no tests. Not run, disabled and skipped are failures.
count_junit() {
    local file=$1 tests bad
    [ -f "$file" ] || return 1
    tests=$(grep -c '<testcase ' "$file" || true)
    bad=$(grep '<testcase ' "$file" | grep -vc 'status="run"' || true)
    [ "$tests" -gt 0 ] || return 1
    count $((tests - bad)) "$bad"
}
