"""Films that claim absurd sizes, shapes, rates and times, or have them: memory and time stay within limits, and the sound plays."""

import os
import struct

from attacks import attack
from film_files import (
    AVI, AVI_RATE, LARGER_MKV, MKV, MP4, MP4_DELTA, MP4_MATRIX, MP4_UNIT, NOISE, SECONDS, SIZELESS_AVI, SIZELESS_MKV, WEBM, after,
    avi_size, elementary, matroska_size, mp4_size, mxf, patched, read, transport, vp9_size, with_other_parameters, write,
)  # fmt: skip
from film_play import BAD_MEDIA, PLAYED, WATCHED, Cinema, Film, expect_sound, expect_words
from sound import NO_TAGS, ffmpeg

# Memory where pictures of 36 million pixels are decoded: some twenty of them at most, see VideoStreamParameters.pixelLimit.
LARGE_MB = 1400
# Memory where larger ones are only claimed: those must not be decoded, nor in search of the streams.
CLAIM_MB = 400
# Memory of two hundred streams: each costs a decoder, in the reader of the sound and in that of the pictures.
CROWD_MB = 600
ALLOWED = "8192x4608"  # the largest size
SIZES = ((16384, 16384), (65535, 65535), (1, 1), (16, 16384), (16384, 1), (641, 359), (0, 0), (8192, 4608))


def named(t, name, data):
    return write(os.path.join(t.folder, "films"), name, data)


def claims():
    """Name -> a function of the test files that gives the film's bytes."""
    found = {}
    for width, height in SIZES:
        size = f"{width}x{height}"
        found[f"h264-{size}.mkv"] = lambda s, w=width, h=height: patched(LARGER_MKV, s, *matroska_size(w, h))
        found[f"huffyuv-{size}.mkv"] = lambda s, w=width, h=height: patched(SIZELESS_MKV, s, *matroska_size(w, h))
        found[f"huffyuv-{size}.avi"] = lambda s, w=width, h=height: patched(SIZELESS_AVI, s, *avi_size(w, h))
        found[f"h264-{size}.mp4"] = lambda s, w=width, h=height: patched(MP4, s, *mp4_size(w, h))
    for width, height in ((2**31 - 1, 2**31 - 1), (-(2**31), -(2**31)), (640, -360), (2**30, 1), (1, 2**31 - 1)):
        found[f"huffyuv-{width}x{height}.avi"] = lambda s, w=width, h=height: patched(SIZELESS_AVI, s, *avi_size(w, h))
        found[f"mpeg4-{width}x{height}.avi"] = lambda s, w=width, h=height: patched(AVI, s, *avi_size(w, h))
    for width, height in ((16384, 16384), (65536, 65536), (1, 1), (8192, 4608)):
        found[f"vp9-becomes-{width}x{height}.webm"] = lambda s, w=width, h=height: vp9_size(read(WEBM.made(s)), w, h)
        found[f"vp9-{width}x{height}.webm"] = lambda s, w=width, h=height: vp9_size(read(WEBM.made(s)), w, h, first=0)
    for width, height in ((1024, 1024), (1024, 960), (4096, 4096), (1, 1), (1, 1024), (512, 288)):
        for first in (0, 25):
            name = f"h264-{'becomes-' if first else ''}{16 * width}x{16 * height}.ts"
            found[name] = lambda s, n=name, w=width, h=height, f=first: read(
                s.made(f"hostile-{n}", lambda part: transport(part, with_other_parameters(w, h, f), s))
            )
    return found


# Containers that FFmpeg refuses, sound and all.
REFUSED = ("huffyuv--", "mpeg4--")
SHORT_CLAIMS = (
    "h264-16384x16384.mkv", "huffyuv-65535x65535.mkv", "h264-16384x1.mp4", "huffyuv-2147483647x2147483647.avi", "vp9-becomes-65536x65536.webm",
    "h264-16384x15360.ts", "h264-becomes-16384x15360.ts",
)  # fmt: skip


@attack("films.claims-of-absurd-sizes", limit=200, short=True, rooms=False)
def sizes(t):
    """Sizes in containers and in bitstreams, some from a later picture on."""
    every = claims()
    films = []
    for name in SHORT_CLAIMS if t.is_short else every:
        is_refusal = name.startswith(REFUSED)
        limit = LARGE_MB if ALLOWED in name else CLAIM_MB
        films.append(
            Film(named(t, name, every[name](t.sounds)), name, commands=WATCHED, most_mb=limit, within=8, statuses=(BAD_MEDIA,) if is_refusal else (PLAYED,))
        )
    with Cinema(t) as cinema:
        outcomes = cinema.play(*films)
        played = [outcome for outcome in outcomes if outcome.status == PLAYED]
        expect_sound(played)
        expect_words(played)
        t.note(cinema.figures())


