"""The rows of bench.py about the kinds of session: starts of realtime streams and AirPlay 1, rooms of every kind in step, joins, lost packets."""

import dataclasses
import statistics

from cases import FIVE, KINDS, KINDS_SPEAKERS, SPEAKERS
from cases.kinds import five_apart, lost_of, realtime, shown, three_apart, worst
from cases.members import away_and_back


def three(t):
    runs, repeated = three_apart(t)
    return f"{shown(runs)}; every frame exact, {repeated} runs repeated; largest median {worst(runs) * 1e6:.0f} µs"


def five(t):
    runs = five_apart(t)
    return f"{shown(runs)}; largest median {worst(runs) * 1e6:.0f} µs"


def join(t):
    offsets = [away_and_back(t)[2] for _ in range(3)]
    shown_offsets = ", ".join(f"{offset * 1e6:+.0f}" for offset in offsets)
    return f"{shown_offsets} µs, median {statistics.median(map(abs, offsets)) * 1e6:.0f} µs; the other room exact in every frame"


def loss(t):
    return ", ".join(f"{name}: {missing} frames missing" for name, missing in lost_of(t).items()) + " from 2.5 s after the start on"


def register(row, cold_starts):
    row("start-realtime", "command → audible, cold, realtime stream on shairport-sync", "≤ 1.2 s", KINDS_SPEAKERS)(
        lambda t: cold_starts(t, "--to", t.lab.endpoint(2), *realtime(t, 2))
    )
    row("start-airplay-1", "the same, AirPlay 1", "≤ 1.2 s", KINDS_SPEAKERS)(
        lambda t: cold_starts(t, "--to", t.lab.endpoint(3), "--stream", "airplay1")
    )
    row("kinds", "realtime and AirPlay 1 apart from a buffered room", "≤ 100 µs, AirPlay 1 ≤ 1 ms", KINDS_SPEAKERS)(three)
    what = "the same with our own speaker and this machine's output"
    row("kinds-ours", what, "≤ 100 µs, AirPlay 1 ≤ 1 ms", dataclasses.replace(FIVE, tolerance=0))(five)
    # By default shairport-sync stays up to 2 ms off its own clock: its statistics say 0.8 to 1.3 ms.
    row("kinds-ours-close", what + ", with shairport-sync correcting errors of 0.2 ms and more", "the same", FIVE)(five)
    row("join", "a room that joins in mid-song apart from one that plays, from its first frame on", "≤ 1 ms", SPEAKERS)(join)
    row("loss", "5 % of a room's packets lost, realtime and AirPlay 1", "0 frames missing", KINDS)(loss)
