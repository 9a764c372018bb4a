"""Malformed requests: endless heads, false lengths, floods, garbage; from strangers, while the rooms play."""

import random
import time

from attacks import attack, expect
from rooms import PLAYING, VICTIM
from sender import TYPE_TLV, Sender

TARGETS = (PLAYING[0], VICTIM)


def throw(t, data, room, within=3.0):
    """Sends as much as possible; whether the speaker then closed the connection."""
    try:
        with Sender(t.attacker, t.rooms.address(room), timeout=within) as sender:
            try:
                sender.socket.sendall(data)
            except OSError:
                return True
            return sender.is_closed(within)
    except OSError:
        return True


LIES = {
    "a head without end": b"OPTIONS * RTSP/1.0\r\nX: " + b"a" * 300_000,
    "a million short header lines": b"OPTIONS * RTSP/1.0\r\n" + b"A: b\r\n" * 100_000,
    "a start line of 100 KB": b"GET /" + b"i" * 100_000 + b" RTSP/1.0\r\n\r\n",
    "a body of 100 GB": b"POST /pair-setup RTSP/1.0\r\nContent-Length: 100000000000\r\n\r\n" + b"x" * 200_000,
    "a length beyond 64 bits": b"POST /pair-setup RTSP/1.0\r\nContent-Length: 99999999999999999999999999\r\n\r\nx",
    "a negative length": b"POST /pair-setup RTSP/1.0\r\nContent-Length: -1\r\n\r\nx",
    "two lengths": b"POST /pair-setup RTSP/1.0\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
    "a length in words": b"POST /pair-setup RTSP/1.0\r\nContent-Length: ten\r\n\r\nx",
    "a header without a name": b"GET /info RTSP/1.0\r\n: x\r\n\r\n",
    "bytes of no text": bytes(range(128, 256)) * 64 + b"\r\n\r\n",
    "zeros": b"\0" * 100_000,
}


@attack("heads.giant-and-lying", limit=60, short=True)
def lying(t):
    count = 0
    for name, data in LIES.items():
        for room in TARGETS if not t.is_short else (VICTIM,):
            expect(throw(t, data, room), f"{name}: the connection is still open after 3 s")
            count += 1
    t.note(f"{count} connections, all ended by the speaker")


@attack("heads.chunked-and-folded", limit=30)
def odd(t):
    """Message forms that HTTP has and RTSP lacks: none may desynchronize the connection."""
    for head in (
        b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", b"Content-Length: 3\r\n Content-Length: 9\r\n",
        b"Content-Length : 3\r\n", b"Content-Length: +3\r\n", b"Content-Length: 0x3\r\n", b"Content-Length: 3, 3\r\n",
    ):  # fmt: skip
        with Sender(t.attacker, t.rooms.address(VICTIM)) as sender:
            sender.socket.sendall(b"POST /nothing RTSP/1.0\r\nCSeq: 7\r\n" + head + b"\r\nabcGET /info RTSP/1.0\r\nCSeq: 8\r\n\r\n")
            try:
                first = sender.receive()
                expect(first.status >= 400 or first.headers.get("cseq") == "7", f"{head!r} is answered out of order")
            except (OSError, ValueError):
                pass  # ended: as good


@attack("heads.pipelined-flood", limit=60, short=True)
def pipelined(t):
    end, sent, ended = time.monotonic() + t.many(10, 1), 0, 0
    while time.monotonic() < end:
        for room in TARGETS:
            for line in (b"OPTIONS * RTSP/1.0\r\n\r\n", b"GET /info RTSP/1.0\r\n\r\n", b"\r\n", b"POST /pair-setup RTSP/1.0\r\n\r\n"):
                try:
                    with Sender(t.attacker, t.rooms.address(room), timeout=0.3) as sender:
                        try:
                            for _ in range(10):
                                sender.socket.sendall(line * 5_000)
                                sent += 5_000
                        except OSError:
                            ended += 1
                except OSError:
                    ended += 1
    t.note(f"{sent} requests sent, {ended} connections ended or stalled")


@attack("heads.rubbish", limit=60)
def rubbish(t):
    dice = random.Random(11)
    words = [b"GET", b"/info", b"RTSP/1.0", b"\r\n", b"\n", b"Content-Length:", b"CSeq:", b" ", b"POST", b"/pair-setup", b"HTTP/1.1",
             b"\xff", b"\0", b"999999", b"-1", b"SETUP", b"rtsp://", b"\x1b[2J"]  # fmt: skip
    for _ in range(400):
        data = b"".join(dice.choice(words) if dice.random() < 0.8 else dice.randbytes(9) for _ in range(dice.randrange(1, 60)))
        throw(t, data + b"\r\n\r\n", dice.choice(TARGETS), within=0.02)
    t.note("400 messages of words at random")


METHODS = (
    "ANNOUNCE SETUP RECORD PAUSE FLUSH FLUSHBUFFERED TEARDOWN OPTIONS POST GET PUT SETPEERS SETPEERSX SETMAGICCOOKIE "
    "SETRATEANCHORTIME GET_PARAMETER SET_PARAMETER DESCRIBE PLAY SETRATEANCHORTI DELETE X"
).split()
PATHS = ("*", "/", "/info", "/feedback", "/command", "/audioMode", "/configure", "/pair-add", "/pair-remove", "/pair-list",
         "/auth-setup", "/fp-setup", "/pair-pin-start", "/pair-verify", "rtsp://10.77.0.2/1", "/../../etc/passwd")  # fmt: skip
ALLOWED = {("OPTIONS", path) for path in PATHS} | {("GET", "/info"), ("POST", "/pair-pin-start"), ("POST", "/pair-verify"),
           ("POST", "/auth-setup"), ("POST", "/fp-setup")}  # fmt: skip


@attack("states.every-method-unpaired", limit=60, short=True)
def methods(t):
    """Fresh, between the two messages of pairing, and after a wrong proof: only /info and pairing are served."""
    import plistlib

    from pairing import begin, wrong_proof

    body = plistlib.dumps({"timingProtocol": "PTP", "streams": [{"type": 103, "shk": bytes(32)}]}, fmt=plistlib.FMT_BINARY)
    asked = 0
    for state in ("fresh", "after M1", "after a wrong proof"):
        sender = None
        try:
            for method in METHODS:
                for path in PATHS if not t.is_short else PATHS[2:12:3]:
                    # Each connection is short: a stranger is limited to ten seconds.
                    if sender is None or asked % 60 == 0:
                        if sender:
                            sender.socket.close()
                        sender = Sender(t.attacker, t.rooms.address(VICTIM))
                        if state != "fresh":
                            begin(sender)
                        if state == "after a wrong proof":
                            wrong_proof(sender)
                    asked += 1
                    try:
                        answer = sender.request(method, path, body, TYPE_TLV if "pair" in path else None)
                    except (OSError, ValueError):
                        sender.socket.close()
                        sender = None
                        continue
                    expect(
                        answer.status >= 400 or (method, path) in ALLOWED,
                        f"{state}: {method} {path} is answered with {answer.status} to a stranger",
                    )
        finally:
            if sender:
                sender.socket.close()
    t.note(f"{asked} requests in 3 states")
