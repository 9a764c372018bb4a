"""The rows of bench.py about our own speaker: its sender is `tutti play`, its device a virtual one that logs play times."""

import os
import statistics
import subprocess
import time

import listening
import numpy as np
import sound
from cases import PROGRAM
from cases.control import metadata_items
from lab import Receivers
from listening import RATE
from player import Failed, Player

EXACT = Receivers(2, speaker=PROGRAM, offset_step=1000)
DRIFTING = Receivers(2, speaker=PROGRAM, ppm=(40, -25), offset_step=1000)
RUNS = 5


def noise(t, seconds):
    source = t.sounds.noise(f"noise-{seconds}", seconds, seed=5)
    return t.sounds.encoded(f"noise-{seconds}.flac", source), source


def spread(values):
    return f"median {statistics.median(values) * 1e3:.0f} ms, worst {max(values) * 1e3:.0f} ms ({len(values)} runs)"


class Wave:
    """The frames that one room's device played since `mark`, and their times, in this machine's monotonic seconds."""

    def __init__(self, t, room, mark):
        self.samples = t.lab.heard(room, mark)
        self.first = mark[room] // 4
        self.frames, self.hosts = t.lab.play_times(room)

    def time(self, frame):
        return np.interp(frame + self.first, self.frames, self.hosts)

    def frame(self, at):
        return np.interp(at, self.hosts, self.frames) - self.first


def settled(t, mark, rooms=(1, 2)):
    for room in rooms:
        t.lab.settle(room)
    return {room: Wave(t, room, mark) for room in rooms}


# Instants


def start(t):
    path, _ = noise(t, 4)
    took = []
    for _ in range(RUNS):
        mark = t.lab.mark()
        player = t.play([path], (1,))
        player.expect_end(20)
        wave = settled(t, mark, (1,))[1]
        first = listening.first_sound(wave.samples)
        if first is None:
            raise Failed("nothing was heard")
        took.append(wave.time(first) - player.started)
        time.sleep(1)
    return spread(took)


def seek(t):
    path, source = noise(t, 90)
    mark = t.lab.mark()
    player = t.play([path], (1, 2))
    player.wait_position(5, 20)
    sent = {}
    for target in (40, 15, 60, 25, 75):
        here = player.here()
        sent[target] = player.send(f"seek {target}")
        player.wait("playing", 5, after=here)
        player.wait_position(target + 2, 6, after=player.here())
    player.quit()
    waves, finder = settled(t, mark), listening.Finder(sound.read_wav(source))
    took, passed_over, apart = [], 0, []
    heard = {room: finder.hear(wave.samples).pieces for room, wave in waves.items()}
    for target, at in sent.items():
        instants = []
        for room, wave in waves.items():
            pieces = [piece for piece in heard[room] if 0 <= piece.start / RATE - target < 0.5]
            if not pieces:
                raise Failed(f"{t.lab.name(room)}: the sound at {target} s was not heard")
            instants.append(wave.time(pieces[0].at))
            passed_over = max(passed_over, pieces[0].start / RATE - target)
        took.append(max(instants) - at)
        apart.append(abs(instants[0] - instants[1]))
    return f"{spread(took)}; at most {passed_over * 1e3:.0f} ms of the sound passed over; rooms at most {max(apart) * 1e6:.0f} µs apart"


