"""The receiver plays exactly the content of the file."""

import numpy as np

import listening
import sound
from cases import case, expect
from listening import RATE


def play_to_end(t, path, rooms=(1,), options=()):
    """Plays the file to its end; returns each room's output, without the silence around it."""
    mark = t.lab.mark()
    player = t.play([path], rooms, *options)
    player.wait("playing", 10)
    player.expect_end(within=20 + t.duration(path))
    heard = {}
    for room in rooms:
        t.lab.settle(room)
        heard[room] = listening.trim(t.lab.heard(room, mark))
    return heard


def expect_whole(heard, source, what):
    """Expects exactly the source: one piece, from its first frame to its last, and nothing else."""
    result = listening.Finder(source).hear(heard)
    whole = len(result.pieces) == 1 and result.pieces[0].start == 0 and result.pieces[0].count == len(source)
    expect(whole and result.foreign == 0, f"{what} is not the source ({len(source) / RATE:.4f} s), but {result}")


def expect_like(heard, reference, correlation, missing=0.1):
    """Expects the reference's content aligned throughout; at most `missing` seconds may lack or be added."""
    expect(len(heard) > RATE, f"only {len(heard) / RATE:.2f} s of audio")
    matches = listening.windows(heard, reference)
    worst = min(match.correlation for match in matches)
    expect(worst >= correlation, f"correlation with an independent decode is {worst:.3f}, not {correlation}")
    offsets = [match.offset for match in matches]
    # Two resamplers may round one frame differently.
    expect(max(offsets) - min(offsets) <= 2, f"content drifts against an independent decode: offsets {offsets}")
    apart = abs(len(heard) - len(reference)) / RATE
    expect(apart <= missing, f"{len(heard) / RATE:.3f} s heard, {len(reference) / RATE:.3f} s in the file")
    return worst


@case("content.flac-44100-16-is-exact")
def flac_exact(t):
    source = t.sounds.noise("noise-20", 20, seed=1)
    path = t.sounds.encoded("noise-20.flac", source)
    heard = play_to_end(t, path)[1]
    expect_whole(heard, sound.read_wav(source), "the receiver's sound")


@case("content.aac-passes-untouched")
def aac_close(t):
    source = t.sounds.music("music-15", 15, seed=2)
    # Without noise substitution, which every decoder synthesizes differently.
    path = t.sounds.encoded("music-15-plain.m4a", source, "-c:a", "aac", "-b:a", "256k", "-aac_pns", "0")
    mark = t.lab.mark()
    player = t.play([path], (1,))
    route = player.wait("route", 10)
    expect(route.get("passThrough") is True, f"AAC-LC stereo does not pass through: {t.plain(route)}")
    player.expect_end(within=40)
    t.lab.settle(1)
    heard, reference = listening.trim(t.lab.heard(1, mark)), sound.decode(path)
    matches = listening.windows(heard, reference)
    offsets = {match.offset for match in matches}
    expect(len(offsets) == 1, f"content drifts against an independent decode: offsets {sorted(offsets)}")
    # A decoder started midway needs some packets before it is exact; the receiver mutes the first.
    first = 3 * 1024
    apart = listening.difference(heard, reference, offsets.pop(), limit=8, skip=first)
    expect(apart.over == 0, f"{apart.over} frames differ by more than 8 steps of 16 bit, the worst by {apart.worst}")
    expect(apart.first <= 2 * first, f"the first {apart.first / RATE:.3f} s are missing")
    # The decoded audio may end with the encoder's padding, which need not play.
    end = min(len(reference), 15 * RATE) - 1024
    expect(apart.last >= end, f"the last {(end - apart.last) / RATE:.3f} s are missing")
    t.note(f"worst difference {apart.worst} of 16 bit")


@case("content.mp3-48000")
def mp3(t):
    source = t.sounds.music("music-10-48000", 10, seed=3, rate=48000)
    path = t.sounds.encoded("music-10-48000.mp3", source, "-b:a", "256k")
    worst = expect_like(play_to_end(t, path)[1], sound.decode(path), correlation=0.98)
    t.note(f"correlation {worst:.4f}")


# File name, source rate and channels, ffmpeg options. Three seconds each. The codecs and containers themselves are in CodecsTests.
FORMATS = [
    ("wav-24-96000.wav", 96000, 2, ["-c:a", "pcm_s24le"]),
    ("wav-float.wav", 44100, 2, ["-c:a", "pcm_f32le"]),
    ("wav-mono.wav", 44100, 1, ["-c:a", "pcm_s16le"]),
    ("wav-8-22050.wav", 22050, 2, ["-c:a", "pcm_u8"]),
    ("opus.opus", 48000, 2, ["-c:a", "libopus", "-b:a", "192k"]),
    ("aac-48000.m4a", 48000, 2, ["-c:a", "aac", "-b:a", "256k"]),
    ("aac-mono.m4a", 44100, 1, ["-c:a", "aac", "-b:a", "128k"]),
    ("mp3-mono-32000.mp3", 32000, 1, ["-b:a", "128k"]),
    ("surround-flac.flac", 48000, 6, ["-c:a", "flac"]),
]


def register_format(name, rate, channels, options):
    @case(f"content.format.{name}")
    def format_plays(t):
        source = t.sounds.music(f"music-3-{rate}-{channels}", 3, seed=4, rate=rate, channels=channels)
        path = t.sounds.encoded(name, source, *options)
        heard = play_to_end(t, path)[1]
        expect_like(heard, sound.decode(path), correlation=0.9)


for entry in FORMATS:
    register_format(*entry)


@case("content.gapless-lossless-join")
def gapless(t):
    """Two files in sequence: no frame between them, none missing."""
    paths, samples = t.tracks("gapless", count=2, seconds=4)
    mark = t.lab.mark()
    player = t.play(paths, (1,))
    player.expect_end(within=30)
    t.lab.settle(1)
    expect_whole(listening.trim(t.lab.heard(1, mark)), np.concatenate(samples), "the receiver's sound")
