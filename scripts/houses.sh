#!/bin/bash
# Runs houses in virtual time (docs/testing.md): houses.sh COUNT [FIRST-SEED]
#
# One in twenty runs again in a second process, which must give the same course. A seed that fails is shortened and left in
# .build/houses, to be replayed with HouseRunner.
set -euo pipefail
cd "$(dirname "$0")/.."
count=$1 first=${2:-1}
scripts/release.sh HouseRunner
runner=$PWD/.build/release/HouseRunner
mkdir -p .build/houses
cd .build/houses
twice=$(((count + 19) / 20))
rm -f first.trace
failed=0
"$runner" "$count" "$first" --digests=first.trace || failed=1
[ -f first.trace ] || { echo "error: the run has ended before its time"; exit 1; }
"$runner" trace "$twice" "$first" > second.trace
cmp <(head -n "$twice" first.trace) second.trace || { echo "error: one seed gives two courses"; exit 1; }
echo "$twice seeds give the same course in two processes"
exit $failed
