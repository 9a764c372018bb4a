"""The receivers of a lab: their containers, when they are ready, their ends and their logs."""

import glob
import os
import shutil
import sys
from dataclasses import dataclass, replace

from . import scripts
from .machine import HERE, ROOT
from .nodes import Nodes
from .processes import LabError, alive, children, read_tail, run, start, until, write

# The name of shairport-sync on D-Bus.
SHAIRPORT = "org.gnome.ShairportSync"
LOGS = ("shairport-sync.log", "nqptp.log", "console.log", "speaker.log")


@dataclass(frozen=True)
class Receivers:
    """What a lab is made of. Equal ones can share a lab."""

    count: int
    backend: str = "pipe"  # of shairport-sync: pipe, or pa for one loudspeaker clock of all rooms
    protocol: str = "ap2"  # of shairport-sync: ap2 or ap1; "ap2,ap1" for one room each
    offset_step: int = 0  # seconds: the clock of room N is N times as much ahead
    record: tuple = ()  # pairs of a key and its value: a second AirPlay 1 record of each room, "Old Room 1", with these
    rate: int = 44100
    tolerance: float = 0  # seconds by which shairport-sync may be off before it corrects itself; 0 for its own default, 2 ms
    senders: int = 1
    name: str = "Room"
    passwords: tuple = ()  # pairs of a node and its password
    speaker: str = ""  # a `tutti` of this machine, whose speakers stand in the rooms instead of shairport-sync
    ppm: tuple = ()  # by how much the devices of those speakers run wrong
    arguments: tuple = ()  # further ones of each receiver

    def protocol_of(self, room):
        words = self.protocol.split(",")
        return words[min(room, len(words)) - 1]

    def with_program(self, program):
        """The same with this program in the rooms, if speakers of our own are in them."""
        return replace(self, speaker=program) if self.speaker else self


