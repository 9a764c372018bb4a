#!/usr/bin/env python3
"""Checks the README and the pages below docs against the program and the tree.

scripts/readme.py PROGRAM        such as .build/release/tutti

  commands   each shell command of README.md, docs/tutorials and docs/how-to: one of `tutti` must parse (`tutti reference
             check-command` looks, and runs nothing), a target of `make` must exist, any other must be in the lists
             below. A few commands of the README are run.
  words      in the same pages and docs/reference: each `tutti NAME` in a text must be a command, each `--option` an option,
             each `make NAME` a target
  links      each relative link and anchor in the Markdown files at the top, in docs, Interop and .github must lead somewhere
  index      each page below docs must be in docs/README.md
  length     the README has at most 150 lines

Shell commands are indented blocks, and fenced ones named sh. Prints what is wrong. Exit status: 0 nothing, 1 something, 2 wrong usage.
"""

import fnmatch
import pathlib
import re
import shlex
import subprocess
import sys
import unicodedata
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
README_LINES = 150
SHELL = {"sh", "bash", "shell", "console"}
NAMES_OF_PROGRAM = {"tutti", ".build/release/tutti"}

# Commands of the README that are run, with the exit statuses that may follow: a network without speakers is one, too.
RUN = {"tutti --version": {0}, "tutti speakers --once": {0, 66, 69}}

# Commands with consequences for the machine, word for word, where `*` is any text.
HARMLESS = [
    "sudo apt install ./.build/deb/tutti_*.deb",
    "sudo apt install *-dev pkg-config",
    "sudo setcap cap_net_bind_service=+ep .build/release/tutti",
    "sudo sysctl net.ipv4.ip_unprivileged_port_start=319",
    "sudo install -d -m 2770 -g audio /run/tutti",
    "sudo systemctl enable --now tutti",
    "systemctl --user enable --now tutti",
    "chmod 600 ~/.config/tutti/speakers.json",
    "mkdir -p ~/.config/tutti",
    "swift run --package-path Examples *",
    "swift build",
    "mkdir -p FirstPlayer/Sources/FirstPlayer",
    "cd FirstPlayer",
    "swift run FirstPlayer *",
    "podman build --format docker -f packaging/Containerfile *",
    "docker build -f packaging/Containerfile *",
    "podman run --detach --name tutti *",
    "podman exec tutti tutti *",
]
# Programs beside `tutti` in pipes: they read, write standard output, or append to the file that is named.
# Pages about other programs, whose options are not those of `tutti`.
FOREIGN = {"container.md"}
OTHERS = {"cat", "curl", "espeak-ng", "ffmpeg", "jq", "source", "tee"}


