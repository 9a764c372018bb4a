"""MPRIS: zones as media players on a session bus and on a system bus, with playerctl, busctl and gdbus, and clients that misbehave."""

import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import time

from cases import PIPE, case, expect
from house import House
from player import Failed, Skipped
from stage import Command

PREFIX = "org.mpris.MediaPlayer2."
ZONE = PREFIX + "tutti.zone1"
PATH = "/org/mpris/MediaPlayer2"
PLAYER = "org.mpris.MediaPlayer2.Player"
TRACK_LIST = "org.mpris.MediaPlayer2.TrackList"
PROPERTIES = "org.freedesktop.DBus.Properties"
POLICY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "packaging", "tutti.dbus.conf")
PROGRAMS = ("playerctl", "busctl", "gdbus", "dbus-run-session", "dbus-daemon", "setpriv")
MEMORY_GROWTH = 40e6  # bytes, by a flood
FLOOD = 30_000  # calls

# The rules of a system bus that matter here: who may own names and who may call is for the policies of services to say.
SYSTEM = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <auth>EXTERNAL</auth>
  <listen>unix:path={socket}</listen>
  <policy context="default">
    <allow user="*"/>
    <deny own="*"/>
    <deny send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus"/>
    <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Introspectable"/>
    <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Properties"/>
  </policy>
  <include>{policy}</include>
</busconfig>
"""


def mpris_case(name, timeout=60):
    return case(f"mpris.{name}", lab=PIPE, timeout=timeout)


class Bus:
    """A message bus of this case alone, and programs on it."""

    def __init__(self, t, kind="session"):
        for program in PROGRAMS:
            if not shutil.which(program):
                raise Skipped(f"no {program}: apt-get install playerctl dbus dbus-bin libglib2.0-bin")
        self.t, self.kind = t, kind
        # The path of a socket is short.
        self.folder = os.path.join("/tmp", f"tutti-mpris-{os.getpid()}-{len(t.players)}")
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder, mode=0o755)
        self.process = None
        self.start()

    def start(self):
        """Starts the bus, at the same address each time but for `dbus-run-session`'s."""
        address_file = os.path.join(self.folder, "address")
        if self.kind == "run-session":
            script = f'echo "$DBUS_SESSION_BUS_ADDRESS" > {address_file}.new; mv {address_file}.new {address_file}; exec cat'
            self.process = subprocess.Popen(["dbus-run-session", "--", "sh", "-c", script], stdin=subprocess.PIPE)
            self.address = self._read(address_file)
            return
        path = os.path.join(self.folder, "bus")
        if os.path.exists(path):
            os.unlink(path)
        self.address = f"unix:path={path}"
        if self.kind == "system":
            config = os.path.join(self.folder, "system.conf")
            with open(config, "w") as file:
                file.write(SYSTEM.format(socket=path, policy=os.path.abspath(POLICY)))
            how = [f"--config-file={config}"]
        else:
            how = ["--session", f"--address={self.address}"]
        self.process = subprocess.Popen(["dbus-daemon", *how, "--nofork", "--nopidfile"], stderr=subprocess.DEVNULL)
        end = time.monotonic() + 5
        while not os.path.exists(path):
            expect(time.monotonic() < end, "the bus does not start")
            time.sleep(0.02)

    @staticmethod
    def _read(path, within=5):
        end = time.monotonic() + within
        while not os.path.exists(path):
            expect(time.monotonic() < end, "dbus-run-session does not start")
            time.sleep(0.02)
        with open(path) as file:
            return file.read().strip()

    @property
    def environment(self):
        """The environment of programs on this bus."""
        name = "DBUS_SYSTEM_BUS_ADDRESS" if self.kind == "system" else "DBUS_SESSION_BUS_ADDRESS"
        return {name: self.address}

    def close(self):
        if self.process:
            if self.process.stdin:
                self.process.stdin.close()
            else:
                self.process.kill()
            self.process.wait(10)
            self.process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    # Programs

    def run(self, *command, status=0, user=()):
        """The output of a program on this bus; `status` is the wanted one, `None` for any."""
        environment = {**os.environ, **self.environment, "LC_ALL": "C.UTF-8"}
        done = subprocess.run([*user, *command], capture_output=True, text=True, timeout=20, env=environment)
        text = (done.stdout + done.stderr).strip()
        if status is not None and done.returncode != status:
            raise Failed(f"{' '.join(command)}: status {done.returncode}, {text[-300:]}")
        return text

    def playerctl(self, *words, player="tutti.zone1", **more):
        return self.run("playerctl", "-p", player, *words, **more)

    def call(self, method, *arguments, name=ZONE, path=PATH, **more):
        """A call by gdbus."""
        bus = "--system" if self.kind == "system" else "--session"
        return self.run("gdbus", "call", bus, "-d", name, "-o", path, "-m", method, *arguments, **more)

    def wait(self, what, check, within=10):
        """The first true result of `check`."""
        end = time.monotonic() + within
        while True:
            found = check()
            if found:
                return found
            if time.monotonic() > end:
                raise Failed(f"{what}: not within {within:g} s")
            time.sleep(0.05)

    def players(self):
        """The instances that playerctl lists."""
        return [line for line in self.run("playerctl", "-l", status=None).splitlines() if line.startswith("tutti")]

    def wait_players(self, *names, within=10):
        self.wait(f"players {names}", lambda: sorted(self.players()) == sorted(names), within)

    def wait_status(self, status, player="tutti.zone1", within=10):
        self.wait(f"status {status}", lambda: self.playerctl("status", player=player, status=None) == status, within)


