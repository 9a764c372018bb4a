"""Starts at a given time, ends, and late edits of AVQueuePlayer on speakers: timing of the audio."""

import time

import numpy as np

import listening
from cases import FADE, OURS, SPEAKERS, case, expect
from cases.control import expect_pieces
from cases.places import LATE
from cases.queue import Queue, noises
from listening import RATE

# Largest error of a start time, seconds; docs/benchmarks.md has the measured values of rooms.
LOOSE_GATE = 0.015


def appoint(queue, place, lead):
    here = queue.do(f"appoint 1 {place} {lead}")
    host = queue.wait("appointed", 5, here)["host"]
    queue.wait("timeControlStatus", 10, here, value="playing")
    time.sleep(host + 0.7 - time.monotonic())  # some of it has played
    queue.do("pause")
    queue.wait("timeControlStatus", 5, here, value="paused")
    return place, host


def starts_at_host_times(t, queue):
    queue.do("waits off")
    queue.wait("itemStatus", 10, value="readyToPlay")
    time.sleep(0.5)
    # The first seek cold, one within the speaker's buffer, one far away.
    asked = [appoint(queue, place, lead) for place, lead in ((0, 2.5), (12.5, 1), (80, 1))]
    time.sleep(0.3)
    return asked


@case("players.starts-at-host-times-on-shairport-sync", lab=SPEAKERS, timeout=60, quiet=True)
def host_times_theirs(t):
    (path,), (samples,) = noises(t, (90,), seed=97)
    recording = t.record()
    queue = Queue(t, [path])
    asked = starts_at_host_times(t, queue)
    recording.stop()
    heard, begin = recording.room(recording.samples(), 1), recording.start_time()
    late = []
    for place, host in asked:
        first = int((host - 0.3 - begin) * RATE)
        onset = listening.onset(heard[first : first + RATE], samples, round(place * RATE))
        expect(onset, f"{place} s did not start near the given time")
        late.append((first + onset.at - (onset.start - place * RATE)) / RATE + begin - host)
    t.note("heard " + ", ".join(f"{seconds * 1e3:+.1f}" for seconds in late) + " ms from the instant")
    # The recorder's own clock is accurate to about 20 ms, with one offset for all.
    apart = [seconds - np.median(late) for seconds in late]
    expect(max(abs(seconds) for seconds in apart) < LOOSE_GATE, f"started {late} s from the given time")
    expect(abs(np.median(late)) < 0.02 + LOOSE_GATE, f"started {late} s from the given time")
    queue.quit()


@case("players.preroll", lab=OURS, timeout=60, quiet=True)
def preroll(t):
    """A preroll completes, and the following start plays no later than one without preroll."""
    (path,), (samples,) = noises(t, (20,), seed=98)
    took = []
    for prerolls in (False, True):
        queue = Queue(t, [path])
        queue.wait("itemStatus", 10, value="readyToPlay")
        here = queue.app.here()
        if prerolls:
            queue.do("preroll")
            done = queue.wait("prerolled", 10, here)
            expect(done["done"], "the preroll did not finish")
        asked = queue.app.send("play")
        queue.wait_position(1, 10, here)
        queue.do("pause")
        piece = expect_pieces(queue.hear(samples), 1)[0]
        expect(piece.start == 0, f"the start: {piece}")
        took.append(queue.heard_at(piece) - asked)
        queue.quit()
    t.note(f"first sound {took[0] * 1e3:.0f} ms after a start, {took[1] * 1e3:.0f} ms after one with a preroll")
    # The difference is small where the speaker answers at once.
    expect(took[1] < took[0] + 0.05, "a start after a preroll plays later")


