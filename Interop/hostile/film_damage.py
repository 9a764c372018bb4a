"""Films with damage in their containers and their pictures: none traps, hangs or grows, and damaged pictures leave the sound alone."""

import os

import numpy as np

import lab as labs
from attacks import attack, expect
from film_files import AV1, AVI, HEVC, KINDS, MJPEG, MKV, MP4, MPEG2, NOISE, SECONDS, TS, WEBM, damaged, damaged_packets, read, write
from film_play import BAD_MEDIA, HANDS, TO_THE_END, WATCHED, Cinema, Film, heard
from listening import RATE
from player import Player
from rooms import VICTIM
from sound import ffmpeg


@attack("films.bytes-changed-in-thirteen-kinds", limit=200, short=True, rooms=False)
def changed(t):
    """Each film alone: watched to its end, or with seeks, steps and another rate, in a window or on SDL's display without a screen."""
    folder, films = os.path.join(t.folder, "films"), []
    for kind in KINDS:
        whole = read(kind.made(t.sounds))
        for number in range(t.many(6, 1)):
            how, data = damaged(whole, f"{kind.name}.{kind.ending} {number}")
            path = write(folder, f"{kind.name or kind.codec[0]}-{number:02d}-{how}.{kind.ending}", data)
            driver = "dummy" if number % 3 == 2 else "x11"
            films.append(Film(path, commands=(WATCHED, HANDS, TO_THE_END, HANDS)[number % 4], driver=driver))
    with Cinema(t) as cinema:
        outcomes = cinema.play(*films)
        expect(sum(outcome.status != BAD_MEDIA for outcome in outcomes) > len(films) // 3, "nearly all films were refused")
        expect(sum(outcome.shown > 0 for outcome in outcomes) > len(films) // 4, "nearly no film was seen")
        t.note(cinema.figures())


# Frames within which an output that runs dry fades: the end of a Matroska file, which is rounded to milliseconds, may come as a surprise.
FADE = 64

# Damage in the packets of pictures alone: name -> the film, and ffmpeg's filter of packets. Its muxers refuse damaged AV1: damage in place.
NOISES = {
    "some.mkv": (MKV, "noise=amount=100"), "much.mkv": (MKV, "noise=amount=3"), "all.mkv": (MKV, "noise=amount=1"),
    "lost.mkv": (MKV, "noise=drop=mod(n\\,3)"), "vp9.webm": (WEBM, "noise=amount=40"), "hevc.mp4": (HEVC, "noise=amount=40"),
    "av1.mp4": (AV1, None), "h264.mp4": (MP4, "noise=amount=20"), "mjpeg.mov": (MJPEG, "noise=amount=20"),
    "mpeg2.ts": (MPEG2, "noise=amount=60"), "h264.ts": (TS, "noise=amount=60"), "mpeg4.avi": (AVI, "noise=amount=30"),
}  # fmt: skip
SHORT_NOISES = ("much.mkv", "vp9.webm", "h264.ts")


def noisy(t, name):
    """(The film, the same without damage), both written by the same muxer."""
    kind, noise = NOISES[name]
    source = kind.made(t.sounds)
    if noise is None:
        return t.sounds.made(
            f"hostile-noisy-{name}", lambda part: write(os.path.dirname(part), os.path.basename(part), damaged_packets(source, 0.01, name))
        ), source
    bare = t.sounds.made(f"hostile-copied-{name}", lambda part: ffmpeg("-i", source, "-map", "0", "-c", "copy", "-fflags", "+bitexact", part))
    with_noise = ("-map", "0", "-c", "copy", "-bsf:v", noise, "-fflags", "+bitexact")
    return t.sounds.made(f"hostile-noisy-{name}", lambda part: ffmpeg("-i", source, *with_noise, part)), bare


@attack("films.damaged-pictures-leave-the-sound-alone", limit=120, short=True, rooms=False)
def pictures(t):
    """The sound of a film whose pictures are damaged equals that of the film without damage, frame for frame."""
    films = []
    for name in SHORT_NOISES if t.is_short else NOISES:
        for place, path in zip(("damaged", "whole"), noisy(t, name)):
            films.append(Film(path, f"{place} {name}", wave=os.path.join(t.folder, f"{place}-{name}.wav"), statuses=(0,)))
    with Cinema(t) as cinema:
        outcomes = cinema.play(*films)
        frames = 0
        for damaged_one, whole in zip(outcomes[::2], outcomes[1::2]):
            found, expected = heard(damaged_one.film), heard(whole.film)
            expect(len(expected) > (SECONDS - 0.1) * RATE, f"{whole.film.name}: only {len(expected)} frames")
            expect(not (wrong := difference(found, expected)), f"{damaged_one.film.name}: {wrong}")
            expect(whole.shown > 20, f"{whole.film.name}: {whole.shown} pictures were seen of a film without damage")
            frames += len(found)
        corrupt = sum(outcome.corrupt for outcome in outcomes[::2])
        expect(corrupt, "no picture was found corrupt")
        t.note(f"{cinema.figures()}; {frames} frames equal, {corrupt} packets corrupt")


def difference(found, expected):
    """What is wrong with these samples, or None."""
    length = min(len(found), len(expected))
    if max(len(found), len(expected)) - length > FADE:
        return f"{len(found)} frames instead of {len(expected)}"
    wrong = np.flatnonzero((found[:length] != expected[:length]).any(axis=1))
    return f"{len(wrong)} frames differ, from {wrong[0] / RATE:.3f} s on" if len(wrong) else None


@attack("films.damaged-pictures-and-a-speaker", limit=60, short=False)
def in_a_room(t):
    """A speaker plays every frame of such a film, and the rooms beside it theirs."""
    source = t.sounds.noise("hostile-film", **NOISE)
    with Cinema(t) as cinema:
        for name in ("much.mkv", "lost.mkv"):
            path, mark = noisy(t, name)[0], t.lab.mark()
            words = ("play", path, "--to", f"{t.rooms.address(VICTIM)}:{labs.PORT}", "--json")
            program = t.command(*words, kind=Player, environment=cinema.environment())
            program.wait("ended", 14)
            t.ended(program, 5, [0], name)
            t.heard_whole(VICTIM, source, mark)
    t.note("two films, all frames heard")
