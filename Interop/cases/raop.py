"""Senders of AirPlay 1, PipeWire and PulseAudio from Debian 12 and pyatv from PyPI, play to our speaker frame by frame."""

import os
import shutil
import subprocess
import sys
import time

import numpy as np

import listening
import sound
from cases import FADE, OURS, PASSWORD, PROCESSOR, PROGRAM, case, expect
from cases.content import expect_whole
from cases.control import metadata_items
from cases.pyatv import programs, scan
from lab import Receivers, scripts
from lab.machine import HERE
from lab.processes import until, write
from listening import RATE
from making import making
from player import Failed, Skipped
from stage import Command

# Seconds of silence around the source: PipeWire drops what comes before the speaker has answered RECORD, and a sender
# that stops at the end of its file cuts what is not heard yet.
HEAD, TAIL = 1, 3


def root(kind="senders"):
    """The folder with the senders' programs, of Debian 12 or (`new-senders`) of sid; made once, in the lab's cache."""
    try:
        with making():
            made = subprocess.run([os.path.join(HERE, "make-root.sh"), kind], capture_output=True, text=True, timeout=1200)
    except subprocess.TimeoutExpired:
        raise Skipped("the Debian mirror did not serve PipeWire and PulseAudio in 20 minutes") from None
    if made.returncode != 0:
        lines = [line for line in made.stderr.splitlines() if line.strip()] or ["no message"]
        raise Skipped(f"PipeWire and PulseAudio cannot be had: {lines[-1]}")
    return made.stdout.strip()


class Sender:
    """Programs of a sender in a container of its own, in the network of s1; ends with the case."""

    BEGIN = """export HOME=/tmp XDG_RUNTIME_DIR=/run/user LANG=C.UTF-8
mkdir -p /run/user /run/dbus /run/avahi-daemon /run/systemd/seats /run/systemd/sessions /run/systemd/users /run/systemd/machines
chmod 700 /run/user
dbus-daemon --system --fork --nopidfile 2>/mnt/node/dbus.log
avahi-daemon --no-drop-root --no-chroot --no-rlimits -f /mnt/node/avahi.conf > /mnt/node/avahi.log 2>&1 &
until [ -S /run/avahi-daemon/socket ]; do sleep 0.05; done
"""

    def __init__(self, t, script, programs="senders"):
        self.t, self.folder = t, os.path.join(t.lab.state, "sender")
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        write(self.file("avahi.conf"), scripts.AVAHI)
        write(self.file("outer.sh"), scripts.in_root(root(programs), "sender", self.folder, self.folder))
        write(self.file("init.sh"), self.BEGIN + script)
        contain = ["unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child"]
        self.process = t._run(Command, [*contain, "/bin/bash", self.file("outer.sh")])

    def file(self, name):
        return os.path.join(self.folder, name)

    def log(self, name):
        try:
            with open(self.file(name), errors="replace") as file:
                return file.read()
        except OSError:
            return ""

    def keep(self):
        """Copies the logs to the case's folder."""
        for name in os.listdir(self.folder):
            if name.endswith(".log"):
                shutil.copy(self.file(name), os.path.join(self.t.folder, "sender-" + name))

    def wait(self, name, text, within):
        """Waits until a log has this text."""
        if not until(lambda: text in self.log(name), within):
            self.keep()
            raise Failed(f"the sender did not get so far as {text!r}: {self.log(name)[-500:]}")


PULSEAUDIO = """until=$((SECONDS + 20))
pulseaudio -n --daemonize=no --exit-idle-time=-1 --disallow-exit --use-pid-file=no --realtime=no --high-priority=no \\
  --log-level=debug --log-time=yes --log-target=file:/mnt/node/pulseaudio.log -F /mnt/node/pulseaudio.conf &
export PULSE_SERVER=unix:/tmp/pulse.socket
until pactl info >/dev/null 2>&1; do sleep 0.1; done
until sink=$(pactl list sinks | awk '/^\tName:/ { name = $2 } /^\tDescription:/ && (name == "SINK" || index($0, "SINK")) { print name; exit }'); [ -n "$sink" ] || [ $SECONDS -gt $until ]; do sleep 0.2; done
pactl list short sinks > /mnt/node/sinks.log
echo play > /mnt/node/state.log
paplay -d "$sink" /mnt/node/source.wav > /mnt/node/play.log 2>&1
echo "played $?" >> /mnt/node/state.log
sleep 1000
"""


