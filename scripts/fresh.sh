#!/bin/bash
# Tests the project on a Debian machine that has nothing but git, make and Swift: a root made by mmdebstrap, entered in namespaces.
#
#   scripts/fresh.sh bookworm|trixie [COMMAND...]     as root; COMMAND runs in a new clone of this checkout's HEAD
#
# Without a command it runs the README's two, each in its own clone and in a fresh root: `make demo` and `make test`.
# Swift is the one on the PATH, mounted read-only at the same place. Packages come from the mirror that apt on this machine uses.
#
# Cache: ${TUTTI_LAB_CACHE:-~/.cache/tutti-lab}/fresh-SUITE.tar.zst. Exit status: that of the command that failed, or 0.
set -euo pipefail
cd "$(dirname "$0")/.."
checkout=$PWD
suite=${1:-}
case $suite in bookworm | trixie) shift ;; *) sed -n '2,/^set/{/^#/p}' "$0" >&2; exit 2 ;; esac
[ "$(id -u)" = 0 ] || { echo "scripts/fresh.sh needs root: it enters namespaces" >&2; exit 2; }

cache=${TUTTI_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tutti-lab}
# The content of a fresh machine: Debian's base with apt, and the two programs used by the README's first lines.
packages="apt ca-certificates git make"
recipe=1 # count up when the steps below change
tar=$cache/fresh-$suite-$recipe.tar.zst
swift=$(readlink -f "$(command -v swift)")
toolchain=${swift%/usr/bin/*}

mirror() {
  apt-get indextargets --format '$(REPO_URI)|$(ORIGIN)|$(LABEL)' 'Created-By: Packages' |
    awk -F'|' '$2 == "Debian" && $3 == "Debian" && !found { print $1; found = 1 }'
}

make_tar() {
  local from
  from=$(mirror)
  [ -n "$from" ] || { apt-get update -q >/dev/null; from=$(mirror); }
  [ -n "$from" ] || { echo "no Debian mirror in this machine's apt configuration" >&2; return 1; }
  # The options that this machine's apt needs for its mirror are needed inside, too.
  timeout 900 mmdebstrap --mode=root --variant=minbase --quiet \
    --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Check-Date "false"' --aptopt='Acquire::Retries "3"' \
    --aptopt='APT::Install-Recommends "false"' --dpkgopt=force-unsafe-io \
    --include="${packages// /,}" "$suite" "$tar.part.tar.zst" "$from" >&2
  mv "$tar.part.tar.zst" "$tar"
}

# Runs one command in its own root, which is removed afterwards.
run() { # COMMAND...
  local root status=0
  root=$(mktemp -d "$checkout/.build/fresh-$suite.XXXXXX")
  tar --zstd -xpf "$tar" -C "$root"
  git clone -q --no-hardlinks "$checkout" "$root/root/tutti"
  mkdir -p "$root$toolchain" "$root/root/.cache/tutti-lab"
  cat >"$root/root/enter.sh" <<SCRIPT
set -e
mount --make-rprivate /
mount --bind "$root" "$root"
for d in run tmp dev; do mount -t tmpfs tmpfs "$root/\$d"; done
for d in null zero full random urandom tty; do touch "$root/dev/\$d"; mount --bind "/dev/\$d" "$root/dev/\$d"; done
mkdir -p "$root/dev/shm" "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
ln -s /proc/self/fd "$root/dev/fd"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys" 2>/dev/null || true
mount --bind -o ro "$toolchain" "$root$toolchain"
# The receivers' programs are the same for every suite: they are made once.
mkdir -p "$cache"
mount --bind "$cache" "$root/root/.cache/tutti-lab"
for f in /etc/resolv.conf /etc/hosts; do touch "$root\$f"; mount --bind "\$f" "$root\$f"; done
cd "$root"
exec env -i HOME=/root TERM=dumb LANG=C.UTF-8 PATH="${swift%/swift*}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" \
  ${TUTTI_LAB_REQUIRED:+TUTTI_LAB_REQUIRED=$TUTTI_LAB_REQUIRED} \
  chroot "$root" /bin/bash -c 'cd && cd tutti && exec "\$@"' fresh "\$@"
SCRIPT
  unshare --mount --pid --ipc --uts --fork --kill-child /bin/bash "$root/root/enter.sh" "$@" || status=$?
  rm -rf --one-file-system "$root"
  return $status
}

mkdir -p "$cache" .build
(flock 9; [ -f "$tar" ] || make_tar) 9>"$cache/fresh.lock"
if [ $# -gt 0 ]; then
  run "$@"
  exit
fi
for target in demo test; do
  echo "== $suite: make $target"
  run make "$target"
done
