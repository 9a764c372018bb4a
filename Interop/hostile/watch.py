"""The checks made after each attack, with figures. Each returns a problem, or None; `proofs.py` plants their faults."""

import os
import re
import time

import numpy as np

# A tenth, and no less than the fluctuation of allocators and thread pools.
SHARE = 0.10
LEAST_KB, LEAST_DESCRIPTORS = 4096, 3
# Bytes that may move a terminal's cursor: C0 except the line feed, DEL, C1 as UTF-8, and bidirectional control characters.
CONTROL = re.compile(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xd8\x9c|\xe2\x81[\xa6-\xa9]")
# Internal names of errors and values: users must read sentences.
RAW = re.compile(rb"Optional\(|(?:malformed|missing|unexpectedState|backOff|refused|badRequest)\(|lengthOutOfRange|authenticationFailed|tooManyTries|malformedStartLine|invalidPublicKey")
CRASH = re.compile(rb"(?i)fatal error|stack dump|crashed at|backtrace|precondition failed|segmentation|sanitizer")


def start_time(pid):
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[19]


class Process:
    """A process that must survive, and its resources."""

    def __init__(self, name, pid):
        self.name, self.pid, self.since = name, pid, start_time(pid)

    def is_alive(self):
        try:
            with open(f"/proc/{self.pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
            return fields[0] not in "ZX" and fields[19] == self.since
        except OSError:
            return False

    def holds(self):
        """KB of memory, descriptors and threads."""
        kb = threads = 0
        with open(f"/proc/{self.pid}/status") as file:
            for line in file:
                if line.startswith("VmRSS:"):
                    kb = int(line.split()[1])
                elif line.startswith("Threads:"):
                    threads = int(line.split()[1])
        return kb, len(os.listdir(f"/proc/{self.pid}/fd")), threads


class Held:
    """Memory and descriptors of processes: as before within a tenth."""

    def __init__(self, processes):
        self.processes = processes
        self.before = {process.name: process.holds() for process in processes}

    def check(self, within=8.0):
        """Waits until all is as before; (problem or None, figures)."""
        end = time.monotonic() + within
        while True:
            wrong, figures = self._look()
            if wrong is None or time.monotonic() > end:
                return wrong, figures
            time.sleep(0.2)

    def _look(self):
        """The problem or None, and the figures of the process whose memory or descriptors differ most: before and now."""
        wrong, kbs, descriptors = None, [], []
        for process in self.processes:
            if not process.is_alive():
                return f"{process.name} has ended", ""
            (old_kb, old_count, _), (kb, count, _) = self.before[process.name], process.holds()
            kbs.append((old_kb, kb))
            descriptors.append((old_count, count))
            if kb - old_kb > max(LEAST_KB, SHARE * old_kb):
                wrong = f"{process.name} holds {kb / 1024:.1f} MB, {old_kb / 1024:.1f} MB before"
            if count - old_count > max(LEAST_DESCRIPTORS, SHARE * old_count):
                wrong = f"{process.name} holds {count} descriptors, {old_count} before"
        (old_kb, kb), (old_count, count) = (max(pairs, key=lambda pair: abs(pair[1] - pair[0])) for pairs in (kbs, descriptors))
        return wrong, f"{old_kb / 1024:.1f} → {kb / 1024:.1f} MB, {old_count} → {count} fd"


class Printed:
    """Files that programs print to: no control character, no secret, no crash in new output."""

    def __init__(self, paths, secrets=()):
        self.paths, self.secrets = paths, secrets
        self.at = {path: os.path.getsize(path) if os.path.exists(path) else 0 for path in paths}

    def check(self):
        for path in self.paths:
            if not os.path.exists(path):
                continue
            with open(path, "rb") as file:
                file.seek(self.at[path])
                wrong = wrong_in(file.read(), self.secrets)
            if wrong:
                return f"{os.path.basename(os.path.dirname(path))}/{os.path.basename(path)}: {wrong}"
        return None


def wrong_in(data, secrets=()):
    if found := CONTROL.search(data):
        around = data[max(0, found.start() - 30) : found.end() + 30]
        return f"the control character {found.group()!r} in {around!r}"
    for secret in secrets:
        if secret in data:
            return f"a secret of {len(secret)} bytes that begins with {secret[:4]!r}"
    if found := RAW.search(data):
        return f"a name of the program's own: {data[max(0, found.start() - 60) : found.end() + 40]!r}"
    if found := CRASH.search(data):
        return f"a crash: {data[found.start() : found.end() + 80]!r}"
    return None


def lost_frames(heard, source, offset):
    """Frames of `heard` that differ from source[offset...]; after the end of the source silence is expected."""
    expected = source[offset : offset + len(heard)]
    heard = heard[: len(expected)]
    return int(np.count_nonzero((heard != expected).any(axis=1)))


def describe_loss(heard, source, offset):
    """The position of the first wrong stretch, and whether the source continues after it at the same offset."""
    expected = source[offset : offset + len(heard)]
    wrong = np.flatnonzero((heard[: len(expected)] != expected).any(axis=1))
    if not len(wrong):
        return ""
    silent = int(np.count_nonzero(~heard[wrong].any(axis=1)))
    place = "silence" if silent > len(wrong) / 2 else "other sound"
    return f"{len(wrong)} frames from {wrong[0] / 44100:.3f} s on to {wrong[-1] / 44100:.3f} s, {place}"
