"""The rows of bench.py about seeks in a full renderer: `SampleAppsRunner seeks`, on our speaker and on shairport-sync."""

import os

import numpy as np
from cases import OURS, PIPE
from cases.apps import go_to
from player import Failed

COUNT = int(os.environ.get("TUTTI_SEEKS", "1000"))
MARK = 22_050  # frames that encode the number of their seek
ENOUGH = 1000  # of these frames: the seek was audible


def marks(samples):
    """For each audible seek: the number of its first frames that were skipped."""
    left, right = samples[:, 0].astype(int), samples[:, 1].astype(int)
    is_mark = (left >= 1) & (left <= COUNT) & (right >= 1) & (right <= MARK)
    found = {}
    for number in np.unique(left[is_mark]):
        frames = right[is_mark & (left == number)]
        if len(frames) >= ENOUGH:
            found[int(number)] = int(frames.min()) - 1
    return found


def seeks(t):
    t.apps = os.path.join(os.path.dirname(t.program), "SampleAppsRunner")
    if not os.access(t.apps, os.X_OK):
        raise Failed("no program for the seeks: scripts/release.sh SampleAppsRunner")
    app, _ = t.app("seeks", [])
    go_to(app, t.lab.name(1))
    mark = t.lab.mark()
    app.send(f"seek {COUNT}")
    done = app.wait("allSought", 60 + 35 * COUNT)
    t.lab.settle(1)
    missed = marks(t.lab.heard(1, mark))
    events = app.all("sought")
    app.quit()
    if not missed:
        raise Failed(f"no seek was heard; sound was asked for after {done['asked']} of {COUNT}")
    late = sorted(missed.values())
    silent = sorted(set(range(1, COUNT + 1)) - set(missed))
    waits = sorted(event["askedMs"] for event in events if event["asked"])
    text = (
        f"{len(missed):,} of {COUNT:,} heard; sound was asked for after {done['asked']:,}, {done['full']:,} were in a full renderer; "
        f"asked after {waits[len(waits) // 2]:.1f} ms, worst {waits[-1]:.1f} ms; "
        f"passed over at the start: median {late[len(late) // 2] / 44.1:.1f} ms, worst {late[-1] / 44.1:.1f} ms"
    )
    return text + (f"; not heard: {silent[:20]}" if silent else "")


def register(row):
    row("seeks-full-speaker", "seeks in a full renderer that are heard, our speaker", "1,000 of 1,000", OURS)(seeks)
    row("seeks-full-shairport", "the same, shairport-sync", "1,000 of 1,000", PIPE)(seeks)
