"""Makes a tree of music with tags, for the figures of the library: `music.py FOLDER [TRACKS]`, 50,000 if not said.

Every file is a second of silence, 4 KB, MP3 in nine folders of ten and FLAC in the others, in ARTIST/ALBUM (with CD1
and CD2 in some). Tags are made of a few hundred words, the same in every run. A third of the albums has a cover in
the folder, a third an embedded picture. One album in twenty is a compilation, and one in fifty a cue sheet.
"""

import os
import random
import struct
import subprocess
import sys
import zlib

WORDS = (
    "love night blue river the of and fire rain dance moon sun heart road home dream light dark city summer winter "
    "time soul gold silver stone wild young old last first lost found stars sea ocean wind song golden broken little "
    "über café señor naïve björk été garçon mañana 1999 42 seven nine run walk fly fall rise shine cry laugh sing"
).split()
TRACKS_OF_ALBUM = 12


def words(rng, least, most):
    return " ".join(rng.choice(WORDS).capitalize() for _ in range(rng.randint(least, most)))


def silence():
    """A second of MP3: 39 frames of 32 kbit/s, 44.1 kHz, mono."""
    return b"".join(bytes([0xFF, 0xFB, 0x10, 0xC0]) + bytes(100) for _ in range(39))


def png(number):
    """A picture of one pixel whose bytes differ by the number."""

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    noise = random.Random(number).randbytes(20_000)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
        + chunk(b"tEXt", b"Comment\0" + noise.hex().encode()) + chunk(b"IDAT", zlib.compress(bytes(4))) + chunk(b"IEND", b"")
    )


def id3(tags, picture):
    """A tag of version 2.4 with UTF-8 texts."""

    def size(value):
        return bytes(value >> shift & 0x7F for shift in (21, 14, 7, 0))

    def frame(name, body):
        return name + size(len(body)) + b"\0\0" + body

    frames = b"".join(frame(name, b"\3" + text.encode()) for name, text in tags.items())
    if picture:
        frames += frame(b"APIC", b"\0image/png\0\3\0" + picture)
    return b"ID3\4\0\0" + size(len(frames)) + frames


def flac_with_tags(base, tags):
    """A FLAC file with other comments; `base` has its STREAMINFO first."""
    names = {b"TIT2": "TITLE", b"TPE1": "ARTIST", b"TALB": "ALBUM", b"TPE2": "ALBUMARTIST", b"TRCK": "TRACKNUMBER",
             b"TPOS": "DISCNUMBER", b"TDRC": "DATE", b"TCON": "GENRE"}
    position, frames_at = 4, None
    while frames_at is None:
        is_last, length = base[position] >> 7, int.from_bytes(base[position + 1:position + 4], "big")
        position += 4 + length
        if is_last:
            frames_at = position
    comments = [f"{names[name]}={text}".encode() for name, text in tags.items()]
    body = struct.pack("<I", 4) + b"test" + struct.pack("<I", len(comments))
    body += b"".join(struct.pack("<I", len(comment)) + comment for comment in comments)
    return base[:4] + b"\0" + base[5:42] + b"\x84" + len(body).to_bytes(3, "big") + body + base[frames_at:]


def flac():
    """A second of FLAC; `None` without the program ffmpeg."""
    command = "ffmpeg -v error -f lavfi -i anullsrc=r=44100:cl=mono -t 1 -c:a flac -f flac -"
    try:
        return subprocess.run(command.split(), capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def album(folder, number, artist, artists, rng, mp3, lossless):
    """Writes an album; returns the number of its tracks."""
    title = f"{words(rng, 1, 3)} {number % 100}"
    is_compilation, is_sheet = number % 20 == 7, number % 50 == 11
    picture = png(number) if number % 3 == 1 else None
    if number % 3 == 0:
        write(f"{folder}/{title}/cover.png", png(number))
    if is_sheet:
        lines = [f'PERFORMER "{artist}"', f'TITLE "{title}"', 'FILE "album.mp3" MP3']
        for track in range(1, TRACKS_OF_ALBUM + 1):
            lines += [f"TRACK {track:02} AUDIO", f'TITLE "{words(rng, 1, 4)}"', f"INDEX 01 00:00:{track * 6 - 6:02}"]
        write(f"{folder}/{title}/album.cue", "\n".join(lines).encode())
        write(f"{folder}/{title}/album.mp3", id3({b"TIT2": title}, None) + mp3)
        return TRACKS_OF_ALBUM
    for track in range(1, TRACKS_OF_ALBUM + 1):
        name = words(rng, 1, 4)
        tags = {
            b"TIT2": name, b"TPE1": rng.choice(artists) if is_compilation else artist, b"TALB": title,
            b"TRCK": f"{track}/{TRACKS_OF_ALBUM}", b"TDRC": str(1960 + number % 60), b"TCON": rng.choice(WORDS),
        }
        disc = f"/CD{1 + track % 2}" if number % 10 == 3 else ""
        path = f"{folder}/{title}{disc}/{track:02} {name}"
        if lossless and number % 10 == 9:
            write(path + ".flac", flac_with_tags(lossless, tags))
        else:
            write(path + ".mp3", id3(tags, picture) + mp3)
    return TRACKS_OF_ALBUM


def main():
    root, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 50_000
    rng = random.Random(1)
    artists = [f"{'The ' if i % 5 == 0 else ''}{words(rng, 1, 2)} {i}" for i in range(max(1, wanted // 50))]
    mp3, lossless = silence(), flac()
    made = number = 0
    while made < wanted:
        artist = artists[number % len(artists)]
        made += album(f"{root}/{artist}", number, artist, artists, rng, mp3, lossless)
        number += 1
    print(f"{made} tracks, {number} albums, {len(artists)} artists in {root}")


if __name__ == "__main__":
    main()
