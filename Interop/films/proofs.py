#!/usr/bin/env python3
"""Tests of the films, the eyes, the ears and the pairs: what they must see is planted, at known times.

proofs.py [NAME]...      all, or some; needs Xvfb and ffmpeg, no lab and no root
"""

import ctypes
import os
import random
import subprocess
import sys
import tempfile
import time
from ctypes import c_int16, c_uint8, c_uint16, c_uint32

import numpy as np

if __name__ == "__main__":
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from films import ears, steps  # noqa: E402  the path above comes first
from films.display import GEOMETRY, Display  # noqa: E402
from films.ears import Click  # noqa: E402
from films.eyes import Eyes, Picture, XServer  # noqa: E402
from films.film import COLUMNS, ROWS, Film, click, code  # noqa: E402
from films.steps import Flash, pair  # noqa: E402
from listening import RATE  # noqa: E402
from player import Failed  # noqa: E402

TITLE = "painted by a proof"
PAINTED = Film(1, 640, 360, "50")
PICTURES = 400
RIGHT = 0.0005  # seconds: the eyes' median error
FAR = 0.005  # seconds: the error of 99 of 100 looks, on a busy machine

PROOFS = {}


def proof(function):
    PROOFS[function.__name__] = function
    return function


def expect(condition, message):
    if not condition:
        raise Failed(message)


# The painter, a process of its own


class Painter:
    """A window that shows one code after the other, each with one request, and the times before and after the server has done it."""

    def __init__(self, name):
        self.display = Display(name)
        self.xcb, self.connection = self.display.xcb, self.display.connection
        self.window, self.stock, self.pen = (self.display.new_id() for _ in range(3))
        root, depth = self.display.root, self.display.screen.depth
        width, height = PAINTED.width, PAINTED.height
        zero = c_int16(0)
        self.call("create_window", c_uint8(depth), c_uint32(self.window), c_uint32(root), c_int16(40), c_int16(30), c_uint16(width), c_uint16(height),
                  c_uint16(0), c_uint16(1), c_uint32(0), c_uint32(0), None)  # fmt: skip
        self.call("create_pixmap", c_uint8(depth), c_uint32(self.stock), c_uint32(root), c_uint16(width), c_uint16(height))
        self.call("create_gc", c_uint32(self.pen), c_uint32(self.stock), c_uint32(0), None)
        title = TITLE.encode()
        words = (c_uint32(self.display.atom("WM_NAME")), c_uint32(31), c_uint8(8), c_uint32(len(title)), title)  # 31: STRING
        self.call("change_property", c_uint8(0), c_uint32(self.window), *words)
        self.call("map_window", c_uint32(self.window))
        self.copy = (c_uint32(self.stock), c_uint32(self.window), c_uint32(self.pen), zero, zero, zero, zero, c_uint16(width), c_uint16(height))
        self.settle()

    def call(self, name, *arguments):
        getattr(self.xcb, f"xcb_{name}")(self.connection, *arguments)

    def settle(self):
        """Returns when the server has done everything so far."""
        self.display.value("get_geometry", GEOMETRY, c_uint32(self.window))

    def fill(self, colour, rectangles):
        self.call("change_gc", c_uint32(self.pen), c_uint32(4), (c_uint32 * 1)(colour))  # 4: foreground
        self.call("poly_fill_rectangle", c_uint32(self.stock), c_uint32(self.pen), c_uint32(len(rectangles)), (c_int16 * (4 * len(rectangles)))(*sum(rectangles, ())))

    def prepare(self, number, is_flash):
        wide, high = PAINTED.width // COLUMNS, PAINTED.height // ROWS
        self.fill(0xFFFFFF if is_flash else 0, [(0, 0, PAINTED.width, PAINTED.height)])
        for is_white in (False, True):
            cells = [(index * wide, 0, wide, high) for index, white in enumerate(code([number], [is_flash])[0]) if white == is_white]
            self.fill(0xFFFFFF if is_white else 0, cells)
        self.settle()

    def show(self):
        before = time.monotonic_ns()
        self.call("copy_area", *self.copy)
        self.settle()
        return before, time.monotonic_ns()


