"""Pairing attacks: floods, impossible public keys, replays, truncated and mutated frames."""

import contextlib
import os
import random
import struct
import threading
import time

import crypto
from attacks import attack, expect
from connections import MANY, meanwhile
from network import attacking, closed_at_once
from rooms import PLAYING, VICTIM
from sender import ERROR, M1, METHOD, PROOF, PUBLIC_KEY, SALT, STATE, TYPE_TLV, Sender, read_tlv, tlv
from watch import wrong_in


def begin(sender):
    """Sends message 1; the challenge, or {} if the speaker is busy."""
    return read_tlv(sender.pair_setup(M1).body)


def wrong_proof(sender):
    return sender.pair_setup(tlv((STATE, b"\3"), (PUBLIC_KEY, os.urandom(384)), (PROOF, os.urandom(64))))


def patiently_begun(t, room=VICTIM):
    """A connection with a challenge: the speaker limits its computation for strangers."""
    end = time.monotonic() + 12
    while True:
        sender = Sender(t.attacker, t.rooms.address(room))
        challenge = begin(sender)
        if SALT in challenge:
            return sender, challenge
        sender.socket.close()
        expect(time.monotonic() < end, "a stranger gets no challenge for 12 s")
        time.sleep(0.5)


@attack("pairing.impossible-public-keys", limit=60, short=True)
def impossible(t):
    keys = {"0": b"\0" * 384, "N": crypto._bytes(crypto.N), "2N": crypto._bytes(2 * crypto.N), "nothing": b"",
            "one byte of 0": b"\0", "N, padded": b"\0" * 16 + crypto._bytes(crypto.N)}  # fmt: skip
    for name, key in keys.items():
        if t.is_short and name not in ("0", "N"):
            continue
        sender, challenge = patiently_begun(t)
        with sender:
            # With such a key the shared secret is 0, whatever the password.
            shared = crypto._hash(crypto._bytes(0))
            a, b = crypto._number(key), crypto._number(challenge[PUBLIC_KEY])
            for proof in (crypto._proof(challenge[SALT], a, b, shared), crypto._proof(challenge[SALT], a, b, crypto._hash(b""))):
                answer = sender.pair_setup(tlv((STATE, b"\3"), (PUBLIC_KEY, key), (PROOF, proof)))
                fields = read_tlv(answer.body)
                expect(PROOF not in fields, f"a public key of {name} is taken")
                expect(answer.status >= 400 or ERROR in fields, f"a public key of {name} is answered without an error")
                break
    t.note(f"A = {', '.join(list(keys)[: 2 if t.is_short else None])} refused")


def flood(t, sources, seconds):
    """A flood of pairing, with a legitimate sender in its midst."""
    with flooding(t, sources):
        time.sleep(seconds)
        meanwhile(t)
        meanwhile(t, PLAYING[0])


