"""`tutti serve` when its surroundings fail: music that is away, a damaged state, a full disk, a port that is taken, a second service."""

import contextlib
import glob
import os
import sqlite3
import subprocess
import time

from cases import FADE, KINDS, OURS, case, expect
from cases.clock import foreign_clock
from cases.house import KEPT, noise, playing
from house import House
from listening import RATE
from stage import Command

PAGE = 4096  # bytes of SQLite
RETURN = 30  # seconds from the music's return until it is heard: the fourth attempt


@case("house.music-that-is-away", lab=OURS, timeout=120)
def away(t):
    """After a power cut the folder of the music comes later than the service: the zone waits, and goes on where it was."""
    house, finder, mark = playing(t, 5)
    house.kill()
    elsewhere = house.music + "-away"
    os.rename(house.music, elsewhere)
    house.start()
    waiting = house.wait_zone(1, "waits", lambda found: (found.get("trouble") or {}).get("code") == "away")
    expect(waiting["state"] == "waiting" and waiting["position"] >= 4, f"it does not wait at its place: {waiting}")
    house.wait("the missing folder is told", lambda found: any("music" in trouble["message"] for trouble in found["troubles"]))
    time.sleep(7)  # an attempt meanwhile
    os.rename(elsewhere, house.music)
    back = time.monotonic()
    house.wait_playing_in((1,), within=RETURN)
    took = time.monotonic() - back
    house.wait("no trouble is left", lambda found: not found["troubles"] and not found["zones"][0].get("trouble"))
    time.sleep(2)  # sound to compare
    house.post("/zones/1/pause")
    t.lab.settle(1)
    heard = finder.hear(t.lab.heard(1, mark))
    expect(len(heard.pieces) == 2 and heard.foreign <= FADE * 2, f"not heard once before and once after: {heard}")
    apart = (heard.pieces[1].start - heard.pieces[0].end) / RATE
    expect(abs(apart) <= KEPT, f"goes on {apart:+.3f} s from the last frame: {heard}")
    house.stop()
    t.note(f"heard {took:.1f} s after the folder was back, {apart:+.3f} s from the last frame")


@case("house.damaged-state", lab=OURS, timeout=90)
def damaged(t):
    """A state whose pages are junk is set aside with a sentence; what comes then is kept."""
    path, _ = noise(t, "noise-40", 40, 5)
    house = House(t, [path])
    house.assign(1, 1)
    house.add(1, [path])
    house.stop()
    (database,) = glob.glob(os.path.join(house.folder, "state", "**", "house.db"), recursive=True)
    # A service that ends at once leaves its last changes in the log.
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with open(database, "r+b") as file:
        length = file.seek(0, os.SEEK_END)
        expect(length > 2 * PAGE, f"a state of {length} bytes")
        # The first page, with the schema, stays: opening finds nothing.
        file.seek(PAGE)
        file.write(b"junk" * ((length - PAGE) // 4))
    house.start()
    trouble = house.wait("the damage is told", lambda found: next((t for t in found["troubles"] if t["code"] == "state-damaged"), None))
    aside = [name for name in os.listdir(os.path.dirname(database)) if "corrupt" in name]
    expect(any(name in trouble["message"] for name in aside), f"{trouble} names none of {aside}")
    house.assign(1, 1)
    house.add(1, [path])
    time.sleep(1)
    house.kill()
    house.start()
    kept = house.wait_zone(1, "is there", lambda found: True)
    expect(kept["length"] == 1 and len(kept["rooms"]) == 1, f"what came after the damage is lost: {kept}")
    house.stop()


DISK = 16 << 20  # bytes


@contextlib.contextmanager
def small_disk():
    """What makes the state's folder of a house a disk of its own, of `DISK` bytes; it goes with the block."""
    mounted = []

    def mount(house):
        os.makedirs(house.state)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", house.state], check=True)
        mounted.append(house.state)

    try:
        yield mount
    finally:
        for folder in mounted:
            subprocess.run(["umount", "--lazy", folder], check=True)


def fill(path):
    """Writes a file until the disk is full."""
    with open(path, "wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(bytes(4096)):
            pass


@case("house.full-disk", lab=OURS, timeout=120)
def full_disk(t):
    """With a full disk the music goes on and commands work; a trouble says so, and what was changed is stored when there is space."""
    path, finder = noise(t, "noise-40", 40, 5)
    with small_disk() as mount:
        house = House(t, [path], prepare=mount)
        house.assign(1, 1)
        mark = t.lab.mark()
        house.add(1, [path])
        house.wait_position(1, 3)
        filler = os.path.join(house.state, "filler")
        fill(filler)
        house.add(1, [path], place="end")
        trouble = house.wait("the disk is told", lambda found: next((t for t in found["troubles"] if t["code"] == "state-not-stored"), None))
        expect("disk is full" in trouble["message"], f"no reason: {trouble}")
        house.add(1, [path], place="end")
        house.wait_position(1, 12)
        house.post("/zones/1/pause")
        t.lab.settle(1)
        heard = finder.hear(t.lab.heard(1, mark))
        whole = len(heard.pieces) == 1 and heard.pieces[0].count > 11 * RATE and heard.foreign <= FADE
        expect(whole, f"the music was disturbed: {heard}")
        os.remove(filler)
        house.add(1, [path], place="end")
        house.wait("no trouble is left", lambda found: not found["troubles"])
        house.kill()
        house.start()
        kept = house.wait_zone(1, "is there", lambda found: True)
        expect(kept["length"] == 4, f"what was changed on the full disk is lost: {kept}")
        house.stop()


@case("house.the-clock-has-no-port", lab=KINDS, timeout=120)
def no_port(t):
    """Where another program has the clock's port, a room that needs none plays, the others say who has it, and play when it is free and the user plays."""
    path, finder = noise(t, "noise-40", 40, 5)
    other = foreign_clock(t)
    house = House(t, [path])
    rooms = house.assign(1, 1, 3)
    mark = t.lab.mark()
    house.add(1, [path])
    house.wait_playing_in((3,))

    def told(found):
        return next((room["trouble"] for room in found["rooms"] if room["id"] == rooms[0] and room.get("trouble")), None)

    trouble = house.wait("the room says why it is silent", told)
    expect(trouble["code"] == "clock-ports" and "ptp4l" in trouble["message"], f"another trouble: {trouble}")
    house.wait_position(1, 3)
    house.post("/zones/1/pause")
    t.lab.settle(3)
    heard = finder.hear(t.lab.heard(3, mark))
    expect(len(heard.pieces) == 1 and heard.pieces[0].start == 0 and heard.foreign <= FADE, f"the room that needs no port was disturbed: {heard}")
    other.process.kill()
    house.post("/zones/1/play")
    house.wait_playing_in((1, 3))
    house.wait("no room has a trouble", lambda found: not told(found))
    house.stop()


@case("house.a-second-service", lab=OURS, timeout=60)
def second(t):
    """A second service on the same state ends with a sentence, and the first one plays on."""
    house, _, _ = playing(t, 2)
    other = t._run(Command, [t.program, "serve", "--config", os.path.join(house.folder, "tutti.toml")])
    status = other.exit(10)
    expect(status != 0, f"the second service ended with status {status}")
    expect("another" in other.stderr().lower() or "already" in other.stderr().lower(), f"no reason: {other.stderr()[-300:]}")
    house.wait_position(1, 4)
    house.stop()