def shapes():
    """The same for pixels' shapes, rates, units and turns."""
    found = {}
    for across, down in ((1, 4_000_000), (4_000_000, 1), (0, 0), (2**32 - 1, 1), (1, 2**32 - 1), (2**31, 2**31), (33, 1)):
        found[f"aspect-{across}-{down}.mp4"] = lambda s, a=across, d=down: with_pixel_shape(s, a, d)
    for scale, rate in ((1_000_000, 1), (1, 1_000_000), (0, 0), (1, 0), (0, 1), (2**32 - 1, 1), (1, 2**32 - 1), (2**31 - 1, 2**31 - 1)):
        found[f"rate-{rate}-{scale}.avi"] = lambda s, c=scale, r=rate: patched(AVI, s, (AVI_RATE, struct.pack("<II", c, r)))
    for delta in (0, 1, 2**31 - 1, 2**32 - 1):
        found[f"duration-{delta}.mp4"] = lambda s, d=delta: patched(MP4, s, (MP4_DELTA, struct.pack(">I", d)))
    for unit in (0, 1, 2**31 - 1, 2**32 - 1):
        found[f"unit-{unit}.mp4"] = lambda s, u=unit: patched(MP4, s, (MP4_UNIT, struct.pack(">I", u)))
    for start, length in ((4 * 10**16, 4 * 10**16), (2**62, 2**62), (-(2**63), 2**63 - 1), (2**63 - 1, -1)):
        for rate in ((1, 200), (25, 1), (0, 0)):
            name = f"rate-{rate[0]}-{rate[1]}-from-{start}-{length}.mxf"
            found[name] = lambda s, r=rate, b=start, n=length: mxf(s, r, b, n)
    half, least = 2**31 - 1, -(2**31)
    turns = {
        "none": (0,) * 9, "largest": (half,) * 9, "least": (least,) * 9, "flat": (65536, 0, 0, 0, 0, 0, 0, 0, 1 << 30), "far": (65536, 0, 0, 0, 65536, 0, half, half, 1 << 30),
        "quarter": (0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30), "slanted": (65536, 65536, 0, 65536, 65536, 0, 0, 0, 1 << 30), "mixed": (least, half, 1, half, least, -1, 1, 1, 0),
    }  # fmt: skip
    for name, numbers in turns.items():
        found[f"turn-{name}.mp4"] = lambda s, n=numbers: patched(MP4, s, (MP4_MATRIX, struct.pack(">9i", *n)))
    return found


