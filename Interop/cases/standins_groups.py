"""Stand-ins of several makers' devices in one group, with an ordinary speaker: all in step."""

import json
import time
from dataclasses import dataclass

import numpy as np

import listening
from cases import expect
from cases.standins import noise, standin_case
from listening import RATE

IN_STEP = 1e-3  # seconds between rooms


@dataclass
class Place:
    """A speaker of a group: what it has played, and when."""

    name: str
    samples: np.ndarray
    frames: np.ndarray
    hosts: np.ndarray


def place_of(standin, number):
    with open(standin.file + ".times") as file:
        pairs = [line.split() for line in file if line.endswith("\n") and line[:1].isdigit()]
    frames, hosts = np.array([(int(at), int(host)) for at, host in pairs], dtype=np.float64).T
    samples = listening.read_raw(standin.file, skip_bytes=44)
    return Place(standin.name, samples, frames, hosts / 1e9 - 1000 * number)


def group(t, standins, *options, late=(), seconds=6, mute=()):
    """Plays to stand-ins, by node number, and to room 1: each is exact and in step; those in `late` may lack their beginning."""
    path, source = noise(t, seconds)
    mark = t.lab.mark()
    to = [standin.endpoint for standin in standins.values()]
    player = t.play_to([path], [*to, t.lab.endpoint(1)], *options)
    player.expect_end(within=30 + seconds)
    t.lab.settle(1)
    for standin in standins.values():
        standin.settle()
    time.sleep(1.1)  # the devices note their times each second
    frames, hosts = t.lab.play_times(1)
    skipped = mark[1] // 4
    room = Place("the ordinary room", t.lab.heard(1, mark), frames - skipped, hosts)
    finder = listening.Finder(source)
    lines = {}
    for place in [room, *(place_of(standin, number) for number, standin in standins.items())]:
        if place.name in mute:
            expect(not place.samples.any(), f"{place.name} is heard")
            continue
        heard = finder.hear(place.samples)
        expect(len(heard.pieces) == 1 and heard.foreign == 0, f"{place.name}: {heard}")
        piece = heard.pieces[0]
        expect(piece.end == len(source), f"{place.name} not to the end: {heard}")
        expect(piece.start == 0 or place.name in late, f"{place.name} lacks its beginning: {heard}")
        lines[place.name] = float(np.interp(piece.at, place.frames, place.hosts)) - piece.start / RATE
    apart = {name: lines[name] - lines[room.name] for name in lines}
    worst = max(apart.values(), key=abs)
    t.note(", ".join(f"{name} {off * 1e6:+.0f} µs" for name, off in apart.items() if name != room.name))
    expect(abs(worst) < IN_STEP, f"not in step: {json.dumps(apart)}")
    return player


@standin_case("group-of-buffered-ones", timeout=90)
def buffered_group(t):
    """Sonos, JBL and Samsung with an ordinary speaker: the refused anchor is made up on the line of the others."""
    standins = {2: t.standin(2, "sonos"), 3: t.standin(3, "jbl"), 4: t.standin(4, "samsung")}
    group(t, standins, late=(standins[3].name,))


@standin_case("group-of-realtime-ones", timeout=90)
def realtime_group(t):
    """Sony with NTP, HomePod, Edifier on the realtime stream and Marantz by AirPlay 1, with an ordinary buffered speaker."""
    standins = {place: t.standin(place, family) for place, family in enumerate(("sony", "homepod", "edifier", "denon"), 2)}
    group(t, standins, "--stream", f"{standins[4].endpoint}=realtime")


@standin_case("group-of-two-clocks", timeout=90)
def two_clocks(t):
    """A HomePod with OS 27, along its own clock, beside a Sonos and an ordinary speaker, along ours."""
    group(t, {2: t.standin(2, "homepod-alone"), 3: t.standin(3, "sonos")})


@standin_case("group-with-odd-ones", timeout=90)
def odd_group(t):
    """Wrong numbers, bursts, and one that stays silent: the others do not suffer."""
    standins = {2: t.standin(2, "negative-ports", "wrong-cseq"), 3: t.standin(3, "reads-in-bursts"), 4: t.standin(4, "stays-silent")}
    group(t, standins, mute=(standins[4].name,))
