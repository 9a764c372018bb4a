"""pyatv, an independent sender, from PyPI: it finds our speaker, and its audio plays frame by frame."""

import os
import subprocess

import environments
import listening
import sound
from cases import OURS, PASSWORD, PROGRAM, case, expect
from cases.content import expect_whole
from cases.standins import STANDINS
from lab import Receivers
from player import Failed

# Versions that are known to work together: a later srptools may pair differently.
PACKAGES = ("pyatv==0.18.0", "srptools==1.0.1")


def programs():
    """The folder of pyatv's programs."""
    return environments.programs("pyatv", *PACKAGES)


def atvremote(t, *arguments, within=60):
    command = t.lab.sender_command(os.path.join(programs(), "atvremote"), *arguments)
    environment = dict(os.environ, HOME=t.folder)
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=within, stdin=subprocess.DEVNULL, env=environment
        )
    except subprocess.TimeoutExpired as expired:
        raise Failed(f"atvremote {arguments[-1]} did not end: {expired.stdout or b''!r}") from expired
    return done.stdout + done.stderr


def scan(t, room):
    """pyatv's description of a room, and its identifier for it.

    By multicast: a unicast answer has no room for an AirPlay 2 record."""
    said = atvremote(t, "scan")
    found = [part for part in said.split("       Name: ")[1:] if part.startswith(t.lab.name(room) + "\n")]
    expect(found, f"pyatv did not find the speaker: {said[-500:]}")
    lines = [line.strip(" -") for line in found[0].splitlines()]
    names = [lines[at + 1] for at, line in enumerate(lines) if line == "Identifiers:" and at + 1 < len(lines)]
    expect(names, f"pyatv gives no identifier: {said[-500:]}")
    return found[0], names[0]


@case("speaker.pyatv-scans-and-plays", lab=OURS, timeout=120)
def scans_and_plays(t):
    source = t.sounds.noise("noise-8", 8, seed=6)
    _, name = scan(t, 1)
    mark = t.lab.mark()
    said = atvremote(t, "--id", name, f"stream_file={source}")
    t.lab.settle(1)
    heard = listening.trim(t.lab.heard(1, mark))
    expect(len(heard) > 0, f"the speaker played nothing; pyatv printed: {said[-800:]}")
    source = sound.read_wav(source)
    expect_whole(heard, source, "what pyatv played")


PIN = Receivers(1, speaker=PROGRAM, offset_step=1000, arguments=("--pin",))


def pair_and_play(t, address, secret, source, within=60):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab", "pyatv-pair.py")
    command = t.lab.sender_command(
        os.path.join(programs(), "python"), script, address, secret, source
    )
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=within, stdin=subprocess.DEVNULL,
            env=dict(os.environ, HOME=t.folder),
        )
    except subprocess.TimeoutExpired as expired:
        raise Failed(f"pairing did not end: {expired.stdout or b''!r}") from expired
    return done.returncode, done.stdout + done.stderr


def expect_paired_sound(t, room, secret):
    source = t.sounds.noise("noise-5", 5, seed=8)
    mark = t.lab.mark()
    code, said = pair_and_play(t, t.lab.address(room), secret, source)
    expect(code == 0 and "played" in said, f"pyatv did not pair and play: {said[-800:]}")
    t.lab.settle(1)
    heard = listening.trim(t.lab.heard(room, mark))
    expect(len(heard) > 0, "the speaker played nothing")
    expect_whole(heard, sound.read_wav(source), "what pyatv played after pairing")


@case("speaker.pyatv-pairs-with-the-pin", lab=PIN, timeout=120)
def pairs_with_the_pin(t):
    expect_paired_sound(t, 1, "@" + t.lab.file(1, "speaker.json"))


@case("standins.apple-tv-3-lets-pyatv-in", lab=STANDINS, timeout=120)
def old_apple_tv(t):
    """The stand-in of an Apple TV before HomeKit, which our sender pairs with, is one for a program of others, too."""
    standin = t.standin(2, "apple-tv-3", name="Old TV")
    source = t.sounds.noise("noise-5", 5, seed=8)
    code, said = pair_and_play(t, standin.address, f"@{standin.stderr_path}.events", source)
    expect(code == 0 and "played" in said, f"pyatv did not pair and play: {said[-800:]}")
    standin.settle()
    expect_whole(standin.heard(), sound.read_wav(source), "what pyatv played after pairing")


@case("speaker.pyatv-pairs-with-the-password", lab=OURS, timeout=120)
def pairs_with_the_password(t):
    expect_paired_sound(t, 3, PASSWORD)


@case("speaker.pyatv-without-the-password-is-refused-at-once", lab=OURS, timeout=120)
def refused_without_password(t):
    source = t.sounds.noise("noise-5", 5, seed=8)
    code, said = pair_and_play(t, t.lab.address(3), "close-sesame", source, within=30)
    expect(code != 0 and "played" not in said, "a wrong password was accepted")
    _, name = scan(t, 3)
    said = atvremote(t, "--id", name, f"stream_file={source}", within=30)
    expect("470" in said or "Authentic" in said, f"pyatv got no reason: {said[-400:]}")
