"""The house as an MPD server: mpc, ncmpcpp and python-mpd2 as they are, and clients that misbehave."""

import os
import random
import re
import shutil
import socket
import subprocess
import time

import environments
from cases import OURS, case, expect
from house import House
from player import Failed, Skipped

PORT = 6600
SETTINGS = "\n[mpd]\nenabled = true\n"
PYTHON_MPD = "python-mpd2==3.1.1"


class Daemon(House):
    """A house that serves MPD clients, with two albums of two songs each and a room of the lab.

    more: further files of an album by its name."""

    def __init__(self, t, more=None, **environment):
        folders = {}
        source = t.sounds.noise("mpd-8", 8, seed=300)
        for album in ("One", "Two"):
            folders[album] = [
                t.sounds.encoded(
                    f"mpd-{album}-{number}.flac", source, "-metadata", f"album={album}", "-metadata", f"track={number}",
                    title=f"Song {album} {number}", artist=f"Artist {album}",
                )
                for number in (1, 2)
            ] + (more or {}).get(album, [])
        super().__init__(t, albums=folders, **environment)
        self.wait("the library is complete", lambda house: house["library"]["tracks"] == 4 and not house["library"]["isScanning"])

    def start(self, within=20):
        settings = os.path.join(self.folder, "tutti.toml")
        with open(settings) as file:
            text = file.read()
        if SETTINGS not in text:
            with open(settings, "a") as file:
                file.write(SETTINGS)
        started = super().start(within)
        # The pages are there first.
        while True:
            try:
                self.client().close()
                return started
            except OSError as error:
                if time.monotonic() > started + within:
                    raise Failed(f"no MPD client is answered within {within} s") from error
            time.sleep(0.01)

    def run(self, *command, within=20, fails=False):
        """The output of a client on the house's node."""
        environment = dict(os.environ, MPD_HOST="127.0.0.1", MPD_PORT=str(PORT), LANG="C.UTF-8", HOME=self.t.folder)
        done = subprocess.run(
            self.t.lab.sender_command(*command), capture_output=True, text=True, timeout=within, stdin=subprocess.DEVNULL,
            env=environment,
        )
        if (done.returncode != 0) != fails:
            raise Failed(f"{' '.join(command)}: status {done.returncode}, {done.stdout[-400:]}{done.stderr[-400:]}")
        return done.stdout + done.stderr

    def mpc(self, *words, fails=False):
        return self.run("mpc", *words, fails=fails)

    def client(self, within=10):
        """A connection of our own, greeted."""
        return greeted(self, within)


def greeted(house, within=10):
    """A connection to a house's MPD port, greeted; one that comes right after a crowd may be refused at first."""
    end = time.monotonic() + within
    while True:
        made = Raw(house.network, within)
        try:
            line = made.line()
        except ConnectionError:
            line = b""
        if re.fullmatch(rb"OK MPD 0\.23\.\d+\n", line):
            return made
        made.close()
        expect(line == b"" and time.monotonic() < end, f"no greeting but {line}")
        time.sleep(0.05)


class Raw:
    """A connection to the MPD port."""

    def __init__(self, network, within):
        with open("/proc/thread-self/ns/net") as own, open(network.path) as other:
            network._enter(other)
            try:
                self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            finally:
                network._enter(own)
        self.socket.settimeout(within)
        self.socket.connect(("127.0.0.1", PORT))
        self.file = self.socket.makefile("rb")

    def send(self, data):
        self.socket.sendall(data)

    def line(self):
        return self.file.readline()

    def ask(self, command):
        """The lines of an answer, with its end."""
        self.send(command.encode() + b"\n")
        lines = []
        while True:
            line = self.line()
            if not line:
                raise Failed(f"{command}: the connection ended after {lines[-3:]}")
            lines.append(line.decode().rstrip("\n"))
            if lines[-1] == "OK" or lines[-1].startswith("ACK ["):
                return lines

    def close(self):
        self.file.close()
        self.socket.close()


