#!/bin/bash
# Builds the documentation of the modules that have Apple's names into docs/site, a folder for any web server.
#
#   scripts/docs.sh [MODULE...]     all that are there of CoreMedia CoreAudio AudioToolbox AVFoundation MediaPlayer AVKit
#
# A public declaration of theirs without a doc comment, and anything DocC warns of, is an error. Each module needs
# Sources/MODULE/MODULE.docc. Uses the tools that come with Swift only. Exit status: 0 built, 1 not.
set -euo pipefail
cd "$(dirname "$0")/.."

modules=("$@")
if [ $# = 0 ]; then
  # In the order of their dependencies, as pages link to those before them.
  for module in CoreMedia CoreAudio AudioToolbox AVFoundation MediaPlayer AVKit; do
    compgen -G "Sources/$module/*/*.swift" >/dev/null && modules+=("$module")
  done
fi

# What a module shows of another one that it exports: the part has no page of its own.
exported_by() {
  case $1 in
    CoreMedia) echo CoreAudioTypes ;;
    AVFoundation) echo KeyValueObserving ;;
    AVKit) echo Views ;;
  esac
}

work=.build/docs
rm -rf "$work/graphs" "$work/archives"
mkdir -p "$work/graphs" "$work/archives"

for module in "${modules[@]}"; do
  swift build --target "$module"
done
bin=$(swift build --show-bin-path)
triple=$(swiftc -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p' | head -n 1)
docc=$(command -v docc || echo "$(dirname "$(readlink -f "$(command -v swift)")")/docc")

# The C libraries have module maps beside their targets.
includes=(-I "$bin/Modules")
for map in Sources/C*/module.modulemap; do includes+=(-I "$(dirname "$map")"); done

for module in "${modules[@]}"; do
  mkdir -p "$work/graphs/$module"
  swift symbolgraph-extract -module-name "$module" "${includes[@]}" -target "$triple" \
    -minimum-access-level public -skip-synthesized-members -emit-extension-block-symbols \
    -experimental-allowed-reexported-modules="$(exported_by "$module")" -output-dir "$work/graphs/$module"
done

swiftc -O -swift-version 6 -parse-as-library scripts/UndocumentedSymbols.swift -o "$work/undocumented"
"$work/undocumented" "$work/graphs"

dependencies=() archives=()
for module in "${modules[@]}"; do
  archive=$work/archives/$module.doccarchive
  "$docc" convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$work/graphs/$module" \
    --fallback-display-name "$module" --fallback-bundle-identifier "tutti.$module" --warnings-as-errors \
    --disable-parameters-and-returns-validation \
    --enable-experimental-external-link-support "${dependencies[@]}" --output-path "$archive"
  dependencies+=(--dependency "$archive")
  archives+=("$archive")
done

rm -rf docs/site
"$docc" merge "${archives[@]}" --synthesized-landing-page-name Tutti --output-path docs/site
echo "docs/site: ${modules[*]}"
