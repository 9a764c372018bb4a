#!/bin/bash
# Builds the documentation of the modules with Apple's names into docs/site, a folder for any web server.
#
#   scripts/docs.sh [MODULE...]     default: CoreMedia CoreAudio AudioToolbox AVFoundation MediaPlayer AVKit
#
# Errors: a DocC warning, and a public or package declaration of any library target without a doc comment. Each
# documented module needs Sources/MODULE/MODULE.docc. Uses only the tools that come with Swift. Exit status: 0 built,
# 1 failed.
set -euo pipefail
cd "$(dirname "$0")/.."

modules=("$@")
if [ $# = 0 ]; then
  # In dependency order, as pages link to those of earlier modules.
  for module in CoreMedia CoreAudio AudioToolbox AVFoundation MediaPlayer AVKit; do
    compgen -G "Sources/$module/*/*.swift" >/dev/null && modules+=("$module")
  done
fi

# The re-exported module whose symbols appear on a module's pages, as it has no pages of its own.
exported_by() {
  case $1 in
    CoreMedia) echo CoreAudioTypes ;;
    AVFoundation) echo KeyValueObserving ;;
    AVKit) echo Views ;;
  esac
}

# All library targets, whose declarations need doc comments.
libraries=(Wire MediaTime Cryptography PTP RTP RTSP HomeKitPairing AirPlayMessages SystemIO Discovery Web PCM Codecs
  Resampling AudioOutput ClockService AirPlaySender AirPlayReceiver Playback CoreAudioTypes CoreAudio CoreMedia
  AudioToolbox KeyValueObserving AVFoundation AVFAudio Views AVKit MediaPlayer)

work=.build/docs
rm -rf "$work/graphs" "$work/symbols" "$work/archives"
mkdir -p "$work/graphs" "$work/symbols" "$work/archives"

for module in "${modules[@]}" "${libraries[@]}"; do
  swift build --target "$module"
done
bin=$(swift build --show-bin-path)
triple=$(swiftc -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p' | head -n 1)
docc=$(command -v docc || echo "$(dirname "$(readlink -f "$(command -v swift)")")/docc")

# The C libraries have module maps beside their targets.
includes=(-I "$bin/Modules")
for map in Sources/C*/module.modulemap; do includes+=(-I "$(dirname "$map")"); done

# extract FOLDER LEVEL MODULE: the module's symbol graph down to this access level
extract() {
  mkdir -p "$1/$3"
  swift symbolgraph-extract -module-name "$3" "${includes[@]}" -target "$triple" \
    -minimum-access-level "$2" -skip-synthesized-members -emit-extension-block-symbols \
    -experimental-allowed-reexported-modules="$(exported_by "$3")" -output-dir "$1/$3"
}
for module in "${modules[@]}"; do extract "$work/graphs" public "$module"; done
for module in "${libraries[@]}"; do extract "$work/symbols" package "$module"; done

swiftc -O -swift-version 6 -parse-as-library scripts/UndocumentedSymbols.swift -o "$work/undocumented"
"$work/undocumented" "$work/symbols"

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
