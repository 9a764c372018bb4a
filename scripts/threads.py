#!/usr/bin/env python3
"""Compares docs/threads.md with the queues, threads and tasks that the sources create.

A row of a table names in its first column queues and threads, in its second the source files that create them,
without folder, extension and the part after a plus sign. Every creation needs a row with its name and file; every
name and file of a row needs a creation. Prints what is missing or has vanished. Exit status: 0 all agree, 1 not.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# A string literal; an interpolation becomes "*".
LITERAL = r'"((?:[^"\\]|\\\((?:[^()]|\([^()]*\))*\)|\\.)*)"'
CREATIONS = [
    (re.compile(r"\b(?:(?:DispatchQueue|SerialQueue)\(\s*label:|makeQueue\()\s*" + LITERAL), None),
    (re.compile(r"\b\w*[lL]oop\.start\(\s*" + LITERAL), None),
    (re.compile(r"\b(?:RealtimeThread\.start|OutputThread|VirtualPlayer|ReadinessLoop)\(\s*name:\s*" + LITERAL), None),
    (re.compile(r"\bThread\.detachNewThread\b"), "unnamed thread"),
    (re.compile(r"\bpthread_create\("), "pthread_create"),
    (re.compile(r"\bavahi_threaded_poll_new\("), "avahi"),
    (re.compile(r"\bpa_threaded_mainloop_new\("), "output.pulse"),
    (re.compile(r"\bpw_thread_loop_new\(\s*" + LITERAL), None),
    (re.compile(r"\bDispatchQueue\.main\b"), "main queue"),
    (re.compile(r"(?:\bDispatchQueue|\bqueue:\s*|\bSerialQueue\()\.(?:global|concurrentPerform)\(|\.perform\(\s*qos:"), "global queue"),
    (re.compile(r"\bTask(?:\.detached|\.immediate)?\s*(?:\([^()]*\)\s*)?\{|\bwith(?:Throwing)?(?:Discarding)?TaskGroup\s*[({]"), "task"),
]
# A queue or thread whose name the check cannot read.
UNREADABLE = re.compile(r"\bDispatchQueue\(\s*(?!label:\s*\")|\bmachine\.makeQueue\(\s*(?!\")|\bRealtimeThread\.start\(\s*(?!name:\s*\")|\bThread\s*(?:\(|\{)")
# These start a queue or thread under the name that their creator gives.
FORWARDERS = {
    "OutputLoop", "OutputThread", "ReadinessLoop", "SerialQueue", "SystemMachine", "ThreadLoop", "VirtualPlayer",
}


def without_comments(text):
    """Blanks comments, and keeps strings and line numbers."""
    pattern = re.compile(r'"""(?:.|\n)*?"""|"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*(?:.|\n)*?\*/')
    return pattern.sub(lambda m: m[0] if m[0].startswith('"') else re.sub(r"[^\n]", " ", m[0]), text)


def creations():
    """Yields the name, the owner and the place of each creation in Sources."""
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        text = without_comments(path.read_text())
        owner = path.stem.split("+")[0]

        def place(match):
            return f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}"

        for pattern, kind in CREATIONS:
            for match in pattern.finditer(text):
                yield kind or re.sub(r"\\\(.*?\)+", "*", match[1]), owner, place(match)
        if owner not in FORWARDERS:
            for match in UNREADABLE.finditer(text):
                yield None, owner, place(match)


def rows():
    """Yields the names, the owners and the line number of each row of a table that has both."""
    for number, line in enumerate((ROOT / "docs/threads.md").read_text().splitlines(), 1):
        if line.startswith("## What crosses"):
            return
        cells = [re.findall(r"`([^`]+)`", cell) for cell in line.split("|")[1:3]] if line.startswith("|") else []
        if len(cells) == 2 and cells[0] and cells[1]:
            yield set(cells[0]), set(cells[1]), number


def main():
    table = list(rows())
    found = list(creations())
    complaints = []
    for name, owner, place in found:
        if name is None:
            complaints.append(f"{place}: a queue or thread without a label that is a string literal")
        elif not any(name in names and owner in owners for names, owners, _ in table):
            complaints.append(f"{place}: `{name}` of `{owner}` has no row in docs/threads.md")
    for names, owners, number in table:
        here = [(name, owner) for name, owner, _ in found if name in names and owner in owners]
        for gone in sorted((names - {name for name, _ in here}) | (owners - {owner for _, owner in here})):
            complaints.append(f"docs/threads.md:{number}: the sources create no `{gone}` of this row")
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
