#!/usr/bin/env python3
"""Runs `tutti` against real receivers: shairport-sync and nqptp in network namespaces of this machine.

run.py [--program PATH] [--list] [--only NAME]... [--repeat N]

--only takes whole names and patterns such as 'control.*'. A case that cannot run here is skipped, by name and with
the reason; with TUTTI_LAB_REQUIRED=1 that is a failure. Real programs run in real time: up to three cases that fail are run once more
at the end, in a fresh lab, and those that pass then are named in the last lines. Exit status: 0 nothing failed, 1
otherwise, 2 wrong usage.
"""

import argparse
import fnmatch
import os
import shutil
import signal
import sys
import threading
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import cases  # noqa: E402  the path above comes first
import lab as labs  # noqa: E402
import sound  # noqa: E402
from player import Failed, Skipped  # noqa: E402
from stage import Stage  # noqa: E402

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(REPOSITORY, ".build")

# More that fail are no accident.
SECOND_RUNS = 3


class Runner:
    def __init__(self, options):
        self.options = options
        self.labs_folder = os.path.join(BUILD, "lab")
        self.logs = os.path.abspath(options.logs)
        self.sounds = sound.Sounds(os.path.join(BUILD, "sounds"))
        self.lab, self.kind = None, None
        self.results = {"passed": 0, "failed": 0, "skipped": 0}
        self.failures = []
        # Cases that failed once, and what of them passed the second time.
        self.doubtful, self.passed_again, self.is_again = [], [], False

    def run(self, chosen):
        shutil.rmtree(self.logs, ignore_errors=True)
        os.makedirs(self.logs)
        reason = self.prepare()
        try:
            for entry in chosen:
                if reason:
                    self.report(entry, "skipped", 0, reason)
                    continue
                for _ in range(self.options.repeat):
                    self.run_case(entry)
            self.run_again()
        finally:
            self.leave_lab()
        return self.finish()

    def run_again(self):
        """A machine that others use too may be late once; what fails twice has failed."""
        self.is_again = True
        if len(self.doubtful) > SECOND_RUNS:
            return
        for entry, failure in self.doubtful:
            self.leave_lab()
            before = dict(self.results)
            self.run_case(entry)
            if self.results["passed"] > before["passed"]:
                self.results["failed"] -= 1
                self.failures.remove(failure)
                self.passed_again.append(failure)
            else:
                # One case is counted once.
                self.results = before
                del self.failures[len(self.failures) - (len(self.failures) > before["failed"]) :]

    def prepare(self):
        """Why nothing can run, or None."""
        reason = labs.unavailable()
        if reason is None:
            os.makedirs(self.labs_folder, exist_ok=True)
            labs.remove_left_overs(self.labs_folder)
        return reason

    def run_case(self, entry):
        folder = os.path.join(self.logs, entry.name + ("-again" if self.is_again else ""))
        os.makedirs(folder, exist_ok=True)
        start = time.monotonic()
        stage, error, lab_error = None, None, None
        try:
            self.enter_lab(entry.lab)
            stage = Stage(os.path.abspath(self.options.program), self.lab, self.sounds, folder)
            stage.apps = os.path.abspath(self.options.apps)
            watchdog = threading.Timer(entry.timeout, stage.end_processes)
            watchdog.start()
            try:
                entry.run(stage)
            finally:
                watchdog.cancel()
                stage.close()
        except Skipped as reason:
            self.report(entry, "skipped", time.monotonic() - start, str(reason))
            return
        except Failed as failure:
            error = str(failure)
        except labs.LabError as failure:
            error = lab_error = str(failure)
        except Exception:  # a defect of the case itself: shown whole
            error = traceback.format_exc()
        seconds = time.monotonic() - start
        if error is None:
            self.report(entry, "passed", seconds, "; ".join(stage.notes))
            return
        if stage and stage.timed_out:
            error = f"not done after {entry.timeout:g} s; then: {error}"
        details = [line for player in stage.players[-1:] for line in player.report()] if stage else []
        if self.lab:
            details += self.lab.logs()
            self.lab.keep_logs(folder)
        self.report(entry, "failed", seconds, error, details)
        # The next case shall not inherit a receiver in an odd state.
        self.leave_lab()

    def enter_lab(self, kind):
        if self.kind == kind:
            return
        self.leave_lab()
        self.lab = labs.Lab(self.labs_folder)
        program = os.path.abspath(self.options.program)
        self.lab.up(kind[0], *(program if word == cases.PROGRAM else word for word in kind[1:]))
        self.kind = kind

    def leave_lab(self):
        lab, self.lab, self.kind = self.lab, None, None
        if lab:
            lab.down()
            shutil.rmtree(lab.state, ignore_errors=True)

    def report(self, entry, result, seconds, text="", details=()):
        if result == "skipped" and os.environ.get("TUTTI_LAB_REQUIRED") == "1":
            result = "failed"
        self.results[result] += 1
        first, *rest = text.splitlines() or [""]
        print(f"{result:8} {entry.name:52} {seconds:6.1f} s  {first}".rstrip(), flush=True)
        if result == "failed":
            self.failures.append(f"{entry.name}: {first}")
            if not self.is_again:
                self.doubtful.append((entry, self.failures[-1]))
        for line in [*rest, *details]:
            print(f"    {line}", flush=True)

    def finish(self):
        counts = self.results
        if self.passed_again:
            print("\nPassed in a second run only:")
            for line in self.passed_again:
                print(f"  {line}")
        if self.failures:
            print("\nFailed:")
            for line in self.failures:
                print(f"  {line}")
        print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped", flush=True)
        if self.options.counts:
            with open(self.options.counts, "w") as file:
                file.write(f"{counts['passed']} {counts['failed']} {counts['skipped']}\n")
        return 1 if counts["failed"] else 0


def choose(known, patterns):
    if not patterns:
        return known
    unmatched = [pattern for pattern in patterns if not any(fnmatch.fnmatch(entry.name, pattern) for entry in known)]
    if unmatched:
        print(f"no case is named {', '.join(unmatched)}; --list shows all", file=sys.stderr)
        sys.exit(2)
    return [entry for entry in known if any(fnmatch.fnmatch(entry.name, pattern) for pattern in patterns)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=os.path.join(BUILD, "release", "tutti"))
    parser.add_argument("--apps", default=os.path.join(BUILD, "release", "SampleAppsRunner"), help="runs the sample programs")
    parser.add_argument("--list", action="store_true", help="only the names of the cases")
    parser.add_argument("--only", action="append", metavar="NAME", help="run these; may be given again")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="run each case so often")
    parser.add_argument("--logs", default=os.path.join(BUILD, "logs", "interop"))
    parser.add_argument("--counts", help="a file for: passed failed skipped")
    options = parser.parse_args()
    chosen = choose(cases.load(), options.only)
    if options.list:
        print("\n".join(entry.name for entry in chosen))
        return 0
    if not os.access(options.program, os.X_OK):
        print(f"no program at {options.program}: make build", file=sys.stderr)
        return 2
    # An end from outside takes the lab down too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGHUP, lambda *_: sys.exit(129))
    return Runner(options).run(chosen)


if __name__ == "__main__":
    sys.exit(main())
