"""The tools of an attack: the networks, the rooms, and the programs under attack."""

import os
import re
import threading
import time

import lab as labs
import listening
import sound
from player import Failed, Player
from stage import Command
from watch import wrong_in

# Memory that our program may reach under attack: players hold up to 60 MB by themselves, and the library
# keeps up to twice the limit of one packet.
MOST_MB = 256


class Bench:
    def __init__(self, rooms, program, sounds, folder, is_short):
        self.rooms, self.program, self.sounds, self.folder, self.is_short = rooms, program, sounds, folder, is_short
        self.lab = rooms.lab
        self.attacker, self.visitor, self.legitimate = rooms.attacker, rooms.visitor, rooms.legitimate
        self.notes, self.programs, self.secrets = [], [], []
        self.starting = threading.Lock()  # attacks may start programs from several threads

    def note(self, text):
        self.notes.append(text)

    def many(self, whole, short):
        return short if self.is_short else whole

    def command(self, *arguments, kind=Command, node=3, environment=None):
        """A program of ours in a node's network: in that of the visitor, where nothing else of ours runs."""
        words = self.lab.sender_command(self.program, *arguments, node=f"s{node}")
        with self.starting:
            started = kind(words, self.folder, f"tutti-{len(self.programs) + 1}", **(environment or {}))
            self.programs.append(started)
        return started

    def run(self, *arguments, within, statuses=None, what=None):
        """Runs our program to its end and checks all of its output; (exit status, seconds, all text)."""
        started = self.command(*arguments)
        started.process.stdin.close()
        return self.ended(started, within, statuses, what or " ".join(arguments[:1]))

    def ended(self, started, within, statuses=None, what="the program", most_mb=MOST_MB):
        end = time.monotonic() + within
        while started.poll() is None:
            if time.monotonic() > end:
                raise Failed(f"{what}: not done after {within:g} s")
            time.sleep(0.02)
        status, seconds = started.exit(2), time.monotonic() - started.started
        text = self.said(started)
        if status < 0:
            raise Failed(f"{what}: ended by signal {-status}: {text[-300:]!r}")
        if statuses is not None and status not in statuses:
            raise Failed(f"{what}: exit status {status} instead of {' or '.join(map(str, statuses))}: {text[-200:]!r}")
        if wrong := wrong_in(text, self.secrets):
            raise Failed(f"{what}: printed {wrong}")
        if started.peak_kb > most_mb * 1024:
            raise Failed(f"{what}: took {started.peak_kb / 1024:.0f} MB")
        return status, seconds, text

    @staticmethod
    def said(started):
        with open(started.stderr_path, "rb") as file:
            errors = file.read()
        # The log of standard output has a time at the start of each line.
        if not os.path.exists(started.stderr_path + ".events"):
            return errors  # it has only just been started
        with open(started.stderr_path + ".events", "rb") as file:
            return errors + b"".join(re.sub(rb"^\d+\.\d{3} ", b"", line) for line in file)

    def plays(self, room, within=10.0):
        """A legitimate program takes the room and plays, frame for frame."""
        path = self.sounds.noise("hostile-visit", 2, seed=78)
        mark, start = self.lab.mark(), time.monotonic()
        program = self.command("play", path, "--to", f"{self.rooms.address(room)}:{labs.PORT}", "--json", kind=Player)
        program.wait("ended", within + 4)
        self.ended(program, 5, [0], "the visitor's program")
        self.heard_whole(room, path, mark)
        self.note(f"a visitor played whole in {time.monotonic() - start:.1f} s")

    def heard_whole(self, room, path, mark):
        """Fails unless the room has played all frames of the file since the mark, in one piece."""
        source, heard = sound.read_wav(path), listening.trim(self.lab.heard(room, mark))
        found = max((piece.count for piece in listening.Finder(source).hear(heard).pieces), default=0)
        if found != len(source):
            raise Failed(f"room {room} played {found} of {len(source)} frames of a visitor in one piece")

    def close(self):
        for started in self.programs:
            started.close()