def pulseaudio(t, source, modules, sink):
    """PulseAudio with these modules, which plays the source to the sink of this name."""
    lines = ["load-module module-native-protocol-unix socket=/tmp/pulse.socket auth-anonymous=1", *modules]
    script = PULSEAUDIO.replace("SINK", sink)
    sender = Sender(t, "until [ -e /mnt/node/source.wav ]; do sleep 0.05; done\n" + script)
    write(sender.file("pulseaudio.conf"), "\n".join(lines) + "\n")
    shutil.copy(source, sender.file("source.new"))
    os.rename(sender.file("source.new"), sender.file("source.wav"))
    return sender


PIPEWIRE = """mkdir -p /tmp/.config/pipewire/pipewire.conf.d
cp /mnt/node/pipewire.conf /tmp/.config/pipewire/pipewire.conf.d/raop.conf
export DBUS_SESSION_BUS_ADDRESS=$(dbus-daemon --session --fork --print-address --nopidfile)
PIPEWIRE_DEBUG=3 PIPEWIRE_LOG=/mnt/node/pipewire.log pipewire > /mnt/node/pipewire-output.log 2>&1 &
until [ -S /run/user/pipewire-0 ]; do sleep 0.05; done
wireplumber > /mnt/node/wireplumber.log 2>&1 &
until=$((SECONDS + 20))
until sink=$(pw-cli ls Node | awk -F'"' '/node.description/ { text = $2 } /node.name/ && (text == "SINK" || $2 == "SINK") { print $2; exit }'); [ -n "$sink" ] || [ $SECONDS -gt $until ]; do sleep 0.2; done
pw-cli ls Node > /mnt/node/sinks.log
sleep 1
echo play > /mnt/node/state.log
PLAY
echo "played $?" >> /mnt/node/state.log
sleep 1000
"""
PLAY_ONCE = 'pw-cat --playback --target "$sink" /mnt/node/source.wav > /mnt/node/play.log 2>&1'
# One stream after the other, each after a pause of so many seconds.
PLAY_AGAIN = """( set -e; n=0; for pause in PAUSES; do
  sleep $pause; pw-cat --playback --target "$sink" /mnt/node/source-$n.wav >> /mnt/node/play.log 2>&1; n=$((n + 1))
done )"""


def pipewire(t, source, module, sink, play=PLAY_ONCE, programs="senders"):
    """PipeWire with this module, which plays the source to the sink of this name."""
    script = PIPEWIRE.replace("SINK", sink).replace("PLAY", play)
    sender = Sender(t, "until [ -e /mnt/node/source.wav ]; do sleep 0.05; done\n" + script, programs)
    properties = "context.properties = { default.clock.rate = 44100 default.clock.min-quantum = 2048 default.clock.allowed-rates = [ 44100 ] }"
    write(sender.file("pipewire.conf"), f"{properties}\ncontext.modules = [ {module} ]\n")
    shutil.copy(source, sender.file("source.new"))
    os.rename(sender.file("source.new"), sender.file("source.wav"))
    return sender


def with_tail(t, seconds, seed, name="source.wav"):
    """A source of noise with silence around it, and its samples without."""
    path = t.sounds.noise(f"noise-{seconds}-{seed}", seconds, seed=seed)
    samples = sound.read_wav(path)
    file = t.place(name)
    silence = np.zeros(((HEAD + TAIL) * RATE, 2), dtype=samples.dtype)
    sound.write_wav(file, np.concatenate([silence[: HEAD * RATE], samples, silence[HEAD * RATE :]]))
    return file, samples


