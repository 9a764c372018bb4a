"""Stand-ins of two makers' devices in one group, with an ordinary speaker: all in step."""

import json
import time
from dataclasses import dataclass

import numpy as np

import listening
from cases import expect
from cases.standins import noise, standin_case

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


@standin_case("group-of-two-clocks", timeout=90)
def two_clocks(t):
    """A HomePod with OS 27, along its own clock, beside a Sonos and an ordinary speaker, along ours: each is exact, and all in step."""
    standins = {2: t.standin(2, "homepod-alone"), 3: t.standin(3, "sonos")}
    path, source = noise(t, 6)
    mark = t.lab.mark()
    player = t.play_to([path], [*(standin.endpoint for standin in standins.values()), t.lab.endpoint(1)])
    for standin, clock in zip(standins.values(), ("theirs", "ptp")):
        route = player.wait("route", 20, lambda event: event["speaker"] == standin.endpoint)  # noqa: B023
        expect(route["clock"] == clock, f"another clock: {t.plain(route)}")
    player.expect_end(within=36)
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
        heard = finder.hear(place.samples)
        whole = len(heard.pieces) == 1 and heard.pieces[0].count == len(source) and heard.foreign == 0
        expect(whole, f"{place.name} is not whole: {heard}")
        lines[place.name] = float(np.interp(heard.pieces[0].at, place.frames, place.hosts))
    apart = {name: lines[name] - lines[room.name] for name in lines}
    t.note(", ".join(f"{name} {off * 1e6:+.0f} µs" for name, off in apart.items() if name != room.name))
    expect(max(map(abs, apart.values())) < IN_STEP, f"not in step: {json.dumps(apart)}")
