#!/bin/bash
# Builds the packages and archives of the last commit twice, in two folders and with different settings of the user, and
# compares the bytes. Takes two full builds (20 minutes).
#
#   scripts/reproducible.sh [FOLDER]       default: .build/reproducible
#
# Exit status: 0 the same bytes, 1 a difference. The two folders stay if there is one.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-.build/reproducible}")
rm -rf "$folder"
mkdir -p "$folder"

build() ( # FOLDER UMASK LOCALE TIME-ZONE
  umask "$2"
  export LC_ALL=$3 TZ=$4 HOME=$folder/home-$2
  mkdir -p "$HOME" "$(dirname "$1")"
  git clone -q --no-hardlinks . "$1"
  cd "$1"
  scripts/deb.sh && scripts/tarball.sh && scripts/dist.sh
)
build "$folder/first" 022 C.UTF-8 UTC
build "$folder/second/and/deeper" 077 fr_FR.UTF-8 Asia/Kolkata

status=0
for file in "$folder"/first/.build/deb/*.deb "$folder"/first/.build/dist/*.tar.xz; do
  if cmp "$file" "$folder/second/and/deeper/${file#"$folder"/first/}"; then echo "the same bytes: $(basename "$file")"; else status=1; fi
done
[ $status != 0 ] || rm -rf "$folder"
exit $status
