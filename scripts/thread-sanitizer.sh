#!/bin/bash
# Runs unit tests under the thread sanitizer: those whose names match PATTERN, else all of the playback engine, an hour
# of random calls among them. Some 5 minutes to build and 5 to run on two cores. Fails with the first data race.
#
#   scripts/thread-sanitizer.sh [PATTERN]
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=.build/thread-sanitizer
swift build --build-tests --sanitize=thread --scratch-path "$scratch"
clang -O1 -shared -fPIC -o "$scratch/mutex.so" scripts/sanitizers/mutex.c -ldl
LD_PRELOAD=$PWD/$scratch/mutex.so TSAN_OPTIONS=exitcode=66 \
  "$scratch/debug/TuttiPackageTests.xctest" --testing-library swift-testing --filter "${1:-PlaybackTests}"
