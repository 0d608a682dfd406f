# Sourced by `ci/nightly --long`. The bytes of an aarch64 build, run by qemu-user, are those of the
# release build. The target's libraries are unpacked into a folder, not installed: that needs no
# foreign architecture in this system's dpkg.
# shellcheck shell=bash

arm64_folder=.build/arm64-root
arm64_packages=(libyaml-dev libcsv-dev libxxhash-dev libgmp-dev)

# apt with state of its own, which knows arm64.
arm64_apt() {
    local state=$PWD/$arm64_folder/apt
    mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
    (cd "$arm64_folder" && apt-get -q -o Dir::State::lists="$state/lists" -o Dir::Cache="$state/cache" \
        -o APT::Architectures::=amd64 -o APT::Architectures::=arm64 "$@")
}

arm64_libraries() {
    local log=$PWD/$log_folder/arm64-apt.txt deb
    [ ! -e "$arm64_folder/complete" ] || return 0
    rm -rf "$arm64_folder"
    if ! { arm64_apt update && arm64_apt download "${arm64_packages[@]/%/:arm64}"; } >"$log" 2>&1; then
        tail "$log"
        return 1
    fi
    for deb in "$arm64_folder"/*.deb; do dpkg -x "$deb" "$arm64_folder" || return 1; done
    touch "$arm64_folder/complete"
}

# arm64_same SWEEP: run by both builds; all files of the report folder but run.json are equal.
arm64_same() {
    local name build n=0 out=$PWD/.build/arm64-bytes
    name=$(basename "$1" .yaml)
    rm -rf "${out:?}/$name".*
    mkdir -p "$out"
    for build in .build/release/kernsweep "qemu-aarch64-static .build/arm64/kernsweep"; do
        # shellcheck disable=SC2086
        $build run "$1" -o "$out/$name.$((++n))" --golden ignore -q >"$out/log.txt" 2>&1 ||
            { tail "$out/log.txt"; return 1; }
    done
    [ -s "$out/$name.1/points.csv" ] || return 1
    diff -r --brief --exclude=run.json "$out/$name.1" "$out/$name.2"
}

long_arm64() {
    local sweep
    arm64_libraries && build arm64 kernsweep && build release kernsweep || return 1
    for sweep in decode.smoke legacy.smoke decode.ci; do
        claim "sweeps/$sweep.yaml, aarch64" arm64_same "sweeps/$sweep.yaml"
    done
}
