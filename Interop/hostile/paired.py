"""A paired sender with absurd requests: endless peers, formats, anchors, property lists, a thousand sessions."""

import os
import plistlib
import random
import struct
import time

from attacks import attack, expect
from pairing import patient_pair
from rooms import VICTIM
from sender import TYPE_PLIST

HUGE = (0, 1, -1, 2**31, 2**32 - 1, -(2**31), 2**53, 2**63 - 1, -(2**63), 2**64 - 1)
NUMBERS = (*HUGE, 0.0, -0.0, 1e308, float("inf"), float("-inf"), float("nan"), 0.5, -1.0, 1e-300)
ODD = (*NUMBERS, "", "x", "9" * 400, b"", b"\xff" * 40, True, [], {}, [[]], {"a": {}})


def still_answers(sender, what):
    answer = sender.request("POST", "/feedback")
    expect(answer.status in (200, 453, 455), f"after {what} /feedback is answered with {answer.status}")


class Sessions:
    """A session at the victim that is opened again when the speaker has ended it."""

    def __init__(self, t):
        self.t, self.sender, self.opened = t, None, 0

    def get(self, with_stream=False):
        if self.sender is None:
            self.sender, _ = patient_pair(self.t)
            self.sender.setup()
            self.opened += 1
            if with_stream:
                self.ports = self.sender.stream().plist()["streams"][0]
        return self.sender

    def lost(self):
        if self.sender:
            self.sender.socket.close()
        self.sender = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.lost()


def ask_all(t, requests, with_stream=False):
    """Each request of (method, property list or bytes, description); their answers."""
    counts = {}
    with Sessions(t) as sessions:
        for method, value, what in requests:
            sender = sessions.get(with_stream)
            try:
                body = value if isinstance(value, bytes) else plistlib.dumps(value, fmt=plistlib.FMT_BINARY)
                status = sender.request(method, sender.uri if method.isupper() else method, body, TYPE_PLIST).status
            except (OverflowError, TypeError):
                continue  # a value that a property list cannot hold
            except OSError:
                status = "ended"
                sessions.lost()
            counts[status] = counts.get(status, 0) + 1
            expect(status != 500, f"{what}: status 500")
        if sessions.sender:
            still_answers(sessions.sender, "all of it")
    t.note(", ".join(f"{count} × {status}" for status, count in sorted(counts.items(), key=str)))


@attack("paired.setpeers-of-100000", limit=60, short=True)
def setpeers(t):
    count = t.many(100_000, 100_000)
    addresses = [f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}" for number in range(count)]
    with Sessions(t) as sessions:
        for peers in (addresses[:60_000], addresses[:200], addresses[200:400], ["x" * 60_000] * 5, addresses):
            sender = sessions.get()
            try:
                status = sender.plist("SETPEERS", sender.uri, peers).status
                expect(status in (200, 400), f"{len(peers)} peers are answered with {status}")
                still_answers(sender, f"{len(peers)} peers")
            except OSError:
                sessions.lost()
    t.note(f"{count} peers")


@attack("paired.absurd-formats", limit=120)
def formats(t):
    base = {"type": 103, "audioFormat": 0x40000, "ct": 2, "spf": 352, "sr": 44100, "shk": bytes(32), "streamConnectionID": 1}
    requests = [("SETUP", {"streams": [{**base, "audioFormat": 1 << bit, "type": kind}]}, f"format bit {bit}") for bit in range(64) for kind in (96, 103)]
    requests += [("SETUP", {"streams": [{**base, name: value}]}, f"{name} = {value!r}") for name in (*base, "controlPort", "latencyMax") for value in ODD]
    requests += [("SETUP", {"streams": value}, f"streams = {value!r}") for value in ODD]
    requests += [("SETUP", {"streams": [{**base, "shk": os.urandom(size)}]}, f"a key of {size}") for size in (0, 1, 16, 31, 33, 5000)]
    requests += [("SETUP", {"streams": [base] * 500}, "500 streams")]
    requests += [("SETUP", {"timingProtocol": value, "sessionUUID": "x"}, f"timing {value!r}") for value in ("NTP", "None", "", "PTP" * 99, 1, b"")]
    requests += [("SETUP", {"timingProtocol": "NTP", "timingPort": value, "sessionUUID": "x"}, f"port {value!r}") for value in ODD]
    ask_all(t, requests)


