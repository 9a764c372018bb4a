"""mDNS from an attacker: 10,000 services, names with escape codes, port 0, false records; `tutti speakers` searches."""

import random
import re
import socket
import struct
import time

from attacks import attack, expect
from network import attacking
from player import Player
from rooms import VICTIM

GROUP, PORT = "224.0.0.251", 5353
PTR, TXT, SRV, A = 12, 16, 33, 1


def name(*labels):
    return b"".join(bytes([len(label)]) + label for label in (one if isinstance(one, bytes) else one.encode() for one in labels)) + b"\0"


SERVICE = ("_airplay", "_tcp", "local")


def record(owner, kind, data, ttl=120, flush=False):
    return owner + struct.pack("!HHIH", kind, 0x8001 if flush else 1, ttl, len(data)) + data


def service(label, host, port, address, txt=()):
    owner = name(label, *SERVICE)
    texts = b"".join(bytes([len(one)]) + one for one in (t if isinstance(t, bytes) else t.encode() for t in txt)) or b"\0"
    return [
        record(name(*SERVICE), PTR, owner),
        record(owner, SRV, struct.pack("!HHH", 0, 0, port) + name(host, "local"), flush=True),
        record(owner, TXT, texts, flush=True),
        record(name(host, "local"), A, socket.inet_aton(address), flush=True),
    ]


def packet(records):
    return struct.pack("!6H", 0, 0x8400, 0, len(records), 0, 0) + b"".join(records)


class Announcer:
    def __init__(self, t):
        self.socket = t.attacker.make(kind=socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("", PORT))
        self.socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("10.77.0.2"))
        self.socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def say(self, records):
        for at in range(0, len(records), 16):
            self.socket.sendto(packet(records[at : at + 16]), (GROUP, PORT))


TXTS = ("deviceid=02:00:00:AA:00:01", "features=0x405FCA00,0x18340", "model=Attack1,1", "srcvers=366.0", "flags=0x4")


def look(t, make_announce, seconds, what):
    """`tutti speakers` during announcements: it ends in time, prints nothing harmful, and lists the real rooms."""
    for json in ([], ["--json"])[: 1 if t.is_short else 2]:
        program = t.command("speakers", "--timeout", str(seconds), *json)
        program.process.stdin.close()
        end, announce = time.monotonic() + seconds - 1, make_announce()
        with Announcer(t) as announcer:
            time.sleep(0.5)
            while time.monotonic() < end and program.poll() is None:
                announce(announcer)
                time.sleep(0.3)
        status, took, text = t.ended(program, seconds + 10, [0], what)
        for room in range(1, t.lab.rooms + 1):
            expect(t.lab.name(room).encode() in text, f"{what}: {t.lab.name(room)} is not found among them")
        t.note(f"{what}: {text.count(chr(10).encode())} lines in {took:.1f} s, {program.peak_kb // 1024} MB")
    return text


def strangers(count):
    """Packets that announce a number of services."""
    packets = []
    for number in range(count):
        texts = (f"deviceid=02:00:00:BB:{number >> 8:02X}:{number & 255:02X}", *TXTS[1:])
        packets.append(packet(service(f"Speaker {number}", f"host{number}", 7000, f"10.77.{number >> 8 & 255}.{number & 255}", texts)))
    return packets


@attack("names.10000-services", limit=90, short=True, rooms=False)
def many(t):
    count, said = t.many(10_000, 2_000), []
    # Made before the program starts: only sending takes this machine's time.
    packets = strangers(count)

    def make_announce():
        said.append(0)

        def announce(announcer):
            for one in packets[said[-1] :]:
                announcer.socket.sendto(one, (GROUP, PORT))
                said[-1] += 1
                if said[-1] % 20 == 0:
                    time.sleep(0.005)

        return announce

    look(t, make_announce, t.many(15, 4), f"{count} services")
    expect(min(said) >= count, f"only {min(said)} services were announced")


@attack("names.a-named-room-among-10000-services", limit=90, rooms=False)
def named(t):
    """A room is found by name during endless announcements of 10,000 others."""
    packets = strangers(10_000)

    def flood(_, stop, __):
        with Announcer(t) as announcer:
            while not stop.is_set():
                for number, one in enumerate(packets):
                    announcer.socket.sendto(one, (GROUP, PORT))
                    if number % 20 == 0:
                        time.sleep(0.005)
                    if stop.is_set():
                        break

    with attacking(flood):
        time.sleep(1)
        path = t.sounds.noise("hostile-visit", 2, seed=78)
        begun = time.monotonic()
        program = t.command("play", path, "--to", t.lab.name(VICTIM), "--json", kind=Player)
        program.wait("playing", 12)
        took = time.monotonic() - begun
        program.wait("ended", 10)
        t.ended(program, 10, [0], "a named room")
    t.note(f"played after {took:.1f} s, {program.usage.ru_utime + program.usage.ru_stime:.1f} s of a core, {program.peak_kb // 1024} MB")


