#!/usr/bin/env bash
# Would the mutation tests fail? usage: test_run.sh SOURCE BUILD WORK. Each broken/NAME.mutant is wrong in
# one way: none may count as caught, and each must be told for what its first line says.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
names=()
for file in "$here"/broken/*.mutant; do names+=("broken/$(basename "$file" .mutant)"); done
code=0
said=$("$here/run" "$1" "$2" "$3" "${names[@]}" 2>&1) || code=$?
[ "$code" = 1 ] || { echo "$said"; echo "exit code $code, expected 1"; exit 1; }
faults=0
for file in "$here"/broken/*.mutant; do
    wanted=$(sed -n '1s/^# says: //p' "$file")
    name=$(basename "$file" .mutant)
    grep -qF -- "$wanted" "$3/$name.txt" && grep -qE '^(NOT CAUGHT|UNSOUND)' "$3/$name.txt" && continue
    echo "$name: expected '$wanted', found:"
    cat "$3/$name.txt"
    faults=$((faults + 1))
done
[ "$(tail -n 1 <<<"$said")" = "gate: 0/${#names[@]} mutations caught" ] || { tail -n 1 <<<"$said"; faults=1; }
exit $((faults > 0))
