#!/bin/bash
# Makes a folder that holds programs of other people, of which nothing is installed on this machine: the receivers' (Debian sid with
# shairport-sync, nqptp, avahi, D-Bus and PulseAudio), the AirPlay 1 senders' (Debian 12 with PipeWire, WirePlumber and PulseAudio), or those of
# Debian sid (PipeWire and WirePlumber). A second call does nothing; a call on a machine without the folder but with the tar unpacks the tar; only else is the mirror
# asked, the one that apt on this machine uses.
#
#   make-root.sh [receivers|senders|new-senders]     as root; prints the folder
#
# Cache: ${TUTTI_LAB_CACHE:-~/.cache/tutti-lab}, holding root-sid/ (370 MB), root-senders/ and root-new-senders/, and a tar of each.
set -euo pipefail
cache=${TUTTI_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tutti-lab}
case ${1:-receivers} in
receivers)
  suite=sid root=$cache/root-sid
  packages="avahi-daemon avahi-utils dbus-daemon dbus-bin pulseaudio pulseaudio-utils iproute2 procps shairport-sync nqptp"
  ;;
senders)
  suite=bookworm root=$cache/root-senders
  packages="avahi-daemon dbus-daemon iproute2 pipewire pipewire-bin wireplumber pulseaudio pulseaudio-utils pulseaudio-module-raop pulseaudio-module-zeroconf"
  ;;
new-senders)
  suite=sid root=$cache/root-new-senders
  packages="avahi-daemon dbus-daemon iproute2 pipewire pipewire-bin wireplumber"
  ;;
*)
  echo "make-root.sh [receivers|senders|new-senders]" >&2
  exit 2
  ;;
esac
recipe=2 # count up when the steps below change, so that old folders and tars are made anew
# Words without spaces: splitting is meant.
# shellcheck disable=SC2086
want=$(printf '%s\n' $packages | sort -u)

fresh() {
  local stamp=$root/etc/lab-root.stamp
  [ -f "$stamp" ] && [ "$(sed -n 's/^recipe //p' "$stamp")" = "$recipe" ] &&
    [ "$(sed -n '/^want:/,/^end/{//!p}' "$stamp")" = "$want" ]
}

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
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/fonts/*' --dpkgopt='path-exclude=/usr/libexec/glycin-loaders/*' \
    --include="${want//$'\n'/,}" "$suite" "$root.part" "$from" >&2
  # A minimal root has no hosts file: without "localhost" nqptp and shairport-sync stop at start.
  printf '127.0.0.1 localhost\n::1 localhost\n' >"$root.part/etc/hosts"
  [ -f "$root.part/etc/nsswitch.conf" ] ||
    printf 'passwd: files\ngroup: files\nhosts: files\n' >"$root.part/etc/nsswitch.conf"
  mkdir -p "$root.part/mnt"
  {
    printf 'recipe %s\nwant:\n%s\nend\n' "$recipe" "$want"
    # shellcheck disable=SC2086
    chroot "$root.part" dpkg-query -W -f '${Package} ${Version}\n' $want
  } >"$root.part/etc/lab-root.stamp"
  mv "$root.part" "$root"
  tar --zstd -cpf "$root.tar.zst.part" -C "$root" . && mv "$root.tar.zst.part" "$root.tar.zst"
}

mkdir -p "$cache"
# Two runs that start at once: one makes it, the other waits.
exec 9>"$root.lock"
flock 9
fresh || unpack || make
echo "$root"
