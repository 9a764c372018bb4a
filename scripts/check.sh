#!/bin/bash
# Runs the named steps one after the other: one line a step here, the whole output in .build/logs/STEP.log.
#
#   scripts/check.sh [--title TEXT] STEP...
#
# A step that another one needs is run before it, also if it is not named. A step that fails shows the end of its log; the
# others still run, except those that need its result. The last lines say how long each step took, what passed in a
# second run only, what was skipped, and count everything: N passed, N failed, N skipped. A failed step that counts no tests
# of its own is one failure. Of the proof's steps that only compute, two run at once; nothing else runs beside cases in real time.
# Exit status: 0 nothing failed, 1 otherwise.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
# The simulations of the unit tests take seven times as long without.
export TUTTI_OPTIMISE=1
# Publishers of observed properties need a module Combine: the tests have their own.
export TUTTI_COMBINE=Tests/Support/Combine
# A module at once: a build from scratch takes a sixth less of the processor than one file by file. Lines are enough for the
# traces of failed tests.
build_options=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2
  -Xswiftc -gline-tables-only)
export TUTTI_BUILD="${build_options[*]}"
logs=.build/logs
mkdir -p "$logs"

# Python with numpy: the first that has it, else Debian's own. It may have been installed by a step.
python() {
  local program
  for program in ${PYTHON:-} python3 /usr/bin/python3; do
    "$program" -c 'import numpy' 2>/dev/null && break
  done
  "$program" "$@"
}

counts= # "passed failed skipped" of the running step, when it has tests

# The steps. Each is one function; its output goes to its log.

# The check (make test): nothing here depends on the time at which the machine runs it.

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
  for script in scripts/words.sh scripts/layers.py scripts/threads.py scripts/sharing.py scripts/machine.py scripts/machine-tests.py \
    scripts/inlining.py Interop/proofs.py; do "$script" || status=1; done
  scripts/house_faults.py --check || status=1
  return $status
}

# Debug build of everything with its tests and the examples. Warnings are errors by Package.swift; an import without a
# declared dependency is one too.
step_debug() {
  # The compiler warns about the sample programs only when it compiles them.
  rm -f "$(swift build --show-bin-path)"/SampleApps*.build/*.o
  TUTTI_EXAMPLES=1 swift build --build-tests --disable-xctest --explicit-target-dependency-import-check error \
    "${build_options[@]}" && sample_programs_are_quiet "$logs/debug.log"
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
  run_unit_tests unit
}

run_unit_tests() { # STEP
  local status
  TUTTI_EXAMPLES=1 scripts/unit.py --results "$logs/$1.xml" --counts "$logs/$1.counts" -- "${build_options[@]}"
  status=$?
  counts=$(cat "$logs/$1.counts" 2>/dev/null)
  return $status
}

# Public names without a comment, and the commands, names and links in the documents.
step_names() {
  local status=0
  TUTTI_EXAMPLES=1 scripts/docs.sh --comments || status=1
  scripts/readme.py .build/debug/tutti || status=1
  return $status
}

# One case of each kind with real programs, with the debug build.
step_smoke() {
  interop smoke --smoke --program .build/debug/tutti --apps .build/debug/SampleAppsRunner --standins .build/debug/StandIn
}

# The proof (make proof): in real time, long, random, or with programs of others.

# The packages of all programs in the lab.
step_lab() {
  scripts/setup.sh proof
}

step_release() {
  scripts/release.sh tutti SampleAppsRunner StandIn SinkProbe
}

# The examples and the benchmark program of the API, as a user's package that depends on a tagged version.
step_examples() {
  env -u TUTTI_OPTIMISE -u TUTTI_COMBINE scripts/examples.sh
}

# The documentation of the modules, and all pages of the site with their links.
step_docs() {
  local status=0
  scripts/docs.sh || status=1
  rm -rf .build/man
  .build/release/tutti reference man .build/man && scripts/site.py || status=1
  # Measurements share the cases' code, and run seldom.
  python Benchmarks/bench.py --list >/dev/null || status=1
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

# A few seconds of every fuzz target, each time with other inputs. A target that violates a rule leaves its input in
# Fuzz/.build/found.
step_fuzz() {
  local status
  Fuzz/run.sh all "${TUTTI_FUZZ_SECONDS:-3}"
  status=$?
  counts="$(grep -c '^fuzz target .*: ok' "$logs/fuzz.log") $(grep -c '^fuzz target .*: error: ' "$logs/fuzz.log") 0"
  return $status
}

# Houses in virtual time, each from another seed than those of the unit tests. A seed that fails is left in .build/houses.
step_houses() {
  local status number=${TUTTI_HOUSES:-60} failed
  scripts/houses.sh "$number" 1001
  status=$?
  failed=$(sed -n 's/^\([0-9]*\) seeds fail$/\1/p' "$logs/houses.log")
  [ -z "$failed" ] || counts="$((number - failed)) $failed 0"
  return $status
}

# Faults in a copy of the sources, each of which a house must find.
step_house-faults() {
  local status
  scripts/house_faults.py
  status=$?
  counts=$(sed -nE 's/^([0-9]+) of ([0-9]+) faults found.*/\1 \2/p' "$logs/house-faults.log" | awk '{ print $1, $2 - $1, 0 }')
  return $status
}

