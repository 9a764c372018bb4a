#!/bin/bash
# Builds the documentation of the modules that programs import into docs/site, a folder for any web server.
# `make site` makes pages of it that open from a file.
#
#   scripts/docs.sh [MODULE...]     default: CoreMedia CoreAudio AudioToolbox AirPlaySender Playback AVFoundation
#                                   MediaPlayer AVKit
#   scripts/docs.sh --comments      builds nothing: looks in the debug build for declarations without a doc comment
#
# Errors: a DocC warning; a public or package declaration of any library target without a doc comment; code in the
# documentation that no example has (scripts/snippets.py); docs/reference/api-coverage.md differs from the symbols
# (scripts/api-coverage.py). Each documented module needs Sources/*/MODULE/MODULE.docc. Uses only Python and the tools
# that come with Swift. Exit status: 0 built, 1 failed.
set -euo pipefail
cd "$(dirname "$0")/.."

only_comments=
[ "${1:-}" != --comments ] || { only_comments=1; shift; }
modules=("$@")
if [ $# = 0 ]; then
  # In dependency order, as pages link to those of earlier modules.
  for module in CoreMedia CoreAudio AudioToolbox AirPlaySender Playback AVFoundation VideoWindow MediaPlayer AVKit; do
    compgen -G "Sources/*/$module/*/*.swift" >/dev/null && modules+=("$module")
  done
fi

# The re-exported modules whose symbols appear on a module's pages, as they have no pages of their own.
exported_by() {
  case $1 in
    CoreMedia) echo CoreAudioTypes,CoreVideo,TuttiGraphics ;;
    Playback)
      echo AirPlayMessages,TuttiAudioOutput,TuttiClockService,TuttiDiscovery,TuttiMediaTime,TuttiPCM,TuttiSystemIO
      ;;
    AVFoundation) echo TuttiKeyValueObserving ;;
    AVKit) echo TuttiViews ;;
  esac
}

# All library targets, whose declarations need doc comments.
libraries=(TuttiWire TuttiMediaTime TuttiCryptography TuttiPTP TuttiRTP TuttiRTSP HomeKitPairing AirPlayMessages
  TuttiSystemIO TuttiDiscovery TuttiWeb TuttiPCM TuttiCodecs TuttiResampling TuttiAudioOutput TuttiClockService
  AirPlaySender AirPlayReceiver Playback TuttiGraphics CoreVideo CoreAudioTypes CoreAudio CoreMedia AudioToolbox AudioUnit MediaToolbox TuttiKeyValueObserving
  AVFoundation AVFAudio VideoWindow TuttiViews AVKit MediaPlayer)

work=.build/docs
rm -rf "$work/graphs" "$work/symbols" "$work/archives"
mkdir -p "$work/graphs" "$work/symbols" "$work/archives"

# All targets at once: of a module alone the other ones, too, are looked at each time.
[ -n "$only_comments" ] || swift build ${TUTTI_BUILD:-}
bin=$(swift build --show-bin-path)
triple=$(swiftc -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p' | head -n 1)
docc=$(command -v docc || echo "$(dirname "$(readlink -f "$(command -v swift)")")/docc")

# The C libraries have module maps beside their targets.
includes=(-I "$bin/Modules")
for map in Sources/CLibraries/*/{,include/}module.modulemap; do includes+=(-I "$(dirname "$map")"); done

# extract FOLDER LEVEL MODULE: the module's symbol graph down to this access level
extract() {
  mkdir -p "$1/$3"
  swift symbolgraph-extract -module-name "$3" "${includes[@]}" -target "$triple" \
    -minimum-access-level "$2" -skip-synthesized-members -emit-extension-block-symbols \
    -experimental-allowed-reexported-modules="$(exported_by "$3")" -output-dir "$1/$3"
}
# As many at once as there are cores.
extract_all() { # FOLDER LEVEL MODULE...
  local running=() module
  for module in "${@:3}"; do
    extract "$1" "$2" "$module" &
    running+=($!)
    [ ${#running[@]} -lt "$(nproc)" ] || { wait "${running[0]}"; running=("${running[@]:1}"); }
  done
  for module in "${running[@]}"; do wait "$module"; done
}
[ -n "$only_comments" ] || extract_all "$work/graphs" public "${modules[@]}"
extract_all "$work/symbols" package "${libraries[@]}"

swiftc -O -swift-version 6 -parse-as-library scripts/UndocumentedSymbols.swift -o "$work/undocumented"
"$work/undocumented" "$work/symbols"
[ -z "$only_comments" ] || exit 0

dependencies=() archives=()
for module in "${modules[@]}"; do
  archive=$work/archives/$module.doccarchive
  "$docc" convert Sources/*/"$module/$module.docc" --additional-symbol-graph-dir "$work/graphs/$module" \
    --fallback-display-name "$module" --fallback-bundle-identifier "tutti.$module" --warnings-as-errors \
    --disable-parameters-and-returns-validation \
    --enable-experimental-external-link-support "${dependencies[@]}" --output-path "$archive"
  dependencies+=(--dependency "$archive")
  archives+=("$archive")
done

rm -rf docs/site
"$docc" merge "${archives[@]}" --synthesized-landing-page-name Tutti --output-path docs/site
if [ $# = 0 ]; then
  scripts/snippets.py
  scripts/api-coverage.py --check
fi
echo "docs/site: ${modules[*]}"
