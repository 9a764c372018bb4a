"""Tests of the checkers: each gets a planted fault and must report it, and a healthy input and must stay silent."""

import os
import subprocess
import sys
import threading
import time

import numpy as np

from attacks import attack, expect
from listening import RATE
from network import Network
from sender import gets_in
from sound import noise
from watch import Held, Printed, Process, lost_frames, wrong_in

HOLDER = "import sys; a = []\nfor line in sys.stdin:\n exec(line)\n print('done', flush=True)"


class Planted:
    """A process that follows commands."""

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, "-c", HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.tell("pass")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        self.process.stdout.readline()


@attack("checkers.see-a-crash-a-leak-and-open-descriptors", short=True, rooms=False)
def holders(t):
    with Planted() as planted:
        held = Held([Process("planted", planted.process.pid)])
        expect(held.check(0)[0] is None, "a process that holds no more is found at fault")
        planted.tell("a.append(bytearray(b'x' * 8_000_000))")
        expect("MB" in (held.check(0)[0] or ""), "8 MB that stay are not seen")
        planted.tell("a.clear()")
        expect(held.check(5)[0] is None, "memory that was given back is found at fault")
        planted.tell("a.extend(open('/dev/null') for _ in range(9))")
        expect("descriptors" in (held.check(0)[0] or ""), "9 descriptors that stay are not seen")
        planted.process.kill()
        planted.process.wait()
        expect("ended" in (held.check(0)[0] or ""), "a process that has ended is not seen")
    t.note("8 MB, 9 descriptors, an end")


@attack("checkers.see-one-lost-frame", short=True, rooms=False)
def frames(t):
    source = noise(2, seed=5)
    heard = source[1000 : RATE + 1000].copy()
    expect(lost_frames(heard, source, 1000) == 0, "sound without a hole is found at fault")
    hole = heard.copy()
    hole[777] = 0
    expect(lost_frames(hole, source, 1000) == 1, "one silent frame is not seen")
    expect(lost_frames(np.delete(heard, 777, axis=0), source, 1000) > RATE // 2, "one frame left out is not seen")
    expect(lost_frames(np.insert(heard, 777, heard[777], axis=0), source, 1000) > RATE // 2, "one frame too many is not seen")
    t.note("silent, left out, doubled")


@attack("checkers.see-control-characters-secrets-and-traps", short=True, rooms=False)
def printing(t):
    harmful = ["\x1b[2J", "\x07", "\r", "\t", "\x7f", "\x9b2J", "\u202e", "\u2028", "\u2066", "\0"]
    for text in harmful:
        expect(wrong_in(f"a name: {text}!\n".encode()), f"{text!r} is not seen")
    expect(wrong_in("Küche – \U0001f3b5 “x”\n".encode()) is None, "plain text is found at fault")
    expect("secret" in (wrong_in(b"password is hunter2\n", [b"hunter2"]) or ""), "a secret is not seen")
    expect("own" in (wrong_in(b"pairing failed: backOff(seconds: Optional(13))\n") or ""), "an error's own name is not seen")
    expect("crash" in (wrong_in(b"Swift/x.swift:3: Fatal error: Index out of range\n") or ""), "a trap is not seen")
    path = os.path.join(t.folder, "printed")
    with open(path, "w") as file:
        file.write("\x1b old\n")
        file.flush()
        printed = Printed([path])
        expect(printed.check() is None, "text from before is found at fault")
        file.write("new \x1b\n")
    expect(printed.check(), "a control character in what was added is not seen")
    t.note(f"{len(harmful)} characters, a secret, a trap")


@attack("checkers.see-a-speaker-that-lets-nobody-in", short=True, rooms=False)
def deaf(t):
    here = Network(t.attacker.namespace)
    with here.listen(7777) as listener:  # accepts and never answers
        seconds, reason = gets_in(here, "127.0.0.1", within=0.5, port=7777)
        expect(seconds is None and reason, "a speaker that never answers lets a sender in")

        def liar():
            listener.settimeout(3)
            while True:
                try:
                    made, _ = listener.accept()
                except OSError:
                    return
                made.sendall(b"RTSP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n" * 9)

        thread = threading.Thread(target=liar, daemon=True)
        thread.start()
        time.sleep(0.05)
        seconds, reason = gets_in(here, "127.0.0.1", within=0.5, port=7777)
        expect(seconds is None, "a speaker that says 200 to all without a proof lets a sender in")
    t.note("a silent one, one that says 200 to all")
