#!/usr/bin/env python3
"""Watches a film's window and notes when each of its pictures appears.

eyes.py DISPLAY TITLE WIDTHxHEIGHT [LOOKS A SECOND]      until its standard input ends

A process of its own, so that nothing else delays its looks. Output, times in nanoseconds of the monotonic clock:

    window X Y W H              the window is there, or has another place or size
    gone                        there is none
    picture EARLIEST LATEST NUMBER FLASH      the change to this picture was between these times; NUMBER is - where there is no code
    looks COUNT MEDIAN WORST CPU              in the end: between two looks, and the processor time of this process, nanoseconds

Standard input: `keep PATH` writes the window's pixels as they are now to a file; the answer is `kept NUMBER FLASH W H`, or `kept -`.
"""

import contextlib
import ctypes
import os
import select
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

import numpy as np

if __name__ == "__main__":
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from films.display import Display, Lost  # noqa: E402  the path above comes first
from films.film import COLUMNS, ROWS, read  # noqa: E402
from player import Failed, Skipped  # noqa: E402

LOOKS = 1000  # a second
PLACE_SECONDS = 0.2  # between two looks for the window's place
FIND_SECONDS = 0.01  # the same while there is no window
PR_SET_TIMERSLACK = 29
HURRY = -15  # niceness: a film's screen is no program that competes with a compiler


class Watcher:
    """The loop of the process."""

    def __init__(self, display, title, size, looks, tell):
        self.display, self.title, self.size, self.tell = display, title, size, tell
        self.interval = 1 / looks
        self.window = self.place = self.strip = None
        self.last, self.shown, self.gaps = None, None, []

    def run(self):
        due = find = 0.0
        before = earlier = time.monotonic_ns()
        while True:
            now = time.monotonic()
            if now >= find:
                self.look_for_window()
                find = now + (PLACE_SECONDS if self.place else FIND_SECONDS)
            earlier, before = before, time.monotonic_ns()
            if self.strip:
                raw = self.display.raw(*self.strip)
                after = time.monotonic_ns()
                self.gaps.append(before - earlier)
                if raw != self.last:
                    self.last = raw
                    self.take(raw, earlier, after)
            due = max(due + self.interval, time.monotonic() - self.interval)
            ready = select.select([sys.stdin], [], [], max(0.0, due - time.monotonic()))[0]
            if ready and not self.obey(sys.stdin.readline().split(maxsplit=1)):
                return

    def look_for_window(self):
        place = self.display.rectangle(self.window) if self.window else None
        if place is None:
            self.window = self.display.find(self.title)
            place = self.display.rectangle(self.window) if self.window else None
        if place == self.place:
            return
        self.place, self.last = place, None
        self.strip = self.code_of(place) if place else None
        self.tell("window", *place) if place else self.tell("gone")

    def code_of(self, place):
        """The line through the middle of the code's cells, as a rectangle: a picture keeps its shape, in the middle of its window."""
        x, y, width, height = place
        scale = min(width / self.size[0], height / self.size[1])
        wide, high = self.size[0] * scale, self.size[1] * scale
        left, line = round(x + (width - wide) / 2), round(y + (height - high) / 2 + high / ROWS / 2)
        wide = int(wide)
        is_there = 0 <= left and left + wide <= self.display.width and 0 <= line < self.display.height and wide >= COLUMNS
        return (left, line, wide, 1) if is_there else None

    def decoded(self, raw):
        """The number and the flash of a line's pixels; None if there is no code."""
        if raw is None:
            return None
        line = np.frombuffer(raw, np.uint8).reshape(-1, 4)
        middles = ((np.arange(COLUMNS) + 0.5) * len(line) / COLUMNS).astype(int)
        return read(line[middles, :3].mean(1).tolist())

    def take(self, raw, earlier, after):
        seen = self.decoded(raw)
        if seen != self.shown:
            self.shown = seen
            self.tell("picture", earlier, after, *((seen[0], int(seen[1])) if seen else ("-", 0)))

    def obey(self, words):
        if not words or words[0] != "keep":
            return False
        picture = self.display.picture(*self.place) if self.place else None
        if picture is None:
            self.tell("kept", "-")
            return True
        with open(words[1].strip(), "wb") as file:
            np.save(file, picture)
        # The number in these very pixels, not that of a moment ago.
        code = None
        if self.strip:
            left, line = self.strip[0] - max(0, self.place[0]), self.strip[1] - max(0, self.place[1])
            row = picture[line, left : left + self.strip[2]]
            code = self.decoded(np.ascontiguousarray(np.dstack([row[None], row[None, :, :1]])[0]).tobytes())
        self.tell("kept", *((code[0], int(code[1])) if code else ("-", 0)), picture.shape[1], picture.shape[0])
        return True