def pause(t):
    path, _ = noise(t, 90)
    mark = t.lab.mark()
    player = t.play([path], (1, 2))
    player.wait_position(5, 20)
    sent = []
    for _ in range(RUNS):
        here = player.here()
        sent.append(player.send("pause"))
        player.wait("paused", 5, after=here)
        time.sleep(0.5)
        here = player.here()
        player.send("resume")
        player.wait("playing", 5, after=here)
        time.sleep(1.5)
    player.quit()
    took = []
    waves = settled(t, mark)
    for at in sent:
        ends = []
        for wave in waves.values():
            first = int(wave.frame(at))
            silent = ~wave.samples[first : first + RATE // 4].any(axis=1)
            # The first frame of a run of silence; noise has single silent frames.
            run = np.convolve(silent, np.ones(64), "valid")
            ends.append(wave.time(first + int(np.argmax(run >= 64))) - at)
        took.append(max(ends))
    return spread(took) + "; a period is 10 ms"


# A cut


def volumes(t, room, skip):
    items = list(metadata_items(t.lab.metadata(room, skip)))
    return [float(data.split(b",")[0]) for _, _, code, data in items if code == "pvol"]


def cut(t):
    path, source = noise(t, 620)
    mark, skip = t.lab.mark(), t.lab.size(1, "metadata.raw")
    player = t.play([path], (1, 2))
    player.wait_ahead(180, 60)
    t.lab.cut(1)
    time.sleep(120)
    before = t.ahead_of(player.all("progress")[-1], 1)
    here, healed = player.here(), time.monotonic()
    t.lab.heal(1)
    player.send("volume 60")
    fed = player.wait("progress", 60, lambda e: t.ahead_of(e, 1) > before + 2, after=here)["_at"] - healed
    while not any(abs(value + 12) < 0.06 for value in volumes(t, 1, skip)):
        if time.monotonic() > healed + 60:
            raise Failed("the command did not come")
        time.sleep(0.02)
    told = time.monotonic() - healed
    time.sleep(max(0, 3 - told))
    player.quit()
    finder = listening.Finder(sound.read_wav(source))
    text = []
    for room, wave in settled(t, mark).items():
        result = finder.hear(listening.trim(wave.samples))
        lost = sum(max(0, b.start - a.end) for a, b in zip(result.pieces, result.pieces[1:]))
        whole = len(result.pieces) == 1 and result.pieces[0].start == 0
        text.append(f"room {room} {'whole' if whole else f'{lost} frames lost, {len(result.pieces)} pieces'}")
    return f"{', '.join(text)}; fed again after {fed:.1f} s (read twice a second), a command came after {told:.1f} s"


# Rooms


def delay(first, second):
    """The number of frames by which `second` is later than `first`, from the slope of the phase between them."""
    window = np.hanning(len(first))
    product = np.fft.rfft(second * window) * np.conj(np.fft.rfft(first * window))
    bins = np.arange(len(product))
    used = (bins > len(first) // 400) & (bins < len(first) // 3)
    angles, weights = np.angle(product[used]), np.abs(product[used])
    turns = 2 * np.pi * bins[used] / len(first)
    return -float(np.sum(weights * turns * angles) / np.sum(weights * turns * turns))


def rooms(t):
    seconds = 600
    path, _ = noise(t, seconds + 20)
    mark = t.lab.mark()
    player = t.play([path], (1, 2))
    player.wait_position(seconds, seconds + 30)
    player.quit()
    waves = settled(t, mark)
    one, two = waves[1], waves[2]
    begin = max(wave.time(listening.first_sound(wave.samples)) for wave in (one, two))
    apart, width = [], 4096
    for at in np.arange(begin + 0.1, begin + seconds - 1, 0.5):
        frame = int(one.frame(at))
        place = float(two.frame(one.time(frame)))
        first = one.samples[frame : frame + width, 0].astype(float)
        second = two.samples[int(place) : int(place) + width, 0].astype(float)
        apart.append((delay(first, second) - (place - int(place))) / RATE)
    sizes = np.sort(np.abs(apart))
    return (
        f"median {np.median(sizes) * 1e6:.1f} µs, p99 {np.quantile(sizes, 0.99) * 1e6:.1f} µs, worst {sizes[-1] * 1e6:.1f} µs; "
        f"after the first 5 s worst {np.max(np.abs(apart[10:])) * 1e6:.1f} µs"
    )


# Cost, on loopback


class Loopback:
    """A speaker without a device and a sender, two processes; the environment is the sender's."""

    def __init__(self, t, path, *options, **environment):
        self.speaker = subprocess.Popen(
            [t.program, "speaker", "--name", "Bench", "--output", "null", "--address", "127.0.0.21", "--json", *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(1)
        to = ["--to", "127.0.0.21:7000", "--address", "127.0.0.1"]
        self.player = Player([t.program, "play", path, *to, "--json"], t.folder, "loopback", **environment)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.player.close()
        self.speaker.terminate()
        self.speaker.wait(5)

    def cpu(self):
        """CPU seconds of the speaker's process."""
        with open(f"/proc/{self.speaker.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self, name):
        with open(f"/proc/{self.speaker.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(name)) / 1000

    def ahead(self, event):
        return next(iter(event["ahead"].values()), 0.0)


def fill(t):
    seconds = 900
    source = t.sounds.music(f"music-{seconds}", seconds, seed=14)
    path = t.sounds.encoded(f"music-{seconds}.flac", source)
    rates = []
    for _ in range(3):
        with Loopback(t, path, "--buffer", "1200") as pair:
            full = pair.player.wait("progress", 60, lambda e: e["position"] + pair.ahead(e) > seconds - 1)["_at"]
            # From the program's start: the first audio, too, has to be read and encoded.
            rates.append(seconds / (full - pair.player.started))
            pair.player.quit()
    return f"median {statistics.median(rates):.0f} × real time, worst {min(rates):.0f} × ({len(rates)} runs of {seconds} s, from the program's start)"


def cost(t, path):
    with Loopback(t, path) as pair:
        pair.player.wait("playing", 15)
        time.sleep(20)
        filling = pair.cpu()
        time.sleep(60)
        share = (pair.cpu() - filling) / 60
        ahead = pair.ahead(pair.player.all("progress")[-1])
        peak, now = pair.memory("VmHWM:"), pair.memory("VmRSS:")
        pair.player.quit()
    return f"{share * 100:.2f} % of a core while playing ({filling:.2f} s of CPU for start, filling and the first 20 s); {ahead:.0f} s held, peak memory {peak:.0f} MB, then {now:.0f} MB"


def cost_alac(t):
    source = t.sounds.music("music-900", 900, seed=14)
    return cost(t, t.sounds.encoded("music-900.flac", source))


def cost_aac(t):
    source = t.sounds.music("music-1500", 1500, seed=15)
    return cost(t, t.sounds.encoded("music-1500.m4a", source, "-c:a", "aac", "-b:a", "256k"))


def register(row):
    row("speaker-fill", "our speaker: fill rate over loopback, ALAC from FLAC, two processes", "≥ 200 ×", None)(fill)
    row("speaker-start", "command → audible, cold, one speaker", "≤ 0.4 s", EXACT)(start)
    row("speaker-seek", "seek → audible, warm, two rooms, the later one", "≤ 60 ms", EXACT)(seek)
    row("speaker-pause", "pause → silence at the output, two rooms, the later one", "≤ one period (10 ms)", EXACT)(pause)
    row("speaker-cut", "link cut of 120 s with 180 s ahead, ALAC", "0 frames lost; resumed ≤ 3 s", EXACT)(cut)
    row("speaker-rooms", "room to room, devices at +40 and −25 ppm, 10 minutes", "p99 ≤ 22.7 µs, worst ≤ 50 µs", DRIFTING)(rooms)
    row("speaker-cpu-alac", "CPU and memory of the speaker's process, one room, full buffer, ALAC", "≤ 1.5 %; ≤ 90 MB", None)(cost_alac)
    row("speaker-cpu-aac", "the same, AAC", "≤ 1.5 %; ≤ 90 MB", None)(cost_aac)
