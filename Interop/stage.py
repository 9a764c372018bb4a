"""The tools of a case or a measurement: programs, recordings, test audio; all of it ends with the stage."""

import json
import os
import shutil
import signal
import time

import numpy as np

import lab as labs
import listening
import sound
from player import Failed, Player, Skipped

class Command(Player):
    """`tutti` with arguments other than a play with --json: its output lines are unparsed."""

    def lines(self):
        texts = list(self.other_lines)
        for event in self.events:
            texts.append(json.dumps({key: value for key, value in event.items() if key != "_at"}))
        return texts

    def expect_clean(self):
        lines, self.other_lines = self.other_lines, []
        try:
            super().expect_clean()
        finally:
            self.other_lines = lines


class StandIn(Player):
    """A stand-in of another maker's device, running on a node of its own."""

    name = address = endpoint = file = None

    def heard(self):
        """All that its output has played so far, without the silence around it."""
        return listening.trim(listening.read_raw(self.file, skip_bytes=labs.WAVE_HEADER))

    def met(self, manner):
        """How often the sender has met one of its manners."""
        counts = [event["count"] for event in self.all("manner") if event["manner"] == manner]
        return counts[-1] if counts else 0

    def expect_met(self, manner, count=1, within=5):
        """Waits until the sender has met a manner so often: the stand-in tells of it after its answer."""
        self.wait("manner", within, lambda event: event["manner"] == manner and event["count"] >= count)

    def settle(self, quiet=0.5, limit=5.0):
        """Returns when its output has been silent for `quiet` seconds."""
        end, frames = time.monotonic() + limit, int(quiet * listening.RATE)
        while time.monotonic() < end:
            time.sleep(quiet)
            size = os.path.getsize(self.file) - frames * 4
            if size > 0 and not listening.read_raw(self.file, skip_bytes=max(labs.WAVE_HEADER, size // 4 * 4)).any():
                return


class Stage:
    """The tools of a case. Everything it starts ends with it."""

    def __init__(self, program, lab, sounds, folder):
        self.program, self.lab, self.sounds, self.folder = program, lab, sounds, folder
        self.players, self.recordings, self.notes = [], [], []
        shutil.rmtree(os.path.join(folder, "state"), ignore_errors=True)  # of a retried case
        self.apps = None  # runs the sample programs
        self.standins = None  # the program of the stand-ins
        self.timed_out = False

    # Starting

    def play(self, paths, rooms, *options, **environment):
        """`tutti play` to these rooms, given by address, with --json."""
        to = [word for room in rooms for word in ("--to", self.lab.endpoint(room))]
        return self._run(Player, [self.program, "play", *paths, *to, "--json", *options], **environment)

    def play_here(self, paths, file=None):
        """`tutti play` on the machine's own output, with --json, and the wave file of its audio."""
        file = file or self.place("heard.wav")
        return self._start(Player, "play", *paths, "--output", f"wave:{file}", "--json"), file

    def app(self, name, paths, file="heard.wav"):
        """A sample program on the machine's own output, and the wave file of its audio."""
        if not os.access(self.apps, os.X_OK):
            raise Skipped("no program for the sample programs: scripts/release.sh SampleAppsRunner")
        file = self.place(file)
        app = self._run(Command, [self.apps, name, *paths], TUTTI_OUTPUT=f"wave:{file}")
        app.wait("ready", 15)
        return app, file

    def standin(self, place, *words, name=None, model=None):
        """Starts a stand-in on a node without a receiver: 2 for s2, and so on, whose clock is 1000 s ahead per number.

        `words` are a family, the names of manners, or both; `model` replaces the announced model, so that the sender does not know
        the family. Returns the running program with its name, address, endpoint and output. Needs a lab with enough senders.
        """
        if not os.access(self.standins, os.X_OK):
            raise Skipped("no program for the stand-ins: scripts/release.sh StandIn")
        node = f"s{place}"
        file = self.place(f"{node}.wav")
        name = name or f"Stand-in {place}"
        options = [*words, "--name", name, "--output", f"wave:{file}"]
        options += ["--model", model] if model else []
        ahead = str(1000 * place)
        alone = ["unshare", "--time", "--monotonic", ahead, "--boottime", ahead, "--fork", "--kill-child"]
        started = self._run(StandIn, [*alone, self.standins, *options], node=node)
        started.name, started.address, started.file = name, self.lab.address(node), file
        started.endpoint = f"{started.address}:{started.wait('started', 15)['port']}"
        return started

    def play_to(self, paths, endpoints, *options):
        """`tutti play` to these addresses or names, with --json."""
        to = [word for endpoint in endpoints for word in ("--to", endpoint)]
        return self._start(Player, "play", *paths, *to, "--json", *options)

    def command(self, *arguments, answer=None):
        """`tutti` with these arguments; `answer` is the only line of its standard input."""
        program = self._start(Command, *arguments)
        if answer is not None:
            program.send(answer)
        program.process.stdin.close()
        return program

    def _start(self, kind, *arguments):
        return self._run(kind, [self.program, *arguments])

    def _run(self, kind, command, node="s1", **environment):
        if self.timed_out:
            raise Failed("no time left")
        name = f"tutti-{len(self.players) + 1}"
        player = kind(self.lab.sender_command(*command, node=node), self.folder, name, **environment)
        self.players.append(player)
        return player

    def place(self, name):
        """The path for a recording of this case: with the lab's own, where no disk is involved."""
        if self.lab is None:
            return os.path.join(self.folder, name)
        folder = os.path.join(self.lab.state, "recordings")
        os.makedirs(folder, exist_ok=True)
        return os.path.join(folder, name)

    def record(self, name="rooms.raw"):
        recording = self.lab.record(self.place(name))
        self.recordings.append(recording)
        return recording

    def close(self):
        for player in self.players:
            player.close()
        for recording in self.recordings:
            recording.stop()
        if self.lab:
            shutil.rmtree(os.path.join(self.lab.state, "recordings"), ignore_errors=True)

    def end_processes(self):
        """Called by the watchdog's thread: ends the case's programs, and with them its waits."""
        self.timed_out = True
        for started in [player.process for player in self.players] + [entry.process for entry in self.recordings]:
            if started.returncode is None:
                try:
                    os.killpg(started.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass  # it ended at this moment

    # Test audio

    def tracks(self, name, count, seconds, titles=None):
        """Paths of FLAC files in which every frame is unique, and their samples."""
        paths, samples = [], []
        for index in range(count):
            file = f"{name}-{seconds}s-{index + 1}"
            source = self.sounds.music(file, seconds, seed=100 + index)
            title = titles[index] if titles else f"Track {index + 1}"
            paths.append(self.sounds.encoded(f"{file}.flac", source, title=title, artist="Tutti Tests"))
            samples.append(sound.read_wav(source))
        return paths, samples

    @staticmethod
    def starts(samples):
        return [int(frames) for frames in np.cumsum([0] + [len(track) for track in samples])]

    @staticmethod
    def duration(path):
        """Seconds, accurate enough for a deadline."""
        return len(sound.decode(path)) / sound.RATE

    # Events

    def wait_any(self, player, kinds, within, where, after):
        """The first event of any of these kinds, with one common deadline."""
        end = time.monotonic() + within
        while True:
            found = [event for kind in kinds for event in player.all(kind, after) if where(event)]
            if found:
                return min(found, key=lambda event: event["_at"])
            left = end - time.monotonic()
            if left <= 0 or player.eof:
                raise Failed(f"no {' or '.join(kinds)} event about it within {within:g} s")
            with player.changed:
                player.changed.wait(min(left, 0.5))

    def ahead_of(self, event, room):
        """Seconds that this room holds, from a `progress` event."""
        ahead = event.get("ahead")
        known = (self.lab.name(room), self.lab.address(room), f"{self.lab.address(room)}:{labs.PORT}")
        if isinstance(ahead, dict):
            return next((value for key, value in ahead.items() if key in known), 0.0)
        if isinstance(ahead, list):
            for entry in ahead:
                if isinstance(entry, dict) and entry.get("speaker") in known:
                    return entry.get("ahead", entry.get("seconds", 0.0))
        return 0.0

    @staticmethod
    def plain(event):
        return {key: value for key, value in event.items() if key != "_at"}

    def note(self, text):
        """Adds a remark to the case's name in the result."""
        self.notes.append(text)