# The playback engine's core under the thread sanitizer.
step_race() {
  scripts/thread-sanitizer.sh --core
}

# Real programs in real time: several labs at once, and none of the cases that measure time.
step_interop() {
  interop interop --part together
}

# The cases that measure time.
step_timing() {
  interop timing --part timing
}

interop() { # STEP OPTION...
  local step=$1 status
  shift
  rm -f "$logs/$step.counts" "$logs/$step.json"
  python Interop/run.py --logs "$logs/$step" --counts "$logs/$step.counts" --results "$logs/$step.json" "$@"
  status=$?
  counts=$(cat "$logs/$step.counts" 2>/dev/null)
  return $status
}

# The short form of the attacks.
step_hostile() {
  local status
  rm -f "$logs/hostile.counts"
  python Interop/hostile/run.py --program .build/release/tutti --short --counts "$logs/hostile.counts" \
    --results "$logs/hostile.json"
  status=$?
  counts=$(cat "$logs/hostile.counts" 2>/dev/null)
  return $status
}

# The measurements of `make demo`, and its end.
step_demo() {
  .build/release/tutti demo --folder .build/demo
}

# The other release of Debian: a build from scratch in a new clone, and the tests that depend on the release.
step_fresh() {
  local other=trixie status
  grep -q '^13' /etc/debian_version && other=bookworm
  scripts/fresh.sh --prepared "$other" scripts/check.sh setup system
  status=$?
  counts=$(tail -n 1 "$logs/fresh.log" | awk '/ passed, / { print $1, $3, $5 }')
  return $status
}

# The tests of the modules that use libraries of C, whose versions differ between releases of Debian, and of what plays
# and shows sound and pictures by them; with `tutti`, so that all modules are built.
step_system() {
  export TUTTI_TESTS=CryptographyTests,SystemIOTests,DiscoveryTests,WebTests,DatabaseTests,HTTPServiceTests,MQTTTests
  TUTTI_TESTS+=,DBusTests,MPRISTests,CodecsTests,ResamplingTests,AudioOutputTests,SoundServersTests,PlaybackTests
  TUTTI_TESTS+=,AudioToolboxTests,AVFoundationTests,VideoWindowTests,MusicLibraryTests,tuttiTests
  swift build --build-tests --disable-xctest "${build_options[@]}" && run_unit_tests system
  local status=$?
  unset TUTTI_TESTS
  return $status
}

# The step that has to be run before this one.
needs() { # STEP
  case $1 in
    debug | lab | fuzz | houses | house-faults | system | race) echo setup ;;
    unit | names | smoke) echo debug ;;
    release) echo lab ;;
    docs | interop | timing | hostile | packages | demo) echo release ;;
  esac
}

# Steps that only compute, each in a build folder of its own.
only_computes() { # STEP
  case $1 in fuzz | houses | house-faults | race | fresh) ;; *) return 1 ;; esac
}

# The steps with those that they need, each once.
with_needs() { # STEP...
  local step
  for step in "$@"; do
    # shellcheck disable=SC2046  # one word, or none
    with_needs $(needs "$step")
    echo "$step"
  done | awk '!seen[$0]++'
}

is_broken() { # STEP
  [ -e "$logs/$1.failures" ]
}

