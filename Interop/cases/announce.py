"""Announcements of `tutti serve`: over music that rooms hold already, in rooms that sleep, one after another."""

import os
import time

import numpy as np

import house as houses
import sound
from cases import AIRPLAY_1, FADE, KINDS, OURS, PIPE, case, expect
from cases.house import noise
from house import House
from listening import RATE

OURS_WITHIN, THEIRS_WITHIN, REALTIME_WITHIN = 0.5, 1.5, 3.0  # seconds from the request to the announcement
MUSIC_BACK = 0.75 + 0.1  # seconds from the end of an announcement until the music is itself again


def bell(t, seconds=2.0):
    """A file that is nothing like noise."""

    def tone():
        sine = 9000 * np.sin(2 * np.pi * 880 * np.arange(int(seconds * RATE)) / RATE)
        return np.stack([sine, sine], axis=1).astype("<i2")

    return t.sounds.source(f"bell-{seconds:g}", tone)


def announce(house, path, rooms, **members):
    """Announces a file of the music; returns the announcement's id and the seconds that the request took."""
    body = {"location": os.path.join(house.music, os.path.basename(path)), "rooms": list(rooms), **members}
    asked = time.monotonic()
    made = house.post("/announcements", body)
    return made["announcement"], time.monotonic() - asked


def wait_over(house, within=20):
    house.wait("no announcement is left", lambda found: not found["announcements"], within)


def expect_around(heard, name, seconds):
    """The music before and after an announcement of so many seconds, sample by sample where it would have been."""
    long = [piece for piece in heard.pieces if piece.count > 1000]
    expect(len(long) == 2, f"{name}: not music, announcement, music: {heard}")
    before, after = long
    shift = (after.at - after.start) - (before.at - before.start)
    expect(shift == 0, f"{name}: the music is {shift} frames off after the announcement: {heard}")
    took = (after.start - before.end) / RATE
    expect(seconds <= took <= seconds + MUSIC_BACK, f"{name}: the music is another for {took:.2f} s")
    return before, after


def over_music(t, room, held, within):
    path, finder = noise(t, "noise-60", 60, 5)
    house = House(t, [path, bell(t)])
    ids = house.assign(1, room)
    mark = t.lab.mark()
    house.add(1, [path])
    house.wait_held(room, held)
    position = houses.now(house.wait_position(1, 1))
    _, took = announce(house, bell(t), ids)
    wait_over(house)
    time.sleep(2)
    house.post("/zones/1/pause")
    t.lab.settle(room)
    before, _ = expect_around(finder.hear(t.lab.heard(room, mark)), t.lab.name(room), 2)
    latency = before.end / RATE - position
    expect(0 < latency <= within, f"heard {latency:.3f} s after the request")
    house.stop()
    t.note(f"heard {latency:.3f} s after the request, which took {took:.3f} s, with {held} s in the room")


@case("announce.over-a-full-buffer", lab=OURS, timeout=90, quiet=True)
def ours(t):
    """Our speaker, filled: heard within half a second, and the music after it is sample-exact."""
    over_music(t, 1, 37, OURS_WITHIN)


@case("announce.over-a-full-buffer-of-shairport-sync", lab=PIPE, timeout=90, quiet=True)
def theirs(t):
    """The same in shairport-sync, which decodes nearly a second ahead."""
    over_music(t, 1, 30, THEIRS_WITHIN)


@case("announce.on-airplay-1", lab=AIRPLAY_1, timeout=90, quiet=True)
def airplay_1(t):
    """A room that takes sound in real time, two seconds ahead."""
    over_music(t, 1, 1, REALTIME_WITHIN)


@case("announce.in-one-room-of-a-zone", lab=OURS, timeout=90, quiet=True)
def one_room(t):
    """The room that is not named plays every frame of the music."""
    path, finder = noise(t, "noise-60", 60, 5)
    house = House(t, [path, bell(t)])
    _, named = house.assign(1, 1, 2)
    mark = t.lab.mark()
    house.add(1, [path])
    house.wait_held(2, 20)
    announce(house, bell(t), [named])
    wait_over(house)
    time.sleep(2)
    house.post("/zones/1/pause")
    t.lab.settle(1)
    t.lab.settle(2)
    heard = finder.hear(t.lab.heard(1, mark))
    expect(len(heard.pieces) == 1 and heard.foreign <= FADE, f"{t.lab.name(1)} does not play on: {heard}")
    expect_around(finder.hear(t.lab.heard(2, mark)), t.lab.name(2), 2)
    house.stop()


@case("announce.in-step", lab=OURS, timeout=90, quiet=True)
def in_step(t):
    """Two rooms begin the announcement at the same frame of the music, one at half the volume for it."""
    path, finder = noise(t, "noise-60", 60, 5)
    house = House(t, [path, bell(t)])
    ids = house.assign(1, 1, 2)
    for room in ids:
        house.put(f"/rooms/{room}/volume", {"percent": 100})
    mark = t.lab.mark()
    house.add(1, [path])
    house.wait_held(2, 10)
    announce(house, bell(t), ids, volume=50)
    wait_over(house)
    time.sleep(2)
    house.post("/zones/1/pause")
    begins = []
    for room in (1, 2):
        t.lab.settle(room)
        begins.append(expect_around(finder.hear(t.lab.heard(room, mark)), t.lab.name(room), 2)[0].end)
    expect(begins[0] == begins[1], f"begun at frames {begins} of the music")
    house.stop()


