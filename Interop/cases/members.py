"""Rooms that join and leave while others play, and each room's own volume and delay."""

import listening
import sound
from cases import KINDS_SPEAKERS, SPEAKERS, UNCORRECTED, case, expect
from cases.control import metadata_items
from cases.kinds import realtime
from listening import RATE

GATE = 1e-3  # seconds between a room's delay and what is heard, beyond what rooms are apart without one
LOOSE_GATE = 2.3e-3  # the same where shairport-sync's own tolerance of 2 ms stands: it leaves what is within
DELAY = 0.12


def one_piece(heard, name):
    expect(len(heard.pieces) == 1 and heard.foreign == 0, f"{name} is not one piece of the source: {heard}")
    return heard.pieces[0]


def place(piece):
    """Where the source's first frame would be in the recording, in frames."""
    return piece.at - piece.start


def join(t, player, room):
    here = player.here()
    player.send(f"join {t.lab.endpoint(room)}")
    joined = player.wait("member", 10, lambda event: event["state"] == "playing", here)
    expect(joined["speaker"] == t.lab.endpoint(room), f"another speaker joined: {joined}")


def away_and_back(t):
    """Lets a room leave and join again; returns the second at which it is heard again, and its distances from the other, before and after.

    The room that stays plays every frame. Both begin: a room that begins alone corrects its first seconds, and then plays other frames than the source's.
    """
    source = t.sounds.noise("noise-20", 20, seed=1)
    path = t.sounds.encoded("noise-20.flac", source)
    finder = listening.Finder(sound.read_wav(source))
    recording = t.record()
    player = t.play([path], (1, 2))
    player.wait_position(4, within=15)
    here = player.here()
    player.send(f"leave {t.lab.endpoint(2)}")
    player.wait("member", 3, lambda event: event["state"] == "left", here)
    player.wait_position(7, within=15, after=player.here())
    join(t, player, 2)
    player.expect_end(within=30)
    recording.stop()
    samples = recording.samples()
    stays = one_piece(finder.hear(recording.room(samples, 1)), t.lab.name(1))
    expect(stays.count == len(finder.source), f"the room that stays is not whole: {stays}")
    guest = finder.hear(recording.room(samples, 2))
    expect(len(guest.pieces) == 2, f"the guest did not play twice: {guest}")
    first, second = guest.pieces
    expect(first.start == 0 and 3.5 * RATE <= first.end <= 6 * RATE, f"the guest left with {first}")
    expect(7 * RATE <= second.start <= 10 * RATE and second.end == len(finder.source), f"the guest came back with {second}")
    apart = [(place(piece) - place(stays)) / RATE for piece in guest.pieces]
    return second.start / RATE, *apart


@case("members.leave-and-join-in-mid-song", lab=UNCORRECTED, timeout=120, quiet=True)
def leave_and_join(t):
    """The room that stays plays every frame; the other is in step from its first frame on."""
    second, before, after = away_and_back(t)
    expect(max(abs(before), abs(after)) <= 2.3e-3, f"the guest is {before * 1e6:+.0f} and {after * 1e6:+.0f} µs off")
    t.note(f"guest again from {second:.2f} s, {after * 1e6:+.0f} µs from the other room")


def moved_room(t, room, *options):
    """Lets a room play with a delay from the start, and with the opposite one from its middle on.

    Returns what it played and where, in seconds after the room without a delay, which is not touched.
    """
    source = t.sounds.noise("noise-20", 20, seed=1)
    path = t.sounds.encoded("noise-20.flac", source)
    finder = listening.Finder(sound.read_wav(source))
    recording = t.record()
    player = t.play([path], (1, room), *options, "--delay", f"{t.lab.endpoint(room)}={DELAY * 1000:g}")
    player.wait_position(6, within=15)
    player.send(f"delay {t.lab.endpoint(room)} {-DELAY * 1000:g}")
    player.expect_end(within=30)
    recording.stop()
    samples = recording.samples()
    whole = one_piece(finder.hear(recording.room(samples, 1)), t.lab.name(1))
    expect(whole.count == len(finder.source), f"the room without a delay is not whole: {whole}")
    moved = finder.hear(recording.room(samples, room))
    return moved, [(place(piece) - place(whole)) / RATE for piece in moved.pieces]


