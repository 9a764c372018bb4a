#!/bin/bash
# Builds the programs of Examples/, and the one of Benchmarks/API, as a user's package does: from a tagged repository, by a
# version, and beside targets of the user's with the same names as our modules in Package.swift, without their prefix.
#
#   scripts/examples.sh
#
# The repository is a copy with the working tree as it is. Without git, in an unpacked archive, the examples are built
# beside the package, as Examples/Package.swift says. TUTTI_BUILD: further options of `swift build`. Exit status: 0 built,
# 1 failed.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD work=$PWD/.build/examples
read -ra options <<<"--disable-index-store ${TUTTI_BUILD:-}"

if [ "$(git rev-parse --show-toplevel 2>/dev/null)" != "$root" ]; then
  swift build --package-path Examples --scratch-path "$work/build" "${options[@]}"
  swift build --package-path Benchmarks/API --scratch-path "$work/figures" "${options[@]}"
  exit
fi

version=$(sed -nE 's/^## ([0-9]+\.[0-9]+\.[0-9]+).*/\1/p' CHANGELOG.md | head -n 1)
mkdir -p "$work"
# One commit with what is here now, committed or not.
export GIT_INDEX_FILE=$work/index GIT_AUTHOR_NAME=examples GIT_AUTHOR_EMAIL=examples@invalid \
  GIT_COMMITTER_NAME=examples GIT_COMMITTER_EMAIL=examples@invalid
git read-tree HEAD
git add -A
commit=$(git commit-tree -m "the working tree" "$(git write-tree)")
unset GIT_INDEX_FILE
rm -rf "$work/tutti" "$work/package"
git init -q --bare -b main "$work/tutti"
git push -q "$work/tutti" "$commit:refs/heads/main" "$commit:refs/tags/v$version"

cp -r Examples "$work/package"
rm -rf "$work/package/.build"
cp -r Benchmarks/API/Sources/APIFigures "$work/package/Sources/"
cd "$work/package"
sed -i "s|\.package(name: \"Tutti\", path: \"\.\.\")|.package(url: \"file://$work/tutti\", from: \"$version\")|; \
  s|package: \"Tutti\")|package: \"tutti\", condition: .when(platforms: [.linux]))|" Package.swift
grep -q 'condition: .when' Package.swift && grep -q "from: \"$version\"" Package.swift

# Targets with the names that our modules would have without the prefix.
names=$(sed -n '/^let prefixed/,/^]/p' "$root/Package.swift" | grep -o '"[A-Za-z]*"' | tr -d '"')
libraries=$(grep -o 'name: "C[A-Z][A-Za-z]*"' "$root/Package.swift" | cut -d '"' -f 2 | grep -v '^Core' | sort -u)
[ "$(wc -w <<<"$names $libraries")" -gt 40 ]
{
  echo
  echo "// Made by scripts/examples.sh."
  echo "package.targets.append(.executableTarget(name: \"APIFigures\", dependencies: [tutti], swiftSettings: strict))"
  for name in $names; do echo "package.targets.append(.target(name: \"$name\"))"; done
  for name in $libraries; do echo "package.targets.append(.target(name: \"$name\"))"; done
  echo "package.targets.append(.executableTarget(name: \"Ordinary\", dependencies: [tutti,"
  for name in $names $libraries; do echo "  \"$name\","; done
  echo "]))"
} >>Package.swift
mkdir -p Sources/Ordinary
{
  echo "import AVFoundation"
  echo "import MediaPlayer"
  echo "import Playback"
  for name in $names $libraries; do echo "import $name"; done
  echo "precondition(WireWord.text == \"Wire\" && AVQueuePlayer().items().isEmpty)"
  echo "print(\"$(wc -w <<<"$names $libraries") ordinary names beside Tutti $version\")"
} >Sources/Ordinary/main.swift
for name in $names; do
  mkdir -p "Sources/$name"
  echo "public enum ${name}Word { public static let text = \"$name\" }" >"Sources/$name/$name.swift"
done
for name in $libraries; do
  mkdir -p "Sources/$name/include"
  echo "int ${name}_number(void);" >"Sources/$name/include/$name.h"
  echo "int ${name}_number(void) { return 1; }" >"Sources/$name/$name.c"
done

swift build --scratch-path "$work/build" "${options[@]}"
swift run --scratch-path "$work/build" --skip-build Ordinary
