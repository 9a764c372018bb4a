"""The sample programs, unchanged, on our speaker and on the machine's own output."""

import base64
import os
import time

import numpy as np

import listening
from cases import FADE, OURS, PIPE, case, expect
from cases.control import expect_pieces, metadata_items
from cases.local import hear
from listening import RATE


class Takes:
    """Files of one length on one timeline; maps a frame of their sequence to its take and time."""

    def __init__(self, t, name, count, seconds):
        self.paths, samples = t.tracks(name, count, seconds)
        self.length = len(samples[0])
        self.source = np.concatenate(samples)

    def where(self, frame):
        return frame // self.length, (frame % self.length) / RATE


def go_to(app, *outputs):
    here = app.here()
    app.send("to " + ",".join(outputs))
    app.wait("route", 15, after=here)


class Ears:
    """The output of one room's speaker of ours, or of the machine's own output."""

    def __init__(self, t, app, file, room):
        self.t, self.file, self.room = t, file, room
        self.mark = t.lab.mark()
        if room:
            go_to(app, t.lab.name(room))

    def hear(self, source):
        time.sleep(0.5)  # wait for the remaining audio
        if not self.room:
            return hear(self.file, source)
        self.t.lab.settle(self.room)
        return faded(listening.Finder(source).hear(listening.trim(self.t.lab.heard(self.room, self.mark))))


def faded(result):
    """The samples without the fade of audio that stops midway."""
    result.foreign = max(0, result.foreign - FADE * len(result.pieces))
    return result


def app_case(name, room, timeout):
    """Registers a case on our speaker in room 1, or, with `-here` behind its name, on the machine's own output (`None`).

    One of the two is enough: the programs know no difference, and `local.*` and `players.*` edit and seek on both outputs.
    """

    def register(function):
        case(f"apps.{name}" + ("" if room else "-here"), lab=OURS, timeout=timeout)(lambda t: function(t, room))
        return function

    return register


@app_case("flexible-buffering", 1, timeout=60)
def buffering(t, room):
    takes = Takes(t, "app", 1, 8)
    app, file = t.app("buffering", takes.paths)
    ears = Ears(t, app, file, room)
    app.send("start")
    app.wait_position(8, within=25)
    piece = expect_pieces(ears.hear(takes.source), 1)[0]
    expect(piece.start == 0 and piece.count == takes.length, f"start or end missing: {piece}")
    app.quit()


@app_case("seek-and-replace", 1, timeout=90)
def seek(t, room):
    takes = Takes(t, "take", 3, 24)
    app, file = t.app("seeking", takes.paths)
    ears = Ears(t, app, file, room)
    app.send("jump 0")
    app.wait("prepared", 5)
    time.sleep(4)  # some of the first take has played
    app.send("jump 10")
    time.sleep(2)  # some of the second take has played
    here = app.here()
    app.send("replace 18")
    app.wait("prepared", 5, after=here)
    # Two seconds before the end the last take is queued on every output.
    time.sleep(10)
    app.send("replace-and-wait 0")
    expect(app.wait("flushed", 5)["done"] is False, "a flush behind the playhead is reported as done")
    time.sleep(2.5)
    first, second, third = (piece for piece in expect_pieces(ears.hear(takes.source), 3))
    expect(takes.where(first.start) == (0, 0), f"the start: {first}")
    expect(takes.where(second.start) == (1, 10) and takes.where(second.end) == (1, 18), f"the second take: {second}")
    expect(takes.where(third.start) == (2, 18) and third.end == len(takes.source), f"the third take: {third}")
    expect(second.at + second.count == third.at, f"not without a gap: {second}; {third}")
    app.quit()


