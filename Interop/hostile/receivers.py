"""Hostile receivers: `tutti play` and `tutti info` meet speakers that lie, drip, disconnect, bomb and flood."""

import plistlib
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import crypto
from attacks import attack, expect
from paired import bombs
from player import Failed
from sender import ERROR, PROOF, PUBLIC_KEY, SALT, STATE, read_tlv, tlv

PORT = 7100
AT_ONCE = 4  # programs at once, each with a hostile receiver
ADDRESS = "10.77.0.2"
FEATURES = 0x18340_405F_CA00
INFO = {
    "deviceID": "02:00:00:AA:00:FD", "features": FEATURES, "model": "Attack1,1", "name": "Hostile", "pi": "00000000-0000-0000-0000-00000000000a",
    "protocolVersion": "1.1", "sourceVersion": "366.0", "statusFlags": 4, "pk": bytes(32), "initialVolume": -20.0,
    "supportedFormats": {"bufferStream": 0xFFFFFFFF},
}  # fmt: skip


def reply(status, body=b"", kind="application/x-apple-binary-plist", length=None, headers=b""):
    head = f"RTSP/1.0 {status}\r\nServer: AirTunes/366.0\r\nContent-Type: {kind}\r\nContent-Length: {len(body) if length is None else length}\r\n"
    return head.encode() + headers


