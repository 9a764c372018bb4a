"""Pairing that lasts, as a sender: with our speaker's PIN and password, and with pyatv's accessory."""

import json
import os
import stat
import time

import sound
from cases import OURS, PASSWORD, case, expect
from cases.content import expect_whole
from cases.pyatv import PIN, programs
from cases.refusals import NO_ACCESS, NOT_FOUND, UNAVAILABLE, good_file, refused
from player import Failed
from stage import Command
import listening


def shown_pin(t, room, after=0, within=10):
    """The PIN that a speaker shows, and how many it has shown and hidden by then."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        with open(t.lab.file(room, "speaker.json")) as file:
            pins = [json.loads(line)["pin"] for line in file if '"event":"pin"' in line.replace(" ", "")]
        if len(pins) > after and pins[-1]:
            return pins[-1], len(pins)
        time.sleep(0.05)
    raise Failed("the speaker shows no PIN")


def pair_with_shown_pin(t, word):
    with open(t.lab.file(1, "speaker.json")) as file:
        before = sum('"event":"pin"' in line.replace(" ", "") for line in file)
    program = t._start(Command, "pair", word, "--json")
    asked = program.wait("pin-needed", 20)
    pin, _ = shown_pin(t, 1, before)
    program.send(pin)
    paired = program.wait("paired", 20)
    program.expect_exit(5, 0)
    expect(paired["speaker"] == t.lab.name(1), f"another name: {t.plain(paired)}")
    expect(pin not in program.stderr(), "the PIN is in the output")
    return asked, paired


def list_paired(t):
    program = t.command("paired", "--json")
    program.expect_exit(5, 0)
    return [json.loads(line) for line in program.lines()]


def expect_pin_needed(t, room=1):
    player = t.play([good_file(t)], (room,))
    error = player.wait("error", 20)
    expect(error["code"] == "pin-needed", f"another error: {t.plain(error)}")
    expect("tutti pair" in error["message"], f"no command: {t.plain(error)}")
    player.expect_exit(10, NO_ACCESS)


def expect_sound(t, room=1):
    source = t.sounds.noise("noise-3", 3, seed=8)
    mark = t.lab.mark()
    player = t.play([good_file(t)], (room,))
    player.expect_end(within=25)
    t.lab.settle(1)
    expect_whole(listening.trim(t.lab.heard(room, mark)), sound.read_wav(source), "after pairing")


@case("pairing.pair-play-unpair", lab=PIN, timeout=120)
def whole_life(t):
    expect_pin_needed(t)
    # By name: the name is what a message tells the user to type.
    _, paired = pair_with_shown_pin(t, t.lab.name(1))
    listed = list_paired(t)
    expect([one["id"] for one in listed] == [paired["id"]], f"listed: {listed}")
    file = os.path.join(t.folder, "state", "data", "tutti", "pairings.json")
    mode = stat.S_IMODE(os.stat(file).st_mode)
    expect(mode == 0o600, f"the file has mode {mode:o}")
    # Two programs, one after the other: each is verified anew.
    expect_sound(t)
    expect_sound(t)
    gone = t._start(Command, "unpair", t.lab.name(1), "--json")
    event = gone.wait("unpaired", 20)
    expect(event["told"], f"the speaker could not be notified: {t.plain(event)}")
    gone.expect_exit(5, 0)
    expect(list_paired(t) == [], "still listed")
    expect_pin_needed(t)


@case("pairing.again-by-address-replaces", lab=PIN, timeout=120)
def again(t):
    word = f"{t.lab.address(1)}:7000"
    _, first = pair_with_shown_pin(t, word)
    _, second = pair_with_shown_pin(t, word)
    expect(first["id"] == second["id"] and len(list_paired(t)) == 1, f"listed: {list_paired(t)}")
    expect_sound(t)
    gone = t.command("unpair", word)
    gone.expect_exit(20, 0)
    expect(list_paired(t) == [], "still listed")


@case("pairing.a-wrong-pin", lab=PIN, timeout=60)
def wrong_pin(t):
    word = f"{t.lab.address(1)}:7000"
    refused(t, ["pair", word, "--pin", "0000"], NO_ACCESS, ["the PIN is not the one"], within=20)
    refused(t, ["unpair", word], NOT_FOUND, ["paired"], within=20)
    # The next PIN is taken at once.
    pair_with_shown_pin(t, word)
    t.command("unpair", word).expect_exit(20, 0)


@case("pairing.a-user-who-types-slowly", lab=PIN, timeout=90)
def slowly(t):
    """The speaker closes a connection on which nobody pairs for 10 s; its PIN is valid for minutes."""
    program = t._start(Command, "pair", f"{t.lab.address(1)}:7000", "--json")
    program.wait("pin-needed", 20)
    pin, _ = shown_pin(t, 1)
    time.sleep(13)
    program.send(pin)
    program.wait("paired", 20)
    program.expect_exit(5, 0)
    t.command("unpair", f"{t.lab.address(1)}:7000").expect_exit(20, 0)


@case("pairing.with-a-password-the-speaker-needs-it-once", lab=OURS, timeout=90)
def password(t):
    word = f"{t.lab.address(3)}:7000"
    t.command("pair", word, "--pin", PASSWORD).expect_exit(20, 0)
    expect_sound(t, 3)
    t.command("unpair", word).expect_exit(20, 0)
    refused(t, ["play", good_file(t), "--to", word], NO_ACCESS, ["password"], within=20)


@case("pairing.nothing-to-pair-with", timeout=60)
def nothing(t):
    """shairport-sync pairs transiently only."""
    refused(t, ["pair", f"{t.lab.address(1)}:7000", "--pin", "1234"], NO_ACCESS, ["pair"], within=20)
    refused(t, ["pair", "10.77.0.11:7999", "--pin", "1234"], UNAVAILABLE, ["does not answer"], within=20)
    refused(t, ["pair", f"{t.lab.address(1)}:7000"], 2, ["--pin"], within=20)
    expect(list_paired(t) == [], "something is paired")


@case("pairing.pyatv-accessory-pairs-verifies-and-unpairs", lab=PIN, timeout=90)
def pyatv_accessory(t):
    """pyatv's accessory, which its proxy shows to Apple devices: pair-setup, pair-verify, and an encrypted request."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab", "pyatv-speaker.py")
    python = os.path.join(programs(), "python")
    accessory = t._run(Command, [python, script, "127.0.0.1", "7100", "1111"])
    accessory.wait("ready", 30)
    refused(t, ["pair", "127.0.0.1:7100", "--pin", "2222"], NO_ACCESS, ["the PIN is not the one"], within=20)
    t.command("pair", "127.0.0.1:7100", "--pin", "1111").expect_exit(20, 0)
    listed = list_paired(t)
    expect([(one["name"], one["id"]) for one in listed] == [("Python", "ff:ee:dd:cc:bb:aa")], f"listed: {listed}")
    gone = t._start(Command, "unpair", "127.0.0.1:7100", "--json")
    event = gone.wait("unpaired", 20)
    expect(event["told"], f"the accessory was not told: {t.plain(event)}")
    gone.expect_exit(5, 0)
    accessory.wait("removed", 5)
    requests = accessory.all("request")
    pairing = [request for request in requests if request["path"].startswith("/pair")]
    for request in pairing:
        expect(request["agent"] and request["client"] and request["kind"] == "3", f"headers are missing: {request}")
    last = pairing[-1]
    expect(last["path"] == "/pair-remove" and last["encrypted"], f"the last request: {last}")