class ReceiverPrograms(Nodes):
    """The rooms' programs: shairport-sync and its servers, or speakers of our own."""

    def start_receiver(self, room, receivers):
        """Starts a room's receiver in a network that is there; does not wait for it."""
        node, offset = self.node(room), receivers.offset_step * room
        name, password = f"{receivers.name} {room}", dict(receivers.passwords).get(node, "")
        if receivers.speaker:
            ppm = receivers.ppm[room - 1] if room <= len(receivers.ppm) else 0
            script = scripts.speaker(receivers.speaker, name, ppm, password, receivers.arguments)
            outer = scripts.on_machine(self.file(node))
        else:
            configuration = scripts.shairport_configuration(node, name, receivers, receivers.protocol_of(room), password)
            write(self.file(room, "shairport-sync.conf"), configuration)
            write(self.file(room, "avahi.conf"), scripts.AVAHI)
            if receivers.record:
                write(self.file(room, "old.service"), scripts.raop_service(f"00000000000{room}@Old {name}", dict(receivers.record)))
            script = scripts.shairport(receivers.protocol_of(room), receivers.arguments)
            outer = self.outer_in_root(node)
            if receivers.backend == "pipe":
                self.tap(room, "audio")
        self.tap(room, "metadata")
        self.start_container(node, outer, script, self.inside(node), offset)

    def outer_in_root(self, node):
        return scripts.in_root(ROOT, node, self.file(node), self.file("pa"))

    def start_container(self, node, outer, script, network=(), offset=0):
        """Starts a script in mount, process, IPC, host name and, with an offset of clocks, time namespaces of its own."""
        write(self.file(node, "outer.sh"), outer)
        write(self.file(node, "init.sh"), script)
        time = ["--time", "--monotonic", str(offset), "--boottime", str(offset)] if offset else []
        unshare = ["unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child", *time]
        start([*network, *unshare, "/bin/bash", self.file(node, "outer.sh")], self.file(node, "pid"), self.file(node, "console.log"))

    def tap(self, room, name):
        """Keeps the bytes of a pipe of the room's receiver, with their times."""
        pipe = self.file(room, name)
        os.mkfifo(pipe)
        command = [sys.executable, os.path.join(HERE, "tap.py"), pipe, pipe + ".raw"]
        start(command, pipe + ".tap.pid", pipe + ".tap.log")

    def init_of(self, node):
        """The id, as this machine numbers it, of the first process inside a container."""
        pid = alive(self.file(node, "pid"))
        inside = children(pid) if pid else []
        if not inside:
            raise LabError(f"{node} is not running: is the lab up?")
        return inside[0]

    def enter(self, place, *command):
        """A command of the lab's root in all namespaces of a node, as words."""
        return ["nsenter", "-t", str(self.init_of(self.node(place))), "-m", "-p", "-i", "-u", "-n", "-T", "-r", "-w", *command]

    def pid(self, room):
        """One of our speakers, as this machine numbers it: the child of its container's shell."""
        return children(self.init_of(self.node(room)))[0]

    # Readiness

    def listens(self, room):
        """Whether a process is bound to the AirPlay 2 or the AirPlay 1 port."""
        return run(self.inside(room, "ss", "-Hltn", "( sport = :7000 or sport = :5000 )")).strip()

    def wait_listening(self, room):
        if not until(lambda: self.listens(room), 20):
            said = [line for name in LOGS for line in read_tail(self.file(room, name), 5)]
            raise LabError(f"room {room} does not listen: " + "; ".join(said))

    def registrations(self, room):
        """How often the room's shairport-sync has told that its mDNS entries are in place."""
        return sum("successfully added" in line for line in read_tail(self.file(room, "shairport-sync.log")))

    def wait_registered(self, room, before, limit=15):
        """A receiver that gets a session before its mDNS entries are in place ends with an assertion; not ours."""
        if not self.is_ours and not until(lambda: self.registrations(room) > before, limit):
            raise LabError(f"room {room} did not register with mDNS")

    # What a case does with them

    def press(self, room, method):
        """A button of the room's shairport-sync: a method of its remote control on D-Bus."""
        self.bus(room, f"{SHAIRPORT}.RemoteControl.{method}")

    def has_remote_control(self, room):
        """Whether the room's shairport-sync says that its buttons reach the sender."""
        wanted = [f"string:{SHAIRPORT}.RemoteControl", "string:Available"]
        return "boolean true" in self.bus(room, "org.freedesktop.DBus.Properties.Get", *wanted)

    def bus(self, room, method, *arguments):
        """The answer of the room's shairport-sync to a call on D-Bus."""
        to = [f"--dest={SHAIRPORT}", "/" + SHAIRPORT.replace(".", "/"), method]
        return run(self.enter(room, "dbus-send", "--system", "--print-reply", *to, *arguments))

    def ended(self, room):
        """How often the room's receiver has ended, by itself or killed."""
        return len(read_tail(self.file(room, "ended"), 1000))

    def kill(self, room):
        """Ends the room's receiver as a crash would."""
        run(self.enter(room, "bash", "-c", 'kill -9 "$(cat /mnt/node/shairport-sync.pid)"'))
        if self.is_ours:  # the next run of the program begins a new file
            os.replace(self.file(room, "audio.wav"), self.file(room, "audio-before.wav"))

    def restart(self, room):
        """Starts a receiver that has ended."""
        write(self.file(room, "restart"), "")

    # Logs

    def log(self, room):
        """All that the room's shairport-sync has logged."""
        with open(self.file(room, "shairport-sync.log"), errors="replace") as file:
            return file.read()

    def logs(self, lines=8):
        """The last lines of the receivers' logs, for a failure's report."""
        text = []
        for room in range(1, self.rooms + 1):
            for name in sorted(LOGS):
                # nqptp says little that helps, and says it often.
                tail = read_tail(self.file(room, name), min(lines, 3) if name == "nqptp.log" else lines)
                if tail:
                    text += [f"--- {self.name(room)} {name}", *tail]
        return text

    def keep_logs(self, folder):
        """Copies the logs of the rooms and of their sound server to a folder that outlives the lab."""
        names = ("r*/*.log", "r*/speaker.json", "pa/*.log")
        for path in [path for name in names for path in glob.glob(os.path.join(self.state, name))]:
            room = os.path.basename(os.path.dirname(path))
            shutil.copy(path, os.path.join(folder, f"{room}-{os.path.basename(path)}"))
