#!/bin/bash
# Builds the packages and archives and tests them on fresh, minimal Debian machines: roots entered in namespaces.
#
#   scripts/packages.sh [--fresh|--built] [SUITE...]    as root; SUITE is bookworm or trixie, default: this machine's
#
# Packages of this machine's suite are built here, in .build. Those of another suite, and with --fresh all, are built from
# the source archive of the last commit in a root of the suite, with the Swift on the PATH (15 minutes). --built takes the
# packages of the last run. OTHER_SUITE=1 adds the other suite.
#
# packaging/test-installed.sh has the steps; one line each, and at the end: N passed, N failed, N skipped. Packages and the
# output of failed steps stay in .build/packages.
#
# Exit status: 0 nothing failed, 1 otherwise.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
checkout=$PWD
how='' suites=()
for argument in "$@"; do
  case $argument in
    --fresh | --built) how=$argument ;;
    bookworm | trixie) suites+=("$argument") ;;
    *) sed -n '2,/^set/{/^#/p}' "$0" >&2; exit 2 ;;
  esac
done
own=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
other=trixie
[ "$own" = trixie ] && other=bookworm
[ ${#suites[@]} -gt 0 ] || suites=("$own")
[ -z "${OTHER_SUITE:-}" ] || [[ " ${suites[*]} " == *" $other "* ]] || suites+=("$other")

passed=0 failed=0 skipped=0
report() { # ok|skipped|FAILED NAME
  printf '%-8s %s\n' "$1" "$2"
  case $1 in ok) passed=$((passed + 1)) ;; skipped) skipped=$((skipped + 1)) ;; *) failed=$((failed + 1)) ;; esac
}
# Runs a step; shows the end of its output when it fails. Afterwards $went is its exit status. Neither the step nor its
# caller may be part of a condition: there `set -e` has no effect.
step() { # NAME COMMAND...
  local name=$1 log=$logs/step.log
  shift
  (set -e; "$@") >"$log" 2>&1
  went=$?
  if [ $went = 0 ]; then
    report ok "$name"
  else
    report FAILED "$name"
    tail -n 40 "$log" | sed 's/^/           /'
  fi
}
finish() {
  echo "$passed passed, $failed failed, $skipped skipped"
  [ $failed = 0 ]
  exit
}

logs=$checkout/.build/packages
mkdir -p "$logs"
if [ "$(id -u)" != 0 ]; then
  report skipped "packages: needs root, to enter namespaces"
  finish
fi
scripts/setup.sh deb || { report FAILED "set-up"; finish; }
. scripts/roots.sh

# Puts the products of one build into a folder.
collect() { # FOLDER
  cp .build/deb/tutti_*.deb .build/deb/tutti-dbgsym_*.deb "$1/"
  cp ".build/dist/tutti-$(scripts/version.sh)-linux-$(uname -m).tar.xz" "$1/"
}
build_here() { # FOLDER
  scripts/deb.sh
  scripts/tarball.sh
  collect "$1"
}
# From the source archive, without git's folder.
build_in_root() { # FOLDER SUITE
  scripts/dist.sh
  # A minimal machine has no xz.
  xz -dc ".build/dist/tutti-$(scripts/version.sh).tar.xz" >"$1/source.tar"
  TUTTI_FRESH_RESULTS=$1 scripts/fresh.sh "$2" bash -c 'set -e
    mkdir /srv/source
    cd /srv/source
    tar -xf /srv/results/source.tar --strip-components=1
    # Packages that lintian refuses can be looked at, too.
    trap "cp .build/deb/*.deb .build/dist/*-linux-*.tar.xz /srv/results/" EXIT
    scripts/deb.sh
    scripts/tarball.sh'
  rm "$1/source.tar"
}

# What packaging/test-installed.sh reads.
prepare() { # FOLDER
  local version
  mkdir -p "$1/test/tarball"
  cp "$1"/tutti_*.deb "$1/test/tutti.deb"
  # The next version, not compressed, because nothing but its version is new.
  dpkg-deb -R "$1/test/tutti.deb" "$1/next"
  version=$(dpkg-deb -f "$1/test/tutti.deb" Version)
  sed -i "s/^Version: .*/Version: $version.1/" "$1/next/DEBIAN/control"
  dpkg-deb --root-owner-group -Znone -b "$1/next" "$1/test/tutti-next.deb" >/dev/null
  tar -xJf "$1"/tutti-*-linux-*.tar.xz -C "$1/test/tarball" --strip-components=1 --no-same-owner
  echo "tutti $(expected_version)" >"$1/test/version"
  chmod -R go+rX "$1/test"
}
expected_version() { scripts/version.sh; }

