"""Senders that the speaker knows: returning in the middle of floods, and not displaced by strangers."""

import contextlib
import os
import plistlib
import subprocess
import time
import uuid

from attacks import attack, expect
from connections import MANY
from network import attacking, closed_at_once
from pairing import flooding, patient_pair
from player import Player
from rooms import PLAYING, VICTIM
from sender import METHOD, PROOF, PUBLIC_KEY, SALT, STATE, Refused, Sender, gets_in, read_tlv, sealed_packet, tlv
import crypto


@attack("comebacks.session-whose-link-breaks-in-a-flood", limit=60, short=True)
def broken(t):
    """A sender whose link breaks repeatedly resumes its session each time, while two hundred addresses pair."""
    address, session = t.rooms.address(VICTIM), str(uuid.uuid4()).upper()
    key, number = os.urandom(32), 77
    t.attacker.add_addresses(MANY)
    first = [True]

    def come():
        sender = Sender(t.visitor, address, source="10.77.0.3", timeout=3)
        sender.pair()
        sender.setup("Comes back", sessionUUID=session, **({} if first[0] else {"isContinuing": True}))
        answer = sender.stream(shk=key, streamConnectionID=number)
        expect(answer.status == 200, f"the stream is answered with {answer.status}")
        port = answer.plist()["streams"][0]["dataPort"]
        with t.visitor.connect(address, port, "10.77.0.3", timeout=2) as data:
            start = 0 if first[0] else 1000
            data.sendall(b"".join(sealed_packet(key, start + one, one * 352, os.urandom(600), 0x40000, start + one) for one in range(20)))
            time.sleep(0.1)
        first[0] = False
        return sender

    came = come()
    longest, count = 0.0, t.many(10, 6)
    with flooding(t, MANY):
        time.sleep(t.many(4, 0.5))
        for _ in range(count):
            closed_at_once(came.socket)
            begun, last = time.monotonic(), "nothing"
            while True:
                try:
                    came = come()
                    break
                except (OSError, Refused, ValueError) as error:
                    last = str(error)
                expect(time.monotonic() - begun < 4, f"a sender whose link broke does not come back: {last}")
                time.sleep(0.1)
            longest = max(longest, time.monotonic() - begun)
    came.socket.close()
    t.note(f"{count} times back, in {longest:.2f} s at most")


@attack("comebacks.player-whose-link-breaks-in-a-flood", limit=90)
def player(t):
    """`tutti play` loses its connections and its network twice, for 4 s each: no frame is lost."""
    path = t.sounds.noise("hostile-comeback", 45, seed=79)
    t.attacker.add_addresses(MANY)
    mark = t.lab.mark()
    program = t.command("play", path, "--to", f"{t.rooms.address(VICTIM)}:7000", "--json", kind=Player)
    program.wait_ahead(8, within=15)
    with flooding(t, MANY):
        for _ in range(2):
            t.lab.cut("s3")
            # Its connections end, also those that would go on when the network is back.
            subprocess.run(["ip", "netns", "exec", f"{t.lab.prefix}-s3", "ss", "-K", "dst", t.rooms.address(VICTIM)], capture_output=True)
            time.sleep(4)
            t.lab.heal("s3")
            program.wait_ahead(8, within=15, position=program.all("progress")[-1]["position"] + 5)
    program.wait("ended", 40)
    _, _, said = t.ended(program, 5, [0], "the program")
    expect(b"another sender" not in said, "a broken link is blamed on another sender")
    t.heard_whole(VICTIM, path, mark)
    back = said.count(b'"code":"back"')
    expect(back == 2, f"the program came back {back} times: the test has broken nothing")
    t.note(f"{back} times back")


