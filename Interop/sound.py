"""Test audio: made from fixed seeds, encoded by the ffmpeg program, the same in every run.

Two kinds. *Noise* fills all 16 bits it uses: any two frames identify their position, and ALAC hardly compresses it
(167 kB/s on the wire). *Music* is a sum of decaying partials over a low noise floor: ALAC compresses it like a
record (about 115 kB/s), lossy encoders keep it. No frame of either is zero, so silence is never part of it.
"""

import fcntl
import os
import subprocess
import wave

import numpy as np

from making import making

RATE = 44100
VERSION = 3  # increment when the same name would yield other samples, so that kept files are made again
NO_TAGS = ("-map_metadata", "-1", "-fflags", "+bitexact")


def noise(seconds, seed=20240229, rate=RATE, channels=2):
    frames = int(seconds * rate)
    samples = np.random.default_rng(seed).integers(-6000, 6001, size=(frames, channels), dtype=np.int16)
    samples[samples == 0] = 1
    return samples


def music(seconds, seed=1, rate=RATE, channels=2, floor=14):
    """Plucked notes of a pentatonic scale, eight a second, each a fundamental and eleven decaying partials.

    `floor` is the amplitude of the noise under them, in steps of 16 bit: it limits ALAC's compression.
    """
    random = np.random.default_rng(seed)
    frames = int(seconds * rate)
    notes = [_pluck(110 * 2 ** (step / 12), rate) for step in (0, 2, 4, 7, 9, 12, 14, 16, 19, 21, 24, 28, 31)]
    mix = np.zeros((frames, channels))
    for start in range(0, frames, rate // 8):
        note = notes[random.integers(len(notes))]
        loudness = random.uniform(0.4, 1.0)
        for channel in range(channels):
            piece = note[: frames - start] * loudness * random.uniform(0.5, 1.0)
            mix[start : start + len(piece), channel] += piece
    mix *= 5000
    mix += random.uniform(-floor, floor, size=mix.shape)
    samples = np.clip(np.round(mix), -32767, 32767).astype(np.int16)
    samples[samples == 0] = 1
    return samples


def _pluck(frequency, rate):
    time = np.arange(int(1.5 * rate)) / rate
    note = np.zeros(len(time))
    for partial in range(1, 13):
        if partial * frequency < rate / 2:
            note += np.sin(2 * np.pi * partial * frequency * time) * np.exp(-time * (1.5 + partial)) / partial
    # A short rise and fall: no clicks.
    note[:200] *= np.linspace(0, 1, 200)
    note[-2000:] *= np.linspace(1, 0, 2000)
    return note


def write_wav(path, samples, rate=RATE):
    with wave.open(path, "wb") as file:
        file.setnchannels(samples.shape[1])
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())


def ffmpeg(*arguments, output=None):
    """Runs the ffmpeg program; returns its standard output."""
    command = ["ffmpeg", "-nostdin", "-v", "error", "-y", *arguments]
    done = subprocess.run(command, capture_output=True, timeout=120)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def decode(path, rate=RATE):
    """An independent decoder's samples of the file: 16 bit, stereo, at `rate`."""
    raw = ffmpeg("-i", path, "-f", "s16le", "-ac", "2", "-ar", str(rate), "-")
    return np.frombuffer(raw, dtype="<i2").reshape(-1, 2)


class Sounds:
    """Named test files in one folder, made on first use and kept for the next run."""

    def __init__(self, folder):
        self.folder = os.path.join(os.path.abspath(folder), f"v{VERSION}")
        os.makedirs(self.folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def source(self, name, samples, rate=RATE):
        """A WAV file with the samples returned by `samples()`."""
        return self._once(name + ".wav", lambda part: write_wav(part, samples(), rate))

    def noise(self, name, seconds, seed, **kind):
        path = self.source(name, lambda: noise(seconds, seed, **kind), kind.get("rate", RATE))
        return self._of_length(path, seconds)

    def music(self, name, seconds, seed, **kind):
        path = self.source(name, lambda: music(seconds, seed, **kind), kind.get("rate", RATE))
        return self._of_length(path, seconds)

    @staticmethod
    def _of_length(path, seconds):
        """Refuses the file of another case: whichever runs first would decide what both play."""
        with wave.open(path) as file:
            there = file.getnframes() / file.getframerate()
        if abs(there - seconds) > 0.01:
            raise ValueError(f"{os.path.basename(path)} is {there:g} s long, not {seconds:g} s: two cases use this name")
        return path

    def encoded(self, name, source, *options, title=None, artist=None):
        """`source` encoded by the extension of `name`."""
        tags = list(NO_TAGS)
        for key, value in (("title", title), ("artist", artist)):
            if value:
                tags += ["-metadata", f"{key}={value}"]
        return self._once(name, lambda part: ffmpeg("-i", source, *tags, *options, part))

    def truncated(self, name, source, share):
        def cut(part):
            with open(source, "rb") as whole, open(part, "wb") as out:
                out.write(whole.read(int(os.path.getsize(source) * share)))

        return self._once(name, cut)

    def made(self, name, make):
        """A file written by `make(path)`."""
        return self._once(name, make)

    def _once(self, name, make):
        path = self.path(name)
        if not os.path.exists(path):
            with making():
                self._make(path, name, make)
        return path

    def _make(self, path, name, make):
        # Another worker may be making it at this moment.
        with open(self.path(f".lock-{name}"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not os.path.exists(path):
                # Under its own name only when complete; the ending stays, ffmpeg goes by it.
                part = self.path(f"part-{os.getpid()}-{name}")
                make(part)
                os.replace(part, path)


def read_wav(path):
    with wave.open(path) as file:
        raw = file.readframes(file.getnframes())
        return np.frombuffer(raw, dtype="<i2").reshape(-1, file.getnchannels())