@case("players.actions-at-the-end", lab=OURS, timeout=60)
def ends(t):
    """With three items: pauses at the end of the first, stays at that of the second, and continues."""
    # The second one is long enough that an edit in it is in time on a busy machine, too.
    paths, samples = noises(t, (2, 4, 2), seed=110)
    queue = Queue(t, paths)
    control = "timeControlStatus"
    here = queue.do("endaction pause", "play")
    queue.wait("didPlayToEndTime", 10, here, item=1)
    queue.wait("rate", 2, here, value=0)
    queue.expect_in_order(control, ["playing", "paused"], here)
    # Nothing is left to play: it ends again.
    here = queue.do("play")
    queue.wait("rate", 2, here, value=0)
    queue.expect_in_order("rate", [1, 0], here)
    expect_place(queue, 2, rate=0)
    queue.expect_in_order("currentItem", [1])
    here = queue.do("endaction advance", "play")
    queue.wait("currentItem", 2, here, value=2)
    queue.wait_position(0.5, 5, queue.app.here())
    here = queue.do("endaction none")
    queue.wait("didPlayToEndTime", 10, here, item=2)
    time.sleep(0.5)  # silence, and nothing changes
    expect_place(queue, 4, rate=1)
    queue.expect_in_order("rate", [], here)
    queue.expect_in_order(control, [], here)
    # As a program that repeats an item does it.
    here = queue.do("seek 3")
    queue.wait("didPlayToEndTime", 10, here, item=2)
    queue.expect_in_order("rate", [], here)
    queue.expect_in_order("currentItem", [], here)
    here = queue.do("endaction advance")
    queue.wait("didPlayToEndTime", 10, here, item=3)
    queue.expect_in_order("currentItem", [3, None], here)
    queue.wait("rate", 2, here, value=0)
    pieces = expect_pieces(queue.hear(np.concatenate(samples)), 4)
    for piece, (start, end) in zip(pieces, ((0, 2), (2, 6), (5, 6), (6, 8))):
        # A late start skips frames that are already due; at the end nothing may be missing.
        right = 0 <= piece.start - start * RATE <= LATE and piece.end == end * RATE
        expect(right, f"not from {start} to {end} s: {piece}")
    queue.expect_undisturbed()
    queue.quit()


def expect_place(queue, seconds, rate):
    here = queue.do("place")
    place = queue.wait("place", 5, here)
    expect(place["position"] == seconds and place["rate"] == rate, f"not at {seconds} s at rate {rate}: {place}")


@case("players.a-late-edit", lab=OURS, timeout=60)
def late_edit(t):
    """An item is inserted before the next one just before that plays: a short silence, and the program is notified."""
    paths, samples = noises(t, (3, 2, 2, 1), seed=120)
    queue = Queue(t, paths[:2])
    queue.do("play")
    queue.wait_position(2.75)
    here = queue.do(f"insert-after 1 {paths[2]}")
    queue.wait("editWasLate", 5, here)
    queue.wait("currentItem", 10, here, value=2)
    # Nothing follows: this is no edit, but it also comes at the last moment.
    queue.wait_position(1.7, after=queue.app.here())
    later = queue.do(f"insert {paths[3]}")
    queue.wait("currentItem", 10, later, value=None)
    expect(not queue.all("editWasLate", later), "an item after the last one is reported as a late edit")
    queue.expect_in_order("currentItem", [1, 3, 2, 4, None])
    before, after, *rest = expect_pieces(queue.hear(np.concatenate(samples)), 5)
    twice, silence = (before.end - after.start) / RATE, (after.at - before.at - before.count) / RATE
    t.note(f"{silence * 1e3:.0f} ms of silence, {twice * 1e3:.0f} ms heard twice")
    expect(before.start == 0 and after.end == 3 * RATE, f"the first item: {before}; {after}")
    expect(-FADE / RATE <= twice < 0.05 and silence < 0.3, f"not a short silence: {before}; {after}")
    places = [(piece.start / RATE, piece.end / RATE) for piece in rest]
    expect(places == [(5, 7), (3, 5), (7, 8)], f"the items that followed: {places}")
    for one, next in zip([after, *rest], rest):
        expect(next.at == one.at + one.count, f"not without a gap: {one}; {next}")
    queue.expect_undisturbed()
    queue.quit()

