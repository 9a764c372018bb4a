#!/usr/bin/env python3
"""Films in which each picture names its number, with a flash and a click at each whole second.

film.py OUT.mkv SECONDS [WIDTHxHEIGHT [RATE [CODEC [AUDIO]]]]

A picture is a grid of 20 × 9 cells. The top row is a code: white, black, 16 bits of the frame number, a parity bit, the flash.
Rows 2 and 3 are patches of known colours. In a flash everything else is white, too. The click of second K begins with the first
sample of the flash's first frame; a tone behind it says K modulo 16, so that sound that is whole seconds late does not look punctual.
"""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

if __name__ == "__main__":
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

import sound  # noqa: E402  the path above comes first

VERSION = 1  # increment when the same arguments would yield another film
COLUMNS, ROWS, BITS = 20, 9, 16
WHITE, BLACK = 170, 85  # brightness of a cell: above the first is white, below the second black
COLOUR_ROWS = (2, 4)  # the patches' first row, and the row after the last
COLOURS = ((200, 40, 40), (40, 180, 60), (50, 60, 200), (128, 128, 128), (210, 140, 40))  # RGB, each COLUMNS / 5 cells wide
LIMIT = 1800  # seconds that an encoder may take

CODES = 16  # seconds until a click's tone returns
TONES = 500 * 2 ** (np.arange(CODES) / 4)  # Hz
BURST, TONE = 0.004, 0.060  # seconds: of the onset, of onset and tone
HEIGHT, TONE_HEIGHT = 26_000, 6_000  # of 16 bit