def songs(t, count=3, seconds=30):
    """FLAC files with tags."""
    paths = []
    for number in range(1, count + 1):
        name = f"mpris-{seconds}s-{number}"
        source = t.sounds.noise(name, seconds, seed=300 + number)
        tags = ("-metadata", "album=Desk", "-metadata", f"track={number}")
        paths.append(t.sounds.encoded(f"{name}.flac", source, *tags, title=f"Song {number}", artist="Tutti Tests"))
    return paths


def serve(t, bus, paths, **more):
    """A house on the bus with a room that plays nowhere, and all songs in the queue of its zone."""
    kind = "system" if bus.kind == "system" else "session"
    house = House(t, paths, TUTTI_MPRIS_BUS=kind, TUTTI_ROOMS_OUTPUTS="null", **bus.environment, **more)
    house.wait("the songs are in the library", lambda found: found["library"]["tracks"] == len(paths))
    house.move("null", 1)
    if paths:
        house.add(1, paths)
        house.wait_zone(1, "plays", lambda zone: zone["state"] == "playing")
    return house


@mpris_case("playerctl-controls-a-zone", timeout=90)
def controls(t):
    """All buttons of playerctl, on a bus of dbus-run-session."""
    with Bus(t, "run-session") as bus:
        house = serve(t, bus, songs(t))
        bus.wait_players("tutti.zone1")
        bus.wait_status("Playing")
        facts = bus.playerctl("metadata", "--format", "{{playerName}}|{{title}}|{{artist}}|{{album}}|{{mpris:length}}")
        expect(facts == "tutti|Song 1|Tutti Tests|Desk|30000000", f"metadata {facts}")
        expect(bus.playerctl("metadata", "xesam:url").endswith("/mpris-30s-1.flac"), "no address of the file")
        bus.playerctl("pause")
        # The reply comes when the players show the effect.
        expect(bus.playerctl("status") == "Paused", "not paused when the reply came")
        bus.playerctl("play-pause")
        expect(bus.playerctl("status") == "Playing", "not playing when the reply came")
        bus.playerctl("next")
        expect(bus.playerctl("metadata", "title") == "Song 2", "not the next song")
        bus.playerctl("previous")
        expect(bus.playerctl("metadata", "title") == "Song 1", "not the song before")
        bus.playerctl("position", "20")
        position = float(bus.playerctl("position"))
        expect(19.9 <= position <= 22, f"position {position}")
        bus.playerctl("position", "5-")
        position = float(bus.playerctl("position"))
        expect(14.5 <= position <= 18, f"position {position} after a step back")
        for words, query, wanted in [
            (("volume", "0.4"), "volume", "0.400000"),
            (("volume", "0.1+"), "volume", "0.500000"),
            (("loop", "Track"), "loop", "Track"),
            (("loop", "Playlist"), "loop", "Playlist"),
            (("loop", "None"), "loop", "None"),
            (("shuffle", "On"), "shuffle", "On"),
            (("shuffle", "Off"), "shuffle", "Off"),
        ]:
            bus.playerctl(*words)
            found = bus.playerctl(query)
            expect(found == wanted, f"{' '.join(words)}: {found}")
        expect(house.get("/house")["zones"][0]["volume"] == 50, "the house has another volume")
        bus.playerctl("open", "file://" + os.path.join(house.music, "mpris-30s-3.flac"))
        expect(bus.playerctl("metadata", "title") == "Song 3", "the opened song does not play")
        refused = bus.playerctl("open", "ftp://example.org/a.mp3", status=None)
        expect("InvalidArgs" in refused or "kinds" in refused or "address" in refused.lower(), f"ftp: {refused}")
        bus.playerctl("stop")
        expect(bus.playerctl("status") == "Stopped", "not stopped")
        house.stop()
        bus.wait_players()


