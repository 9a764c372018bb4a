"""Sound of other programs: standard input, named pipes into zones, and the latency to our own speaker.

A writer in this process writes known samples at known times; our speaker records what it plays with the times of the same
clock, because it runs on the sender's node.
"""

import os
import threading
import time
from dataclasses import dataclass, field

import numpy as np

import listening
import sound
from cases import OURS, SPEAKERS, case, expect
from cases.content import expect_like
from house import House
from lab import WAVE_HEADER
from listening import RATE
from player import Failed
from stage import Command

CUSHION = 0.15  # seconds that a pipe adds to the latency
TOLD = 0.010  # seconds between the latency that is told and the one that is heard
CLICK = 20_000
CONTAINERS = {
    "mp3": ("-b:a", "192k"),
    "flac": (),
    "ogg": ("-q:a", "6"),
    "wav": (),
    "aac": ("-b:a", "192k"),
    "ts": ("-c:a", "aac", "-b:a", "192k"),
    "mka": ("-c:a", "flac"),
}


def own_speaker(t, name, port):
    """Our speaker on the sender's node, whose clock is this process's; its wave file."""
    file = t.place(f"{name}.wav")
    started = t._run(Command, [t.program, "speaker", "--name", name, "--port", str(port), "--output", f"wave:{file}", "--json"])
    started.wait("started", 15)
    return started, file


def endpoint(t, port):
    return f"{t.lab.address('s1')}:{port}"


def recorded(file):
    return listening.read_raw(file, skip_bytes=WAVE_HEADER)


class Times:
    """The host times, in seconds, of the frames of a wave output."""

    def __init__(self, file):
        with open(file + ".times") as lines:
            rows = [line.split() for line in lines if not line.startswith("#")]
        self.rows = [(int(row[0]), int(row[1])) for row in rows if len(row) == 2]

    def of(self, frame):
        start = max((row for row in self.rows if row[0] <= frame), default=self.rows[0])
        return start[1] / 1e9 + (frame - start[0]) / RATE


@dataclass
class Writer:
    """Writes low noise with a click each second into a pipe, in real time by a clock of its own."""

    path: str
    ppm: float = 0.0
    chunk: int = 441
    clicks: list = field(default_factory=list)  # monotonic seconds at which a click was written
    stalls: list = field(default_factory=list)  # (after, for) in seconds

    def __post_init__(self):
        self.noise = np.random.default_rng(7).integers(-300, 301, (2 * RATE, 2)).astype("<i2")
        self.noise[self.noise == 0] = 1
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self.thread.start()

    def _run(self):
        rate, sent = RATE * (1 + self.ppm * 1e-6), 0
        with open(self.path, "wb", buffering=0) as pipe:
            start = time.monotonic()
            while not self.is_over.is_set():
                for after, length in self.stalls:
                    if after <= sent / rate < after + self.chunk / rate:
                        time.sleep(length)
                        start += length  # what it would have played meanwhile is lost
                ahead = start + sent / rate - time.monotonic()
                if ahead > 0:
                    time.sleep(ahead)
                block = self.noise[sent % RATE : sent % RATE + self.chunk].copy()
                place = -sent % RATE
                if place < self.chunk:
                    block[place : place + 20] = CLICK
                    self.clicks.append(time.monotonic())
                pipe.write(block.tobytes())
                sent += self.chunk

    def stop(self):
        self.is_over.set()
        self.thread.join(5)


