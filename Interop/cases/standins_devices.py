"""Stand-ins of other makers' devices, one device each; standins.py has what the cases share, standins_apple.py the devices of Apple."""

import listening
import sound
from cases import expect
from cases.content import expect_like
from cases.standins import Naive, anchor, events_connect, noise, silent, standin_case, text, volume, whole
from listening import RATE
from player import Failed
from sender import Refused


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
    player.wait("warning", 20, lambda event: event["code"] == "clock" and "now tries NTP" in event["message"])
    here = player.here()
    player.wait("route", 20, lambda event: event["clock"] == "ptp", after=here)
    player.wait("warning", 20, lambda event: event["code"] == "clock" and "never asked" in event["message"], after=here)
    tried = [event for event in player.all("warning") if "now tries NTP" in event["message"]]
    expect(len(tried) == 1, f"NTP is tried again and again: {tried}")
    player.quit()


@standin_case("keeps-its-clock")
def keeps_its_clock(t):
    """A device of no known family that plays by its own clock only is followed, as soon as that shows."""
    changes_clock(t, t.standin(2, "keeps-its-clock"), "theirs", "announces its own clock")


@standin_case("ordinary-ones", timeout=90)
def ordinary(t):
    """Bose SoundTouch, Roku, AirPort Express: no manner is known; Marantz of AirPlay 1."""
    for place, family in enumerate(("bose", "roku", "airport-express", "denon"), 2):
        standin = t.standin(place, family)
        _, route = whole(t, standin, seconds=3)
        expected = "AirPlay 1" if family == "denon" else "AirPlay 2"
        expect(route["protocol"] == expected, f"{family}: {t.plain(route)}")
