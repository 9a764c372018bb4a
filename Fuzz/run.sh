#!/bin/bash
# Fuzzes one target.
#
#   Fuzz/run.sh TARGET [SECONDS]          60 seconds when none are given; new inputs go to Fuzz/.build/found/TARGET
#   Fuzz/run.sh TARGET merge              takes the new inputs that reach new code into Fuzz/Corpus/TARGET
#
# An input that breaks a rule is left in Fuzz/.build/found/TARGET.crash-… and ends the run with an error.
set -euo pipefail
cd "$(dirname "$0")"
target=${1:?TARGET is one of: $(ls Corpus | tr '\n' ' ')}
action=${2:-60}
[ -d "Corpus/$target" ] || { echo "no target $target; there are: $(ls Corpus | tr '\n' ' ')" >&2; exit 2; }

# The backtracer would keep the pipe of a crashed program open.
export SWIFT_BACKTRACE=enable=no
# Looking for leaks needs ptrace, which containers often forbid.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
# Of several options -sanitize the compiler takes the last: without the third one nothing would be
# instrumented, and the fuzzer would be blind.
swift build -j 2 --sanitize=fuzzer --sanitize=address -Xswiftc -sanitize=fuzzer,address --product "Fuzz$target"
program=.build/debug/Fuzz$target
found=.build/found/$target
mkdir -p "$found"

if [ "$action" = merge ]; then
  exec "$program" -set_cover_merge=1 -max_len=1280 "Corpus/$target" "$found"
fi
exec "$program" -max_total_time="$action" -max_len=2048 -timeout=5 -rss_limit_mb=2048 -use_value_profile=1 \
  -artifact_prefix="$found." "$found" "Corpus/$target"