@case("announce.music-waits", lab=OURS, timeout=90, quiet=True)
def waits(t):
    """With a pause the music stops, the announcement is heard alone, and the music goes on at the same frame."""
    path, finder = noise(t, "noise-60", 60, 5)
    house = House(t, [path, bell(t)])
    ids = house.assign(1, 1)
    mark = t.lab.mark()
    house.add(1, [path])
    house.wait_held(1, 20)
    position = houses.now(house.wait_position(1, 1))
    announce(house, bell(t), ids, pausesMusic=True)
    wait_over(house)
    house.wait_playing_in((1,))
    time.sleep(2)
    house.post("/zones/1/pause")
    t.lab.settle(1)
    heard = t.lab.heard(1, mark)
    pieces = [piece for piece in finder.hear(heard).pieces if piece.count > 1000]
    expect(len(pieces) == 2, f"not music, announcement, music: {finder.hear(heard)}")
    before, after = pieces
    expect(abs(after.start - before.end) <= 0.05 * RATE, f"the music goes on {after.start - before.end} frames on: {pieces}")
    between = heard[before.at + before.count + 100 : after.at - 100].astype(float)
    loud = np.flatnonzero(np.abs(between).max(axis=1) > 1000) / RATE
    expect(1.9 < loud[-1] - loud[0] < 2.1, f"the announcement takes {loud[-1] - loud[0]:.2f} s")
    t.note(f"heard {before.end / RATE + loud[0] - position:.2f} s after the request; the music waits {len(between) / RATE:.2f} s")
    house.stop()


@case("announce.wakes-a-room", lab=OURS, timeout=90, quiet=True)
def wakes(t):
    """Rooms that play nothing are woken, one in a zone and one in none, and sleep again."""
    path, _ = noise(t, "noise-60", 60, 5)
    house = House(t, [path, bell(t)])
    house.rooms(1, 2)
    house.assign(1, 1)
    mark, asked = t.lab.mark(), time.monotonic()
    announce(house, bell(t), house.rooms(1, 2))
    wait_over(house)
    took = []
    for room in (1, 2):
        t.lab.settle(room)
        loud = np.flatnonzero(np.abs(t.lab.heard(room, mark).astype(int)).max(axis=1) > 1000)
        expect(len(loud) and abs(loud[-1] - loud[0] - 2 * RATE) < 0.1 * RATE, f"{t.lab.name(room)}: not the whole announcement")
        took.append(t.lab.played_at(room, mark[room] // 4 + int(loud[0])) - asked)
    house.wait("the rooms sleep", lambda found: all(room["state"] == "idle" for room in found["rooms"]))
    house.stop()
    t.note(f"heard {', '.join(f'{seconds:.2f}' for seconds in took)} s after the request")


@case("announce.queued-and-cancelled", lab=OURS, timeout=90, quiet=True)
def queued(t):
    """Three for one room: the second is cancelled while it waits, the first while it is heard, the third is heard."""
    path, finder = noise(t, "noise-60", 60, 5)
    house = House(t, [path, bell(t, 10), bell(t)])
    rooms = house.assign(1, 1)
    mark = t.lab.mark()
    house.add(1, [path])
    house.wait_held(1, 15)
    ids = [announce(house, file, rooms)[0] for file in (bell(t, 10), bell(t, 10), bell(t))]
    states = [(found["id"], found["state"]) for found in house.get("/house")["announcements"]]
    expect(states == list(zip(ids, ("playing", "waiting", "waiting"))), f"told: {states}")
    time.sleep(1.5)
    house.request("DELETE", f"/announcements/{ids[1]}")
    house.request("DELETE", f"/announcements/{ids[0]}")
    wait_over(house)
    time.sleep(2)
    house.post("/zones/1/pause")
    t.lab.settle(1)
    heard = finder.hear(t.lab.heard(1, mark))
    long = [piece for piece in heard.pieces if piece.count > 1000]
    expect(len({piece.at - piece.start for piece in long}) == 1, f"the music is off: {heard}")
    taken = (long[-1].start - long[0].end) / RATE
    expect(taken < 8, f"the cancelled one was heard: {taken:.1f} s")
    house.stop()


@case("announce.kinds-of-rooms", lab=KINDS, timeout=120, quiet=True)
def kinds(t):
    """A zone of a buffered room and one of AirPlay 1: both begin at the same frame, and play on exactly."""
    path, finder = noise(t, "noise-60", 60, 5)
    house = House(t, [path, bell(t)])
    ids = house.assign(1, 1, 3)
    mark = t.lab.mark()
    house.add(1, [path])
    house.wait_held(1, 10)
    announce(house, bell(t), ids)
    wait_over(house)
    time.sleep(2)
    house.post("/zones/1/pause")
    begins = []
    for room in (1, 3):
        t.lab.settle(room)
        begins.append(expect_around(finder.hear(t.lab.heard(room, mark)), t.lab.name(room), 2)[0].end)
    expect(begins[0] == begins[1], f"begun at frames {begins} of the music")
    house.stop()