@attack("names.escape-codes-and-port-0", limit=60, short=True, rooms=False)
def escapes(t):
    records = []
    labels = ("\x1b[2J\x1b]0;own\x07", "\x9b31mred", "\u202eesrever", "line\nbreak", "tab\tcr\r", b"\xff\xfe\x80", b"\0\0", "x" * 63, "a.b\\.c", "\u2028")
    for number, label in enumerate(labels):
        texts = (*TXTS, b"model=" + b"\x1b[2J", b"srcvers=\xc2\x9b31m", b"pk=\0\x07", b"=", b"x" * 255, "deviceid=\x1b]0;x\x07")
        records += service(label, f"odd{number}", (7000, 0, 65535)[number % 3], f"10.77.0.{180 + number}", texts)
        records += service(f"Port 0 of {number} \x1b[2J", "\x1b[2J", 0, "0.0.0.0", ())

    # Addresses of the searching machine itself, or of many: nobody may connect there.
    for number, address in enumerate(("127.0.0.1", "127.1.2.3", "224.0.0.251", "255.255.255.255", "0.0.0.0")):
        records += service(f"Forged {number}", f"forged{number}", 7000, address, (f"deviceid=02:00:00:DD:00:0{number}", *TXTS[1:]))

    text = look(t, lambda: lambda announcer: announcer.say(records), t.many(5, 3), "names with escape codes")
    expect(b"Forged" not in text, f"a record that names loopback or a group is used: {text[text.find(b'Forged') - 20:][:200]!r}")
    expect(b"?" in text or b"\\u00" in text, f"none of the names was shown: {text[-300:]!r}")


@attack("names.records-that-lie", limit=60, rooms=False)
def lies(t):
    dice = random.Random(12)
    whole = packet(service("Liar", "liar", 7000, "10.77.0.190", TXTS))
    loop = struct.pack("!6H", 0, 0x8400, 0, 1, 0, 0) + b"\xc0\x0c" + struct.pack("!HHIH", PTR, 1, 120, 2) + b"\xc0\x0c"

    def announce(announcer):
        for _ in range(300):
            changed = bytearray(whole)
            for _ in range(dice.randrange(1, 5)):
                changed[dice.randrange(len(changed))] = dice.randrange(256)
            announcer.socket.sendto(bytes(changed)[: dice.randrange(12, len(changed) + 1)], (GROUP, PORT))
        announcer.socket.sendto(loop, (GROUP, PORT))
        announcer.socket.sendto(dice.randbytes(1400), (GROUP, PORT))

    look(t, lambda: announce, 6, "changed records")


@attack("names.come-and-go", limit=60, rooms=False)
def churn(t):
    """500 services that vanish and return with other ports and addresses."""
    state = [0]

    def announce(announcer):
        state[0] += 1
        for number in range(500):
            made = service(f"Speaker {number}", f"host{number}", 7000 + state[0], f"10.77.{state[0] & 255}.{number & 255}", (*TXTS[:4], f"flags={state[0]}"))
            announcer.say(made)

    look(t, lambda: announce, 8, "500 that change")


@attack("names.forged-conflicts", limit=60, rooms=False)
def conflicts(t):
    """A stranger claims a speaker's name repeatedly: the speaker does not run through a hundred names."""
    speaker = t.command("speaker", "--name", "Contested", "--output", "null", "--json")
    end, renamed = time.monotonic() + t.many(25, 10), 0
    with Announcer(t) as announcer:
        while time.monotonic() < end:
            for number in range(1, 40):
                label = "Contested" if number == 1 else f"Contested #{number}"
                owner = name(label, *SERVICE)
                announcer.say([record(owner, SRV, struct.pack("!HHH", 0, 0, 9) + name("thief", "local"), flush=True)])
            time.sleep(0.1)
        said = t.said(speaker)
        renamed = said.count(b"Contested #")
    numbers = [int(found) for found in re.findall(rb"Contested #(\d+)", said)]
    expect(max(numbers, default=1) <= 6, f"the speaker is called Contested #{max(numbers, default=1)}")
    t.note(f"called Contested #{max(numbers, default=1)} at last, {renamed} names told")
