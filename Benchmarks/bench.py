#!/usr/bin/env python3
"""Measures the figures of docs/benchmarks.md in the lab of Interop/ and prints them as a Markdown table.

bench.py [--program PATH] [--row NAME]... [--list] [--write]

As root, with nothing else running: a concurrent build spoils a measurement. --write puts the table into
docs/benchmarks.md. Rooms are receivers in their own time namespaces, recorded at their common loudspeaker clock.
"""

import argparse
import contextlib
import datetime
import itertools
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import time

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(REPOSITORY, "Interop"))

import lab as labs  # noqa: E402  the path above comes first
import listening  # noqa: E402
import sound  # noqa: E402
import allocations  # noqa: E402
import api  # noqa: E402
import speaker  # noqa: E402
import clock  # noqa: E402
import endless  # noqa: E402
import kinds  # noqa: E402
import memory  # noqa: E402
import pictures  # noqa: E402
import seeks  # noqa: E402
import starts  # noqa: E402
import web  # noqa: E402
from cases import SPEAKERS  # noqa: E402
from listening import RATE  # noqa: E402
from player import Failed, least_ahead  # noqa: E402
from stage import Stage  # noqa: E402

BUILD = os.path.join(REPOSITORY, ".build")
PAGE = os.path.join(REPOSITORY, "docs", "benchmarks.md")
BEGIN, END = "<!-- table: make bench BENCH=--write -->", "<!-- end of table -->"
RUNS = 5
ROOMS = (1, 2)

ROWS = {}


def row(name, what, target, lab=SPEAKERS):
    """`lab` is the requirement of `measure`: the rooms' options, or None for a measurement without rooms."""

    def register(measure):
        ROWS[name] = (what, target, measure, lab)
        return measure

    return register


def milliseconds(values):
    spread = f"median {statistics.median(values) * 1e3:.0f} ms, worst {max(values) * 1e3:.0f} ms"
    return f"{spread} ({len(values)} runs)"


# Depth


def depth(t, path):
    t.record()  # as in the other rows: the recorder determines the resolution of the loudspeaker clock
    player = t.play([path], ROOMS)
    started = player.wait("playing", 15)["_at"]
    event = player.wait("progress", 40, lambda e: e["_at"] - started >= 30)
    player.quit()
    return f"{least_ahead(event):.0f} s in the room that holds least"


@row("depth-aac", "seconds ahead of the playhead, AAC 256 kbit/s, 30 s after the start", "≥ 200")
def depth_aac(t):
    source = t.sounds.music("music-330", 330, seed=11)
    return depth(t, t.sounds.encoded("music-330.m4a", source, "-c:a", "aac", "-b:a", "256k"))


@row("depth-alac", "the same, ALAC 44.1/16, music of at most 130 kB/s on the wire", "≥ 60")
def depth_alac(t):
    source = t.sounds.music("dense-160", 160, seed=12, floor=300)
    packed = t.sounds.encoded("dense-160.m4a", source, "-c:a", "alac")
    rate = os.path.getsize(packed) / 160 / 1000
    return depth(t, packed) + f"; the file has {rate:.0f} kB/s"


# Instants


def noise_file(t, seconds):
    source = t.sounds.noise(f"noise-{seconds}", seconds, seed=5)
    return t.sounds.encoded(f"noise-{seconds}.flac", source), sound.read_wav(source)


def cold_starts(t, *to):
    path, _ = noise_file(t, 4)
    audible, told = [], []
    for _ in range(RUNS):
        recording = t.record()
        player = t.play([path], (), *to)
        playing = player.wait("playing", 20)
        player.expect_end(25)
        recording.stop()
        first = listening.first_sound(recording.samples())
        if first is None:
            raise Failed("nothing was heard")
        audible.append(recording.start_time() + first / RATE - player.started)
        told.append(playing.get("startMs", float("nan")) / 1e3)
        time.sleep(3)
    return f"{milliseconds(audible)}; the program's own figure: median {statistics.median(told) * 1e3:.0f} ms"


@row("start", "command → audible, cold, one speaker given by address", "≤ 0.70 s")
def start(t):
    return cold_starts(t, "--to", f"{t.lab.address(1)}:{labs.PORT}")


@row("start-by-name", "the same by name: with the mDNS answer", "reported apart")
def start_by_name(t):
    return cold_starts(t, "--to", t.lab.name(1))