def with_pixel_shape(sounds, across, down):
    """A pixel aspect in a box of the sample description, whose parents grow by it."""
    data = bytearray(read(MP4.made(sounds)))
    box = struct.pack(">I4sII", 16, b"pasp", across, down)
    if b"pasp" in data:
        at = after(data, b"pasp")
        data[at : at + 8] = box[8:]
        return bytes(data)
    place = after(data, b"stsd", b"avc1") - 8
    end = place + struct.unpack(">I", data[place : place + 4])[0]
    for parent in (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stsd"):
        at = after(data, parent) - 8
        data[at : at + 4] = struct.pack(">I", struct.unpack(">I", data[at : at + 4])[0] + len(box))
    data[place : place + 4] = struct.pack(">I", end - place + len(box))
    return bytes(data[:end] + box + data[end:])


SHORT_SHAPES = ("rate-1-200-from-40000000000000000-40000000000000000.mxf", "aspect-1-4000000.mp4", "rate-1000000-1.avi", "rate-1-1000000.avi", "turn-none.mp4")


@attack("films.shapes-rates-and-turns", limit=120, short=True, rooms=False)
def odd(t):
    every = shapes()
    films = [Film(named(t, name, every[name](t.sounds)), name, WATCHED) for name in (SHORT_SHAPES if t.is_short else every)]
    with Cinema(t) as cinema:
        expect_sound(cinema.play(*films))
        t.note(cinema.figures())


# Pictures that are as large as they claim: name -> the ending, the size, frames a second, the encoder.
LARGE = {
    "mjpeg-16384x8192.mov": ("16384x8192", "1/2", ("mjpeg", "-q:v", "31", "-strict", "-1")),
    "png-16384x8192.mov": ("16384x8192", "1/2", ("png", "-pred", "none", "-compression_level", "1")),
    "mjpeg-8192x4608.mkv": ("8192x4608", "2", ("mjpeg", "-q:v", "31", "-strict", "-1")),
    "h264-8192x4608.mkv": ("8192x4608", "4", ("libx264", "-preset", "ultrafast", "-qp", "40", "-bf", "2")),
    "ffv1-16384x2304.mkv": ("16384x2304", "1", ("ffv1",)),
    "deep-8192x4608.mkv": ("8192x4608", "1", ("ffv1", "-pix_fmt", "gbrap16le")),
    "mpeg4-8176x4096.avi": ("8176x4096", "2", ("mpeg4", "-q:v", "31", "-bf", "0")),
    "thin-16x16384.mkv": ("16x16384", "10", ("mjpeg", "-strict", "-1")),
    "wide-16384x16.mkv": ("16384x16", "10", ("libx264", "-preset", "ultrafast")),
}  # fmt: skip
SHORT_LARGE = ("mjpeg-16384x8192.mov", "thin-16x16384.mkv")


def large(sounds, name):
    size, rate, codec = LARGE[name]
    noise = sounds.noise("hostile-film", **NOISE)
    pictures = ("-f", "lavfi", "-i", f"color=s={size}:r={rate}:d={SECONDS}:c=teal", "-i", noise, "-map", "0:v", "-map", "1:a")
    pixels = () if "-pix_fmt" in codec or codec[0] == "png" else ("-pix_fmt", "yuv420p")
    return sounds.made(f"hostile-real-{name}", lambda part: ffmpeg(*pictures, *pixels, "-c:v", *codec, "-c:a", "pcm_s16le", *NO_TAGS, part))


@attack("films.pictures-of-16k", limit=150, short=True, rooms=False)
def real(t):
    films = [Film(large(t.sounds, name), name, most_mb=LARGE_MB) for name in (SHORT_LARGE if t.is_short else LARGE)]
    with Cinema(t) as cinema:
        outcomes = cinema.play(*films, at_once=3)
        expect_sound(outcomes)
        # One picture of the deepest film takes a processor longer than the film lasts.
        expect_words(outcome for outcome in outcomes if not outcome.film.name.startswith("deep"))
        t.note(cinema.figures())


def changing(sounds):
    """Pictures of ten sizes, two or three of each."""
    sizes = ("64x64", "1920x1080", "16x16", "640x360", "360x640", "3840x2160", "128x16", "16x128", "1280x720", "98x50")
    stream = b"".join(elementary(sizes[number % len(sizes)], 2 + number % 2) for number in range(20))
    return sounds.made("hostile-changing.ts", lambda part: transport(part, stream, sounds))


def crowd(sounds, name):
    """A film with a hundred streams of pictures and as many of sound."""
    words = ("-i", (MP4 if name.endswith("mp4") else MKV).made(sounds), *("-map", "0:v") * 100, *("-map", "0:a") * 100, "-c", "copy")
    return sounds.made(f"hostile-{name}", lambda part: ffmpeg(*words, *NO_TAGS, part))


def large_crowd(sounds):
    """Forty streams of pictures of the largest size, in three megabytes."""
    one = sounds.made(f"hostile-h264-{ALLOWED}.ts", lambda part: transport(part, with_other_parameters(512, 288), sounds))
    words = ("-max_pixels", "1000000", "-i", one, *("-map", "0:v") * 40, "-map", "0:a", "-c", "copy")
    return sounds.made("hostile-crowd-large.ts", lambda part: ffmpeg(*words, *NO_TAGS, part))


def unnumbered(sounds):
    """More than a quarter of a million pictures within 0.3 s, the time that is decoded ahead; each has a few bytes."""
    noise, unit = sounds.noise("hostile-film", **NOISE), ("-video_track_timescale", "1000000")
    pictures = ("-f", "lavfi", "-i", "color=s=16x16:r=1000:d=290", "-c:v", "mpeg4", "-g", "600")
    slow = sounds.made("hostile-unnumbered-slow.mov", lambda part: ffmpeg(*pictures, *unit, *NO_TAGS, part))
    words = ("-i", slow, "-i", noise, "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "pcm_s16le", "-bsf:v", "setts=ts=N:duration=1")
    return sounds.made("hostile-unnumbered.mov", lambda part: ffmpeg(*words, *unit, *NO_TAGS, part))


# Times of packets, as ffmpeg's expressions.
TIMES = {
    "same.mkv": "setts=ts=0", "backwards.mkv": "setts=pts=2000-PTS", "centuries.mkv": "setts=ts=PTS*10000000000", "leaps.ts": "setts=ts=PTS+mod(N\\,7)*900000000",
    "early.mkv": "setts=pts=PTS-1000*mod(N\\,5):dts=DTS", "hours.mp4": "setts=ts=PTS*3600", "dense.mp4": "setts=ts=N", "halves.ts": "setts=pts=PTS/2:dts=DTS/2",
}  # fmt: skip


def retimed(sounds, name):
    source = MKV.made(sounds)
    words = ("-i", source, "-map", "0", "-c", "copy", "-strict", "-2", "-bsf:v", TIMES[name])
    if name.endswith(".ts"):
        words += ("-c:a", "aac")
    return sounds.made(f"hostile-times-{name}", lambda part: ffmpeg(*words, "-fflags", "+bitexact", part))


@attack("films.changing-sizes-crowds-and-times", limit=150, short=False, rooms=False)
def strange(t):
    """Sizes that change, two hundred streams, pictures without number, and times that leap."""
    films = [Film(changing(t.sounds), most_mb=LARGE_MB), *(Film(crowd(t.sounds, name), most_mb=CROWD_MB) for name in ("crowd.mkv", "crowd.mp4"))]
    films += [Film(retimed(t.sounds, name), name) for name in TIMES]
    # Paused at its beginning, so that the decoder has all the time it wants, and the processors.
    alone = Film(unnumbered(t.sounds), commands=((0, "pause"), (4, "resume"), (2, "quit")))
    with Cinema(t) as cinema:
        expect_sound(cinema.play(Film(large_crowd(t.sounds), most_mb=LARGE_MB), *films, at_once=4))
        expect_sound(cinema.play(alone))
        t.note(cinema.figures())
