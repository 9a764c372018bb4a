"""Programs that a lab calls, and processes that it keeps: noted in files, and ended by their own id only.

A note, NODE/pid or NODE/NAME.pid in the lab's folder, holds an id and a start time: a number that is used again is never
signalled, and a later process finds what an earlier one has started.
"""

import contextlib
import glob
import os
import signal
import subprocess
import time

# A process notes itself before it becomes the program: whatever ends the caller meanwhile, nothing runs that is not noted.
# Where the lab's folder is gone already, the program does not start. Field 22 is the start time.
NOTED = 'echo $$ $(cut -d" " -f22 /proc/$$/stat) >"$0" && exec "$@"'
# A note that is written inside a container, with the number that is valid there.
FOREIGN = "shairport-sync.pid"


class LabError(Exception):
    """The lab cannot do what it was asked; the text says why, and what to do if something can be done."""


def run(command, timeout=30, text=None, check=True):
    """Runs a program to its end, with `text` as its input, and returns its output. Throws LabError if it fails."""
    source = {"stdin": subprocess.DEVNULL} if text is None else {"input": text}
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout, **source)
    except subprocess.TimeoutExpired:
        raise LabError(f"{' '.join(command)}: not done after {timeout:g} s") from None
    if check and done.returncode != 0:
        # `ip -batch` says in the last line where, in the one before what went wrong.
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        raise LabError(f"{' '.join(command)}: {'; '.join(lines[-2:]) or 'no message'}")
    return done.stdout


def start(command, note, log):
    """Starts a process in a session of its own. It is not a child of this one, which need not wait for it."""
    with open(log, "wb") as output:
        words = ["setsid", "--fork", "sh", "-c", NOTED, note, *command]
        subprocess.run(words, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=True)


def started_at(pid):
    """When a process was started, in the kernel's ticks; None if it has ended."""
    try:
        with open(f"/proc/{pid}/stat", errors="replace") as file:
            # The command name may hold spaces and brackets; the fields after its end are plain.
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]


def children(pid):
    """The ids of a process's children; none if it has ended."""
    return [int(word) for word in " ".join(read_tail(f"/proc/{pid}/task/{pid}/children")).split()]


def alive(note):
    """The id of a noted process, if it is still the one that was started; otherwise None."""
    words = " ".join(read_tail(note, 1)).split()
    return int(words[0]) if len(words) == 2 and started_at(words[0]) == words[1] else None


def stop(note, sign=signal.SIGTERM):
    if pid := alive(note):
        with contextlib.suppress(ProcessLookupError):  # it may end at this moment
            os.kill(pid, sign)


def end_all(state):
    """Ends all processes of the lab with this folder; returns false if some do not end."""
    folders = os.path.join(glob.escape(state), "*")
    containers = glob.glob(os.path.join(folders, "pid"))
    others = [note for note in glob.glob(os.path.join(folders, "*.pid")) if os.path.basename(note) != FOREIGN]
    for note in others:
        stop(note)
    # KILL: unshare --fork ignores TERM; --kill-child and the process namespace then end everything inside.
    for note in containers:
        stop(note, signal.SIGKILL)
    have_ended = until(lambda: not any(map(alive, containers + others)), 10)
    for note in containers + others:
        with contextlib.suppress(FileNotFoundError):  # a second process may be doing the same
            os.remove(note)
    return have_ended


def until(condition, seconds, interval=0.05):
    """Waits for the condition and returns it, or something false when the time is over."""
    end = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(interval)
    return found


def read_tail(path, lines=0):
    """The last lines of a text file, or all; none if there is no such file."""
    try:
        with open(path, errors="replace") as file:
            return file.read().splitlines()[-lines:]
    except OSError:
        return []


def write(path, text):
    """Makes a text file; another file of this name is replaced as a whole, so that no reader sees half of the text."""
    with open(path + ".new", "w") as file:
        file.write(text)
    os.replace(path + ".new", path)