@mpris_case("changes-are-followed", timeout=60)
def follow(t):
    """`playerctl --follow` and `gdbus monitor` see each change once, and no positions."""
    with Bus(t) as bus:
        house = serve(t, bus, songs(t))
        bus.wait_status("Playing")
        environment = {**os.environ, **bus.environment}
        listener = subprocess.Popen(
            ["playerctl", "-p", "tutti.zone1", "--follow", "metadata", "--format", "{{status}} {{title}}"],
            stdout=subprocess.PIPE, text=True, env=environment,
        )
        monitor = subprocess.Popen(
            ["gdbus", "monitor", "--session", "-d", ZONE], stdout=subprocess.PIPE, text=True, env=environment
        )
        try:
            expect(listener.stdout.readline().strip() == "Playing Song 1", "not the first song")
            time.sleep(0.5)  # until the monitor listens
            bus.playerctl("next")
            expect(listener.stdout.readline().strip() == "Playing Song 2", "the next song was not told")
            bus.playerctl("pause")
            expect(listener.stdout.readline().strip() == "Paused Song 2", "the pause was not told")
            bus.playerctl("position", "10")
            time.sleep(1)
        finally:
            listener.kill()
            monitor.kill()
        told = monitor.stdout.read()
        listener.stdout.close()
        expect("'Position'" not in told, f"a position was told as a property: {told[-500:]}")
        expect(told.count("Seeked (int64 10000000") == 1, f"the jump was not told once: {told[-500:]}")
        expect(told.count("'PlaybackStatus'") == 1, f"the pause was not told once: {told[-500:]}")
        house.stop()


