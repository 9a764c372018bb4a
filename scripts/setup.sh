#!/bin/bash
# Makes a Debian 12 or 13 machine ready to build, or to build and test. Does nothing when everything is there.
#
#   scripts/setup.sh build    packages of the compiler and the linker
#   scripts/setup.sh test     the same, and packages of the lab of Interop/
#   scripts/setup.sh proof    the same, and programs of others that control, play and show: brokers, players, a browser
#   scripts/setup.sh deb      those of build, and the tools that make Debian packages
#
# As root, or where sudo needs no password, missing Debian packages are installed with apt. Otherwise they
# are named, with the command that installs them.
#
# Exit status: 0 ready; 1 cannot build; 2 wrong usage; 3 can build, but the lab's packages are missing.
set -euo pipefail

need_swift=6.3
# A word "a|b" is one requirement that either package fulfils (a library renamed between two releases of Debian).
toolchain="git g++ libcurl4t64|libcurl4 libncurses6 libsqlite3-0 libxml2-16|libxml2 zlib1g tzdata ca-certificates"
libraries="libavformat-dev libavcodec-dev libavutil-dev libswscale-dev libsoxr-dev libsonic-dev libssl-dev
  libcurl4-openssl-dev libavahi-client-dev libavahi-core-dev libasound2-dev libpulse-dev libsqlite3-dev libevent-dev
  libmosquitto-dev libsystemd-dev libpipewire-0.3-dev libsdl2-dev libass-dev
  pkg-config|pkgconf make"
lab="mmdebstrap zstd iproute2 ethtool util-linux mount procps ffmpeg python3 python3-numpy openssl curl"
others="python3-venv chromium fonts-inter fonts-noto-color-emoji mosquitto mosquitto-clients mpc ncmpcpp tmux zsh fish
  bash-completion playerctl dbus dbus-bin dbus-daemon systemd libglib2.0-bin pulseaudio pulseaudio-utils pipewire
  pipewire-bin pipewire-pulse wireplumber mpv xvfb jwm libxcb1 cmark-gfm mandoc"
packaging="debhelper dpkg-dev fakeroot lintian appstream xz-utils mmdebstrap zstd iproute2 util-linux"

# Is the package installed? One query for all: this runs before every build.
declare -A installed=()
read_installed() {
  local name status
  installed=()
  while IFS=$'\t' read -r name status; do
    [[ $status == *" ok installed" ]] && installed[$name]=1
  done < <(dpkg-query -W -f '${Package}\t${Status}\n' 2>/dev/null)
}

# The requirements of a list that no installed package fulfils, one a line.
missing() {
  local need name
  for need in "$@"; do
    for name in ${need//|/ }; do
      [ -n "${installed[$name]:-}" ] && continue 2
    done
    echo "$need"
  done
}

# One package name for each requirement: the first that this release of Debian has.
choose() {
  local need name
  for need in "$@"; do
    for name in ${need//|/ }; do
      # All of the output is read: with pipefail a reader that stops early would look like a failure.
      [ -n "$(apt-cache policy "$name" 2>/dev/null | sed -n '/Candidate: [^(]/p')" ] && { echo "$name"; continue 2; }
    done
    echo "${need##*|}"
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

may_install() {
  [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
}

install_needs() { # NEED...
  local names
  mapfile -t names < <(choose "$@")
  echo "installing: ${names[*]}"
  apt_install "${names[@]}" >/dev/null 2>&1 && return
  # A fresh machine has no package lists yet, an old one has stale ones.
  as_root apt-get update -q >/dev/null
  mapfile -t names < <(choose "$@")
  apt_install "${names[@]}" >/dev/null
}

# Installs the requirements, or says how; returns 1 when something is still missing.
provide() { # WHAT NEED...
  local what=$1 names
  shift
  mapfile -t needs < <(missing "$@")
  [ ${#needs[@]} = 0 ] && return 0
  if may_install && install_needs "${needs[@]}"; then
    read_installed
    mapfile -t needs < <(missing "$@")
    [ ${#needs[@]} = 0 ] && return 0
  fi
  mapfile -t names < <(choose "${needs[@]}")
  echo "Missing Debian packages, $what: ${names[*]}" >&2
  echo "Install them with:  sudo apt-get update && sudo apt-get install ${names[*]}" >&2
  return 1
}

check_swift() {
  local found version
  if ! command -v swift >/dev/null; then
    echo "swift is not on the PATH. Swift $need_swift or newer for Debian: https://www.swift.org/install/linux/" >&2
    return 1
  fi
  found=$(swift --version 2>&1) || { echo "swift --version fails: $found" >&2; return 1; }
  version=$(sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' <<<"$found" | head -n 1)
  if [ "$(printf '%s\n' "$need_swift" "${version:-0}" | sort -V | head -n 1)" != "$need_swift" ]; then
    echo "Swift $need_swift or newer is needed, this is ${version:-of unknown version}." \
      "Get it from https://www.swift.org/install/linux/" >&2
    return 1
  fi
}

case ${1:-} in build | test | proof | deb) ;; *) sed -n '2,/^set/{/^#/p}' "$0" >&2; exit 2 ;; esac
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "No dpkg and apt here: this script knows Debian 12 and 13 only. What it would install:" $toolchain $libraries >&2
  check_swift
  exit
fi

read_installed
# The requirements are words without spaces: splitting is intended.
# shellcheck disable=SC2086
provide "needed to build" $toolchain $libraries || exit 1
check_swift || exit 1
# shellcheck disable=SC2086
case $1 in
  test) provide "needed by the lab of Interop/" $lab || exit 3 ;;
  proof) provide "needed by the lab of Interop/" $lab $others || exit 3 ;;
  deb) provide "needed to make packages" $packaging || exit 1 ;;
esac
