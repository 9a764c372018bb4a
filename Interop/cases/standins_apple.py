"""Stand-ins of Apple TV and HomePod; standins.py has what the cases share."""

import socket
import time

import listening
from cases import expect
from cases.content import expect_whole
from cases.standins import Naive, noise, standin_case
from network import Network
from stage import Command

NO_ACCESS = 77  # an exit status
ANNOUNCE = 0x0B  # of PTP


@standin_case("apple-tv", timeout=90)
def apple_tv(t):
    """Apple TV: 470 until paired with a PIN, 403 without User-Agent, no buffered stream, never flushed."""
    standin = t.standin(2, "apple-tv")
    path, source = noise(t, 6)
    refused = t.play_to([path], [standin.endpoint])
    error = refused.wait("error", 15)
    expect(error["code"] == "pin-needed", f"another error: {t.plain(error)}")
    refused.expect_exit(10, NO_ACCESS)
    pair(t, standin)
    player = t.play_to([path], [standin.endpoint])
    route = player.wait("route", 15)
    expect(route["stream"] == "realtime", f"another stream: {t.plain(route)}")
    player.wait("playing", 15)
    player.wait_position(1, 10)
    here = player.here()
    player.send("pause")
    player.wait("paused", 5, after=here)
    time.sleep(1)
    here = player.here()
    player.send("resume")
    player.wait("playing", 10, after=here)
    player.wait_position(3, 10, after=here)
    player.send("seek 4")
    player.expect_end(within=20)
    standin.settle()
    result = listening.Finder(source).hear(standin.heard())
    expect(result.pieces and result.pieces[-1].end == len(source), f"not to the end: {result}")
    expect(standin.met("must-not-be-flushed") == 0, "it was flushed")


def pair(t, standin, word=None):
    here = standin.here()
    program = t._start(Command, "pair", word or standin.endpoint, "--json")
    program.wait("pin-needed", 20)
    pin = standin.wait("pin", 10, lambda event: event["pin"], after=here)["pin"]
    program.send(pin)
    program.wait("paired", 20)
    program.expect_exit(5, 0)


@standin_case("apple-tv-3")
def old_apple_tv(t):
    """Apple TV 3: AirPlay 1, and the pairing from before HomeKit, once with a PIN; a wrong PIN is told, and nothing else gets in."""
    standin = t.standin(2, "apple-tv-3", name="Old TV")
    path, source = noise(t)
    refused = t.play_to([path], ["Old TV"])
    error = refused.wait("error", 15)
    expect(error["code"] == "pin-needed" and "tutti pair" in error["message"], f"another error: {t.plain(error)}")
    refused.expect_exit(10, NO_ACCESS)
    wrong = t._start(Command, "pair", "Old TV", "--pin", "0000", "--json")
    error = wrong.wait("error", 20)
    expect(error["code"] == "pin-wrong", f"another error: {t.plain(error)}")
    wrong.expect_exit(5, NO_ACCESS)
    pair(t, standin, "Old TV")
    player = t.play_to([path], ["Old TV"])
    route = player.wait("route", 15)
    expect(route["protocol"] == "AirPlay 1", f"another session: {t.plain(route)}")
    player.expect_end(within=30)
    standin.settle()
    expect_whole(standin.heard(), source, standin.name)


@standin_case("apple-tv-bites")
def apple_tv_bites(t):
    """Without the cures: pairing without User-Agent, a session without pairing, a PIN for a sender without a name."""
    standin = t.standin(2, "apple-tv")
    with Naive(t, standin) as sender:
        expect(without_agent(sender) == 403, "pairing without User-Agent was accepted")
        status = sender.request("SETUP", sender.uri).status
        expect(status == 470, f"a stranger's SETUP got {status}")
        expect(sender.request("POST", "/pair-pin-start").status == 200, "/pair-pin-start")
    standin.expect_met("wants-client-name")
    expect(not standin.all("pin"), "a PIN is shown to a sender without a name")


def without_agent(sender):
    data = sender.encoded("POST", "/pair-setup", b"\0", "application/octet-stream")
    lines = [line for line in data.split(b"\r\n") if not line.startswith(b"User-Agent")]
    sender.send(b"\r\n".join(lines))
    return sender.receive().status


@standin_case("homepod-alone-keeps-its-clock")
def own_clock(t):
    """HomePod with OS 27 that is in no group announces the clock that its answer to SETUP names."""
    standin = t.standin(2, "homepod-alone")
    network = Network(t.lab.namespace("s1"))
    general = network.make(kind=socket.SOCK_DGRAM)
    try:
        general.bind(("0.0.0.0", 320))
        general.settimeout(3)
        with Naive(t, standin) as sender:
            sender.pair()
            theirs = sender.setup()["timingPeerInfo"]["ClockID"] % 2**64
            announced = next(data for data in iter(lambda: general.recv(2048), None) if data[0] & 0x0F == ANNOUNCE)
    finally:
        general.close()
    expect(int.from_bytes(announced[53:61], "big") == theirs, f"it announces another clock than {theirs:x}: {announced.hex()}")
