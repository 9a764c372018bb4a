#!/bin/bash
# Names comments that begin without their subject ("What was told…", "Who waits…"), which readers have to translate.
# Exit status: 0 none, 1 some.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
git grep -nE '^ *///? +(- (Parameters?|Returns|Throws)[^:]*: +)?(What|Who|Whose|Whoever|Of|As|Which)\b' -- 'Sources/*.swift' || exit 0
echo "These comments begin without their subject: begin with the noun or the verb." >&2
exit 1