# The program and its debug symbols name no folder of the machine that built them.
names_no_folder() { # FOLDER
  local work=$1/symbols file found status=0
  rm -rf "$work"
  mkdir -p "$work"
  dpkg-deb -x "$1"/tutti_*.deb "$work/program"
  dpkg-deb -x "$1"/tutti-dbgsym_*.deb "$work/debug"
  # /srv/source is the folder of a build in a root.
  printf '%s/\n' "$checkout" /srv/source "$(scripts/toolchain.sh)" | grep -v '^/$' >"$work/folders"
  while IFS= read -r file; do
    objcopy --decompress-debug-sections "$file" "$work/plain"
    found=$(strings -n 4 "$work/plain" | grep -F -f "$work/folders" | sort -u | sed -n 1,5p) || true
    [ -z "$found" ] || { echo "$found"; status=1; }
  done < <(echo "$work/program/usr/bin/tutti"; find "$work/debug" -name '*.debug')
  rm -rf "$work"
  return $status
}

# The source archive is the same twice, and builds where no git is.
source_archive() {
  local archive folder=$logs/source first
  scripts/dist.sh
  archive=.build/dist/tutti-$(scripts/version.sh).tar.xz
  first=$(sha256sum <"$archive")
  (umask 077; TZ=Asia/Kolkata LC_ALL=C scripts/dist.sh)
  [ "$first" = "$(sha256sum <"$archive")" ] || { echo "two archives of one commit differ"; return 1; }
  rm -rf "$folder"
  mkdir -p "$folder"
  tar -xJf "$archive" -C "$folder" --strip-components=1
  [ "$("$folder/scripts/version.sh")" = "$(scripts/version.sh)" ] || { echo "the archive has another version"; return 1; }
  # git would find the checkout around the folder.
  (cd "$folder" && GIT_CEILING_DIRECTORIES=$logs nice -n 5 swift build --target TuttiPCM)
  (cd "$folder" && swift package describe | grep 'Name: Tutti$' >/dev/null)
  rm -rf "$folder"
}

# Runs packaging/test-installed.sh in a root. Packages are downloaded once, into the cache.
inside() { # ROOT SUITE FOLDER ACTION [OPTION...]
  enter_root "$1" "${@:5}" --bind "$root_cache/archives-$2" /var/cache/apt/archives \
    --bind-read-only "$3/test" /srv/packages -- /srv/packages/test-installed.sh "$4" /srv/packages
}

# Installs, uses, upgrades and purges without network, on a machine without Swift and without packages for developers.
test_installed() { # SUITE FOLDER
  local archive root line
  archive=$(root_archive "minimal-$1-1" "$1" "apt ca-certificates") || { report FAILED "$1: makes a minimal machine"; return; }
  root=$(new_root "$archive" "$checkout/.build" "packages-$1")
  mkdir -p "$root_cache/archives-$1/partial"
  cp packaging/test-installed.sh "$2/test/"
  step "$1: the suite has the dependencies" inside "$root" "$1" "$2" download
  if [ $went = 0 ]; then
    # Steps that failed show their output, indented.
    while IFS= read -r line; do
      case $line in
        "ok  "* | FAILED* | skipped*) report "${line%% *}" "$1: $(sed 's/^[^ ]* *//' <<<"$line")" ;;
        *) echo "$line" ;;
      esac
    done < <(inside "$root" "$1" "$2" test --no-network 2>&1; echo "exit $?" >"$2/exit")
    # A test that broke off has counted no failure yet.
    [ "$(cat "$2/exit")" = "exit 0" ] || [ $failed -gt 0 ] || report FAILED "$1: the test ended early"
  fi
  remove_root "$root"
}

for suite in "${suites[@]}"; do
  folder=$logs/$suite
  [ "$how" = --built ] || rm -rf "$folder"
  rm -rf "$folder/test" "$folder/next"
  mkdir -p "$folder"
  if [ "$how" = --built ]; then
    report skipped "$suite: the build, because --built takes the last one"
  elif [ "$suite" = "$own" ] && [ -z "$how" ]; then
    step "$suite: packages and tarball are built here; lintian and AppStream accept them" build_here "$folder"
    [ $went = 0 ] || continue
  else
    step "$suite: packages and tarball are built in a fresh root; lintian and AppStream accept them" \
      build_in_root "$folder" "$suite"
    [ $went = 0 ] || continue
  fi
  step "$suite: program and debug symbols name no folder of the build" names_no_folder "$folder"
  step "$suite: the next version of the package" prepare "$folder"
  [ $went = 0 ] || continue
  test_installed "$suite" "$folder"
  (cd "$folder" && ls -l --block-size=1 ./*.deb ./*.tar.xz | awk '{ printf "         %s  %.1f MB\n", $NF, $5 / 1e6 }')
  rm -rf "$folder/test" "$folder/next"
done
if git rev-parse --git-dir >/dev/null 2>&1; then
  step "the source archive is reproducible and builds without git" source_archive
else
  report skipped "the source archive: this is one"
fi
finish
