#!/usr/bin/env python3
"""Writes docs/reference/api-coverage.md: which names of Apple's playback API are there, symbol by symbol.

    scripts/api-coverage.py [--check] [--graphs FOLDER]

The names are those of docs/reference/apple-api.txt; whether they are there, and whether they have an effect, is read from
the symbol graphs that scripts/docs.sh extracted. With --check, nothing is written, and a page that differs is an error. A
reason for the absence of a name that is there is always one.

Exit status: 0 written or current, 1 not.
"""

import argparse
import json
import pathlib
import re
import sys
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMES = ROOT / "docs/reference/apple-api.txt"
PAGE = ROOT / "docs/reference/api-coverage.md"

# How the comment of a symbol says that it has no effect.
NO_EFFECT = re.compile(
    r"[Ss]tored without effect|Stores the \w+ without effect|; has no effect here|Has no effect on playback"
    r"|; never posted|; accepted and ignored"
)


@dataclass(frozen=True)
class Name:
    """One of Apple's names: `AVPlayer.seek(to:)`."""

    module: str
    owner: str
    name: str
    kind: str

    @property
    def path(self):
        return f"{self.owner}.{self.name}" if self.owner else self.name


@dataclass
class AppleNames:
    names: list = field(default_factory=list)
    reasons: dict = field(default_factory=dict)
    complaints: list = field(default_factory=list)

    def reason(self, name):
        """Returns why a name is absent: its own reason, or that of its type."""
        steps = name.path.split(".")
        owners = [".".join(steps[:end]) for end in range(len(steps), 0, -1)]
        return next((self.reasons[owner] for owner in owners if owner in self.reasons), "")


def read_names():
    """Reads the list of Apple's names."""
    apple, module, seen = AppleNames(), "", set()
    lines = [line for line in NAMES.read_text().splitlines() if line.strip() and not line.startswith("#")]
    for line in re.sub(r"\n +", " ", "\n".join(lines)).splitlines():
        if line.startswith("module "):
            module = line.split()[1]
            continue
        head, _, members = line.partition(": ")
        kind, _, owner = head.partition(" ")
        if kind == "because":
            # A reason may have a colon, a name has none that a blank follows.
            reason, members = re.fullmatch(r"because (.*): (.*)", line).groups()
        for member in members.split(", "):
            if kind == "because":
                apple.reasons[member] = reason
                name = Name(module, *split_path(member), "")
            else:
                name = Name(module, owner, member, kind)
            if name.path in seen:
                apple.complaints.append(f"{NAMES.name}: {name.path} stands there twice")
            seen.add(name.path)
            apple.names.append(name)
    return apple


def split_path(path):
    """Returns the owner and the name of `AVPlayer.seek(to:)`."""
    head, sign, labels = path.partition("(")
    owner, _, name = head.rpartition(".")
    return owner, name + sign + labels


@dataclass
class Symbols:
    """The symbols of the modules."""

    comments: dict = field(default_factory=dict)  # the comments of each path; of the form with async apart
    above: dict = field(default_factory=dict)  # the types that a type inherits from or conforms to

    def comment(self, path):
        """Returns the comment of a symbol, of the type itself or one above it; None if there is none."""
        if path in self.comments:
            return self.comments[path]
        owner, name = split_path(path)
        found = (self.comment(f"{other}.{name}") for other in sorted(self.above.get(owner, ())))
        return next((comment for comment in found if comment is not None), None)


def read_symbols(folder):
    symbols, paths, relations = Symbols(), {}, []
    for file in sorted(folder.glob("*/*.symbols.json")):
        graph = json.loads(file.read_text())
        for symbol in graph["symbols"]:
            path = ".".join(symbol["pathComponents"])
            declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
            comment = " ".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))
            paths[symbol["identifier"]["precise"]] = path
            keys = {path, f"{path} async"} if re.search(r"\) async\b", declaration) else {path}
            for key in keys:
                # Of several, the one that has an effect counts.
                if key not in symbols.comments or NO_EFFECT.search(symbols.comments[key]):
                    symbols.comments[key] = comment
        relations += graph["relationships"]
    for relation in relations:
        if relation["kind"] in ("conformsTo", "inheritsFrom") and relation["source"] in paths:
            target = paths.get(relation["target"]) or relation.get("targetFallback", "").partition(".")[2]
            if target and target != paths[relation["source"]]:
                symbols.above.setdefault(paths[relation["source"]], set()).add(target)
    return symbols


