#!/usr/bin/env python3
"""Compares a receiver's output with the audio that was sent. All audio is 16-bit stereo, shape (frames, 2).

listening.py RECORDED.raw SOURCE.wav [CHANNELS]     the pieces of the source in a recording, for each channel pair
"""

import os
import sys
from dataclasses import dataclass

import numpy as np

import sound

RATE = sound.RATE


def read_raw(path, channels=2, skip_bytes=0):
    """S16LE frames of a file that may still grow: an unfinished last frame is ignored."""
    if os.path.getsize(path) < skip_bytes:
        return np.zeros((0, channels), dtype="<i2")
    samples = np.fromfile(path, dtype="<i2", offset=skip_bytes)
    return samples[: len(samples) // channels * channels].reshape(-1, channels)


def trim(samples):
    """The samples without the silence before and after."""
    loud = np.flatnonzero(samples.any(axis=1))
    return samples[loud[0] : loud[-1] + 1] if len(loud) else samples[:0]


def first_sound(samples):
    """The first audible frame, or None."""
    loud = samples.any(axis=1)
    return int(np.argmax(loud)) if loud.any() else None


def stretches(samples, least=RATE):
    """First and last frame of each stretch of sound, of those that silences of `least` frames or more separate."""
    loud = np.flatnonzero(samples.any(axis=1))
    if not len(loud):
        return []
    breaks = np.flatnonzero(np.diff(loud) > least)
    return list(zip(loud[np.concatenate(([0], breaks + 1))], loud[np.concatenate((breaks, [-1]))], strict=True))


@dataclass
class Piece:
    """Frames of a recording that equal, sample for sample, frames of the source."""

    at: int  # first frame in the recording
    start: int  # first frame in the source
    count: int

    @property
    def end(self):
        """The source frame after the last."""
        return self.start + self.count

    def __str__(self):
        return f"source {self.start / RATE:.4f}–{self.end / RATE:.4f} s at {self.at / RATE:.4f} s"


@dataclass
class Heard:
    pieces: list
    foreign: int  # audible frames outside any piece

    def __str__(self):
        text = "; ".join(str(piece) for piece in self.pieces[:8]) or "nothing of the source"
        if len(self.pieces) > 8:
            text += f"; … ({len(self.pieces)} pieces)"
        return text + (f"; {self.foreign} other frames" if self.foreign else "")


class Finder:
    """Finds exact pieces of a source: two frames, 64 bits of near random samples, identify their position in it."""

    SHORTEST = 16  # frames; shorter matches may be chance

    def __init__(self, source):
        self.source = np.ascontiguousarray(source, dtype="<i2")
        keys = self._keys(self.source)
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        # A repeated key identifies no position.
        twice = np.zeros(len(keys), dtype=bool)
        same = keys[1:] == keys[:-1]
        twice[1:] |= same
        twice[:-1] |= same
        self.keys, self.places = keys[~twice], order[~twice]

    @staticmethod
    def _keys(samples):
        frames = np.ascontiguousarray(samples).view("<u4").reshape(-1).astype(np.uint64)
        return frames[:-1] << np.uint64(32) | frames[1:] if len(frames) > 1 else np.zeros(0, np.uint64)

    def hear(self, recorded):
        recorded = np.ascontiguousarray(recorded, dtype="<i2")
        pieces = self._pieces(recorded)
        covered = np.zeros(len(recorded), dtype=bool)
        for piece in pieces:
            covered[piece.at : piece.at + piece.count] = True
        foreign = int(np.count_nonzero(recorded.any(axis=1) & ~covered))
        return Heard(pieces, foreign)

    def _pieces(self, recorded):
        keys = self._keys(recorded)
        if not len(keys) or not len(self.keys):
            return []
        found = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        hits = np.flatnonzero(self.keys[found] == keys)
        if not len(hits):
            return []
        # Along one piece the distance between the positions in the source and in the recording is constant.
        distance = self.places[found[hits]] - hits
        breaks = np.flatnonzero(np.diff(distance)) + 1
        pieces = []
        for group in np.split(np.arange(len(hits)), breaks):
            pieces += self._verified(recorded, int(hits[group[0]]), int(hits[group[-1]]) + 2, int(distance[group[0]]))
        return self._joined(pieces)

    def _verified(self, recorded, first, end, distance):
        """The stretches of recorded[first:end] that equal the source at `distance`."""
        equal = (recorded[first:end] == self.source[first + distance : end + distance]).all(axis=1)
        edges = np.flatnonzero(np.diff(np.concatenate(([0], equal.view(np.int8), [0]))))
        return [
            Piece(first + int(a), first + int(a) + distance, int(b - a))
            for a, b in zip(edges[::2], edges[1::2])
            if b - a >= self.SHORTEST
        ]

    @staticmethod
    def _joined(pieces):
        """Joins pieces that are contiguous in both."""
        joined = []
        for piece in pieces:
            last = joined[-1] if joined else None
            if last and last.at + last.count == piece.at and last.end == piece.start:
                last.count += piece.count
            else:
                joined.append(piece)
        return joined


@dataclass
class Match:
    offset: int  # source frame minus recorded frame
    correlation: float


@dataclass
class Onset:
    at: int  # frame in the recording
    start: int  # frame in the source


def locate(recorded, reference, at, width=16384):
    """The position of the window recorded[at:at+width] in the reference, by correlation of the left channel."""
    window = recorded[at : at + width, 0].astype(np.float64)
    whole = reference[:, 0].astype(np.float64)
    if len(window) > len(whole):
        whole = np.pad(whole, (0, len(window) - len(whole)))
    size = 1 << (len(whole) + len(window)).bit_length()
    product = np.fft.rfft(whole, size) * np.conj(np.fft.rfft(window, size))
    scores = np.fft.irfft(product, size)[: len(whole) - len(window) + 1]
    place = int(np.argmax(scores))
    there = whole[place : place + len(window)]
    norm = np.linalg.norm(window) * np.linalg.norm(there)
    return Match(place - at, float(scores[place] / norm) if norm else 0.0)


def likeness(recorded, template):
    """Correlation of the left channel of each stretch of the recording with the template's, -1 to 1."""
    sound, mark = recorded[:, 0].astype(np.float64), template[:, 0].astype(np.float64)
    size = 1 << (len(sound) + len(mark)).bit_length()
    product = np.fft.rfft(sound, size) * np.conj(np.fft.rfft(mark, size))
    scores = np.fft.irfft(product, size)[: len(sound) - len(mark) + 1]
    sums = np.concatenate(([0.0], np.cumsum(sound * sound)))
    energy = np.maximum(sums[len(mark) :] - sums[: -len(mark)], 1.0)
    return scores / (np.sqrt(energy) * max(np.linalg.norm(mark), 1.0))


def onset(recorded, source, start, span=RATE // 2, width=256):
    """The onset of the source from `start` on, also while the receiver still stretches it: its position in the
    recording, or None. Skips up to `span` frames that are missing at the beginning."""
    for skip in range(0, span, width):
        scores = likeness(recorded, source[start + skip : start + skip + width])
        place = int(np.argmax(scores))
        if scores[place] > 0.6:
            return Onset(place, start + skip)
    return None


def windows(recorded, reference, count=5, width=16384):
    """Matches of windows spread over the recording: one common offset means that nothing is missing between."""
    last = max(0, len(recorded) - width)
    places = sorted({int(last * share) for share in np.linspace(0.05, 0.95, count)})
    return [locate(recorded, reference, place, width) for place in places]


@dataclass
class Difference:
    first: int  # first and last compared frame of the reference
    last: int
    worst: int  # largest difference, in steps of 16 bit
    over: int  # frames beyond the limit


def difference(recorded, reference, offset, limit, skip=0):
    """Compares all frames that the two have in common, except the first `skip` recorded ones."""
    begin = max(skip, -offset)
    end = min(len(recorded), len(reference) - offset)
    there = reference[begin + offset : end + offset].astype(np.int32)
    apart = np.abs(recorded[begin:end].astype(np.int32) - there).max(axis=1) if end > begin else np.zeros(0)
    worst = int(apart.max()) if len(apart) else 0
    return Difference(begin + offset, end + offset, worst, int(np.count_nonzero(apart > limit)))


def main():
    path, source = sys.argv[1:3]
    channels = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    recorded, finder = read_raw(path, channels), Finder(sound.read_wav(source))
    for room in range(channels // 2):
        print(f"room {room + 1}: {finder.hear(recorded[:, 2 * room : 2 * room + 2])}")


if __name__ == "__main__":
    main()