@app_case("queue-edit", None, timeout=90)
def queue_edit(t, room):
    paths, samples = t.tracks("queue", count=3, seconds=8)
    app, file = t.app("queue", paths)
    ears = Ears(t, app, file, room)
    app.send("play")
    # The second take is queued, on the speaker completely: this output takes four seconds.
    time.sleep(5.5)
    app.send("remove 2")
    time.sleep(11 + 1.5)
    source = np.concatenate([samples[0], samples[2]])
    piece = expect_pieces(ears.hear(source), 1)[0]
    expect(piece.start == 0 and piece.end == len(source), f"start or end missing: {piece}")
    app.quit()


@app_case("queue-removes-what-is-heard", 1, timeout=90)
def queue_skip(t, room):
    paths, samples = t.tracks("queue", count=3, seconds=8)
    app, file = t.app("queue", paths)
    ears = Ears(t, app, file, room)
    app.send("play")
    time.sleep(4)
    app.send("remove 1")
    time.sleep(16 + 1.5)
    source = np.concatenate(samples)
    first, rest = expect_pieces(ears.hear(source), 2)
    expect(first.start == 0 and first.end < len(samples[0]), f"the removed one: {first}")
    expect(rest.start == len(samples[0]) and rest.end == len(source), f"what follows: {rest}")
    app.quit()


def moved(t, *routes):
    """Plays 20 s, and moves to the next output every 5 s; returns the one piece that each output played."""
    takes = Takes(t, "long", 1, 20)
    app, file = t.app("buffering", takes.paths)
    mark = t.lab.mark()
    if routes[0] != ["local"]:
        go_to(app, *routes[0])
    app.send("start")
    for number, route in enumerate(routes[1:], 1):
        app.wait_position(5 * number, within=12)
        go_to(app, *route)
    app.wait_position(20, within=30)
    time.sleep(0.5)  # wait for the remaining audio
    heard = {}
    for room in (1, 2):
        t.lab.settle(room)
        name = t.lab.name(room)
        heard[name] = faded(listening.Finder(takes.source).hear(listening.trim(t.lab.heard(room, mark))))
    heard["local"] = faded(hear(file, takes.source)) if ["local"] in routes else listening.Heard([], 0)
    used = {output for route in routes for output in route}
    for output, result in heard.items():
        expect(result.foreign == 0 and len(result.pieces) == (output in used), f"{output} played: {result}")
    app.quit()
    pieces = {output: result.pieces[0] for output, result in heard.items() if result.pieces}
    t.note("; ".join(f"{output}: {piece.start / RATE:.3f} to {piece.end / RATE:.3f} s" for output, piece in pieces.items()))
    expect(min(piece.start for piece in pieces.values()) == 0, "the start is missing")
    expect(max(piece.end for piece in pieces.values()) == takes.length, "the end is missing")
    return pieces


# The overlap or gap of a move: less than an audible jump.
SEAM = 0.05 * RATE


@case("apps.a-move-to-the-speaker", lab=OURS, timeout=60)
def to_speaker(t):
    pieces = moved(t, ["local"], ["Room 1"])
    expect(abs(pieces["Room 1"].start - pieces["local"].end) < SEAM, "the speaker does not continue at the position")


@case("apps.a-move-from-the-speaker", lab=OURS, timeout=60)
def from_speaker(t):
    pieces = moved(t, ["Room 1"], ["local"])
    expect(abs(pieces["local"].start - pieces["Room 1"].end) < SEAM, "this machine does not continue at the position")


@app_case("queue-player", None, timeout=90)
def queue_player(t, room):
    """AVQueuePlayer: three files join without a gap; one is removed while it is in the speaker."""
    paths, samples = t.tracks("queue", count=3, seconds=8)
    app, file = t.app("simple", paths)
    ears = Ears(t, app, file, room)
    app.send("start")
    app.wait("progress", 15, lambda event: event.get("position", 0) >= 4)
    app.send("remove 2")
    app.wait("progress", 25, lambda event: event.get("left") == 0)
    source = np.concatenate([samples[0], samples[2]])
    piece = expect_pieces(ears.hear(source), 1)[0]
    expect(piece.start == 0 and piece.end == len(source), f"start or end missing: {piece}")
    app.quit()