def text(apple, symbols):
    """Returns the page."""
    modules = list(dict.fromkeys(name.module for name in apple.names))
    there = [name for name in apple.names if symbols.comment(name.path) is not None]
    idle = [name for name in there if NO_EFFECT.search(symbols.comment(name.path))]
    absent = [name for name in apple.names if symbols.comment(name.path) is None]
    lines = [
        "<!-- Written by scripts/api-coverage.py; do not edit. -->",
        "# Which of Apple's API Tutti has",
        "",
        f"Apple's API for the playback of sound has {len(apple.names)} names. Tutti has {len(there)} of them; {len(idle)} of these have no effect.",
        "The names are from [apple-api.txt](apple-api.txt), a list of facts; the names that Tutti has are read from the symbols of the modules each time that the",
        "documentation is built. Types, functions, properties and constants count as one name each. Names of UIKit, Core Foundation and Foundation are not in",
        "the list.",
        "",
        "| module | names | present | without effect | absent |",
        "|---|---|---|---|---|",
    ]
    for module in modules:
        counts = [sum(name.module == module for name in names) for names in (apple.names, there, idle, absent)]
        lines.append(f"| {module} | " + " | ".join(str(count) for count in counts) + " |")
    lines += ["", "## Absent", "", "With the reason, if there is one other than the work. If a type is absent, so are its members.", ""]
    for module in modules:
        rows = absent_rows(apple, [name for name in absent if name.module == module], symbols)
        if rows:
            lines += [f"### Absent from {module}", ""] + [f"- **{reason}.** {names}" for names, reason in rows] + [""]
    lines += ["## Present, without effect", ""]
    for name in idle:
        lines.append(f"- `{name.path}`: {summary(symbols.comment(name.path))}")
    lines += ["", "## Present", ""]
    for module in modules:
        lines += [f"### {module}", ""] + there_rows([name for name in there if name.module == module]) + [""]
    return "\n".join(lines).rstrip() + "\n"


def absent_rows(apple, names, symbols):
    """Returns rows of names with their reason, those without a reason last."""
    by_reason = {}
    for name in names:
        if name.owner and symbols.comment(name.owner) is None and name.owner in {other.path for other in names}:
            continue
        below = sum(other.path.startswith(name.path + ".") for other in names)
        more = f" and {below} members" if below else ""
        by_reason.setdefault(apple.reason(name), []).append(f"`{name.path}`{more}")
    order = sorted(by_reason, key=lambda reason: (not reason, -len(by_reason[reason]), reason))
    return [(", ".join(by_reason[reason]), reason[:1].upper() + reason[1:] or "Not implemented") for reason in order]


def there_rows(names):
    """Returns a line for each type with its members, and one for what stands in the module itself."""
    by_owner = {}
    for name in names:
        by_owner.setdefault((name.owner, name.kind), []).append(name.name)
    rows = []
    for (owner, kind), members in sorted(by_owner.items()):
        head = f"{kind} `{owner}`" if owner else "Functions, constants and types"
        rows.append(f"- {head}: " + ", ".join(f"`{member}`" for member in members))
    return rows


def summary(comment):
    """Returns the sentence of a comment that says what happens."""
    plain = re.sub(r"``([^`]+)``", lambda match: f"`{match[1].replace('/', '.')}`", comment)
    sentences = re.split(r"(?<=[.]) +(?=[A-Z`-])", plain)
    return next((sentence for sentence in sentences if NO_EFFECT.search(sentence)), sentences[0])


def main():
    parser = argparse.ArgumentParser(description="Writes docs/reference/api-coverage.md.")
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("--graphs", type=pathlib.Path, default=ROOT / ".build/docs/graphs")
    options = parser.parse_args()
    apple, symbols = read_names(), read_symbols(options.graphs)
    if not symbols.comments:
        raise SystemExit(f"no symbol graphs in {options.graphs}: run scripts/docs.sh first")
    complaints = apple.complaints + [
        f"{NAMES.name}: {path} is there; remove the reason for its absence"
        for path in apple.reasons
        if symbols.comment(path) is not None
    ]
    page = text(apple, symbols)
    shown = PAGE.relative_to(ROOT)
    if options.check and (not PAGE.exists() or PAGE.read_text() != page):
        complaints.append(f"{shown} is not current: run scripts/api-coverage.py")
    for complaint in complaints:
        print(f"error: {complaint}", file=sys.stderr)
    if not options.check:
        PAGE.write_text(page)
    there = sum(symbols.comment(name.path) is not None for name in apple.names)
    print(f"{shown}: {there} of {len(apple.names)} names are there")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
