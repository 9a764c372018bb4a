#!/bin/bash
# Prints the folder of the Swift toolchain on the PATH, the one with usr/bin/swiftc; an empty line for a Swift that is part of the
# system, in /usr. The program on the PATH may be a link or a proxy, as swiftly's is: the compiler itself knows.
set -euo pipefail
swiftc -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/usr/lib/swift".*|\1|p'
