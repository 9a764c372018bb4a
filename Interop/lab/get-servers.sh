#!/bin/bash
# Unpacks programs from Debian's packages: nginx and Icecast, for the cases that play from real servers, or linuxptp, a clock for
# those that follow one. Nothing is installed, so no service starts. A second call does nothing.
#
#   get-servers.sh [servers|clocks]      prints the folder
#
# Cache: ${TUTTI_LAB_CACHE:-~/.cache/tutti-lab}/servers (5 MB) and clocks (1 MB).
set -euo pipefail
cache=${TUTTI_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tutti-lab}
kind=${1:-servers}
servers=$cache/$kind
case $kind in
# Their own libraries that a machine ready for the lab may not have.
servers) packages="nginx icecast2 libxslt1.1 libspeex1 libtheora0 libvorbis0a libogg0" ;;
clocks) packages="linuxptp" ;;
*)
  echo "get-servers.sh [servers|clocks]" >&2
  exit 2
  ;;
esac
recipe=1 # count up when the steps below change

fresh() { [ "$(cat "$servers/stamp" 2>/dev/null)" = "$recipe $packages" ]; }

unpack() {
  local part=$servers.part file
  rm -rf "$part" && mkdir -p "$part/packages" "$part/root"
  # apt's own helper user cannot write here.
  # Words without spaces: splitting is meant.
  # shellcheck disable=SC2086
  (cd "$part/packages" && apt-get -q -o APT::Sandbox::User=root download $packages >/dev/null)
  for file in "$part"/packages/*.deb; do dpkg -x "$file" "$part/root"; done
  rm -rf "$part/packages"
  echo "$recipe $packages" >"$part/stamp"
  rm -rf "$servers" && mv "$part" "$servers"
}

mkdir -p "$cache"
exec 9>"$servers.lock"
flock 9
# A fresh machine has no package lists yet, an old one has stale ones.
fresh || unpack || { apt-get -q update >/dev/null && unpack; }
echo "$servers/root"
