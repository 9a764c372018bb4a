"""Positions in long files and in segmented streams: AVQueuePlayer seeks there exactly, and fast."""

import os
from dataclasses import dataclass

import numpy as np

import listening
import sound
from cases import FADE, OURS, case, expect
from cases.queue import Queue
from listening import RATE
from servers import Servers

# Difference of two decoders in 16-bit steps, one of which dithers.
NEAR = 2
LATE = RATE // 20
# Delay of every MP3 decoder, which is trimmed where a header states the start of the audio.
MP3_DELAY = 529


class Frames:
    """Encoded frames of five minutes, repeated, each time from another frame on: hours of audio made in seconds,
    in which every few seconds are unique in their neighbourhood."""

    STEP = 4001

    def __init__(self, data, lengths, samples):
        """`lengths` of the encoded frames in bytes; each decodes to `samples`. The first ones are the longest: an
        estimate from them is wrong."""
        self.data, self.samples = data, samples
        self.places = np.concatenate(([0], np.cumsum(lengths)))
        self.count = len(lengths)
        self.first = int(np.argmax(np.convolve(lengths, np.ones(100), "valid")))

    def rounds(self, seconds):
        return -(-seconds * RATE // (self.samples * self.count))

    def seconds(self, least):
        return self.rounds(least) * self.count * self.samples / RATE

    def write(self, path, seconds):
        rounds = self.rounds(seconds)
        with open(path, "wb") as file:
            for turn in range(rounds):
                first = int(self.places[(self.first + turn * self.STEP) % self.count])
                file.write(self.data[first:])
                file.write(self.data[:first])

    def frame(self, number):
        turn, rest = divmod(number, self.count)
        place = (self.first + turn * self.STEP + rest) % self.count
        return self.data[self.places[place] : self.places[place + 1]]

    def decoded(self, t, ending, at, count):
        """An independent decoder's samples from `at` on."""
        warm = 16
        first = max(0, at // self.samples - warm)
        last = (at + count) // self.samples + 3
        path = os.path.join(t.folder, f"piece.{ending}")
        with open(path, "wb") as file:
            for number in range(first, last):
                file.write(self.frame(number))
        raw = sound.ffmpeg("-flags2", "skip_manual", "-i", path, "-f", "s16le", "-")
        samples = np.frombuffer(raw, dtype="<i2").repeat(2).reshape(-1, 2)  # mono
        return samples[at - first * self.samples :][:count]


def speech(seconds, seed):
    """Loud and quiet, dense and sparse, so that a variable bit rate varies."""
    samples = sound.music(seconds, seed=seed, channels=1, floor=40).astype(float)
    random = np.random.default_rng(seed)
    gains = np.repeat(random.choice([0.05, 0.3, 1.0], size=seconds // 5 + 1), 5 * RATE)[: len(samples)]
    samples = samples * gains[:, None]
    noise = np.repeat(random.choice([0, 0, 2000], size=seconds // 7 + 1), 7 * RATE)[: len(samples)]
    samples += random.uniform(-1, 1, size=samples.shape) * noise[:, None]
    samples = np.clip(np.round(samples), -32767, 32767).astype(np.int16)
    samples[samples == 0] = 1
    return samples


def aac_frames(t):
    source = t.sounds.source("speech-300", lambda: speech(300, seed=40))
    # Without noise substitution, which every decoder synthesizes differently.
    path = t.sounds.encoded("speech-300.aac", source, "-c:a", "aac", "-b:a", "16k", "-aac_pns", "0")
    with open(path, "rb") as file:
        data = file.read()
    lengths, at = [], 0
    while at < len(data):
        lengths.append((data[at + 3] & 3) << 11 | data[at + 4] << 3 | data[at + 5] >> 5)
        at += lengths[-1]
    return Frames(data, lengths, 1024)


CHAPTERS, CHAPTER = 120, 600.123  # seconds


def audiobook(t):
    """Twenty hours in an .m4b with its index at the end."""
    frames = aac_frames(t)

    def make(part):
        stream, chapters = part + ".aac", part + ".txt"
        frames.write(stream, 20 * 3600)
        with open(chapters, "w") as file:
            file.write(";FFMETADATA1\ntitle=Book\n")
            for number in range(CHAPTERS):
                start, end = round(number * CHAPTER * 1000), round((number + 1) * CHAPTER * 1000)
                file.write(f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={start}\nEND={end}\ntitle=Chapter {number + 1}\n")
        sound.ffmpeg(
            "-f", "aac", "-i", stream, "-i", chapters, "-map_metadata", "1", "-map_chapters", "1", "-c", "copy", "-f", "mp4",
            *sound.NO_TAGS[2:], part,
        )
        os.remove(stream)
        os.remove(chapters)

    return frames, t.sounds.made("book.m4b", make)


@dataclass
class Visit:
    """A seek: its time, and the number of requests until a second of its audio had played."""

    place: float
    at: float
    requests: int
    delay: int = 0  # frames trimmed at the item's beginning
    until: float = 0  # when the next seek was sent


def visit(queue, places, item=1, seconds=1.2, delay=0):
    """Seeks from position to position, and stops."""

    def requests():
        here = queue.do(f"log {item}")
        return queue.wait("log", 5, here)["requests"]

    visits = []
    for place in places:
        before, here = requests(), queue.app.here()
        at = queue.app.send(f"seek {place}")
        if visits:
            visits[-1].until = at
        expect(queue.wait("sought", 10, here)["done"], f"the seek to {place} s did not finish")
        queue.wait_position(place + seconds, 10, here)
        visits.append(Visit(place, at, requests() - before, delay))
    visits[-1].until = queue.app.send("pause")
    return visits


def expect_places(queue, visits, reference):
    """Expects each position to play from its first frame on; `reference(frame, count)` is an independent decode.

    Returns the seconds from each command to the first audio."""
    lab, room, first = queue.t.lab, queue.room, queue.ears.mark[queue.room] // 4
    lab.settle(room)
    samples = lab.heard(room, queue.ears.mark)
    frames, hosts = lab.play_times(room)
    took = []
    for visited in visits:
        begin, end = (int(np.interp(at, hosts, frames)) - first for at in (visited.at, visited.until))
        window = samples[begin:end]
        window = window[: np.flatnonzero(window.any(axis=1))[-1] + 1 - FADE]
        there = reference(round(visited.place * RATE) + visited.delay, 3 * RATE)
        probe = len(window) - RATE // 2
        likeness = listening.likeness(there, window[probe : probe + RATE // 4])
        start = probe - int(np.argmax(likeness))
        expect(likeness.max() > 0.99, f"{visited.place} s: something else played, likeness {likeness.max():.3f}")
        before = window[start - RATE // 100 : start]
        expect(start >= RATE // 100 and not before.any(), f"{visited.place} s: playback starts before this position")
        loud = listening.first_sound(window[start:])
        apart = listening.difference(window[start:], there, 0, NEAR, skip=loud + FADE * (loud > 0))
        # A late start skips the frames that are already due: on a busy machine.
        expect(loud < LATE, f"{visited.place} s: {loud / RATE:.3f} s are missing")
        expect(apart.over == 0, f"{visited.place} s: {apart.over} frames of {apart.last} differ, by up to {apart.worst}")
        took.append(lab.played_at(room, first + begin + start) - visited.at)
    return took


def told(visits, took):
    return f"first sound {', '.join(f'{seconds * 1e3:.0f}' for seconds in took)} ms after a seek; requests {', '.join(str(visited.requests) for visited in visits)}"


@case("players.audiobook-of-twenty-hours", lab=OURS, timeout=60)
def book(t):
    frames, path = audiobook(t)
    with Servers(t) as servers:
        nginx = servers.nginx()
        before = len(nginx.requests())  # of a retried case
        queue = Queue(t)
        at = queue.app.send(f"insert {nginx.address}{servers.serve(path)}")
        ready = queue.wait("itemStatus", 20, value="readyToPlay")
        t.note(f"ready after {ready['_at'] - at:.2f} s")
        queue.do("play")
        queue.wait_position(1)
        visits = visit(queue, [round(number * CHAPTER, 3) for number in (57, 118, 3, 4)])
        took = expect_places(queue, visits, lambda at, count: frames.decoded(t, "aac", at, count))
        t.note(told(visits, took))
        expect(max(visited.requests for visited in visits) <= 3, "too many requests for one seek")
        asked = len(nginx.requests()) - before
        expect(asked <= 3 + sum(visited.requests for visited in visits), f"{asked} requests")
        queue.quit()


def mp3_frames(t):
    source = t.sounds.source("speech-300", lambda: speech(300, seed=40))
    # Without a bit reservoir every frame is independent, so that frames can be recombined.
    path = t.sounds.encoded(
        "speech-300.mp3", source, "-c:a", "libmp3lame", "-q:a", "6", "-reservoir", "0", "-write_xing", "0", "-id3v2_version", "0"
    )
    rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]  # kbit/s, of MPEG-1 layer 3
    with open(path, "rb") as file:
        data = file.read()
    lengths, at = [], 0
    while at < len(data):
        lengths.append(144 * rates[data[at + 2] >> 4] * 1000 // RATE + (data[at + 2] >> 1 & 1))
        at += lengths[-1]
    return Frames(data, lengths, 1152)


@case("players.hours-of-mp3", lab=OURS, timeout=60)
def mp3(t):
    """Three hours at a variable bit rate, without and with a seek table, whose first seconds suggest a lower rate."""
    frames = mp3_frames(t)
    seconds = frames.seconds(3 * 3600)
    plain = t.sounds.made("hours.mp3", lambda part: frames.write(part, 3 * 3600))
    xing = t.sounds.encoded("hours-xing.mp3", plain, "-c", "copy", "-write_xing", "1", "-id3v2_version", "0")
    with Servers(t) as servers:
        nginx = servers.nginx()
        queue = Queue(t, [nginx.address + servers.serve(path) for path in (plain, xing)])
        queue.do("play")
        queue.wait_position(0.5)
        guess = queue.values("duration", item=1)[0]
        expect(guess < seconds * 0.9, f"the file does not mislead: {guess:.0f} s are estimated")
        visits = visit(queue, [3601.234, seconds - 100, 60.1])
        queue.do("advance", "play")
        queue.wait("duration", item=2)
        visits += visit(queue, [7000.25, seconds - 100], item=2, delay=MP3_DELAY)
        took = expect_places(queue, visits, lambda at, count: frames.decoded(t, "mp3", at, count))
        t.note(f"{guess:.0f} s guessed; {told(visits, took)}")
        expect(max(visited.requests for visited in visits) <= 3, "too many requests for one seek")
        queue.quit()