def play(t, sender, samples, room=1, within=40, meanwhile=lambda: None):
    """Waits for the end of the play; returns what the room's output got, and checks that it is the source."""
    mark = t.lab.mark()
    sender.wait("state.log", "play", 30)
    begun = time.monotonic()
    meanwhile()
    sender.wait("state.log", "played", within)
    sender.keep()
    expect("played 0" in sender.log("state.log"), f"the sender failed: {sender.log('play.log')[-300:]}")
    t.lab.settle(room)
    heard = t.lab.heard(room, mark)
    first = listening.first_sound(heard)
    expect(first is not None, f"the speaker played nothing; sinks {sender.log('sinks.log')[-300:]!r}")
    late = t.lab.played_at(room, mark[room] // 4 + first) - begun - HEAD
    t.note(f"heard {late:.2f} s after the program was started")
    expect_whole(listening.trim(heard), samples, "what the sender played")


def lines_of(t, room=1, skip=0):
    with open(t.lab.file(room, "speaker.json"), "rb") as file:
        file.seek(skip)
        return file.read().decode()


@case("raop.pulseaudio-plays-exactly", lab=OURS, timeout=120, apart=PROCESSOR)
def pulseaudio_exactly(t):
    source, samples = with_tail(t, 10, 11)
    server = f"load-module module-raop-sink server=[{t.lab.address(1)}]:7000 protocol=UDP encryption=none codec=ALAC "
    sender = pulseaudio(t, source, [server + "format=s16le rate=44100 channels=2 sink_name=room"], "room")
    play(t, sender, samples)


@case("raop.lost-packets-are-sent-again", lab=OURS, timeout=120, apart=PROCESSOR)
def lost_packets(t):
    source, samples = with_tail(t, 10, 18)
    server = f"load-module module-raop-sink server=[{t.lab.address(1)}]:7000 protocol=UDP encryption=none codec=ALAC "
    sender = pulseaudio(t, source, [server + "format=s16le rate=44100 channels=2 sink_name=room"], "room")
    skip = t.lab.size(1, "speaker.json")

    def lose():
        # PulseAudio hangs if its first connection is slow.
        expect(until(lambda: '"playing":true' in lines_of(t, skip=skip), 15), "PulseAudio does not play")
        t.lab.wire("s1", {"ab": {"loss": 0.05, "reorder": 0.05, "delay_ms": 5, "jitter_ms": 5}})

    try:
        play(t, sender, samples, meanwhile=lose)
    finally:
        if t.lab.is_wired("s1"):
            t.lab.unwire("s1")
    count = sender.log("pulseaudio.log").count("Resending")
    expect(count, "no packet was sent again")
    t.note(f"{count} requests for lost packets")


@case("raop.pulseaudio-finds-the-speaker", lab=OURS, timeout=120, apart=PROCESSOR)
def pulseaudio_finds(t):
    source, samples = with_tail(t, 5, 12)
    sender = pulseaudio(t, source, ["load-module module-raop-discover"], t.lab.name(1))
    play(t, sender, samples)


def pipewire_module(t, room, more=""):
    address = t.lab.address(room)
    where = f'raop.ip = "{address}" raop.hostname = "{address}" raop.port = 7000 raop.transport = "udp"'
    kind = f'raop.encryption.type = "none" raop.audio.codec = "PCM" {more}'
    return f'{{ name = libpipewire-module-raop-sink args = {{ {where} {kind} stream.props = {{ node.name = "room" }} }} }}'


@case("raop.pipewire-plays-exactly", lab=OURS, timeout=120, apart=PROCESSOR)
def pipewire_exactly(t):
    source, samples = with_tail(t, 10, 13)
    play(t, pipewire(t, source, pipewire_module(t, 1), "room"), samples)


@case("raop.pipewire-finds-the-speaker", lab=OURS, timeout=120, apart=PROCESSOR)
def pipewire_finds(t):
    source, samples = with_tail(t, 5, 14)
    sender = pipewire(t, source, "{ name = libpipewire-module-raop-discover }", t.lab.name(1))
    play(t, sender, samples)


@case("raop.pipewire-gives-the-password", lab=OURS, timeout=120, apart=PROCESSOR)
def pipewire_password(t):
    source, samples = with_tail(t, 5, 15)
    sender = pipewire(t, source, pipewire_module(t, 3, f'raop.password = "{PASSWORD}"'), "room")
    play(t, sender, samples, room=3)


@case("raop.pipewire-without-the-password-is-refused", lab=OURS, timeout=120, apart=PROCESSOR)
def pipewire_refused(t):
    source, _ = with_tail(t, 5, 15)
    mark, skip = t.lab.mark(), t.lab.size(3, "speaker.json")
    sender = pipewire(t, source, pipewire_module(t, 3, 'raop.password = "close-sesame"'), "room")
    sender.wait("state.log", "play", 30)
    sender.wait("pipewire.log", "options 401", 20)
    time.sleep(2)  # time in which it would have begun
    sender.keep()
    expect(listening.first_sound(t.lab.heard(3, mark)) is None, "the speaker plays all the same")
    expect('"state":"started"' not in lines_of(t, 3, skip), "a session has begun")
    expect("wrong-password" in lines_of(t, 3), "the user is not told of the wrong password")


@case("raop.pipewire-of-debian-sid-plays-every-song", lab=OURS, timeout=240, apart=PROCESSOR)
def pipewire_songs(t):
    """A stream that begins soon after the last one comes without a flush: the RTP time jumps."""
    pauses = [0, 0, 0.5, 1, 0, 2, 3, 1.5, 4, 0.2, 0]
    songs = [with_tail(t, 4, 40 + n, f"source-{n}.wav") for n in range(len(pauses))]
    mark = t.lab.mark()
    play = PLAY_AGAIN.replace("PAUSES", " ".join(map(str, pauses)))
    sender = pipewire(t, songs[0][0], pipewire_module(t, 1), "room", play, "new-senders")
    for n, (file, _) in enumerate(songs):
        shutil.copy(file, sender.file(f"source-{n}.wav"))
    sender.wait("state.log", "played", 30 + sum(pauses) + 10 * len(songs))
    sender.keep()
    expect("played 0" in sender.log("state.log"), f"the sender failed: {sender.log('play.log')[-300:]}")
    t.lab.settle(1)
    heard = t.lab.heard(1, mark)
    missing = []
    for n, (_, samples) in enumerate(songs):
        pieces = listening.Finder(samples).hear(heard).pieces
        if [(piece.start, piece.count) for piece in pieces] != [(0, len(samples))]:
            missing.append(f"song {n}, {pauses[n]} s after the one before: {pieces}")
    expect(not missing, f"{len(missing)} of {len(songs)} are not heard whole: {'; '.join(missing)}")
    t.note(f"{len(songs) - 1} follow-up plays heard whole")


def pyatv_raop(t, room, source, *password):
    script = os.path.join(HERE, "pyatv-raop.py")
    command = t.lab.sender_command(os.path.join(programs(), "python"), script, t.lab.address(room), source, *password)
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, env=dict(os.environ, HOME=t.folder)
        )
    except subprocess.TimeoutExpired as expired:
        raise Failed(f"pyatv did not end: {expired.stdout or b''!r}") from expired
    return done.returncode, done.stdout + done.stderr


