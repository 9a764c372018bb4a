#!/bin/bash
# Checks the words of comments, test titles and names:
#   a doc comment or a test title does not begin with a relative clause ("What was told…", "Who waits…")
#   names that were replaced by the field's terms do not return
# Exit status: 0 nothing found, 1 something found.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2

failed=0
# report EXPLANATION PATTERN PATH...: fails if a tracked file has a line that matches
report() {
  local explanation=$1 pattern=$2
  shift 2
  git grep -nE "$pattern" -- "$@" ':!scripts/words.sh' ':!CHANGELOG.md' || return 0
  echo "$explanation" >&2
  failed=1
}

swift=('Sources/*.swift' 'Tests/*.swift' 'Benchmarks/*.swift' 'Examples/*.swift' 'Fuzz/*.swift' 'Interop/*.swift')
opener='(What|Whatever|Who|Whoever|Whose|Whom|Of|As|Which|Nobody|Somebody|Everybody)\b'
report 'These comments begin without their subject: begin with the noun or the verb.' \
  "^ *///? +(- (Parameters?|Returns|Throws)[^:]*: +)?$opener" "${swift[@]}"
report 'These test titles begin without their subject: state the behaviour in the present.' \
  "(@(Test|Suite)\(|^ +)\"([Ww]hat|[Ww]hatever|[Ww]ho|[Ww]hoever|[Ww]hose|[Oo]f|[Aa]s|[Ww]hich|[Nn]obody) " 'Tests/*Tests/*.swift'

# Former names and their replacements: RenderCursor, RenderHandoff, PairingContext, TransferPool, FetchPlanner,
# RangeFetch, StreamDecoder, AACPassthrough, NotificationSerializer, checkAPIUse, TwoStepSyncMatcher,
# DelayRequestScheduler, restartServing, performMaintenance, RouteSelectionQueue, OrphanedStream, ArtworkCache.
former='Seat|unseat|RenderDesk|PairingDesk|TransferDesk|WebCourse|WebLane|PacketLane|AccessUnitLane|TellingOrder'
former+='|isRightUse|ClockWish|SyncHalves|DelayQuestions|keepHouse|KeptSound|LearnedPictures|RouteChoices'
report 'These names were replaced.' "\b($former)\b" 'Sources' 'Tests' 'Benchmarks' 'Examples' 'Fuzz/*.swift' 'Interop' 'docs/*.md' '*.md'

exit $failed
