#!/usr/bin/env python3
"""Checks the Swift code of the documentation: each block stands, line for line, in the source of an example, which
`scripts/check.sh examples` builds. Blank lines and common indentation do not count.

A block that begins with `// swift-tools-version` is a manifest of its own; SwiftPM must accept it.

Exit status: 0 all found, 1 not.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The texts whose code is checked, each with its programs below Examples/Sources.
PROGRAMS = {
    "docs/tutorials/first-player.md": ["FirstPlayer"],
    "docs/how-to/bring-your-ios-player.md": ["PortedPlayer"],
    "Sources/Player/Playback/Playback.docc/ChoosingOutputs.md": ["ChooseRooms", "PlayZones"],
}


def blocks(text):
    """Yields the number of the first line, and the lines, of each block of Swift."""
    for match in re.finditer(r"^( *)```swift\n(.*?)^\1```$", text, re.DOTALL | re.MULTILINE):
        yield text.count("\n", 0, match.start()) + 2, match[2].splitlines()


def dedented(lines):
    """Returns the lines that are not blank, without their common indentation."""
    lines = [line.rstrip() for line in lines if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return [line[margin:] for line in lines]


def stands_in(block, source):
    """Whether a run of a source's lines is the block."""
    wanted = dedented(block)
    lines = [line for line in source.splitlines() if line.strip()]
    return any(dedented(lines[start : start + len(wanted)]) == wanted for start in range(len(lines) - len(wanted) + 1))


def is_manifest(block):
    """Whether SwiftPM accepts a block as a package's manifest."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "Package.swift").write_text("\n".join(block) + "\n")
        command = ["swift", "package", "--package-path", folder, "dump-package"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def main():
    complaints, count = [], 0
    for text, programs in PROGRAMS.items():
        folders = [ROOT / "Examples/Sources" / program for program in programs]
        sources = [path.read_text() for folder in folders for path in sorted(folder.glob("*.swift"))]
        for line, block in blocks((ROOT / text).read_text()):
            count += 1
            if block and block[0].startswith("// swift-tools-version"):
                if not is_manifest(block):
                    complaints.append(f"{text}:{line}: error: SwiftPM does not accept this manifest")
            elif not any(stands_in(block, source) for source in sources):
                complaints.append(f"{text}:{line}: error: this code is not in {' or '.join(programs)}")
    print("\n".join(complaints), end="\n" if complaints else "")
    print(f"{count} blocks of Swift in {len(PROGRAMS)} texts, {len(complaints)} that no example has")
    return 1 if complaints or not count else 0


if __name__ == "__main__":
    sys.exit(main())
