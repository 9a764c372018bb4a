#!/bin/bash
# Runs unit tests of the playback engine under the thread sanitizer. Fails with the first data race.
#
#   scripts/thread-sanitizer.sh            all of them, including an hour of random calls: some 8 minutes on two cores
#   scripts/thread-sanitizer.sh --core     queue, routes, timeline and players, without the long simulations
#   scripts/thread-sanitizer.sh PATTERN    the tests whose names match
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=.build/thread-sanitizer
case ${1:-} in
  "") pattern=PlaybackTests ;;
  --core) pattern='RenderQueueTests|FlushFromTests|PacketRouteTests|SilentRouteTests|PlaybackTimelineTests|LineOrderTests|PlayerDriverTests|PlayerEditTests|PlayerTransportTests|NowPlayingHubTests' ;;
  *) pattern=$1 ;;
esac
env -u TUTTI_OPTIMISE -u TUTTI_COMBINE TUTTI_TESTS=PlaybackTests swift build --build-tests --sanitize=thread --scratch-path "$scratch"
clang -O1 -shared -fPIC -o "$scratch/mutex.so" scripts/sanitizers/mutex.c -ldl
# The loader takes a space as the end of a name: a path from here has none.
LD_PRELOAD=$scratch/mutex.so TSAN_OPTIONS=exitcode=66 \
  "$scratch/debug/TuttiPackageTests.xctest" --testing-library swift-testing --filter "$pattern"
