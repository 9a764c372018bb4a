"""What a person at a terminal sees: the display of a play, prompts, colours, and Ctrl-C."""

import os
import shlex
import shutil
import subprocess
import time

import terminals
from cases import OURS, PASSWORD, case, expect
from cases.live import endpoint, own_speaker
from player import Failed, Skipped
from stage import Command

INTERRUPTED, NO_ACCESS = 130, 77
SIZE = (96, 14)


class Screen:
    """A terminal of tmux in the sender's network, with a shell's prompt `$ `."""

    def __init__(self, t, size=SIZE, **environment):
        if not shutil.which("tmux"):
            raise Skipped("there is no tmux")
        self.t, self.socket = t, os.path.join(t.folder, "tmux")
        shell = ["env", "-u", "NO_COLOR", "PS1=$ ", "TERM=tmux-256color", *(f"{key}={value}" for key, value in environment.items())]
        words = ["new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), *shell, "bash", "--norc", "--noprofile"]
        self.tmux("set-option", "-g", "default-terminal", "tmux-256color", ";", *words)

    def tmux(self, *words):
        command = self.t.lab.sender_command("tmux", "-S", self.socket, "-f", "/dev/null", *words)
        return subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout

    def text(self, colours=False):
        return self.tmux("capture-pane", "-p", *(["-e"] if colours else []))

    def type(self, line):
        self.tmux("send-keys", "-l", line)
        self.tmux("send-keys", "Enter")

    def key(self, name):
        self.tmux("send-keys", name)

    def wait(self, *words, within=10):
        """Waits until all words are on the screen; returns its text."""
        end = time.monotonic() + within
        while not all(word in (text := self.text()) for word in words):
            if time.monotonic() > end:
                raise Failed(f"the terminal does not show {words}:\n{text.strip()}")
            time.sleep(0.1)
        return text

    def close(self):
        self.tmux("kill-server")


def song(t, seconds=40):
    path = t.sounds.noise(f"noise-{seconds}", seconds, seed=8)
    return t.sounds.encoded(f"evening-{seconds}.flac", path, title="Evening Song", artist="The Rooms")


@case("terminal.play", lab=OURS, timeout=90)
def play(t):
    """The display of a play in two rooms: title, bar with what the rooms hold, each room's depth; keys; status 130 after Ctrl-C."""
    rooms = [own_speaker(t, name, port)[0] for name, port in (("Kitchen", 7101), ("Living Room", 7102))]
    path = song(t, 180)
    screen = Screen(t)
    try:
        names = '--to Kitchen --to "Living Room"'
        screen.type(f"clear; {shlex.quote(t.program)} play {shlex.quote(path)} {names}; echo status $?")
        text = screen.wait("The Rooms – Evening Song", "0:12 / 3:00", within=40)
        expect(text.count(" s ahead") == 2, f"not two rooms:\n{text}")
        if folder := os.environ.get("TUTTI_PICTURES"):
            prompt = '$ tutti play song.flac --to Kitchen --to "Living Room"\n'
            terminals.picture(prompt + screen.text(colours=True), os.path.join(folder, "terminal-play.png"))
        expect("\x1b[36m━" in screen.text(colours=True), f"no coloured bar:\n{screen.text(colours=True)}")
        screen.key("Space")
        screen.wait("⏸")
        screen.key("Space")
        screen.wait("▶")
        screen.key("C-c")
        screen.wait(f"status {INTERRUPTED}")
    finally:
        screen.close()
    for room in rooms:
        room.close()


@case("terminal.quiet-dumb-verbose", lab=OURS, timeout=90)
def looks(t):
    """TERM=dumb has no escape sequences, NO_COLOR no colours, -q nothing at all, -v a line for each event."""
    own_speaker(t, "Kitchen", 7101)
    path = song(t, 3)
    program = f"{shlex.quote(t.program)} play {shlex.quote(path)} --to {endpoint(t, 7101)}"
    heard = os.path.join(t.folder, "typescript")
    screen = Screen(t)
    try:
        for before, options, absent, present in (
            ("TERM=dumb", "", ["\x1b"], ["to 1"]),
            ("NO_COLOR=1", "", ["\x1b[36m", "\x1b[33m"], ["\x1b[J", "┈"]),
            ("", "--color never", ["\x1b[36m", "\x1b[33m"], ["\x1b[J"]),
            ("", "-q", ["Evening", "ahead", "\x1b[J"], []),
            ("", "-v", [], ["heard after", "clock of", "\x1b[36m"]),
        ):
            screen.type(f"clear; {before} script -qec '{before} {program} {options}' {heard} >/dev/null; echo status $?")
            screen.wait("status 0", within=20)
            with open(heard, errors="replace") as file:
                body = "".join(line for line in file if not line.startswith("Script "))
            for word in absent:
                expect(word not in body, f"{before} {options}: {word!r} is in {body[:600]!r}")
            for word in present:
                expect(word in body, f"{before} {options}: {word!r} is not in {body[:600]!r}")
    finally:
        screen.close()


@case("terminal.password-prompt", lab=OURS, timeout=90)
def prompt(t):
    """A speaker with a password: a person is asked, and the word is not shown; nothing typed is status 77."""
    word = os.path.join(t.folder, "word")
    with open(word, "w") as file:
        file.write(PASSWORD + "\n")
    os.chmod(word, 0o600)
    output = t.place("locked.wav")
    speaker = t._run(
        Command, [t.program, "speaker", "--name", "Locked", "--port", "7103", "--output", f"wave:{output}", "--password-file", word, "--json"])
    speaker.wait("started", 15)
    path = song(t, 3)
    screen = Screen(t)
    try:
        command = f"{shlex.quote(t.program)} play {shlex.quote(path)} --to Locked; echo status $?"
        screen.type(f"clear; {command}")
        screen.wait("Password of Locked:", within=15)
        screen.type(PASSWORD)
        expect(PASSWORD not in screen.wait("status 0", within=20), "the password is on the screen")
        speaker.wait("playing", 1)
        screen.type(f"clear; {command}")
        screen.wait("Password of Locked:", within=15)
        screen.key("Enter")
        screen.wait(f"status {NO_ACCESS}", "--password-file", within=20)
    finally:
        screen.close()


@case("terminal.first-run", lab=OURS, timeout=60)
def first_run(t):
    """`tutti` alone names the speakers; `info`, `doctor` and an unknown name have colours and statuses; completions have speakers."""
    own_speaker(t, "Kitchen", 7101)
    screen = Screen(t, size=(110, 40))
    try:
        screen.type(f"clear; {shlex.quote(t.program)}")
        screen.wait("speakers answer here:", "Kitchen", "tutti play song.flac --to Kitchen", within=15)
        # A look ends after two seconds; on a busy machine the speaker's answer may miss it, and the next look has it.
        screen.type(f"clear; until {shlex.quote(t.program)} complete zsh -- play --to '' | grep Kitchen; do :; done")
        screen.wait("Tutti1,1", within=20)
        screen.type(f"clear; {shlex.quote(t.program)} doctor Kitchen --silent </dev/null; echo status $?")
        screen.wait("status 0", "accepted everything", within=40)
        expect("\x1b[32mok" in screen.text(colours=True), "no green marks")
        screen.type(f"clear; {shlex.quote(t.program)} info Nobody; echo status $?")
        screen.wait("status 66", "no speaker is called", within=15)
    finally:
        screen.close()
