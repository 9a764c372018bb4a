"""The commands that control a house from the shell, and their completion in real shells."""

import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import termios
import time

from cases import case, expect
from cases.house import album, expect_whole
from house import PORT, House
from lab import Receivers
from player import Failed, Skipped
from stage import Command

TWO_MACHINES = Receivers(1, senders=2)
USAGE, NOT_FOUND, NO_SERVICE, REFUSED, UNKNOWN_USER = 2, 66, 69, 76, 77  # exit statuses
START = 0.060  # seconds from the start of a command to its end
NAMES = 0.100  # the same for a completion with names of the service
OWN = 0.015  # seconds beyond the loading of the program, where that alone takes longer than usual
AWKWARD = 'Bob\'s "den"'  # a zone's name


def settings(house):
    return os.path.join(house.folder, "tutti.toml")


def run(t, house, *words, status=0, node="s1", answer=None, **environment):
    """Runs `tutti` with these words for a house on this machine; returns its output."""
    return finish(t, [*words, "--config", settings(house)], status, node, answer, environment)


def finish(t, words, status, node="s1", answer=None, environment=None):
    program = t._run(Command, [t.program, *words], node=node, **(environment or {}))
    if answer is not None:
        program.send(answer)
    program.process.stdin.close()
    try:
        found = program.exit(10)
        errors = program.stderr()
        expect(found == status, f"{' '.join(words)}: status {found} instead of {status}: {errors[-300:]}")
        expect(status == 0 or errors.count("\n") == 1, f"{' '.join(words)}: not one line: {errors!r}")
        program.expect_clean()
        return "\n".join(program.lines()) if status == 0 else errors
    finally:
        program.close()


def zones(t, house):
    """The zones of `tutti status --json`, by name."""
    return {zone["name"]: zone for zone in json.loads(run(t, house, "status", "--json"))["zones"]}


@case("shell.commands-control-the-house", timeout=90)
def commands(t):
    """An album is queued, played in two rooms and heard whole, by commands alone; each command does what it says."""
    paths, finder = album(t, 3, 6)
    mark = t.lab.mark()
    house = House(t, paths)
    house.rooms(1, 2)
    house.wait("the album is in the library", lambda found: found["library"]["tracks"] == len(paths))
    names = [t.lab.name(room) for room in (1, 2)]
    run(t, house, "zone", "rename", "music", "Down")
    run(t, house, "room", names[0], "down")
    run(t, house, "room", names[1].upper(), "DO")
    run(t, house, "queue", "add", "album:noise", "--replace")
    house.wait_playing_in((1, 2))
    text = run(t, house, "status")
    expect("Down" in text and "Noise 1" in text and all(name in text for name in names), f"status: {text}")
    house.wait_stopped(1, within=40)
    for room in (1, 2):
        t.lab.settle(room)
        expect_whole(finder.hear(t.lab.heard(room, mark)), finder.source, t.lab.name(room))
    expect(run(t, house, "queue").count("Noise") == 6, "the queue has not three entries with title and album")
    run(t, house, "queue", "move", "3", "1")
    run(t, house, "queue", "remove", "noise 2")
    run(t, house, "queue", "save", "Kept")
    run(t, house, "queue", "clear")
    run(t, house, "queue", "add", os.path.join(house.music, os.path.basename(paths[1])), "playlist:kept")
    titles = re.findall(r"Noise \d", run(t, house, "queue"))
    expect(titles == ["Noise 2", "Noise 3", "Noise 1"], f"the queue: {titles}")
    run(t, house, "volume", "30")
    run(t, house, "volume", "down", "+5")
    run(t, house, "volume", names[1], "-10")
    rooms = {room["name"]: room.get("volume", 0) for room in house.get("/house")["rooms"]}
    expect(round(rooms[names[0]]) == 35 and round(rooms[names[1]]) == 25, f"volumes {rooms}")
    run(t, house, "shuffle", "on")
    run(t, house, "repeat", "all")
    run(t, house, "sleep", "30m")
    zone = zones(t, house)["Down"]
    expect(zone["shuffle"] and zone["repeatMode"] == "all" and 1700 < zone["sleep"]["at"] - time.time() <= 1800, f"{zone}")
    run(t, house, "sleep", "off")
    run(t, house, "shuffle", "off")
    run(t, house, "queue", "play", "2")
    house.wait_zone(1, "plays", lambda found: found["state"] == "playing")
    run(t, house, "seek", "0:03")
    run(t, house, "pause")
    zone = zones(t, house)["Down"]
    expect(zone["state"] == "paused" and 2.5 < zone["position"] < 5, f"after the seek: {zone}")
    run(t, house, "next")
    expect(zones(t, house)["Down"]["current"]["track"]["title"] == "Noise 1", "next went elsewhere")
    run(t, house, "play")
    run(t, house, "toggle")
    run(t, house, "zone", "new", AWKWARD, names[1])
    expect(zones(t, house)[AWKWARD]["rooms"] == house.rooms(2), "the room is not in the new zone")
    run(t, house, "zone", "transfer", "down", "bob")
    expect(zones(t, house)[AWKWARD]["length"] == 3, "the queue is not in the other zone")
    run(t, house, "room", "delay", names[1], "-20")
    run(t, house, "room", "password", names[1], answer="sesame")
    run(t, house, "room", names[1], "none")
    run(t, house, "zone", "remove", "bob")
    house.stop()
    expect("sesame" not in house.service.stderr(), "the log has the password")


