#!/bin/bash
# Runs the named steps: one line a step here, the whole output in .build/logs/STEP.log.
#
#   scripts/check.sh STEP...                one after the other
#   scripts/check.sh STEP... [ STEP... / STEP... ] STEP...
#                                           the two lists in brackets run side by side; the second one yields to the first
#
# A step that fails shows the end of its log; the others still run, except those that need its result.
# Failed tests are repeated before the last line, which counts all tests: N passed, N failed, N skipped.
# A failed step that counts no tests of its own is one failure. Exit status: 0 nothing failed, 1 otherwise.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
# The simulations of the unit tests take seven times as long without.
export TUTTI_OPTIMISE=1
# A module at once: a build from scratch takes a sixth less of the processor than one file by file.
export TUTTI_BUILD="-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2"
logs=.build/logs
mkdir -p "$logs"
# Each step writes "passed failed skipped" to STEP.result, and its failures to STEP.failures.
[ "${1:-}" = --beside ] || rm -f "$logs"/*.result "$logs"/*.failures

beside= # steps of the list that runs beside this one
counts= # "passed failed skipped" of the running step, when it has tests

# The steps. Each is one function; its output goes to its log.

step_setup() {
  scripts/setup.sh test
  local status=$?
  # 3: the lab's packages are missing. Everything else can run, and the interop cases report the reason.
  [ $status = 0 ] || [ $status = 3 ]
}

step_lint() {
  # The sample programs keep their own style: they must compile as they are.
  git ls-files '*.swift' ':!Tests/SampleApps/*/0*' | xargs swift format lint --strict --parallel
  local status=$? script
  for script in scripts/words.sh scripts/threads.py scripts/sharing.py; do "$script" || status=1; done
  return $status
}

