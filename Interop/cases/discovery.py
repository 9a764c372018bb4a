"""Speakers by name, and their advertised properties."""

import json

import listening
import sound
from cases import KINDS, case, expect
from cases.refusals import good_file


@case("discovery.play-by-name")
def by_name(t):
    source = sound.read_wav(t.sounds.noise("noise-3", 3, seed=8))
    mark = t.lab.mark()
    player = t.play([good_file(t)], (), "--to", t.lab.name(1))
    player.expect_end(within=20)
    t.lab.settle(1)
    result = listening.Finder(source).hear(listening.trim(t.lab.heard(1, mark)))
    expect(len(result.pieces) == 1 and result.pieces[0].count == len(source), f"heard: {result}")


@case("discovery.speakers-lists-all-rooms")
def speakers(t):
    program = t.command("speakers", "--json", "--timeout", "3")
    program.expect_exit(8)
    text = "\n".join(program.lines())
    listed = {}
    for line in program.lines():
        entry = json.loads(line)
        if isinstance(entry.get("name"), str):
            listed[entry["name"]] = entry
    for room in range(1, t.lab.rooms + 1):
        name = t.lab.name(room)
        expect(name in listed, f"{name} is not listed, but {sorted(listed)}")
        expect(t.lab.address(room) in json.dumps(listed[name]), f"no address in {listed[name]}")
    expect("false" in text and "true" in text, f"no abilities are listed: {text[:300]}")
    expect(listed[t.lab.name(1)].get("password") is False, "Room 1 needs no password")
    expect(listed[t.lab.name(3)].get("password") is True, "Room 3 needs a password")


@case("discovery.speakers-in-plain-lines")
def speakers_plain(t):
    program = t.command("speakers", "--timeout", "3")
    program.expect_exit(8)
    text = "\n".join(program.lines())
    for room in (1, 2):
        expect(t.lab.name(room) in text and t.lab.address(room) in text, f"{t.lab.name(room)} is not in: {text[:500]}")


@case("discovery.info")
def info(t):
    program = t.command("info", t.lab.address(1))
    program.expect_exit(8)
    text = "\n".join(program.lines())
    for word in (t.lab.name(1), "PTP", "buffered"):
        expect(word.lower() in text.lower(), f"{word!r} is not in: {text[:500]}")


@case("discovery.info-by-name", lab=KINDS)
def info_by_name(t):
    """A speaker's description with its records; one of AirPlay 1 has nothing but its record."""
    for room, words in ((1, ("buffered, PTP",)), (3, ("AirPlay 1, NTP", "codecs: PCM, ALAC", "encryption: none, RSA"))):
        program = t.command("info", t.lab.name(room))
        program.expect_exit(10)
        text = "\n".join(program.lines())
        for word in words:
            expect(word in text, f"{word!r} is not in: {text[:800]}")
    program = t.command("info", "Cellar")
    program.expect_exit(10, status=66)
    expect("no speaker is called 'Cellar'" in program.stderr(), f"another error: {program.stderr()}")