@case("shell.errors-are-one-sentence", timeout=60)
def errors(t):
    """Wrong names, refusals and a missing service each give one sentence and a status of their own."""
    house = House(t, [])
    run(t, house, "zone", "new", "Kitchen")
    run(t, house, "zone", "new", "Kitchen left")
    for words, status, said in (
        (("pause", "--zone", "attic"), NOT_FOUND, "“Kitchen left”"),
        (("pause", "--zone", "kit"), USAGE, "“Kitchen” or “Kitchen left”"),
        (("play",), USAGE, "Which zone?"),
        (("seek", "1:99"), USAGE, "M:SS"),
        (("sleep", "30"), USAGE, "30m"),
        (("volume", "101"), USAGE, "0 to 100"),
        (("queue", "remove", "1", "-z", "kitchen"), NOT_FOUND, "empty"),
        (("queue", "add", "/etc/passwd", "-z", "kitchen"), REFUSED, "library"),
        (("zone", "new", "x" * 200), REFUSED, "100"),
    ):
        found = run(t, house, *words, status=status)
        expect(said in found, f"{words}: {found}")
    house.stop()
    found = run(t, house, "status", status=NO_SERVICE)
    expect("tutti serve --music" in found, f"without a service: {found}")
    found = finish(t, ["status", "--host", "10.77.0.250"], NO_SERVICE)
    expect("10.77.0.250" in found, f"without a host: {found}")


@case("shell.watching-survives-a-restart", timeout=60)
def watch(t):
    """`tutti status --watch` tells of changes before and after the end of the service by a crash."""
    house = House(t, [])
    watching = [
        t._run(Command, [t.program, "status", "--watch", *words, "--config", settings(house)]) for words in ((), ("--json",))
    ]
    lines, events = watching
    events.wait("house", 10)
    run(t, house, "zone", "new", "First")
    events.wait("zone", 10, lambda event: event["data"]["name"] == "First")
    house.kill()
    events.wait("lost", 10)
    here = events.here()
    house.start()
    events.wait("house", 15, after=here)
    run(t, house, "zone", "new", "Second")
    events.wait("zone", 10, lambda event: event["data"]["name"] == "Second", after=here)
    end = time.monotonic() + 5
    while not any("Second" in line for line in lines.lines()) and time.monotonic() < end:
        time.sleep(0.05)
    text = "\n".join(lines.lines())
    expect("zone First: stopped" in text and "zone Second: stopped" in text, f"lines: {text}")
    expect(lines.stderr().count("The service is gone") == 1, f"told: {lines.stderr()}")
    for program in watching:
        os.kill(program.process.pid, signal.SIGTERM)
        program.exit(5)
        program.expect_clean()
    house.stop()