@row("seek", "seek → audible, warm, two rooms, the later one", "≤ 0.15 s")
def seek(t):
    path, source = noise_file(t, 90)
    recording = t.record()
    player = t.play([path], ROOMS)
    player.wait_position(5, 20)
    sent = {}
    for target in (40, 15, 60, 25, 75):
        here = player.here()
        sent[target] = player.send(f"seek {target}")
        player.wait("playing", 5, after=here)
        player.wait_position(target + 2, 6, after=player.here())
    player.quit()
    recording.stop()
    samples, begin = recording.samples(), recording.start_time()
    heard = {room: recording.room(samples, room) for room in ROOMS}
    latest, missing, distances = [], 0, []
    for target, at in sent.items():
        first = max(0, int((at - begin) * RATE))
        onsets, places = [], []
        for room in ROOMS:
            onset = listening.onset(heard[room][first : first + RATE], source, target * RATE)
            if onset is None:
                raise Failed(f"{t.lab.name(room)}: the sound at {target} s was not heard")
            onsets.append(onset)
            later = listening.onset(heard[room][first + RATE : first + 2 * RATE + RATE // 2], source, (target + 1) * RATE)
            if later is None:
                raise Failed(f"{t.lab.name(room)}: the sound at {target + 1} s was not heard")
            places.append(later.at - later.start)
        latest.append((first + max(onset.at for onset in onsets)) / RATE + begin - at)
        missing = max(missing, max(onset.start - target * RATE for onset in onsets))
        distances.append(abs(places[0] - places[1]) / RATE * 1e3)
    return (
        f"{milliseconds(latest)}; at most {missing / RATE * 1e3:.0f} ms of the sound passed over; rooms a second later "
        + ", ".join(f"{distance:.1f}" for distance in distances)
        + " ms apart"
    )


def silent_after(samples):
    """Seconds to the first tenth of a second without sound."""
    loud = samples.any(axis=1).nonzero()[0]
    edges = [-1, *loud.tolist(), len(samples)]
    for last, following in zip(edges, edges[1:]):
        if following - last > RATE // 10:
            return (last + 1) / RATE
    raise Failed("no silence within a second of the pause")


@row("pause", "pause → silence, two rooms, the later one", "one packet")
def pause(t):
    path, _ = noise_file(t, 90)
    recording = t.record()
    player = t.play([path], ROOMS)
    player.wait_position(5, 20)
    sent = []
    for _ in range(RUNS):
        here = player.here()
        sent.append(player.send("pause"))
        player.wait("paused", 5, after=here)
        time.sleep(1)  # long enough for silence to show in the recording
        here = player.here()
        player.send("resume")
        player.wait("playing", 5, after=here)
        time.sleep(2)
    player.quit()
    recording.stop()
    samples, begin = recording.samples(), recording.start_time()
    took = [silent_after(samples[max(0, int((at - begin) * RATE)) :][:RATE]) for at in sent]
    return milliseconds(took) + "; the recorder's own clock is good to about 20 ms"


# Rooms


def apart(recording, finder):
    """Seconds between the rooms, along the longest exact piece of each, and the number of pieces."""
    samples = recording.samples()
    heard = [finder.hear(recording.room(samples, room)).pieces for room in ROOMS]
    if not all(heard):
        raise Failed("a room was not heard")
    longest = [max(pieces, key=lambda piece: piece.count) for pieces in heard]
    first, second = ((piece.at - piece.start) / RATE for piece in longest)
    return first - second, sum(len(pieces) - 1 for pieces in heard)


def rooms_apart(t):
    path, source = noise_file(t, 10)
    finder = listening.Finder(source)
    offsets, breaks = [], 0
    for _ in range(RUNS):
        recording = t.record()
        t.play([path], ROOMS).expect_end(30)
        recording.stop()
        offset, cuts = apart(recording, finder)
        offsets.append(offset)
        breaks += cuts
        time.sleep(3)
    sizes = [abs(offset) * 1e6 for offset in offsets]
    shown = ", ".join(f"{offset * 1e6:+.0f}" for offset in offsets)
    exact = "every frame exact" if breaks == 0 else f"{breaks} breaks in the sound"
    return f"median {statistics.median(sizes):.0f} µs, worst {max(sizes):.0f} µs ({shown}); {exact}"


@row("rooms", "room to room, two receivers in time namespaces, 5 runs", "median ≤ 100 µs, worst ≤ 500 µs")
def rooms(t):
    return rooms_apart(t)


@row("rooms-delayed", "the same with 20 ms of delay in each direction on one room's link", "≤ 2 ms")
def rooms_delayed(t):
    t.lab.wire(2, {"ab": {"delay_ms": 20}, "ba": {"delay_ms": 20}})
    try:
        return rooms_apart(t)
    finally:
        t.lab.unwire(2)


# Cost


def cost(t, path):
    """CPU seconds and peak memory of one whole play to two rooms."""
    t.record()  # as in the other rows: the recorder determines the resolution of the loudspeaker clock
    player = t.play([path], ROOMS)
    player.wait("playing", 15)
    end = time.monotonic() + 90
    while not player.all("ended"):
        if time.monotonic() > end or player.eof:
            raise Failed("the play did not end")
        player.poll()
        with player.changed:
            player.changed.wait(0.5)
    player.expect_exit(5)
    used = player.usage.ru_utime + player.usage.ru_stime
    return used, player.peak_kb / 1000


def shown_cost(t, path):
    used, peak = cost(t, path)
    return f"{used:.2f} s of CPU, peak memory {peak:.0f} MB"


@row("cpu-pass-through", "sender CPU, 60 s to 2 rooms, AAC passes through", "≤ 0.30 s; ≤ 58 MB")
def cpu_pass_through(t):
    source = t.sounds.music("music-60", 60, seed=13)
    return shown_cost(t, t.sounds.encoded("music-60.m4a", source, "-c:a", "aac", "-b:a", "256k"))


@row("cpu-transcode", "the same, MP3 decoded and sent as ALAC", "≤ 0.95 s; ≤ 58 MB")
def cpu_transcode(t):
    source = t.sounds.music("music-60", 60, seed=13)
    return shown_cost(t, t.sounds.encoded("music-60.mp3", source, "-b:a", "256k"))


speaker.register(row)
api.register(row)
allocations.register(row)
web.register(row)
endless.register(row)
seeks.register(row)
clock.register(row)
kinds.register(row, cold_starts)
starts.register(row)
memory.register(row)
pictures.register(row)


# The table


def measure(name, program, sounds, lab, folder):
    _, _, function, _ = ROWS[name]
    stage = Stage(program, lab, sounds, os.path.join(folder, name))
    os.makedirs(stage.folder, exist_ok=True)
    try:
        return function(stage)
    except Failed as failure:
        lines = [line for player in stage.players[-1:] for line in player.report()]
        lines += lab.logs(5) if lab else []
        print("\n".join("    " + line for line in lines), file=sys.stderr)
        return f"FAILED: {failure}"
    finally:
        stage.close()
        shutil.rmtree(stage.folder, ignore_errors=True)


@contextlib.contextmanager
def lab_of(kind, program):
    if kind is None:
        yield None
        return
    folder = labs.folder()
    labs.remove_left_overs(folder)
    lab = labs.Lab.of_this_process(folder)
    try:
        lab.up(kind.with_program(program))
        yield lab
    finally:
        lab.remove()


def machine():
    model = platform.machine()
    with contextlib.suppress(OSError), open("/proc/cpuinfo") as file:
        names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
        model = names[0] if names else model
    with contextlib.suppress(OSError), open("/etc/debian_version") as file:
        return f"{os.cpu_count()} × {model}, Debian {file.read().strip()}, Linux {platform.release()}"
    return f"{os.cpu_count()} × {model}, Linux {platform.release()}"


def commit():
    done = subprocess.run(["git", "-C", REPOSITORY, "describe", "--always", "--dirty"], capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def table(results):
    lines = [
        f"Machine: {machine()}  ",
        f"Date: {datetime.date.today().isoformat()}, commit {commit()}  ",
        f"Command: `make bench{' BENCH=' + repr(' '.join(sys.argv[1:])) if len(sys.argv) > 1 else ''}`",
        "",
        "| row | what | to reach | measured |",
        "|---|---|---|---|",
    ]
    for name, measured in results.items():
        what, target, _, _ = ROWS[name]
        lines.append(f"| {name} | {what} | {target} | {measured} |")
    return "\n".join(lines)


def write_page(text):
    with open(PAGE) as file:
        page = file.read()
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    with open(PAGE, "w") as file:
        file.write(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=os.path.join(BUILD, "release", "tutti"))
    parser.add_argument("--row", action="append", choices=list(ROWS), metavar="NAME", help="measure only this row; repeatable")
    parser.add_argument("--list", action="store_true", help="list the names of the rows")
    parser.add_argument("--write", action="store_true", help="write the table to docs/benchmarks.md")
    options = parser.parse_args()
    if options.list:
        print("\n".join(ROWS))
        return 0
    if not os.access(options.program, os.X_OK):
        print(f"no program at {options.program}: make build", file=sys.stderr)
        return 2
    reason = labs.unavailable()
    if reason:
        print(f"nothing to measure with: {reason}", file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sounds, results = sound.Sounds(os.path.join(BUILD, "sounds")), {}
    program, names = os.path.abspath(options.program), options.row or list(ROWS)
    for kind, group in itertools.groupby(names, key=lambda name: ROWS[name][3]):
        with lab_of(kind, program) as lab:
            for name in group:
                results[name] = measure(name, program, sounds, lab, os.path.join(BUILD, "bench"))
                print(f"{name}: {results[name]}", file=sys.stderr, flush=True)
    text = table(results)
    print(text)
    if options.write:
        write_page(text)
    return 1 if any(text.startswith("FAILED") for text in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
