"""Alarms and night mode of `tutti serve`, heard at speakers."""

import os
import time
import urllib.parse

import numpy as np

import listening
import sound
from cases import PIPE, case, expect
from cases.live import own_speaker, recorded
from house import House
from listening import RATE

LOUD, SOFT = 12_000, 380  # the largest samples of the two halves: 30 dB apart
NEARER = 6  # decibels by which night mode brings loud and soft sound together at least
RINGS = 2.0  # seconds after its minute within which an alarm is heard at a speaker that slept
RISE = 6  # seconds


def power(samples):
    """Decibels over one step of 16 bit."""
    return float(20 * np.log10(max(np.sqrt(np.mean(samples.astype(float) ** 2)), 1e-3)))


def loud_and_soft(t):
    """Four seconds of loud noise, then four of soft noise."""

    def make():
        samples = np.random.default_rng(501).uniform(-1, 1, (8 * RATE, 2))
        samples[: 4 * RATE] *= LOUD
        samples[4 * RATE :] *= SOFT
        return samples.astype("<i2")

    return t.sounds.source("loud-and-soft", make)


def distance(t, house, path):
    """Decibels between the loud half and the soft half, as heard in room 1."""
    mark = t.lab.mark()
    house.add(1, [path])
    house.wait_position(1, 0)
    house.wait_stopped(1, within=60)
    t.lab.settle(1)
    heard = listening.trim(t.lab.heard(1, mark))
    expect(abs(len(heard) - 8 * RATE) < RATE // 50, f"{len(heard) / RATE:.3f} s of 8 s")
    # Night mode takes a while to follow.
    return power(heard[2 * RATE : 4 * RATE]) - power(heard[6 * RATE :]), heard


@case("comfort.night-mode-on-shairport-sync", lab=PIPE, timeout=150)
def night(t):
    """Loud and soft sound come nearer to each other by night mode, and are bit for bit as before when it is off again."""
    path = loud_and_soft(t)
    house = House(t, [path])
    (room,) = house.assign(1, 1)
    setting = f"/rooms/{urllib.parse.quote(room, safe='')}/night"
    before, heard = distance(t, house, path)
    expect((heard == sound.read_wav(path)[: len(heard)]).all(), "without night mode it is not bit for bit")
    house.put(setting, {"on": True})
    at_night, _ = distance(t, house, path)
    house.put(setting, {"on": False})
    _, again = distance(t, house, path)
    house.stop()
    expect(before - at_night >= NEARER, f"{before:.1f} dB apart, by night {at_night:.1f} dB")
    expect(len(again) == len(heard) and (again == heard).all(), "after night mode it is not bit for bit")
    t.note(f"loud and soft are {before:.1f} dB apart, by night {at_night:.1f} dB")


@case("comfort.an-alarm-after-a-power-cut", timeout=180)
def alarm(t):
    """An alarm rings at its minute in a room that sleeps, though the house was killed meanwhile; its volume rises to the alarm's own."""
    path = t.sounds.noise("alarm-20", 20, seed=502)
    house = House(t, [path])
    _, file = own_speaker(t, "Bedroom", 7303)
    bedroom = house.wait("the bedroom is found", lambda found: next((room for room in found["rooms"] if room["name"] == "Bedroom"), None))
    house.move(bedroom["id"], 1)
    minute = int(time.time() // 60) + 1
    if minute * 60 - time.time() < 12:
        minute += 1
    of_day = time.localtime(minute * 60)
    items = [{"location": os.path.join(house.music, os.path.basename(path))}]
    house.post("/alarms", {"zone": 1, "minute": of_day.tm_hour * 60 + of_day.tm_min, "items": items, "volume": 100, "fadeSeconds": RISE})
    house.kill()
    house.start()
    house.wait_position(1, 0, within=minute * 60 - time.time() + 20)
    began = time.time() - minute * 60
    house.wait_stopped(1, within=60)
    time.sleep(1)  # the last frames
    alarms = house.get("/alarms")
    house.stop()
    heard = listening.trim(recorded(file))
    expect(-0.5 < began < RINGS, f"it rang {began:.2f} s after its minute")
    # Frames that are too soft for 16 bit are silence.
    expect(abs(len(heard) / RATE - 20) < 0.5, f"{len(heard) / RATE:.2f} s of 20 s")
    samples = sound.read_wav(path)
    expect((heard[-10 * RATE :] == samples[-10 * RATE :]).all(), "after the rise it is not bit for bit")
    levels = [power(heard[at * RATE : (at + 1) * RATE]) for at in (0, 2, 4, 8)]
    expect(all(later > earlier + 1 for earlier, later in zip(levels, levels[1:])), f"the volume does not rise: {levels}")
    expect(not any(one["isOn"] for one in alarms["alarms"]), f"it would ring again: {alarms}")
    t.note(f"heard {began:.2f} s after its minute; decibels in the 1st, 3rd, 5th and 9th second: {[round(level) for level in levels]}")
