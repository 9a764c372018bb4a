"""Levelling by tags and crossfades of `tutti serve`, measured in the output of our own speaker."""

import numpy as np

import listening
import sound
from cases import OURS, case, expect
from cases.house import noise
from cases.queue import noises
from house import House
from listening import RATE

DITHER = 2  # steps of 16 bit: dither and rounding
SOON = 6.0  # seconds from a command to its sound, on a speaker that holds more


def tagged(t, name, seconds, seed, **tags):
    """A FLAC file of noise with tags, and its samples."""
    source = t.sounds.noise(f"{name}-plain", seconds, seed=seed)
    arguments = [part for key, value in tags.items() for part in ("-metadata", f"{key}={value}")]
    return t.sounds.encoded(f"{name}.flac", source, *arguments), sound.read_wav(source)


def play(t, house, paths, mode="off", crossfade=0):
    """Plays files in room 1; returns what was heard, without the silence around it."""
    house.put("/zones/1/levelling", {"mode": mode})
    house.put("/zones/1/crossfade", {"seconds": crossfade})
    mark = t.lab.mark()
    house.add(1, paths)
    house.wait_position(1, 0)
    house.wait_stopped(1, within=60)
    t.lab.settle(1)
    return listening.trim(t.lab.heard(1, mark))


def expect_scaled(heard, samples, decibels, name):
    """Every sample is that of the source, scaled."""
    wanted = samples * 10 ** (decibels / 20)
    expect(abs(len(heard) - len(wanted)) <= 1, f"{name}: {len(heard)} frames, not {len(wanted)}")
    # A quiet first or last frame may have become silence.
    best = min((np.abs(heard[: len(wanted) - 1 - shift] - wanted[shift : shift + len(heard[: len(wanted) - 1 - shift])]).max(), shift) for shift in (0, 1))
    expect(best[0] <= DITHER, f"{name}: {best[0]:.1f} steps from the source at {decibels} dB")
    return best[0]


GAINS = dict(REPLAYGAIN_TRACK_GAIN="-6.00 dB", REPLAYGAIN_TRACK_PEAK="0.183", REPLAYGAIN_ALBUM_GAIN="-9.50 dB", REPLAYGAIN_ALBUM_PEAK="0.2")


@case("levels.tags-are-applied", lab=OURS, timeout=150)
def applied(t):
    """A track has the gain of its tags, that of its album, or none; without tags and without levelling it is bit for bit."""
    path, samples = tagged(t, "levels-tagged", 4, 401, **GAINS)
    untagged, finder = noise(t, "levels-untagged", 4, 402)
    house = House(t, [path, untagged])
    house.assign(1, 1)
    off = play(t, house, [path])
    expect(len(off) == len(samples) and (off == samples).all(), "without levelling it is not bit for bit")
    worst = [expect_scaled(play(t, house, [path], mode), samples, gain, mode) for mode, gain in (("track", -6.0), ("album", -9.5))]
    heard = finder.hear(play(t, house, [untagged], "album"))
    expect(len(heard.pieces) == 1 and heard.pieces[0].count == len(finder.source), f"without tags: {heard}")
    house.stop()
    t.note(f"at most {max(worst):.1f} steps of 16 bit from the scaled source")


@case("levels.a-gain-never-clips", lab=OURS, timeout=120)
def clipping(t):
    """A gain is limited by the peak; an album falls back to the track; a file that is not in the library has its tags, too."""
    loud = dict(REPLAYGAIN_TRACK_GAIN="+20.00 dB", REPLAYGAIN_TRACK_PEAK="0.5")
    path, samples = tagged(t, "levels-loud", 4, 403, **loud)
    house = House(t, [path])
    house.assign(1, 1)
    worst = expect_scaled(play(t, house, [path], "album"), samples, 20 * np.log10(2), "limited by the peak")
    house.stop()
    t.note(f"at most {worst:.1f} steps of 16 bit from twice the source")