@attack("paired.absurd-anchors", limit=90, short=True)
def anchors(t):
    base = {"rate": 1, "rtpTime": 1000, "networkTimeSecs": 1000, "networkTimeFrac": 0, "networkTimeTimelineID": 5, "networkTimeFlags": 0}
    requests = [("SETRATEANCHORTIME", {**base, name: value}, f"{name} = {value!r}") for name in base for value in (NUMBERS if t.is_short else ODD)]
    names = ("flushFromSeq", "flushFromTS", "flushUntilSeq", "flushUntilTS")
    requests += [("FLUSHBUFFERED", dict.fromkeys(names, 7) | {name: value}, f"{name} = {value!r}") for name in names for value in ODD]
    if t.is_short:
        requests = requests[::3]
    ask_all(t, requests, with_stream=True)


def bombs():
    deep = b"bplist00"  # arrays in arrays, 60,000 levels
    count = 60_000
    objects = [b"\xa1" + struct.pack("!H", number + 1) for number in range(count - 1)] + [b"\x50"]
    offsets, at = [], 8
    for one in objects:
        offsets.append(at)
        at += len(one)
    table = b"".join(struct.pack("!I", offset) for offset in offsets)
    yield "60,000 levels", deep + b"".join(objects) + table + struct.pack("!6xBBQQQ", 4, 2, count, 0, at)
    # Each array contains the next one ten times: 10^30 values in a few hundred bytes.
    objects = [b"\xaa" + bytes([number + 1]) * 10 for number in range(30)] + [b"\x50"]
    offsets, at = [], 8
    for one in objects:
        offsets.append(at)
        at += len(one)
    yield "10^30 values", b"bplist00" + b"".join(objects) + bytes(offsets[:22]) + b"".join(
        bytes([offset & 255]) for offset in offsets[22:]
    ) + struct.pack("!6xBBQQQ", 1, 1, len(objects), 0, at)
    table = b"".join(struct.pack("!H", offset) for offset in offsets)
    yield "10^30 values, offsets of two bytes", b"bplist00" + b"".join(objects) + table + struct.pack("!6xBBQQQ", 2, 1, len(objects), 0, at)
    yield "an array that holds itself", b"bplist00" + b"\xa1\x00" + b"\x08" + struct.pack("!6xBBQQQ", 1, 1, 1, 0, 10)
    yield "a count of 2^60", b"bplist00" + b"\xaf\x13" + struct.pack("!Q", 1 << 60) + b"\x08" + struct.pack("!6xBBQQQ", 1, 1, 1, 0, 18)
    yield "2^60 objects", b"bplist00\x50\x08" + struct.pack("!6xBBQQQ", 1, 1, 1 << 60, 0, 9)
    yield "a table behind the end", b"bplist00\x50\x08" + struct.pack("!6xBBQQQ", 8, 8, 1, 0, 1 << 62)
    entities = "".join(f'<!ENTITY l{number} "{f"&l{number - 1};" * 10}">' for number in range(1, 12))
    yield "XML with entities", (f'<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY l0 "lol">{entities}]><plist><string>&l11;</string></plist>').encode()
    yield "XML, 20,000 levels", b"<plist>" + b"<array>" * 20_000 + b"</array>" * 20_000 + b"</plist>"


@attack("paired.property-list-bombs", limit=60, short=True)
def property_lists(t):
    dice = random.Random(4)
    requests = [(method, body, name) for name, body in bombs() for method in ("SETUP", "SETPEERS", "/command")]
    whole = plistlib.dumps({"type": "updateMRNowPlayingInfo", "params": {"params": {"a": [1, 2.0, b"x", "y"]}}}, fmt=plistlib.FMT_BINARY)
    for _ in range(t.many(400, 40)):
        changed = bytearray(whole)
        for _ in range(dice.randrange(1, 6)):
            changed[dice.randrange(8, len(changed))] = dice.randrange(256)
        requests.append((dice.choice(("SETUP", "/command", "/audioMode", "/configure", "TEARDOWN")), bytes(changed), "changed bytes"))
    with Sessions(t) as sessions:
        for method, body, name in requests:
            sender = sessions.get()
            try:
                if method.startswith("/"):
                    sender.request("POST", method, body, TYPE_PLIST)
                else:
                    sender.request(method, sender.uri, body, TYPE_PLIST)
            except OSError:
                sessions.lost()
    t.note(f"{len(requests)} lists, {sessions.opened} sessions")


