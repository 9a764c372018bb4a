"""A witness that tells a fault of ours from a machine that stood still: how late threads like ours were woken meanwhile.

`lab/witness.c` asks to be woken each millisecond and keeps the worst lateness, of a thread with the priority of our render
threads and of an ordinary one; with the kernel's figures of pressure and steal.
"""

import os
import subprocess
import time
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "lab", "witness.c")

# Milliseconds: the period of our outputs. A thread that is woken later has missed one, whatever it would have done.
RENDER_LIMIT = 10.0
ORDINARY_LIMIT = 10.0
# The part of the time in which something waited for a core. A thread with little to do is woken in time also beside busy programs;
# one with much to do, such as decoding, then gets half of what it needs.
PRESSURE_LIMIT = 0.5

TICK = 1000.0 / os.sysconf("SC_CLK_TCK")


@dataclass
class Testimony:
    """What the witness saw between two moments."""

    render: float  # worst lateness of the thread with real-time priority, in milliseconds
    ordinary: float  # that of the ordinary thread
    pressure: float  # part of the time in which something waited for a core, 0 to 1
    steal: float  # milliseconds that the host took, of all cores
    seconds: float  # how long it looked

    @property
    def is_quiet(self):
        is_punctual = self.render <= RENDER_LIMIT and self.ordinary <= ORDINARY_LIMIT
        return self.seconds > 0 and is_punctual and self.pressure <= PRESSURE_LIMIT

    @property
    def may_excuse(self):
        """Whether a failure meanwhile says nothing. Where nobody looked, it says what it says."""
        return self.seconds > 0 and not self.is_quiet

    def __str__(self):
        if self.seconds <= 0:
            return "no witness"
        word = "quiet" if self.is_quiet else "noisy"
        return (f"{word} machine: threads at most {self.render:.1f} ms late (real-time) and {self.ordinary:.1f} ms (ordinary), "
                f"pressure {100 * self.pressure:.0f} %, steal {self.steal:.0f} ms")


NOTHING = Testimony(0, 0, 0, 0, 0)


class Witness:
    """The running witness; its record grows by 60 kB a minute."""

    def __init__(self, folder):
        """Throws OSError or CalledProcessError if there is no compiler."""
        os.makedirs(folder, exist_ok=True)
        program, self.file = os.path.join(folder, "witness"), os.path.join(folder, "witness.txt")
        subprocess.run(["cc", "-O2", SOURCE, "-o", program, "-lpthread"], check=True, capture_output=True, timeout=60)
        with open(self.file, "w"):
            pass
        # It ends with this process, whose end of the pipe is the only one.
        self.process = subprocess.Popen([program, self.file], stdin=subprocess.PIPE)

    def between(self, start, end):
        """The testimony about a time by `time.monotonic()`."""
        # A line speaks of the tenth of a second before it, and is itself late when the machine stands still.
        deadline = time.monotonic() + 2
        lines = self._lines()
        while time.monotonic() < deadline and (not lines or lines[-1][0] < end):
            time.sleep(0.05)
            lines = self._lines()
        return testimony(lines, start, end)

    def _lines(self):
        with open(self.file) as file:
            return [tuple(map(float, line.split())) for line in file if line.endswith("\n")]

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)


def testimony(lines, start, end):
    """The testimony of the witness's lines about the time from `start` to `end`; the first line after the end belongs to it."""
    after = [line for line in lines if line[0] >= start]
    seen = [line for line in after if line[0] < end]
    seen += after[len(seen) : len(seen) + 1]
    if not seen:
        return NOTHING
    before = [line for line in lines if line[0] < start][-1:] or seen[:1]
    first, last = before[0], seen[-1]
    seconds = last[0] - first[0]
    return Testimony(
        render=max(line[1] for line in seen) / 1000,
        ordinary=max(line[2] for line in seen) / 1000,
        pressure=max(0.0, last[3] - first[3]) / 1e6 / seconds if seconds > 0 else 0.0,
        steal=max(0.0, last[4] - first[4]) * TICK,
        seconds=end - start,
    )
