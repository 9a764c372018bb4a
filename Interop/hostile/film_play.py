"""Plays films under attack: several at once, each within limits of time and memory, and judges what was said of it."""

import contextlib
import os
import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import listening
from attacks import expect
from film_files import SECONDS
from films.eyes import XServer
from lab import WAVE_HEADER
from player import Failed

# Film programs at once: each decodes little, and waits for its sound most of the time.
AT_ONCE = 8
# Memory of a program that plays a small film: the libraries of codecs and the display, and a window of software.
MOST_MB = 190
WITHIN = 25  # seconds until the end: opening a file may take 15
PLAYED = 0  # the statuses of a film that played, and of one in which nothing can be played
BAD_MEDIA = 65
# Names of a program's own, and of libraries: no sentences.
RAW = re.compile(r"AVERROR|averror|Error Domain|NSError|\w+\(\w+: |[a-z]+_[a-z]+_[a-z]+")
# Errors of the machine in place of those of the file: nobody can do anything about them.
ELSEWHERE = re.compile("Operation not permitted|Cannot allocate memory|temporarily unavailable|patches welcome|is none, which")
# What a user does with a film: each line after so many seconds.
HANDS = (
    (0.3, "seek 1.2"),
    (0.2, "seek 0.1"),
    (0.2, "pause"),
    (0.1, "step 1"),
    (0.1, "step -1"),
    (0.1, "subtitles"),
    (0.1, "resume"),
    (0.2, "rate 2"),
    (0.3, "quit"),
)
WATCHED = ((1.3, "quit"),)
TO_THE_END = ((3.0, "quit"),)  # damage may make a film longer


@dataclass
class Film:
    """A file, and the way in which it is played."""

    path: str
    name: str = ""
    commands: tuple = TO_THE_END  # pairs of a pause and a command, once it plays
    options: tuple = ()
    driver: str = "x11"
    most_mb: int = MOST_MB
    within: float = WITHIN
    statuses: tuple = (PLAYED, BAD_MEDIA)
    wave: str = ""  # a file for the sound


@dataclass
class Outcome:
    film: Film
    status: int
    seconds: float
    megabytes: float
    events: list = field(default_factory=list)

    def all(self, *kinds):
        return [event for event in self.events if event["event"] in kinds]

    @property
    def shown(self):
        """Pictures that reached the screen."""
        return sum(event["shown"] for event in self.all("pictures"))

    @property
    def corrupt(self):
        return sum(event["corrupt"] for event in self.all("pictures"))

    @property
    def furthest(self):
        return max((event.get("position", 0) for event in self.all("progress")), default=0)

    def messages(self):
        return [event["message"] for event in self.all("warning", "error")]


class Cinema:
    """An X server for the windows of films."""

    def __init__(self, t, size="1280x720"):
        self.t, self.outcomes = t, []
        self.screen = XServer(t.folder, size)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.screen.close()

    def environment(self, driver="x11"):
        return {"DISPLAY": self.screen.name, "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": driver}

    def play(self, *films, at_once=AT_ONCE):
        """Plays all of them; the outcomes in their order, or all that failed."""
        failures = []

        def one(film):
            try:
                return self._play(film)
            except Failed as failure:
                failures.append(str(failure))

        with ThreadPoolExecutor(at_once) as pool:
            outcomes = [outcome for outcome in pool.map(one, films) if outcome]
        if failures:
            raise Failed("\n".join(failures))
        self.outcomes += outcomes
        return outcomes

    def _play(self, film):
        output = f"wave:{film.wave}" if film.wave else "null"
        environment = self.environment(film.driver)
        program = self.t.command("play", film.path, "--output", output, "--json", *film.options, environment=environment)
        try:
            return self._watch(film, program, film.name or os.path.basename(film.path))
        except Failed:
            program.close()  # what grows or hangs would take the machine with it
            raise

    def _watch(self, film, program, name):
        end, most = time.monotonic() + film.within, film.most_mb * 1024

        def passes(due):
            """Whether the program still runs at that time, within its memory."""
            while program.poll() is None and time.monotonic() < min(due, end):
                expect(program.peak_kb <= most, f"{name}: took {program.peak_kb / 1024:.0f} MB")
                time.sleep(0.02)
            return program.poll() is None

        while not program.all("playing") and passes(time.monotonic() + 0.02) and time.monotonic() < end:
            pass
        for pause, command in film.commands:
            if not passes(time.monotonic() + pause):
                break
            with contextlib.suppress(Failed):  # it ended at this moment
                program.send(command)
        passes(end)
        status, seconds, _ = self.t.ended(program, 0, film.statuses, name, film.most_mb)
        outcome = Outcome(film, status, seconds, program.peak_kb / 1024, list(program.events))
        expect(not program.other_lines, f"{name}: a line that is no event: {program.other_lines[:1]}")
        self.judge(outcome, name)
        return outcome

    @staticmethod
    def judge(outcome, name):
        """What is said must be sentences, and a film that cannot be played must be told of."""
        for message in outcome.messages():
            expect(is_sentence(message), f"{name}: not a sentence: {message!r}")
        if outcome.status == BAD_MEDIA:
            expect(outcome.all("error"), f"{name}: refused without a word")
        else:
            expect(outcome.all("ended"), f"{name}: status {outcome.status} without an end")

    def figures(self):
        """One line about all plays."""
        seconds, megabytes = (max(getattr(outcome, kind) for outcome in self.outcomes) for kind in ("seconds", "megabytes"))
        refused = sum(outcome.status == BAD_MEDIA for outcome in self.outcomes)
        said = sum(len(outcome.messages()) for outcome in self.outcomes)
        shown = sum(outcome.shown for outcome in self.outcomes)
        return f"{len(self.outcomes)} plays, {refused} refused, {said} messages, {shown} pictures, at most {seconds:.1f} s and {megabytes:.0f} MB"


def is_sentence(message):
    return len(message.split()) >= 3 and not RAW.search(message) and not ELSEWHERE.search(message) and message == message.strip()


def heard(film):
    """The samples of a film's wave output, without the silence around them."""
    return listening.trim(listening.read_raw(film.wave, skip_bytes=WAVE_HEADER))


def expect_each(outcomes, wrong):
    """Fails with all problems of these outcomes; `wrong` returns one, or None."""
    found = [f"{outcome.film.name or os.path.basename(outcome.film.path)}: {problem}" for outcome in outcomes if (problem := wrong(outcome))]
    expect(not found, "\n".join(found))


def expect_sound(outcomes):
    """Whatever the pictures are, the sound plays; it is reported each half second."""

    def wrong(outcome):
        if outcome.status != PLAYED:
            return f"exit status {outcome.status}: {outcome.messages()}"
        seconds = 1 if outcome.film.commands == WATCHED else SECONDS - 0.6
        return None if outcome.furthest >= seconds else f"its sound was played up to {outcome.furthest:.2f} s only: {outcome.messages()}"

    expect_each(outcomes, wrong)


def expect_words(outcomes):
    """Where no picture is seen, the user is told why."""
    expect_each(outcomes, lambda outcome: None if outcome.shown or outcome.corrupt or outcome.messages() else "no picture, and not a word of it")