def main():
    name, title, size, *looks = sys.argv[1:]
    ctypes.CDLL(None).prctl(PR_SET_TIMERSLACK, 1)
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, HURRY)

    def tell(*words):
        print(*words, flush=True)

    watcher = None
    try:
        watcher = Watcher(Display(name), title, tuple(int(word) for word in size.split("x")), int(looks[0]) if looks else LOOKS, tell)
        tell("ready")
        watcher.run()
    except Lost:
        tell("lost")
    gaps = sorted(watcher.gaps) if watcher else []
    if gaps:
        tell("looks", len(gaps), gaps[len(gaps) // 2], gaps[-1], time.process_time_ns())


# What a case has of it


@dataclass(frozen=True)
class Picture:
    earliest: float  # monotonic seconds between which the picture appeared
    latest: float
    number: int | None  # None: there is no code
    is_flash: bool

    @property
    def at(self):
        return (self.earliest + self.latest) / 2

    @property
    def doubt(self):
        return (self.latest - self.earliest) / 2


@dataclass(frozen=True)
class Kept:
    """A window's pixels, (height, width, 3), and the frame that they show."""

    number: int | None
    is_flash: bool
    pixels: np.ndarray

    def part(self, left, top, right, bottom):
        """The pixels of a part of the window, in shares of its width and height."""
        height, width = self.pixels.shape[:2]
        return self.pixels[int(top * height) : int(bottom * height), int(left * width) : int(right * width)]

    def colour(self, *part):
        """The mean colour of a part: red, green, blue."""
        return self.part(*part).reshape(-1, 3).mean(0)


class Eyes:
    """The watcher of a film's window, as a running process. All waits are limited."""

    def __init__(self, screen, title, film, folder, looks=LOOKS):
        self.pictures, self.window, self.looks, self.is_lost = [], None, None, False
        self.changed, self.folder, self.answers = threading.Condition(), folder, []
        size = f"{film.width}x{film.height}"
        self.log = open(os.path.join(folder, "eyes.log"), "ab")
        self.process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), screen, title, size, str(looks)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True, start_new_session=True,
        )  # fmt: skip
        self.is_ready = self.is_over = False
        self.reader = threading.Thread(target=self._read, name="eyes", daemon=True)
        self.reader.start()
        self._until(lambda: self.is_ready or self.is_over, 15, "the eyes did not open")
        if not self.is_ready:
            raise Failed("the eyes ended: see eyes.log")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _read(self):
        for line in self.process.stdout:
            kind, *words = line.split()
            with self.changed:
                if kind == "picture":
                    number = None if words[2] == "-" else int(words[2])
                    self.pictures.append(Picture(int(words[0]) / 1e9, int(words[1]) / 1e9, number, words[3] == "1"))
                elif kind in ("window", "gone"):
                    self.window = tuple(int(word) for word in words) or None
                elif kind == "kept":
                    self.answers.append(words)
                elif kind == "looks":
                    self.looks = [int(word) for word in words]
                self.is_ready = self.is_ready or kind == "ready"
                self.is_lost = self.is_lost or kind == "lost"
                self.changed.notify_all()
        with self.changed:
            self.is_over = True
            self.changed.notify_all()

    def _until(self, condition, within, complaint):
        with self.changed:
            if not self.changed.wait_for(condition, within):
                raise Failed(f"{complaint} within {within:g} s")

    def here(self):
        """An index into the pictures."""
        return len(self.pictures)

    def wait(self, where, within, after=0, what="picture"):
        """The first picture for which `where` is true, waited for up to `within` seconds."""
        seen, found = after, []

        def look():
            nonlocal seen
            for picture in self.pictures[seen:]:
                seen += 1
                if where(picture):
                    found.append(picture)
                    return True
            return self.is_over

        self._until(look, within, f"no {what}{self._last()}")
        if not found:
            raise Failed(f"no {what}: the screen is gone{self._last()}")
        return found[0]

    def _last(self):
        shown = ", ".join("-" if picture.number is None else str(picture.number) for picture in self.pictures[-4:])
        return f" (the last ones: {shown or 'none'})" if self.window else " (there is no window)"

    def wait_window(self, within=15):
        self._until(lambda: self.window or self.is_over, within, "no window with the film's name")
        if not self.window:
            raise Failed("no window with the film's name: the screen is gone")
        return self.window

    def keep(self, within=5):
        """The window's pixels now; None if there is no window."""
        path, count = os.path.join(self.folder, "window.npy"), len(self.answers)
        self.process.stdin.write(f"keep {path}\n")
        self.process.stdin.flush()
        self._until(lambda: len(self.answers) > count or self.is_over, within, "the eyes did not answer")
        words = self.answers[count] if len(self.answers) > count else ["-"]
        if len(words) < 4:
            return None
        return Kept(None if words[0] == "-" else int(words[0]), words[1] == "1", np.load(path))

    def close(self):
        """Ends the process; then `looks` has its figures."""
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join(5)
        self.process.stdout.close()
        self.log.close()
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(self.folder, "window.npy"))

    def figures(self):
        """The looks in words, after `close`."""
        if not self.looks:
            return "no looks"
        count, median, worst, used = self.looks
        load = os.getloadavg()[0]
        return f"{count} looks, {median / 1e6:.2f} ms apart, at most {worst / 1e6:.1f} ms, {used / max(1, count) / 1e3:.0f} µs of processor each; load {load:.1f}"


