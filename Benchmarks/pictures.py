"""The rows of bench.py about films: ten minutes with twenty seeks in step with the sound, 1080p60 for a minute, what pictures cost and what
the sound notices of them, and seeks until the right picture."""

import dataclasses
import glob
import os
import statistics
import time

from cases import PIPE, SPEAKERS
from cases.pictures import LONG, expect_window, in_step, long_course, seeks, showing, smooth
from films import ears
from films.film import Film

RUNS = 3
SOUND_THREADS = ("playout", "output.")
TICK = os.sysconf("SC_CLK_TCK")


def in_step_row(place, film=LONG):
    def measure(t):
        found, _, note = in_step(t, place, film, long_course)
        return f"{note}" + (f"; without a click: {[flash.second for flash in found.lone_flashes]}" if found.lone_flashes else "")

    return measure


def seek_times(t):
    took, note = seeks(t)
    return note


@dataclasses.dataclass
class Load:
    """What one play cost."""

    start: float  # ms from the process's start to the sound
    processor: float  # seconds of processor for each second, all threads
    sound: float  # the same, the sound's own threads, ms
    peak: float  # MB
    late: float  # ms: the most by which a click is off the second before it
    clicks: int


def processor_times(pid):
    """Ticks of all threads, and of the sound's own."""
    own, all_of_them = 0, 0
    for folder in glob.glob(f"/proc/{pid}/task/*"):
        with open(f"{folder}/stat") as file:
            name, _, fields = file.read().partition("(")[2].rpartition(")")
        used = sum(int(word) for word in fields.split()[11:13])
        all_of_them += used
        own += used if name.startswith(SOUND_THREADS) else 0
    return all_of_them, own


def play_once(t, film, seconds, number, *options):
    file = t.place(f"heard-{number}.wav")
    path = film.made(t.sounds)
    with showing(t, film, "--output", f"wave:{file}", *options, path=path) as shown:
        playing = shown.player.wait("playing", 20)
        if not options:
            expect_window(shown)
        time.sleep(2)
        pid = shown.player.process.pid
        children = [int(word) for word in open(f"/proc/{pid}/task/{pid}/children").read().split()]
        pid = children[0] if children else pid
        before, begin = processor_times(pid), time.monotonic()
        time.sleep(seconds)
        after, passed = processor_times(pid), time.monotonic() - begin
        with open(f"/proc/{pid}/status") as status:
            peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
        shown.player.quit()
    clicks = ears.of_wave(file)
    spaces = [later.at - earlier.at for earlier, later in zip(clicks, clicks[1:])]
    return Load(
        playing["startMs"], (after[0] - before[0]) / TICK / passed, (after[1] - before[1]) / TICK / passed * 1000, peak / 1000,
        max(abs(space - 1) for space in spaces) * 1000, len(clicks),
    )  # fmt: skip


def load(t):
    """1080p60 with pictures and without, in turn."""
    film = Film(60, 1920, 1080, "60", "h264", busy=True)
    film.made(t.sounds)
    found = {"with pictures": [], "without": []}
    for number in range(RUNS):
        found["with pictures"].append(play_once(t, film, 20, 2 * number))
        found["without"].append(play_once(t, film, 20, 2 * number + 1, "--no-video"))

    def line(name, loads):
        def middle(key):
            return statistics.median(getattr(one, key) for one in loads)

        return (
            f"{name}: sound {middle('start'):.0f} ms after the start ({min(one.start for one in loads):.0f} to {max(one.start for one in loads):.0f}), "
            f"{middle('processor') * 100:.0f} % of a processor, the sound's threads {middle('sound'):.1f} ms a second, peak {max(one.peak for one in loads):.0f} MB, "
            f"{sum(one.clicks for one in loads)} clicks a second apart within {max(one.late for one in loads):.2f} ms"
        )

    return "; ".join(line(name, loads) for name, loads in found.items())


def register(row):
    what = "a film's flash → its click, ten minutes with 20 seeks"
    row("pictures-local", f"{what}, this machine's output", "median ≤ 5 ms, worst ≤ 45 ms", PIPE)(in_step_row("local"))
    row("pictures-own-speaker", f"{what}, our speaker", "median ≤ 5 ms, worst ≤ 45 ms", PIPE)(in_step_row("own-speaker"))
    to_shairport = in_step_row("shairport-sync", dataclasses.replace(LONG, audio="aac", sound_rate=44_100))
    row("pictures-shairport-sync", f"{what}, shairport-sync", "median ≤ 10 ms, worst ≤ 45 ms", SPEAKERS)(to_shairport)
    row("pictures-smooth", "1080p60, H.264, a minute: pictures missing and repeated", "0", PIPE)(lambda t: smooth(t, 60)[-1])
    what = f"1080p60, H.264 in software, {RUNS} × 22 s with pictures and without"
    row("pictures-load", what, "the sound's figures are the same", PIPE)(load)
    row("pictures-seek", "a seek in a 1080p film → the right picture", "≤ 150 ms", PIPE)(seek_times)
