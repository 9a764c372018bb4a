#!/usr/bin/env python3
"""Puts faults into a copy of the sources, one at a time, and lets houses in virtual time find each of them (docs/testing.md).

house_faults.py              all faults, after the same seeds without one
house_faults.py --only NAME  this fault; may be repeated
house_faults.py --list       names and sentences
house_faults.py --check      checks that each text occurs exactly once, and builds nothing

Tests/Houses/faults.toml has the faults. The copy, .build/house-faults, keeps its build, so that a fault compiles little.
Exit status: 0 every fault was found and no house fails without one, 1 otherwise, 2 wrong use.
"""

import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "Tests/Houses/faults.toml"
PAGE = ROOT / "docs/testing.md"
COPY = ROOT / ".build/house-faults"
# The tests' optimised debug build: a module whose bodies alone have changed leaves the others as they are.
BUILD = [
    "swift", "build", "--product", "HouseRunner", "-Xswiftc", "-whole-module-optimization", "-Xswiftc", "-num-threads", "-Xswiftc", "2",
    "-Xswiftc", "-gnone",
]
RUNNER = COPY / ".build/debug/HouseRunner"
BUILD_SECONDS = 1800
# The kinds of rooms, as HouseRunner names them; `drawn` are whole houses, whose seeds decide.
KINDS = ["buffered", "shallow", "realtime", "realtimeNTP", "airPlay1", "drawn"]
# For the houses of one fault, and for each house of the run without one.
SEARCH_SECONDS = 300
HOUSE_SECONDS = 60


@dataclass(kw_only=True)
class Fault:
    """A table of Tests/Houses/faults.toml, which says what the keys are."""

    name: str
    sentence: str
    undoes: str = ""
    like: str = ""
    file: str
    before: str
    after: str
    first: int
    count: int
    complaint: str
    kind: str = KINDS[0]
    device: str = ""

    @property
    def seeds(self):
        return range(self.first, self.first + self.count)

    @property
    def rooms(self):
        return (self.kind, self.device) if self.device else (self.kind,)

    @property
    def mistake(self):
        """What is wrong with the fault's texts; None if nothing is."""
        path = ROOT / self.file
        if not self.file.startswith("Sources/") or not path.is_file():
            return f"{self.file} is no file below Sources"
        if f"| `{self.name}` |" not in PAGE.read_text():
            return f"{PAGE.relative_to(ROOT)} has no row for it"
        if self.kind not in KINDS:
            return f"{self.kind} is no kind of rooms"
        count = path.read_text().count(self.before)
        return None if count == 1 else f"its text occurs {count} times in {self.file}, not once"


@dataclass
class Run:
    """The end of a search for a house that fails."""

    seed: int | None  # of the house that fails as expected
    complaint: str
    houses: int
    others: list  # houses that fail otherwise
    trouble: str  # of a program that did not come to its end


def faults():
    return [Fault(name=name, **values) for name, values in tomllib.loads(TABLE.read_text()).items()]


