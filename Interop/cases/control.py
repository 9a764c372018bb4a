"""Pause, seek, edits of the queue, volume, metadata: on a receiver that already holds the next audio."""

import base64
import re
import time

import numpy as np

import listening
import sound
from cases import FADE, KINDS, case, expect
from listening import RATE

# The pipe backend releases audio before it is due: what was released before a pause is repeated after it.
RELEASE_LEAD = 1.5
# At a splice or seek the time falls on a packet (1024 frames at most), and the receiver may mute one more.
PACKETS = 0.05


def hear(t, room, mark, source):
    t.lab.settle(room)
    result = listening.Finder(source).hear(listening.trim(t.lab.heard(room, mark)))
    if t.lab.is_ours and len(result.pieces) > 1:
        result.foreign = max(0, result.foreign - FADE * len(result.pieces))
    return result


def expect_pieces(result, count):
    expect(len(result.pieces) == count and result.foreign == 0, f"{count} pieces of the source expected, heard: {result}")
    return result.pieces


@case("control.pause-and-resume-lose-nothing")
def pause_resume(t):
    path = t.sounds.encoded("noise-20.flac", t.sounds.noise("noise-20", 20, seed=1))
    source = sound.read_wav(t.sounds.path("noise-20.wav"))
    mark = t.lab.mark()
    player = t.play([path], (1, 2))
    player.wait_position(4, within=15)
    player.send("pause")
    paused = player.wait("paused", 3)
    for room in (1, 2):
        t.lab.settle(room)
    quiet = t.lab.mark()
    time.sleep(2)  # duration of the pause
    for room in (1, 2):
        more = listening.first_sound(t.lab.heard(room, quiet))
        expect(more is None, f"{t.lab.name(room)} plays on while paused")
    here = player.here()
    player.send("resume")
    resumed = player.wait("playing", 5, after=here)
    if "position" in paused:
        apart = abs(resumed["position"] - paused["position"])
        expect(apart < 0.1, f"paused at {paused['position']} s, resumed at {resumed['position']} s")
    player.expect_end(within=40)
    for room in (1, 2):
        before, after = expect_pieces(hear(t, room, mark, source), 2)
        expect(before.start == 0 and after.end == len(source), f"start or end missing: {before}; {after}")
        expect(after.start <= before.end, f"{(after.start - before.end) / RATE:.4f} s lost by the pause")
        expect(before.end - after.start < RELEASE_LEAD * RATE, f"{(before.end - after.start) / RATE:.3f} s played twice")


def pause_for(t, player, seconds):
    """Each room's buffered seconds before the pause, and after it."""
    held = {}
    for key in ("before", "after"):
        event = player.wait("progress", 5, after=player.here())
        held[key] = {room: t.ahead_of(event, room) for room in (1, 2)}
        if key == "before":
            player.send("pause")
            player.wait("paused", 3)
            time.sleep(seconds)  # duration of the pause
            here = player.here()
            player.send("resume")
            player.wait("playing", 5, after=here)
    return held["before"], held["after"]


@case("control.depth-stays-over-a-pause")
def pause_depth(t):
    """A speaker holds at least as much at the end of a pause as at its start: nothing is lost or repeated."""
    path = t.sounds.encoded("noise-40.flac", t.sounds.noise("noise-40", 40, seed=5))
    source = sound.read_wav(t.sounds.path("noise-40.wav"))
    mark = t.lab.mark()
    player = t.play([path], (1, 2))
    # Early, so that shairport-sync, which accepts 0.37 MB/s, still has room.
    player.wait_position(3, within=15)
    before, after = pause_for(t, player, 5)
    left = len(source) / RATE - player.all("progress")[-1]["position"] - 0.2
    for room in (1, 2):
        least = min(before[room] + 2, left)
        expect(after[room] >= least - 1.1, f"{t.lab.name(room)} held {before[room]:.1f} s, and {after[room]:.1f} s after the pause")
    player.expect_end(within=60)
    for room in (1, 2):
        first, second = expect_pieces(hear(t, room, mark, source), 2)
        expect(first.start == 0 and second.end == len(source), f"start or end missing: {first}; {second}")
        twice = (first.end - second.start) / RATE
        # The speaker plays on while the command is in flight, and the pipe is a second ahead.
        expect(0 <= twice < RELEASE_LEAD, f"{twice:.4f} s heard twice")
    t.note("; ".join(f"{before[room]:.1f} s before, {after[room]:.1f} s after" for room in (1, 2)))


