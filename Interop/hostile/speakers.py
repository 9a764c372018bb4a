"""Speakers that annoy a sender: too busy to pair, dropping or never reading the audio, pressing buttons endlessly."""

import plistlib
import re
import threading
import time

from attacks import attack, expect
from player import Player
from receivers import ADDRESS, PORT, EventFlood, Receiver, Way, reply
from rooms import VICTIM

NEXT = plistlib.dumps({"type": "sendMediaRemoteCommand", "value": "nitm"}, fmt=plistlib.FMT_BINARY)


def start(t, way, paths, *more, to=()):
    """`tutti play` to a hostile receiver, with --json; ends with the attack."""
    speakers = [word for address in (f"{ADDRESS}:{PORT}", *to) for word in ("--to", address)]
    return t.command("play", *paths, *speakers, "--json", *more, kind=Player)


class Listens(Way):
    """Reads a sender's plaintext requests."""

    def __init__(self):
        self.clear = b""


class ListeningReceiver(Receiver):
    def serve(self, made):
        super().serve(Tapped(made, self.way))


class Tapped:
    """A connection whose bytes are recorded until pairing is over."""

    def __init__(self, made, way):
        self.made, self.way = made, way

    def recv(self, count):
        data = self.made.recv(count)
        if b"/1.0\r\n" in data:  # a plaintext request
            self.way.clear += data
        return data

    def sendall(self, data):
        self.made.sendall(data)


@attack("speakers.listen-for-tokens", limit=30, rooms=False)
def tokens(t):
    """DACP-ID and Active-Remote would let anybody press the sender's buttons: only the speaker may learn them."""
    way = Listens()
    path = t.sounds.noise("hostile-visit-2", 2, seed=79)
    with ListeningReceiver(t.attacker, way) as receiver:
        program = start(t, way, [path])
        end = time.monotonic() + 8
        while not any(method == "RECORD" for method, _ in receiver.requests) and time.monotonic() < end:
            time.sleep(0.05)
        expect(any(method == "RECORD" for method, _ in receiver.requests), "no session came about")
        program.close()
    clear = way.clear.lower()
    expect(b"get /info" in clear and b"/pair-setup" in clear, f"nothing was heard in the clear: {clear[:200]!r}")
    for name in (b"dacp-id", b"active-remote", b"client-instance"):
        expect(name not in clear, f"{name.decode()} goes out in the clear")
    t.note(f"{len(clear)} bytes heard in the clear")


class TooBusy(Way):
    """Claims to be too busy to pair, as our speakers do."""

    def __init__(self, seconds):
        self.seconds, self.asked = seconds, []

    def pieces(self, receiver, method, path, whole):
        if path != "/pair-setup":
            return [whole]
        self.asked.append(time.monotonic())
        sequence = re.search(rb"CSeq: (\d+)", whole).group(1)
        head = reply("453 Not Enough Bandwidth", headers=b"Retry-After: %d\r\n" % self.seconds)
        return [head + b"CSeq: " + sequence + b"\r\n\r\n"]


@attack("speakers.have-no-time-to-pair", limit=40, rooms=False)
def busy(t):
    way = TooBusy(3)
    path = t.sounds.noise("hostile-visit-2", 2, seed=79)
    with Receiver(t.attacker, way):
        program = start(t, way, [path])
        time.sleep(11)
        said = t.said(program)
        program.close()
    pauses = [late - early for early, late in zip(way.asked, way.asked[1:])]
    expect(len(way.asked) >= 3, f"only {len(way.asked)} attempts in 11 s")
    expect(min(pauses) >= 2.9, f"asked again after {min(pauses):.1f} s instead of 3")
    expect(b"another sender" not in said and b"want to pair" in said, f"the cause is not told: {said[-300:]!r}")
    t.note(f"{len(way.asked)} attempts, {min(pauses):.1f} s apart at least")


class DropsSound(Way):
    """Opens everything, and closes the audio connection as soon as it exists."""


class DroppingReceiver(Receiver):
    def serve_data(self, made):
        made.recv(1)


@attack("speakers.drop-the-sound-connection", limit=60, rooms=False)
def drops(t):
    path = t.sounds.noise("hostile-visit-60", 60, seed=79)
    with DroppingReceiver(t.attacker, DropsSound()) as receiver:
        program = start(t, None, [path])
        time.sleep(20)
        said = t.said(program)
        program.close()
        count = receiver.connections
    told = said.count(b'"warning"') + said.count(b'"lost"')
    expect(count <= 9, f"{count} connections in 20 s")
    expect(told <= 30, f"{told} warnings in 20 s")
    t.note(f"{count} connections and {told} warnings in 20 s")


class DeafReceiver(Receiver):
    def serve_data(self, made):
        import socket

        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        while self.open:
            time.sleep(0.2)


