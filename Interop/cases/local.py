"""The machine's own output, recorded as a wave file: no speaker, no network."""

import numpy as np

import listening
import sound
from cases import FADE, case, expect
from cases.control import PACKETS, expect_pieces
from lab import WAVE_HEADER
from listening import RATE


def hear(file, source):
    # The header counts all frames only once the program has ended.
    result = listening.Finder(source).hear(listening.trim(listening.read_raw(file, skip_bytes=WAVE_HEADER)))
    if len(result.pieces) > 1:
        result.foreign = max(0, result.foreign - FADE * len(result.pieces))
    return result


@case("local.every-frame-is-heard", timeout=90)
def whole(t):
    paths, samples = t.tracks("local", count=2, seconds=6)
    source = np.concatenate(samples)
    player, file = t.play_here(paths)
    player.expect_end(within=40)
    piece = expect_pieces(hear(file, source), 1)[0]
    expect(piece.start == 0 and piece.end == len(source), f"start or end missing: {piece}")


@case("local.pause-and-seek", timeout=90)
def pause_seek(t):
    path = t.sounds.encoded("noise-20.flac", t.sounds.noise("noise-20", 20, seed=1))
    source = sound.read_wav(t.sounds.path("noise-20.wav"))
    player, file = t.play_here([path])
    player.wait_position(2, within=15)
    player.send("pause")
    player.wait("paused", 3)
    here = player.here()
    player.send("resume")
    player.wait("playing", 5, after=here)
    player.wait_position(3, within=6, after=player.here())
    here = player.here()
    player.send("seek 12")
    player.wait("playing", 3, after=here)
    player.expect_end(within=30)
    first, second, third = expect_pieces(hear(file, source), 3)
    expect(first.start == 0, f"start missing: {first}")
    # Frames mixed but not played before the pause play after it.
    expect(abs(second.start - first.end) <= PACKETS * RATE, f"the pause: {first}; {second}")
    # From the first frame on, except for the fade of the previous audio.
    expect(0 <= third.start - 12 * RATE <= FADE and third.end == len(source), f"the seek: {third}")


@case("local.an-edit-of-what-is-queued", timeout=90)
def edit(t):
    paths, samples = t.tracks("queue", count=3, seconds=8)
    player, file = t.play_here(paths)
    # The second track's beginning is queued: this output queues four seconds.
    player.wait_position(6, within=15)
    player.send("remove 1")
    player.expect_end(within=60)
    source = np.concatenate([samples[0], samples[2]])
    piece = expect_pieces(hear(file, source), 1)[0]
    expect(piece.start == 0 and piece.end == len(source), f"start or end missing: {piece}")


@case("local.an-output-that-is-none-is-named", timeout=30)
def missing(t):
    path = t.sounds.encoded("noise-20.flac", t.sounds.noise("noise-20", 20, seed=1))
    player = t.play_here([path], file="/nonexistent/folder/out.wav")[0]
    error = player.wait("error", 10)
    expect("/nonexistent/folder/out.wav" in error["message"], f"the message does not name the file: {error}")
    player.expect_exit(10, status=69)
