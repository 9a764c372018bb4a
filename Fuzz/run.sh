#!/bin/bash
# Fuzzes one target, or all of them.
#
#   Fuzz/run.sh TARGET [SECONDS]          60 seconds by default; new inputs go to Fuzz/.build/found/TARGET
#   Fuzz/run.sh all [SECONDS]             every target, 3 seconds each by default, as many at once as there are
#                                         cores; a line for each, the rest in Fuzz/.build/found/TARGET.log
#   Fuzz/run.sh TARGET merge              takes the new inputs that reach new code into Fuzz/Corpus/TARGET
#
# An input that violates a rule is left in Fuzz/.build/found/TARGET.crash-… and ends the run with an error.
set -euo pipefail
cd "$(dirname "$0")"
target=${1:?TARGET is one of: all $(ls Corpus | tr '\n' ' ')}
action=${2:-60}
[ "$target" = all ] || [ -d "Corpus/$target" ] || { echo "no target $target; there are: all $(ls Corpus | tr '\n' ' ')" >&2; exit 2; }

# The backtracer would keep the pipe of a crashed program open.
export SWIFT_BACKTRACE=enable=no
# Leak detection needs ptrace, which containers often forbid.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}

# The library of what the programs run is in Tutti's manifest only with this.
export TUTTI_DEVELOPMENT=1

# Of several -sanitize options the compiler uses the last: without the third one nothing would be
# instrumented, and the fuzzer would be blind.
build() { # OPTION...
  swift build -j 2 --disable-index-store --sanitize=fuzzer --sanitize=address -Xswiftc -sanitize=fuzzer,address "$@"
}

fuzz() { # TARGET SECONDS
  mkdir -p ".build/found/$1"
  ".build/debug/Fuzz$1" -max_total_time="$2" -max_len=2048 -timeout=5 -rss_limit_mb=2048 -use_value_profile=1 \
    -artifact_prefix=".build/found/$1." ".build/found/$1" "Corpus/$1"
}

fuzz_quietly() { # TARGET SECONDS
  local log=.build/found/$1.log
  mkdir -p .build/found
  if fuzz "$1" "$2" >"$log" 2>&1; then
    echo "fuzz target $1: ok, $(sed -n 's/^Done \([0-9]*\) runs.*/\1 inputs/p' "$log")"
    return
  fi
  echo "fuzz target $1: error: broke a rule, see Fuzz/.build/found"
  tail -n 20 "$log" | sed 's/^/    /'
  return 1
}

if [ "$target" = all ]; then
  build
  export -f fuzz fuzz_quietly
  for name in Corpus/*; do echo "${name#*/}"; done |
    xargs -P "$(nproc)" -I NAME bash -c "fuzz_quietly NAME ${2:-3}"
  exit
fi
build --product "Fuzz$target"
if [ "$action" = merge ]; then
  mkdir -p ".build/found/$target"
  exec ".build/debug/Fuzz$target" -set_cover_merge=1 -max_len=1280 "Corpus/$target" ".build/found/$target"
fi
fuzz "$target" "$action"