@case("control.depth-of-aac-stays-over-a-pause", timeout=90)
def pause_depth_aac(t):
    source = t.sounds.music("music-60", 60, seed=15)
    path = t.sounds.encoded("music-60.m4a", source, "-c:a", "aac", "-b:a", "256k")
    player = t.play([path], (1, 2))
    player.wait_position(8, within=20)
    before, after = pause_for(t, player, 5)
    for room in (1, 2):
        expect(after[room] >= before[room] - 1.1, f"{t.lab.name(room)} held {before[room]:.1f} s, and {after[room]:.1f} s after the pause")
    player.quit()
    t.note("; ".join(f"{before[room]:.1f} s before, {after[room]:.1f} s after" for room in (1, 2)))


@case("control.seek-forward-and-back")
def seek(t):
    path = t.sounds.encoded("noise-40.flac", t.sounds.noise("noise-40", 40, seed=5))
    source = sound.read_wav(t.sounds.path("noise-40.wav"))
    mark = t.lab.mark()
    player = t.play([path], (1, 2))
    player.wait_position(3, within=15)
    for target in (25, 10):
        here = player.here()
        player.send(f"seek {target}")
        playing = player.wait("playing", 3, after=here)
        expect(abs(playing["position"] - target) <= PACKETS, f"seek {target} goes to {playing['position']} s")
        player.wait_position(target + 2, within=6, after=player.here())
    player.quit()
    for room in (1, 2):
        pieces = expect_pieces(hear(t, room, mark, source), 3)
        for piece, target in zip(pieces, (0, 25, 10)):
            expect(abs(piece.start - target * RATE) <= PACKETS * RATE, f"piece for {target} s: {piece}")


@case("control.next-and-previous")
def next_previous(t):
    paths, samples = t.tracks("queue", count=3, seconds=8)
    source, starts = np.concatenate(samples), t.starts(samples)
    mark = t.lab.mark()
    player = t.play(paths, (1, 2))
    player.wait_position(2, within=15)
    for command in ("next", "previous"):
        here = player.here()
        player.send(command)
        player.wait("playing", 3, after=here)
        # Soon, so that `previous` means the track before, not the start of this one.
        player.wait_position(0.5, within=4, after=player.here())
    player.wait_position(2, within=5, after=player.here())
    player.quit()
    for room in (1, 2):
        pieces = expect_pieces(hear(t, room, mark, source), 3)
        for piece, track in zip(pieces, (0, 1, 0)):
            expect(piece.start == starts[track], f"track {track + 1} does not start with its first frame: {piece}")


def edited(t, before, command, order):
    """Plays the tracks `before`, and edits while the next one is in the speaker already: `order` without a gap."""
    paths, samples = t.tracks("queue", count=3, seconds=8)
    mark = t.lab.mark()
    player = t.play([paths[index] for index in before], (1, 2))
    # The playhead is in the first track, with at least three seconds of the second in every speaker.
    player.wait_ahead(8, within=15, position=3)
    player.send(command.format(paths=paths))
    player.expect_end(within=60)
    source = np.concatenate([samples[index] for index in order])
    for room in (1, 2):
        piece = expect_pieces(hear(t, room, mark, source), 1)[0]
        expect(piece.start == 0 and piece.end == len(source), f"start or end missing: {piece}")


@case("control.remove-of-a-track-in-the-speaker")
def remove(t):
    edited(t, (0, 1, 2), "remove 1", (0, 2))


@case("control.insert-before-a-track-in-the-speaker")
def insert(t):
    edited(t, (0, 2), "insert 1 {paths[1]}", (0, 1, 2))


ITEM = re.compile(
    rb"<item><type>([0-9a-f]{8})</type><code>([0-9a-f]{8})</code><length>(\d+)</length>(?:\s*<data encoding=\"base64\">\s*([^<]*)</data>)?</item>"
)


def metadata_items(raw):
    """(byte offset of its end, type, code, data) of each item in shairport-sync's metadata pipe."""
    for match in ITEM.finditer(raw):
        kind, code = bytes.fromhex(match[1].decode()).decode(), bytes.fromhex(match[2].decode()).decode()
        yield match.end(), kind, code, base64.b64decode(match[4] or b"")