@mpris_case("introspection-and-properties", timeout=60)
def introspection(t):
    """gdbus and busctl understand the description, and every property has the declared type."""
    with Bus(t) as bus:
        house = serve(t, bus, songs(t))
        text = bus.run("gdbus", "introspect", "--session", "-d", ZONE, "-o", PATH)
        for part in (PLAYER, TRACK_LIST, "SetPosition(in  o TrackId", "readwrite d Volume"):
            expect(part in text, f"no {part} in {text[:500]}")
        tree = bus.run("busctl", f"--address={bus.address}", "tree", "--list", ZONE)
        expect(PATH in tree.split(), f"tree {tree}")
        # busctl compares each value with its declaration.
        listed = bus.run("busctl", f"--address={bus.address}", "introspect", ZONE, PATH)
        expect(re.search(r"\.PlaybackStatus +property +s +\"Playing\"", listed), f"busctl: {listed[-800:]}")
        listed = bus.call(f"{PROPERTIES}.Get", TRACK_LIST, "Tracks")
        ids = re.findall(r"'(/tutti/entry/\d+)'", listed)
        expect(len(ids) == 3, f"tracks {listed}")
        metadata = bus.call(f"{TRACK_LIST}.GetTracksMetadata", str(ids[1:]))
        expect("Song 2" in metadata and "Song 3" in metadata and "Song 1" not in metadata, f"metadata {metadata}")
        bus.call(f"{TRACK_LIST}.GoTo", ids[2])
        expect(bus.playerctl("metadata", "title") == "Song 3", "GoTo did not go")
        song = "file://" + os.path.join(house.music, "mpris-30s-1.flac")
        bus.call(f"{TRACK_LIST}.AddTrack", song, ids[0], "false")
        bus.call(f"{TRACK_LIST}.RemoveTrack", ids[1])
        # Desktops call the owner of the name.
        owner = re.search(r":[0-9.]+", bus.call("org.freedesktop.DBus.GetNameOwner", ZONE, name="org.freedesktop.DBus", path="/")).group()
        bus.call(f"{PLAYER}.PlayPause", name=owner)
        expect(bus.playerctl("status") == "Paused", "PlayPause of the owner did not pause")
        titles = [entry["track"]["title"] for entry in house.get("/zones/1/queue")["entries"]]
        expect(titles == ["Song 1", "Song 1", "Song 3"], f"queue {titles}")
        house.stop()


@mpris_case("zones-come-and-go", timeout=60)
def zones(t):
    """A zone is a player while it exists, under its present name; a second house has other names."""
    with Bus(t) as bus:
        house = serve(t, bus, songs(t))
        zone = house.post("/zones", {"name": "Bath"})["zone"]
        bus.wait_players("tutti.zone1", f"tutti.zone{zone}")
        name = f"{ZONE[:-1]}{zone}"

        def identity():
            return bus.call(f"{PROPERTIES}.Get", "org.mpris.MediaPlayer2", "Identity", name=name)

        expect("Bath" in identity(), f"identity {identity()}")
        house.request("PATCH", f"/zones/{zone}", {"name": "Küche"})
        bus.wait("the new name", lambda: "Küche" in identity())
        house.request("DELETE", f"/zones/{zone}")
        bus.wait_players("tutti.zone1")
        settings = os.path.join(house.folder, "second.toml")
        with open(settings, "w") as file:
            file.write('[service]\ndatabase = "second"\nclock-ports = [33190, 33200]\n[web]\nenabled = false\n[mpris]\nbus = "session"\n')
        second = t._run(Command, [t.program, "serve", "--config", settings], **bus.environment)
        instance = bus.wait("the second house", lambda: next((name for name in bus.players() if "instance" in name), None))
        expect(bus.playerctl("status", player=instance) == "Stopped", "the second house is not stopped")
        bus.playerctl("pause")
        expect(bus.playerctl("status") == "Paused", "the first house did not take the pause")
        os.kill(second.process.pid, signal.SIGTERM)
        second.expect_exit(8)
        bus.wait_players("tutti.zone1")
        house.stop()