@case("shell.another-machine-needs-a-code-once", lab=TWO_MACHINES, timeout=60)
def other_machine(t):
    """A command on another machine is refused, let in by a code, and then known by its token, which no other user can read."""
    house = House(t, [])
    house.stop()
    with open(settings(house), "a") as file:
        file.write('\n[web]\naddresses = ["*"]\n')
    house.start()
    host = t.lab.address("s1")
    found = finish(t, ["status", "--host", host], UNKNOWN_USER, "s2")
    expect("tutti serve --code" in found, f"without a code: {found}")
    code = run(t, house, "serve", "--code").split()[0]
    wrong = "000000" if code != "000000" else "000001"
    finish(t, ["status", "--host", host, "--code", wrong], UNKNOWN_USER, "s2")
    time.sleep(1.2)  # the service's pause after a wrong code
    expect("Music" in finish(t, ["status", "--host", f"{host}:{PORT}", "--code", code], 0, "s2"), "the code does not let in")
    finish(t, ["zone", "new", "Far"], 0, "s2", environment={"TUTTI_HOST": host})
    expect("Far" in zones(t, house), "the command had no effect")
    tokens = os.path.join(t.folder, "state", "tutti", "tokens")
    (name,) = os.listdir(tokens)
    path = os.path.join(tokens, name)
    mode = os.stat(path).st_mode & 0o777
    expect(mode == 0o600, f"the token's file has mode {mode:o}")
    with open(path) as file:
        token = file.read().strip()
    expect(token not in house.service.stderr(), "the log has the token")
    socket = os.stat(os.path.join(house.folder, "state", "control.sock"))
    expect(socket.st_mode & 0o007 == 0, f"the socket has mode {socket.st_mode & 0o777:o}")
    house.stop()


