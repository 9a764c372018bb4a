"""Stand-ins of other makers' devices (Interop/standins): what the cases share, and a record that comes too early.

Houses in virtual time play to all of them (Tests/Houses/VirtualHouseTests/DeviceTests.swift). Here are a buffered device, a realtime one
and a group in real time, and what houses do not show. `standins_devices.py` has the devices, `standins_apple.py` those of Apple,
`standins_groups.py` the group. Where a sender takes each step by itself, it leaves a cure out, and gets the refusal or the silence that the
device is known for.
"""

import os
import sys

import sound
from cases import PROGRAM, case, expect
from cases.content import expect_whole
from lab import Receivers

# The sender of the attacks: it does each step of a session by itself, and so can leave one out.
sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "hostile"))
from network import Network  # noqa: E402  the path above comes first
from sender import Sender  # noqa: E402

# Room 1 is an ordinary speaker; s2 to s5 are empty nodes for stand-ins.
STANDINS = Receivers(1, speaker=PROGRAM, offset_step=500, senders=5)


def standin_case(name, timeout=60):
    return case(f"standins.{name}", lab=STANDINS, timeout=timeout)


def noise(t, seconds=4, seed=6):
    source = t.sounds.noise(f"noise-{seconds}-{seed}", seconds, seed=seed)
    return t.sounds.encoded(f"noise-{seconds}-{seed}.flac", source), sound.read_wav(source)


def whole(t, standin):
    """Plays to a stand-in alone; every frame must be heard. Returns the route."""
    path, source = noise(t)
    player = t.play_to([path], [standin.endpoint])
    route = player.wait("route", 20)
    started = player.wait("playing", 20)
    player.expect_end(within=24)
    standin.settle()
    expect_whole(standin.heard(), source, standin.name)
    t.note(f"{standin.name}: heard after {started['startMs']:.0f} ms")
    return route


class Naive:
    """A sender without the cures: a session in the steps that a case wants."""

    def __init__(self, t, standin, **more):
        address, port = standin.endpoint.split(":")
        self.network = Network(t.lab.namespace("s1"))
        self.sender = Sender(self.network, address, int(port), **more)
        self.address = address

    def __enter__(self):
        return self.sender

    def __exit__(self, *_):
        self.sender.socket.close()


def events_connect(sender, opened):
    return sender.network.connect(sender.address, opened["eventPort"] % 65536)


def anchor(sender):
    """The status of an anchor a second ahead, on a clock of the sender's."""
    fields = {
        "rate": 1, "rtpTime": 0, "networkTimeSecs": 5, "networkTimeFrac": 0, "networkTimeTimelineID": 0x0102030405060708,
        "networkTimeFlags": 0,
    }  # fmt: skip
    return sender.plist("SETRATEANCHORTIME", sender.uri, fields).status


def text(sender, headers=()):
    """The status of a title; the four letters of the list and of the title, each with the length behind it."""
    title = b"minm" + (5).to_bytes(4, "big") + b"Title"
    body = b"mlit" + len(title).to_bytes(4, "big") + title
    return sender.request("SET_PARAMETER", sender.uri, body, "application/x-dmap-tagged", headers).status


def volume(sender):
    return sender.request("SET_PARAMETER", sender.uri, b"volume: -10.000000\r\n", "text/parameters").status


@standin_case("port-zero-first")
def port_zero(t):
    """A record with port 0 comes before the right one: it counts as not there, and the play waits for the right one."""
    standin = t.standin(2, "announces-port-zero=1", name="Early Bird")
    path, source = noise(t, 3)
    player = t.play_to([path], ["Early Bird"])
    player.expect_end(within=30)
    standin.settle()
    expect_whole(standin.heard(), source, standin.name)
    announced = standin.all("announced")
    started = player.all("playing")[0]["_at"]
    expect(announced and started > announced[0]["_at"] - 0.5, "it played before the right record")