@mpris_case("junk-is-refused", timeout=60)
def junk(t):
    """Calls that make no sense get the errors of D-Bus, and change nothing."""
    with Bus(t) as bus:
        house = serve(t, bus, songs(t))
        bus.wait_status("Playing")
        client = RawClient(bus.address)
        for error, method, *arguments in [
            ("UnknownMethod", f"{PLAYER}.Dance"),
            ("UnknownMethod", "org.example.Nothing.Next"),
            ("UnknownMethod", "org.freedesktop.DBus.Peer.Pong"),
            ("InvalidArgs", f"{PLAYER}.Next", "1"),
            ("InvalidArgs", f"{PLAYER}.Seek", "'far'"),
            ("InvalidArgs", f"{PROPERTIES}.Set", PLAYER, "Volume", "<'loud'>"),
            ("InvalidArgs", f"{PROPERTIES}.Set", PLAYER, "Rate", "<17.0>"),
            ("InvalidArgs", f"{PROPERTIES}.Set", PLAYER, "LoopStatus", "<'Sometimes'>"),
            ("PropertyReadOnly", f"{PROPERTIES}.Set", PLAYER, "Metadata", "<'none'>"),
            ("UnknownProperty", f"{PROPERTIES}.Get", PLAYER, "Colour"),
            ("UnknownInterface", f"{PROPERTIES}.GetAll", "org.example.Nothing"),
            ("InvalidArgs", f"{PLAYER}.OpenUri", "file:///etc/passwd"),
            ("InvalidArgs", f"{TRACK_LIST}.AddTrack", "file:///x", "/no/such/track", "true"),
        ]:
            interface, member = method.rsplit(".", 1)
            types, words = typed(arguments)
            # busctl does not look at the introspection before it calls, and shows the sentence alone.
            call = ["busctl", f"--address={bus.address}", "call", ZONE, PATH, interface, member]
            text = bus.run(*call, *([types, *words] if types else []), status=1)
            expect(text.startswith("Call failed: ") and len(text) < 300, f"{method} {arguments}: {text}")
            name = client.error_of(ZONE, interface, member, types, words)
            expect(error in name, f"{method} {arguments}: {name}")
        client.close()
        text = bus.call(f"{PLAYER}.Next", path="/somewhere", status=None)
        expect("UnknownObject" in text, f"another path: {text}")
        bus.call(f"{PLAYER}.SetPosition", "/tutti/entry/999999", "1")
        bus.call("org.freedesktop.DBus.Peer.Ping")
        expect(bus.playerctl("metadata", "title") == "Song 1", "another song plays")
        expect(bus.playerctl("status") == "Playing", "nothing plays")
        house.stop()


def typed(arguments):
    """The types and the words of arguments in GVariant's spelling, as `busctl call` takes them."""
    types, words = "", []
    for argument in arguments:
        variant = re.fullmatch(r"<(.*)>", argument)
        text = variant.group(1) if variant else argument
        if text in ("true", "false"):
            kind = "b"
        elif re.fullmatch(r"-?[0-9]+", text):
            kind = "x"
        elif re.fullmatch(r"-?[0-9]+\.[0-9]+", text):
            kind = "d"
        else:
            kind = "o" if text.startswith("/") else "s"
        types += "v" if variant else kind
        words += [kind] if variant else []
        words.append(text.strip("'"))
    return types, words


