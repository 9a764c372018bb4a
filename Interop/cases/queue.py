"""A queue player in its own program (`SampleAppsRunner player`), driven by commands: its events and its audio."""

import os
import time

import listening
import sound
from cases import expect
from cases.apps import Ears, go_to
from cases.control import expect_pieces
from listening import RATE

HEADER = 44  # bytes of our WAV files before the first frame
FRAME = 4  # bytes


class Queue:
    """A queue player driven by commands, its events, and its output: a room's, or this machine's own."""

    def __init__(self, t, addresses=(), room=1, file="heard.wav"):
        self.t, self.room = t, room
        self.app, self.file = t.app("player", list(addresses), file)
        self.ears = Ears(t, self.app, self.file, room)
        if not room:
            go_to(self.app, "local")  # otherwise another program's choice would be used

    def do(self, *commands):
        """Sends commands; returns an event index from before their effects."""
        here = self.app.here()
        for command in commands:
            self.app.send(command)
        return here

    def wait(self, kind, within=10, after=0, player="first", **facts):
        def fits(event):
            return event.get("player", player) == player and all(event.get(key) == value for key, value in facts.items())

        return self.app.wait(kind, within, fits, after)

    def wait_position(self, seconds, within=15, after=0, player="first"):
        where = lambda event: event.get("player") == player and event.get("position", 0) >= seconds  # noqa: E731
        return self.app.wait("progress", within, where, after)

    def wait_held(self, seconds, after=0, within=15):
        """Waits until the room holds the audio up to this second of the first item; returns the last progress."""
        end = time.monotonic() + within
        while True:
            told = self.app.all("progress", after)
            ahead = [min(entry["ahead"] for entry in event["ahead"]) for event in told if event.get("ahead")]
            place = [event for event in told if "position" in event and "item" in event]
            if ahead and place and place[-1]["position"] + ahead[-1] >= seconds:
                return place[-1]
            expect(time.monotonic() < end and not self.app.eof, f"the room did not buffer {seconds:g} s")
            with self.app.changed:
                self.app.changed.wait(0.5)

    def all(self, kind, after=0, player="first", **facts):
        found = [event for event in self.app.all(kind, after) if event.get("player", player) == player]
        return [event for event in found if all(event.get(key) == value for key, value in facts.items())]

    def positions(self, after=0):
        return [event["position"] for event in self.all("progress", after) if "position" in event]

    def values(self, kind, after=0, player="first", **facts):
        return [event["value"] for event in self.all(kind, after, player, **facts)]

    def expect_in_order(self, kind, wanted, after=0, **facts):
        found = self.values(kind, after, **facts)
        expect(found == wanted, f"{kind} was {found}, not {wanted}")

    def expect_undisturbed(self, after=0):
        for kind in ("playbackStalled", "failedToPlayToEndTime", "interruption"):
            expect(not self.app.all(kind, after), f"{self.app.all(kind, after)[:1]}")

    def hear(self, source):
        return self.ears.hear(source)

    def expect_whole(self, source):
        piece = expect_pieces(self.hear(source), 1)[0]
        expect(piece.start == 0 and piece.end == len(source), f"start or end missing: {piece}")

    def raw(self):
        """All frames of the output, without the silence around them."""
        if not self.room:
            return listening.trim(listening.read_raw(self.file, skip_bytes=HEADER))
        self.t.lab.settle(self.room)
        return listening.trim(self.t.lab.heard(self.room, self.ears.mark))

    def heard_at(self, piece):
        """When our speaker began to play a piece found by `hear`, monotonic seconds."""
        first = listening.first_sound(self.t.lab.heard(self.room, self.ears.mark))
        return self.t.lab.played_at(self.room, self.ears.mark[self.room] // 4 + first + piece.at)

    def quit(self):
        self.app.quit()


def noise(t, seconds, seed):
    source = t.sounds.noise(f"noise-{seconds}-{seed}", seconds, seed=seed)
    return source, sound.read_wav(source)


def noises(t, lengths, seed):
    sources = [noise(t, seconds, seed + index) for index, seconds in enumerate(lengths)]
    paths = [t.sounds.encoded(os.path.basename(source)[:-4] + ".flac", source) for source, _ in sources]
    return paths, [samples for _, samples in sources]


def wave(t, servers, seconds, seed, port=8095):
    """A WAV file behind a valve, and its samples."""
    source, samples = noise(t, seconds, seed)
    return servers.valve(source, port), samples


def at(seconds):
    """The number of bytes of such a file up to this second."""
    return HEADER + int(seconds * RATE) * FRAME
