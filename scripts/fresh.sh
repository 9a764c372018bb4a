#!/bin/bash
# Tests the project on a Debian machine that has nothing but git, make and Swift: a root made by mmdebstrap, entered in namespaces.
#
#   scripts/fresh.sh bookworm|trixie [COMMAND...]     as root; COMMAND runs in a new clone of this checkout's HEAD
#   scripts/fresh.sh --prepared bookworm|trixie COMMAND...   the same where the packages of scripts/setup.sh test are
#                                     installed; that is done once for each version of that script, and kept in the cache
#
# Without a command it runs the README's two, each in its own clone and in a fresh root: `make demo` and `make test`.
# Swift is the one on the PATH, mounted read-only at the same place. TUTTI_FRESH_RESULTS names a folder that the command
# sees as /srv/results.
#
# Exit status: that of the command that failed, or 0.
set -euo pipefail
cd "$(dirname "$0")/.."
checkout=$PWD
prepared=
[ "${1:-}" != --prepared ] || { prepared=1; shift; }
suite=${1:-}
case $suite in bookworm | trixie) shift ;; *) sed -n '2,/^set/{/^#/p}' "$0" >&2; exit 2 ;; esac
[ "$(id -u)" = 0 ] || { echo "scripts/fresh.sh needs root: it enters namespaces" >&2; exit 2; }
. scripts/roots.sh

# The content of a fresh machine: Debian's base with apt, and the two programs used by the README's first lines.
# Count up the number when the content or the steps of scripts/roots.sh change.
archive=$(root_archive "fresh-$suite-1" "$suite" "apt ca-certificates git make")
toolchain=$(scripts/toolchain.sh)
[ -n "$toolchain" ] || { echo "scripts/fresh.sh needs a Swift in a folder of its own, not in /usr" >&2; exit 2; }

# Runs one command in a root, in a new clone.
enter_clone() { # ROOT COMMAND...
  local root=$1 options=()
  shift
  git clone -q --no-hardlinks "$checkout" "$root/srv/tutti" || return
  [ -z "${TUTTI_LAB_REQUIRED:-}" ] || options+=(--env "TUTTI_LAB_REQUIRED=$TUTTI_LAB_REQUIRED")
  [ -z "${TUTTI_FRESH_RESULTS:-}" ] || options+=(--bind "$TUTTI_FRESH_RESULTS" /srv/results)
  # The receivers' programs are the same for every suite: they are made once, in the cache.
  enter_root "$root" --bind-read-only "$toolchain" "$toolchain" --bind "$root_cache" /srv/cache --env TUTTI_LAB_CACHE=/srv/cache \
    --path "$toolchain/usr/bin" --in /srv/tutti "${options[@]}" -- "$@"
}

# Runs one command in its own root, which is removed afterwards.
run() { # COMMAND...
  local root status=0
  root=$(new_root "$archive" "$checkout/.build" "fresh-$suite")
  enter_clone "$root" "$@" || status=$?
  remove_root "$root"
  return $status
}

# Makes the archive of a root in which scripts/setup.sh has installed its packages.
prepare() { # ARCHIVE
  local root status=0
  root=$(new_root "$archive" "$checkout/.build" "prepared-$suite") || return
  enter_clone "$root" scripts/setup.sh test || status=$?
  if [ $status = 0 ]; then
    rm -rf --one-file-system "$root/srv/tutti" "$root"/var/cache/apt/archives/*.deb
    # Those of earlier versions of the script.
    rm -f "$root_cache/prepared-$suite-"*.tar.zst
    tar --zstd --numeric-owner -cpf "$1.part" -C "$root" . && mv "$1.part" "$1" || status=$?
  fi
  remove_root "$root"
  return $status
}

if [ -n "$prepared" ]; then
  [ $# -gt 0 ] || { echo "scripts/fresh.sh --prepared needs a command" >&2; exit 2; }
  ready=$root_cache/prepared-$suite-$(cat scripts/setup.sh scripts/roots.sh | sha256sum | cut -c 1-12).tar.zst
  [ -f "$ready" ] || prepare "$ready" || { echo "scripts/setup.sh test does not end on $suite" >&2; exit 1; }
  archive=$ready
fi
if [ $# -gt 0 ]; then
  run "$@"
  exit
fi
for target in demo test; do
  echo "== $suite: make $target"
  run make "$target"
done