class RawClient:
    """A client that writes D-Bus's bytes by itself, and so may write many at once."""

    def __init__(self, address):
        path = re.search(r"unix:path=([^,]*)", address).group(1)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        self.socket.connect(path)
        self.serial, self.rest = 0, b""
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        expect(self.socket.recv(4096).startswith(b"OK"), "the bus refuses the client")
        self.socket.sendall(b"BEGIN\r\n" + self.message("org.freedesktop.DBus", "org.freedesktop.DBus", "Hello"))
        self.replies(1)

    def close(self):
        self.socket.close()

    @staticmethod
    def text(value):
        return struct.pack("<I", len(value.encode())) + value.encode() + b"\0"

    @staticmethod
    def padded(data, size):
        return data + b"\0" * (-len(data) % size)

    def body(self, types, values):
        data, values = b"", list(values)
        for kind in types:
            if kind == "v":
                kind, value = values.pop(0), values.pop(0)
                data += bytes([1]) + kind.encode() + b"\0"
            else:
                value = values.pop(0)
            if kind == "d":
                data = self.padded(data, 8) + struct.pack("<d", float(value))
            elif kind == "x":
                data = self.padded(data, 8) + struct.pack("<q", int(value))
            elif kind == "b":
                data = self.padded(data, 4) + struct.pack("<I", value == "true")
            else:
                data = self.padded(data, 4) + self.text(value)
        return data

    def message(self, name, interface, member, types="", values=(), path=PATH):
        self.serial += 1
        body, fields = self.body(types, values), b""
        for code, kind, value in ((1, b"o", path), (2, b"s", interface), (3, b"s", member), (6, b"s", name)):
            fields = self.padded(fields, 8) + bytes([code, 1]) + kind + b"\0" + self.text(value)
        if types:
            fields = self.padded(fields, 8) + bytes([8, 1]) + b"g\0" + bytes([len(types)]) + types.encode() + b"\0"
        head = b"l\1\0\1" + struct.pack("<III", len(body), self.serial, len(fields)) + fields
        return self.padded(head, 8) + body

    def replies(self, count):
        """The kinds and bytes of so many replies and errors."""
        found = []
        while len(found) < count:
            data = self.socket.recv(1 << 20)
            expect(data, "the bus hung up")
            self.rest += data
            place = 0
            while len(self.rest) - place >= 16:
                body, _, fields = struct.unpack_from("<III", self.rest, place + 4)
                size = 16 + (fields + 7) // 8 * 8 + body
                if len(self.rest) - place < size:
                    break
                if self.rest[place + 1] in (2, 3):
                    found.append((self.rest[place + 1], self.rest[place : place + size]))
                place += size
            self.rest = self.rest[place:]
        return found

    def error_of(self, name, interface, member, types, values):
        self.socket.sendall(self.message(name, interface, member, types, values))
        ((kind, data),) = self.replies(1)
        return data.decode("utf-8", "replace") if kind == 3 else "no error"

    def flood(self, count, window, *call):
        """Makes calls, `window` at a time; the result is the number of errors and of calls in a second."""
        began, errors = time.monotonic(), 0
        for _ in range(count // window):
            self.socket.sendall(b"".join(self.message(*call) for _ in range(window)))
            errors += sum(kind == 3 for kind, _ in self.replies(window))
        return errors, count / (time.monotonic() - began)


@mpris_case("a-flood-of-calls", timeout=120)
def flood(t):
    """Tens of thousands of calls cost no memory, and the house answers meanwhile."""
    with Bus(t) as bus:
        house = serve(t, bus, songs(t))
        bus.wait_status("Playing")
        client = RawClient(bus.address)
        asking = (ZONE, PROPERTIES, "GetAll", "s", [PLAYER])
        client.flood(2_000, 100, *asking)  # what is needed once
        before = resident(house)
        errors, rate = client.flood(FLOOD, 100, *asking)
        expect(errors == 0, f"{errors} of {FLOOD} questions were refused")
        t.note(f"{rate:.0f} GetAll a second")
        junk_errors, rate = client.flood(FLOOD, 100, ZONE, "org.example.Nothing", "Dance")
        expect(junk_errors == FLOOD, f"{FLOOD - junk_errors} calls of nothing succeeded")
        t.note(f"{rate:.0f} junk calls a second")
        # More than may wait: a slow house refuses some, and forgets none.
        volume = (ZONE, PROPERTIES, "Set", "ssv", [PLAYER, "Volume", "d", "0.25"])
        errors, rate = client.flood(FLOOD, 500, *volume)
        expect(errors < FLOOD, f"{errors} of {FLOOD} commands were refused")
        t.note(f"{rate:.0f} commands a second, {errors / FLOOD:.0%} refused")
        client.close()
        grown = resident(house) - before
        expect(grown < MEMORY_GROWTH, f"the service grew by {grown / 1e6:.0f} MB")
        t.note(f"grew by {grown / 1e6:.1f} MB")
        expect(bus.playerctl("volume") == "0.250000", "the last command was not carried out")
        expect(bus.playerctl("status") == "Playing", "nothing plays any more")
        house.stop()


def resident(house):
    """The memory of the service in bytes, now."""
    with open(f"/proc/{service_pid(house)}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def service_pid(house):
    """The process of the service: the last one of the commands that lead into the lab's network."""
    pid = house.service.process.pid
    while True:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            children = file.read().split()
        if not children:
            return pid
        pid = int(children[0])


@mpris_case("a-bus-that-dies-is-reached-again", timeout=60)
def reconnection(t):
    """Music plays on while the bus is gone, which is a trouble of the house, and the players come back with the bus."""
    with Bus(t) as bus:
        house = serve(t, bus, songs(t))
        bus.wait_status("Playing")
        bus.close()
        house.wait("the trouble", lambda found: any("session bus" in trouble["message"] for trouble in found["troubles"]))
        expect(house.get("/house")["zones"][0]["state"] == "playing", "the music stopped with the bus")
        bus.start()
        bus.wait_players("tutti.zone1", within=20)
        house.wait("the end of the trouble", lambda found: not found["troubles"])
        expect(bus.playerctl("status") == "Playing", "another status")
        house.stop()


@mpris_case("auto-does-without-a-bus", timeout=60)
def auto(t):
    """Without a session bus, the usual settings are no trouble."""
    house = House(t, [], TUTTI_ROOMS_OUTPUTS="null", DBUS_SESSION_BUS_ADDRESS="", XDG_RUNTIME_DIR="")
    time.sleep(1)
    expect(not house.get("/house")["troubles"], f"troubles {house.get('/house')['troubles']}")
    threads = sorted(os.listdir(f"/proc/{service_pid(house)}/task"))
    names = {open(f"/proc/{service_pid(house)}/task/{task}/comm").read().strip() for task in threads}
    expect("tutti-dbus" not in names, "a thread for a bus that is not there")
    house.stop()


@mpris_case("the-policy-of-the-system-bus", timeout=60)
def policy(t):
    """Everybody may see what plays; root and the group audio may control it, and nobody else."""
    with Bus(t, "system") as bus:
        house = serve(t, bus, songs(t))
        everybody = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")
        listener = ("setpriv", "--reuid", "65534", "--regid", "65534", "--groups", "audio")

        def call(user, method, *arguments):
            return bus.call(method, *arguments, user=user, status=None)

        bus.wait("the zone", lambda: "Song 1" in call((), f"{PROPERTIES}.GetAll", PLAYER))
        expect("Song 1" in call(everybody, f"{PROPERTIES}.Get", PLAYER, "Metadata"), "nobody sees what plays")
        for method, *arguments in [
            (f"{PLAYER}.Pause",), (f"{PROPERTIES}.Set", PLAYER, "Volume", "<1.0>"), (f"{PLAYER}.OpenUri", "file:///x"),
        ]:
            text = call(everybody, method, *arguments)
            expect("AccessDenied" in text, f"{method} by a stranger: {text}")
        expect(house.get("/house")["zones"][0]["state"] == "playing", "a stranger paused the music")
        text = call(listener, f"{PLAYER}.Pause")
        expect(text == "()", f"a member of the group audio may not pause: {text}")
        expect("Paused" in call((), f"{PROPERTIES}.Get", PLAYER, "PlaybackStatus"), "not paused")
        owning = bus.run(
            *everybody, "gdbus", "call", "--system", "-d", "org.freedesktop.DBus", "-o", "/", "-m",
            "org.freedesktop.DBus.RequestName", PREFIX + "tutti.zone9", "0", status=None,
        )
        expect("AccessDenied" in owning, f"a stranger may be a zone: {owning}")
        house.stop()


@mpris_case("tutti-play-is-a-player", timeout=60)
def play(t):
    """`tutti play` on a session bus, by the keys of a desktop."""
    paths = songs(t)
    with Bus(t) as bus:
        player = t._run(Command, [t.program, "play", *paths, "--output", "null", "--json"], **bus.environment)
        bus.wait_players("tutti")
        bus.wait_status("Playing", "tutti")
        bus.wait("the title", lambda: bus.playerctl("metadata", "title", player="tutti", status=None) == "Song 1")
        bus.playerctl("play-pause", player="tutti")
        bus.wait_status("Paused", "tutti")
        bus.playerctl("play", player="tutti")
        bus.wait_status("Playing", "tutti")
        bus.playerctl("next", player="tutti")
        bus.wait("the next title", lambda: bus.playerctl("metadata", "title", player="tutti") == "Song 2")
        bus.playerctl("position", "20", player="tutti")
        bus.wait("the position", lambda: 19.5 <= float(bus.playerctl("position", player="tutti")) <= 24)
        bus.playerctl("previous", player="tutti")
        player.send("quit")
        player.expect_exit(10)
        bus.wait_players()
