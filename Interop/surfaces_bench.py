#!/usr/bin/env python3
"""Measures what the surfaces cost: memory over none, and time over the house's own.

surfaces_bench.py [--program PATH] [--tracks N] [--rounds N] [--only memory|time|table]

Memory: `tutti serve` with the web alone, and with MPD, MQTT and MPRIS, idle and after a client of each; resident bytes of the
process, and the part that is its own. Time: from the client's send to the change that the house tells by its events, and to the
change that is heard at a speaker of ours, for pause and play on each surface, less the same by HTTP on an open connection. Makes a
network namespace of its own, so it needs root.
"""

import argparse
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np  # noqa: E402  the path above comes first

from cases.live import RATE, Times, recorded  # noqa: E402
from surfaces import MPD, MQTT, WEB, Surfaces  # noqa: E402


class Node:
    """A network namespace with nothing but loopback."""

    def __init__(self):
        self.name = f"surfaces-{os.getpid()}"
        subprocess.run(["ip", "netns", "add", self.name], check=True)
        subprocess.run(["ip", "-n", self.name, "link", "set", "lo", "up"], check=True)
        self.path = f"/run/netns/{self.name}"
        self.enter = ("ip", "netns", "exec", self.name)

    def close(self):
        subprocess.run(["ip", "netns", "del", self.name])


def make_tracks(folder, count):
    """So many files with tags of their own, each with half a second of sound; the first four have a minute."""
    paths = []
    for number in range(count):
        path = os.path.join(folder, f"song-{number:05}.mp3")
        if number < 5:
            seconds = 60 if number < 4 else 0.5
            subprocess.run(
                ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"sine=frequency={300 + number * 50}:duration={seconds}",
                 "-id3v2_version", "3", "-metadata", f"title=Song {number}", "-metadata", f"artist=Artist {number % 40}",
                 "-metadata", f"album=Album {number // 12}", path], check=True)
        else:
            # A copy is another track of the library by its path.
            shutil.copy(paths[4], path)
        paths.append(path)
    return paths


def memory(process):
    """Resident megabytes, and those that the process shares with nobody."""
    with open(f"/proc/{process.pid}/smaps_rollup") as file:
        text = file.read()
    value = lambda key: int(re.search(rf"^{key}:\s+(\d+)", text, re.M)[1])  # noqa: E731
    return value("Rss") / 1024, (value("Private_Clean") + value("Private_Dirty")) / 1024, value("Private_Dirty") / 1024


def service_process(house):
    """`ip netns exec` replaces itself, so the process is the service."""
    return house.service


def measure_memory(options, node, folder, paths):
    rows = {}
    for name, with_surfaces in (("web only", False), ("all", True)):
        with Surfaces(options.program, os.path.join(folder, "house"), paths, node.enter, node.path, with_surfaces) as house:
            time.sleep(6)
            rows[name] = memory(house.service)
            if not with_surfaces:
                continue
            house.mpd("status")
            house.mpd("outputs")
            house.publish("zone/1/volume/set", "40")
            house.player("status")
            house.run("playerctl", "-p", "tutti.zone1", "metadata", status=None)
            time.sleep(4)
            rows["all, after a client of each"] = memory(house.service)
            house.mpd("find any Song")
            time.sleep(2)
            rows["all, with MPD's catalogue in memory"] = memory(house.service)
    base = rows["web only"]
    print(f"memory with {len(paths)} tracks, MB: resident, own, written to")
    for name, values in rows.items():
        over = "" if name == "web only" else "   over none: " + ", ".join(f"{now - was:+.1f}" for now, was in zip(values, base))
        print(f"  {name:38} " + ", ".join(f"{value:6.1f}" for value in values) + over)


