"""A link fails, a receiver dies: playback continues."""

import time

import numpy as np

import listening
import sound
from cases import FADE, SPEAKERS, case, expect
from listening import RATE


def names_room(t, room):
    """Whether an event mentions this room, by name or address."""
    known = (t.lab.name(room), t.lab.address(room))
    return lambda event: any(word in str(event.get("speaker", "")) for word in known)


def expect_continuous(heard, reference, what):
    """Every frame of the reference from near its start to the end of the output, within 8 steps of 16 bit."""
    matches = listening.windows(heard, reference, count=9)
    offsets = [match.offset for match in matches]
    expect(len(set(offsets)) == 1, f"{what}: frames missing or repeated; offsets {offsets}")
    first = 3 * 1024  # the first packets after a start may be muted
    apart = listening.difference(heard, reference, offsets[0], limit=8, skip=first)
    expect(apart.first <= 2 * first, f"{what}: the first {apart.first / RATE:.3f} s are missing")
    expect(apart.over == 0, f"{what}: {apart.over} frames are wrong, the worst by {apart.worst}")
    return apart.last / RATE


@case("faults.link-down-20-s-is-not-heard", timeout=120)
def link_down(t):
    # Noise, because every position in it is recognizable; without noise substitution, which every decoder
    # synthesizes differently.
    # More than a speaker holds, so that something is left to send.
    seconds = 450 if t.lab.is_ours else 150
    source = t.sounds.noise(f"noise-{seconds}", seconds, seed=7)
    path = t.sounds.encoded(f"noise-{seconds}.m4a", source, "-c:a", "aac", "-b:a", "256k", "-aac_pns", "0")
    mark = t.lab.mark()
    player = t.play([path], (1, 2))
    player.wait_ahead(50, within=25)
    # Our speaker holds that much after a fifth of a second. Its clock is then known only to a few ppm: during the cut
    # the error would exceed the tolerance of frame-for-frame playout, and the audio would be resampled.
    if t.lab.is_ours:
        player.wait_position(20, within=25)
    here = player.here()
    t.lab.cut(1)
    cut_at = time.monotonic()
    warning = player.wait("warning", 18, names_room(t, 1), after=here)
    t.note(f"warned {warning['_at'] - cut_at:.1f} s after the cut: {warning.get('message', warning.get('code'))}")
    # The cut lasts 20 s from here on, however long the waits took.
    time.sleep(max(0.0, 20 - (time.monotonic() - cut_at)))
    # The connection survives: after the cut more of the file reaches the room than was in flight before.
    healed = player.here()
    before = player.all("progress")[-1]
    reached = before.get("position", 0) + t.ahead_of(before, 1) + 5
    t.lab.heal(1)
    player.wait("progress", 25, lambda e: e.get("position", 0) + t.ahead_of(e, 1) > reached, after=healed)
    position = player.all("progress")[-1]["position"]
    player.quit()
    reference = sound.decode(path)
    for room in (1, 2):
        t.lab.settle(room)
        heard = listening.trim(t.lab.heard(room, mark))
        if t.lab.is_ours:
            heard = heard[:-FADE]
        end = expect_continuous(heard, reference, t.lab.name(room))
        expect(end >= position - 1, f"{t.lab.name(room)}: heard up to {end:.1f} s, the position was {position:.1f} s")
        expect(t.lab.ended(room) == 0, f"{t.lab.name(room)}'s shairport-sync ended")


@case("faults.commands-act-at-once-while-a-room-is-away", lab=SPEAKERS, timeout=110)
def commands_while_away(t):
    """A slider is dragged while one of two rooms is out of reach; the other one obeys a pause and a jump behind it."""
    source = t.sounds.noise("noise-60", 60, seed=8)
    path = t.sounds.encoded("noise-60.flac", source)
    recording = t.record()
    player = t.play([path], (1, 2), "--volume", "100")
    player.wait_position(5, within=15)
    t.lab.cut(1)
    time.sleep(4)  # the sender has missed a sign of life by then
    for _ in range(20):
        player.send("volume 100")
    here = player.here()
    player.send("pause")
    paused = player.wait("paused", 3, after=here)
    time.sleep(3)  # duration of the pause
    here, resumed_at = player.here(), time.monotonic()
    player.send("seek 30")
    player.send("resume")
    player.wait_position(33, within=15, after=here)
    took = time.monotonic() - resumed_at - 3
    t.lab.heal(1)
    player.quit()
    recording.stop()
    heard = recording.room(recording.samples(), 2)
    stretches = listening.stretches(heard)
    expect(len(stretches) == 2, f"{t.lab.name(2)} did not play twice: {stretches}")
    # By correlation: beside a busy machine a receiver may stretch sound for seconds, so that no frame equals the source.
    width, samples = 1024, sound.read_wav(source)
    first, last = stretches[1][0], stretches[0][1]
    stop, start = (listening.locate(heard, samples, at, width) for at in (last - 2 * width, first + width))
    expect(min(stop.correlation, start.correlation) > 0.3, f"something else is heard: {stop}, {start}")
    late = (last + stop.offset) / RATE - paused["position"]
    expect(late < 0.6, f"{t.lab.name(2)} played on for {late:.2f} s after the pause")
    began = (first + start.offset) / RATE
    expect(abs(began - 30) < 0.3, f"after the jump {t.lab.name(2)} began at {began:.2f} s")
    expect(took < 1.5, f"the sound came {took:.1f} s after the jump")
    t.note(f"silent {late:.2f} s after the pause, sound {took:.2f} s after the jump")