def expect_played_by_pyatv(t, room, *password):
    source = t.sounds.noise("noise-6", 6, seed=16)
    path = t.sounds.encoded("noise-6-titled.flac", source, title="First Ode", artist="Someone")
    skip, mark = t.lab.size(room, "metadata.raw"), t.lab.mark()
    code, said = pyatv_raop(t, room, path, *password)
    expect(code == 0 and "played" in said, f"pyatv did not play: {said[-800:]}")
    t.lab.settle(room)
    heard = listening.trim(t.lab.heard(room, mark))
    expect(len(heard) > 0, "the speaker played nothing")
    expect_whole(heard, sound.read_wav(source), "what pyatv played")
    items = list(metadata_items(t.lab.metadata(room, skip)))
    texts = [data.decode(errors="replace") for _, _, found, data in items if found in ("minm", "asar")]
    expect("First Ode" in texts and "Someone" in texts, f"the display shows {texts}")
    places = [data for _, _, found, data in items if found == "prgr"]
    expect(places, "the display has no position")


@case("raop.pyatv-plays-exactly-with-text-and-position", lab=OURS, timeout=120)
def pyatv_plays(t):
    expect_played_by_pyatv(t, 1)


@case("raop.pyatv-gives-the-password", lab=OURS, timeout=120)
def pyatv_password(t):
    expect_played_by_pyatv(t, 3, PASSWORD)
    code, said = pyatv_raop(t, 3, t.sounds.noise("noise-6", 6, seed=16), "close-sesame")
    expect(code != 0 and "played" not in said, "a wrong password was accepted")


