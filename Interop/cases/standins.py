"""Stand-ins of other makers' devices (Interop/standins): each alone, where its sound must be exact, and several in one group.

A case names the lines of the table of devices that it stands for (docs/interop.md). Each manner is also shown to bite: a sender without
the cure, or one that does not recognise the device, gets the refusal or the silence that the device is known for.
"""

import json
import os
import socket
import sys
import time
from dataclasses import dataclass

import numpy as np

import listening
import sound
from cases import PROGRAM, case, expect
from cases.content import expect_like, expect_whole
from lab import Receivers
from listening import RATE
from player import Failed
from stage import Command

# The sender of the attacks: it does each step of a session by itself, and so can leave one out.
sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "hostile"))
from network import Network  # noqa: E402  the path above comes first
from sender import Refused, Sender  # noqa: E402

# Room 1 is an ordinary speaker; s2 to s5 are empty nodes for stand-ins.
STANDINS = Receivers(1, speaker=PROGRAM, offset_step=500, senders=5)
IN_STEP = 1e-3  # seconds between rooms
NO_ACCESS = 77  # an exit status
ANNOUNCE = 0x0B  # of PTP


def standin_case(name, timeout=60):
    return case(f"standins.{name}", lab=STANDINS, timeout=timeout)


def noise(t, seconds=4, seed=6):
    source = t.sounds.noise(f"noise-{seconds}-{seed}", seconds, seed=seed)
    return t.sounds.encoded(f"noise-{seconds}-{seed}.flac", source), sound.read_wav(source)


def whole(t, standin, *options, seconds=4):
    """Plays to a stand-in alone; every frame must be heard."""
    path, source = noise(t, seconds)
    player = t.play_to([path], [standin.endpoint], *options)
    route = player.wait("route", 20)
    started = player.wait("playing", 20)
    player.expect_end(within=20 + seconds)
    standin.settle()
    expect_whole(standin.heard(), source, standin.name)
    t.note(f"{standin.name}: heard after {started['startMs']:.0f} ms")
    return player, route


def silent(t, standin, *options, seconds=3):
    """Plays to a stand-in that must stay silent, as the device does without the cure."""
    path, _ = noise(t, seconds)
    player = t.play_to([path], [standin.endpoint], *options)
    try:
        player.exit(15)
    except Failed:
        player.close()
    time.sleep(0.5)
    heard = standin.heard()
    expect(not len(heard), f"{standin.name} plays {len(heard) / RATE:.2f} s although nothing cures its manner")
    return player


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


# ---- one device each


@standin_case("sonos")
def sonos(t):
    """Sonos: the clock locks late, text before the sound and with RTP-Info, RECORD answered after the event connection, bursts."""
    standin = t.standin(2, "sonos")
    _, route = whole(t, standin, seconds=6)
    expect(route["stream"] == "buffered", f"another stream: {t.plain(route)}")
    expect(standin.met("wants-metadata") == 0, "text came late, or without RTP-Info")
    standin.expect_met("reads-in-bursts")


@standin_case("sonos-volume-and-depth")
def sonos_volume(t):
    """Sonos, Symfonisk: ALAC 48/24 is taken and stays silent, so it is not sent; a volume before the stream is forgotten."""
    source = t.sounds.noise("noise-4-48000", 4, seed=6, rate=48000)
    path = t.sounds.encoded("noise-4-48000-24.flac", source, "-c:a", "flac", "-sample_fmt", "s32")
    standin = t.standin(2, "sonos")
    player = t.play_to([path], [standin.endpoint], "--volume", "50")
    player.expect_end(within=30)
    standin.settle()
    expect_like(standin.heard(), sound.decode(path), correlation=0.9)
    expect([event["decibels"] for event in standin.all("volume")][-1:] == [-15], "the volume is not set")
    # Taken for a speaker that plays 48/24.
    hidden = t.standin(3, "silent-at-48-24", model="ShairportSync")
    player = t.play_to([path], [hidden.endpoint])
    player.expect_end(within=30)
    expect(not len(hidden.heard()) and hidden.met("silent-at-48-24") >= 1, "48/24 was not sent")
    with Naive(t, standin) as sender:
        sender.pair()
        sender.setup()
        expect(volume(sender) == 200, "a volume before the stream was refused")
    standin.expect_met("forgets-early-volume")


