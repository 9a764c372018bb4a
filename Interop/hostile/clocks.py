"""The clock's ports: garbage, floods, and clocks that impersonate the sender's, from another address."""

import random
import socket
import struct
import time

from attacks import attack, expect
from rooms import PLAYING
from sender import Sender

EVENT, GENERAL = 319, 320
SYNC, DELAY_REQUEST, FOLLOW_UP, DELAY_RESPONSE, ANNOUNCE, SIGNALING = 0, 1, 8, 9, 11, 12


def message(kind, identity, sequence, body=b"", flags=0, interval=0, domain=0):
    length = 34 + len(body)
    control = {SYNC: 0, DELAY_REQUEST: 1, FOLLOW_UP: 2, DELAY_RESPONSE: 3}.get(kind, 5)
    head = struct.pack("!BBHBBHqI8sHHBb", 0x10 | kind, 2, length, domain, 0, flags, 0, 0, identity, 1, sequence & 0xFFFF, control, interval)
    return head + body


def timestamp(seconds, nanoseconds=0):
    return struct.pack("!HII", seconds >> 32 & 0xFFFF, seconds & 0xFFFFFFFF, nanoseconds)


def announce(identity, sequence, priority=1, grandmaster=None):
    body = timestamp(0) + struct.pack("!HBBBBHB8sHB", 37, 0, priority, 6, 0x20, 0x4000, 1, grandmaster or identity, 0, 0x20)
    return message(ANNOUNCE, identity, sequence, body)


def senders_clock(t, within=5.0):
    """The identity of the clock that the rooms follow, observed on the wire in the sender's own network."""
    tap = t.legitimate.make(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    tap.bind(("eth0", 0))
    tap.settimeout(within)
    end = time.monotonic() + within
    with tap:
        while time.monotonic() < end:
            frame = tap.recv(2048)
            if frame[12:14] == b"\x08\x00" and frame[23] == 17 and frame[26:30] == socket.inet_aton("10.77.0.1"):
                data = frame[42:]
                if len(data) >= 44 and data[0] & 15 == SYNC and frame[36:38] == struct.pack("!H", EVENT):
                    return data[20:28]
    raise TimeoutError("no Sync of the sender's was seen")


class ClockSockets:
    def __init__(self, network):
        self.event, self.general = network.make(kind=socket.SOCK_DGRAM), network.make(kind=socket.SOCK_DGRAM)
        self.event.bind(("", EVENT))
        self.general.bind(("", GENERAL))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.event.close()
        self.general.close()

    def tell(self, address, identity, sequence, now):
        """Announce, Sync and Follow_Up of a clock."""
        self.general.sendto(announce(identity, sequence), (address, GENERAL))
        self.event.sendto(message(SYNC, identity, sequence, timestamp(0), flags=0x0200, interval=-3), (address, EVENT))
        body = timestamp(int(now), int(now % 1 * 1e9))
        self.general.sendto(message(FOLLOW_UP, identity, sequence, body, interval=-3), (address, GENERAL))


@attack("clock.flooded", limit=40, short=True)
def flooded(t):
    """Every kind of message, whole, truncated and random, from as many clocks as messages."""
    dice, count = random.Random(2), 0
    end = time.monotonic() + t.many(10, 1)
    with ClockSockets(t.attacker) as sockets:
        while time.monotonic() < end:
            for _ in range(50):
                identity = dice.randbytes(8)
                kind = dice.choice((SYNC, DELAY_REQUEST, 2, 3, FOLLOW_UP, DELAY_RESPONSE, 10, ANNOUNCE, SIGNALING, 13))
                data = message(kind, identity, count, dice.randbytes(dice.choice((0, 10, 20, 30, 60, 1300))))
                if dice.random() < 0.3:
                    data = data[: dice.randrange(len(data))]
                for room in PLAYING:
                    sockets.event.sendto(data, (t.rooms.address(room), EVENT))
                    sockets.general.sendto(data, (t.rooms.address(room), GENERAL))
                sockets.event.sendto(data, ("10.77.0.1", EVENT))
                count += 1
            time.sleep(0.005)
    t.note(f"{count * 7} datagrams")


@attack("clock.senders-identity-from-another-address", limit=40, short=True)
def forged(t):
    """A stranger sends Syncs with the identity of the rooms' clock, an hour off."""
    identity = senders_clock(t)
    tell_for(t, identity, t.many(8, 1))
    t.note(f"the clock {identity.hex()} from 10.77.0.2, an hour off")


@attack("clock.senders-identity-from-a-paired-address", limit=40, short=True)
def forged_paired(t):
    """The same from an attacker with a session at each room, so that the speaker listens to its clock, too."""
    identity = senders_clock(t)
    sessions = []
    try:
        for room in PLAYING[:2]:
            sender = Sender(t.attacker, t.rooms.address(room)).pair()
            sessions.append(sender)
            sender.setup("Attacker", "PTP", isRemoteControlOnly=True)
        tell_for(t, identity, t.many(8, 1))
    finally:
        for sender in sessions:
            sender.socket.close()
    t.note(f"{len(sessions)} sessions beside the music's")


def tell_for(t, identity, seconds):
    end, sequence = time.monotonic() + seconds, 0
    with ClockSockets(t.attacker) as sockets:
        while time.monotonic() < end:
            for room in PLAYING:
                sockets.tell(t.rooms.address(room), identity, sequence, time.monotonic() + 3600)
            sequence += 1
            time.sleep(0.02)
    expect(sequence > 10, "hardly a message was sent")


@attack("clock.so-many-followed-that-none-is-left", limit=60, short=True)
def exhausted(t):
    """Control-only sessions name peers until the speaker follows as many clocks as it can; then a sender plays to it."""
    from connections import meanwhile
    from pairing import patient_pair
    from rooms import VICTIM

    sessions = []
    try:
        for number in range(6):
            sender, _ = patient_pair(t)
            sessions.append(sender)
            sender.setup(f"Attacker {number}", "PTP", isRemoteControlOnly=True)
            peers = [f"10.77.{100 + number}.{host}" for host in range(1, 40)]
            sender.plist("SETPEERS", sender.uri, peers)
        meanwhile(t, VICTIM)
        t.plays(VICTIM)
    finally:
        for sender in sessions:
            sender.socket.close()
