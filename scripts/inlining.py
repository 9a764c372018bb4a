#!/usr/bin/env python3
"""Names every `@inlinable` of a type whose declaration lacks `@usableFromInline`.

Without it the compiler passes the body of a `package` member on to no other module, and says nothing: a generic type runs
unspecialized there, through tables. Exit status: 0 none lacks it, 1 some do.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TYPE = re.compile(r"^(?P<before>.*?)\bpackage (?:final |indirect )?(?:struct|enum|class|actor|protocol) (?P<name>\w+)")
OPENED = re.compile(r"^(?:[@\w() ]+ )?(?:struct|enum|class|actor|extension) (?P<name>[\w.]+)")


def findings():
    texts = {path: path.read_text().splitlines() for path in sorted((ROOT / "Sources").rglob("*.swift"))}
    hidden = set()
    for lines in texts.values():
        for number, line in enumerate(lines):
            declared = TYPE.match(line)
            above = lines[number - 1] if number else ""
            if declared and "@usableFromInline" not in declared["before"] + above:
                hidden.add(declared["name"])
    for path, lines in texts.items():
        outer = ""
        for number, line in enumerate(lines):
            opened = OPENED.match(line)
            if opened:
                outer = opened["name"].split(".")[-1]
            if "@inlinable" in line and outer in hidden:
                yield f"{path.relative_to(ROOT)}:{number + 1}: `@inlinable` in `{outer}`, which lacks `@usableFromInline`"


if __name__ == "__main__":
    complaints = list(findings())
    print("\n".join(complaints), end="\n" if complaints else "")
    sys.exit(1 if complaints else 0)