# Debug build of everything with its tests. Warnings are errors by Package.swift; an import without a declared
# dependency is one too.
step_debug() {
  # The compiler warns about the sample programs only when it compiles them.
  rm -f "$(swift build --show-bin-path)"/SampleApps*.build/*.o
  # shellcheck disable=SC2086  # options without spaces
  swift build --build-tests --explicit-target-dependency-import-check error $TUTTI_BUILD &&
    sample_programs_are_quiet "$logs/debug.log"
}

# The sample programs are unchanged: the compiler may warn about deprecated names in them and nothing else.
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
  run_unit_tests "$PWD/$logs/unit.xml"
}

run_unit_tests() { # RESULT FILE
  local results=$1 status
  rm -f "$results"
  # A few at a time: with all at once each would wait for a core beyond the limits of servers and players.
  swift test --skip-build --disable-xctest --experimental-maximum-parallelization-width 4 --xunit-output "$results"
  status=$?
  counts=$(count_unit_tests "$results")
  return $status
}

# The tests of the modules that use libraries of C, whose versions differ between releases of Debian, and of what plays
# and shows sound and pictures by them; with `tutti`, so that all modules are built.
step_system() {
  export TUTTI_TESTS=CryptographyTests,SystemIOTests,DiscoveryTests,WebTests,DatabaseTests,HTTPServiceTests,MQTTTests
  TUTTI_TESTS+=,DBusTests,MPRISTests,CodecsTests,ResamplingTests,AudioOutputTests,SoundServersTests,PlaybackTests
  TUTTI_TESTS+=,AudioToolboxTests,AVFoundationTests,VideoWindowTests,MusicLibraryTests,tuttiTests
  # shellcheck disable=SC2086  # options without spaces
  swift build --build-tests $TUTTI_BUILD && run_unit_tests "$PWD/$logs/system.xml"
  local status=$?
  unset TUTTI_TESTS
  return $status
}

# The examples and the benchmark program of the API, as a user's package that depends on a tagged version.
step_examples() {
  env -u TUTTI_OPTIMISE scripts/examples.sh
}

# The documentation of the modules, all pages of the site with their links, and the commands that the documents show.
step_docs() {
  local status=0
  scripts/docs.sh || status=1
  rm -rf .build/man
  .build/release/tutti reference man .build/man && scripts/site.py || status=1
  scripts/readme.py .build/release/tutti || status=1
  return $status
}

# The public interface against that of the last release; skipped without its tag.
step_api() {
  local status
  scripts/api.sh
  status=$?
  [ $status = 3 ] || return $status
  counts="0 0 1"
}

# Packages and archives, installed and used on a fresh machine.
step_packages() {
  local status
  OTHER_SUITE='' scripts/packages.sh
  status=$?
  counts=$(tail -n 1 "$logs/packages.log" | awk '/ passed, / { print $1, $3, $5 }')
  return $status
}

step_release() {
  scripts/release.sh tutti SampleAppsRunner StandIn SinkProbe
}

# Real programs in real time: several labs at once, and none of the cases that measure time.
step_interop() {
  interop together
}

# The cases that measure time, when nothing else of the check runs.
step_timing() {
  interop timing
  local status=$?
  # Measurements share the cases' code, and run seldom.
  "${PYTHON:-python3}" Benchmarks/bench.py --list >/dev/null || status=1
  return $status
}

interop() { # together|timing [OPTION...]
  local part=$1 status
  shift
  rm -f "$logs/interop-$part.counts"
  "${PYTHON:-python3}" Interop/run.py --program .build/release/tutti --part "$part" --logs "$logs/interop-$part" \
    --counts "$logs/interop-$part.counts" "$@"
  status=$?
  counts=$(cat "$logs/interop-$part.counts" 2>/dev/null)
  return $status
}

# One case of each kind, with the debug build.
step_quick() {
  local status
  rm -f "$logs/quick.counts"
  "${PYTHON:-python3}" Interop/run.py --program .build/debug/tutti --apps .build/debug/SampleAppsRunner \
    --standins .build/debug/StandIn --quick \
    --logs "$logs/interop-quick" --counts "$logs/quick.counts"
  status=$?
  counts=$(cat "$logs/quick.counts" 2>/dev/null)
  return $status
}

# The short form of the attacks.
step_hostile() {
  local status
  rm -f "$logs/hostile.counts"
  "${PYTHON:-python3}" Interop/hostile/run.py --program .build/release/tutti --short --counts "$logs/hostile.counts"
  status=$?
  counts=$(cat "$logs/hostile.counts" 2>/dev/null)
  return $status
}

# A few seconds of every fuzz target. A target that violates a rule leaves its input in Fuzz/.build/found.
step_fuzz() {
  local status
  Fuzz/run.sh all "${TUTTI_FUZZ_SECONDS:-3}"
  status=$?
  counts="$(grep -c '^fuzz target .*: ok' "$logs/fuzz.log") $(grep -c '^fuzz target .*: error: ' "$logs/fuzz.log") 0"
  return $status
}

# The playback engine's core under the thread sanitizer.
step_race() {
  scripts/thread-sanitizer.sh --core
}

# The other release of Debian, from scratch: a build, and the tests that depend on the release. TUTTI_SECONDS is the time
# that the whole check may take: this step is skipped if too little of it is left.
step_fresh() {
  local other=trixie status needed=1200
  grep -q '^13' /etc/debian_version && other=bookworm
  if [ $((SECONDS + needed)) -gt "${TUTTI_SECONDS:-$((SECONDS + needed))}" ]; then
    echo "Skipped: the tests on $other, because $((TUTTI_SECONDS - SECONDS)) of $TUTTI_SECONDS s are left; make fresh SUITE=$other"
    counts="0 0 1"
    return
  fi
  scripts/fresh.sh "$other" scripts/check.sh setup system
  status=$?
  counts=$(tail -n 1 "$logs/fresh.log" | awk '/ passed, / { print $1, $3, $5 }')
  return $status
}

# Steps that are required by a step.
needs() {
  case $1 in
    debug | release | fuzz | system) echo setup ;;
    unit | quick | examples | race) echo debug ;;
    docs | interop | hostile | timing | packages) echo release ;;
  esac
}

is_broken() { # STEP
  [ -e "$logs/$1.failures" ]
}

# "passed failed skipped" of a result file of Swift Testing. A run that crashed leaves none: one failure.
count_unit_tests() { # FILE
  [ -s "$1" ] || { echo "0 1 0"; return; }
  awk '/<testcase /  { tests++; bad = 0 }
       /<failure /   { if (!bad) failures++; bad = 1 }
       /<skipped/    { skipped++ }
       END           { print tests - failures - skipped, failures + 0, skipped + 0 }' "$1"
}

# The failures in a step's log, as written by the compiler, Swift Testing and Interop/run.py; else its last line.
failed_tests() { # STEP
  local log=$logs/$1.log named
  named=$(grep -aE '^✘ .* recorded an issue|: error: ' "$log" || sed -n '/^Failed:/,/^[0-9]/s/^  //p' "$log")
  echo "${named:-$(tail -n 1 "$log")}" | cut -c 1-300 | head -n 20
}

# A list that was ended has failed, with all of its steps that have no result.
not_finished() { # STEP...
  local step
  for step in "$@"; do
    [ ! -e "$logs/$step.result" ] || continue
    echo "0 1 0" >"$logs/$step.result"
    echo "$step: the list of this step ended before it" >"$logs/$step.failures"
    printf '%-10s NOT RUN  its list ended before it\n' "$step"
  done
}

run() { # STEP
  local step=$1 needed start seconds status f log=$logs/$1.log
  needed=$(needs "$step")
  # Made by the other list, perhaps not yet.
  while [ -n "$needed" ] && [[ " $beside " == *" $needed "* ]] && [ ! -e "$logs/$needed.result" ] &&
    kill -0 "$session" 2>/dev/null; do sleep 1; done
  [ -z "$needed" ] || [[ " $beside " != *" $needed "* ]] || not_finished "$needed"
  if [ -n "$needed" ] && is_broken "$needed"; then
    echo "0 1 0" >"$logs/$step.result"
    echo "$step: not run, $needed failed" >"$logs/$step.failures"
    printf '%-10s NOT RUN  %s failed\n' "$step" "$needed"
    return
  fi
  start=$SECONDS counts=
  "step_$step" >"$log" 2>&1 </dev/null
  status=$?
  seconds=$((SECONDS - start))
  read -r p f s <<<"${counts:-0 0 0}"
  # A step that fails without a failed test of its own is itself the failure.
  [ $status != 0 ] && [ "$f" = 0 ] && f=1
  echo "$p $f $s" >"$logs/$step.result"
  if [ $status = 0 ]; then
    printf '%-10s ok       %4d s%s\n' "$step" $seconds "${counts:+   $p passed, $s skipped}"
    sed -n '/^Passed in a second run only:/,/^$/p; /^Skipped: /p' "$log"
    return
  fi
  printf '%-10s FAILED   %4d s%s   (%s)\n' "$step" $seconds "${counts:+   $p passed, $f failed, $s skipped}" "$log"
  tail -n 60 "$log" | sed 's/^/    /'
  failed_tests "$step" | sed "s/^/$step: /" >"$logs/$step.failures"
}

run_all() { # STEP...
  local step
  for step in "$@"; do run "$step"; done
}

# Uses the processor only while nothing else needs it. A session has its own share, whatever the niceness of its
# processes, where the kernel groups tasks by session: so the second list is a session, and nice as a whole.
if [ "${1:-}" = --beside ]; then
  shift
  renice -n 19 $$ >/dev/null
  { echo 19 >/proc/$$/autogroup; } 2>/dev/null
  run_all "$@"
  exit
fi
side_by_side() {
  local session
  setsid "$0" --beside "${second[@]}" &
  session=$!
  trap 'kill -TERM -- -$session 2>/dev/null; exit 130' INT TERM
  beside=${second[*]}
  run_all "${first[@]}"
  wait $session
  not_finished "${second[@]}"
  beside=
  trap - INT TERM
}

for step in "$@"; do
  [[ $step == [][/] ]] || declare -F "step_$step" >/dev/null || { echo "no step $step" >&2; exit 2; }
done
first=() second=() place=
for step in "$@"; do
  case $place$step in
    "[") place=1 ;;
    1/) place=2 ;;
    2]) place= ; side_by_side ;;
    1*) first+=("$step") ;;
    2*) second+=("$step") ;;
    *) run "$step" ;;
  esac
done
if compgen -G "$logs/*.failures" >/dev/null; then
  echo "Failed:"
  cat "$logs"/*.failures | sed 's/^/  /'
fi
awk '{ p += $1; f += $2; s += $3 } END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 }' "$logs"/*.result
