#!/bin/bash
# Writes the files that packages install beside the program: man pages, completions and AppStream metadata.
#
#   scripts/share.sh PROGRAM FOLDER
#
# FOLDER then has man/*, bash/tutti, zsh/_tutti, fish/tutti.fish, tutti.metainfo.xml, and `component` with the AppStream
# id. The same source makes the same files.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# = 2 ] || { sed -n '2,/^set/{/^#/p}' "$0" >&2; exit 2; }
program=$1 folder=$2

rm -rf "$folder"
mkdir -p "$folder"/{man,bash,zsh,fish}
"$program" reference man "$folder/man" >/dev/null
cp docs/man/tutti.conf.5 "$folder/man/"
"$program" completions bash >"$folder/bash/tutti"
"$program" completions zsh >"$folder/zsh/_tutti"
"$program" completions fish >"$folder/fish/tutti.fish"

date=$(LC_ALL=C date -u +%F -d "@$(scripts/version.sh --time)")
sed -e "s/@VERSION@/$(scripts/version.sh)/" -e "s/@DATE@/$date/" packaging/tutti.metainfo.xml.in \
  >"$folder/tutti.metainfo.xml"
sed -n 's|^ *<id>\(.*\)</id>|\1|p' "$folder/tutti.metainfo.xml" >"$folder/component"
