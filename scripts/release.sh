#!/bin/bash
# Builds the program, .build/release/tutti, or the named products. Swift's own libraries become part of it, so that it runs where no
# Swift is installed, starts sooner and takes less memory; a toolchain without static libraries links them as usual.
#
# The build has its own folder, because two builds in one folder wait for each other.
set -euo pipefail
cd "$(dirname "$0")/.."
unset TUTTI_COMBINE
scratch=.build/optimised
resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
static=()
[ -f "${resources}_static/linux/libswiftCore.a" ] && static=(--static-swift-stdlib)
# Half a megabyte of relocations instead of three, no table of 19,000 symbols that nobody looks up, equal functions once.
link=(-Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --icf=safe -Xlinker --no-export-dynamic)
# Builds in different folders give the same bytes (scripts/reproducible.sh): program and debug symbols name no folder of
# this machine and no file of the compiler's cache, whose name depends on the folder, and have no hash of the compiler's
# intermediate form, which does too.
paths=(-Xswiftc -file-prefix-map -Xswiftc "$PWD=." -Xcc "-ffile-prefix-map=$PWD=."
  -Xswiftc -prefix-serialized-debugging-options -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen)
toolchain=$(scripts/toolchain.sh)
[ -z "$toolchain" ] || paths+=(-Xswiftc -file-prefix-map -Xswiftc "$toolchain=/swift" -Xcc "-ffile-prefix-map=$toolchain=/swift")
TUTTI_VERSION=$(scripts/version.sh)
export TUTTI_VERSION
for product in "${@:-tutti}"; do
  swift build -c release --scratch-path "$scratch" --product "$product" "${static[@]}" "${link[@]}" "${paths[@]}"
done
ln -sfn "${scratch#.build/}/release" .build/release
