#!/usr/bin/env python3
"""Names every `@unchecked Sendable` in the sources without a proof: a comment "Safe to share: …" at the top of its body.

Exit status: 0 all have one, 1 not.
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The rest of the declaration and its opening brace may stand between the conformance and the proof.
LINES_TO_PROOF = 3


def unproved():
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines):
            if "@unchecked Sendable" in line.split("//")[0]:
                following = lines[number + 1 : number + 1 + LINES_TO_PROOF]
                if not any(near.lstrip().startswith("// Safe to share: ") for near in following):
                    yield f"{path.relative_to(ROOT)}:{number + 1}: `@unchecked Sendable` without “// Safe to share: …” below it"


if __name__ == "__main__":
    complaints = list(unproved())
    print("\n".join(complaints), end="\n" if complaints else "")
    sys.exit(1 if complaints else 0)
