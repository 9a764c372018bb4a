"""The row of bench.py about a clock that insists: `SampleAppsRunner clock` beside ptp4l, whose timestamps run wrong by a known amount."""

import os
import time

import clocks
import numpy as np
from cases.clock import LINE, SENDER, SETTLED, TWO_MACHINES, errors, follower

SECONDS = 60


def line(t):
    t.apps = os.path.join(os.path.dirname(t.program), "SampleAppsRunner")
    with clocks.LeadingClock(t, "s2", SENDER) as leader:
        leader.wait_leading()
        program = follower(t)
        time.sleep(SECONDS)
        found = errors(program, leader)
        settled = program.all("line")[-1]["settled"]
    parts = []
    for since, until in ((settled, SETTLED), (SETTLED, SECONDS)):
        part = np.abs(found[(found[:, 0] >= since) & (found[:, 0] < until), 1]) * 1e6
        parts.append(f"{np.max(part):.1f} µs at most from {since:.2f} to {until:g} s")
    return f"{', '.join(parts)}; known well enough after {settled:.2f} s"


def register(row):
    what = "error of the line of a clock that insists, ptp4l at +40 ppm, from 5 s on"
    row("clock-that-insists", what, f"≤ {LINE * 1e6:.0f} µs", TWO_MACHINES)(line)
