#!/usr/bin/env python3
"""Runs `tutti` against real receivers: shairport-sync and nqptp in network namespaces of this machine.

run.py [--program PATH] [--list] [--only NAME]... [--part together|timing] [--smoke] [--repeat N] [--labs N]

--only takes whole names and patterns such as 'control.*'. Several labs run at once, each in namespaces of its own; cases that
measure time run after the others, three at once or alone; --part runs only one of the two. A case that cannot run here is
skipped, by name and with the reason; with TUTTI_LAB_REQUIRED=1 that is a failure.

A witness (witness.py) looks at the machine all the while. A case that fails on a quiet machine has failed. One that fails on a
noisy one is repeated alone, up to five times, until it passes or fails on a quiet machine; those that pass then are named and
counted. --smoke is the check's form: one case of each kind, in up to three attempts, each further one alone in a fresh lab.

Exit status: 0 nothing failed, 1 otherwise, 2 wrong usage.
"""

import argparse
import contextlib
import fnmatch
import json
import multiprocessing
import multiprocessing.connection
import os
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import cases  # noqa: E402  the path above comes first
import lab as labs  # noqa: E402
from schedule import Schedule  # noqa: E402
from verdict import Attempt, beside_a_witness, report_end, three_attempts, write_results  # noqa: E402
from witness import Witness  # noqa: E402
from worker import Result, work  # noqa: E402

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(REPOSITORY, ".build")
LENGTHS = os.path.join(BUILD, "case-seconds.json")

# A case mostly waits: four labs keep two cores busy.
LABS = 4
# Three quiet cases leave enough of two cores for each other's measurements; those of the smoke measure nothing.
QUIET_LABS = 3
SMOKE_LABS = 2


def read_lengths():
    """The seconds that each case took when it passed last, by its name."""
    try:
        with open(LENGTHS) as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


class Runner:
    """Hands cases to workers and counts their results."""

    def __init__(self, options):
        self.options = options
        self.labs_folder = labs.folder()
        self.attempts = {}  # of each case, in order
        self.witness = None
        self.verdict = three_attempts if options.smoke else beside_a_witness
        self.lengths = read_lengths()

    def run(self, chosen):
        logs = os.path.abspath(self.options.logs)
        shutil.rmtree(logs, ignore_errors=True)
        os.makedirs(logs)
        reason = self.prepare(logs)
        if reason:
            for entry in chosen:
                self.report(Result(entry.name, "skipped", 0, reason))
            return self.finish()
        try:
            self.run_chosen(chosen)
        finally:
            if self.witness:
                self.witness.close()
        return self.finish()

    def run_chosen(self, chosen):
        labs_at_once = SMOKE_LABS if self.options.smoke else self.options.labs
        for _ in range(self.options.repeat):
            self.run_all([entry for entry in chosen if not entry.measures_time], labs_at_once)
            self.run_all([entry for entry in chosen if entry.is_quiet], min(QUIET_LABS, labs_at_once))
            self.run_all([entry for entry in chosen if entry.is_alone], 1)
        while again := [entry for entry in chosen if self.verdict(self.attempts[entry.name]) is None]:
            for entry in again:
                self.run_all([entry], 1, attempt=len(self.attempts[entry.name]) + 1)

    def prepare(self, logs):
        """The reason why nothing can run, or None."""
        reason = labs.unavailable()
        if reason is not None:
            return reason
        labs.remove_left_overs(self.labs_folder)
        if not self.options.smoke:
            try:
                self.witness = Witness(os.path.join(logs, "witness"))
            except (OSError, subprocess.SubprocessError) as error:
                print(f"no witness: {error}; every failure counts at once", file=sys.stderr)
        return None

    def run_all(self, entries, workers, attempt=1):
        """Runs the cases in a number of labs at once, and reports each as it ends."""
        schedule, running = Schedule(entries, self.lengths), {}
        processes, idle = {}, {}
        for _ in range(min(workers, len(entries))):
            channel, far = multiprocessing.Pipe()
            process = multiprocessing.Process(target=work, args=(far, self.options, self.labs_folder, attempt))
            process.start()
            far.close()
            processes[channel] = process
        try:
            while processes:
                # A worker without a case says nothing, unless it ends.
                for channel in multiprocessing.connection.wait(list(processes)):
                    if not self.take_result(channel, schedule, running, idle):
                        processes.pop(channel).join()
                for channel in self.give_cases(schedule, running, idle):
                    processes.pop(channel).join()
        finally:
            # Only when this process is being terminated are labs left: each worker takes its lab down.
            for process in processes.values():
                process.terminate()
            for process in processes.values():
                process.join(30)

    def take_result(self, channel, schedule, running, idle):
        """Handles a worker's message, after which it waits among the idle ones; False if the worker has ended."""
        entry = running.pop(channel, None)
        idle.pop(channel, None)
        if entry:
            schedule.ended(entry)
        try:
            kind, result = channel.recv()
        except (EOFError, ConnectionResetError):
            if entry:
                self.report(Result(entry.name, "failed", 0, "the worker of this case ended; see its log"))
            return False
        if result:
            self.report(result)
        idle[channel] = kind
        return True

    def give_cases(self, schedule, running, idle):
        """Gives the idle workers their next cases, as far as there are any; returns the workers that are done."""
        done = []
        for channel, kind in list(idle.items()):
            following = schedule.next(kind)
            if not following and schedule.waiting:
                # Those that wait must be kept apart from one that runs.
                continue
            del idle[channel]
            if following:
                running[channel] = following
            else:
                done.append(channel)
            # The end of a worker is seen at its channel, with its case.
            with contextlib.suppress(BrokenPipeError):
                channel.send(following.name if following else None)
        return done

    def report(self, result):
        if result.outcome == "skipped" and os.environ.get("TUTTI_LAB_REQUIRED") == "1":
            result.outcome = "failed"
        attempts = self.attempts.setdefault(result.name, [])
        # Repeated by --repeat: the first failure stays the case's.
        if attempts and self.verdict(attempts) is not None:
            if self.verdict(attempts) == "failed":
                return
            attempts.clear()
        first, *rest = result.text.splitlines() or [""]
        attempt = Attempt(result.outcome, first, seconds=result.seconds)
        if result.outcome == "failed" and self.witness:
            attempt.witness = self.witness.between(result.start, result.end)
        attempts.append(attempt)
        if result.outcome == "passed":
            self.lengths[result.name] = round(result.seconds, 1)
        print(f"{result.outcome:8} {result.name:52} {result.seconds:6.1f} s  {first}".rstrip(), flush=True)
        if attempt.witness:
            rest.append(f"witness: {attempt.witness}")
        for line in [*rest, *result.details]:
            print(f"    {line}", flush=True)

    def finish(self):
        outcomes = report_end(self.attempts, self.verdict)
        counts = [list(outcomes.values()).count(outcome) for outcome in ("passed", "failed", "skipped")]
        if self.options.counts:
            with open(self.options.counts, "w") as file:
                file.write(" ".join(map(str, counts)) + "\n")
        if self.options.results:
            write_results(self.options.results, self.attempts, outcomes)
        with contextlib.suppress(OSError), open(LENGTHS, "w") as file:
            json.dump(self.lengths, file, indent=1, sort_keys=True)
        return 1 if counts[1] else 0