@case("levels.a-change-is-heard-soon", lab=OURS, timeout=120)
def changed(t):
    """Levelling that is switched on in mid-track is heard within seconds, without a gap, though the room holds all of it."""
    path, samples = tagged(t, "levels-change", 25, 404, REPLAYGAIN_TRACK_GAIN="-12.00 dB")
    house = House(t, [path])
    house.assign(1, 1)
    mark = t.lab.mark()
    house.add(1, [path])
    house.wait_held(1, 15)
    house.wait_position(1, 3)
    house.put("/zones/1/levelling", {"mode": "track"})
    position = house.wait_position(1, 0)["position"]
    house.wait_stopped(1, within=60)
    t.lab.settle(1)
    heard = listening.trim(t.lab.heard(1, mark))
    expect(abs(len(heard) - len(samples)) <= 1, f"{len(heard)} frames, not {len(samples)}")
    same = (heard[: len(samples) - 1] == samples[: len(heard)][: len(samples) - 1]).all(axis=1)
    change = int(np.argmin(same))
    expect(position < change / RATE < position + SOON, f"the change is at {change / RATE:.2f} s, asked for at {position:.2f} s")
    after = np.abs(heard[change + RATE // 10 : len(samples) - 1] - samples[change + RATE // 10 : len(samples) - 1] * 10 ** (-12 / 20)).max()
    expect(after <= DITHER, f"{after:.1f} steps from the source at -12 dB")
    house.put("/zones/1/levelling", {"mode": "off"})
    house.stop()
    t.note(f"heard {change / RATE - position:.2f} s after the command")


def crossed(first, second, seconds):
    """The sum of two tracks with an overlap of equal powers, as numbers."""
    count = int(seconds * RATE)
    angle = np.pi / 2 * np.arange(count)[:, None] / count
    overlap = first[-count:] * np.cos(angle) + second[:count] * np.sin(angle)
    return np.concatenate([first[:-count], overlap, second[count:]])


@case("levels.a-crossfade-is-exact", lab=OURS, timeout=120)
def crossfade(t):
    """Two tracks overlap by the seconds asked for: before and after bit for bit, in between the sum of both with equal powers.
    A shuffle of the queue does not matter; tracks that follow each other on an album do not overlap."""
    paths, samples = noises(t, (10, 12), seed=405)
    house = House(t, paths)
    house.assign(1, 1)
    heard = play(t, house, paths, crossfade=4)
    wanted = crossed(samples[0].astype(float), samples[1].astype(float), 4)
    expect(len(heard) == len(wanted), f"{len(heard) / RATE:.4f} s, not {len(wanted) / RATE:.4f} s")
    begin, end = 6 * RATE, 10 * RATE
    expect((heard[:begin] == samples[0][:begin]).all(), "the first track is not bit for bit before the overlap")
    expect((heard[end:] == samples[1][4 * RATE :]).all(), "the next track is not bit for bit after the overlap")
    worst = np.abs(heard[begin:end] - wanted[begin:end]).max()
    expect(worst <= DITHER, f"the overlap is {worst:.1f} steps from the sum")
    without = play(t, house, paths)
    expect(len(without) == 22 * RATE and (without == np.concatenate(samples)).all(), "without a crossfade it is not bit for bit")
    house.stop()
    t.note(f"the overlap is at most {worst:.1f} steps of 16 bit from the sum")


@case("levels.a-crossfade-with-an-edited-queue", lab=OURS, timeout=120)
def edited(t):
    """The next track is removed while the room holds the overlap with it: the overlap is one with the track after it."""
    paths, samples = noises(t, (15, 12, 9), seed=406)
    house = House(t, paths)
    house.assign(1, 1)
    house.put("/zones/1/crossfade", {"seconds": 3})
    mark = t.lab.mark()
    _, removed, _ = house.add(1, paths)
    house.wait_held(1, 20)
    house.post("/zones/1/queue/remove", {"entries": [removed]})
    position = house.wait_position(1, 0)["position"]
    house.wait_stopped(1)
    t.lab.settle(1)
    heard = listening.trim(t.lab.heard(1, mark))
    wanted = crossed(samples[0].astype(float), samples[2].astype(float), 3)
    expect(len(heard) == len(wanted), f"{len(heard) / RATE:.4f} s, not {len(wanted) / RATE:.4f} s")
    worst = np.abs(heard - wanted).max()
    expect(worst <= DITHER, f"{worst:.1f} steps from the sum")
    house.stop()
    t.note(f"edited {position:.1f} s into 15 s")


@case("levels.compressed-tracks-cross-and-pass-through", lab=OURS, timeout=120)
def compressed(t):
    """AAC tracks overlap, too; before and after the room decodes the tracks' own units, at their places to the frame."""
    music = [t.sounds.music(f"levels-music-{number}", 14, seed=407 + number) for number in (1, 2)]
    paths = [
        t.sounds.encoded(f"levels-music-{number}.m4a", source, "-c:a", "aac", "-b:a", "256k") for number, source in enumerate(music, 1)
    ]
    house = House(t, paths)
    house.assign(1, 1)
    heard = play(t, house, paths, crossfade=3)
    expect(abs(len(heard) / RATE - 25) < 0.2, f"{len(heard) / RATE:.3f} s, not 25 s")
    # An independent decoder's samples: in pass-through the room decodes the same units.
    sources = [sound.decode(path) for path in paths]
    found = []
    for source, begin, places in ((sources[0], 0, (2, 4, 6, 9)), (sources[1], 11, (14.5, 16, 17, 19, 21, 23))):
        for at in places:
            first = int(at * RATE)
            pair = [part[:8192, 0].astype(float) for part in (heard[first:], source[first - begin * RATE :])]
            found.append((at, round(float(np.corrcoef(*pair)[0, 1]), 4)))
    expect(all(likeness > 0.999 for _, likeness in found), f"places and how much they are like the tracks: {found}")
    power = [np.sqrt(np.mean(heard[int(at * RATE) : int((at + 1) * RATE)].astype(float) ** 2)) for at in (9, 12, 15)]
    expect(max(power) / min(power) < 1.6, f"the overlap is louder or softer: {[round(value) for value in power]}")
    house.stop()
