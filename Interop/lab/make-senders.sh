#!/bin/bash
# Makes the folder that holds the AirPlay 1 senders' programs: Debian 12 with PipeWire, WirePlumber, PulseAudio, avahi
# and D-Bus. Nothing of it is installed on this machine. A second call does nothing; a call on a machine without the
# folder but with the tar unpacks the tar.
#
#   make-senders.sh     as root; prints the folder
#
# Cache: ${TUTTI_LAB_CACHE:-~/.cache/tutti-lab}, holding root-senders/ and root-senders.tar.zst.
set -euo pipefail
cache=${TUTTI_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tutti-lab}
root=$cache/root-senders
packages="avahi-daemon dbus-daemon iproute2 pipewire pipewire-bin wireplumber pulseaudio pulseaudio-utils pulseaudio-module-raop pulseaudio-module-zeroconf"
recipe=1 # count up when the steps below change

fresh() { [ "$(cat "$root/etc/lab-root.stamp" 2>/dev/null)" = "$recipe $packages" ]; }

unpack() {
  [ -f "$root.tar.zst" ] || return 1
  rm -rf "$root.part" && mkdir -p "$root.part"
  tar --zstd -xpf "$root.tar.zst" -C "$root.part" && rm -rf "$root" && mv "$root.part" "$root" && fresh
}

mirror() {
  apt-get indextargets --format '$(REPO_URI)|$(ORIGIN)|$(LABEL)' 'Created-By: Packages' |
    awk -F'|' '$2 == "Debian" && $3 == "Debian" && !found { print $1; found = 1 }'
}

make() {
  local from
  from=$(mirror)
  [ -n "$from" ] || { apt-get update -q >/dev/null; from=$(mirror); }
  [ -n "$from" ] || { echo "no Debian mirror in this machine's apt configuration" >&2; return 1; }
  rm -rf "$root" "$root.part" "$root.tar.zst"
  # Check-Valid-Until: the mirror may be a snapshot whose Release file has run out.
  timeout 900 mmdebstrap --mode=root --variant=apt --quiet \
    --aptopt='APT::Install-Recommends "false"' \
    --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Check-Date "false"' \
    --aptopt='Acquire::Languages "none"' --aptopt='Acquire::Retries "3"' \
    --dpkgopt=force-unsafe-io \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/fonts/*' \
    --include="${packages// /,}" bookworm "$root.part" "$from" >&2
  printf '127.0.0.1 localhost\n::1 localhost\n' >"$root.part/etc/hosts"
  mkdir -p "$root.part/mnt"
  echo "$recipe $packages" >"$root.part/etc/lab-root.stamp"
  mv "$root.part" "$root"
  tar --zstd -cpf "$root.tar.zst.part" -C "$root" . && mv "$root.tar.zst.part" "$root.tar.zst"
}

mkdir -p "$cache"
# Two runs that start at once: one makes it, the other waits.
exec 9>"$cache/senders-root.lock"
flock 9
fresh || unpack || make
echo "$root"
