#!/usr/bin/env python3
"""Runs the unit tests of the debug build, and repeats alone, twice, those that fail.

unit.py [--width N] [--results FILE] [--counts FILE] [-- OPTION OF `swift test`...]

A test that fails and then passes alone is named as "passed in a second run": it depends on the machine, and is a defect.
More than two of them, a test that fails three times, and a run that breaks off are failures. --counts writes "passed failed
skipped"; --results is the file that Swift Testing writes.

Exit status: 0 nothing failed, 1 otherwise.
"""

import argparse
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

# Several tests that fail at once are a fault, whatever they do alone.
DOUBTFUL = 2
REPEATS = 2


def run(width, results, filters, options):
    """Runs tests; returns those of the result file as {name: outcome}, or None if there is no such file."""
    command = ["swift", "test", "--skip-build", "--disable-xctest", "--xunit-output", results, *options]
    command += ["--experimental-maximum-parallelization-width", str(width)] if not filters else ["--no-parallel"]
    for name in filters:
        # The source's place follows the name.
        command += ["--filter", "^" + re.escape(name) + "(/|$)"]
    with open(results, "w"):
        pass
    # Houses in virtual time have one course for one seed only with hashes that are the same in every process.
    environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1")
    subprocess.run(command, stdin=subprocess.DEVNULL, env=environment, check=False)
    try:
        root = ElementTree.parse(results).getroot()
    except ElementTree.ParseError:
        return None
    outcomes = {}
    for case in root.iter("testcase"):
        name = f"{case.get('classname')}/{case.get('name')}".replace("TuttiPackageTests.", "")
        outcomes[name] = "failed" if case.find("failure") is not None else "skipped" if case.find("skipped") is not None else "passed"
    return outcomes


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    # With all at once each would wait for a core beyond the limits of servers and players.
    parser.add_argument("--width", type=int, default=4, help="so many tests at once (4)")
    parser.add_argument("--results", default=".build/unit.xml")
    parser.add_argument("--counts")
    parser.add_argument("options", nargs="*")
    options = parser.parse_args()
    outcomes = run(options.width, options.results, [], options.options)
    if not outcomes:
        print("error: the run of the unit tests broke off", flush=True)
        outcomes = {"the run": "failed"}
    failed = [name for name, outcome in outcomes.items() if outcome == "failed"]
    passed_again = []
    if len(failed) <= DOUBTFUL and "the run" not in outcomes:
        for _ in range(REPEATS):
            for name in [name for name in failed if name not in passed_again]:
                print(f"again, alone: {name}", flush=True)
                again = run(1, options.results + ".again", [name], options.options) or {}
                if list(again.values()) == ["passed"]:
                    passed_again.append(name)
    failed = [name for name in failed if name not in passed_again]
    for title, names in (("Passed in a second run:", passed_again), ("Failed:", failed)):
        if names:
            print(f"\n{title}", *(f"  {name}" for name in names), sep="\n")
    skipped = list(outcomes.values()).count("skipped")
    passed = len(outcomes) - len(failed) - skipped
    print(f"{passed} passed, {len(failed)} failed, {skipped} skipped", flush=True)
    if options.counts:
        with open(options.counts, "w") as file:
            file.write(f"{passed} {len(failed)} {skipped}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
