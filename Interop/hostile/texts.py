"""Names, titles and artwork of paired senders: escape sequences, artwork of 100 MB, and their printed form."""

import os
import struct
import time

from attacks import attack, expect
from paired import Sessions, still_answers
from sender import Sender
from stage import Command
from watch import wrong_in

HARMFUL = (
    "\x1b[2J\x1b]0;owned\x07", "\x9b31m\x90q\x9c", "line\nbreak\rback\ttab", "\u202egnirts\u202c\u2066x\u2069", "\u2028\u2029\x85",
    "\x00end", "\x7f\x08\x08", "é" + "\u0301" * 5000, "%n%s%@", '"},{"event":"fake"', "\ud83c\udfb5", "\ufeff\ufffe", "x" * 5000,
)  # fmt: skip


def dmap(title):
    def item(code, data):
        return code + struct.pack("!I", len(data)) + data

    text = title.encode("utf-8", "surrogatepass")
    return item(b"mlit", b"".join(item(code, text) for code in (b"minm", b"asar", b"asal", b"asgn")))


def say(t, sender, text):
    try:
        text.encode()
    except UnicodeEncodeError:
        text = "surrogate"
    sender.setup(text, model=text, osName=text, sessionUUID=text)
    headers = [("RTP-Info", "rtptime=1")]
    sender.request("SET_PARAMETER", sender.uri, dmap(text), "application/x-dmap-tagged", headers)
    params = {f"kMRMediaRemoteNowPlayingInfo{name}": text for name in ("Title", "Artist", "Album", "Genre")}
    sender.plist("POST", "/command", {"type": "updateMRNowPlayingInfo", "params": {"params": params}})


@attack("texts.escape-sequences-in-names-and-titles", limit=60, short=True)
def escapes(t):
    """To a speaker that prints JSON, and to one that prints lines for people."""
    with Sessions(t) as sessions:
        for text in HARMFUL:
            try:
                say(t, sessions.get(), text)
            except OSError:
                sessions.lost()
    speaker = t.command("speaker", "--name", "Plain \x1b[31m speaker", "--output", "null", kind=Command)
    end = time.monotonic() + 10
    while not t.said(speaker) and time.monotonic() < end:
        time.sleep(0.05)
    seen = 0
    for text in HARMFUL[:: 4 if t.is_short else 1]:
        try:
            with Sender(t.attacker, "10.77.0.3") as sender:
                say(t, sender.pair(), text)
                seen += 1
        except Exception:
            time.sleep(0.6)
    said = t.said(speaker)
    expect(seen and b"plays here" in said, f"the speaker for people told of no sender: {said[-200:]!r}")
    problem = wrong_in(said)
    expect(problem is None, f"the speaker for people printed {problem}")
    t.note(f"{len(HARMFUL)} texts in 9 fields")


@attack("texts.pictures-of-100-mb", limit=90, short=True)
def pictures(t):
    """Artwork announced and sent with 100 MB; and artwork of the largest accepted size, repeatedly."""
    with Sessions(t) as sessions:
        sender = sessions.get()
        head = sender.encoded("SET_PARAMETER", sender.uri, b"", "image/jpeg", [("Content-Length", str(100 << 20)), ("RTP-Info", "rtptime=1")])
        piece, ended = sender.channel.seal(head + b"\xff\xd8\xff" + os.urandom(256 << 10)), False
        try:
            sender.socket.sendall(piece)
            for _ in range(t.many(100, 8)):
                sender.socket.sendall(sender.channel.seal(os.urandom(1 << 20)))
        except OSError:
            ended = True
        expect(ended, "a picture of 100 MB is taken")
        sessions.lost()
        count = 0
        for size in (1 << 20, (2 << 20) - 9, 3 << 20)[: 3 if not t.is_short else 1] * t.many(8, 2):
            sender = sessions.get()
            try:
                body = b"\xff\xd8\xff\xe0" + os.urandom(size)
                sender.request("SET_PARAMETER", sender.uri, body, "image/jpeg", [("RTP-Info", "rtptime=1")])
                still_answers(sender, "a picture")
                count += 1
            except OSError:
                sessions.lost()
        t.note(f"100 MB refused; {count} pictures taken or refused in words")

