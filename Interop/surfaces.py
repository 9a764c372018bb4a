"""A house with all its surfaces on one node, and a real client of each: curl, `tutti`, MPD's protocol, mosquitto_pub, playerctl.

The forms of the commands come from the program's own table (`tutti reference commands.json`), with the examples that it gives.
"""

import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.parse

from player import Failed, Skipped

PROGRAMS = ("curl", "mosquitto", "mosquitto_pub", "playerctl", "busctl", "dbus-daemon")
INPUT = "Radio"
WEB, MPD, MQTT = 8321, 6600, 1883
CLONE_NEWNET = 0x40000000
ZONE_OPTION = ("play", "pause", "toggle", "stop", "next", "previous", "seek", "queue", "sleep", "shuffle", "repeat", "alarm")
PLAYER = "org.mpris.MediaPlayer2"

SETTINGS = """[service]
name = "Surfaces"
database = "state"
clock-ports = [31900, 32000]

[library]
music = ["music"]

[rooms]
{rooms}
hidden = ["Room 1", "Room 2", "Room 3"]

[inputs]
pipes = ["{folder}/radio?name={input}"]

[web]
port = {web}
"""
OTHERS = """
[mpd]
enabled = true
port = {mpd}

[mqtt]
enabled = true
broker = "127.0.0.1"
port = {mqtt}

[mpris]
enabled = true
bus = "session"
"""