class Receiver:
    """A correct speaker except for the fault `way`; one thread a connection."""

    def __init__(self, network, way, port=PORT):
        self.network, self.way, self.open, self.sockets = network, way, True, []
        self.listener = network.listen(port)
        self.events = network.listen(0)
        self.data = network.listen(0)
        self.connections, self.requests = 0, []
        self.told = set()  # plaintext headers that locate a sender's remote control

    def __enter__(self):
        for listener, serve in ((self.listener, self.serve), (self.events, self.serve_events), (self.data, self.serve_data)):
            threading.Thread(target=self.accept, args=(listener, serve), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.open = False
        for one in (self.listener, self.events, self.data, *self.sockets):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()

    def accept(self, listener, serve):
        while self.open:
            try:
                made, _ = listener.accept()
            except OSError:
                return
            self.sockets.append(made)
            threading.Thread(target=self.guarded, args=(serve, made), daemon=True).start()

    @staticmethod
    def guarded(serve, made):
        try:
            serve(made)
        except (OSError, ValueError, KeyError):
            pass
        finally:
            made.close()

    # The control connection

    def serve(self, made):
        self.connections += 1
        channel, buffer, server = None, b"", crypto.SRPServer()
        while True:
            while b"\r\n\r\n" not in buffer:
                data = made.recv(1 << 16)
                if not data:
                    return
                buffer += channel.open(data) if channel else data
            head, _, buffer = buffer.partition(b"\r\n\r\n")
            lines = head.decode("latin-1").split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
            length = int(headers.get("content-length", 0))
            while len(buffer) < length:
                data = made.recv(1 << 16)
                if not data:
                    return
                buffer += channel.open(data) if channel else data
            body, buffer = buffer[:length], buffer[length:]
            method, path = lines[0].split()[:2]
            self.requests.append((method, path))
            if channel is None:
                self.told |= headers.keys() & {"dacp-id", "active-remote", "client-instance"}
            then = None
            if path == "/pair-setup":
                answer, then = self.pairing(server, body)
                made_answer = reply("200 OK", answer, "application/octet-stream")
            else:
                status, answer = self.answer(method, path, body)
                made_answer = reply(status, answer)
            whole = made_answer + f"CSeq: {headers.get('cseq', 0)}\r\n\r\n".encode() + answer
            for piece in self.way.pieces(self, method, path, whole):
                made.sendall(channel.seal(piece) if channel and not isinstance(piece, Raw) else bytes(piece))
            if then:
                channel, self.secret = crypto.Channel.control(then, is_sender=False), then
                self.way.after_pairing(self, made, channel)

    def pairing(self, server, body):
        fields = read_tlv(body)
        if fields.get(STATE) == b"\1":
            public = self.way.public_key or crypto._bytes(server.b)
            return tlv((STATE, b"\2"), (SALT, server.salt), (PUBLIC_KEY, public)), None
        if fields.get(STATE) == b"\3" and PUBLIC_KEY in fields:
            proof, key = server.answer(fields[PUBLIC_KEY])
            return tlv((STATE, b"\4"), (PROOF, bytes(64) if self.way.wrong_proof else proof)), key
        return tlv((STATE, b"\2"), (ERROR, b"\2")), None

    def answer(self, method, path, body):
        if custom := self.way.answer(self, method, path, body):
            return custom
        fields = {}
        if path.startswith("/info"):
            fields = INFO
        elif method == "SETUP":
            fields = {"eventPort": self.events.getsockname()[1], "timingPort": 0,
                      "timingPeerInfo": {"ID": ADDRESS, "Addresses": [ADDRESS], "ClockID": 99, "DeviceType": 0}}  # fmt: skip
            if b"streams" in body:
                fields = {"streams": [{"type": 103, "dataPort": self.data.getsockname()[1], "controlPort": 1, "audioBufferSize": 8 << 20, "streamID": 1}]}
        return "200 OK", plistlib.dumps(fields, fmt=plistlib.FMT_BINARY) if fields else b""

    def serve_events(self, made):
        self.way.events(self, made)

    def serve_data(self, made):
        while made.recv(1 << 16):
            pass


class Raw(bytes):
    """Bytes that are sent unchanged."""


class Way:
    """The faults of a receiver: by default none, except that it follows no clock."""

    public_key, wrong_proof = None, False

    def answer(self, receiver, method, path, body):
        return None

    def pieces(self, receiver, method, path, whole):
        return [whole]

    def after_pairing(self, receiver, made, channel):
        pass

    def events(self, receiver, made):
        while made.recv(1 << 16):
            pass


def plist(value):
    return "200 OK", plistlib.dumps(value, fmt=plistlib.FMT_BINARY)


class NoPorts(Way):
    def __init__(self, ports):
        self.ports = ports

    def answer(self, receiver, method, path, body):
        if method == "SETUP":
            port = self.ports
            return plist({"streams": [{"type": 103, "dataPort": port, "controlPort": port}]} if b"streams" in body else {"eventPort": port, "timingPort": port})


class Drip(Way):
    def __init__(self, where):
        self.where = where

    def pieces(self, receiver, method, path, whole):
        if self.where not in (method, path.split("?")[0]):
            return [whole]

        def slowly():
            for at in range(len(whole)):
                time.sleep(1)
                yield whole[at : at + 1]

        return slowly()


class Length(Way):
    def __init__(self, where, length):
        self.where, self.length = where, length

    def pieces(self, receiver, method, path, whole):
        if self.where in (method, path.split("?")[0]):
            head, _, body = whole.partition(b"\r\n\r\n")
            lines = [line for line in head.split(b"\r\n") if not line.startswith(b"Content-Length")]
            whole = b"\r\n".join([*lines, b"Content-Length: " + self.length]) + b"\r\n\r\n" + body
        return [whole]


class Bomb(Way):
    def __init__(self, where, data):
        self.where, self.data = where, data

    def answer(self, receiver, method, path, body):
        if self.where in (method, path.split("?")[0]):
            return "200 OK", self.data


class Flood(Way):
    """An endless answer."""

    def __init__(self, where, head):
        self.where, self.head = where, head

    def pieces(self, receiver, method, path, whole):
        if self.where not in (method, path.split("?")[0]):
            return [whole]

        def endless():
            yield self.head
            for _ in range(500):  # MB
                yield b"x: " + b"y" * 65_533 if receiver.way.head.endswith(b"\r\n") else bytes(65_536)

        return endless()


class Closes(Way):
    def __init__(self, path, after):
        self.path, self.after, self.seen = path, after, 0

    def pieces(self, receiver, method, path, whole):
        if self.path in (method, path):
            self.seen += 1
            if self.seen % 2 == self.after:
                raise ConnectionError
            if self.after == 2:
                return self.cut(whole)
        return [whole]

    @staticmethod
    def cut(whole):
        yield whole[: len(whole) // 2]
        raise ConnectionError


class Keys(Way):
    def __init__(self, public_key=None, wrong_proof=False):
        self.public_key, self.wrong_proof = public_key, wrong_proof


class Rubbish(Way):
    def after_pairing(self, receiver, made, channel):
        made.sendall(b"\xff\xff" + b"rubbish" * 20_000)


class EventFlood(Way):
    """Endless events, without reading the answers."""

    def __init__(self, body, seconds=6):
        self.body, self.seconds, self.sent = body, seconds, 0

    def events(self, receiver, made):
        channel = crypto.Channel.events(receiver.secret, is_sender=False)
        request = b"POST /command RTSP/1.0\r\nContent-Type: application/x-apple-binary-plist\r\nContent-Length: %d\r\n\r\n" % len(self.body)
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            made.sendall(channel.seal((request + self.body) * 50))
            self.sent += 50
        while made.recv(1 << 16):
            pass


class Silent(Way):
    def pieces(self, receiver, method, path, whole):
        return []


COMMAND = plistlib.dumps({"type": "updateInfo", "value": {**INFO, "volume": -3.0}}, fmt=plistlib.FMT_BINARY)
PAUSE = plistlib.dumps({"type": "sendMediaRemoteCommand", "value": "paus", "params": {"mediaRemoteCommand": 1}}, fmt=plistlib.FMT_BINARY)


# How `tutti play` may end with a receiver that lies: played, or a failure with a kind (docs/reference/exit-status.md):
# bad media, not found, unreachable, in use, not AirPlay's way, needs pairing.
STATUSES = (0, 65, 66, 69, 75, 76, 77)


def play(t, way, within, statuses=STATUSES, seconds=2, port=PORT):
    """`tutti play` to that receiver alone: it ends in time, with a message."""
    path = t.sounds.noise(f"hostile-visit-{seconds}", seconds, seed=79)
    with Receiver(t.attacker, way, port) as receiver:
        status, took, text = t.run("play", path, "--to", f"{ADDRESS}:{port}", within=within)
        expect(receiver.connections > 0, f"the program never connected: {text[-200:]!r}")
        expect(not receiver.told, f"{', '.join(sorted(receiver.told))} in the clear")
    expect(status in statuses, f"exit status {status}: {text[-200:]!r}")
    return took


def play_all(t, ways, within=45, seconds=2):
    """A program for each fault, several at once: they mostly wait. The first failure is raised when all are done."""
    t.sounds.noise(f"hostile-visit-{seconds}", seconds, seed=79)  # made once, not by several at the same time

    def one(numbered):
        number, (name, way) = numbered
        try:
            return play(t, way, within, seconds=seconds, port=PORT + number)
        except Failed as failure:
            raise Failed(f"{name}: {failure}") from None

    with ThreadPoolExecutor(AT_ONCE) as pool:
        results = [pool.submit(one, numbered) for numbered in enumerate(ways.items())]
    took = max(result.result() for result in results)
    t.note(f"{len(ways)} ways, the longest took {took:.1f} s")


@attack("receivers.answer-200-and-open-no-port", limit=200, rooms=False)
def no_ports(t):
    play_all(t, {f"port {port}": NoPorts(port) for port in (0, 1, 65535, 70000, -1, 2**63, "7000", 1.5)})


@attack("receivers.drip", limit=150, rooms=False)
def drips(t):
    play_all(t, {where: Drip(where) for where in ("/info", "/pair-setup", "SETUP")})


@attack("receivers.lie-about-lengths", limit=200, short=True, rooms=False)
def lengths(t):
    numbers = (b"100000000000", b"-1", b"99999999999999999999999", b"x") if not t.is_short else (b"100000000000", b"-1")
    play_all(t, {f"{where}: {number.decode()}": Length(where, number) for where in ("/info", "SETUP")[: 1 if t.is_short else 2] for number in numbers})


@attack("receivers.bomb-property-lists", limit=250, short=True, rooms=False)
def property_lists(t):
    data = list(bombs())[:: 3 if t.is_short else 1]
    play_all(t, {f"{name} in {where}": Bomb(where, body) for name, body in data for where in ("/info", "SETUP")[t.is_short :]})


@attack("receivers.answer-without-end", limit=150, rooms=False)
def endless(t):
    heads = {"headers": b"RTSP/1.0 200 OK\r\n", "body": b"RTSP/1.0 200 OK\r\nContent-Length: 4000000000\r\n\r\n", "start line": b"RTSP/1.0 200 "}
    play_all(t, {f"{name} of {where}": Flood(where, head) for name, head in heads.items() for where in ("/info", "/pair-setup", "SETUP")})


@attack("receivers.close-in-mid-pairing", limit=150, short=True, rooms=False)
def closes(t):
    ways = {f"{path} {after}": Closes(path, after) for path in ("/pair-setup", "/info", "SETUP", "RECORD") for after in (0, 1, 2)}
    play_all(t, dict(list(ways.items())[:2]) if t.is_short else ways)


@attack("receivers.impossible-keys", limit=100, short=True, rooms=False)
def keys(t):
    ways = {"B = 0": Keys(b"\0" * 384), "B = N": Keys(crypto._bytes(crypto.N)), "a wrong proof": Keys(wrong_proof=True),
            "B of 10 KB": Keys(b"\1" * 10_000), "rubbish behind pairing": Rubbish()}  # fmt: skip
    play_all(t, dict(list(ways.items())[::2]) if t.is_short else ways)


@attack("receivers.say-nothing", limit=100, rooms=False)
def silent(t):
    play_all(t, {"nothing": Silent()})


@attack("receivers.flood-the-event-channel", limit=150, rooms=False)
def events(t):
    ways = {"updates": EventFlood(COMMAND, t.many(6, 1.5)), "pauses": EventFlood(PAUSE), "rubbish": EventFlood(b"\xff" * 900)}
    play_all(t, dict(list(ways.items())[:1]) if t.is_short else ways, seconds=t.many(2, 1))
    t.note(f"{sum(way.sent for way in ways.values())} events")


@attack("receivers.escape-codes", limit=100, short=True, rooms=False)
def escapes(t):
    """Names and models with escape codes, as printed by `info` and `play`."""
    for text in ("\x1b[2J\x1b]0;owned\x07", "\x9b31m\u202eabc\u2066", "a\r\nb\tc\0")[: 1 if t.is_short else 3]:
        way = Bomb("/info", plistlib.dumps({**INFO, "name": text, "model": text, "manufacturer": text, "osInfo": text, "sourceVersion": text, text: text}, fmt=plistlib.FMT_BINARY))
        with Receiver(t.attacker, way):
            for json in ([], ["--json"]):
                t.run("info", f"{ADDRESS}:{PORT}", *json, within=20)
        if not t.is_short:
            play(t, way, 45)


@attack("receivers.info-of-liars", limit=250, rooms=False)
def info(t):
    """`tutti info` to receivers with all these faults."""
    ways = {"drip": Drip("/info"), "silent": Silent(), "closes": Closes("/info", 1), "cut": Closes("/info", 2),
            "endless": Flood("/info", b"RTSP/1.0 200 OK\r\n"), "length": Length("/info", b"100000000000")}  # fmt: skip
    ways |= {name: Bomb("/info", data) for name, data in bombs()}
    longest = 0
    for name, way in ways.items():
        with Receiver(t.attacker, way):
            try:
                _, seconds, _ = t.run("info", f"{ADDRESS}:{PORT}", within=20)
            except Failed as failure:
                raise Failed(f"{name}: {failure}") from None
            longest = max(longest, seconds)
    t.note(f"{len(ways)} ways, the longest took {longest:.1f} s")


@attack("receivers.beside-a-good-room", limit=200)
def beside(t):
    """A hostile receiver and a good room in one group: the room plays every frame."""
    import listening
    import sound
    from player import Player
    from rooms import VICTIM

    path = t.sounds.noise("hostile-visit-6", 6, seed=80)
    source = sound.read_wav(path)
    for name, way in {"drips": Drip("SETUP"), "floods events": EventFlood(COMMAND), "no ports": NoPorts(1), "never reads": NeverReads()}.items():
        with Receiver(t.attacker, way):
            mark = t.lab.mark()
            program = t.command("play", path, "--to", f"{t.rooms.address(VICTIM)}:7000", "--to", f"{ADDRESS}:{PORT}", "--json", kind=Player)
            t.ended(program, 45, what=name)
            pieces = listening.Finder(source).hear(t.lab.heard(VICTIM, mark)).pieces
            found = max((piece.count for piece in pieces), default=0)
            expect(found == len(source), f"{name}: the good room played {found} of {len(source)} frames")
    t.note("4 ways, every frame heard in the good room")


class NeverReads(Way):
    pass