@standin_case("sonos-realtime")
def sonos_realtime(t):
    """Sonos on the realtime stream: text before the sound there too."""
    standin = t.standin(2, "sonos")
    whole(t, standin, "--stream", f"{standin.endpoint}=realtime")
    expect(standin.met("wants-metadata") == 0, "text came late, or without RTP-Info")


@standin_case("sonos-bites")
def sonos_bites(t):
    """Without the cures: an anchor at once, text without RTP-Info, a session with NTP, and no event connection."""
    standin = t.standin(2, "sonos")
    with Naive(t, standin, timeout=1.0) as sender:
        sender.pair()
        try:
            sender.setup(timing="NTP", timingPort=6000)
            raise Failed("a session with NTP was accepted")
        except Refused as refusal:
            expect("400" in str(refusal), f"NTP: {refusal}")
        opened = sender.setup()
        sender.send(sender.encoded("RECORD", sender.uri))
        try:
            answer = sender.receive()
            raise Failed(f"RECORD was answered {answer.status} without an event connection")
        except OSError:
            pass  # no answer in a second
        sender.socket.settimeout(5)
        with events_connect(sender, opened):
            expect(sender.receive().status == 200, "RECORD after the event connection")
            expect(sender.stream().status == 200, "stream")
            expect(text(sender) == 400, "text without RTP-Info was accepted")
    with Naive(t, standin) as sender:
        sender.pair()
        opened = sender.setup()
        with events_connect(sender, opened):
            sender.request("RECORD", sender.uri)
            sender.stream()
            status = anchor(sender)
    expect(status == 400, f"an anchor at once got {status}")
    for manner in ("refuses-ntp", "withholds-record", "wants-metadata", "locks-late"):
        standin.expect_met(manner)


@standin_case("doctor-plays-its-tone")
def doctor_tone(t):
    """`tutti doctor` is heard on a Sonos, which is silent without text, as the tone has none of its own."""
    standin = t.standin(2, "sonos")
    program = t.command("doctor", standin.endpoint, "--json")
    program.expect_exit(40, 0)
    standin.settle()
    seconds = len(standin.heard()) / RATE
    expect(0.95 < seconds < 1.05, f"{seconds:.2f} s of the tone are heard")


@standin_case("wiim")
def wiim(t):
    """WiiM and new LinkPlay: the clock locks late, bursts."""
    standin = t.standin(2, "wiim")
    whole(t, standin, seconds=6)
    standin.expect_met("reads-in-bursts")


@standin_case("jbl")
def jbl(t):
    """JBL: the first anchors are refused for a second; the retry plans anew, so nothing of the beginning is missing."""
    standin = t.standin(2, "jbl")
    whole(t, standin)
    standin.expect_met("refuses-first-anchors", 2)


@standin_case("edifier")
def edifier(t):
    """Edifier and old LinkPlay: on the realtime stream silent below a queue of 2.5 s; by default it gets a buffered one."""
    standin = t.standin(2, "edifier")
    whole(t, standin, "--stream", f"{standin.endpoint}=realtime")
    hidden = t.standin(3, "edifier", model="Unknown1,1")
    silent(t, hidden, "--stream", f"{hidden.endpoint}=realtime")
    hidden.expect_met("wants-queue")


@standin_case("samsung")
def samsung(t):
    """Samsung: RECORD before the stream's SETUP, PTP only, port 33330."""
    standin = t.standin(2, "samsung")
    expect(standin.endpoint.endswith(":33330"), standin.endpoint)
    whole(t, standin)
    with Naive(t, standin) as sender:
        sender.pair()
        sender.setup()
        sender.stream()
        expect(sender.request("RECORD", sender.uri).status == 200, "RECORD after the stream")
    standin.expect_met("wants-record-first")