def onsets(samples):
    loud = np.flatnonzero(np.abs(samples[:, 0]) > CLICK // 2)
    return [int(loud[0])] + [int(b) for a, b in zip(loud, loud[1:]) if b - a > RATE // 4] if len(loud) else []


def latencies(file, clicks):
    """Seconds from the writing of each click to its sound."""
    times = Times(file)
    heard = [times.of(frame) for frame in onsets(recorded(file))]
    return [min(delay for delay in (at - click for click in clicks) if delay > 0) for at in heard if any(at > click for click in clicks)]


def silences(samples):
    """Pieces of digital silence between the first click and the last, in seconds."""
    marks = onsets(samples)
    if len(marks) < 2:
        return []
    quiet = np.concatenate([[0], ~samples[marks[0] : marks[-1]].any(axis=1), [0]]).astype(np.int8)
    edges = np.flatnonzero(np.diff(quiet))
    return [float(end - start) / RATE for start, end in zip(edges[::2], edges[1::2]) if end - start > 44]


def told(sink):
    return sink.wait("playing", 15)["latencyMs"] / 1000


def sink_of_pipe(t, *options):
    path = t.place("input")
    sink = t._run(Command, [t.program, "sink", "--pipe", path, "--json", "--volume", "100", *options])
    end = time.monotonic() + 10
    while not os.path.exists(path):
        if time.monotonic() > end or sink.poll() is not None:
            raise Failed(f"no pipe was made: {sink.stderr()[-300:]}")
        time.sleep(0.02)
    return sink, path


# Standard input


def pipe_into_play(t, feed, *options, file="heard.wav", within=60):
    file = t.place(file)
    command = f"{feed} | exec {t.program} play - --json --output 'wave:{file}' {' '.join(options)}"
    player = t._run(Command, ["sh", "-c", command])
    player.exit(within)
    return player, file


@case("live.standard-input-takes-every-container", lab=OURS, timeout=150)
def containers(t):
    source = t.sounds.music("live-4", 4, seed=21)
    for name, options in CONTAINERS.items():
        path = source if name == "wav" else t.sounds.encoded(f"live-4.{name}", source, *options)
        player, file = pipe_into_play(t, f"cat '{path}'", file=f"{name}.wav")
        expect(player.status == 0, f"{name}: status {player.status}, {player.events[-2:]}")
        heard = listening.trim(recorded(file))
        expect_like(heard, sound.decode(path), correlation=0.9)
        if name in ("flac", "wav", "mka"):
            found = listening.Finder(sound.read_wav(source)).hear(heard)
            expect(sum(piece.count for piece in found.pieces) == 4 * RATE, f"{name} is not whole: {found}")


@case("live.raw-samples-of-every-format", lab=OURS, timeout=120)
def raw(t):
    source = t.sounds.noise("live-raw-3", 3, seed=22)
    expected = sound.read_wav(source)
    for samples in ("s16le", "s24le", "s32le", "f32le"):
        path = t.sounds.encoded(f"live-raw-3.{samples}", source, "-f", samples, "-c:a", f"pcm_{samples}")
        player, file = pipe_into_play(t, f"cat '{path}'", "--format", f"{samples}/{RATE}/2", file=f"{samples}.wav")
        expect(player.status == 0, f"{samples}: status {player.status}, {player.events[-2:]}")
        found = listening.Finder(expected).hear(listening.trim(recorded(file)))
        expect(sum(piece.count for piece in found.pieces) >= len(expected) - 2, f"{samples}: {found}")


@case("live.standard-input-that-is-no-music-is-told", lab=OURS, timeout=90)
def junk(t):
    for feed, words in (
        ("head -c 3000000 /dev/urandom", "standard input"),
        ("true", "standard input"),
        ("printf '#EXTM3U\\nhttp://radio.example/a\\n'", "playlist"),
    ):
        player, _ = pipe_into_play(t, feed, within=30)
        errors = " ".join(event.get("message", "") for event in player.all("error"))
        expect(player.status != 0 and words in errors, f"{feed}: status {player.status}, {errors!r}")
    player = t._run(Command, [t.program, "play", "-", "--format", "s16le/44100/9"])
    player.exit(10)
    expect(player.status == 2 or "s16le/44100/2" in player.stderr(), f"a bad format: {player.status}, {player.stderr()}")


@case("live.a-writer-that-pauses-stalls-the-music-and-nothing-is-lost", lab=OURS, timeout=90)
def pauses(t):
    source = t.sounds.noise("live-pause-6", 6, seed=23)
    path = t.sounds.encoded("live-pause-6.flac", source)
    half = os.path.getsize(path) // 2
    feed = f"(head -c {half} '{path}'; sleep 6; tail -c +{half + 1} '{path}')"
    player, file = pipe_into_play(t, feed)
    expect(player.status == 0, f"status {player.status}: {player.events[-3:]}")
    expect(any(event.get("code") == "slow" for event in player.all("warning")), "the stall was not told")
    found = listening.Finder(sound.read_wav(source)).hear(listening.trim(recorded(file)))
    expect(sum(piece.count for piece in found.pieces) >= 6 * RATE - 400, f"sound is missing: {found}")


# Latency


@case("live.latency-to-our-own-speaker", lab=OURS, timeout=90, quiet=True)
def latency(t):
    speaker, file = own_speaker(t, "Live", 7301)
    sink, path = sink_of_pipe(t, "--to", endpoint(t, 7301))
    writer = Writer(path)
    at = told(sink)
    time.sleep(12)
    writer.stop()
    heard = latencies(file, writer.clicks)
    t.note(f"told {at * 1000:.0f} ms and {CUSHION * 1000:.0f} ms of a pipe; heard {[round(1000 * x, 1) for x in heard]} ms")
    expect(at <= 0.12, f"the latency is {at} s")
    expect(len(heard) >= 8, f"only {len(heard)} clicks")
    expect(all(abs(x - at - CUSHION) < TOLD for x in heard[2:]), f"told {at + CUSHION}, heard {heard}")


@case("live.a-minute-without-a-dropout", lab=OURS, timeout=150, quiet=True)
def minute(t):
    speaker, file = own_speaker(t, "Live", 7301)
    sink, path = sink_of_pipe(t, "--to", endpoint(t, 7301))
    writer = Writer(path, ppm=80)
    told(sink)
    time.sleep(62)
    writer.stop()
    samples = recorded(file)
    heard = latencies(file, writer.clicks)
    t.note(f"first and last latency {heard[2] * 1000:.1f} and {heard[-1] * 1000:.1f} ms; silent pieces {silences(samples)}")
    expect(len(onsets(samples)) >= 58, f"{len(onsets(samples))} clicks")
    expect(not silences(samples), f"silent pieces: {silences(samples)}")
    expect(max(heard[2:]) - min(heard[2:]) < 2 * TOLD, f"the latency moves: {heard}")


@case("live.a-writer-that-stalls-is-silence-and-no-latency", lab=OURS, timeout=90, quiet=True)
def stalls(t):
    speaker, file = own_speaker(t, "Live", 7301)
    sink, path = sink_of_pipe(t, "--to", endpoint(t, 7301))
    writer = Writer(path)
    writer.stalls.append((8, 1.5))
    told(sink)
    time.sleep(16)
    writer.stop()
    heard, quiet = latencies(file, writer.clicks), silences(recorded(file))
    t.note(f"heard {[round(1000 * x) for x in heard]} ms; silent pieces {[round(x, 2) for x in quiet]} s")
    expect(len(quiet) == 1 and abs(quiet[0] - 1.5) < 0.3, f"silent pieces: {quiet}")
    expect(abs(heard[-1] - heard[3]) < TOLD, f"the latency has grown: {heard}")


@case("live.a-second-speaker-plays-in-step", lab=OURS, timeout=90, quiet=True)
def pair(t):
    files = [own_speaker(t, f"Live {number}", 7300 + number)[1] for number in (1, 2)]
    sink, path = sink_of_pipe(t, "--to", endpoint(t, 7301), "--to", endpoint(t, 7302))
    writer = Writer(path)
    told(sink)
    time.sleep(10)
    writer.stop()
    times = [[Times(file).of(frame) for frame in onsets(recorded(file))] for file in files]
    apart = [min(abs(at - other) for other in times[1]) for at in times[0][2:]]
    t.note(f"apart by {[round(1e6 * x) for x in apart]} µs")
    expect(len(apart) >= 5 and max(apart) < 1e-3, f"apart by {apart} s")


@case("live.shairport-sync-plays-a-pipe", lab=SPEAKERS, timeout=120, quiet=True)
def shairport(t):
    recording = t.record()
    sink, path = sink_of_pipe(t, "--to", t.lab.endpoint(1))
    writer = Writer(path)
    at = told(sink)
    time.sleep(20)
    writer.stop()
    recording.stop()
    samples = listening.read_raw(recording.path, channels=4)[:, :2]
    t.note(f"told {at * 1000:.0f} ms; {len(onsets(samples))} clicks, silent pieces {[round(x, 3) for x in silences(samples)]} s")
    expect(len(onsets(samples)) >= 15, f"{len(onsets(samples))} clicks")
    expect(not silences(samples), f"silent pieces: {silences(samples)}")


# The house


@case("live.a-pipe-is-heard-in-its-zone", lab=OURS, timeout=120)
def zone(t):
    flac = t.sounds.encoded("live-house-60.flac", t.sounds.noise("live-house-60", 60, seed=24))
    speaker, file = own_speaker(t, "Live", 7301)
    pipe = t.place("radio")
    environment = {
        "TUTTI_INPUTS_PIPES": f"{pipe}?name=Radio",
        "TUTTI_ROOMS_ADDRESSES": endpoint(t, 7301),
    }
    house = House(t, [flac], **environment)
    room = house.wait("the room", lambda found: next((r["id"] for r in found["rooms"] if r["id"].endswith(":7301")), None))
    house.put(f"/rooms/{room}/volume", {"percent": 100})
    house.move(room, 1)
    house.add(1, [flac])
    house.wait_position(1, 3)
    writer = Writer(pipe)
    playing = house.wait_zone(1, "plays the input", lambda z: z.get("input", {}) and z["state"] == "playing")
    expect(playing["input"] == {"name": "Radio", "kind": "pipe"}, f"{playing['input']}")
    expect(playing["current"]["track"]["title"] == "Radio", f"{playing['current']}")
    time.sleep(6)
    expect(len(onsets(recorded(file))) >= 4, "the input is not heard")
    house.post("/zones/1/pause")
    house.wait_zone(1, "is paused", lambda z: z["state"] == "paused" and z.get("input"))
    house.post("/zones/1/play")
    house.wait_zone(1, "plays the input again", lambda z: z["state"] == "playing" and z.get("input"))
    house.post("/zones/1/next")  # the only entry: the queue ends; the input lets go
    house.wait_zone(1, "has let the input go", lambda z: not z.get("input"))
    house.post("/zones/1/play")
    house.wait_position(1, 1)
    before = len(onsets(recorded(file)))
    time.sleep(3)
    # The writer still writes, and is dropped; the queue is heard.
    expect(not house.get("/house")["zones"][0].get("input"), "the input has come back by itself")
    expect(len(onsets(recorded(file))) - before <= 1, "the input is heard beside the queue")
    writer.stop()
    house.stop()
