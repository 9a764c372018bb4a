"""The rows of bench.py about many cold starts of two rooms: how exactly they begin, and when."""

import statistics
import time

import listening
import sound
from cases import SPEAKERS
from lab import Receivers
from listening import RATE
from player import Failed

RUNS = 20
ROOMS = (1, 2)
OLD_SPEAKERS = Receivers(2, backend="pa", protocol="ap1", offset_step=1000)


def begin(t, path, finder, options):
    """One start: seconds until sound, seconds between the rooms along the longest piece, and whether all of the sound is the source's."""
    recording = t.record()
    player = t.play([path], ROOMS, *options)
    player.expect_end(40)
    recording.stop()
    samples = recording.samples()
    places, heard_at, exact = [], [], True
    for room in ROOMS:
        own = recording.room(samples, room)
        first, heard = listening.first_sound(own), finder.hear(own)
        if first is None or not heard.pieces:
            raise Failed(f"room {room} was not heard")
        exact &= len(heard.pieces) == 1 and heard.pieces[0].start == 0 and heard.foreign == 0
        longest = max(heard.pieces, key=lambda piece: piece.count)
        places.append(longest.at - longest.start)
        heard_at.append(recording.start_time() + first / RATE - player.started)
    return max(heard_at), abs(places[0] - places[1]) / RATE, exact


def starts(t, *options):
    source = t.sounds.noise("noise-8-5", 8, seed=5)
    path, finder = t.sounds.encoded("noise-8-5.flac", source), listening.Finder(sound.read_wav(source))
    after, apart, disturbed = [], [], 0
    for _ in range(RUNS):
        seconds, distance, exact = begin(t, path, finder, options)
        after.append(seconds)
        apart.append(distance)
        disturbed += not exact
        time.sleep(3)
    shown = ", ".join(f"{distance * 1e6:.0f}" for distance in apart)
    return (
        f"{disturbed} of {RUNS} disturbed; apart: median {statistics.median(apart) * 1e6:.0f} µs, worst {max(apart) * 1e6:.0f} µs ({shown}); "
        f"heard in both after {statistics.median(after) * 1e3:.0f} ms, at worst {max(after) * 1e3:.0f} ms"
    )


def register(row):
    row("starts-buffered", f"{RUNS} cold starts of two buffered rooms", "median ≤ 68 µs, worst ≤ 250 µs, heard ≤ 0.95 s", SPEAKERS)(starts)
    what = f"{RUNS} cold starts of two rooms with AirPlay 1"
    row("starts-airplay-1", what, "0 disturbed, worst ≤ 1 ms", OLD_SPEAKERS)(lambda t: starts(t, "--stream", "airplay1"))