class Changes:
    """The states of the first zone, with the times of the house's events."""

    def __init__(self, house):
        self.changed, self.states = threading.Condition(), []
        self.connection = house.connect(WEB, 600)
        self.connection.sendall(b"GET /api/v1/events HTTP/1.0\r\nHost: localhost\r\n\r\n")
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        file = self.connection.makefile("rb")
        event = None
        for line in file:
            if line.startswith(b"event: "):
                event = line[7:].strip()
            elif line.startswith(b"data: ") and event == b"zone":
                zone = json.loads(line[6:])
                with self.changed:
                    self.states.append((time.monotonic(), zone["id"], zone["state"]))
                    self.changed.notify_all()

    def wait(self, state, since, within=10):
        end = time.monotonic() + within
        with self.changed:
            while True:
                for at, zone, found in self.states:
                    if zone == 1 and found == state and at >= since:
                        return at
                left = end - time.monotonic()
                if left <= 0:
                    raise SystemExit(f"the zone is not {state} within {within} s: {self.states[-3:]}")
                self.changed.wait(left)


class Speaker:
    """A speaker of ours that records what it plays; ends with the block."""

    ADDRESS = "127.0.0.2:7100"

    def __init__(self, options, node, folder):
        self.file = os.path.join(folder, "heard.wav")
        host, port = self.ADDRESS.split(":")
        command = [options.program, "speaker", "--name", "Heard", "--address", host, "--port", port]
        command += ["--clock-ports", "31900,32000", "--output", f"wave:{self.file}"]
        with open(os.path.join(folder, "speaker.log"), "wb") as log:
            self.process = subprocess.Popen([*node.enter, *command], stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)

    def edges(self):
        """The times of the first frames of sound, and of the last ones, of all pieces with 20 ms of silence between them."""
        samples, times = recorded(self.file), Times(self.file)
        loud = np.flatnonzero(samples.any(axis=1))
        breaks = np.flatnonzero(np.diff(loud) > RATE // 50)
        firsts = [loud[0], *loud[breaks + 1]]
        lasts = [*loud[breaks], loud[-1]]
        return {"play": [times.of(int(frame)) for frame in firsts], "pause": [times.of(int(frame)) for frame in lasts]}


class MQTTClient:
    """A client of MQTT 3.1.1 that publishes at QoS 0 on an open connection, as a home automation does."""

    def __init__(self, house):
        self.socket = house.connect(MQTT)
        self._send(0x10, b"\x00\x04MQTT\x04\x02\x00\x3c" + self._text("bench"))
        self.socket.recv(4)

    @staticmethod
    def _text(text):
        data = text.encode()
        return len(data).to_bytes(2, "big") + data

    def _send(self, kind, body):
        self.socket.sendall(bytes([kind, len(body)]) + body)

    def publish(self, topic, payload):
        self._send(0x30, self._text(topic) + payload.encode())


def keep_alive(house):
    """Requests on one open connection."""
    connection = house.connect(WEB)

    def post(word):
        connection.sendall(f"POST /api/v1/zones/1/{word} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n".encode())
        connection.recv(4096)

    return post


def measure_time(options, node, folder, paths):
    with Speaker(options, node, folder) as speaker:
        with Surfaces(
            options.program, os.path.join(folder, "house"), paths[:4], node.enter, node.path, speaker=Speaker.ADDRESS
        ) as house:
            sent, changed, starts = send_in_turn(options, house)
        heard = speaker.edges()
    print(f"ms, median and worst of {options.rounds}: from the send to the change, and over HTTP's; to what is heard, and over HTTP's; start of the program")
    measure = {}
    for name in sent:
        parts = []
        for word in ("pause", "play"):
            told = [(end - began) * 1000 for began, end in zip(sent[name][word], changed[name][word])]
            sounds = [(next(at for at in heard[word] if at > began) - began) * 1000 for began in sent[name][word]]
            for kind, values in (("told", told), ("heard", sounds)):
                own = measure.setdefault((word, kind), statistics.median(values))
                parts.append(f"{word} {kind} {statistics.median(values):6.1f} {max(values):6.1f} {statistics.median(values) - own:+6.1f}")
        print(f"  {name:38} {'   '.join(parts)}   start {starts.get(name, 0):5.1f}")


def send_in_turn(options, house):
    """The times of the sends and of the changes, by client and word; how long each client's program takes to start, in ms."""
    house.api("PUT", f"/rooms/{house.room['id']}/zone", {"zone": 1})
    house.api("PUT", f"/rooms/{house.room['id']}/volume", {"percent": 100})
    items = [{"location": os.path.join(house.music, name)} for name in sorted(os.listdir(house.music))[:4]]
    house.api("POST", "/zones/1/queue", {"items": items, "place": "replace"})
    house.api("PUT", "/zones/1/repeat", {"mode": "all"})
    house.wait("the zone plays", lambda found: found["zones"][0]["state"] == "playing")
    time.sleep(3)
    changes, post, broker = Changes(house), keep_alive(house), MQTTClient(house)
    house.mpd("status")
    surfaces = {
        "HTTP, open connection (the measure)": post,
        "HTTP, curl": lambda word: house.run("curl", "-sS", "-X", "POST", f"http://127.0.0.1:{WEB}/api/v1/zones/1/{word}"),
        "shell, tutti": lambda word: house.tutti(word),
        "MPD, open connection": lambda word: house.mpd("pause 1" if word == "pause" else "play"),
        "MPD, mpc": lambda word: house.run("mpc", "-h", "127.0.0.1", "-p", str(MPD), word),
        "MQTT, open connection": lambda word: broker.publish(f"tutti/surfaces/zone/1/{word}/set", ""),
        "MQTT, mosquitto_pub": lambda word: house.publish(f"zone/1/{word}/set"),
        "MPRIS, busctl": lambda word: house.bus("call", "org.mpris.MediaPlayer2.Player", word.capitalize()),
    }
    sent = {name: {"pause": [], "play": []} for name in surfaces}
    changed = {name: {"pause": [], "play": []} for name in surfaces}
    for _ in range(options.rounds):
        # In turn, so that a busy machine is unfair to none.
        for name, send in surfaces.items():
            for word, state in (("pause", "paused"), ("play", "playing")):
                began = time.monotonic()
                send(word)
                sent[name][word].append(began)
                changed[name][word].append(changes.wait(state, began))
                time.sleep(0.8)  # until it is heard
    # The clients that start a program: how long that alone takes.
    programs = {
        "HTTP, curl": ["curl", "--version"], "shell, tutti": [house.program, "--version"], "MPD, mpc": ["mpc", "--version"],
        "MQTT, mosquitto_pub": ["mosquitto_pub", "--help"], "MPRIS, busctl": ["busctl", "--version"],
    }
    starts = {}
    for name, command in programs.items():
        samples = []
        for _ in range(10):
            began = time.monotonic()
            house.run(*command, status=None)
            samples.append((time.monotonic() - began) * 1000)
        starts[name] = statistics.median(samples)
    return sent, changed, starts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".build", "release", "tutti"))
    parser.add_argument("--tracks", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", choices=("memory", "time", "table", "edits"), action="append")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    chosen = options.only or ("memory", "time")
    # A termination from outside ends what was started, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    node, folder = Node(), tempfile.mkdtemp(prefix="tutti-surfaces-")
    try:
        source = os.path.join(folder, "source")
        os.makedirs(source)
        paths = make_tracks(source, options.tracks if "memory" in chosen else 4)
        if "table" in chosen or "edits" in chosen:
            from cases import commands

            with Surfaces(options.program, os.path.join(folder, "house"), paths[:4], node.enter, node.path) as house:
                if "table" in chosen:
                    print(f"{commands.run_table(house)} forms have the effect of their command")
                if "edits" in chosen:
                    kept, files = commands.edit_together(house)
                    print(f"{commands.check_edits(house, kept, files)} entries left after four clients edited one queue")
        if "memory" in chosen:
            measure_memory(options, node, folder, paths)
        if "time" in chosen:
            measure_time(options, node, folder, paths)
    finally:
        node.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
