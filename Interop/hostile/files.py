"""Damaged files, and files that never yield audio: each plays, or is refused with a message, and the next one starts."""

import os
import random
import struct
import time

from attacks import attack, expect
from web import FLAC_HEADER, MP3_SECOND

FORMATS = {
    "wav": (), "flac": (), "mp3": ("-c:a", "libmp3lame"), "m4a": ("-c:a", "aac"), "alac.m4a": ("-c:a", "alac"),
    "ogg": ("-c:a", "libvorbis"), "opus": ("-c:a", "libopus", "-ar", "48000"), "aiff": (),
}  # fmt: skip
SECONDS = 0.15


def damaged(whole, seed):
    """Some bytes mutated, mostly in the first KB, where the containers are; or truncated, or a range repeated."""
    dice, data = random.Random(seed), bytearray(whole)
    for _ in range(dice.choice((1, 2, 5, 20, 100))):
        place = dice.randrange(min(1024, len(data))) if dice.random() < 0.7 else dice.randrange(len(data))
        data[place] = dice.choice((data[place] ^ 1 << dice.randrange(8), 0, 255, 127, 128, dice.randrange(256)))
    if dice.random() < 0.15:
        del data[dice.randrange(len(data)) :]
    elif dice.random() < 0.1:
        at = dice.randrange(len(data))
        data[at:at] = data[at : at + dice.randrange(2000)]
    return bytes(data)


