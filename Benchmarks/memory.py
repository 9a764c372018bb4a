"""The row of bench.py about memory: `tutti play` sends a FLAC file to two of our speakers, whose buffers fill, and what its pages are."""

import contextlib
import os
import re
import subprocess
import time

from player import Player, least_ahead

SECONDS = 240
SPEAKERS = ("127.0.0.21", "127.0.0.22")
# Seconds of uncompressed sound: 8 MiB, as shairport-sync has.
BUFFER = "47"


def pages(process):
    """Resident megabytes of a process by what they are, and of each kind those that it has written."""
    kinds = {}
    program = os.readlink(f"/proc/{process}/exe")
    with open(f"/proc/{process}/smaps") as file:
        for line in file:
            fields = line.split(maxsplit=5)
            if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
                path = fields[5].strip() if len(fields) > 5 else ""
                kind = "program" if path == program else "libraries" if ".so" in path else "stacks" if path == "[stack]" else "data"
            elif fields[0] in ("Rss:", "Anonymous:"):
                kinds.setdefault(kind, {"Rss:": 0, "Anonymous:": 0})[fields[0]] += int(fields[1]) / 1000
    return kinds


@contextlib.contextmanager
def speakers(t):
    running = [
        subprocess.Popen(
            [t.program, "speaker", "--name", f"Bench {number}", "--output", "null", "--address", address, "--buffer", BUFFER, "--json"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for number, address in enumerate(SPEAKERS, 1)
    ]
    try:
        time.sleep(1)
        yield
    finally:
        for one in running:
            one.terminate()
        for one in running:
            one.wait(5)


def memory(t):
    path = t.sounds.encoded(f"music-{SECONDS}.flac", t.sounds.music(f"music-{SECONDS}", SECONDS, seed=13))
    with speakers(t):
        to = [word for address in SPEAKERS for word in ("--to", f"{address}:7000")]
        player = Player([t.program, "play", path, *to, "--address", "127.0.0.1", "--json"], t.folder, "memory")
        try:
            player.wait("playing", 15)
            time.sleep(30)
            held = least_ahead(player.all("progress")[-1])
            player.poll()
            kinds = pages(player.process.pid)
            player.quit()
        finally:
            player.close()
    total, written = (sum(kind[value] for kind in kinds.values()) for value in ("Rss:", "Anonymous:"))
    parts = ", ".join(f"{name} {kind['Rss:']:.1f} ({kind['Anonymous:']:.1f} written)" for name, kind in sorted(kinds.items()))
    return f"peak {player.peak_kb / 1000:.1f} MB; after 30 s, {held:.0f} s held, {total:.1f} MB, {written:.1f} of them written: {parts}"


def register(row):
    row("memory", "memory of the sender, FLAC to two of our speakers with buffers of 8 MiB, by kinds of pages", "≤ 62 MB", None)(memory)
