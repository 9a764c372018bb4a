# shellcheck shell=bash
# Functions for fresh Debian machines: roots made by mmdebstrap, entered in namespaces. Sourced, as root, by
# scripts/fresh.sh and scripts/packages.sh.
#
# Cache: ${TUTTI_LAB_CACHE:-~/.cache/tutti-lab}. Packages come from the mirror that apt on this machine uses.

root_cache=${TUTTI_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tutti-lab}

# The address of Debian's archive in this machine's apt configuration.
debian_mirror() {
  apt-get indextargets --format '$(REPO_URI)|$(ORIGIN)|$(LABEL)' 'Created-By: Packages' |
    awk -F'|' '$2 == "Debian" && $3 == "Debian" && !found { print $1; found = 1 }'
}

# Makes the archive of a root from Debian's base and the named packages, unless it is there. Prints its path.
root_archive() { # NAME SUITE PACKAGES
  local archive=$root_cache/$1.tar.zst
  mkdir -p "$root_cache"
  (flock 9; [ -f "$archive" ] || make_root_archive "$archive" "$2" "$3") 9>"$root_cache/fresh.lock" || return
  echo "$archive"
}

make_root_archive() { # ARCHIVE SUITE PACKAGES
  local from
  from=$(debian_mirror)
  [ -n "$from" ] || { apt-get update -q >/dev/null; from=$(debian_mirror); }
  [ -n "$from" ] || { echo "no Debian mirror in this machine's apt configuration" >&2; return 1; }
  # The options that this machine's apt needs for its mirror are needed inside, too.
  timeout 900 mmdebstrap --mode=root --variant=minbase --quiet \
    --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Check-Date "false"' --aptopt='Acquire::Retries "3"' \
    --aptopt='APT::Install-Recommends "false"' --dpkgopt=force-unsafe-io \
    --include="${3// /,}" "$2" "$1.part.tar.zst" "$from" >&2 || return
  mv "$1.part.tar.zst" "$1"
}

# Unpacks an archive into a new folder below FOLDER and prints its path.
new_root() { # ARCHIVE FOLDER NAME
  local root
  mkdir -p "$2"
  root=$(mktemp -d "$2/$3.XXXXXX")
  chmod 755 "$root"
  tar --zstd -xpf "$1" -C "$root"
  echo "$root"
}

remove_root() { rm -rf --one-file-system "$1"; }

# Runs a command in a root, with its own mounts and processes; returns the command's exit status. /run, /tmp and /dev
# are new each time.
enter_root() { # ROOT [--no-network] [--bind FROM TO] [--bind-read-only FROM TO] [--path FOLDER] [--in FOLDER] [--env NAME=VALUE] -- COMMAND...
  local root=$1 network=host path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin folder=/root
  local mounts=() environment=() options=(--mount --pid --ipc --uts)
  shift
  while [ "$1" != -- ]; do
    case $1 in
      --no-network) network=none; options+=(--net); shift ;;
      --bind) mounts+=(bind "$2" "$3"); shift 3 ;;
      --bind-read-only) mounts+=(read-only "$2" "$3"); shift 3 ;;
      --path) path=$2:$path; shift 2 ;;
      --in) folder=$2; shift 2 ;;
      --env) environment+=("$2"); shift 2 ;;
      *) echo "enter_root: $1" >&2; return 2 ;;
    esac
  done
  shift
  # shellcheck disable=SC2016
  unshare "${options[@]}" --fork --kill-child /bin/bash -c '
    set -e
    root=$1 network=$2; shift 2
    [ "$network" = host ] || ip link set lo up
    mount --make-rprivate /
    mount --bind "$root" "$root"
    for d in run tmp dev; do mount -t tmpfs -o mode=755 tmpfs "$root/$d"; done
    chmod 1777 "$root/tmp"
    for d in null zero full random urandom tty; do touch "$root/dev/$d"; mount --bind "/dev/$d" "$root/dev/$d"; done
    mkdir -p "$root/dev/shm" "$root/dev/pts"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
    ln -s pts/ptmx "$root/dev/ptmx"
    ln -s /proc/self/fd "$root/dev/fd"
    mount -t proc proc "$root/proc"
    mount -t sysfs sysfs "$root/sys" 2>/dev/null || true
    while [ "$1" != -- ]; do
      mkdir -p "$root$3"
      mount --bind "$2" "$root$3"
      case $1 in read-only) mount -o remount,bind,ro "$root$3" ;; esac
      shift 3
    done
    shift
    for f in /etc/resolv.conf /etc/hosts; do touch "$root$f"; mount --bind "$f" "$root$f"; done
    cd "$root"
    exec "$@"
  ' enter "$root" "$network" "${mounts[@]}" -- \
    env -i HOME=/root TERM=dumb LANG=C.UTF-8 PATH="$path" "${environment[@]}" \
    chroot "$root" /bin/bash -c 'cd "$1" && shift && exec "$@"' enter "$folder" "$@"
}
