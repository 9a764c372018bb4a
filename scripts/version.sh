#!/bin/bash
# Prints the version of this source, which programs, packages and archives carry.
#
#   scripts/version.sh              0.2.0 at the tag v0.2.0; 0.2.0+7.g1a2b3c4 seven commits later
#   scripts/version.sh --time       the time of the source in seconds since 1970, for SOURCE_DATE_EPOCH
#   scripts/version.sh --changelog  a debian/changelog with this version, for packages of this machine's release of Debian
#   scripts/version.sh --source-changelog       the same for no release
#
# The file VERSION has the version in an unpacked source archive; elsewhere git's tags have it, and without tags the
# first release in CHANGELOG.md. TUTTI_VERSION and SOURCE_DATE_EPOCH replace both answers.
# '+' sorts after the release and before the next one, for dpkg as well as in semantic versions.
set -euo pipefail
cd "$(dirname "$0")/.."

# Is this folder a checkout of its own, and not a folder in somebody else's?
is_checkout() { [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; }

version() {
  local described
  if [ -n "${TUTTI_VERSION:-}" ]; then
    echo "$TUTTI_VERSION"
  elif [ -s VERSION ]; then
    head -n 1 VERSION
  elif is_checkout && described=$(git describe --tags --long --abbrev=7 --match 'v[0-9]*' 2>/dev/null); then
    sed -E 's/^v//; s/-0-g[0-9a-f]+$//; s/-([0-9]+)-(g[0-9a-f]+)$/+\1.\2/' <<<"$described"
  else
    sed -nE 's/^## ([0-9]+\.[0-9]+\.[0-9]+).*/\1/p' CHANGELOG.md | head -n 1 | grep . || echo 0.0.0
  fi
}

source_time() {
  if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then
    echo "$SOURCE_DATE_EPOCH"
  elif [ -s VERSION ]; then
    stat -c %Y VERSION
  elif is_checkout; then
    git log -1 --format=%ct
  else
    stat -c %Y CHANGELOG.md
  fi
}

# Packages of two releases of Debian differ, so their versions do too; the later release's is the higher one.
release_suffix() {
  local ID=debian VERSION_ID=
  # shellcheck disable=SC1091
  [ -r /etc/os-release ] && . /etc/os-release
  case $ID in debian) echo "~deb${VERSION_ID:-sid}" ;; *) echo "~$ID$VERSION_ID" ;; esac
}

changelog() { # SUFFIX
  printf 'tutti (%s) unstable; urgency=medium\n\n' "$(version)$1"
  printf '  * Release notes: /usr/share/doc/tutti/changelog.gz\n\n'
  printf ' -- %s  %s\n' "$(sed -n 's/^Maintainer: //p' debian/control)" "$(LC_ALL=C date -u -R -d "@$(source_time)")"
}

case ${1:-} in
  "") version ;;
  --time) source_time ;;
  --changelog) changelog "$(release_suffix)" ;;
  --source-changelog) changelog "" ;;
  *) sed -n '2,/^set/{/^#/p}' "$0" >&2; exit 2 ;;
esac