@attack("files.flipped-bytes-of-eight-formats", limit=280, short=True, rooms=False)
def flipped(t):
    count = t.many(304, 24)
    source = t.sounds.noise("hostile-flipped", SECONDS, seed=81)
    folder = os.path.join(t.folder, "files")
    os.makedirs(folder, exist_ok=True)
    told, total, longest = 0, 0, 0.0
    for ending, options in FORMATS.items():
        path = t.sounds.encoded(f"hostile-flipped.{ending}", source, *options, title="Flipped", artist="Nobody")
        with open(path, "rb") as file:
            whole = file.read()
        files = []
        for number in range(count // len(FORMATS)):
            files.append(os.path.join(folder, f"{number:03d}.{ending}"))
            with open(files[-1], "wb") as file:
                file.write(damaged(whole, f"{ending} {number}"))
        # A header may claim hours: such a play is ended normally, and then resumed after that file.
        left = files
        while left:
            ended, seconds, text = play(t, left, 20 + len(left))
            longest, total = max(longest, seconds), total + ended
            told += text.count(b"warning") + text.count(b"error")
            left = left[max(1, ended) :]
    t.note(f"{count} files of {len(FORMATS)} formats, {told} warnings and errors")
    expect(total >= count // 2, f"only {total} of {count} files were got through")


def play(t, files, within):
    """The number of files it got through, the seconds, and its output."""
    program = t.command("play", *files, "--output", "null", "--json")
    end, last = time.monotonic() + within, time.monotonic()
    seen = 0
    while program.poll() is None and time.monotonic() < end:
        indices = [event.get("index", 0) for event in program.events if isinstance(event.get("index"), int)]
        if indices and max(indices) > seen:
            seen, last = max(indices), time.monotonic()
        if time.monotonic() - last > 6:  # one file that claims to be long
            program.send("quit")
            break
        time.sleep(0.05)
    status, seconds, text = t.ended(program, 8, what=os.path.basename(files[seen]))
    return (len(files) if program.all("ended") and time.monotonic() - last < 6 else seen + 1), seconds, text


# Endless files without audio, or without further audio: name -> first bytes, and the repeated ones.
ENDLESS = {
    "zeros.mp3": (MP3_SECOND, b""), "chunks.wav": (b"RIFF\xff\xff\xff\xffWAVE", b"junk\0\0\0\0"),
    "chunk.wav": (b"RIFF\xff\xff\xff\xffWAVEjunk\xfe\xff\xff\xff", b""), "free.m4a": (b"\0\0\0\x10ftypM4A \0\0\0\0", b"\0\0\0\x08free"),
    "large-free.m4a": (b"\0\0\0\x10ftypM4A \0\0\0\0", b"\0\0\x10\0free" + bytes(4088)), "pages.ogg": (b"", b"OggS\0\0" + bytes(20) + b"\1\1\0"),
    "void.mka": (b"\x1aE\xdf\xa3\x8bB\x82\x88matroska\x18S\x80g\x01" + b"\xff" * 7, b"\xec\x86" + bytes(6)),
    "padding.flac": (b"fLaC" + FLAC_HEADER, b"\1\0\0\4" + bytes(4)), "zeros.caf": (b"caff\0\1\0\0", b""), "zeros.aac": (b"", b""),
}  # fmt: skip
SHORT_ENDLESS = ("zeros.mp3",)


@attack("files.sound-that-never-comes", limit=150, short=True, rooms=False)
def endless(t):
    """Sparse files of 8 GB: within limits of time, bytes and memory the program reports the problem and continues."""
    folder = os.path.join(t.folder, "endless")
    os.makedirs(folder, exist_ok=True)
    good = t.sounds.noise("hostile-after", 0.5, seed=84)
    longest, peak = 0.0, 0
    for name in SHORT_ENDLESS if t.is_short else ENDLESS:
        first, again = ENDLESS[name]
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(first)
            if again:
                file.write(again * ((80 << 20) // len(again)))
            file.truncate(8 << 30)
        program = t.command("play", path, good, "--output", "null", "--json")
        program.process.stdin.close()
        try:
            status, seconds, text = t.ended(program, 28, what=name)
        finally:
            os.remove(path)
        expect(status == 0, f"{name}: exit status {status}: {text[-200:]!r}")
        expect(b"warning" in text or b"unplayable" in text, f"{name}: nothing was said of it")
        expect(reached(program, 1), f"{name}: the next track never began")
        longest, peak = max(longest, seconds), max(peak, program.peak_kb)
    t.note(f"at most {longest:.1f} s and {peak >> 10} MB")


def reached(program, index):
    return any(event.get("index") == index for event in program.all("playing") + program.all("progress"))


def place(data, kind, offset):
    """Offsets of the fields of an MP4 box, or of a CAF chunk: after its name."""
    return data.index(kind) + 4 + offset


# Name -> format, and the field: its box, its offset, and the written value.
TABLES = {
    "timescale.m4a": ("m4a", b"mdhd", 12, struct.pack(">I", 8000)), "durations.m4a": ("m4a", b"stts", 12, struct.pack(">I", 5120)),
    "packets-per-chunk.m4a": ("alac.m4a", b"stsc", 12, struct.pack(">I", 3)), "long-packets.m4a": ("alac.m4a", b"stts", 12, struct.pack(">I", 40960)),
    "sizes.m4a": ("m4a", b"stsz", 40, b"\0\x7f\xff\xff" * 5), "offsets.m4a": ("m4a", b"stco", 8, struct.pack(">I", 0x7FFFFFFF)),
    "many-packets.m4a": ("m4a", b"stsz", 4, struct.pack(">II", 1, 170_000_000)),
    "packets.caf": ("caf", b"pakt", 8 + 24 + 40, b"\xff\xff\xff"), "many.caf": ("caf", b"pakt", 8, struct.pack(">Q", 1 << 40)),
    "frames.caf": ("caf", b"pakt", 16, struct.pack(">Q", 1 << 50)), "priming.caf": ("caf", b"pakt", 24, struct.pack(">I", 0x7FFFFFFF)),
}  # fmt: skip
SHORT_TABLES = ("timescale.m4a", "packets-per-chunk.m4a", "packets.caf")


@attack("files.tables-that-lie-about-time", limit=200, short=True, rooms=False)
def tables(t):
    """Damaged packet tables: no position beyond the audio, no hang, no network error, and the next track starts."""
    sound = t.sounds.noise("hostile-tables", 2, seed=85)
    good = t.sounds.noise("hostile-after", 0.5, seed=84)
    options = {"m4a": ("-c:a", "aac"), "alac.m4a": ("-c:a", "alac"), "caf": ("-c:a", "alac")}
    folder = os.path.join(t.folder, "tables")
    os.makedirs(folder, exist_ok=True)
    started = []
    for name in SHORT_TABLES if t.is_short else TABLES:
        ending, box, offset, value = TABLES[name]
        with open(t.sounds.encoded(f"hostile-tables.{ending}", sound, *options[ending]), "rb") as file:
            data = bytearray(file.read())
        at = place(data, box, offset)
        data[at : at + len(value)] = value
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(data)
        program = t.command("play", path, good, "--output", "null", "--json")
        program.process.stdin.close()
        started.append((name, program))
    furthest = 0.0
    for name, program in started:
        status, seconds, text = t.ended(program, 45, what=name)
        expect(status == 0, f"{name}: exit status {status}: {text[-200:]!r}")
        expect(reached(program, 1), f"{name}: the next track never began")
        expect(b"network" not in text, f"{name}: the network is blamed: {text[-300:]!r}")
        positions = [event.get("position", 0) for event in program.all("progress") if event.get("index") == 0]
        furthest = max([furthest, *positions])
        expect(furthest < 2.3, f"{name}: position {furthest:.1f} s in a file of 2 s")
    t.note(f"{len(started)} files, the furthest position {furthest:.2f} s of 2 s")