@case("faults.dragged-slider-over-a-late-link", lab=SPEAKERS, timeout=110)
def dragged_slider(t):
    """A slider is dragged, a seek each 60 ms, while one room's link delays every message: both rooms are at the last place soon."""
    source = t.sounds.noise("noise-60", 60, seed=8)
    path = t.sounds.encoded("noise-60.flac", source)
    samples = sound.read_wav(source)
    finder = listening.Finder(samples)
    late = {"delay_ms": 60, "jitter_ms": 60}
    t.lab.wire(1, {"ab": late, "ba": late})
    try:
        recording = t.record()
        player = t.play([path], (1, 2), "--volume", "100")
        player.wait_position(5, within=20)
        for place in range(12, 36, 2):
            here, sent_at = player.here(), time.monotonic()
            player.send(f"seek {place}")
            time.sleep(0.06)
        player.wait_position(36, within=20, after=here)
        took = time.monotonic() - sent_at - 2
        player.wait_position(39, within=5, after=here)
        player.quit()
        recording.stop()
    finally:
        t.lab.unwire(1)
    recorded, starts = recording.samples(), []
    for room in (1, 2):
        heard = finder.hear(recording.room(recorded, room))
        expect(heard.pieces and heard.pieces[-1].end - heard.pieces[-1].start > 3 * RATE, f"{t.lab.name(room)} played no long piece at the end: {heard}")
        # By correlation: the receiver may stretch the first second.
        onset = listening.onset(recording.room(recorded, room), samples, 34 * RATE)
        expect(onset, f"{t.lab.name(room)} did not begin at 34 s: {heard}")
        starts.append(onset.start / RATE)
    expect(took < 2, f"the sound of the last place came {took:.1f} s after its seek")
    t.note(f"sound of the last place {took:.2f} s after its seek; first frames heard from {starts[0]:.2f} and {starts[1]:.2f} s")


@case("faults.receiver-dies-and-returns", timeout=110)
def receiver_restart(t):
    path = t.sounds.encoded("noise-40.flac", t.sounds.noise("noise-40", 40, seed=5))
    source = sound.read_wav(t.sounds.path("noise-40.wav"))
    finder = listening.Finder(source)
    mark = t.lab.mark()
    player = t.play([path], (1, 2))
    player.wait_position(5, within=15)
    here = player.here()
    t.lab.kill(2)
    killed_at = time.monotonic()
    report = t.wait_any(player, ("error", "warning"), 15, names_room(t, 2), after=here)
    expect(str(report.get("message", "")).strip(), f"the report has no message: {t.plain(report)}")
    t.note(f"reported after {report['_at'] - killed_at:.1f} s: {report.get('message')}")
    player.wait_position(11, within=15)
    before = t.lab.mark()
    t.lab.restart(2)
    player.expect_end(within=60)
    for room in (1, 2):
        t.lab.settle(room)

    result = finder.hear(listening.trim(t.lab.heard(1, mark)))
    one = len(result.pieces) == 1 and result.pieces[0].count == len(source) and result.foreign == 0
    expect(one, f"{t.lab.name(1)}, which had no fault, did not play the whole file: {result}")

    again = finder.hear(t.lab.heard(2, before)).pieces
    expect(again, f"{t.lab.name(2)} did not play again")
    t.note(f"rejoined at {again[0].start / RATE:.1f} s")
    expect(again[-1].end == len(source), f"{t.lab.name(2)} does not play to the end: up to {again[-1].end / RATE:.3f} s")
    # On the timeline: both rooms release the same frame at the same time, within a burst of the backend.
    frames = np.linspace(again[-1].start + RATE, len(source) - RATE, 5).astype(int)
    alone = finder.hear(t.lab.heard(1, mark)).pieces[0]
    for frame in frames:
        first = t.lab.arrival(1, mark[1] + (alone.at + frame - alone.start) * 4)
        second = t.lab.arrival(2, before[2] + (again[-1].at + frame - again[-1].start) * 4)
        expect(abs(second - first) < 0.3, f"rejoined {second - first:+.3f} s off the timeline")