# The smoke: one of each kind of speaker, source and program. Each judges what was heard, in recordings of every frame, and
# no durations.
SMOKE = (
    "speaker.control.pause-and-resume-lose-nothing",
    "speaker.content.aac-passes-untouched",
    "content.flac-44100-16-is-exact",
    "kinds.realtime-is-exact",
    "kinds.airplay-1-is-exact",
    "local.every-frame-is-heard",
    "web.a-file-is-heard-whole",
    "players.an-edited-queue",
    "house.two-rooms-play-an-album",
    "discovery.play-by-name",
    "refusals.unknown-speaker",
)


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
    parser.add_argument("--standins", default=os.path.join(BUILD, "release", "StandIn"), help="speakers with other makers' manners")
    parser.add_argument("--list", action="store_true", help="list the names of the cases")
    parser.add_argument("--only", action="append", metavar="NAME", help="run these cases; repeatable")
    parser.add_argument("--part", choices=("together", "timing"), help="run only the cases that do not measure time, or those that do")
    parser.add_argument("--smoke", action="store_true", help="one case of each kind, in up to three attempts")
    parser.add_argument("--labs", type=int, default=LABS, metavar="N", help=f"so many labs at once ({LABS})")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="run each case so often")
    parser.add_argument("--logs", default=os.path.join(BUILD, "logs", "interop"))
    parser.add_argument("--counts", help="write passed, failed and skipped counts to this file")
    parser.add_argument("--results", help="write each case with its attempts to this file, as JSON")
    options = parser.parse_args()
    chosen = choose(cases.load(), SMOKE if options.smoke else options.only)
    if options.part:
        chosen = [entry for entry in chosen if entry.measures_time == (options.part == "timing")]
    if options.list:
        print("\n".join(entry.name for entry in chosen))
        return 0
    if not os.access(options.program, os.X_OK):
        print(f"no program at {options.program}: make build", file=sys.stderr)
        return 2
    # A termination from outside takes the lab down, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    multiprocessing.set_start_method("fork")
    signal.signal(signal.SIGHUP, lambda *_: sys.exit(129))
    return Runner(options).run(chosen)


if __name__ == "__main__":
    sys.exit(main())