@contextlib.contextmanager
def flooding(t, sources):
    """Endless first and third messages from many connections."""
    def one(number, stop, total):
        dice, done = random.Random(number), 0
        while not stop.is_set():
            try:
                with Sender(t.attacker, t.rooms.address((PLAYING[0], VICTIM)[number % 2]), source=dice.choice(sources), timeout=2) as sender:
                    for _ in range(20):
                        begin(sender)
                        wrong_proof(sender)
                        done += 2
                    closed_at_once(sender.socket)
            except (OSError, ValueError):
                pass
        with total.get_lock():
            total.value += done

    def several(number, stop, total):
        threads = [threading.Thread(target=one, args=(2 * step + number, stop, total), daemon=True) for step in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    with attacking(several, processes=2) as total:
        yield
    t.note(f"{total.value} messages of pairing")


@attack("pairing.flood-from-one-address", limit=60, short=True)
def flood_one(t):
    flood(t, [None], t.many(6, 2))


@attack("pairing.flood-from-many-addresses", limit=60)
def flood_many(t):
    t.attacker.add_addresses(MANY)
    flood(t, MANY, 6)


@attack("pairing.rubbish-in-every-field", limit=60)
def fields(t):
    dice = random.Random(3)
    bodies = [b"", b"\6", b"\6\1", b"\6\1\3", M1 * 300, b"\6\xff" + b"\1" * 255 + b"\6\xff" + b"\1" * 255, tlv((STATE, b"\1"), (METHOD, b"\xff" * 9)),
              tlv((STATE, b"\5")), tlv((STATE, b"\1"), (METHOD, b"\0"), (19, b"\xff" * 8)), os.urandom(8000)]  # fmt: skip
    bodies += [bytes(dice.randrange(256) for _ in range(dice.randrange(200))) for _ in range(100)]
    for path in ("/pair-setup", "/pair-verify", "/pair-pin-start", "/pair-add", "/auth-setup", "/fp-setup"):
        for body in bodies:
            try:
                with Sender(t.attacker, t.rooms.address(VICTIM), timeout=2) as sender:
                    expect(PROOF not in read_tlv(sender.request("POST", path, body, TYPE_TLV).body), f"{path}: rubbish gets a proof")
            except (OSError, ValueError):
                pass
    t.note(f"{6 * len(bodies)} bodies")


@attack("pairing.guesses-at-a-password", limit=40)
def guesses(t):
    """One more speaker, with a password: guesses from many connections are slowed down, and reveal nothing."""
    word = "open-sesame-4711"
    t.secrets.append(word.encode())
    speaker = t.command("speaker", "--name", "Locked", "--output", "null", "--password", word)
    end, tried, answers = time.monotonic() + t.many(10, 2.5), 0, {}
    while not t.said(speaker) and time.monotonic() < end:
        time.sleep(0.05)
    while time.monotonic() < end:
        try:
            with Sender(t.attacker, "10.77.0.3") as sender:
                fields = begin(sender)
                for guess in (b"3939", b"0000", b"open-sesame", b""):
                    if SALT not in fields:
                        break
                    public, proof, _ = crypto.srp_client(fields[SALT], fields[PUBLIC_KEY], guess)
                    said = read_tlv(sender.pair_setup(tlv((STATE, b"\3"), (PUBLIC_KEY, public), (PROOF, proof))).body)
                    expect(PROOF not in said, f"the password {guess} is taken")
                    tried += 1
                    answers[said.get(ERROR, b"").hex()] = answers.get(said.get(ERROR, b"").hex(), 0) + 1
                    fields = begin(sender)
        except (OSError, ValueError):
            pass
        time.sleep(0.05)
    expect(0 < tried < 60, f"{tried} guesses were taken")
    problem = wrong_in(t.said(speaker), t.secrets)
    expect(problem is None, f"the speaker printed {problem}")
    t.note(f"{tried} guesses refused")


@attack("pairing.replayed-and-cut-frames", limit=60, short=True)
def frames(t):
    """After pairing: a session's bytes again on a new connection, a frame repeated, mutated, truncated, too long, in the clear."""

    def frame(sender):
        return sender.channel.seal(sender.encoded("GET", "/info"))

    first, _ = patient_pair(t)
    with first:
        recorded = frame(first)
        first.socket.sendall(recorded)
        expect(first.receive().status == 200, "an encrypted request is not answered")
        first.socket.sendall(recorded)
        expect(first.is_closed(3), "a frame that comes twice does not end the connection")
    changed = bytearray(recorded)
    changed[20] ^= 1
    ways = {"replayed from another session": recorded, "changed": bytes(changed), "in the clear": b"GET /info RTSP/1.0\r\n\r\n" * 3,
            "longer than a block": struct.pack("<H", 65535) + os.urandom(65535 + 16), "empty": struct.pack("<H", 0) + os.urandom(16)}  # fmt: skip
    for name, data in list(ways.items())[: 2 if t.is_short else None]:
        sender, _ = patient_pair(t)
        with sender:
            try:
                sender.socket.sendall(data)
            except OSError:
                continue
            expect(sender.is_closed(3), f"a frame {name} does not end the connection")
    if not t.is_short:
        sender, _ = patient_pair(t)
        with sender:
            sender.socket.sendall(frame(sender)[:40])  # truncated; the rest never arrives
            expect(not sender.is_closed(1), "half a frame ends the connection at once")
    t.note("a frame twice, from another session, changed, cut")


def patient_pair(t, room=VICTIM, **options):
    """A paired connection; retries for 12 s."""
    end = time.monotonic() + 12
    while True:
        try:
            sender = Sender(t.attacker, t.rooms.address(room), **options)
            return sender.pair(), sender.secret
        except Exception:
            if time.monotonic() > end:
                raise
            time.sleep(0.5)