@attack("paired.thousand-setups", limit=120, short=True)
def setups(t):
    """Streams and sessions opened and ended repeatedly, on one connection."""
    count, done = t.many(1000, 100), 0
    with Sessions(t) as sessions:
        sender = sessions.get()
        for number in range(count):
            if number % 3 == 0:
                sender.setup(f"Attacker {number}")  # another session each
            kind = (103, 96, 130)[number % 3]
            answer = sender.stream(type=kind, controlPort=6001, audioFormat=0x40000)
            expect(answer.status == 200, f"stream {number} of type {kind}: status {answer.status}")
            if number % 2:
                answer = sender.plist("TEARDOWN", sender.uri, {"streams": [{"type": kind}]})
                expect(answer.status == 200, f"TEARDOWN {number}: status {answer.status}")
            done += 1
        t.note(f"{done} streams, {(count + 2) // 3} sessions on one connection")


@attack("paired.sessions-that-take-over", limit=120)
def take_over(t):
    """Sessions that take the speaker from one another, each with its own name and remote control."""
    senders = []
    try:
        for number in range(12):
            sender, _ = patient_pair(t)
            senders.append(sender)
            sender.setup(f"Attacker {number}")
            sender.stream()
    finally:
        for sender in senders:
            sender.socket.close()
    t.note("12 sessions, each takes over")


@attack("paired.thousand-event-connections", limit=60, short=True)
def events(t):
    count = t.many(1000, 300)
    with Sessions(t) as sessions:
        sender = sessions.get()
        ports = [sender.setup(f"Attacker {number}")["eventPort"] for number in range(3)]
        made = []
        try:
            for number in range(count):
                try:
                    made.append(t.attacker.connect(t.rooms.address(VICTIM), ports[number % 3], timeout=0.5))
                except OSError:
                    pass
            for one in made[:50]:
                try:
                    one.sendall(os.urandom(3000))
                except OSError:
                    pass
            still_answers(sender, f"{count} event connections")
        finally:
            for one in made:
                one.close()
        t.note(f"{len(made)} of {count} accepted")


@attack("paired.sessions-that-only-control", limit=60)
def controllers(t):
    """As many sessions beside the music as possible, each with its ports, and none ends by itself."""
    senders = []
    try:
        for number in range(20):
            sender, _ = patient_pair(t)
            senders.append(sender)
            try:
                sender.setup(f"Attacker {number}", "None", isRemoteControlOnly=True)
                sender.stream(type=130, shk=None)
            except Exception:
                pass
        from connections import meanwhile

        meanwhile(t)
    finally:
        for sender in senders:
            sender.socket.close()


@attack("paired.flood-of-commands", limit=60, short=True)
def commands(t):
    """Volumes, feedbacks, rates and flushes at full speed, without reading the answers."""
    with Sessions(t) as sessions:
        sender = sessions.get(with_stream=True)
        dice, sent, end = random.Random(8), 0, time.monotonic() + t.many(8, 1)
        sender.socket.settimeout(1)
        while time.monotonic() < end:
            batch = b"".join(
                sender.encoded("SET_PARAMETER", sender.uri, f"volume: {-dice.random() * 30:.3f}\r\n".encode(), "text/parameters")
                if number % 2
                else sender.encoded("POST", "/feedback")
                for number in range(12)
            )
            try:
                sender.send(batch)
                for _ in range(12):
                    sender.receive()
                sent += 12
            except OSError:
                sessions.lost()
                sender = sessions.get(with_stream=True)
        t.note(f"{sent} commands, {sessions.opened} sessions")

