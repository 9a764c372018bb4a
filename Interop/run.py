#!/usr/bin/env python3
"""Runs `tutti` against real receivers: shairport-sync and nqptp in network namespaces of this machine.

run.py [--program PATH] [--list] [--only NAME]... [--part together|timing] [--quick] [--repeat N] [--labs N] [--once]

--only takes whole names and patterns such as 'control.*'. Several labs run at once, each in namespaces of its own; cases that measure
time run after the others, two at once or alone; --part runs only one of the two. --quick takes one case of each kind. A case that cannot run here is skipped, by name and with the reason; with TUTTI_LAB_REQUIRED=1 that is a
failure. Real programs run in real time: up to three cases that fail are run once more at the end, in a fresh lab, and those that pass then
are named and counted in the last lines; --once forbids this second run. Exit status: 0 nothing failed, 1 otherwise, 2 wrong usage.
"""

import argparse
import fnmatch
import multiprocessing
import multiprocessing.connection
import os
import shutil
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import cases  # noqa: E402  the path above comes first
import lab as labs  # noqa: E402
from schedule import Schedule  # noqa: E402
from worker import Result, work  # noqa: E402

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(REPOSITORY, ".build")

# More failures are no accident.
SECOND_RUNS = 3
# A case mostly waits: four labs keep two cores busy.
LABS = 4
# Quiet cases leave enough of two cores for each other's measurements.
QUIET_LABS = 2


class Runner:
    """Hands cases to workers and counts their results."""

    def __init__(self, options):
        self.options = options
        self.labs_folder = labs.folder()
        self.results = {"passed": 0, "failed": 0, "skipped": 0}
        self.failed, self.passed_again = [], []

    def run(self, chosen):
        logs = os.path.abspath(self.options.logs)
        shutil.rmtree(logs, ignore_errors=True)
        os.makedirs(logs)
        reason = self.prepare()
        if reason:
            for entry in chosen:
                self.report(Result(entry.name, "skipped", 0, reason))
            return self.finish()
        chosen = [entry for entry in chosen for _ in range(self.options.repeat)]
        self.run_all([entry for entry in chosen if not entry.measures_time], self.options.labs)
        self.run_all([entry for entry in chosen if entry.is_quiet], min(QUIET_LABS, self.options.labs))
        self.run_all([entry for entry in chosen if entry.is_alone], 1)
        self.run_again(chosen)
        return self.finish()

    def prepare(self):
        """The reason why nothing can run, or None."""
        reason = labs.unavailable()
        if reason is None:
            labs.remove_left_overs(self.labs_folder)
        return reason

    def run_all(self, entries, workers, is_again=False):
        """Runs the cases in a number of labs at once, and reports each as it ends."""
        schedule, running = Schedule(entries), {}
        processes = {}
        for _ in range(min(workers, len(entries))):
            channel, far = multiprocessing.Pipe()
            process = multiprocessing.Process(target=work, args=(far, self.options, self.labs_folder, is_again))
            process.start()
            far.close()
            processes[channel] = process
        try:
            while processes:
                for channel in multiprocessing.connection.wait(list(processes)):
                    if not self.serve(channel, schedule, running, is_again):
                        processes.pop(channel).join()
        finally:
            # Only when this process is being terminated are labs left: each worker takes its lab down.
            for process in processes.values():
                process.terminate()
            for process in processes.values():
                process.join(30)

    def serve(self, channel, schedule, running, is_again):
        """Handles a worker's message and gives it the next case; False when the worker is done."""
        entry = running.pop(channel, None)
        try:
            kind, result = channel.recv()
        except (EOFError, ConnectionResetError):
            if entry:
                self.report(Result(entry.name, "failed", 0, "the worker of this case ended; see its log"), is_again)
            return False
        if result:
            self.report(result, is_again)
        following = schedule.next(kind)
        if following:
            running[channel] = following
        try:
            channel.send(following.name if following else None)
        except BrokenPipeError:
            return False
        return following is not None

    def run_again(self, chosen):
        """Retries a failed case: a shared machine may be late once; two failures are a failure."""
        doubtful = list(self.failed)
        if self.options.once or not doubtful or len(doubtful) > SECOND_RUNS:
            return
        known = {entry.name: entry for entry in chosen}
        self.run_all([known[result.name] for result in doubtful], 1, is_again=True)

    def report(self, result, is_again=False):
        if result.outcome == "skipped" and os.environ.get("TUTTI_LAB_REQUIRED") == "1":
            result.outcome = "failed"
        first, *rest = result.text.splitlines() or [""]
        print(f"{result.outcome:8} {result.name:52} {result.seconds:6.1f} s  {first}".rstrip(), flush=True)
        for line in [*rest, *result.details]:
            print(f"    {line}", flush=True)
        if not is_again:
            self.results[result.outcome] += 1
            if result.outcome == "failed":
                self.failed.append(result)
        elif result.outcome == "passed":
            # A case counts once.
            first_run = next(failed for failed in self.failed if failed.name == result.name)
            self.failed.remove(first_run)
            self.passed_again.append(first_run)
            self.results["failed"] -= 1
            self.results["passed"] += 1

    def finish(self):
        counts = self.results
        for title, results in (("Passed in a second run only:", self.passed_again), ("Failed:", self.failed)):
            if results:
                print(f"\n{title}")
            for result in results:
                print(f"  {result.name}: {(result.text.splitlines() or [''])[0]}")
        again = f"{len(self.passed_again)} in a second run only"
        print(f"{counts['passed']} passed ({again}), {counts['failed']} failed, {counts['skipped']} skipped", flush=True)
        if self.options.counts:
            with open(self.options.counts, "w") as file:
                file.write(f"{counts['passed']} {counts['failed']} {counts['skipped']}\n")
        return 1 if counts["failed"] else 0


# One of each kind of receiver, output, fault and command, and no slow ones.
QUICK = (
    "control.seek-forward-and-back",
    "content.flac-44100-16-is-exact",
    "refusals.unknown-speaker",
    "discovery.play-by-name",
    "local.every-frame-is-heard",
    "web.a-file-is-heard-whole",
    "apps.queue-edit",
    "players.an-edited-queue",
    "speaker.control.pause-and-resume-lose-nothing",
    "speaker.content.aac-passes-untouched",
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
    parser.add_argument("--quick", action="store_true", help="one case of each kind")
    parser.add_argument("--labs", type=int, default=LABS, metavar="N", help=f"so many labs at once ({LABS})")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="run each case so often")
    parser.add_argument("--once", action="store_true", help="cases that fail are not run a second time")
    parser.add_argument("--logs", default=os.path.join(BUILD, "logs", "interop"))
    parser.add_argument("--counts", help="write passed, failed and skipped counts to this file")
    options = parser.parse_args()
    chosen = choose(cases.load(), QUICK if options.quick else options.only)
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
