"""`tutti serve` on a sender's node, and its HTTP interface as a program on that node sees it."""

import ctypes
import http.client
import json
import os
import shutil
import signal
import socket
import threading
import time
import urllib.parse

from player import Failed
from stage import Command

HOST, PORT = "127.0.0.1", 8321
API = "/api/v1"
CLONE_NEWNET = 0x40000000

SETTINGS = """[service]
name = "House under test"
database = "state"
log = "info"

[library]
music = ["music"]
"""


class Network:
    """The network of a node, for this process. A socket belongs to the network in which it was made."""

    def __init__(self, lab, node="s1"):
        self.path = os.path.join("/run/netns", lab.namespace(node))
        self.libc = ctypes.CDLL(None, use_errno=True)

    def _enter(self, file):
        if self.libc.setns(file.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")

    def connect(self, within):
        """A connection to the service; the calling thread is in the node's network only for the making of the socket."""
        with open("/proc/thread-self/ns/net") as own, open(self.path) as other:
            self._enter(other)
            try:
                made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            finally:
                self._enter(own)
        try:
            made.settimeout(within)
            made.connect((HOST, PORT))
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError:
            made.close()
            raise
        return made


class Connection(http.client.HTTPConnection):
    """A connection for several requests."""

    def __init__(self, network, within=10):
        super().__init__(HOST, PORT)
        self.network, self.within = network, within

    def connect(self):
        self.sock = self.network.connect(self.within)

    def ask(self, method, path, body=None, headers=()):
        """The status and the text of the answer."""
        text = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        fields = {"Content-Type": "application/json"} if text is not None else {}
        self.request(method, path, text, {**fields, **dict(headers)})
        answer = self.getresponse()
        return answer.status, answer.read()


class House:
    """One `tutti serve`, whose folder of settings, state and music stays for its next start."""

    def __init__(self, t, tracks=(), albums=None, prepare=lambda house: None, **environment):
        """The music: `tracks` are paths of files, `albums` those of further folders by name. `prepare` is called before the start."""
        self.t, self.environment = t, environment
        self.folder = os.path.join(t.folder, "house")
        shutil.rmtree(self.folder, ignore_errors=True)
        self.music, self.state = (os.path.join(self.folder, name) for name in ("music", "state"))
        for name, paths in {"": tracks, **(albums or {})}.items():
            os.makedirs(os.path.join(self.music, name), exist_ok=True)
            for path in paths:
                shutil.copy(path, os.path.join(self.music, name))
        with open(os.path.join(self.folder, "tutti.toml"), "w") as file:
            file.write(SETTINGS)
        self.network = Network(t.lab)
        self.service = None
        prepare(self)
        self.start()

    # Its life

    def start(self, within=20):
        """Starts the service and returns when it answers; the result is the time of its start, monotonic seconds."""
        settings = os.path.join(self.folder, "tutti.toml")
        started = time.monotonic()
        self.service = self.t._run(Command, [self.t.program, "serve", "--config", settings], **self.environment)
        while True:
            try:
                self.get("/about")
                return started
            except (OSError, http.client.HTTPException) as error:
                if self.service.poll() is not None:
                    raise Failed(f"the service ended: {self.service.stderr()[-500:]}") from error
                if time.monotonic() > started + within:
                    raise Failed(f"the service does not answer within {within} s: {error}") from error
            time.sleep(0.01)

    def kill(self):
        """Ends the service as a crash would; the result is the time, monotonic seconds."""
        at = time.monotonic()
        os.killpg(self.service.process.pid, signal.SIGKILL)  # its own process group
        self.service.exit(5)
        return at

    def stop(self, within=8):
        """Ends the service as systemd does."""
        os.kill(self.service.process.pid, signal.SIGTERM)
        self.service.expect_exit(within)

    def memory(self):
        """The most memory that the service had so far, in bytes."""
        self.service.poll()
        return self.service.peak_kb * 1024

    # Its interface

    def connection(self, within=10):
        return Connection(self.network, within)

    def attempt(self, method, path, body=None, within=10):
        """The status and the JSON of an answer."""
        connection = self.connection(within)
        try:
            status, text = connection.ask(method, API + path, body)
        finally:
            connection.close()
        return status, json.loads(text) if text else None

    def request(self, method, path, body=None):
        """The JSON of an answer without an error."""
        status, value = self.attempt(method, path, body)
        if status != 200:
            raise Failed(f"{method} {path}: status {status}, {value}")
        return value

    def get(self, path):
        return self.request("GET", path)

    def post(self, path, body=None):
        return self.request("POST", path, body)

    def put(self, path, body):
        return self.request("PUT", path, body)

    # The house

    def wait(self, what, check, within=20):
        """The first true result of `check`, which takes the house's snapshot; `what` names it in a failure."""
        end = time.monotonic() + within
        while True:
            house = self.get("/house")
            found = check(house)
            if found:
                return found
            if time.monotonic() > end:
                shown = {key: house[key] for key in ("zones", "rooms", "troubles")}
                raise Failed(f"{what}: not within {within:g} s, but {json.dumps(shown)}")
            time.sleep(0.05)

    def wait_zone(self, zone, what, check, within=20):
        """The snapshot of a zone, as soon as `check` holds for it."""
        return self.wait(
            f"zone {zone} {what}",
            lambda house: next((found for found in house["zones"] if found["id"] == zone and check(found)), None),
            within,
        )

    def wait_position(self, zone, seconds, within=20):
        """The snapshot of a zone that has played so much of its current entry."""

        def reached(found):
            return found["state"] == "playing" and now(found) >= seconds

        return self.wait_zone(zone, f"has played {seconds} s", reached, within)

    def wait_stopped(self, zone, within=40):
        return self.wait_zone(zone, "has ended", lambda found: found["state"] == "stopped", within)

    def wait_playing_in(self, rooms, within=20):
        """Returns when all of these rooms are heard."""
        names = {self.t.lab.name(room) for room in rooms}
        self.wait(
            f"{sorted(names)} play",
            lambda house: names <= {room["name"] for room in house["rooms"] if room["state"] == "playing"},
            within,
        )

    def rooms(self, *rooms, within=20):
        """The ids of these rooms of the lab, once the search has found them."""
        names = [self.t.lab.name(room) for room in rooms]

        def found(house):
            there = {room["name"]: room["id"] for room in house["rooms"] if room["isPresent"]}
            return all(name in there for name in names) and [there[name] for name in names]

        return self.wait(f"rooms {names} are found", found, within)

    def assign(self, zone, *rooms):
        """Puts rooms of the lab into a zone; returns their ids."""
        ids = self.rooms(*rooms)
        for room in ids:
            self.move(room, zone)
        return ids

    def move(self, room, zone):
        self.put(f"/rooms/{urllib.parse.quote(room, safe='')}/zone", {"zone": zone})

    def add(self, zone, paths, place="replace"):
        """Adds files of the music, named as the given paths; returns the ids of their entries."""
        items = [{"location": os.path.join(self.music, os.path.basename(path))} for path in paths]
        return self.post(f"/zones/{zone}/queue", {"items": items, "place": place})["entries"]

    def wait_held(self, room, seconds, within=40):
        """Returns when a room of the lab holds so much sound."""
        name = self.t.lab.name(room)
        self.wait(
            f"{name} holds {seconds} s",
            lambda house: any(
                found["name"] == name and found.get("depth", {}).get("seconds", 0) >= seconds for found in house["rooms"]
            ),
            within,
        )


def now(zone):
    """The position of a zone that plays, at this moment: the service has the same clock."""
    return zone["position"] + (time.time() - zone["positionTime"]) * zone["rate"]


class Events:
    """A listener to the events of a house."""

    def __init__(self, house, after=None):
        self.all, self.changed, self.is_over = [], threading.Condition(), False
        self.connection = house.connection(within=60)
        headers = {"Accept": "text/event-stream", **({"Last-Event-ID": after} if after else {})}
        self.connection.request("GET", API + "/events", headers=headers)
        self.answer = self.connection.getresponse()
        if self.answer.status != 200:
            raise Failed(f"/events: status {self.answer.status}")
        threading.Thread(target=self._read, name="events", daemon=True).start()

    def _read(self):
        fields = {}
        try:
            while line := self.answer.readline():
                text = line.decode().rstrip("\r\n")
                if text:
                    name, _, value = text.partition(":")
                    fields[name] = value.removeprefix(" ")
                    continue
                if "event" in fields:
                    with self.changed:
                        self.all.append(fields)
                        self.changed.notify_all()
                fields = {}
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            pass  # closed by either side
        with self.changed:
            self.is_over = True
            self.changed.notify_all()

    def numbered(self):
        """The events with an id: all but those that a later one replaces."""
        with self.changed:
            return [event for event in self.all if "id" in event]

    def wait(self, what, check, within=10):
        """The first event for which `check` holds."""
        end = time.monotonic() + within
        with self.changed:
            while True:
                found = next((event for event in self.all if check(event)), None)
                if found:
                    return found
                left = end - time.monotonic()
                if left <= 0 or self.is_over:
                    raise Failed(f"no event {what}; the last of {len(self.all)}: {self.all[-2:]}")
                self.changed.wait(left)

    def close(self):
        try:
            self.connection.sock.shutdown(socket.SHUT_RDWR)
        except (OSError, AttributeError):
            pass  # closed already
        self.connection.close()
