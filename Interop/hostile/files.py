"""Media with flipped bytes, from fixed seeds, in eight formats: each file plays, or is refused in words."""

import os
import random
import time

from attacks import attack, expect

FORMATS = {
    "wav": (), "flac": (), "mp3": ("-c:a", "libmp3lame"), "m4a": ("-c:a", "aac"), "alac.m4a": ("-c:a", "alac"),
    "ogg": ("-c:a", "libvorbis"), "opus": ("-c:a", "libopus", "-ar", "48000"), "aiff": (),
}  # fmt: skip
SECONDS = 0.15


def damaged(whole, seed):
    """Some bytes changed, most of them in the first KB, where the containers are; or cut, or a stretch twice."""
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
    refused, total, longest = 0, 0, 0.0
    for ending, options in FORMATS.items():
        path = t.sounds.encoded(f"hostile-flipped.{ending}", source, *options, title="Flipped", artist="Nobody")
        with open(path, "rb") as file:
            whole = file.read()
        files = []
        for number in range(count // len(FORMATS)):
            files.append(os.path.join(folder, f"{number:03d}.{ending}"))
            with open(files[-1], "wb") as file:
                file.write(damaged(whole, f"{ending} {number}"))
        # A header may say hours: such a play is ended in good order, and then goes on behind that file.
        left = files
        while left:
            ended, seconds, text = play(t, left, 20 + len(left))
            longest, total = max(longest, seconds), total + ended
            refused += text.count(b"warning") + text.count(b"error")
            left = left[max(1, ended) :]
    t.note(f"{count} files of {len(FORMATS)} formats, {refused} refused in words")
    expect(total >= count // 2, f"only {total} of {count} files were got through")


def play(t, files, within):
    """How many of the files it got through, the seconds, and all it said."""
    program = t.command("play", *files, "--output", "null", "--json")
    end, last = time.monotonic() + within, time.monotonic()
    seen = 0
    while program.poll() is None and time.monotonic() < end:
        indices = [event.get("index", 0) for event in program.events if isinstance(event.get("index"), int)]
        if indices and max(indices) > seen:
            seen, last = max(indices), time.monotonic()
        if time.monotonic() - last > 6:  # one file that says it is long
            program.send("quit")
            break
        time.sleep(0.05)
    status, seconds, text = t.ended(program, 8, what=os.path.basename(files[seen]))
    return (len(files) if program.all("ended") and time.monotonic() - last < 6 else seen + 1), seconds, text