@app_case("queue-player-seeks-and-skips", None, timeout=90)
def queue_player_seeks(t, room):
    paths, samples = t.tracks("queue", count=3, seconds=8)
    app, file = t.app("simple", paths)
    ears = Ears(t, app, file, room)
    app.send("start")
    app.wait("progress", 15, lambda event: event.get("position", 0) >= 2)
    app.send("jump 5")
    expect(app.wait("jumped", 5)["done"], "the seek did not finish")
    app.wait("progress", 10, lambda event: event.get("position", 0) >= 6)
    here = app.here()
    app.send("skip")
    app.wait("progress", 10, lambda event: event.get("left") == 2, after=here)
    app.wait("progress", 30, lambda event: event.get("left") == 0, after=here)
    first, second, rest = expect_pieces(ears.hear(np.concatenate(samples)), 3)
    expect(first.start == 0, f"the start: {first}")
    expect(second.start == 5 * RATE, f"after the seek: {second}")
    expect(rest.start == len(samples[0]) and rest.count == 2 * len(samples[0]), f"the rest: {rest}")
    app.quit()


# The smallest PNG: one grey pixel.
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
)


def published(name, lab, app_name, start):
    """Published items appear on the speaker's display: text, artwork, position; a changed position; nothing."""

    @case(f"apps.{name}", lab=lab, timeout=60)
    def run(t):
        takes = Takes(t, "long", 1, 20)
        picture = os.path.join(t.folder, "picture.png")
        with open(picture, "wb") as file:
            file.write(PICTURE)
        app, _ = t.app(app_name, takes.paths)
        skip = t.lab.size(1, "metadata.raw")
        # Before any audio, and before a speaker is selected.
        app.send(f"publish First Öde|Someone|0|20|{picture}")
        go_to(app, t.lab.name(1))
        app.send(start)
        wait_for(t, skip, lambda items: texts(items, "prgr") and PICTURE in pictures(items))
        app.wait_position(4, within=20)
        app.send("publish Second Ode|Other|1|15")
        wait_for(t, skip, lambda items: texts(items, "minm")[-1:] == ["Second Ode"] and pictures(items)[-1:] == [b""])
        app.send("publish Second Ode|Other|9|15")
        wait_for(t, skip, lambda items: abs(place(items)[0] - 9) < 3 and abs(place(items)[1] - 15) < 0.01)
        app.send("unpublish")
        items = wait_for(t, skip, lambda items: texts(items, "minm")[-1:] == [""])
        expect(texts(items, "minm")[0] == "First Öde", f"titles {texts(items, 'minm')}")
        expect("Someone" in texts(items, "asar") and "Other" in texts(items, "asar"), f"artists {texts(items, 'asar')}")
        t.note(f"titles {texts(items, 'minm')}, {len(texts(items, 'prgr'))} places")
        app.quit()


def texts(items, code):
    return [data.decode(errors="replace") for _, _, found, data in items if found == code]


def pictures(items):
    return [data for _, _, code, data in items if code == "PICT"]


def place(items):
    """Seconds into the track, and its length, from the last progress."""
    start, now, end = (int(word) for word in texts(items, "prgr")[-1].split("/"))
    return ((now - start) % 2**32) / RATE, ((end - start) % 2**32) / RATE


def wait_for(t, skip, is_there, within=15):
    end = time.monotonic() + within
    while True:
        items = list(metadata_items(t.lab.metadata(1, skip)))
        if is_there(items):
            return items
        seen = [(code, data[:40]) for _, _, code, data in items if code in ("minm", "asar", "prgr", "PICT")]
        expect(time.monotonic() < end, f"the display has {seen}")
        time.sleep(0.2)


published("a-player-publishes", PIPE, "simple", "start")
published("a-renderer-program-publishes-on-our-speaker", OURS, "buffering", "start")
