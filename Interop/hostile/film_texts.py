"""Subtitles without end: many, long, all at once, and scripts that are hard to draw; in files beside a film and in the film."""

import os
import shutil

from attacks import attack
from film_files import MKV, NOISE, SECONDS, elementary
from film_matroska import block, film, picture_track, sound_track, text_track
from film_play import Cinema, Film, expect_sound
from sound import NO_TAGS, ffmpeg, read_wav

# The texts are held by the program, by the drawing library, and as they are drawn.
TEXTS_MB = 500

SCRIPT = """[Script Info]
ScriptType: v4.00+
PlayResX: {size}
PlayResY: {size}
[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,sans-serif,{font},&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,{scale},{scale},0,0,1,{outline},{outline},2,10,10,10,1
[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""


def clock(milliseconds, point=","):
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{point}{rest:03d}"


def srt(cues):
    """Cues are (start, end, text), in milliseconds."""
    return "\n".join(f"{number}\n{clock(start)} --> {clock(end)}\n{text}\n" for number, (start, end, text) in enumerate(cues, 1))


def ass(*texts, size=288, font=16, scale=100, outline=2):
    lines = (f"Dialogue: {layer},0:00:00.00,0:01:00.00,Default,,0,0,0,,{text}" for layer, text in enumerate(texts))
    return SCRIPT.format(size=size, font=font, scale=scale, outline=outline) + "\n".join(lines) + "\n"


def drawing(points):
    return "{\\p1}m 0 0 " + " ".join(f"l {7919 * index % 20011} {104729 * index % 20011}" for index in range(points))


LETTERS = "".join(map(chr, (*range(0x410, 0x450), *range(0x41, 0x5B), *range(0x61, 0x7B))))

BESIDE = {
    "a-hundred-thousand.srt": lambda: srt((20 * index, 20 * index + 15, f"Text {index}") for index in range(100_000)),
    "all-at-once.srt": lambda: srt((0, 60_000, f"Text {index}") for index in range(50_000)),
    "ten-megabytes.srt": lambda: srt([(0, 60_000, "word " * 2_000_000)]),
    "one-line.srt": lambda: srt([(0, 60_000, "w" * 10_000_000)]),
    "sixty-kilobytes.srt": lambda: srt((0, 60_000, "word " * 12_000) for _ in range(200)),
    "nested.srt": lambda: srt([(0, 60_000, "<b><i><u><font color=red>" * 2400)]),
    "times.srt": lambda: srt([(0, 10**12, "for ever"), (10**15, 10**15 + 1, "never"), (500, 500, "no time"), (900, 100, "backwards")]),
    "words.vtt": lambda: "WEBVTT\n\n" + "".join(f"00:00.{index % 1000:03d} --> 00:59.000\n{{\\p1}}<c.x>{index}</c>\n\n" for index in range(20_000)),
    "huge-font.ass": lambda: ass("Text", font=10**9, size=1),
    "huge-scale.ass": lambda: ass("{\\fscx1000000\\fscy1000000\\bord100000\\shad100000\\blur100000\\be100000}Text" * 20, outline=10**6),
    "giant-letters.ass": lambda: ass("{\\fscx1000000\\fscy1000000}" + LETTERS),
    "giant-borders.ass": lambda: ass(*("{\\fscx10000\\fscy10000\\bord1000\\blur%d\\pos(10,10)}" % blur + LETTERS for blur in range(40))),
    "tiny-canvas.ass": lambda: ass("{\\pos(99999999,-99999999)\\frx45\\fry89.999\\frz1e30\\org(1e300,-1e300)}Text", size=0),
    "drawing.ass": lambda: ass(*[drawing(4000)] * 40, size=20011),
    "moving.ass": lambda: ass(*["{\\t(0,60000,\\frx7200\\fry7200\\blur50\\fscx900)\\move(0,0,300,300)\\clip(" + drawing(400)[5:] + ")}" + "Text " * 200] * 60),
    "karaoke.ass": lambda: ass("{\\k1}w" * 10_000, "{\\kf1}w\\N" * 6000),
    "styles.ass": lambda: SCRIPT.format(size=288, font=16, scale=100, outline=2).replace("[Events]", "Style: A,b,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1\n" * 100_000 + "[Events]"),
    "fonts.ass": lambda: ass("Text") + "[Fonts]\nfontname: evil.ttf\n" + ("!" * 80 + "\n") * 50_000,
}  # fmt: skip
SHORT_BESIDE = ("a-hundred-thousand.srt", "ten-megabytes.srt", "giant-letters.ass", "all-at-once.srt")


def beside(t, name):
    """A film in a folder of its own, with the texts beside it."""
    folder = os.path.join(t.folder, name)
    os.makedirs(folder, exist_ok=True)
    film = os.path.join(folder, "film.mkv")
    shutil.copyfile(MKV.made(t.sounds), film)
    with open(os.path.join(folder, f"film.{name.rpartition('.')[2]}"), "w") as file:
        file.write(BESIDE[name]())
    return Film(film, name, most_mb=TEXTS_MB)


@attack("films.subtitles-without-end", limit=150, short=True, rooms=False)
def texts(t):
    with Cinema(t) as cinema:
        expect_sound(cinema.play(*(beside(t, name) for name in (SHORT_BESIDE if t.is_short else BESIDE)), at_once=6))
        t.note(cinema.figures())


EMBEDDED = {
    "all-at-once.mkv": lambda: srt((index // 100, 60_000, f"Text {index}") for index in range(30_000)),
    "hundred-thousand.mp4": lambda: srt((index // 60, index // 60 + 1, f"Text {index}") for index in range(100_000)),
}  # fmt: skip


def embedded(t, name):
    """Many texts in a film."""

    def make(part):
        lines = part + ".srt"
        with open(lines, "w") as file:
            file.write(EMBEDDED[name]())
        try:
            codec = "mov_text" if name.endswith("mp4") else "srt"
            words = ("-i", MKV.made(t.sounds), "-i", lines, "-map", "0", "-map", "1", "-c", "copy", "-c:s", codec, "-metadata:s:s", "language=eng")
            ffmpeg(*words, "-strict", "-2", *NO_TAGS, part)
        finally:
            os.remove(lines)

    return Film(t.sounds.made(f"hostile-texts-{name}", make), name, options=("--subtitles", "en"), most_mb=TEXTS_MB)


def compressed(t, number=20_000, length=60_000):
    """Texts of sixty kilobytes, a thousand million bytes in all, which Matroska's compression makes small."""
    pictures = elementary("160x96", 25 * SECONDS, codec=("mjpeg", "-strict", "-1"), kind="mjpeg", pixels="yuvj420p").split(b"\xff\xd8\xff")[1:]
    samples = read_wav(t.sounds.noise("hostile-film", **NOISE)).tobytes()
    piece, blocks, count, words = 44100 // 25 * 4, [], 0, b"word " * (length // 5)
    for index, picture in enumerate(pictures):
        time = 40 * index
        blocks += [block(1, time, b"\xff\xd8\xff" + picture, 40), block(2, time, samples[index * piece : (index + 1) * piece], 40)]
        while count < min(number, 4000 * (index + 1)):
            blocks.append(block(3, time, b"%d " % count + words, 60_000, is_packed=True))
            count += 1
    path = os.path.join(t.folder, "compressed.mkv")
    with open(path, "wb") as file:
        file.write(film([picture_track(1, 160, 96), sound_track(2), text_track(3)], [(0, blocks)]))
    # Paused, so that all that is read ahead is read.
    return Film(path, options=("--subtitles", "en"), commands=((0.1, "pause"), (4, "resume"), (2.5, "quit")), most_mb=TEXTS_MB)


@attack("films.subtitles-inside-without-end", limit=100, short=False, rooms=False)
def inside(t):
    with Cinema(t) as cinema:
        expect_sound(cinema.play(compressed(t), *(embedded(t, name) for name in EMBEDDED), at_once=3))
        t.note(cinema.figures())
