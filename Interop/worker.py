"""One worker of Interop/run.py: a process with one lab at a time, which runs the cases it is given."""

import ctypes
import os
import signal
import sys
import threading
import time
import traceback
from dataclasses import dataclass, field

import cases
import lab as labs
import making
import sound
from player import Failed, Skipped
from stage import Stage

PR_SET_PDEATHSIG = 1


@dataclass
class Result:
    name: str
    outcome: str  # passed, failed or skipped
    seconds: float
    text: str = ""
    details: list = field(default_factory=list)
    start: float = 0.0  # by time.monotonic(), as the end
    end: float = 0.0


class Watchdog(threading.Thread):
    """Calls `expire` when a case has run for its limit. What is made once does not count: a case that needs hours of
    sound, or a sender's programs, for the first time would have no time left on a busy machine."""

    def __init__(self, limit, expire):
        super().__init__(daemon=True)
        self.expire, self.is_over = expire, threading.Event()
        self.end = time.monotonic() + limit - making.seconds()

    def run(self):
        while (left := self.end + making.seconds() - time.monotonic()) > 0:
            if self.is_over.wait(left):
                return
        self.expire()

    def cancel(self):
        self.is_over.set()


class Worker:
    """Runs cases in sequence; the lab stays up while the next case needs the same one."""

    def __init__(self, options, folder, attempt=1):
        """`folder` holds the labs of all workers; `attempt` separates the logs of repetitions."""
        self.options, self.folder, self.attempt = options, folder, attempt
        self.logs = os.path.abspath(options.logs)
        self.sounds = sound.Sounds(os.path.join(labs.BUILD, "sounds"))
        self.lab, self.kind = None, None

    def run_case(self, entry):
        start = time.monotonic()
        result = self.outcome_of(entry, start)
        result.start, result.end = start, time.monotonic()
        return result

    def outcome_of(self, entry, start):
        folder = os.path.join(self.logs, entry.name + (f"-{self.attempt}" if self.attempt > 1 else ""))
        os.makedirs(folder, exist_ok=True)
        stage, error = None, None
        try:
            self.enter_lab(entry.lab)
            stage = Stage(os.path.abspath(self.options.program), self.lab, self.sounds, folder)
            stage.apps = os.path.abspath(self.options.apps)
            stage.standins = os.path.abspath(self.options.standins)
            watchdog = Watchdog(entry.timeout, stage.end_processes)
            watchdog.start()
            try:
                entry.run(stage)
            finally:
                watchdog.cancel()
                stage.close()
        except Skipped as reason:
            return Result(entry.name, "skipped", time.monotonic() - start, str(reason))
        except (Failed, labs.LabError) as failure:
            error = str(failure)
        except Exception:  # a defect of the case itself: shown completely
            error = traceback.format_exc()
        seconds = time.monotonic() - start
        if error is None:
            return Result(entry.name, "passed", seconds, "; ".join(stage.notes))
        if stage and stage.timed_out:
            error = f"not done after {entry.timeout:g} s; then: {error}"
        details = [line for player in stage.players[-1:] for line in player.report()] if stage else []
        if self.lab:
            details += self.lab.logs()
            self.lab.keep_logs(folder)
        # The next case must not inherit a receiver in an odd state.
        self.leave_lab()
        return Result(entry.name, "failed", seconds, error, details)

    def enter_lab(self, kind):
        if self.kind == kind:
            return
        self.leave_lab()
        self.lab = labs.Lab.of_this_process(self.folder)
        self.lab.up(kind.with_program(os.path.abspath(self.options.program)))
        self.kind = kind

    def leave_lab(self):
        lab, self.lab, self.kind = self.lab, None, None
        if lab:
            lab.remove()


def work(channel, options, folder, attempt=1):
    """The worker's process: requests cases until there is none, and always takes its lab down."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    known = {entry.name: entry for entry in cases.load()}
    worker = Worker(options, folder, attempt)
    result = None
    try:
        while True:
            channel.send((worker.kind, result))
            name = channel.recv()
            if name is None:
                return
            result = worker.run_case(known[name])
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        pass  # the runner has ended
    finally:
        worker.leave_lab()