ENCODERS = {
    "h264": ("libx264", "-preset", "ultrafast", "-tune", "fastdecode", "-crf", "20"),
    # What discs and downloads have: pictures out of order, groups that refer to the one before.
    "h264-b": ("libx264", "-preset", "veryfast", "-crf", "20", "-bf", "3", "-x264-params", "open-gop=1:b-pyramid=normal:scenecut=0"),
    "hevc": ("libx265", "-preset", "ultrafast", "-crf", "22", "-x265-params", "log-level=error"),
    "vp9": ("libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "2M"),
    "av1": ("libsvtav1", "-preset", "12", "-crf", "30"),
    "mpeg4": ("mpeg4", "-q:v", "2", "-bf", "2"),
}
SOUNDS = {"flac": ("flac",), "aac": ("aac", "-b:a", "192k")}


@dataclass(frozen=True)
class Film:
    seconds: int
    width: int = 640
    height: int = 360
    rate: str = "25"  # frames a second, also "24000/1001"
    codec: str = "h264"
    audio: str = "flac"
    flash: int = 1  # frames; 0 for none
    group: float = 2  # seconds between two key frames
    busy: bool = False  # with moving detail below the patches, for a decoder to work on
    sound_rate: int = 48_000
    container: str = "mkv"

    @property
    def fps(self):
        return Fraction(self.rate)

    @property
    def beat(self):
        """Frames from one flash to the next: a second, for rates such as 24000/1001 nearly."""
        return round(self.fps)

    @property
    def frame(self):
        """Seconds that a picture is shown."""
        return float(1 / self.fps)

    @property
    def count(self):
        return int(self.seconds * self.fps)

    @property
    def stem(self):
        """The file's name without its ending: the beginning of a player's window title."""
        kind = f"{self.width}x{self.height}-{self.rate.replace('/', 'of')}-{self.codec}-{self.audio}-{self.flash}-{self.group:g}"
        return f"film-{VERSION}-{self.seconds}s-{kind}{'-busy' if self.busy else ''}-{self.sound_rate}"

    def number_at(self, seconds):
        """The number of the frame that is due at this position."""
        return int(Fraction(seconds).limit_denominator(10**6) * self.fps)

    def made(self, sounds):
        """The film's path among the test files, made on first use."""
        return sounds.made(f"{self.stem}.{self.container}", self.make)

    # Making

    def make(self, path):
        with tempfile.TemporaryDirectory(dir=os.path.dirname(path)) as folder:
            pictures, clicks = os.path.join(folder, "cells.rgb"), os.path.join(folder, "clicks.wav")
            with open(pictures, "wb") as file:
                for first in range(0, self.count, 4096):
                    file.write(self.cells(np.arange(first, min(first + 4096, self.count))).tobytes())
            sound.write_wav(clicks, self.clicks(), self.sound_rate)
            self._encode(pictures, clicks, path)

    def _encode(self, pictures, clicks, path):
        encoder, *options = ENCODERS[self.codec]
        group = str(round(self.group * self.fps))
        command = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{COLUMNS}x{ROWS}"]
        command += ["-r", self.rate, "-i", pictures, "-i", clicks, "-filter_complex", self._filter(), "-map", "[picture]", "-map", "1:a"]
        command += ["-c:v", encoder, *options, "-g", group, "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709"]
        command += ["-color_trc", "bt709", "-color_range", "tv", "-c:a", *SOUNDS[self.audio], *sound.NO_TAGS, path]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=LIMIT)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")

    def _filter(self):
        to_size = f"scale={self.width}:{self.height}:flags=neighbor:out_color_matrix=bt709:out_range=tv,format=yuv420p"
        if not self.busy:
            return f"[0:v]{to_size}[picture]"
        top = self.height * COLOUR_ROWS[1] // ROWS
        low = f"{self.width}x{self.height - top}"
        flash = f"drawbox=c=white:t=fill:enable='lt(mod(n,{self.beat}),{self.flash})'"
        return (
            f"[0:v]{to_size},crop={self.width}:{top}:0:0[top];testsrc2=s={low}:r={self.rate},format=yuv420p,{flash}[low];"
            "[top][low]vstack=shortest=1[picture]"
        )

    def is_flash(self, number):
        return number % self.beat < self.flash

    def cells(self, numbers):
        """The pictures as grids of cells: (count, ROWS, COLUMNS, 3), RGB."""
        picture = np.zeros((len(numbers), ROWS, COLUMNS, 3), np.uint8)
        flashes = self.is_flash(numbers)
        picture[flashes, 1:] = 255
        picture[:, 0] = 255 * code(numbers, flashes)[:, :, None].astype(np.uint8)
        for index, colour in enumerate(COLOURS):
            place = slice(index * COLUMNS // len(COLOURS), (index + 1) * COLUMNS // len(COLOURS))
            picture[:, COLOUR_ROWS[0] : COLOUR_ROWS[1], place] = colour
        return picture

    def clicks(self):
        """16 bit, stereo."""
        samples = np.zeros((int(self.seconds * self.sound_rate), 2), np.int16)
        for second in range(-(-self.count // self.beat)):
            start = round(second * self.beat / self.fps * self.sound_rate)
            piece = click(second, self.sound_rate)[: len(samples) - start]
            samples[start : start + len(piece)] = piece[:, None]
        return samples

    # Reading

    def stored(self, path):
        """How much later than its flash each click is in the file, in seconds, by the file's own times and another decoder."""
        import films.ears as ears

        show = ["ffprobe", "-v", "error", "-of", "json", "-show_entries", "frame=pts_time"]

        def times(stream, *options):
            done = subprocess.run([*show, "-select_streams", stream, *options, path], capture_output=True, check=True, timeout=LIMIT)
            return [float(frame["pts_time"]) for frame in json.loads(done.stdout)["frames"]]

        pictures = times("v")
        begin = times("a", "-read_intervals", "%+1")[0]
        raw = sound.ffmpeg("-i", path, "-map", "0:a", "-f", "s16le", "-ac", "2", "-ar", str(self.sound_rate), "-")
        heard = ears.find(np.frombuffer(raw, "<i2").reshape(-1, 2), self.sound_rate)
        found = []
        for at, tone in heard:
            # A transport stream's times do not begin at 0.
            second = round((begin + at / self.sound_rate - pictures[0]) / self.beat * float(self.fps))
            if tone != second % CODES or second * self.beat >= len(pictures):
                raise ValueError(f"the click at {at / self.sound_rate:.3f} s has the tone of second {tone}")
            found.append(begin + at / self.sound_rate - pictures[second * self.beat])
        return found


def code(numbers, flashes):
    """The top rows of these frames: booleans, (count, COLUMNS)."""
    bits = (np.asarray(numbers)[:, None] >> np.arange(BITS)[::-1]) & 1
    fixed = np.tile([[1, 0]], (len(bits), 1))
    return np.hstack([fixed, bits, 1 - bits.sum(1, keepdims=True) % 2, np.asarray(flashes)[:, None]]).astype(bool)


def read(brightness):
    """The frame number and whether it is a flash, from the brightness of the top row's cells; None if there is no code."""
    white = [value > WHITE for value in brightness]
    if not all(is_white or value < BLACK for is_white, value in zip(white, brightness)) or not white[0] or white[1]:
        return None
    number = 0
    for bit in white[2 : 2 + BITS]:
        number = 2 * number + bit
    if (number.bit_count() + white[2 + BITS]) % 2 != 1:
        return None
    return number, white[3 + BITS]


def click(second, rate):
    """A burst whose first sample is the highest, then a tone that says which second it is."""
    time = np.arange(int(TONE * rate)) / rate
    burst = HEIGHT * np.cos(2 * np.pi * 3000 * time) * np.exp(-time / 0.0008)
    tone = TONE_HEIGHT * np.sin(2 * np.pi * TONES[second % CODES] * (time - BURST))
    tone[: int(BURST * rate)] = 0
    tone[-int(0.005 * rate) :] *= np.linspace(1, 0, int(0.005 * rate))
    return np.round(burst + tone).astype(np.int16)


def main():
    path, seconds, *rest = sys.argv[1:]
    width, height = (int(word) for word in (rest[0] if rest else "640x360").split("x"))
    names = dict(zip(("rate", "codec", "audio"), rest[1:]))
    film = Film(int(seconds), width, height, **names)
    film.make(os.path.abspath(path))
    found = film.stored(path)
    print(f"{len(found)} clicks, {min(found) * 1000:+.2f} to {max(found) * 1000:+.2f} ms after their flashes")


if __name__ == "__main__":
    main()