@attack("comebacks.known-sender-among-thousands-of-connections", limit=60)
def crowd(t):
    """As many connections as this machine can make, from two hundred addresses: a former sender gets in."""
    def open_and_hold(number, stop, total):
        held, done = [], 0
        while not stop.is_set():
            try:
                made = t.attacker.connect(t.rooms.address(VICTIM), 7000, MANY[(done * 7 + number) % len(MANY)], timeout=0.3)
                held.append(made)
            except OSError:
                pass
            done += 1
            if len(held) > 200:
                closed_at_once(held.pop(0))
        with total.get_lock():
            total.value += done

    t.attacker.add_addresses(MANY)
    t.plays(VICTIM)
    begun, longest = time.monotonic(), 0.0
    with attacking(open_and_hold, processes=3) as total:
        time.sleep(2)
        for _ in range(8):
            seconds, reason = gets_in(t.visitor, t.rooms.address(VICTIM), source="10.77.0.3")
            expect(seconds is not None, f"a sender that was there before does not get in: {reason}")
            longest = max(longest, seconds)
    t.note(f"{total.value / (time.monotonic() - begun):.0f} connections a second, let in after {longest:.2f} s at most")


@attack("comebacks.volume-of-another-session", limit=30, short=True)
def volume(t):
    """A control-only session requests full volume in a room that another sender plays in."""
    def volume_of(sender):
        answer = sender.request("GET_PARAMETER", sender.uri, b"volume\r\n", "text/parameters")
        return float(answer.body.partition(b":")[2])

    sender, _ = patient_pair(t, PLAYING[0])
    with sender:
        sender.setup("Attacker", "None", isRemoteControlOnly=True)
        before = volume_of(sender)
        wanted = -29.5 if before > -29 else 0.0
        sender.request("SET_PARAMETER", sender.uri, b"volume: %.1f\r\n" % wanted, "text/parameters")
        after = volume_of(sender)
    expect(after == before, f"the volume of another's session is now {after} instead of {before}")
    own, _ = patient_pair(t)
    with own:
        own.setup("Attacker")
        before = volume_of(own)
        for text in (b"0x10", b"0x1p3", b"inf", b"nan", b"1e1", b"--3", b"9" * 400, b""):
            answer = own.request("SET_PARAMETER", own.uri, b"volume: " + text + b"\r\n", "text/parameters")
            expect(answer.status == 400, f"volume: {text[:9].decode()} is answered with {answer.status}")
        expect(volume_of(own) == before, "a volume that is no number changes it")
    t.note(f"the volume stays at {before} dB")


@contextlib.contextmanager
def locked_speaker(t, *options):
    """One more speaker of ours, at the visitor's address."""
    speaker = t.command("speaker", "--output", "null", "--json", *options)
    end = time.monotonic() + 10
    while b'"started"' not in t.said(speaker) and time.monotonic() < end:
        time.sleep(0.05)
    expect(b'"started"' in t.said(speaker), f"no speaker: {t.said(speaker)[-200:]!r}")
    yield speaker
    speaker.close()


@attack("comebacks.rubbish-while-a-pin-is-shown", limit=30, short=True)
def pin(t):
    """A stranger's garbage does not invalidate the PIN that a user is about to type."""
    with locked_speaker(t, "--name", "Pins", "--pin") as speaker:
        with Sender(t.legitimate, "10.77.0.3") as owner:
            owner.request("POST", "/pair-pin-start")
            end = time.monotonic() + 3
            while b'"event":"pin"' not in t.said(speaker) and time.monotonic() < end:
                time.sleep(0.02)
            shown = t.said(speaker).split(b'"pin":"')[1][:4]
            for body in (b"", b"\6", b"\6\1\3", b"\6\1\7", tlv((STATE, b"\1"), (METHOD, b"\x09")), tlv((STATE, b"\1"), (METHOD, b"\0"), (19, b"\x10")),
                         tlv((STATE, b"\5")), os.urandom(300)):  # fmt: skip
                with contextlib.suppress(OSError, ValueError), Sender(t.attacker, "10.77.0.3", timeout=2) as stranger:
                    stranger.pair_setup(body)
            expect(b'"pin":null' not in t.said(speaker), "a stranger's rubbish takes the PIN from the display")
            fields = read_tlv(owner.pair_setup(tlv((STATE, b"\1"), (METHOD, b"\0"))).body)
            expect(SALT in fields, f"the owner gets no challenge: {fields}")
            public, proof, _ = crypto.srp_client(fields[SALT], fields[PUBLIC_KEY], shown)
            said = read_tlv(owner.pair_setup(tlv((STATE, b"\3"), (PUBLIC_KEY, public), (PROOF, proof))).body)
            expect(PROOF in said, f"the PIN that is shown is not taken: {said}")
    t.note("8 pieces of rubbish, and the PIN is taken")


