"""Connections that fill a speaker's slots: half-open, idle, dripping, never reading; from one address and from many."""

import random
import select
import socket
import time

from attacks import attack, expect
from network import closed_at_once, syn
from rooms import PLAYING, VICTIM
from sender import Sender

PORT = 7000
TARGETS = (PLAYING[0], VICTIM)
MANY = [f"10.77.0.{host}" for host in range(50, 250)]


def meanwhile(t, room=VICTIM):
    """A legitimate sender gets in during the attack."""
    seconds, reason = t.rooms.lets_in(room)
    expect(seconds is not None, f"while it lasts nobody gets into room {room}: {reason}")
    t.note(f"during it let in after {seconds:.2f} s")


@attack("connections.half-open", limit=40, short=True)
def half_open(t):
    count = t.many(10_000, 2_000)
    sending = t.attacker.make(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
    dice = random.Random(1)
    with sending:
        for number in range(count):
            target = t.rooms.address(TARGETS[number % len(TARGETS)])
            sending.sendto(syn(dice.choice(MANY), target, 1024 + number % 60_000, PORT), (target, 0))
    meanwhile(t)
    t.note(f"{count} SYNs")


def idle(t, count, sources):
    """Opens a number of connections and leaves them; the speaker has to close them."""
    made = []
    try:
        for number in range(count):
            address = t.rooms.address(TARGETS[number % len(TARGETS)])
            try:
                made.append(t.attacker.connect(address, PORT, sources[number % len(sources)], timeout=2))
            except OSError:
                pass  # refused: as good
        meanwhile(t)
        meanwhile(t, PLAYING[0])
        left = sum(not is_ended(one) for one in made)
        t.note(f"{len(made)} of {count} accepted, {left} still open")
    finally:
        for one in made:
            closed_at_once(one)


def is_ended(made):
    try:
        made.setblocking(False)
        return made.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


@attack("connections.idle-from-one-address", short=True)
def idle_one(t):
    idle(t, t.many(2000, 500), [None])


@attack("connections.idle-from-many-addresses", short=True)
def idle_many(t):
    t.attacker.add_addresses(MANY)
    idle(t, t.many(2000, 500), MANY)


@attack("connections.opened-and-reset", limit=40)
def churn(t):
    """As many as possible in ten seconds, each ended by a reset, while a legitimate sender connects."""
    end, count = time.monotonic() + 8, 0
    t.attacker.add_addresses(MANY)
    while time.monotonic() < end:
        try:
            closed_at_once(t.attacker.connect(t.rooms.address(TARGETS[count % 2]), PORT, MANY[count % len(MANY)], timeout=1))
        except OSError:
            pass
        count += 1
        if count == 500:
            meanwhile(t)
    t.note(f"{count} connections")


@attack("connections.one-byte-a-second", limit=40)
def drip(t):
    made = [t.attacker.connect(t.rooms.address(room), PORT) for room in TARGETS for _ in range(16)]
    request = b"OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nX-Long: " + b"x" * 4000
    end, at, ended = time.monotonic() + 14, 0, 0
    try:
        while time.monotonic() < end and ended < len(made):
            ended = 0
            for one in made:
                try:
                    one.send(request[at : at + 1], socket.MSG_NOSIGNAL)
                except OSError:
                    ended += 1
            at += 1
            time.sleep(1)
        meanwhile(t)
        expect(ended == len(made), f"{len(made) - ended} of {len(made)} strangers were not ended after 14 s")
        t.note(f"all {ended} ended after {at} s at the latest")
    finally:
        for one in made:
            closed_at_once(one)


@attack("connections.readers-that-never-read", limit=30, short=True)
def never_read(t):
    """Requests the large answer repeatedly, from a socket without room for it."""
    senders = [Sender(t.attacker, t.rooms.address(room), receive_buffer=2048) for room in TARGETS for _ in range(8)]
    sent, end = 0, time.monotonic() + t.many(8, 1)
    try:
        data = {sender: b"" for sender in senders}
        while time.monotonic() < end:
            ready = select.select([], [one.socket for one in senders if one.socket.fileno() >= 0], [], 0.2)[1]
            for sender in [one for one in senders if one.socket in ready]:
                data[sender] = data[sender] or sender.encoded("GET", "/info")
                try:
                    count = sender.socket.send(data[sender])
                except OSError:
                    sender.socket.close()
                    continue
                sent, data[sender] = sent + count, data[sender][count:]
            if not ready:
                time.sleep(0.05)
        meanwhile(t)
        t.note(f"{sent // 1024} KB of questions taken")
    finally:
        for sender in senders:
            sender.socket.close()