@case("control.volume-reaches-the-receiver")
def volume(t):
    path = t.sounds.encoded("noise-20.flac", t.sounds.noise("noise-20", 20, seed=1))
    skip = t.lab.size(1, "metadata.raw")
    player = t.play([path], (1,), "--volume", "50")
    player.wait_position(1, within=15)
    player.send("volume 30")
    player.wait_position(2, within=5)
    player.send("volume 0")
    player.wait_position(3, within=5)
    # A speaker stays muted, also for the next session.
    player.send("volume 100")
    player.wait_position(3.5, within=5)
    player.quit()
    volumes = [data.split(b",")[0] for _, kind, code, data in metadata_items(t.lab.metadata(1, skip)) if code == "pvol"]
    heard = [float(value) for value in volumes]
    # 0 % is silence (-144); other values are linear from -30 to 0.
    wanted = [-15.0, -21.0, -144.0]
    at = 0
    for value in heard:
        if at < len(wanted) and abs(value - wanted[at]) < 0.06:
            at += 1
    expect(at == len(wanted), f"volumes at the receiver {heard}, expected among them, in order, {wanted}")


def press_all(t, player, room):
    """Presses the buttons of a room's shairport-sync, which sends DACP requests, during a queue of three."""
    # shairport-sync knows our remote control address a second after the start: it queries before the announcement.
    player.wait_position(3, within=15)
    for method, index in (("Next", 1), ("Next", 2), ("Previous", 1)):
        here = player.here()
        t.lab.press(room, method)
        player.wait("playing", 4, lambda event: event["index"] == index, here)  # noqa: B023
        player.wait_position(0.5, within=4, after=player.here())
    here = player.here()
    t.lab.press(room, "Pause")
    player.wait("paused", 4, after=here)
    t.lab.press(room, "Play")
    player.wait("playing", 4, after=here)


@case("buttons.of-shairport-sync")
def buttons_of_shairport_sync(t):
    paths, _ = t.tracks("queue", count=3, seconds=8)
    player = t.play(paths, (1,))
    press_all(t, player, 1)
    player.quit()


@case("buttons.stay-available")
def buttons_stay_available(t):
    """shairport-sync asks its sender every second, and says that it has no buttons once five answers mean that nobody listens."""
    paths, _ = t.tracks("buttons", count=1, seconds=15)
    player = t.play(paths, (1,))
    player.wait_position(10, within=20)
    expect(t.lab.has_remote_control(1), "the speaker says that its buttons reach nobody")
    player.quit()


@case("buttons.and-volume-of-an-airplay-1-speaker", lab=KINDS)
def airplay_1_buttons(t):
    """The same by AirPlay 1; its volume buttons change the volume of this speaker, which hears of it."""
    paths, _ = t.tracks("queue", count=3, seconds=12)
    player = t.play(paths, (1, 3), "--stream", f"{t.lab.endpoint(3)}=airplay1", "--volume", "50")
    press_all(t, player, 3)
    volumes = {}
    for method in ("VolumeDown", "VolumeUp"):
        here, skip = player.here(), t.lab.size(3, "metadata.raw")
        t.lab.press(3, method)
        event = player.wait("volume", 4, lambda event: event.get("speaker") == t.lab.endpoint(3), here)
        volumes[method] = event["volume"]
        time.sleep(0.5)
        told = [data for _, _, code, data in metadata_items(t.lab.metadata(3, skip)) if code == "pvol"]
        expect(told, f"{method}: the speaker was not told of its volume")
    expect(volumes["VolumeDown"] < 50 and volumes["VolumeUp"] == 50, f"the volumes after the buttons: {volumes}")
    player.quit()


@case("control.metadata-comes-when-its-track-is-audible")
def metadata(t):
    titles = ["First Öde", "Second Ode"]
    paths, samples = t.tracks("titled", count=2, seconds=8, titles=titles)
    skip, mark = t.lab.size(1, "metadata.raw"), t.lab.mark()
    player = t.play(paths, (1,))
    player.expect_end(within=40)
    items = list(metadata_items(t.lab.metadata(1, skip)))
    shown = [(end, data.decode(errors="replace")) for end, _, code, data in items if code == "minm"]
    for title in titles:
        expect(title in [text for _, text in shown], f"title {title!r} not among {[text for _, text in shown]}")
    artists = {data.decode(errors="replace") for _, _, code, data in items if code == "asar"}
    expect("Tutti Tests" in artists, f"artist not among {artists}")
    expect(any(code == "prgr" for _, _, code, _ in items), "no progress at the receiver")
    # The second title appears when the second track plays, not when its data was sent, eight seconds before.
    end = next(end for end, text in shown if text == titles[1])
    shown_at = t.lab.arrival(1, skip + end - 1, "metadata.raw")
    pieces = listening.Finder(samples[1]).hear(t.lab.heard(1, mark)).pieces
    expect(pieces and pieces[0].start == 0, f"the second track was not played: {pieces}")
    released_at = t.lab.arrival(1, mark[1] + pieces[0].at * 4)
    late = shown_at - released_at
    expect(-0.5 <= late <= 2.5, f"the second title came {late:+.2f} s after its first frame left the receiver")
