"""Stand-ins of other makers' devices, one device each; standins.py has what the cases share, standins_apple.py the devices of Apple."""

import sound
from cases import expect
from cases.content import expect_like
from cases.standins import Naive, anchor, events_connect, noise, standin_case, text, volume, whole
from listening import RATE
from player import Failed
from sender import Refused


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
    route = whole(t, standin)
    expect(route["stream"] == "realtime", f"another stream: {t.plain(route)}")
    standin.expect_met("mutes-beginnings")
    path, _ = noise(t)
    player = t.play_to([path], [standin.endpoint], "--prefer", "depth")
    route = player.wait("route", 20)
    expect(route["stream"] == "buffered", f"another stream: {t.plain(route)}")
    player.expect_end(within=30)
    expect(standin.met("silent-at-buffered-alac") == 0, "ALAC was sent for depth")
