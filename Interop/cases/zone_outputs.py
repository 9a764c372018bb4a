"""A zone as an output of the desktop: what a program plays there is heard in the zone's rooms, and the keyboard's keys move their volume."""

import os
import shutil
import statistics
import subprocess
import time

import numpy as np

import listening
import sound
from cases import OURS, expect
from cases.sinks import sinks_case
from house import House
from lab.processes import until
from listening import RATE
from player import Skipped

ZONE = "Garden"
DEFAULT = "@DEFAULT_SINK@"  # the name by which volume keys move the output that is chosen
PLAYERS = {"PulseAudio": "paplay", "PipeWire": "pw-play"}
NEAR = 0.6  # percent, between a slider's steps and ours
STARTS = 3.0  # seconds of the first sound, in which the rooms connect
WIDTH = 8192  # frames to find a place of the source by
SHIFT = 441  # frames by which a place may differ: servers follow clocks
ALIKE = 0.98


class Desk:
    """A desktop's sound server and a house on it, whose zone is one of its outputs."""

    def __init__(self, t, server):
        if shutil.which(PLAYERS[server.kind]) is None:
            raise Skipped(f"no {PLAYERS[server.kind]}: apt-get install pulseaudio-utils pipewire-bin")
        self.t, self.server = t, server
        # Not noise, which is another one after PipeWire's change of its rate by a part of a frame.
        source = t.sounds.music("zone-output-15", 15, seed=320)
        self.path, self.source = source, sound.read_wav(source)
        address = f"unix:{server.folder}/pulse/native"
        self.house = House(
            t, TUTTI_INPUTS_DESKTOP=ZONE, TUTTI_INPUTS_SERVER=address, XDG_RUNTIME_DIR=server.folder, PULSE_SERVER=address
        )
        self.rooms = self.house.rooms(1, 2)
        self.zone = self.house.post("/zones", {"name": ZONE, "rooms": self.rooms})["zone"]
        self.name = f"tutti.{self.zone}"

    def wait_output(self, within=20):
        """Returns when the output is there, and chosen as the desktop's."""
        expect(until(lambda: self.server.sink(self.name), within), f"the zone is no output of {self.server.kind} within {within} s")
        title = self.server.sink(self.name)["description"]
        expect(title == ZONE, f"the output is called {title!r}")
        self.server.pactl("set-default-sink", self.name)
        expect(until(lambda: self.server.pactl("get-default-sink").strip() == self.name, 5), "the output cannot be chosen")
        time.sleep(1.2)  # the volume of the first second is the server's memory, and no wish of a user

    def outputs(self):
        """The names of our outputs."""
        listed = self.server.pactl("list", "short", "sinks").splitlines()
        return [line.split("\t")[1] for line in listed if line.split("\t")[1].startswith("tutti")]

    def play(self):
        """A program that plays to the chosen output."""
        return subprocess.Popen(
            [PLAYERS[self.server.kind], self.path], env=self.server.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip

    def volumes(self):
        rooms = {room["id"]: room.get("volume") for room in self.house.get("/house")["rooms"]}
        return [rooms[room] for room in self.rooms]

    def wait_volumes(self, what, *wanted):
        def are_there():
            found = self.volumes()
            return None not in found and all(abs(one - other) < NEAR for one, other in zip(found, wanted))

        expect(until(are_there, 6), f"{what}: the rooms have {self.volumes()} instead of {wanted}")

    def wait_slider(self, what, percent):
        expect(until(lambda: self.server.percent(self.name) == percent, 6), f"{what}: the slider shows {self.server.percent(self.name)} %, not {percent} %")

    def set_room(self, number, percent):
        self.house.put(f"/rooms/{self.rooms[number - 1]}/volume", {"percent": percent})

    def press(self, *words):
        """A key of a keyboard: +5%, -5%, or mute."""
        command = "set-sink-mute" if words == ("toggle",) else "set-sink-volume"
        self.server.pactl(command, DEFAULT, *words)

    def expect_heard(self, mark, what):
        """Each room plays the program's sound without a gap, but for the beginning in which the rooms connect."""
        told = []
        for room in (1, 2):
            self.t.lab.settle(room)
            heard, name = listening.trim(self.t.lab.heard(room, mark)), self.t.lab.name(room)
            seconds = len(heard) / RATE
            expect(seconds > len(self.source) / RATE - STARTS, f"{what}: {name} plays {seconds:.2f} s of {len(self.source) / RATE:g} s")
            places = range(RATE // 2, len(heard) - WIDTH, RATE // 2)
            offsets = [listening.locate(heard, self.source, at, width=WIDTH).offset for at in places]
            offset = int(statistics.median(offsets))
            alike = [self.likeness(heard, at, offset) for at in places]
            # A step of the volume is in some of these pieces.
            found = [(round(one, 3), int(place - offset)) for one, place in zip(alike, offsets)]
            expect(min(alike) > ALIKE, f"{what}: {name} plays something else, or has a gap: likeness, frames from the usual place {found}")
            told.append(f"{seconds:.1f} s")
        return told

    def likeness(self, heard, at, offset):
        """The likeness of a piece of what was heard and the source at its place, or nearly there."""
        begin = max(0, at + offset - SHIFT)
        return float(np.max(listening.likeness(self.source[begin : at + offset + WIDTH + SHIFT], heard[at : at + WIDTH])))


def keys(desk):
    """The keys move both rooms in their proportion, and the rooms move the slider."""
    desk.set_room(1, 40)
    desk.set_room(2, 20)
    desk.wait_slider("the zone's volume", 40)
    for percent, other in ((45, 22.5), (50, 25), (55, 27.5)):
        desk.press("+5%")
        desk.wait_volumes("a key for louder", percent, other)
    desk.press("-5%")
    desk.wait_volumes("a key for softer", 50, 25)
    desk.set_room(1, 64)
    desk.wait_slider("a louder room", 64)
    desk.house.put(f"/zones/{desk.zone}/volume", {"percent": 30})
    desk.wait_slider("the zone's volume on the page", 30)
    desk.wait_volumes("in proportion", 30, 30 * 25 / 64)
    # The next step begins where the slider was moved to.
    desk.press("+5%")
    desk.wait_volumes("a key after that", 35, 35 * 25 / 64)


def mute(desk):
    """The key for silence moves no volume."""
    before = desk.volumes()
    for is_muted in (True, False):
        desk.press("toggle")
        expect(until(lambda is_muted=is_muted: desk.server.sink(desk.name)["mute"] == is_muted, 5), f"muted is not {is_muted}")
        time.sleep(1)  # in which a volume would move
        desk.wait_volumes(f"muted is {is_muted}", *before)


@sinks_case("zone-is-an-output-with-volume-keys", timeout=150, lab=OURS, quiet=True)
def zone_output(t, server):
    """The zone that is asked for is an output until it is removed; its sound and its volume are the rooms', also after the server's restart."""
    desk = Desk(t, server)
    desk.wait_output()
    expect(desk.outputs() == [desk.name], f"the outputs are {desk.outputs()}, and one zone was asked for")
    mark = t.lab.mark()
    program = desk.play()
    desk.house.wait_playing_in((1, 2))
    found = desk.house.wait_zone(desk.zone, "plays", lambda zone: zone["state"] == "playing")
    expect(found["input"] == {"name": "Desktop", "kind": "desktop"}, f"the zone plays {found.get('input')}")
    keys(desk)
    expect(program.wait(30) == 0, f"{PLAYERS[server.kind]} ends with status {program.returncode}")
    first = desk.expect_heard(mark, "before the restart")
    mute(desk)
    server.stop()
    expect(until(lambda: not desk.outputs(), 5), "the server did not end")
    time.sleep(2)  # as long as a session takes to start again
    server.start()
    desk.wait_output(30)
    desk.wait_slider("after the restart", 35)
    mark = t.lab.mark()
    program = desk.play()
    desk.house.wait_playing_in((1, 2))
    desk.press("-5%")
    desk.wait_volumes("a key after the restart", 30, 30 * 25 / 64)
    expect(program.wait(30) == 0, f"{PLAYERS[server.kind]} ends with status {program.returncode}")
    second = desk.expect_heard(mark, "after the restart")
    # The zone is removed in the middle of a sound.
    program = desk.play()
    desk.house.wait_playing_in((1, 2))
    desk.house.request("DELETE", f"/zones/{desk.zone}")
    expect(until(lambda: not desk.outputs(), 5), f"the output is there after its zone: {desk.outputs()}")
    expect(server.pactl("info"), f"{server.kind} does not answer after the removal")
    program.kill()
    program.wait(5)
    desk.house.stop()
    left = [name for name in os.listdir(server.folder) if name.startswith("tutti-sink-")]
    expect(not left, f"left behind: {left}")
    t.note(f"{server.kind}: rooms play {', '.join(first)} before and {', '.join(second)} after the restart, of 15 s")