@case("raop.our-sender-takes-the-speaker-over", lab=OURS, timeout=120)
def taken_over(t):
    source, samples = with_tail(t, 20, 17)
    server = f"load-module module-raop-sink server=[{t.lab.address(1)}]:7000 protocol=UDP encryption=none codec=ALAC "
    mark = t.lab.mark()
    sender = pulseaudio(t, source, [server + "format=s16le rate=44100 channels=2 sink_name=room"], "room")
    sender.wait("state.log", "play", 30)
    expect(until(lambda: listening.first_sound(t.lab.heard(1, mark)) is not None, 15), "PulseAudio does not play")
    time.sleep(2)  # some of it has been heard
    paths, tracks = t.tracks("take", 1, 5)
    player = t.play(paths, (1,))
    player.expect_end(within=25)
    t.lab.settle(1)
    sender.keep()
    result = listening.Finder(np.concatenate([samples, tracks[0]])).hear(listening.trim(t.lab.heard(1, mark)))
    expect(result.foreign <= FADE and len(result.pieces) == 2, f"the speaker played: {result}")
    first, second = result.pieces
    expect(first.start == 0 and 1.5 * RATE < first.count < 10 * RATE, f"before the other sender: {first}")
    expect(second.start == len(samples) and second.count == len(tracks[0]), f"the other sender: {second}")
    expect("another sender has taken the speaker" in lines_of(t), "the speaker does not say why")


PIN = Receivers(1, speaker=PROGRAM, offset_step=1000, arguments=("--pin",))


@case("raop.a-speaker-with-a-pin-is-not-offered-and-says-so-once", lab=PIN, timeout=60)
def needs_pin(t):
    said, _ = scan(t, 1)
    expect("Protocol: AirPlay" in said, f"the speaker is not found: {said[-400:]}")
    expect("Protocol: RAOP" not in said, "the speaker offers a service that it refuses")
    ask = (
        "import socket,sys\n"
        "for n in range(2):\n"
        " s=socket.create_connection((sys.argv[1],7000),5)\n"
        " s.sendall(b'ANNOUNCE rtsp://x/1 RTSP/1.0\\r\\nCSeq: 1\\r\\nUser-Agent: iTunes/11.0.4\\r\\nContent-Length: 0\\r\\n\\r\\n')\n"
        " print(s.recv(200).split(b'\\r\\n')[0].decode())\n"
    )
    done = subprocess.run(
        t.lab.sender_command(sys.executable, "-c", ask, t.lab.address(1)), capture_output=True, text=True, timeout=20
    )
    expect(done.stdout.count(" 470 ") == 2, f"ANNOUNCE was answered with {done.stdout!r} {done.stderr[-200:]!r}")
    until(lambda: "airplay-1-refused" in lines_of(t), 5)
    time.sleep(0.5)  # time for a second one
    warnings = [line for line in lines_of(t).splitlines() if "airplay-1-refused" in line]
    expect(len(warnings) == 1, f"{len(warnings)} warnings instead of 1")
    expect("iTunes/11.0.4" in warnings[0], f"the warning does not name the program: {warnings[0]}")