def expect_moved(t, moved, places, gate):
    """The long pieces begin with the first delay and end with the second."""
    # A receiver may play a part of a second in corrected time after the change.
    long = [(at, piece) for at, piece in zip(places, moved.pieces) if piece.count > RATE]
    expect(len(long) >= 2 and long[0][1].start == 0, f"the moved room played {moved}")
    first, last = long[0][0], long[-1][0]
    heard = f"{first * 1e3:+.3f} and {last * 1e3:+.3f} ms heard"
    expect(max(abs(first - DELAY), abs(last + DELAY)) <= gate, f"delays of {heard}")
    t.note(heard)


@case("members.delay-is-heard", lab=SPEAKERS, timeout=120, quiet=True)
def delay(t):
    """A delay from the start, and another one while it plays; the room without one is not touched."""
    moved, places = moved_room(t, 2)
    expect_moved(t, moved, places, GATE)


@case("members.delay-is-heard-on-realtime-streams", lab=KINDS_SPEAKERS, timeout=240, quiet=True)
def delay_of_realtime(t):
    """The same for a realtime stream and for AirPlay 1; nothing is heard at a place of neither delay."""
    for room, options in ((2, realtime(t, 2)), (3, ("--stream", f"{t.lab.endpoint(3)}=airplay1"))):
        moved, places = moved_room(t, room, *options)
        strays = [
            f"{at * 1e3:+.1f} ms: {piece}"
            for at, piece in zip(places, moved.pieces)
            if piece.count > RATE // 20 and abs(abs(at) - DELAY) > 5e-3
        ]
        expect(not strays, f"room {room} played at other places: {strays}")
        expect_moved(t, moved, places, LOOSE_GATE)


def volumes(t, room, skip):
    """The volumes in the receiver's metadata, in decibels."""
    return [
        float(data.split(b",")[0]) for _, _, code, data in metadata_items(t.lab.metadata(room, skip)) if code == "pvol"
    ]


def expect_volumes(t, room, skip, wanted):
    heard, at = volumes(t, room, skip), 0
    for value in heard:
        if at < len(wanted) and abs(value - wanted[at]) < 0.06:
            at += 1
    expect(at == len(wanted), f"{t.lab.name(room)}'s volumes {heard}, expected among them, in order, {wanted}")


@case("members.volume-of-one-and-of-all")
def volume(t):
    path = t.sounds.encoded("noise-20.flac", t.sounds.noise("noise-20", 20, seed=1))
    skip = {room: t.lab.size(room, "metadata.raw") for room in (1, 2)}
    first, second = t.lab.endpoint(1), t.lab.endpoint(2)
    player = t.play([path], (1, 2), "--volume", "80", "--volume", f"{second}=40")
    player.wait_position(1, within=15)
    here = player.here()
    player.send("volume 40")
    player.wait("volume", 3, lambda event: event == dict(event, speaker=second, volume=20), here)
    progress = player.wait("progress", 3, lambda event: "volumes" in event, player.here())
    expect(progress["volumes"] == {first: 40, second: 20}, f"volumes {progress['volumes']}")
    player.send(f"volume {first} 70")
    player.wait_position(2.5, within=5)
    # A speaker keeps its volume, also for the next session.
    player.send(f"volume {first} 100")
    player.send(f"volume {second} 100")
    player.wait_position(3.5, within=5)
    player.quit()
    # Percent are linear from -30 dB to 0.
    expect_volumes(t, 1, skip[1], [-6.0, -18.0, -9.0])
    expect_volumes(t, 2, skip[2], [-18.0, -24.0])


@case("members.wrong-names-disturb-nobody")
def refusals(t):
    source = t.sounds.noise("noise-8", 8, seed=6)
    path = t.sounds.encoded("noise-8.flac", source)
    mark = t.lab.mark()
    player = t.play([path], (1,))
    player.wait_position(1, within=15)
    commands = {
        "join Nowhere": "unknown-speaker",
        f"join {t.lab.endpoint(1)}": "speaker",
        f"leave {t.lab.endpoint(1)}": "speaker",
        "leave Nowhere": "speaker",
        "volume Nowhere 10": "speaker",
        "delay Nowhere 10": "speaker",
        "delay Nowhere": "bad-command",
    }
    for command, code in commands.items():
        here = player.here()
        player.send(command)
        warning = player.wait("warning", 6, after=here)
        expect(warning["code"] == code, f"{command}: {warning}")
    player.expect_end(within=20)
    t.lab.settle(1)
    heard = listening.Finder(sound.read_wav(source)).hear(listening.trim(t.lab.heard(1, mark)))
    piece = one_piece(heard, t.lab.name(1))
    expect(piece.count == 8 * RATE, f"not whole: {piece}")
