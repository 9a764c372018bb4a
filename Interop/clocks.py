"""A clock that insists, in the place of a speaker's: Debian's ptp4l with timestamps that run wrong by a known amount.

It leads until somebody offers it a better clock, as the best-master election has it, and so shows an offer that must not be.
"""

import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field

import servers
from player import Failed, Skipped

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lab", "skewed.c")
BILLION = 10**9
# As a HomePod: every message has majorSdoId 1, Announces four and Syncs eight times a second, a bad quality.
SETTINGS = """[global]
transportSpecific 0x1
domainNumber 0
priority1 248
priority2 248
clockClass 248
network_transport UDPv4
delay_mechanism E2E
hybrid_e2e 1
time_stamping software
free_running 1
logSyncInterval -3
logAnnounceInterval -2
announceReceiptTimeout 2
"""


def shim(folder):
    """The library that skews ptp4l's timestamps, built once for a case."""
    library = os.path.join(folder, "skewed.so")
    if not os.path.exists(library):
        compiler = shutil.which("cc") or shutil.which("clang")
        if not compiler:
            raise Skipped("no C compiler for skewed.c")
        built = subprocess.run([compiler, "-O1", "-Wall", "-shared", "-fPIC", "-o", library, SOURCE], capture_output=True, text=True)
        if built.returncode:
            raise Failed(f"skewed.c does not compile: {built.stderr}")
    return library


@dataclass
class LeadingClock:
    """A ptp4l on a node of the lab. It speaks to one address only."""

    stage: object
    node: str
    peer: str
    ppm: float = 40
    epoch: int = 5000  # seconds at the start: a speaker's time is often that since it was switched on
    log: str = field(init=False)

    def __enter__(self):
        folder = self.stage.folder
        program = os.path.join(servers.root("clocks"), "usr", "sbin", "ptp4l")
        settings = os.path.join(folder, "ptp4l.conf")
        with open(settings, "w") as file:
            file.write(SETTINGS)
        self.origin = time.time_ns()
        self.log = os.path.join(folder, f"ptp4l-{self.epoch}.log")
        skew = f"{self.origin},{self.epoch * BILLION},{round(self.ppm * 1000)}"
        environment = ["env", f"LD_PRELOAD={shim(folder)}", f"TUTTI_SKEW={skew}", f"TUTTI_SKEW_PEER={self.peer}"]
        command = self.stage.lab.sender_command(*environment, program, "-f", settings, "-i", "eth0", "-m", node=self.node)
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(3)

    def truth(self, wall):
        """The clock's time at a reading of the wall clock, nanoseconds."""
        passed = wall - self.origin
        return self.epoch * BILLION + passed + passed * round(self.ppm * 1000) // BILLION

    def words(self):
        with open(self.log) as file:
            return file.read()

    def wait_leading(self, within=10):
        end = time.monotonic() + within
        while "grand master role" not in self.words():
            if self.process.poll() is not None or time.monotonic() > end:
                raise Failed(f"ptp4l does not lead: {self.words()[-400:]}")
            time.sleep(0.05)