class Shell:
    """An interactive shell on a terminal of its own."""

    ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[()][A-Z0-9]|\x1b[=>]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)|[\x0f\r]")
    STARTS = {
        "bash": (["--norc", "-i"], "source <(tutti completions bash); show() { printf '<%s>' \"$@\"; echo; }"),
        "zsh": (
            ["-f", "-i"],
            "autoload -Uz compinit; compinit -u -D; source <(tutti completions zsh); show() { printf '<%s>' \"$@\"; echo; }",
        ),
        "fish": (["--no-config", "-i"], "tutti completions fish | source; function show; printf '<%s>' $argv; echo; end"),
    }

    def __init__(self, t, name, **environment):
        self.name, path = name, shutil.which(name)
        if path is None:
            raise Skipped(f"no {name}: apt-get install zsh fish")
        home = os.path.join(t.folder, "home")
        os.makedirs(os.path.join(home, "bin"), exist_ok=True)
        link = os.path.join(home, "bin", "tutti")
        if not os.path.lexists(link):
            os.symlink(t.program, link)
        options, start = self.STARTS[name]
        self.terminal, far = pty.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        variables = {"HOME": home, "PATH": os.path.dirname(link) + ":" + os.environ["PATH"], "TERM": "xterm", "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(
            [path, *options], stdin=far, stdout=far, stderr=far, start_new_session=True, cwd=home,
            env={**os.environ, **variables, **environment},
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(far)
        self.type(start + "; echo rea''dy\r", "ready")

    def type(self, keys, until, within=15):
        """Types keys and returns what is shown, up to and with a text."""
        os.write(self.terminal, keys.encode())
        shown, end = "", time.monotonic() + within
        while until not in shown:
            readable, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            if not readable:
                raise Failed(f"{self.name} shows no {until!r} after {keys!r}, but {shown[-300:]!r}")
            shown += self.ESCAPES.sub("", os.read(self.terminal, 65536).decode(errors="replace"))
        return shown

    def completed(self, line):
        """The words that the shell passes to a program after this line and a Tab."""
        os.write(self.terminal, (line + "\t").encode())
        time.sleep(0.5)  # the shell shows nothing at the end of a completion
        shown = self.type("\x01show \x05 END\r", "<END>")
        self.type("echo rea''dy\r", "ready")
        return re.findall(r"<([^>]*)>", shown)[:-1]

    def close(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait(5)
        os.close(self.terminal)


LINES = (
    ("tutti pau", ["tutti", "pause"]),
    ("tutti queue cl", ["tutti", "queue", "clear"]),
    ("tutti seek 1:23 --zo", ["tutti", "seek", "1:23", "--zone"]),
    ("tutti pause --zone mus", ["tutti", "pause", "--zone", "Music"]),
    ("tutti pause --zone bo", ["tutti", "pause", "--zone", AWKWARD]),
    ('tutti pause --zone "bo', ["tutti", "pause", "--zone", AWKWARD]),
    ("tutti pause --zone 'bo", ["tutti", "pause", "--zone", AWKWARD]),
    ("tutti pause --zone=mus", ["tutti", "pause", "--zone=Music"]),
    ("tutti zone remove Kitchen:", ["tutti", "zone", "remove", "Kitchen: left"]),
    ('tutti zone remove "Kitchen: ', ["tutti", "zone", "remove", "Kitchen: left"]),
    ("tutti volume köl", ["tutti", "volume", "Köln $HOME"]),
    ("tutti queue remove -z mus Song", ["tutti", "queue", "remove", "-z", "mus", "Song; it's"]),
)


@case("shell.names-complete-in-real-shells", timeout=120)
def completion(t):
    """Commands, options and names with blanks, quotes, colons and dollar signs complete in bash, zsh and fish."""
    source = t.sounds.noise("noise-20", 20, seed=1)
    path = t.sounds.encoded("shell-song.flac", source, title="Song; it's", artist="Tutti Tests")
    house = House(t, [path])
    for name in (AWKWARD, "Kitchen: left", "Köln $HOME"):
        run(t, house, "zone", "new", name)
    run(t, house, "queue", "add", os.path.join(house.music, "shell-song.flac"), "--zone", "music")
    missing = []
    for name in Shell.STARTS:
        try:
            shell = Shell(t, name, TUTTI_HOST=os.path.join(house.folder, "state", "control.sock"))
        except Skipped as error:
            missing.append(str(error))
            continue
        try:
            for line, expected in LINES:
                # A busy machine may need longer than a person waits for names.
                for _ in range(3):
                    found = shell.completed(line)
                    if found == expected:
                        break
                expect(found == expected, f"{name}: {line} becomes {found}")
        finally:
            shell.close()
    house.stop()
    if missing:
        raise Skipped("; ".join(missing))


@case("shell.commands-start-fast", timeout=60, alone=True)
def fast(t):
    """A command takes 60 ms with its request, and a completion with names 100 ms, also where no service runs."""
    house = House(t, [])
    host = {**os.environ, "TUTTI_HOST": os.path.join(house.folder, "state", "control.sock")}

    def seconds(*words):
        times = []
        for _ in range(15):
            began = time.perf_counter()
            subprocess.run([t.program, *words], env=host, capture_output=True, timeout=10)
            times.append(time.perf_counter() - began)
        return min(times)  # the rest is what else runs on the machine

    bare, status = seconds("--version"), seconds("status")
    names = seconds("complete", "fish", "--", "pause", "--zone", "")
    house.stop()
    without = seconds("complete", "fish", "--", "pause", "--zone", "")
    t.note(f"--version {bare * 1e3:.0f} ms, status {status * 1e3:.0f}, names {names * 1e3:.0f}, no service {without * 1e3:.0f}")
    expect(status <= max(START, bare + OWN), f"tutti status takes {status * 1e3:.0f} ms, tutti --version {bare * 1e3:.0f}")
    expect(max(names, without) <= max(NAMES, bare + OWN), f"names take {names * 1e3:.0f} ms, without a service {without * 1e3:.0f}")
