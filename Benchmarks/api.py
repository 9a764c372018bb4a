"""The cost of playback API calls for their caller: runs Benchmarks/API, a separate program."""

import json
import os
import subprocess

from player import Failed

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "API")
_figures = {}


def figures():
    """All of them, from one run."""
    if not _figures:
        scratch = os.path.join(FOLDER, "..", "..", ".build", "api-figures")
        command = ["swift", "run", "-c", "release", "--package-path", FOLDER, "--scratch-path", scratch, "APIFigures"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(f"Benchmarks/API does not run: {(done.stderr or done.stdout)[-500:]}")
        for line in done.stdout.splitlines():
            if line.startswith("{"):
                entry = json.loads(line)
                _figures[entry.pop("figure")] = entry
    return _figures


def enqueue(t):
    figure = figures()["enqueue"]
    return f"median {figure['median']:.1f} µs, p99 {figure['p99']:.1f} µs, worst {figure['worst']:.0f} µs (600 buffers)"


def current_time(t):
    return f"{figures()['currentTime']['nanoseconds']:.0f} ns (mean of a million)"


def flush(t):
    figure = figures()["flush"]
    parts = [f"{figure[f'of{count}']:.0f} µs with {count:,}" for count in (1000, 10_000, 20_000)]
    return "; ".join(parts) + " buffers (best of 5)"


def observers(t):
    figure = figures()["observers"]
    return f"median {figure['median']:.2f} ms, p99 {figure['p99']:.2f} ms, worst {figure['worst']:.2f} ms late ({figure['count']:.0f} of 400 times)"


def queue(t):
    figure = figures()["queue"]
    parts = [
        f"{name} {figure[name]:.2f} ms (worst {figure[name + 'Worst']:.2f}, of its own {figure[name + 'Work']:.2f})"
        for name in ("insert", "remove", "advance")
    ]
    return ", ".join(parts) + ", medians of 200"


def register(row):
    row("api-enqueue", "enqueue of one buffer of 1 s, on the caller's thread", "≤ 20 µs", None)(enqueue)
    row("api-current-time", "currentTime()", "≤ 200 ns", None)(current_time)
    row("api-flush", "flush() with many buffers queued", "at most linear", None)(flush)
    row("api-queue", "edits of a queue player with 5,000 items, on the caller's thread", "≤ 1 ms", None)(queue)
    row("api-observers", "boundary observers, one of two cores busy", "≤ 2 ms late", None)(observers)
