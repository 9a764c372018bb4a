"""The rows of bench.py about addresses: AVQueuePlayer in `SampleAppsRunner player`, with nginx on the same machine."""

import os
import statistics

import listening
import sound
from cases import PROGRAM
from cases.queue import HEADER, Queue
from lab import Receivers
from listening import RATE
from player import Failed
from servers import Servers

EXACT = Receivers(1, speaker=PROGRAM, offset_step=1000)
RUNS = 5


def programs(t):
    """The player command shared by all rows."""
    t.apps = os.path.join(os.path.dirname(t.program), "SampleAppsRunner")
    if not os.access(t.apps, os.X_OK):
        raise Failed("no program for the player: scripts/release.sh SampleAppsRunner")


def shown(seconds):
    return f"median {statistics.median(seconds) * 1e3:.0f} ms, worst {max(seconds) * 1e3:.0f} ms"


def audible(t, queue, address):
    """Seconds from the command that opens the address until its first audio."""
    mark = t.lab.mark()
    here = queue.do("clear")
    sent = queue.app.send(f"replace {address}")
    queue.do("play")
    queue.wait("timeControlStatus", 10, here, value="playing")
    queue.wait_position(1, 10, here)
    here = queue.do("pause")
    queue.wait("timeControlStatus", 5, here, value="paused")
    t.lab.settle(1)
    first = listening.first_sound(t.lab.heard(1, mark))
    if first is None:
        raise Failed("nothing was heard")
    return t.lab.played_at(1, mark[1] // 4 + first) - sent


def start(t):
    programs(t)
    source = t.sounds.noise("noise-30", 30, seed=5)
    path = t.sounds.encoded("noise-30.flac", source)
    with Servers(t) as servers:
        nginx = servers.nginx()
        address = nginx.address + servers.serve(path)
        queue = Queue(t)
        audible(t, queue, path)  # the speaker is opened
        took = {place: [] for place in (path, address)}
        for _ in range(RUNS):
            for place, seconds in took.items():
                seconds.append(audible(t, queue, place))
        queue.quit()
    over = statistics.median(took[address]) - statistics.median(took[path])
    return f"{over * 1e3:+.0f} ms: {shown(took[address])}; from disk {shown(took[path])} ({RUNS} runs each)"


def gigabyte(path):
    """An hour and a half of silence, of which the disk stores only the header."""
    size = 1_000_000_000
    sound.write_wav(path, sound.noise(0.001))
    with open(path, "r+b") as file:
        file.seek(4)
        file.write((size - 8).to_bytes(4, "little"))
        file.seek(HEADER - 4)
        file.write((size - HEADER).to_bytes(4, "little"))
        file.truncate(size)


def seek(t):
    programs(t)
    took, requests = [], []
    with Servers(t) as servers:
        path = os.path.join(servers.files, "gigabyte.wav")
        gigabyte(path)
        nginx = servers.nginx()
        for target in (4000, 1200, 5500, 300, 2500):
            before = len(nginx.requests())
            queue = Queue(t, [nginx.address + "gigabyte.wav"], None)
            queue.do("play")
            queue.wait_position(1)
            here = queue.app.here()
            sent = queue.app.send(f"seek {target}")
            took.append(queue.wait("sought", 5, here, done=True)["at"] / 1e3 - sent)
            queue.wait_position(target + 1, 5, here)
            queue.quit()
            requests.append(len(nginx.requests()) - before)
        os.remove(path)
    return f"{shown(took)} ({len(took)} seeks); {max(requests)} requests at most, that of the opening among them"


def slow(t):
    programs(t)
    seconds, share = 120, 0.9
    path = t.sounds.noise(f"noise-{seconds}", seconds, seed=5)
    with Servers(t) as servers:
        nginx = servers.nginx(extra=f"limit_rate {int(RATE * 4 * share)};")
        queue = Queue(t, [nginx.address + servers.serve(path)])
        queue.do("play")
        queue.wait("didPlayToEndTime", 200)
        changes = queue.all("timeControlStatus")
        stalls = len(queue.all("playbackStalled"))
        waits = [
            (after["at"] - before["at"]) / 1e3 for before, after in zip(changes, changes[1:]) if before["value"] == "waiting"
        ]
        result = queue.hear(sound.read_wav(path))
        queue.quit()
    lost = sum(max(0, after.start - before.end) for before, after in zip(result.pieces, result.pieces[1:]))
    # Playback lasts as long as the download.
    wanted = seconds / share - seconds
    lengths = ", ".join(f"{wait:.1f}" for wait in waits)
    return f"{stalls} stalls; waited {sum(waits):.1f} s of at least {wanted:.1f} s ({lengths} s); {lost} frames lost"


def register(row):
    row("web-start", "command → audible on one speaker, the same file over local HTTP and from disk", "≤ 100 ms over", EXACT)(start)
    row("web-seek", "a seek in a file of 1 GB over HTTP: command → the place's first packet", "≤ 100 ms; ≤ 3 requests", EXACT)(seek)
    row("web-slow", "120 s from a server at 0.9 × real time: stalls and their length", "as long as what is missing; 0 frames lost", EXACT)(slow)