def program_output(program, *words):
    """The standard output and error of the program, and its exit status."""
    ended = subprocess.run([program, *words], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    return ended.stdout + ended.stderr, ended.returncode


def relative(path):
    return path.relative_to(ROOT)


# Markdown


def blocks(text):
    """Yields the first line's number, the language and the text of each block of code; indented ones have the language `indented`."""
    lines = text.splitlines()
    index, isAfterBlank = 0, True
    while index < len(lines):
        line = lines[index]
        fence = re.match(r"( *)(```+|~~~+)\s*([\w+-]*)", line)
        if fence:
            start, language, body = index + 2, fence[3], []
            index += 1
            while index < len(lines) and not lines[index].strip().startswith(fence[2]):
                body.append(lines[index][len(fence[1]):] if lines[index].startswith(fence[1]) else lines[index])
                index += 1
            yield start, language, "\n".join(body)
        elif isAfterBlank and re.match(r" {4}\S", line):
            start, body = index + 1, []
            while index < len(lines) and (re.match(r" {4}", lines[index]) or not lines[index].strip()):
                body.append(lines[index][4:])
                index += 1
            yield start, "indented", "\n".join(body).rstrip()
            isAfterBlank = True
            continue
        isAfterBlank = not line.strip()
        index += 1


def without_code(text):
    """Blanks blocks of code, and keeps the numbers of lines."""
    lines = text.splitlines()
    for start, language, body in list(blocks(text)):
        first = start - 1
        for index in range(first, min(first + len(body.splitlines()), len(lines))):
            lines[index] = ""
    return "\n".join(lines)


def spans(text):
    """Yields the line's number and the text of each span of code outside blocks."""
    for number, line in enumerate(without_code(text).splitlines(), 1):
        for match in re.finditer(r"(`+)(.+?)\1", line):
            yield number, match[2].strip()


def slug(heading):
    """The anchor of a heading, as the common hosts of repositories make it."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"[`*]", "", text).strip().lower()
    kept = [c for c in text if c in "-_ " or unicodedata.category(c)[0] in "LN"]
    return "".join(kept).replace(" ", "-")


def anchors(path, cache={}):
    """The anchors of a page."""
    if path not in cache:
        found, text = set(), path.read_text()
        for line in without_code(text).splitlines():
            if heading := re.match(r"#{1,6} +(.*?)(?: +#*)?$", line):
                name, count = slug(heading[1]), 0
                while (name if not count else f"{name}-{count}") in found:
                    count += 1
                found.add(name if not count else f"{name}-{count}")
            found |= set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", line))
        cache[path] = found
    return cache[path]


def links(text):
    """Yields the line's number and the target of each link and picture."""
    for number, line in enumerate(without_code(text).splitlines(), 1):
        line = re.sub(r"(`+).+?\1", "", line)
        for match in re.finditer(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)", line):
            yield number, match[1]
        if definition := re.match(r" {0,3}\[[^\]]+\]:\s+(\S+)", line):
            yield number, definition[1]


# Pages


def guides():
    """The pages whose commands a reader pastes."""
    folders = ROOT / "docs/tutorials", ROOT / "docs/how-to"
    return [ROOT / "README.md"] + [page for folder in folders for page in sorted(folder.glob("**/*.md"))]


def pages_of_docs():
    return [page for page in sorted((ROOT / "docs").rglob("*.md")) if "site" not in page.relative_to(ROOT / "docs").parts[:1]]


def pages_with_links():
    others = sorted(ROOT.glob("*.md")) + sorted((ROOT / ".github").rglob("*.md")) + sorted((ROOT / "Interop").glob("*.md"))
    return others + pages_of_docs()


# Commands


def commands(path):
    """Yields the line's number and the text of each shell command of a page, joined where a line continues."""
    for start, language, body in blocks(path.read_text()):
        if language == "":
            yield start, None
        if language not in SHELL | {"indented"}:
            continue
        pending, first = "", start
        for number, line in enumerate(body.splitlines(), start):
            first = first if pending else number
            pending += line.strip()
            if pending.endswith("\\"):
                pending = pending[:-1]
                continue
            if pending and not pending.startswith("#"):
                yield first, pending
            pending = ""


def simple_commands(text):
    """The words of each program that a line of shell starts."""
    inner = re.findall(r"<\((.*?)\)", text)
    text = re.sub(r"source\s+<\(.*?\)", "", text)
    # The pattern of the package's file is a word, no operator.
    lexer = shlex.shlex(text, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    found, words, isTarget = [], [], False
    for word in lexer:
        if set(word) <= set("|&;"):
            found.append(words)
            words = []
        elif set(word) <= set("<>"):
            isTarget = True
        elif isTarget:
            isTarget = False
        elif not words and re.match(r"[A-Z_]+=", word):
            continue
        else:
            words.append(word)
    found.append(words)
    return [words for words in found if words] + [words for part in inner for words in simple_commands(part)]


def targets():
    """The targets of the Makefile."""
    found = set()
    for line in (ROOT / "Makefile").read_text().splitlines():
        if match := re.match(r"([a-z][\w .-]*):(?!=)", line):
            found |= set(match[1].split())
    return found


def fault_of_command(words, program):
    """The reason why a command of a page would not work; None if it would."""
    if words[0] in NAMES_OF_PROGRAM:
        output, status = program_output(program, "reference", "check-command", "--", *words[1:])
        return None if status == 0 else output.strip() or f"check-command exits with {status}"
    if words[0] == "make":
        missing = [word for word in words[1:] if "=" not in word and word not in targets()]
        return f"there is no target {', '.join(missing)}" if missing else None
    if words[0] in OTHERS:
        return None
    line = " ".join(words)
    if any(fnmatch.fnmatchcase(line, pattern.replace("[", "[[]")) or line == pattern for pattern in HARMLESS):
        return None
    return "this command is in neither list of scripts/readme.py"


def check_commands(program):
    output, status = program_output(program, "reference", "check-command", "--", "--version")
    if status != 0:
        yield f"{program} cannot check commands: {output.strip()}"
        return
    for page in guides():
        for number, text in commands(page):
            place = f"{relative(page)}:{number}"
            if text is None:
                yield f"{place}: a block of code says no language"
                continue
            try:
                parts = simple_commands(text)
            except ValueError as error:
                yield f"{place}: {text}: {error}"
                continue
            for words in parts:
                if fault := fault_of_command(words, program):
                    yield f"{place}: {shlex.join(words)}: {fault}"
            if page.name == "README.md" and " ".join(parts[0] if parts else []) in RUN:
                yield from run(place, parts[0], program)


def run(place, words, program):
    """Runs a command of the README."""
    line = " ".join(words)
    try:
        output, status = program_output(program, *words[1:])
    except subprocess.TimeoutExpired:
        yield f"{place}: {line}: did not end in 60 s"
        return
    if status not in RUN[line]:
        yield f"{place}: {line}: exit status {status}: {output.strip()[-300:]}"
    elif words[1:] == ["--version"] and not re.fullmatch(r"tutti \d+\.\d+\.\d+\S*\n", output):
        yield f"{place}: {line}: printed {output!r}"


# Words


def check_words(program):
    help_text, _ = program_output(program, "--help")
    listed = help_text.split("Commands:", 1)[-1].split("\nOptions:", 1)[0]
    known = set(re.findall(r"^  ([a-z][\w-]*) ", listed, re.MULTILINE))
    options = set(re.findall(r"--[a-z][\w-]*", help_text))
    for name in known:
        options |= set(re.findall(r"--[a-z][\w-]*", program_output(program, name, "--help")[0]))
    known |= {"help", "reference"}
    for page in guides() + sorted((ROOT / "docs/reference").glob("*.md")):
        for number, code in spans(page.read_text()):
            place = f"{relative(page)}:{number}"
            words = code.split()
            if words[0] == "tutti" and len(words) > 1 and re.fullmatch(r"[a-z][a-z-]*", words[1]) and words[1] not in known:
                yield f"{place}: `{code}`: tutti has no command {words[1]}"
            if words[0] == "make" and len(words) > 1 and re.fullmatch(r"[a-z]+", words[1]) and words[1] not in targets():
                yield f"{place}: `{code}`: there is no target {words[1]}"
            isOurs = words[0] == "tutti" or words[0].startswith("--")
            isOurs = isOurs and page.name not in FOREIGN
            for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", code) if isOurs else []:
                if option not in options:
                    yield f"{place}: `{code}`: tutti has no option {option}"


# Links


def check_links():
    for page in pages_with_links():
        for number, target in links(page.read_text()):
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            name, _, anchor = target.partition("#")
            place = f"{relative(page)}:{number}"
            path = (page.parent / urllib.parse.unquote(name)).resolve() if name else page
            if name.startswith("/") or not path.is_relative_to(ROOT):
                yield f"{place}: {target} leads out of the repository"
            elif not path.exists():
                yield f"{place}: {target} does not exist"
            elif anchor and path.suffix == ".md" and anchor not in anchors(path):
                yield f"{place}: {target}: {relative(path)} has no such heading"


def check_index():
    index = ROOT / "docs/README.md"
    listed = {(index.parent / target.partition("#")[0]).resolve() for _, target in links(index.read_text())}
    for page in pages_of_docs():
        if page != index and page not in listed:
            yield f"docs/README.md: {relative(page)} is not in the index"


def check_length():
    count = len((ROOT / "README.md").read_text().splitlines())
    if count > README_LINES:
        yield f"README.md has {count} lines, more than {README_LINES}"


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    program = sys.argv[1]
    checks = [check_length(), check_links(), check_index(), check_commands(program), check_words(program)]
    faults = [fault for check in checks for fault in check]
    for fault in faults:
        print(fault)
    if not faults:
        print(f"README.md and {len(pages_of_docs())} pages below docs: all commands and links are right")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
