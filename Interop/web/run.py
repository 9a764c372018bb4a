#!/usr/bin/env python3
"""Tests the web remote in a real browser, against a running server or the mock.

run.py --address URL | --mock [--only NAME]... [--part PART] [--list] [--pictures FOLDER] [--restart COMMAND] [--browser PATH]

--only takes parts of titles. --part takes the tests that measure time (`times`), those that only the mock can stage (`mock`), or the
others (`functions`); default: all. --restart is a command that stops the server and starts it again; the mock needs none. --pictures takes
pictures of all screens instead of testing. Needs Playwright (pip install playwright) and Debian's Chromium; axe-core is used if
axe-playwright-python is installed. Prints a line for each test; exit status: 0 nothing failed, 1 otherwise, 2 wrong usage.
"""

import argparse
import functools
import os
import subprocess
import sys
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

try:
    from playwright.sync_api import Error, sync_playwright
except ImportError:
    sys.exit("Playwright is missing. `python3 -m venv ENV && ENV/bin/pip install playwright` installs it.")

import mock  # noqa: E402  the path above comes first
import pictures_of_screens  # noqa: E402
from stage import TESTS, Failed, Skipped, Stage  # noqa: E402

TOPICS = ("playback", "queue", "rooms", "presses", "sound", "library", "events", "scroll", "hostile", "shell", "accessibility")
for topic in TOPICS:
    __import__(topic + "_tests")


def run_test(function, stage):
    """Returns the result's word and its reason."""
    try:
        function(stage)
        if stage.errors:
            return "failed", f"the console shows: {stage.errors[0]}"
        return "passed", ""
    except Skipped as reason:
        return "skipped", str(reason)
    except (Failed, Error) as error:
        return "failed", str(error).split("\n")[0]
    except Exception:
        return "failed", traceback.format_exc().strip().replace("\n", " | ")


def part_of(function):
    return "times" if function.measures_time else "mock" if function.needs_mock else "functions"


def is_chosen(function, options):
    if options.part and part_of(function) != options.part:
        return False
    return not options.only or any(part.lower() in function.title.lower() for part in options.only)


def run_all(options, address, browser):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for function in TESTS:
        if not is_chosen(function, options):
            continue
        started, notes = time.monotonic(), []
        if function.needs_mock and not options.mock and not (options.restart and "restart" in function.title):
            word, reason = "skipped", "needs the mock"
        else:
            stage = Stage(address, browser, options.mock, [])
            stage.restart = functools.partial(restart, options, stage)
            word, reason = run_test(function, stage)
            notes = stage.notes
            stage.close()
        counts[word] += 1
        figures = f" [{'; '.join(notes)}]" if notes else ""
        print(f"{word:7} {time.monotonic() - started:5.1f} s  {function.title}{figures}{': ' + reason if reason else ''}", flush=True)
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    print(f"{counts['passed']} passed, {counts['failed']} failed{skipped}")
    return 1 if counts["failed"] else 0


def restart(options, stage, seconds):
    if options.restart:
        subprocess.run(options.restart, shell=True, check=True, timeout=60)
    else:
        stage.api.send("POST", "/mock/restart", {"seconds": seconds})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--address")
    where.add_argument("--mock", action="store_true")
    where.add_argument("--list", action="store_true")
    parser.add_argument("--only", action="append")
    parser.add_argument("--part", choices=("functions", "times", "mock"))
    parser.add_argument("--pictures", metavar="FOLDER")
    parser.add_argument("--restart", metavar="COMMAND")
    parser.add_argument("--browser", default="/usr/bin/chromium")
    options = parser.parse_args()
    if options.list:
        print("\n".join(function.title for function in TESTS if is_chosen(function, options)))
        return 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.browser, args=["--no-sandbox"])
        try:
            if options.pictures:
                address = options.address or mock.start()
                return pictures_of_screens.take(browser, address, None if options.address else mock.start(is_demo=True), options.pictures)
            return run_all(options, options.address or mock.start(is_hostile=True), browser)
        finally:
            browser.close()


if __name__ == "__main__":
    sys.exit(main())