# The failures in a step's log, as written by the compiler, Swift Testing and Interop/run.py; else its last line.
failed_tests() { # STEP
  local log=$logs/$1.log named
  named=$(sed -n '/^Failed:/,/^[0-9]/s/^  //p' "$log")
  [ -n "$named" ] || named=$(grep -aE '^✘ .* recorded an issue|: error: ' "$log")
  echo "${named:-$(tail -n 1 "$log")}" | cut -c 1-300 | head -n 20
}

# The commit under test, and whether the tree differs from it.
tested_commit() {
  echo "$(git rev-parse --short=8 HEAD)$([ -z "$(git status --porcelain -- . ':!docs/proof.md')" ] || echo ' and changes')"
}

run() { # STEP
  local step=$1 needed start status p f s log=$logs/$1.log
  # The tree may be another one when the last step ends.
  tested_commit >"$logs/$step.commit"
  needed=$(needs "$step")
  if [ -n "$needed" ] && is_broken "$needed"; then
    echo "0 1 0" >"$logs/$step.result"
    echo "$step: not run, $needed failed" >"$logs/$step.failures"
    printf '%-10s NOT RUN  %s failed\n' "$step" "$needed"
    return
  fi
  start=$SECONDS counts=
  "step_$step" >"$log" 2>&1 </dev/null
  status=$?
  echo $((SECONDS - start)) >"$logs/$step.seconds"
  # Steps may run at once: the time of all is not the sum.
  echo "$(($(date +%s) - SECONDS + start)) $(date +%s)" >"$logs/$step.span"
  read -r p f s <<<"${counts:-0 0 0}"
  # A step that fails without a failed test of its own is itself the failure.
  [ $status != 0 ] && [ "${f:-0}" = 0 ] && f=1
  echo "$p $f $s" >"$logs/$step.result"
  if [ $status = 0 ]; then
    printf '%-10s ok       %4d s%s\n' "$step" $((SECONDS - start)) "${counts:+   $p passed, $s skipped}"
    return
  fi
  printf '%-10s FAILED   %4d s%s   (%s)\n' "$step" $((SECONDS - start)) "${counts:+   $p passed, $f failed, $s skipped}" "$log"
  tail -n 60 "$log" | sed 's/^/    /'
  failed_tests "$step" | sed "s/^/$step: /" >"$logs/$step.failures"
}

# The last lines.
summary() { # STEP...
  local step file
  echo "Seconds: $(for step in "$@"; do [ ! -e "$logs/$step.seconds" ] || printf '%s %s, ' "$step" "$(cat "$logs/$step.seconds")"; done)$SECONDS in all"
  for step in "$@"; do
    awk '/^Passed in a second run:/ { inside = 1; next } !/^  / { inside = 0 } inside' "$logs/$step.log" 2>/dev/null | sed "s/^  /$step: /"
  done | titled "Passed in a second run:"
  for step in "$@"; do
    sed -nE 's/^skipped +([^ ]+) +[0-9.]+ s +/\1: /p; s/^(Skipped: .*)/\1/p; s/^➜ +Test (.*) skipped(.*)/\1\2/p' "$logs/$step.log" 2>/dev/null |
      sed "s/^/$step: /"
  done | titled "Skipped:"
  cat "$logs"/*.failures 2>/dev/null | titled "Failed:"
  for step in "$@"; do cat "$logs/$step.result"; done |
    awk '{ p += $1; f += $2; s += $3 } END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 }'
}

titled() { # TITLE
  awk -v title="$1" 'NR == 1 { print title } { print "  " $0 }'
}

[ $# -gt 0 ] || { sed -n '2,/^set/{/^#/p}' "$0" >&2; exit 2; }
for step in "$@"; do
  declare -F "step_$step" >/dev/null || { echo "no step $step" >&2; exit 2; }
done
rm -f "$logs"/*.result "$logs"/*.failures "$logs"/*.seconds "$logs"/*.span "$logs"/*.commit
mapfile -t steps < <(with_needs "$@")
beside=0 # steps that run in the background
for step in "${steps[@]}"; do
  if only_computes "$step"; then
    [ $beside -lt 2 ] || { wait -n; beside=$((beside - 1)); }
    run "$step" &
    beside=$((beside + 1))
  else
    wait
    beside=0
    run "$step"
  fi
done
wait
summary "${steps[@]}"