def needs(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Skipped(f"no {program}: it is a package of Debian")


def output_of(house, room):
    """The number of a room of the lab as an output of mpc, from 1."""
    name = re.escape(house.t.lab.name(room))
    found = re.search(rf"^Output (\d+) \({name}\) is", house.mpc("outputs"), re.MULTILINE)
    expect(found, f"no output {name}")
    return found.group(1)


@case("mpd.mpc-plays-in-a-room", lab=OURS, timeout=120)
def mpc_plays(t):
    """mpc puts a room into the zone, browses, adds, plays, seeks, goes on and changes the volume; the room is heard."""
    needs("mpc")
    house = Daemon(t)
    house.rooms(1)
    expect("is disabled" in house.mpc("outputs"), "a room is enabled before it is used")
    house.mpc("enable", output_of(house, 1))
    expect(sorted(house.mpc("ls").split()) == ["One", "Two"], "other folders")
    expect(house.mpc("search", "any", "song two").split("\n")[0] == "Two/mpd-Two-1.flac", "the search finds something else")
    expect(house.mpc("list", "artist").split("\n")[:2] == ["Artist One", "Artist Two"], "other artists")
    mark = t.lab.mark()
    house.mpc("add", "One")
    house.mpc("findadd", "album", "Two")
    house.mpc("play")
    house.wait_playing_in((1,))
    house.wait_position(1, 1)
    expect("[playing] #1/4" in house.mpc("status"), "mpc sees no song playing")
    expect(house.mpc("current").strip() == "Artist One - Song One 1", "another song is the current one")
    house.mpc("next")
    house.wait_position(1, 0.5)
    house.mpc("seek", "00:00:05")
    expect(house.wait_position(1, 5)["index"] == 1, "another song plays")
    house.mpc("prev")
    expect(house.wait_zone(1, "is at the first song", lambda zone: zone["index"] == 0)["state"] != "stopped", "it stopped")
    house.mpc("volume", "33")
    house.wait("the room has the volume", lambda found: any(round(room.get("volume") or 0) == 33 for room in found["rooms"]))
    house.mpc("pause")
    house.wait_zone(1, "is paused", lambda zone: zone["state"] == "paused")
    t.lab.settle(1)
    expect(t.lab.heard(1, mark).any(), "nothing was heard")
    house.stop()


@case("mpd.mpc-edits", lab=OURS, timeout=120)
def mpc_edits(t):
    """The queue and playlists as mpc changes them, seen by both interfaces; what is not there is refused in words."""
    needs("mpc")
    house = Daemon(t)
    house.mpc("add", "One", "Two")
    house.mpc("move", "1", "4")
    house.mpc("del", "1")
    titles = [entry["track"]["title"] for entry in house.get("/zones/1/queue")["entries"]]
    expect(titles == ["Song Two 1", "Song Two 2", "Song One 1"], f"the queue is {titles}")
    house.mpc("save", "mixed")
    expect(house.mpc("lsplaylists").split() == ["mixed"], "other playlists")
    house.mpc("clear")
    house.mpc("load", "mixed")
    expect(house.mpc("playlist").strip().split("\n")[2] == "Artist One - Song One 1", "another queue")
    house.mpc("rm", "mixed")
    expect(house.get("/library/playlists")["items"] == [], "the playlist is still there")
    for option in ("repeat", "random", "consume"):
        house.mpc(option, "on")
        expect(f"{option}: on" in house.mpc("status"), f"{option} stays off")
    house.mpc("crossfade", "5")
    house.mpc("replaygain", "track")
    zone = house.get("/house")["zones"][0]
    expect((zone["crossfade"], zone["levelling"]) == (5, "track"), f"crossfade and replay gain of mpc: {zone}")
    expect("crossfade: 5" in house.mpc("crossfade"), "mpc does not show the crossfade")
    expect("at most 12" in house.mpc("crossfade", "13", fails=True), "a long crossfade is not refused in words")
    expect("disabled" in house.mpc("sticker", "One", "list", fails=True), "stickers are not refused as MPD does")
    house.stop()


@case("mpd.events", lab=OURS, timeout=90)
def events(t):
    """A client that waits is told of what another interface does, and a partition is a zone."""
    house = Daemon(t)
    waiting = house.client()
    waiting.send(b"idle playlist\n")
    song = os.path.join(house.music, "One", "mpd-One-1.flac")
    house.post("/zones/1/queue", {"items": [{"location": song}], "place": "end"})
    expect(waiting.line() == b"changed: playlist\n" and waiting.line() == b"OK\n", "no event")
    zone = house.post("/zones", {"name": "Garden", "rooms": []})["zone"]
    expect(waiting.ask("idle partition") == ["changed: partition", "OK"], "the new zone is not told")
    expect("partition: Garden" in waiting.ask("listpartitions"), "the zone is no partition")
    waiting.ask("partition Garden")
    waiting.ask("add Two")
    found = house.get(f"/zones/{zone}/queue")
    expect(found["length"] == 2, f"the queue of the zone: {found}")
    house.stop()


CHECKS = """
import sys
from mpd import MPDClient, CommandError
client = MPDClient()
client.timeout = 10
client.connect("127.0.0.1", int(sys.argv[1]))
client.add("One")
assert [song["title"] for song in client.playlistinfo()] == ["Song One 1", "Song One 2"]
assert client.status()["playlistlength"] == "2" and client.status()["state"] == "stop"
assert client.find("album", "Two")[0]["track"] == "1"
assert client.list("album", "group", "artist") == [
    {"artist": "Artist One", "album": "One"}, {"artist": "Artist Two", "album": "Two"}]
assert client.count("artist", "Artist One")["songs"] == "2"
assert {song.get("directory") for song in client.lsinfo("")} == {"One", "Two"}
version = int(client.status()["playlist"])
client.move(0, 1)
assert [change["cpos"] for change in client.plchangesposid(version)] == ["0", "1"]
client.command_list_ok_begin()
client.status()
client.currentsong()
client.addid("Two/mpd-Two-1.flac")
assert len(client.command_list_end()) == 3
for call in (lambda: client.playid(999_999), lambda: client.sticker_list("song", "x")):
    try:
        call()
    except CommandError:
        continue
    raise AssertionError("no error")
assert client.outputs() and client.listpartitions() and client.commands() and client.tagtypes()
assert isinstance(client.readpicture("One/mpd-One-1.flac"), dict)
other = MPDClient()
other.connect("127.0.0.1", int(sys.argv[1]))
other.random(1)
assert client.idle("options") == ["options"]
print("ok")
"""


@case("mpd.python-mpd2", lab=OURS, timeout=120)
def python_mpd(t):
    """python-mpd2, which Home Assistant uses, understands all answers."""
    python = os.path.join(environments.programs("python-mpd2", PYTHON_MPD), "python")
    house = Daemon(t)
    house.rooms(1)
    expect(house.run(python, "-c", CHECKS, str(PORT)).strip() == "ok", "a check failed")
    house.stop()


@case("mpd.ncmpcpp", lab=OURS, timeout=120)
def ncmpcpp(t):
    """ncmpcpp shows the queue, the folders, the artists and the outputs, and plays the song under its cursor."""
    needs("ncmpcpp", "tmux")
    house = Daemon(t)
    house.assign(1, 1)
    socket_path, folder = os.path.join(t.folder, "tmux"), os.path.join(t.folder, "ncmpcpp")
    os.makedirs(folder, exist_ok=True)
    settings = os.path.join(folder, "config")
    with open(settings, "w") as file:
        file.write(f'ncmpcpp_directory = "{folder}"\nmpd_host = "127.0.0.1"\nmpd_port = "{PORT}"\n')
    first = house.client()
    first.ask("add One")

    def tmux(*words):
        return house.run("tmux", "-S", socket_path, "-f", "/dev/null", *words)

    def shows(text, within=10):
        end = time.monotonic() + within
        while text not in (screen := tmux("capture-pane", "-p")):
            if time.monotonic() > end:
                raise Failed(f"ncmpcpp does not show {text!r}:\n{screen.strip()}")
            time.sleep(0.2)

    tmux("new-session", "-d", "-x", "120", "-y", "30", "ncmpcpp", "-c", settings, "-b", os.path.join(folder, "bindings"))
    try:
        shows("Song One 2")
        first.ask("add Two")
        shows("Song Two 2")
        for key, text in (("2", "[Two]"), ("4", "Artist Two"), ("7", t.lab.name(1))):
            tmux("send-keys", key)
            shows(text)
        tmux("send-keys", "1")
        tmux("send-keys", "Enter")
        house.wait_playing_in((1,))
        shows("Playing:")
    finally:
        tmux("kill-server")
    house.stop()


LONGEST = ("find \"(" + " AND ".join(["(!(any contains 'zz'))"] * 32) + ")\"\n").encode()


def deaf_clients(house, count):
    """Clients that ask for much and read nothing of it."""
    deaf = [greeted(house) for _ in range(count)]
    for client in deaf:
        client.socket.settimeout(0.2)
        try:
            client.send(b"command_list_begin\n" + b"listallinfo\n" * 5000 + b"command_list_end\n")
        except OSError:
            pass  # it is not read any further
    return deaf


def send_junk(house, count):
    """Bytes that are no commands, or parts of some."""
    randomness = random.Random(11)
    for index in range(count):
        made = greeted(house)
        made.socket.settimeout(0.05)
        try:
            made.send((b"", b"a" * 100_000, b"GET / HTTP/1.1\r\n", b"status \"", b"find \"(" * 50)[index % 5] + randomness.randbytes(500) + b"\n")
            made.line()
        except OSError:
            pass  # closed, or nothing to say
        made.close()


def crowd(house, count):
    """So many clients at once; returns how many of them are greeted."""
    many = []
    try:
        for _ in range(count):
            many.append(Raw(house.network, 5))
        return sum(client.line().startswith(b"OK MPD") for client in many)
    finally:
        for client in many:
            client.close()


@case("mpd.hostile", lab=OURS, timeout=150, alone=True)
def hostile(t):
    """Junk, lines without end, endless searches, clients that read nothing and too many of them: others are answered at once."""
    house = Daemon(t)
    good = house.client()
    deaf = deaf_clients(house, 20)
    send_junk(house, 100)
    refused = house.client()
    endless = "search \"(" + " AND ".join(["(!(any contains 'zz'))"] * 150) + ")\""
    expect(refused.ask(endless)[-1].endswith("Too many conditions: at most 32 are possible"), "a long expression is not refused")
    refused.close()
    searching = [house.client() for _ in range(8)]
    slowest = 0
    for client in searching:
        client.send(LONGEST * 50)
    for _ in range(50):
        begun = time.monotonic()
        expect(good.ask("status")[-1] == "OK", "no status")
        slowest = max(slowest, time.monotonic() - begun)
    expect(slowest < 0.5, f"beside searches a status took {slowest:.2f} s")
    for client in searching:
        client.close()
    greeted = crowd(house, 120)
    begun = time.monotonic()
    expect(good.ask("status")[-1] == "OK", "no status")
    took = time.monotonic() - begun
    expect(took < 0.5, f"the status took {took:.2f} s")
    expect(greeted < 100, f"{greeted} of 120 more clients were greeted")
    for client in deaf:
        client.close()
    memory = house.memory()
    expect(memory < 200e6, f"the service had {memory / 1e6:.0f} MB")
    house.stop()
    t.note(f"status beside searches after at most {slowest * 1000:.0f} ms, at last after {took * 1000:.0f} ms, {greeted} of 120 more clients greeted, {memory / 1e6:.0f} MB")
