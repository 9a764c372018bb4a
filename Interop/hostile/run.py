#!/usr/bin/env python3
"""Attacks `tutti` from all sides, in network namespaces of this machine, and checks it after each attack.

run.py --program PATH [--short|--long] [--only NAME]... [--list] [--counts FILE] [--results FILE] [--figures FILE]

--short takes a minute and a half, --long (the default) ten. Each attack passes when nothing has ended
or hangs, memory and descriptors are as before within a tenth, the rooms that play have lost no frame, a legitimate sender
gets in within 10 s, and no secret and no control character was printed. Where the lab cannot run, every attack is skipped
by name, with the reason; with TUTTI_LAB_REQUIRED=1 that is a failure. A failure on a machine that a witness (../witness.py)
saw stand still is repeated, up to five times, as in ../run.py. Exit status: 0 nothing failed, 1 otherwise, 2 wrong
usage.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import attacks  # noqa: E402  the paths above come first
import lab as labs  # noqa: E402
import sound  # noqa: E402
from bench import Bench  # noqa: E402
from network import allow_many_descriptors  # noqa: E402
from player import Failed, Skipped  # noqa: E402
from rooms import LAB, PLAYING, VICTIM, Rooms  # noqa: E402
from verdict import Attempt, beside_a_witness, report_end, write_results  # noqa: E402
from witness import Witness  # noqa: E402

BUILD = os.path.join(os.path.dirname(os.path.dirname(HERE)), ".build")


class Runner:
    def __init__(self, options):
        self.options = options
        self.logs = os.path.abspath(options.logs)
        self.program = os.path.abspath(options.program)
        self.labs_folder = labs.folder()
        self.sounds = sound.Sounds(os.path.join(BUILD, "sounds"))
        self.lab = self.rooms = None
        self.attempts, self.rows = {}, []
        self.witness = None

    def run(self, chosen):
        shutil.rmtree(self.logs, ignore_errors=True)
        os.makedirs(self.logs)
        reason = labs.unavailable()
        if reason is None:
            labs.remove_left_overs(self.labs_folder)
            try:
                self.witness = Witness(os.path.join(self.logs, "witness"))
            except (OSError, subprocess.SubprocessError) as error:
                print(f"no witness: {error}; every failure counts at once", file=sys.stderr)
        try:
            for entry in chosen:
                if reason:
                    self.report(entry, "skipped", 0, reason)
                    continue
                while entry.name not in self.attempts or beside_a_witness(self.attempts[entry.name]) is None:
                    self.run_attack(entry)
        finally:
            self.leave_lab()
            if self.witness:
                self.witness.close()
        return self.finish()

    def enter_lab(self):
        if self.lab:
            return
        self.lab = labs.Lab.of_this_process(self.labs_folder)
        self.lab.up(LAB.with_program(self.program))
        self.rooms = Rooms(self.lab, self.program, self.sounds, self.logs)

    def leave_lab(self):
        if self.rooms:
            self.rooms.stop()
        lab, self.lab, self.rooms = self.lab, None, None
        if lab:
            lab.remove()

    def run_attack(self, entry):
        folder = os.path.join(self.logs, entry.name)
        os.makedirs(folder, exist_ok=True)
        bench, wrong, figures, begin = None, [], [], time.monotonic()
        start = begin
        try:
            self.enter_lab()
            bench = Bench(self.rooms, self.program, self.sounds, folder, self.options.short)
            watch = None
            if entry.rooms:
                self.rooms.play(entry.limit + 30)
                watch = self.rooms.watch()
            start = time.monotonic()
            try:
                self.attack(entry, bench)
            finally:
                bench.close()
            seconds = time.monotonic() - start
            if watch:
                wrong, figures = watch.check((VICTIM,) if self.options.short else (PLAYING[0], VICTIM))
        except Skipped as reason:
            return self.report(entry, "skipped", time.monotonic() - start, str(reason))
        except (Failed, labs.LabError) as failure:
            wrong, seconds = [str(failure)], time.monotonic() - start
        except Exception:  # a defect of the attack itself: shown completely
            wrong, seconds = [traceback.format_exc()], time.monotonic() - start
        figures = (bench.notes if bench else []) + figures
        if not wrong:
            return self.report(entry, "passed", seconds, "; ".join(figures))
        details = [*wrong[1:], *figures]
        witness = self.witness.between(begin, time.monotonic()) if self.witness else None
        if bench and bench.programs:
            details += bench.programs[-1].report()
        if self.lab:
            details += self.lab.logs()
            self.lab.keep_logs(folder)
        self.report(entry, "failed", seconds, wrong[0], details, witness)
        # The next attack must not inherit this one's leftovers.
        self.leave_lab()

    @staticmethod
    def attack(entry, bench):
        """Runs in a thread of its own, so that an attack that hangs fails by itself."""
        outcome = []

        def body():
            try:
                entry.run(bench)
                outcome.append(None)
            except BaseException as error:
                outcome.append(error)

        thread = threading.Thread(target=body, name=entry.name, daemon=True)
        thread.start()
        thread.join(entry.limit)
        if not outcome:
            raise Failed(f"not done after {entry.limit:g} s")
        if outcome[0]:
            raise outcome[0]

    def report(self, entry, result, seconds, text="", details=(), witness=None):
        if result == "skipped" and os.environ.get("TUTTI_LAB_REQUIRED") == "1":
            result = "failed"
        first, *rest = text.splitlines() or [""]
        self.attempts.setdefault(entry.name, []).append(Attempt(result, first, witness))
        line = f"{result:8} {entry.name:52} {seconds:6.1f} s  {first}".rstrip()
        print(line, flush=True)
        self.rows.append(line)
        if witness:
            rest.append(f"witness: {witness}")
        for line in [*rest, *details]:
            print(f"    {line}", flush=True)

    def finish(self):
        outcomes = report_end(self.attempts, beside_a_witness)
        counts = {outcome: list(outcomes.values()).count(outcome) for outcome in ("passed", "failed", "skipped")}
        if self.options.counts:
            with open(self.options.counts, "w") as file:
                file.write(f"{counts['passed']} {counts['failed']} {counts['skipped']}\n")
        if self.options.results:
            write_results(self.options.results, self.attempts, outcomes)
        if self.options.figures:
            with open(self.options.figures, "w") as file:
                file.write("\n".join(self.rows) + "\n")
        return 1 if counts["failed"] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=os.path.join(BUILD, "release", "tutti"))
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--short", action="store_true", help="the attacks of every check, in small numbers")
    form.add_argument("--long", action="store_true", help="all attacks in full numbers (default)")
    parser.add_argument("--list", action="store_true", help="list the names of the attacks")
    parser.add_argument("--only", action="append", metavar="NAME", help="run these attacks; repeatable")
    parser.add_argument("--logs", default=os.path.join(BUILD, "logs", "hostile"))
    parser.add_argument("--counts", help="write passed, failed and skipped counts to this file")
    parser.add_argument("--results", help="write each attack with its attempts to this file, as JSON")
    parser.add_argument("--figures", help="write the result lines to this file")
    options = parser.parse_args()
    chosen, unmatched = attacks.choose(options.only, options.short)
    if unmatched:
        print(f"no attack is named {', '.join(unmatched)}; --list shows all", file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(entry.name for entry in chosen))
        return 0
    if not os.access(options.program, os.X_OK):
        print(f"no program at {options.program}: make build", file=sys.stderr)
        return 2
    allow_many_descriptors()
    # A termination from outside takes the lab down, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGHUP, lambda *_: sys.exit(129))
    return Runner(options).run(chosen)


if __name__ == "__main__":
    sys.exit(main())
