#!/bin/bash
# Builds the program, .build/release/tutti. Swift's own libraries become part of it, so that it runs where no
# Swift is installed, starts sooner and takes less memory; a toolchain without static libraries links them as usual.
set -euo pipefail
cd "$(dirname "$0")/.."
resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
static=()
[ -f "${resources}_static/linux/libswiftCore.a" ] && static=(--static-swift-stdlib)
exec swift build -c release --product tutti "${static[@]}"