@standin_case("shairport-sync-4", timeout=90)
def shairport_sync_4(t):
    """shairport-sync 4: silent with ALAC in a buffered stream, so lossless sound has a realtime one, of which it mutes the first packets."""
    standin = t.standin(2, "shairport-sync-4")
    _, route = whole(t, standin)
    expect(route["stream"] == "realtime", f"another stream: {t.plain(route)}")
    standin.expect_met("mutes-beginnings")
    path, _ = noise(t)
    player = t.play_to([path], [standin.endpoint], "--prefer", "depth")
    route = player.wait("route", 20)
    expect(route["stream"] == "buffered", f"another stream: {t.plain(route)}")
    player.expect_end(within=30)
    expect(standin.met("silent-at-buffered-alac") == 0, "ALAC was sent for depth")
    hidden = t.standin(3, "shairport-sync-4", model="Unknown1,1")
    silent(t, hidden)
    hidden.expect_met("silent-at-buffered-alac")


@standin_case("sony")
def sony(t):
    """Sony and Google TV: PTP is announced and never used; NTP plays."""
    standin = t.standin(2, "sony")
    _, route = whole(t, standin)
    expect((route["stream"], route["clock"]) == ("realtime", "ntp"), f"another route: {t.plain(route)}")
    hidden = t.standin(3, "sony", model="Unknown1,1")
    silent(t, hidden, "--clock", f"{hidden.endpoint}=ptp")
    hidden.expect_met("never-probes")


def changes_clock(t, standin, clock, reason):
    """Plays to a stand-in that is silent on our clock: it changes to another by itself, and is exact from then on, to the end."""
    path, source = noise(t, 15)
    player = t.play_to([path], [standin.endpoint])
    first = player.wait("route", 20)
    expect((first["stream"], first["clock"]) == ("buffered", "ptp"), f"the first route is another: {t.plain(first)}")
    player.expect_end(within=40)
    route = player.all("route")[-1]
    expect((route["stream"], route["clock"]) == ("realtime", clock), f"the last route is another: {t.plain(route)}")
    expect(reason in route["streamReason"], f"another reason: {t.plain(route)}")
    standin.settle()
    heard = listening.Finder(source).hear(standin.heard())
    expect(len(heard.pieces) == 1 and heard.foreign == 0, f"not one piece: {heard}")
    piece = heard.pieces[0]
    expect(piece.start < 8 * RATE and piece.end == len(source), f"not from the change to the end: {heard}")
    t.note(f"heard from {piece.start / RATE:.1f} s on")


@standin_case("never-probes")
def never_probes(t):
    """A device of no known family that announces PTP and never uses it gets NTP after 5 s; one without NTP either stays on PTP."""
    changes_clock(t, t.standin(2, "never-probes"), "ntp", "never asked for our clock")
    stubborn = t.standin(3, "never-probes", "refuses-ntp")
    path, _ = noise(t, 30)
    player = t.play_to([path], [stubborn.endpoint])
    player.wait("warning", 20, lambda event: event["code"] == "clock" and "tried with NTP" in event["message"])
    here = player.here()
    player.wait("route", 20, lambda event: event["clock"] == "ptp", after=here)
    player.wait("warning", 20, lambda event: event["code"] == "clock" and "never asked" in event["message"], after=here)
    tried = [event for event in player.all("warning") if "tried with NTP" in event["message"]]
    expect(len(tried) == 1, f"NTP is tried again and again: {tried}")
    player.quit()


@standin_case("keeps-its-clock")
def keeps_its_clock(t):
    """A device of no known family that plays by its own clock only is followed, as soon as that shows."""
    changes_clock(t, t.standin(2, "keeps-its-clock"), "theirs", "announces its own clock")


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
    """Without the cures: pairing without User-Agent, a session without pairing, an anchor on the buffered stream, a flush."""
    standin = t.standin(2, "apple-tv")
    with Naive(t, standin) as sender:
        expect(without_agent(sender) == 403, "pairing without User-Agent was accepted")
        status = sender.request("SETUP", sender.uri).status
        expect(status == 470, f"a stranger's SETUP got {status}")
        expect(sender.request("POST", "/pair-pin-start").status == 200, "/pair-pin-start")
    standin.expect_met("wants-client-name")
    expect(not standin.all("pin"), "a PIN is shown to a sender without a name")
    hidden = t.standin(3, "never-starts-buffered", "must-not-be-flushed")
    silent(t, hidden)
    hidden.expect_met("never-starts-buffered", 2)
    path, _ = noise(t)
    player = t.play_to([path], [hidden.endpoint], "--stream", f"{hidden.endpoint}=realtime")
    player.wait("playing", 15)
    player.wait_position(1, 10)
    player.send("pause")
    player.wait("paused", 5)
    hidden.wait("manner", 5, lambda event: event["manner"] == "must-not-be-flushed")
    player.quit()


