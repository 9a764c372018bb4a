#!/bin/bash
# Compares the public interface of the libraries with that of the last release: a removed or changed declaration is an
# error, unless scripts/api-changes.txt has its line, as the tool prints it. A library that the release lacks is left out.
#
#   scripts/api.sh
#
# At the release itself there is nothing to compare. Otherwise builds the libraries twice, in .build. Exit status:
# 0 compatible, 1 not, 3 no release is tagged.
set -euo pipefail
cd "$(dirname "$0")/.."
tag=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null) || {
  echo "Skipped: the public interface, because no release is tagged in this repository"
  exit 3
}
if git diff --quiet "$tag" -- Sources Package.swift; then
  echo "nothing has changed since $tag"
  exit
fi
manifest=$(git show "$tag:Package.swift")
products=(Tutti)
if grep -qF '.library(name: "VideoWindow"' <<<"$manifest"; then products+=(VideoWindow); fi
# The tool compares debug builds; without the variable the manifests of both are alike.
env -u TUTTI_OPTIMISE -u TUTTI_COMBINE swift package --scratch-path .build/api diagnose-api-breaking-changes "$tag" --products "${products[@]}" \
  --breakage-allowlist-path scripts/api-changes.txt
