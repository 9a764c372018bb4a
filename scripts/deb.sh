#!/bin/bash
# Builds Debian packages for this machine's release into .build/deb: tutti and tutti-dbgsym. Reports their sizes.
#
#   scripts/deb.sh
#
# Needs Swift on the PATH; installs missing Debian packages like scripts/setup.sh. The same source makes the same bytes,
# in any folder. debian/changelog is written by this script, with the version of scripts/version.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh deb
# Files and folders of packages have the usual modes whatever the user's are, and no tool writes in the user's language.
umask 022
export LC_ALL=C.UTF-8 TZ=UTC
SOURCE_DATE_EPOCH=$(scripts/version.sh --time)
export SOURCE_DATE_EPOCH
rm -rf .build/deb
mkdir -p .build/deb
scripts/version.sh --changelog >debian/changelog
debian/rules clean >/dev/null
debian/rules build
fakeroot debian/rules binary
debian/rules clean >/dev/null
appstreamcli validate --no-net .build/deb/made/tutti.metainfo.xml
lintian --fail-on error,warning .build/deb/*.deb
ls -l --block-size=1 .build/deb/*.deb | awk '{ printf "%s  %.1f MB\n", $NF, $5 / 1e6 }'