def without_agent(sender):
    data = sender.encoded("POST", "/pair-setup", b"\0", "application/octet-stream")
    lines = [line for line in data.split(b"\r\n") if not line.startswith(b"User-Agent")]
    sender.send(b"\r\n".join(lines))
    return sender.receive().status


@standin_case("homepod")
def homepod(t):
    """HomePod in a group: 455 to a volume before its first sound, RECORD answered after the event connection, no buffered stream."""
    standin = t.standin(2, "homepod")
    _, route = whole(t, standin, "--volume", "50")
    expect(route["stream"] == "realtime", f"another stream: {t.plain(route)}")
    standin.expect_met("refuses-early-volume")
    volumes = [event["decibels"] for event in standin.all("volume")]
    expect(volumes and volumes[-1] == -15, f"the volume that was early is not set in the end: {volumes}")
    with Naive(t, standin, timeout=2.0) as sender:
        sender.pair()
        with events_connect(sender, sender.setup()):
            expect(volume(sender) == 455, "a volume before the sound was accepted")


@standin_case("homepod-alone-keeps-its-clock")
def own_clock(t):
    """HomePod with OS 27 that is in no group: it serves its own clock and follows no other; an anchor on the sender's stays silent."""
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
    # Not recognised as a HomePod, so that it is played to by the sender's clock.
    hidden = t.standin(3, "keeps-its-clock")
    silent(t, hidden, "--clock", f"{hidden.endpoint}=ptp")
    hidden.expect_met("keeps-its-clock")


@standin_case("homepod-alone")
def homepod_alone(t):
    """HomePod with OS 27 that is in no group: it plays along its own clock."""
    _, route = whole(t, t.standin(2, "homepod-alone"))
    expect(route["clock"] == "theirs", f"another clock: {t.plain(route)}")


@standin_case("ordinary-ones", timeout=90)
def ordinary(t):
    """Bose SoundTouch, Roku, AirPort Express: no manner is known; Marantz of AirPlay 1."""
    for place, family in enumerate(("bose", "roku", "airport-express", "denon"), 2):
        standin = t.standin(place, family)
        _, route = whole(t, standin, seconds=3)
        expected = "AirPlay 1" if family == "denon" else "AirPlay 2"
        expect(route["protocol"] == expected, f"{family}: {t.plain(route)}")


# ---- one manner each


@standin_case("numbers-of-two-kinds")
def numbers(t):
    """Ports as negative numbers of 16 bits, and answers with wrong CSeq numbers."""
    standin = t.standin(2, "negative-ports", "wrong-cseq")
    whole(t, standin)
    with Naive(t, standin) as sender:
        sender.pair()
        opened = sender.setup()
        expect(opened["eventPort"] < 0, f"the event port is {opened['eventPort']}")
        number = int(sender.request("OPTIONS", "*").headers["cseq"])
        expect(number != sender.count, "the CSeq is right")
    for manner in ("negative-ports", "wrong-cseq"):
        standin.expect_met(manner, count=2)


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


@standin_case("drops-without-feedback")
def feedback(t):
    """A session without /feedback is dropped: here after 4 s instead of 25."""
    standin = t.standin(2, "drops-without-feedback=4")
    whole(t, standin, seconds=6)
    expect(standin.met("drops-without-feedback") == 0, "the session was dropped")
    with Naive(t, standin) as sender:
        sender.pair()
        sender.setup()
        expect(sender.is_closed(8), "a session without feedback was kept")
    standin.expect_met("drops-without-feedback")


@standin_case("stays-silent")
def stays_silent(t):
    """200 to everything and no sound: the play ends as usual, because only a listener can tell."""
    standin = t.standin(2, "stays-silent")
    player = silent(t, standin)
    expect(player.status == 0, f"exit status {player.status}")
    standin.expect_met("stays-silent")


# ---- groups


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