def refresh():
    """Makes the copy equal to the checkout; a file that has not changed keeps its time, so that it is not compiled again."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    names = {name for name in listed.split("\0") if name and (ROOT / name).exists()}
    for path in sorted(COPY.rglob("*")):
        name = str(path.relative_to(COPY))
        if not name.startswith(".build/") and (path.is_symlink() or path.is_file()) and name not in names:
            path.unlink()
    for name in sorted(names):
        write(COPY / name, (ROOT / name).read_bytes(), (ROOT / name).stat().st_mode)


def write(path, content, mode=None):
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    if mode is not None:
        path.chmod(mode)


def build():
    """Builds the runner in the copy; returns the seconds, and the end of the output if it fails."""
    start = time.monotonic()
    environment = {**os.environ, "TUTTI_OPTIMISE": "1"}
    environment.pop("TUTTI_COMBINE", None)
    done = subprocess.run(BUILD, cwd=COPY, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=BUILD_SECONDS)
    errors = [line for line in done.stdout.splitlines() if "error:" in line] or done.stdout.splitlines()[-20:]
    return time.monotonic() - start, errors if done.returncode else []


def search(first, count, words, rooms, limit):
    """Runs houses with rooms of one kind, and perhaps of one device, until the complaints of one match the regular expression."""
    process = subprocess.Popen(
        [RUNNER, "find", str(count), str(first), words, *rooms], cwd=COPY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        output = process.communicate(timeout=limit)[0]
        trouble = "" if process.returncode in (0, 1) else f"the program ended with {ending(process.returncode)}"
    except subprocess.TimeoutExpired:
        process.kill()
        output = process.communicate()[0]
        trouble = f"not over after {limit} s"
    failed = re.findall(r"^seed (\d+)(, otherwise)?: (.*)$", output, re.MULTILINE)
    found = [(int(seed), complaints) for seed, otherwise, complaints in failed if not otherwise]
    others = [f"{seed}: {complaints}" for seed, otherwise, complaints in failed if otherwise]
    ended = re.search(r"^(\d+) houses, ", output, re.MULTILINE)
    if not ended and not trouble:
        trouble = output.strip().splitlines()[-1] if output.strip() else "no output"
    seed, complaints = min(found, default=(None, ""))
    matching = next((one for one in complaints.split("; ") if re.search(words, one)), "")
    return Run(seed, matching, int(ended[1]) if ended else 0, others, trouble)


def ending(code):
    return signal.Signals(-code).name if code < 0 else f"status {code}"


def clean(chosen):
    """Runs the seeds of the faults without one; returns whether no house fails."""
    seconds, errors = build()
    if errors:
        print("the copy does not compile:\n" + "\n".join(errors))
        return False
    print(f"without a fault: built in {seconds:.0f} s", flush=True)
    start, houses, isClean = time.monotonic(), 0, True
    for rooms in sorted({fault.rooms for fault in chosen}):
        seeds = sorted({seed for fault in chosen if fault.rooms == rooms for seed in fault.seeds})
        houses += len(seeds)
        for first, count in blocks(seeds):
            run = search(first, count, "", rooms, HOUSE_SECONDS * count)
            if run.seed is not None or run.trouble:
                print(f"without a fault, {' '.join(rooms)}, seed {run.seed}: {run.complaint} {run.trouble}")
                isClean = False
    if isClean:
        print(f"without a fault: {houses} houses do not fail, {time.monotonic() - start:.0f} s", flush=True)
    return isClean


def blocks(seeds):
    """Yields the first seed and the length of each run of seeds without a hole."""
    first, count = None, 0
    for seed in seeds:
        if first is not None and seed == first + count:
            count += 1
            continue
        if first is not None:
            yield first, count
        first, count = seed, 1
    if first is not None:
        yield first, count


def find(fault):
    """Puts one fault in, builds, lets houses find it, and takes it out; prints one line of the table and returns whether it was found."""
    path = COPY / fault.file
    original = path.read_text()
    write(path, original.replace(fault.before, fault.after).encode())
    start = time.monotonic()
    try:
        seconds, errors = build()
        run = None if errors else search(fault.first, fault.count, fault.complaint, fault.rooms, SEARCH_SECONDS)
    finally:
        write(path, original.encode())
    searching = time.monotonic() - start - seconds
    figures = f"{fault.name:32} built in {seconds:3.0f} s"
    if run is None:
        print(f"{figures}  NOT FOUND: it does not compile\n" + "\n".join(errors), flush=True)
        return False
    figures += f", {searching:3.0f} s of houses"
    if run.seed is not None:
        print(f"{figures}  found by seed {run.seed} after {run.houses} houses: {run.complaint}", flush=True)
        return True
    print(f"{figures}  NOT FOUND in {run.houses} houses{': ' if run.trouble else ''}{run.trouble}")
    for one in run.others[:5]:
        print(f"  otherwise, seed {one}")
    sys.stdout.flush()
    return False


def check(chosen):
    mistakes = [f"{TABLE.relative_to(ROOT)}: {fault.name}: {fault.mistake}" for fault in chosen if fault.mistake]
    print("\n".join(mistakes), end="\n" if mistakes else "")
    return not mistakes


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", action="append", metavar="NAME", help="this fault; may be repeated")
    parser.add_argument("--list", action="store_true", help="prints names and sentences")
    parser.add_argument("--check", action="store_true", help="checks that each text occurs exactly once")
    options = parser.parse_args()
    chosen = faults()
    if options.only:
        missing = set(options.only) - {fault.name for fault in chosen}
        if missing:
            parser.error(f"no fault {', '.join(sorted(missing))}")
        chosen = [fault for fault in chosen if fault.name in options.only]
    if options.list:
        for fault in chosen:
            print(f"{fault.name:32} {fault.sentence}")
        return 0
    if not check(chosen):
        return 1
    if options.check:
        return 0
    start = time.monotonic()
    COPY.mkdir(parents=True, exist_ok=True)
    refresh()
    if not clean(chosen):
        return 1
    found = sum(find(fault) for fault in chosen)
    print(f"{found} of {len(chosen)} faults found, {time.monotonic() - start:.0f} s")
    return 0 if found == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
