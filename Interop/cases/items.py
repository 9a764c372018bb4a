"""Features of an item beyond playing a file, from the public API to the audible result."""

import subprocess

import numpy as np

from cases import OURS, case, expect
from cases.control import expect_pieces
from cases.queue import Queue, noise
from listening import RATE
from servers import Servers


@case("items.bytes-from-the-program", lab=OURS, timeout=60)
def own(t):
    """An AVAssetResourceLoader's delegate provides the bytes; a seek requests its own range."""
    source, samples = noise(t, 60, seed=41)
    path = t.sounds.encoded("noise-60-41.flac", source)
    queue = Queue(t, [], None, "own.wav")
    queue.do(f"own {path}", "play")
    queue.wait_position(2)
    here = queue.do("seek 50")
    queue.wait("sought", 10, here, done=True)
    queue.wait("didPlayToEndTime", 20, here, item=1)
    first, last = expect_pieces(queue.hear(samples), 2)
    expect(first.start == 0 and first.end > RATE, f"the start: {first}")
    expect(last.start == 50 * RATE and last.end == len(samples), f"after the seek: {last}")
    asked = queue.app.all("asked")
    longest = max(event["length"] for event in asked)
    expect(longest <= 1 << 20, f"{longest} bytes were requested at once")
    t.note(f"{len(asked)} ranges of at most {longest} bytes")
    queue.quit()


def two_languages(t, seconds):
    """A Matroska file with an English and a German noise track and two chapters."""
    (first, one), (second, other) = noise(t, seconds, seed=51), noise(t, seconds, seed=52)
    tracks = ["-map", "0:a", "-map", "1:a", "-map_metadata", "2", "-map_chapters", "2"]
    languages = ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu", "-disposition:a:0", "default"]

    def make(path):
        words = path + ".chapters"
        with open(words, "w") as file:
            file.write(";FFMETADATA1\n")
            for start, end, title in ((0, 4, "Kapitel 1"), (4, seconds, "Kapitel 2")):
                file.write(f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={start * 1000}\nEND={end * 1000}\ntitle={title}\n")
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-i", first, "-i", second, "-i", words, *tracks, "-c:a", "flac", *languages, path],
            check=True)

    path = t.sounds.made(f"languages-{seconds}.mka", make)
    return path, one, other


def selected(t, room, file):
    path, english, german = two_languages(t, 12)
    queue = Queue(t, [path], room, file)
    here = queue.do("chapters 1")
    chapters = queue.wait("chapters", 10, here)
    expect(chapters["titles"] == ["Kapitel 1", "Kapitel 2"] and chapters["starts"] == [0, 4], f"{chapters}")
    queue.do("play")
    queue.wait_position(2)
    here = queue.do("language 1 de")
    queue.wait("selected", 10, here)
    queue.wait("didPlayToEndTime", 25, here, item=1)
    first, last = expect_pieces(queue.hear(np.concatenate([english, german])), 2)
    expect(first.start == 0 and first.end < len(english), f"the first language: {first}")
    place = last.start - len(english)
    expect(last.end == len(english) + len(german), f"the second language: {last}")
    apart = (place - first.end) / RATE
    expect(abs(apart) < 0.1, f"the second language starts {apart * 1e3:+.0f} ms from where the first one stopped")
    t.note(f"another language {apart * 1e3:+.0f} ms from where the first one stopped")
    queue.quit()


@case("items.another-language-is-heard", lab=OURS, timeout=60)
def languages(t):
    selected(t, 1, "language.wav")


@case("items.another-language-is-heard-here", lab=OURS, timeout=60)
def languages_here(t):
    selected(t, None, "language.wav")


@case("items.titles-when-they-are-heard", lab=OURS, timeout=60, quiet=True)
def titles(t):
    """Titles of web radio on a speaker: each appears at its own item time."""
    path = t.sounds.encoded("music-60.mp3", t.sounds.music("music-60", 60, seed=60), "-b:a", "128k")
    with Servers(t) as servers:
        icecast = servers.icecast()
        icecast.feed("live", path, "-c:a", "copy", kind="mp3", content="audio/mpeg")
        icecast.title("live", "Artist - First")
        queue = Queue(t, [], 1)
        here = queue.do(f"insert {icecast.address('live')}", "titles 1 0", "play")
        first = queue.wait("audibleTitle", 20, here)
        expect(first["titles"] == ["Artist - First"] and first["identifiers"] == ["icy/StreamTitle"], f"{first}")
        later = queue.do("place")
        icecast.title("live", "Künstler - Zweites")
        second = queue.wait("audibleTitle", 30, later)
        expect(second["titles"] == ["Künstler - Zweites"], f"{second}")
        late = second["heard"] - second["start"]
        expect(0 <= late < 0.1, f"the title was reported {late:.3f} s after its position played")
        t.note(f"told {late * 1e3:.0f} ms after its position played")
        queue.quit()
