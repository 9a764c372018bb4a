"""The commands of the README, word for word, as a newcomer types them."""

import os
import re
import signal

from cases import OURS, case, expect
from cases.live import own_speaker
from cases.sinks import PulseAudio
from lab.processes import until
from player import Failed
from stage import Command

README = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "README.md")


def lines_of_readme():
    with open(README) as file:
        return re.findall(r"^    (tutti .*)$", file.read(), re.MULTILINE)


class Newcomer:
    """A person's home folder, in which lines of the README are typed into a shell."""

    def __init__(self, t, server):
        self.t, self.home = t, os.path.join(t.folder, "home")
        programs = os.path.join(self.home, "bin")
        for folder in (programs, os.path.join(self.home, "Music")):
            os.makedirs(folder, exist_ok=True)
        link = os.path.join(programs, "tutti")
        if not os.path.islink(link):
            os.symlink(os.path.abspath(t.program), link)
        song = t.sounds.encoded("song-4.flac", t.sounds.noise("noise-4", 4, seed=8), title="Evening Song")
        bell = t.sounds.noise("noise-1", 1, seed=9)
        for path, name in ((song, "song.flac"), (song, "Music/song.flac"), (bell, "doorbell.wav")):
            with open(path, "rb") as source, open(os.path.join(self.home, name), "wb") as copy:
                copy.write(source.read())
        self.environment = dict(
            HOME=self.home, PATH=f"{programs}:{os.environ['PATH']}", PULSE_SERVER=server.environment["PULSE_SERVER"], XDG_RUNTIME_DIR=server.folder)

    def type(self, line):
        return self.t._run(Command, ["bash", "-c", f"cd; exec {line}"], **self.environment)

    def done(self, line, within=20):
        """Runs a line that ends by itself; returns its output."""
        typed = self.type(line)
        typed.expect_exit(within, 0)
        return "\n".join(typed.lines())


def end(program):
    """Ends a program by Ctrl-C; a shell shows 130 for both answers."""
    os.kill(program.process.pid, signal.SIGINT)
    status = program.exit(8)
    expect(status in (130, -signal.SIGINT), f"exit status {status} after Ctrl-C")


@case("readme.commands", lab=OURS, timeout=150)
def commands(t):
    """Each command of the README does what the line above it says, with speakers of these names."""
    rooms = {name: own_speaker(t, name, 7101 + index)[0] for index, name in enumerate(("Kitchen", "Living Room", "Hall"))}
    with PulseAudio(t) as server:
        person, service = Newcomer(t, server), None
        # The output first: without avahi-daemon, as here, a program beside the service often finds no name within its four seconds.
        for line in sorted(lines_of_readme(), key=lambda line: not line.startswith("tutti sink")):
            here = {name: room.here() for name, room in rooms.items()}

            def playing(name, within=15):
                rooms[name].wait("playing", within, lambda event: event["playing"], after=here[name])  # noqa: B023

            if line == "tutti --version":
                expect(re.fullmatch(r"tutti \d+\.\d+\.\d+\S*", person.done(line).strip()), "no version")
            elif line.startswith("tutti speakers"):
                found = person.done(line)
                expect(all(name in found for name in rooms), f"not all speakers: {found}")
            elif line.startswith("tutti play"):
                typed = person.type(line)
                for name in ("Kitchen", "Living Room"):
                    playing(name)
                typed.expect_exit(20, 0)
            elif line.startswith("tutti serve"):
                service = person.type(line)
                expect(until(lambda: person.type("tutti status").exit(10) == 0, 20), "the service does not answer")
                for name in ("Kitchen", "Hall"):
                    expect(until(lambda: person.type(f"tutti zone new {name} {name}").exit(10) == 0, 20), f"no zone {name}")  # noqa: B023
                person.done("tutti play --zone Kitchen Music/song.flac")
                playing("Kitchen")
            elif line.startswith("tutti sink"):
                sink = person.type(line)
                sinks = lambda: server.pactl("list", "short", "sinks")  # noqa: E731
                there = until(lambda: "tutti" in sinks().lower(), 20)
                expect(there, f"no output in the mixer, which has: {sinks()!r}; the program says: {sink.lines()} {sink.stderr()}")  # noqa: B023
                end(sink)
            elif line.startswith("tutti speaker "):
                speaker = person.type(line)
                expect(until(lambda: any("is an AirPlay speaker" in said for said in speaker.lines()), 15), "no speaker")
                end(speaker)
            elif line.startswith("tutti say"):
                person.done(line)
                playing("Hall")
            elif line.startswith("tutti volume"):
                person.done(line)
            else:
                raise Failed(f"this case does not know the command: {line}")
        end(service)
    t.note(f"{len(lines_of_readme())} commands")