def paint(name):
    ctypes.CDLL(None).prctl(29, 1)  # exact sleep
    painter, chance = Painter(name), random.Random(5)
    time.sleep(0.7)  # the eyes look for the window
    due = time.monotonic()
    for number in range(1, PICTURES + 1):
        is_flash = PAINTED.is_flash(number)
        painter.prepare(number, is_flash)
        due += chance.uniform(0.010, 0.030)
        time.sleep(max(0, due - time.monotonic()))
        print(number, int(is_flash), *painter.show(), flush=True)
    time.sleep(0.1)


@proof
def eyes(folder):
    """The eyes see each picture that a client paints, at the time at which it did."""
    with XServer(folder, "800x600") as screen, Eyes(screen.name, TITLE, PAINTED, folder) as watching:
        painted = subprocess.run([sys.executable, os.path.abspath(__file__), "--paint", screen.name], capture_output=True, text=True, timeout=60, check=True)
        watching.close()
    truth = {}
    for line in painted.stdout.splitlines():
        number, is_flash, before, after = (int(word) for word in line.split())
        truth[number] = (is_flash == 1, before / 1e9, after / 1e9)
    seen = {picture.number: picture for picture in watching.pictures if picture.number is not None}
    expect(len(truth) == PICTURES, f"{len(truth)} pictures were painted")
    missed = sorted(set(truth) - set(seen))
    expect(len(missed) <= PICTURES // 50, f"pictures that were not seen: {missed}; {watching.figures()}")
    wrong = [number for number, picture in seen.items() if picture.is_flash != truth[number][0]]
    expect(not wrong, f"flashes are wrong: {wrong}")
    outside = [number for number, picture in seen.items() if picture.latest < truth[number][1] or picture.earliest > truth[number][2]]
    expect(not outside, f"seen at other times than painted: {outside}")
    errors = [seen[number].at - (truth[number][1] + truth[number][2]) / 2 for number in seen]
    sizes = sorted(abs(error) for error in errors)
    tail = sizes[int(0.99 * len(sizes))]
    note = f"median {np.median(errors) * 1e3:+.2f} ms, of the sizes {np.median(sizes) * 1e3:.2f}, 99 of 100 within {tail * 1e3:.2f}, worst {sizes[-1] * 1e3:.2f} ms; {watching.figures()}"
    expect(abs(np.median(errors)) <= RIGHT and tail <= FAR, note)
    return note


@proof
def films(folder):
    """Flashes and clicks of films are at the same time in their files, in every kind that the cases play."""
    kinds = (
        Film(4),
        Film(4, 1280, 720, "60", "h264-b", "aac", busy=True),
        Film(4, 640, 360, "24000/1001", "hevc", "aac", container="mp4"),
        Film(4, 640, 360, "25", "vp9", "flac"),
        Film(4, 640, 360, "25", "mpeg4", "aac", sound_rate=44100),
    )
    notes = []
    for film in kinds:
        path = os.path.join(folder, f"{film.stem}.{film.container}")
        film.make(path)
        found = film.stored(path)
        expect(len(found) == 4, f"{film.stem}: {len(found)} clicks")
        expect(max(map(abs, found)) < 0.001, f"{film.stem}: clicks after flashes {found} s")
        notes.append(f"{film.codec} {film.audio} {max(found, key=abs) * 1e3:+.2f} ms")
    return ", ".join(notes)


@proof
def tones(folder):
    """Every click is found at its first sample, with its second, quiet or shorter, as at twice the rate; other sound is none."""
    samples = np.zeros((20 * RATE, 2), np.int16)
    for second in range(20):
        start = second * RATE + 100 * second
        samples[start : start + int(0.06 * RATE), 0] = click(second, RATE)
    found = ears.find(samples)
    expect(found == [(second * RATE + 100 * second, second % 16) for second in range(20)], f"{found}")
    expect(all(code == second % 16 for second, (_, code) in enumerate(ears.find((samples * 0.6).astype(np.int16)))), "quiet clicks have other tones")
    short = np.zeros((RATE, 2), np.int16)
    piece = click(5, RATE)
    short[1000 : 1000 + len(piece) // 2, 0] = np.concatenate([piece[: int(0.004 * RATE)], piece[-(len(piece) // 2 - int(0.004 * RATE)) :]])
    expect([code for _, code in ears.find(short)] == [5], f"a short click: {ears.find(short)}")
    noise = np.random.default_rng(1).integers(-6000, 6000, (RATE, 2)).astype(np.int16)
    expect(not ears.find(noise), "noise is taken for a click")
    return None


@proof
def pairs(folder):
    """Distances of flashes and clicks: with both signs, missed ones, repeated seconds, and sound that is seconds late."""
    chance = random.Random(3)
    shown = [Flash(100 + second, second) for second in range(40)]
    late = {second: chance.uniform(-0.004, 0.004) + 0.003 for second in range(40)}
    heard = [Click(100 + second + late[second], second % 16) for second in range(40)]
    found = pair(shown, heard)
    expect(len(found.each) == 40 and all(abs(distance - late[second] * 1000) < 1e-6 for second, distance in found.each), f"{found.each}")
    # A missed flash and a missed click leave out one second each.
    found = pair(shown[:7] + shown[8:], heard[:20] + heard[21:])
    expect(len(found.each) == 38 and [click.tone for click in found.lone_clicks] == [7], f"{found}: {found.lone_clicks}")
    expect([flash.second for flash in found.lone_flashes] == [20] and abs(found.worst) < 8, f"{found}")
    # Whole seconds are seen where the tone is known, and only there.
    seconds_late = [Click(click.at + 2, click.tone) for click in heard]
    expect(abs(pair(shown, seconds_late).median - 2000) < 8, f"{pair(shown, seconds_late)}")
    expect(abs(pair(shown, [Click(click.at) for click in seconds_late]).median) < 8, "a click without a tone")
    # A seek back: the same seconds twice.
    again = [Flash(flash.at + 40.3, flash.second) for flash in shown[5:10]]
    found = pair(shown + again, heard + [Click(flash.at - 0.002, flash.second % 16) for flash in again])
    expect(len(found.each) == 45 and not found.lone_clicks and all(abs(distance + 2) < 1e-6 for _, distance in found.each[-5:]), f"{found.each}")
    # From pictures: a flash's frame that was missed, a pause, a seek on a whole second.
    film = Film(10)
    numbers = [number for number in range(1, 200) if number != 75] + [125] + list(range(126, 180))
    pictures = [Picture(number_at, number_at + 0.001, number, film.is_flash(number)) for number_at, number in zip(times(numbers), numbers)]
    crossed = steps.flashes(pictures, film)
    expect([flash.second for flash in crossed] == [1, 2, 3, 4, 5, 6, 7, 6, 7], f"{crossed}")
    expect(abs(crossed[2].at - 3.0005) < 1e-9 and abs(crossed[1].at - 2.0005) < 1e-9, f"{crossed[:3]}")
    # At twice the rate a player may leave out every second picture.
    numbers = list(range(1, 250, 2))
    pictures = [Picture(number / 50, number / 50 + 0.001, number, film.is_flash(number)) for number in numbers]
    crossed = steps.flashes(pictures, film, rate=2)
    expect([round(flash.at - 0.0005, 6) for flash in crossed] == [second / 2 for second in range(1, 10)], f"{crossed}")
    return None


def times(numbers):
    """When each of these frames appears at 25 a second, with 0.3 s before a jump back."""
    found, base = [], 0.0
    for before, number in zip([0, *numbers], numbers):
        if number < before:
            base += (before - number) / 25 + 0.3
        found.append(base + number / 25)
    return found


def main():
    if sys.argv[1:2] == ["--paint"]:
        return paint(sys.argv[2])
    failed = 0
    for name in sys.argv[1:] or PROOFS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(f"{name}: {PROOFS[name](folder) or 'right'}", flush=True)
            except Failed as failure:
                failed += 1
                print(f"{name}: WRONG: {failure}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