@attack("speakers.never-read-the-sound", limit=90, rooms=False)
def deaf(t):
    path = t.sounds.noise("hostile-visit-240", 240, seed=79)
    with DeafReceiver(t.attacker, Way()):
        program = start(t, None, [path])
        end = time.monotonic() + 70
        begun = time.monotonic()
        while b"has read nothing" not in t.said(program) and time.monotonic() < end:
            time.sleep(0.5)
        said = t.said(program)
        program.close()
    expect(b"has read nothing" in said, f"nothing is said of a speaker that reads nothing for 70 s: {said[-600:]!r}")
    t.note(f"told after {time.monotonic() - begun:.0f} s")


class PressesNext(EventFlood):
    def __init__(self, seconds):
        super().__init__(NEXT, seconds)


@attack("speakers.press-next-without-end", limit=60, short=True)
def presses(t):
    """Buttons of one speaker, hundreds a second, in a group with a good room: the music continues."""
    paths = [t.sounds.noise(f"hostile-track-{number}", 4, seed=100 + number) for number in range(30)]
    way = PressesNext(t.many(8, 2.5))
    with Receiver(t.attacker, way):
        program = start(t, way, paths, to=[f"{t.rooms.address(VICTIM)}:7000"])
        end = time.monotonic() + 20
        while way.sent < 100 and time.monotonic() < end:
            time.sleep(0.02)
        expect(way.sent >= 100, "no button was pressed")
        time.sleep(t.many(8, 2.5))
        said = t.said(program)
        expect(program.poll() is None and b'"ended"' not in said, f"the music has ended: {said[-300:]!r}")
        heard = max((int(found) for found in re.findall(rb'"progress","index":(\d+)', said)), default=0)
        expect(heard < 15, f"{way.sent} presses have gone to track {heard + 1} of {len(paths)}")
        t.note(f"{way.sent} presses, track {heard + 1} plays")
        program.close()


@attack("speakers.pair-with-rubbish", limit=60, rooms=False)
def rubbish(t):
    """Invalid pairing bodies: the user reads a sentence. `watch.wrong_in` looks for internal names of the program."""
    path = t.sounds.noise("hostile-visit-2", 2, seed=79)
    bodies = {"nothing": b"", "half a value": b"\6\1", "a length that lies": b"\6\xff\1", "no number": b"\1\1\1", "state 9": b"\6\1\x09",
              "an error without a name": b"\6\1\2\7\1\x63", "back off": b"\6\1\2\7\1\3\x08\1\x0d", "too many tries": b"\6\1\2\7\1\5"}  # fmt: skip
    for name, body in bodies.items():
        with RubbishReceiver(t.attacker, Way()) as receiver:
            receiver.body = body
            program = start(t, None, [path])
            end = time.monotonic() + 5
            while b"refused" not in t.said(program) and time.monotonic() < end:
                time.sleep(0.05)
            said = t.said(program)
            program.close()
        expect(b'"message"' in said, f"{name}: nothing is told")
        from watch import wrong_in

        problem = wrong_in(said)
        expect(problem is None, f"{name}: {problem}")
    t.note(f"{len(bodies)} bodies")


class RubbishReceiver(Receiver):
    body = b""

    def pairing(self, server, body):
        return self.body, None


def listening_ports(t, network):
    """TCP ports on which programs listen in a network."""
    with network.inside(), open("/proc/thread-self/net/tcp") as file:
        rows = [line.split() for line in file][1:]
    return sorted({int(row[1].split(":")[1], 16) for row in rows if row[3] == "0A"})


@attack("speakers.strangers-guess-the-remote-control", limit=40, short=True)
def guesses(t):
    """Requests to the sender's remote command server, from a host that is not one of its speakers."""
    ports = listening_ports(t, t.legitimate)
    expect(ports, "the sender listens nowhere")
    answered = taken = 0
    lock, end = threading.Lock(), time.monotonic() + t.many(8, 1)

    def guess(port):
        nonlocal answered, taken
        number = 0
        while time.monotonic() < end:
            try:
                with t.attacker.connect("10.77.0.1", port, timeout=0.5) as made:
                    while time.monotonic() < end:
                        number += 1
                        made.sendall(b"".join(b"GET /ctrl-int/1/nextitem HTTP/1.1\r\nHost: x\r\nActive-Remote: %d\r\n\r\n" % (number * 50 + step) for step in range(12)))
                        data = made.recv(1 << 16)
                        if not data:
                            break
                        with lock:
                            answered += data.count(b"HTTP/1.1")
            except OSError:
                pass
            with lock:
                taken += 1
            time.sleep(0.002)

    threads = [threading.Thread(target=guess, args=(port,)) for port in ports for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(answered == 0, f"{answered} guesses of a stranger were answered")
    t.note(f"{taken} connections to {len(ports)} ports, no guess looked at")
