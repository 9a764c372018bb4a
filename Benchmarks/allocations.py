"""Allocations for each packet after the start, counted inside the running program, by thread (allocations.c)."""

import os
import subprocess
import time

from player import Failed, Player
from speaker import Loopback

HERE = os.path.dirname(os.path.abspath(__file__))
PACKETS_PER_SECOND = 44100 / 352
# Their allocations come with a report, an interface query or a clock packet, not with an audio packet.
WINDOW = 10  # seconds


def counter(folder):
    """The counting library, built where the measurement keeps its files."""
    library = os.path.join(folder, "allocations.so")
    command = ["cc", "-O2", "-shared", "-fPIC", "-o", library, os.path.join(HERE, "allocations.c"), "-ldl", "-lpthread"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"allocations.c does not compile: {done.stderr[-300:]}")
    return library


def counts(path):
    """The latest line: seconds, and the counts by thread name."""
    with open(path) as file:
        lines = [line for line in file if line.endswith("\n")]
    words = lines[-1].split()
    return float(words[0]), {name: int(count) for name, count in (word.rsplit("=", 1) for word in words[1:])}


def during(path):
    """Allocations for each audio packet over the window, by thread name."""
    before, old = counts(path)
    time.sleep(WINDOW)
    after, new = counts(path)
    packets = (after - before) * PACKETS_PER_SECOND
    return {name: (count - old.get(name, 0)) / packets for name, count in new.items()}


def shown(rates):
    parts = [f"{name} {rate:.2f}" for name, rate in sorted(rates.items(), key=lambda entry: -entry[1]) if rate >= 0.005]
    return f"{sum(rates.values()):.2f} for each packet ({', '.join(parts)})"


def local(t):
    """A FLAC file on the machine's own output: read, decoded, packed, mixed and rendered throughout."""
    path = t.sounds.encoded("music-60.flac", t.sounds.music("music-60", 60, seed=11))
    file = os.path.join(t.folder, "counts")
    environment = {"LD_PRELOAD": counter(t.folder), "TUTTI_ALLOCATIONS": file}
    player = Player([t.program, "play", path, "--output", "null", "--json"], t.folder, "local", **environment)
    try:
        player.wait_position(5, within=15)
        return shown(during(file))
    finally:
        player.close()


def speaker(t):
    """A speaker that holds the whole file: measures the sender's remaining work while it plays."""
    path = t.sounds.encoded("music-60.flac", t.sounds.music("music-60", 60, seed=11))
    file = os.path.join(t.folder, "counts")
    with Loopback(t, path, LD_PRELOAD=counter(t.folder), TUTTI_ALLOCATIONS=file) as link:
        link.player.wait_position(5, within=15)
        return shown(during(file))


def register(row):
    row("allocations-local", "allocations while a file plays on the machine's own output", "none for a packet", None)(local)
    row("allocations-speaker", "allocations of the sender while a speaker plays what it holds", "none for a packet", None)(speaker)
