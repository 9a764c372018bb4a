#!/usr/bin/env python3
"""Checks the layers of ARCHITECTURE.md: what the targets below Sources may know of each other.

  folders   each target lies in one of the folders of `folders` in Package.swift, which stand in the order of the layers
  order     a target depends on targets of its own folder and of earlier ones only
  library   one target depends on each library of C
  imports   a source imports no other module of the package than the dependencies of its target
  house     below Player, targets of House and Surfaces depend on nothing but Base and System, with the exceptions here

Tests and programs outside Sources may know everything. Exit status: 0 all hold, 1 not.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIBRARIES = "CLibraries"
# A house and its surfaces are programs on the player and the machine.
HOUSE = {"House", "Surfaces"}
PLAYER = "Player"
BELOW_PLAYER = {"Base", "System"}
# Dependencies that the rule of the house does not allow, with their reasons.
EXCEPTIONS = {
    ("House", "AirPlaySender"): "the states, events and errors of speakers: the product Tutti has this module, for every program",
    ("HouseWeb", "Cryptography"): "comparison of codes and tokens in constant time, which no module of Base or System has",
}
# These add targets to the manifest, or take some away.
OPTIONS = {"TUTTI_COMBINE", "TUTTI_DEVELOPMENT", "TUTTI_EXAMPLES", "TUTTI_TESTS"}
IMPORT = re.compile(
    r"^(?:@\w+(?:\([^)\n]*\))? +)*(?:(?:public|package|internal|fileprivate|private) +)?"
    r"import +(?:(?:struct|class|enum|protocol|typealias|func|let|var) +)?(\w+)",
    re.MULTILINE,
)


@dataclass
class Target:
    """A target below Sources."""

    name: str  # without the prefix of its module
    folder: str
    path: pathlib.Path
    dependencies: list  # names of modules


def folders():
    """Returns the names of the folders in their order."""
    table = re.search(r"^let folders\b.*?^\]", (ROOT / "Package.swift").read_text(), re.MULTILINE | re.DOTALL)
    return re.findall(r'\(\s*"(\w+)",\s*\[', table[0])


def manifest():
    """Returns the targets of the package as SwiftPM reads them."""
    environment = {name: value for name, value in os.environ.items() if name not in OPTIONS}
    command = ["swift", "package", "--package-path", str(ROOT), "dump-package"]
    return json.loads(subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout)["targets"]


def targets():
    """Returns the targets below Sources by the names of their modules."""
    found = {}
    for target in manifest():
        top, *folder, name = target["path"].split("/")
        if top == "Sources":
            names = [dependency["byName"][0] for dependency in target["dependencies"] if "byName" in dependency]
            found[target["name"]] = Target(name, "/".join(folder), ROOT / target["path"], names)
    return found


def faults_of_dependencies(order, known):
    users = {module: [] for module, target in known.items() if target.folder == LIBRARIES}
    unused = set(EXCEPTIONS)
    for target in known.values():
        for module in target.dependencies:
            if module not in known:
                yield f"Package.swift: {target.name} depends on {module}, which is not below Sources"
                continue
            other = known[module]
            said = f"Package.swift: {target.name} of {target.folder} depends on {other.name} of {other.folder}"
            if other.folder == LIBRARIES:
                users[module].append(target.name)
            if order.index(other.folder) > order.index(target.folder):
                yield f"{said}, a later folder"
            is_below_player = order.index(other.folder) < order.index(PLAYER)
            if target.folder in HOUSE and is_below_player and other.folder not in BELOW_PLAYER:
                unused.discard((target.name, other.name))
                if (target.name, other.name) not in EXCEPTIONS:
                    yield f"{said}; below {PLAYER}, House and Surfaces may know {' and '.join(sorted(BELOW_PLAYER))} only"
    for module, names in users.items():
        if len(names) != 1:
            yield f"Package.swift: one target depends on a library of C; on {known[module].name}: {', '.join(names) or 'none'}"
    for name, other in sorted(unused):
        yield f"scripts/layers.py: {name} does not depend on {other} any more: the exception can go"


def faults_of_imports(known):
    for module, target in known.items():
        for path in sorted(target.path.rglob("*.swift")):
            text = path.read_text()
            for match in IMPORT.finditer(text):
                if match[1] in known and match[1] != module and match[1] not in target.dependencies:
                    place = f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}"
                    yield f"{place}: {match[1]} is no dependency of {target.name} in Package.swift"


def main():
    order, known = folders(), targets()
    faults = [
        f"{target.path.relative_to(ROOT)} is in none of the folders of Package.swift"
        for target in known.values()
        if target.folder not in order
    ]
    # The other rules need the folders.
    faults = faults or [*faults_of_dependencies(order, known), *faults_of_imports(known)]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
