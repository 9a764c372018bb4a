"""Invalid audio: absurd numbers, times and lengths on the connection of a paired sender's stream."""

import os
import random
import socket
import struct
import time

from attacks import attack, expect
from paired import Sessions, still_answers
from rooms import VICTIM
from sender import sealed_packet, sealed_packets


def data_connection(t, sessions):
    return t.attacker.connect(t.rooms.address(VICTIM), sessions.ports["dataPort"], timeout=2)


def pour(t, pieces, what):
    """Sends each list of bytes on its own stream."""
    with Sessions(t) as sessions:
        for piece in pieces:
            sender = sessions.get(with_stream=True)
            try:
                with data_connection(t, sessions) as made:
                    made.sendall(piece(sender) if callable(piece) else piece)
                    sender.plist("SETRATEANCHORTIME", sender.uri, {
                        "rate": 1, "rtpTime": 0, "networkTimeSecs": 1, "networkTimeFrac": 0, "networkTimeTimelineID": 1})  # fmt: skip
                    still_answers(sender, what)
                    sessions.ports = sender.stream().plist()["streams"][0]
            except (OSError, KeyError, IndexError):
                sessions.lost()


@attack("streams.lengths-that-lie", limit=60, short=True)
def lengths(t):
    pieces = [struct.pack("!H", length) + os.urandom(min(length, 3000)) for length in (0, 1, 2, 3, 11, 37, 38, 16384, 16385, 65535)]
    pieces += [os.urandom(200_000), b"\0" * 100_000, b"\xff" * 100_000]
    pour(t, pieces[:: 3 if t.is_short else 1], "lengths")
    t.note(f"{len(pieces)} streams")


@attack("streams.absurd-numbers-and-times", limit=90, short=True)
def numbers(t):
    dice = random.Random(6)

    def some(sender):
        packets = []
        for nonce in range(t.many(400, 60)):
            number = dice.choice((nonce, 0, 0x7FFFFF, dice.randrange(1 << 23)))
            moment = dice.choice((nonce * 352, 0, 0xFFFFFFFF, dice.randrange(1 << 32)))
            ssrc = dice.choice((0xFACE, 0x15000000, 0x16000000, 0x17000000, 0x27000000, 0x28000000, 0, 0xFFFFFFFF, dice.randrange(1 << 32)))
            packets.append(sealed_packet(sender.key, number, moment, dice.randbytes(dice.choice((0, 1, 7, 300, 1400, 8000))), ssrc, nonce))
        return b"".join(packets)

    pour(t, [some] * t.many(6, 2), "absurd packets")
    t.note(f"{t.many(2400, 120)} sealed packets of rubbish in all formats")


@attack("streams.flood-of-a-full-buffer", limit=60)
def flood(t):
    """As much audio as the speaker accepts, which never becomes due."""
    with Sessions(t) as sessions:
        sender = sessions.get(with_stream=True)
        packets = b"".join(sealed_packet(sender.key, nonce, nonce * 352, os.urandom(1400), 0xFACE, nonce) for nonce in range(2000))
        sent, end = 0, time.monotonic() + 8
        with data_connection(t, sessions) as made:
            made.settimeout(1)
            while time.monotonic() < end:
                try:
                    sent += made.send(packets)
                except OSError:
                    break
            still_answers(sender, "a full buffer")
        t.note(f"{sent >> 10} KB taken")


@attack("streams.realtime-flood", limit=60)
def realtime(t):
    with Sessions(t) as sessions:
        sender = sessions.get()
        answer = sender.stream(type=96, controlPort=6001, audioFormat=0x40000)
        expect(answer.status == 200, f"a realtime stream: status {answer.status}")
        ports = answer.plist()["streams"][0]
        dice, count, end = random.Random(9), 0, time.monotonic() + 6
        with t.attacker.make(kind=socket.SOCK_DGRAM) as sending:
            sending.bind(("", 6001))
            while time.monotonic() < end:
                for _ in range(40):
                    data = struct.pack("!BBHII", dice.choice((0x80, 0x90, 0xFF)), dice.choice((0x60, 0xE0, 0x54, 0xD4, 0xD7, 0x56)),
                                       dice.randrange(65536), dice.randrange(1 << 32), 0) + dice.randbytes(dice.choice((0, 4, 8, 16, 28, 400, 1400)))  # fmt: skip
                    port = ports[dice.choice(("dataPort", "controlPort"))]
                    sending.sendto(data, (t.rooms.address(VICTIM), port))
                    count += 1
                time.sleep(0.005)
        still_answers(sender, "datagrams of rubbish")
        t.note(f"{count} datagrams")


@attack("streams.connections-without-end", limit=60)
def connections(t):
    """The data port serves the newest connection; 500 of them leave nothing behind."""
    with Sessions(t) as sessions:
        sender = sessions.get(with_stream=True)
        taken = 0
        for _ in range(500):
            try:
                t.attacker.connect(t.rooms.address(VICTIM), sessions.ports["dataPort"], timeout=0.3).close()
                taken += 1
            except OSError:
                sessions.ports = sender.stream().plist()["streams"][0]
        still_answers(sender, "500 connections")
        t.note(f"{taken} of 500 accepted")


@attack("streams.descending-numbers", limit=60)
def descending(t):
    """Packets that count backwards, each before all others: they cost no more than others do."""
    pid = t.lab.pid(VICTIM)

    def used():
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def cost(numbers):
        with Sessions(t) as sessions:
            sender = sessions.get(with_stream=True)
            sender.plist("SETRATEANCHORTIME", sender.uri, {
                "rate": 1, "rtpTime": 0, "networkTimeSecs": 1, "networkTimeFrac": 0, "networkTimeTimelineID": 1})  # fmt: skip
            data = b"".join(sealed_packets(sender.key, [(number, number * 352, bytes(8)) for number in numbers], 0x15000000))
            before, begun = used(), time.monotonic()
            with data_connection(t, sessions) as made:
                made.settimeout(10)
                made.sendall(data)
                time.sleep(6)
            still_answers(sender, "packets in any order")
            return used() - before, time.monotonic() - begun

    count = 40_000
    forward, _ = cost(range(count))
    backward, took = cost(range(count, 0, -1))
    expect(backward < 2 * forward + 1, f"backwards, {count} packets cost {backward:.1f} s of a core in {took:.0f} s, {forward:.1f} s forwards")
    t.note(f"{count} packets: {forward:.1f} s of a core forwards, {backward:.1f} s backwards")
