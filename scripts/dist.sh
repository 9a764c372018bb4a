#!/bin/bash
# Makes the source archive, .build/dist/tutti-VERSION.tar.xz, from the last commit. The same commit makes the same bytes.
#
#   scripts/dist.sh
#
# The archive also has VERSION and debian/changelog, so that everything builds from it without git.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ] || { echo "scripts/dist.sh needs a checkout" >&2; exit 1; }
version=$(scripts/version.sh)
name=tutti-$version
archive=.build/dist/$name.tar.xz
mkdir -p .build/dist
# git sorts the names, and gives each file the time of the commit and the owner root. Two threads cut the data alike on
# every machine; one thread, or as many as there are processors, would not.
git -c tar.umask=0022 archive --format=tar --prefix="$name/" \
  --add-virtual-file="$name/VERSION:$version"$'\n' \
  --add-virtual-file="$name/debian/changelog:$(scripts/version.sh --source-changelog)"$'\n' HEAD |
  xz -9 -T2 >"$archive.part"
mv "$archive.part" "$archive"
ls -l --block-size=1 "$archive" | awk '{ printf "%s  %.1f MB\n", $NF, $5 / 1e6 }'