class Surfaces:
    """The service, a broker, a bus, and the clients.

    enter: the words before a command that bring it to the node.
    speaker: the address of the room; without one it is an output of this machine that nobody hears."""

    def __init__(self, program, folder, tracks, enter=(), network=None, with_surfaces=True, speaker=None):
        if missing := [name for name in PROGRAMS if not shutil.which(name)]:
            raise Skipped(f"no {', '.join(missing)}: apt-get install curl mosquitto mosquitto-clients playerctl dbus systemd")
        self.program, self.enter, self.network = program, list(enter), network
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        self.music = os.path.join(folder, "music")
        os.makedirs(self.music)
        for path in tracks:
            shutil.copy(path, self.music)
        self.settings = os.path.join(folder, "tutti.toml")
        # The path of a socket is short.
        self.bus_path = f"/tmp/tutti-surfaces-{os.getpid()}"
        with open(self.settings, "w") as file:
            text = SETTINGS + (OTHERS if with_surfaces else "")
            rooms = f'addresses = ["{speaker}"]' if speaker else 'outputs = ["null"]'
            file.write(text.format(web=WEB, mpd=MPD, mqtt=MQTT, folder=folder, input=INPUT, rooms=rooms))
        with open(os.path.join(folder, "broker.conf"), "w") as file:
            file.write(f"user root\nallow_anonymous true\nlistener {MQTT} 127.0.0.1\n")
        self.environment = {
            **os.environ, "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.bus_path}", "LC_ALL": "C.UTF-8", "HOME": folder,
        }
        self.processes, self.mpd_connection = [], None
        try:
            self._start("bus", "dbus-daemon", "--session", f"--address=unix:path={self.bus_path}", "--nofork", "--nopidfile")
            self.wait_until("the bus", lambda: os.path.exists(self.bus_path), 5)
            self._start("broker", "mosquitto", "-c", os.path.join(folder, "broker.conf"))
            self.wait_until("the broker", lambda: self._answers(MQTT), 5)
            self.service = self._start("service", program, "serve", "--config", self.settings)
            self.wait_until("the service", lambda: self._answers(WEB), 20)
            self.wait("the library", lambda house: house["library"]["tracks"] == len(tracks) and not house["library"]["isScanning"], 900)
            self.room = self.wait("the room", lambda house: next((room for room in house["rooms"] if room["isPresent"]), None))
        except BaseException:
            self.close()
            raise

    def _start(self, name, *command):
        with open(os.path.join(self.folder, name + ".log"), "ab") as log:
            process = subprocess.Popen(
                [*self.enter, *command], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment,
                cwd=self.folder, start_new_session=True)
        self.processes.append(process)
        return process

    def close(self):
        if self.mpd_connection:
            self.mpd_connection.close()
            self.mpd_connection = None
        for process in reversed(self.processes):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
                try:
                    process.wait(5)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait(5)
        if os.path.exists(self.bus_path):
            os.unlink(self.bus_path)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # Waiting

    def _answers(self, port):
        try:
            self.connect(port, 2).close()
            return True
        except OSError:
            return False

    def connect(self, port, within=10):
        """A connection to a port of the node; a socket belongs to the network in which it was made."""
        libc = ctypes.CDLL(None, use_errno=True)
        own = open("/proc/thread-self/ns/net")
        try:
            if self.network:
                with open(self.network) as other:
                    if libc.setns(other.fileno(), CLONE_NEWNET):
                        raise OSError(ctypes.get_errno(), "setns")
            made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        finally:
            if self.network and libc.setns(own.fileno(), CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")
            own.close()
        made.settimeout(within)
        try:
            made.connect(("127.0.0.1", port))
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError:
            made.close()
            raise
        return made

    def wait_until(self, what, check, within=8):
        end = time.monotonic() + within
        while not (found := check()):
            if time.monotonic() > end:
                raise Failed(f"{what}: not within {within} s")
            time.sleep(0.02)
        return found

    def wait(self, what, check, within=8):
        """The first true result of `check`, which takes the house's snapshot."""
        return self.wait_until(what, lambda: check(self.get("/house")), within)

    # Clients

    def run(self, *command, status=0, given=None):
        """The output of a program on the node; `status` is the wanted one, `None` for any."""
        done = subprocess.run(
            [*self.enter, *command], capture_output=True, timeout=20, env=self.environment, cwd=self.folder,
            input=given if given is not None else b"")
        text = (done.stdout + done.stderr).decode(errors="replace").strip()
        if status is not None and done.returncode != status:
            raise Failed(f"{' '.join(command)}: status {done.returncode}, {text[-300:]}")
        return text

    def api(self, method, path, body=None):
        """The JSON of an answer of the HTTP interface, by curl."""
        data = [] if body is None else ["-H", "Content-Type: application/json", "-d", body if isinstance(body, str) else json.dumps(body)]
        text = self.run("curl", "-sS", "--max-time", "20", "-X", method, *data, f"http://127.0.0.1:{WEB}/api/v1{path}")
        answer = json.loads(text) if text else {}
        if "detail" in answer:
            raise Failed(f"{method} {path}: {answer['detail']}")
        return answer

    def get(self, path):
        # Not by curl: tests ask often.
        connection = self.connect(WEB)
        try:
            connection.sendall(f"GET /api/v1{path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
            data = b""
            while part := connection.recv(1 << 16):
                data += part
        finally:
            connection.close()
        return json.loads(data.partition(b"\r\n\r\n")[2])

    def tutti(self, *words, status=0, given=None):
        return self.run(self.program, *words, "--config", self.settings, status=status, given=given)

    def mpd(self, line):
        """The lines of MPD's answer."""
        if self.mpd_connection is None:
            self.mpd_connection = self.connect(MPD)
            self.mpd_file = self.mpd_connection.makefile("rb")
            self.mpd_file.readline()
        self.mpd_connection.sendall(line.encode() + b"\n")
        lines = []
        while not lines or not (lines[-1] == "OK" or lines[-1].startswith("ACK ")):
            lines.append(self.mpd_file.readline().decode().rstrip("\n"))
            if not lines[-1]:
                raise Failed(f"{line}: the connection ended")
        if lines[-1] != "OK":
            raise Failed(f"{line}: {lines[-1]}")
        return lines

    def publish(self, topic, payload=None):
        words = ["-n"] if payload is None else ["-m", payload]
        self.run("mosquitto_pub", "-p", str(MQTT), "-q", "1", "-t", f"tutti/surfaces/{topic}", *words)

    def player(self, *words):
        self.run("playerctl", "-p", "tutti.zone1", *words)

    def bus(self, *words):
        name, path = f"{PLAYER}.tutti.zone1", "/org/mpris/MediaPlayer2"
        verb, *rest = words
        self.run("busctl", "--user", verb, name, path, *rest)

    # The house

    def zone(self, number=1):
        return next((zone for zone in self.get("/house")["zones"] if zone["id"] == number), None)

    def entries(self, zone=1):
        return self.get(f"/zones/{zone}/queue?count=1000")["entries"]

    def table(self):
        return json.loads(self.run(self.program, "reference", "commands.json"))


class Sender:
    """Sends the forms of the table. `names` has what its words stand for: room, zone, to, file, ids, level."""

    def __init__(self, surfaces):
        self.surfaces = surfaces
        self.names = {}

    def send(self, column, form):
        getattr(self, column)(form)

    def _ids(self, text):
        for number in self.names.get("ids", ()):
            text = text.replace("ID", str(number), 1)
        return text

    def http(self, form):
        method, path, *body = form.split(" ", 2)
        for key in ("zone", "room", "entry", "announcement", "alarm"):
            path = path.replace(f"{{{key}}}", urllib.parse.quote(str(self.names.get(key, "")), safe=""))
        data = self._ids(body[0].replace("FILE", self.names["file"]).replace("INPUT", INPUT)) if body else None
        self.surfaces.api(method, path, data)

    def shell(self, form):
        first = form.split(" ")[0]
        stands = {"ZONE": self.names["zone name"], "TO": "Other", "ROOM": self.names["room name"], "FILE": self.names["file"], "INPUT": INPUT}
        words = [stands.get(word, word) for word in self._ids(form).split(" ")]
        if first in ZONE_OPTION and not (first == "alarm" and "add" not in words) or form == "volume 35":
            words += ["--zone", self.names["zone name"]]
        if form == "room password ROOM":
            self.surfaces.tutti(*words, given=b"4711\n")
        else:
            self.surfaces.tutti(*words)

    def mpd(self, form):
        words = self._ids(form).replace("FILE", os.path.basename(self.names["file"])).replace("ZONE", self.names["zone name"])
        self.surfaces.mpd(words)

    def mqtt(self, form):
        topic, separator, payload = form.partition("=")
        kind = topic.split("/")[0]
        level = {"zone": self.names["zone"], "room": self.names["level"], "alarm": self.names.get("alarm")}.get(kind)
        topic = topic.replace("+", str(level))
        self.surfaces.publish(topic, self._ids(payload).replace("FILE", self.names["file"]).replace("INPUT", INPUT) if separator else None)

    def mpris(self, form):
        surfaces, player = self.surfaces, f"{PLAYER}.Player"
        simple = {
            "Play": ["play"], "Pause": ["pause"], "PlayPause": ["play-pause"], "Stop": ["stop"], "Next": ["next"],
            "Previous": ["previous"], "SetPosition": ["position", "30"], "Seek": ["position", "10+"], "Shuffle": ["shuffle", "On"],
            "LoopStatus": ["loop", "Playlist"], "Volume": ["volume", "0.35"], "OpenUri": ["open", "file://" + self.names["file"]],
        }
        if form in simple:
            surfaces.player(*simple[form])
        elif form == "Rate":
            surfaces.bus("set-property", player, "Rate", "d", "1.5")
        else:
            surfaces.bus("call", f"{PLAYER}.TrackList", form, "o", f"/tutti/entry/{self.names['ids'][0]}")
