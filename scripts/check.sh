#!/bin/bash
# Runs the named steps in order: one line a step here, the whole output in .build/logs/STEP.log.
#
#   scripts/check.sh STEP...      steps: setup lint debug unit examples docs release interop
#
# A step that fails shows the end of its log; the others still run, except those that need its result.
# Failed tests are named once more before the last line, which counts all tests: N passed, N failed, N skipped.
# A failed step that counts no tests of its own is one failure. Exit status: 0 nothing failed, 1 otherwise.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
logs=.build/logs
mkdir -p "$logs"

passed=0 failed=0 skipped=0
declare -A broken=()
failures=() # a line each
counts= # "passed failed skipped" of the running step, when it has tests

# What each step does. Each is one function; its output goes to its log.

step_setup() {
  scripts/setup.sh test
  local status=$?
  # 3: the lab's packages are missing. All else can run, and the interop cases report the reason.
  [ $status = 0 ] || [ $status = 3 ]
}

step_lint() {
  # The sample programs are other people's style: they must compile as they are.
  git ls-files '*.swift' ':!Tests/SampleApps/*/0*' | xargs swift format lint --strict --parallel
}

# Debug build of everything with its tests. Warnings are errors by Package.swift; an import without a declared
# dependency is one too.
step_debug() {
  # The compiler tells of the sample programs only when it compiles them.
  rm -f "$(swift build --show-bin-path)"/SampleApps*.build/*.o
  swift build --build-tests --explicit-target-dependency-import-check error &&
    sample_programs_are_quiet "$logs/debug.log"
}

# The sample programs are other people's, unchanged: of them the compiler may tell old names and nothing else.
sample_programs_are_quiet() { # LOG OF A BUILD
  local told
  if ! grep -q 'Tests/SampleApps/.*\[#DeprecatedDeclaration\]$' "$1"; then
    echo "the build told of no old name in the sample programs: were they compiled?"
    return 1
  fi
  told=$(grep -E 'Tests/SampleApps/[^ ]*: (warning|error): ' "$1" | grep -v '\[#DeprecatedDeclaration\]$' | sort -u)
  [ -z "$told" ] && return
  echo "the sample programs do not compile without complaint:"
  echo "$told"
  return 1
}

step_unit() {
  local results=$PWD/$logs/unit.xml status
  rm -f "$results"
  # A few at a time: of all at once each would wait for a core longer than servers and players may be waited for.
  swift test --skip-build --disable-xctest --experimental-maximum-parallelization-width 4 --xunit-output "$results"
  status=$?
  counts=$(count_unit_tests "$results")
  return $status
}

# Examples/ is a package of its own when it has a manifest; otherwise its programs are part of the debug build.
step_examples() {
  [ -f Examples/Package.swift ] || return 0
  swift build --package-path Examples --scratch-path .build/examples
}

step_docs() {
  scripts/docs.sh
}

step_release() {
  scripts/release.sh tutti SampleAppsRunner
}

step_interop() {
  local status
  rm -f "$logs/interop.counts"
  "${PYTHON:-python3}" Interop/run.py --program .build/release/tutti --logs "$logs/interop" \
    --counts "$logs/interop.counts"
  status=$?
  # What measures uses the cases' words, and is run seldom.
  "${PYTHON:-python3}" Benchmarks/bench.py --list >/dev/null || status=1
  counts=$(cat "$logs/interop.counts" 2>/dev/null)
  return $status
}

# Steps whose result a step cannot do without.
needs() {
  case $1 in
    debug | release) echo setup ;;
    unit | examples | docs) echo debug ;;
    interop) echo release ;;
  esac
}

# "passed failed skipped" of a result file of Swift Testing. A run that crashed leaves none: one failure.
count_unit_tests() { # FILE
  [ -s "$1" ] || { echo "0 1 0"; return; }
  awk '/<testcase /  { tests++; bad = 0 }
       /<failure /   { if (!bad) failures++; bad = 1 }
       /<skipped/    { skipped++ }
       END           { print tests - failures - skipped, failures + 0, skipped + 0 }' "$1"
}

# What the log of a step says has failed, as the compiler, Swift Testing and Interop/run.py write it; else its last line.
failed_tests() { # STEP
  local log=$logs/$1.log named
  named=$(grep -aE '^✘ .* recorded an issue|: error: ' "$log" || sed -n '/^Failed:/,/^[0-9]/s/^  //p' "$log")
  echo "${named:-$(tail -n 1 "$log")}" | cut -c 1-300 | head -n 20
}

run() { # STEP
  local step=$1 needed start seconds status p f s
  needed=$(needs "$step")
  if [ -n "${broken[${needed:-none}]:-}" ]; then
    broken[$step]=1 failed=$((failed + 1))
    failures+=("$step: not run, $needed failed")
    printf '%-10s NOT RUN  %s failed\n' "$step" "$needed"
    return
  fi
  start=$SECONDS counts=
  "step_$step" >"$logs/$step.log" 2>&1 </dev/null
  status=$?
  seconds=$((SECONDS - start))
  read -r p f s <<<"${counts:-0 0 0}"
  # A step that fails without a failed test of its own is itself the failure.
  [ $status != 0 ] && [ "$f" = 0 ] && f=1
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  if [ $status = 0 ]; then
    printf '%-10s ok       %4d s%s\n' "$step" $seconds "${counts:+   $p passed, $s skipped}"
    sed -n '/^Passed in a second run only:/,/^$/p' "$logs/$step.log"
    return
  fi
  broken[$step]=1
  printf '%-10s FAILED   %4d s%s   (%s)\n' "$step" $seconds "${counts:+   $p passed, $f failed, $s skipped}" "$logs/$step.log"
  tail -n 60 "$logs/$step.log" | sed 's/^/    /'
  while read -r name; do failures+=("$step: $name"); done < <(failed_tests "$step")
}

for step in "$@"; do
  declare -F "step_$step" >/dev/null || { echo "no step $step" >&2; exit 2; }
done
for step in "$@"; do run "$step"; done
[ $failed = 0 ] || printf '%s\n' "Failed:" "${failures[@]/#/  }"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