class XServer:
    """An X server without a monitor; with a window manager (jwm) where windows are to fill the screen, which only managers do."""

    manager = None

    def __init__(self, folder, size="1920x1080", has_manager=False):
        if not shutil.which("Xvfb"):
            raise Skipped("Xvfb is not installed")
        self.log = open(os.path.join(folder, "screen.log"), "ab")
        ready, told = os.pipe()
        try:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "Xvfb", "-displayfd", str(told), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-nocursor", "-s", "0"],
                pass_fds=[told], stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        finally:
            os.close(told)
        with os.fdopen(ready) as pipe:
            number = pipe.readline().strip()
        if not number:
            self.close()
            raise Skipped("Xvfb does not start")
        # A screen is no program that competes with a compiler.
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, self.process.pid, HURRY)
        self.name = f":{number}"
        if has_manager:
            self.start_manager(folder)

    def start_manager(self, folder):
        if not shutil.which("jwm"):
            self.close()
            raise Skipped("jwm is not installed")
        settings = os.path.join(folder, "jwm.xml")
        with open(settings, "w") as file:
            file.write("<JWM/>")
        words = ["setpriv", "--pdeathsig", "KILL", "jwm", "-display", self.name, "-f", settings]
        self.manager = subprocess.Popen(words, stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL)
        time.sleep(1)  # a window before it would stay as it is

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def kill(self):
        """Ends the server as a crash would."""
        self.process.kill()
        self.process.wait()

    def close(self):
        if self.manager and self.manager.poll() is None:
            self.manager.terminate()
            self.manager.wait()
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.kill()
        self.log.close()


if __name__ == "__main__":
    main()