@attack("comebacks.owner-of-a-password-behind-a-guesser", limit=30, short=True)
def owner(t):
    """A password guesser locks out only itself."""
    word = "open-sesame-4712"
    t.secrets.append(word.encode())
    with locked_speaker(t, "--name", "Mine", "--password", word):
        # Four addresses, so that the budget for strangers does not slow the guesses down.
        t.attacker.add_addresses(MANY[:4])
        tried = 0
        for number in range(t.many(80, 24)):
            with contextlib.suppress(OSError, ValueError), Sender(t.attacker, "10.77.0.3", source=MANY[number % 4], timeout=2) as sender:
                fields = read_tlv(sender.pair_setup(tlv((STATE, b"\1"), (METHOD, b"\0"))).body)
                if SALT in fields:
                    public, proof, _ = crypto.srp_client(fields[SALT], fields[PUBLIC_KEY], b"wrong")
                    fields = read_tlv(sender.pair_setup(tlv((STATE, b"\3"), (PUBLIC_KEY, public), (PROOF, proof))).body)
                    expect(PROOF not in fields, "a wrong password is taken")
                    tried += 1
        expect(tried > 10, f"only {tried} guesses were looked at")
        with Sender(t.legitimate, "10.77.0.3", timeout=5) as sender:
            begun = time.monotonic()
            try:
                sender.pair(word.encode())
            except Refused as refused:
                expect(False, f"the owner is locked out by a guesser: {refused}")
    t.note(f"{tried} guesses; the owner was in after {time.monotonic() - begun:.2f} s")


def titles(t):
    """Titles in bytes, as long as a message may be."""
    def item(code, data):
        return code + len(data).to_bytes(4, "big") + data

    return item(b"mlit", item(b"minm", b"x" * 30_000) + item(b"asar", b"\xe2\x80\xae" * 9_000))


@attack("comebacks.titles-without-end", limit=40, short=True)
def flood_of_titles(t):
    """Titles of 60 kB as fast as they go: logs and pipes grow by a few lines a second."""
    log = t.lab.file(VICTIM, "speaker.json")
    before = os.path.getsize(log)
    sender, _ = patient_pair(t)
    count, seconds = 0, t.many(6, 1)
    with sender:
        sender.setup("Attacker")
        body, end = titles(t), time.monotonic() + seconds
        now_playing = plistlib.dumps({"type": "updateMRNowPlayingInfo", "params": {"params": {
            "kMRMediaRemoteNowPlayingInfoTitle": "e" + "\u0301" * 20_000}}}, fmt=plistlib.FMT_BINARY)  # fmt: skip
        while time.monotonic() < end:
            sender.request("SET_PARAMETER", sender.uri, body, "application/x-dmap-tagged", [("RTP-Info", "rtptime=1")])
            sender.request("POST", "/command", now_playing, "application/x-apple-binary-plist")
            count += 2
        time.sleep(0.3)
    grown = os.path.getsize(log) - before
    expect(grown < 60_000 + 40_000 * seconds, f"{count} titles make the log grow by {grown >> 10} KB in {seconds} s")
    t.note(f"{count} titles, {grown >> 10} KB of log")
