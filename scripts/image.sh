#!/bin/bash
# Builds the container image "tutti" from the package in .build/deb, which it makes first. Reports the image's size.
#
#   scripts/image.sh [NAME]            default: tutti:VERSION, where a '+' of the version becomes '-', and tutti:latest
#
# Needs podman, docker or buildah, and the network for Debian's image.
set -euo pipefail
cd "$(dirname "$0")/.."
names=("$@")
[ $# -gt 0 ] || names=("tutti:$(scripts/version.sh | tr + -)" tutti:latest)
for tool in podman docker buildah; do command -v $tool >/dev/null && break; tool=; done
[ -n "$tool" ] || { echo "scripts/image.sh needs podman, docker or buildah" >&2; exit 1; }
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
scripts/deb.sh
arguments=(-f packaging/Containerfile --build-arg "SUITE=$suite" --build-arg PACKAGE=prebuilt)
for name in "${names[@]}"; do arguments+=(-t "$name"); done
# HEALTHCHECK is no part of OCI's format.
case $tool in
  docker) docker build "${arguments[@]}" . ;;
  podman) podman build --format docker "${arguments[@]}" . ;;
  buildah) buildah build --format docker "${arguments[@]}" . ;;
esac
$tool images "${names[0]}"
