"""The output in PulseAudio and PipeWire (module SoundServers): its told latency against the time of its sound, volume, and its end.

The servers run without a sound card, in a folder of their own; nothing of this machine's session is touched.
"""

import json
import os
import shutil
import signal
import statistics
import subprocess
import tempfile
import threading
import time

from cases import PIPE, case, expect
from cases.live import Times, onsets, own_speaker, recorded
from lab.machine import HERE
from lab.processes import until
from player import Failed, Skipped
from stage import Command

TOLERANCE = 0.010  # seconds, between when a client expects a click and when it is heard: the median
OUTLIER = 0.025  # seconds; libpulse's estimate wavers while the machine is busy
SETTLING = 3.0  # seconds until libpulse has measured a stream's latency
NAME = "tutti-probe"
TITLE = f'Probe "{NAME}" & it\'s'


class Server:
    """A sound server with a client's environment; ends with the case."""

    programs, kind = (), ""

    def __init__(self, t):
        for program in (*self.programs, "pactl"):
            if shutil.which(program) is None:
                raise Skipped(f"{program} is not installed")
        self.folder = tempfile.mkdtemp(prefix="tutti-sinks-", dir="/tmp")  # a socket's path is short
        self.t, self.started = t, []
        self.environment = dict(
            os.environ,
            HOME=self.folder,
            XDG_RUNTIME_DIR=self.folder,
            XDG_CONFIG_HOME=self.folder,
            XDG_STATE_HOME=self.folder,
            DBUS_SESSION_BUS_ADDRESS=f"unix:path={self.folder}/bus",
            PULSE_SERVER=f"unix:{self.folder}/pulse/native",
        )
        self.environment.pop("DISPLAY", None)
        os.mkdir(self.folder + "/pulse")

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def launch(self, *command):
        with open(os.path.join(self.t.folder, os.path.basename(command[0]) + ".log"), "ab") as log:
            process = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        self.started.append(process)

    def stop(self):
        for process in reversed(self.started):
            process.kill()
            process.wait()
        self.started = []

    def pactl(self, *arguments):
        result = subprocess.run(["pactl", *arguments], env=self.environment, capture_output=True, text=True, timeout=10)
        return result.stdout if result.returncode == 0 else ""

    def wait(self):
        expect(until(lambda: self.pactl("info"), 15), f"{self.kind} did not start")

    def sink(self, name=NAME):
        """The output as clients see it; None if it is not there."""
        try:
            sinks = json.loads(self.pactl("--format=json", "list", "sinks") or "[]")
        except ValueError:
            sinks = []
        return next((sink for sink in sinks if sink["name"] == name), None)

    def percent(self, name=NAME):
        sink = self.sink(name)
        return int(sink["volume"]["front-left"]["value_percent"].rstrip("%")) if sink else None

    def probe(self, latency, *arguments):
        program = os.path.join(os.path.dirname(self.t.standins), "SinkProbe")
        if not os.access(program, os.X_OK):
            raise Skipped("no program for the output: scripts/release.sh SinkProbe")
        command = [program, NAME, str(latency), *arguments]
        names = ("HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "PULSE_SERVER")
        environment = {name: self.environment[name] for name in names}
        probe = Command(command, self.t.folder, f"probe-{len(self.t.players)}", **environment)
        self.t.players.append(probe)
        return probe


class PulseAudio(Server):
    programs, kind = ("pulseaudio",), "PulseAudio"

    def start(self):
        modules = ["module-device-restore", "module-null-sink", "module-suspend-on-idle timeout=1"]
        modules.append(f"module-native-protocol-unix auth-anonymous=1 socket={self.folder}/pulse/native")
        options = [word for module in modules for word in ("-L", module)]
        self.launch("pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", *options)
        self.wait()


class PipeWire(Server):
    programs, kind = ("pipewire", "pipewire-pulse", "wireplumber", "dbus-daemon"), "PipeWire"

    def start(self):
        for name in ("bus", "pipewire-0", "pulse/native"):
            if os.path.exists(f"{self.folder}/{name}"):
                os.unlink(f"{self.folder}/{name}")
        self.launch("dbus-daemon", "--session", "--nofork", f"--address=unix:path={self.folder}/bus")
        self.launch("pipewire")
        expect(until(lambda: os.path.exists(f"{self.folder}/pipewire-0"), 15), "PipeWire did not start")
        self.launch("wireplumber")
        self.launch("pipewire-pulse")
        self.wait()


SERVERS = (PulseAudio, PipeWire)


def sinks_case(name, timeout=120, quiet=False, lab=PIPE):
    """A case for each server."""

    def register(function):
        for server in SERVERS:

            def run(t, server=server):
                with server(t) as running:
                    function(t, running)

            case(f"sinks.{server.kind.lower()}-{name}", lab=lab, timeout=timeout, quiet=quiet)(run)
        return function

    return register


class Clicks(threading.Thread):
    """A client of libpulse (lab/clicks.c): plays a click each second, and says when it expects its first frame to be heard."""

    def __init__(self, server, seconds, height=0.5, sink=NAME):
        super().__init__(daemon=True)
        self.expected, self.error, self.ended = [], None, threading.Event()  # (monotonic time, time of the first click)
        program = os.path.join(server.folder, "clicks")
        if not os.path.exists(program):
            subprocess.run(["cc", os.path.join(HERE, "clicks.c"), "-o", program, "-lpulse"], check=True, timeout=60)
        self.command = [program, sink, str(seconds), "44100", str(height)]
        self.environment, self.limit = server.environment, seconds + 20
        self.start()

    def run(self):
        try:
            result = subprocess.run(self.command, env=self.environment, capture_output=True, text=True, timeout=self.limit)
            for line in result.stdout.splitlines():
                at, begin = map(float, line.split())
                self.expected.append((at, begin + 0.5))
            if result.returncode != 0:
                self.error = f"status {result.returncode}"
        except subprocess.TimeoutExpired as error:
            self.error = error
        self.ended.set()


def is_told(found):
    """Whether clients know the latency: on the whole exactly, and each time well enough for pictures."""
    near = [value for value in found if abs(value) <= OUTLIER]
    return len(found) >= 4 and abs(statistics.median(found)) <= TOLERANCE and len(near) >= len(found) - 1


def differences(clicks, probe):
    """How much later than expected clicks were heard, in seconds, for each of the client's lines, and how early they came."""
    heard = [event for event in probe.all("click")]
    found = []
    begin = clicks.expected[0][0] if clicks.expected else 0
    for at, first in clicks.expected:
        if at - begin < SETTLING or not heard:
            continue
        # The click that was heard nearest to this line; the client's clicks are whole seconds apart.
        near = min(heard, key=lambda event: abs(event["heardAt"] - at))
        found.append((near["heardAt"] - first + 0.5) % 1 - 0.5)
    return found, [event["heardAt"] - event["cameAt"] for event in heard]


@sinks_case("latency-is-told", timeout=150, quiet=True)
def latency(t, server):
    for latency in (0.1, 0.5, 2.0):
        probe = server.probe(latency)
        probe.wait("ready", 20)
        expect(until(server.sink, 5), "the output is not in the list of the server")
        time.sleep(2)  # PulseAudio tells a wrong latency of an output that is used in the second of its making
        clicks = Clicks(server, 10)
        expect(clicks.ended.wait(40) and clicks.error is None, f"the client did not play: {clicks.error}")
        time.sleep(min(latency, 0.5))  # what it wrote last
        found, leads = differences(clicks, probe)
        note = f"{server.kind} {latency} s: heard minus expected {[round(value * 1000, 1) for value in found]} ms"
        t.notes.append(f"{note}, in advance {min(leads, default=0):.3f} s")
        expect(len(found) >= 4, f"clicks are missing: {len(found)} of {len(clicks.expected)}; {note}")
        expect(is_told(found), f"told and measured latency differ: {note}")
        expect(statistics.median(leads) >= latency - 0.03, f"sound comes late: {min(leads):.3f} s before it is heard, not {latency}")
        probe.send("close")
        probe.wait("closed", 10)
        probe.expect_exit(10)
        expect(until(lambda: server.sink() is None, 5), "the output is there after its end")


@sinks_case("film-is-in-step-with-our-speaker", timeout=90, quiet=True)
def film(t, server):
    """`tutti sink` to our own speaker: clicks are heard there when a player of films expects them."""
    _, file = own_speaker(t, "Film", 7302)
    address = f"unix:{server.folder}/pulse/native"
    words = ["sink", "Film", "--to", "Film", "--volume", "100", "--server", address, "--json"]
    sink = t._run(Command, [t.program, *words], XDG_RUNTIME_DIR=server.folder, PULSE_SERVER=address)
    sink.wait("ready", 20)
    time.sleep(2.5)  # until the server knows the latency
    listed = subprocess.run(["pactl", "list", "short", "sinks"], env=server.environment, capture_output=True, text=True, timeout=10).stdout
    name = next((line.split("\t")[1] for line in listed.splitlines() if "tutti" in line), None)
    expect(name, f"the output is not listed: {listed}")
    clicks = Clicks(server, 16, sink=name)
    expect(clicks.ended.wait(40) and clicks.error is None, f"the client did not play: {clicks.error}")
    time.sleep(0.5)
    told = sink.wait("playing", 5)["latencyMs"]
    times = Times(file)
    heard = [times.of(frame) for frame in onsets(recorded(file))]
    begin = clicks.expected[0][0]
    late = [(at, first) for at, first in clicks.expected if at - begin > 6]
    found = [(min(heard, key=lambda one: abs(one - at)) - first + 0.5) % 1 - 0.5 for at, first in late] if heard else []
    note = f"told {told} ms; heard minus expected {[round(value * 1000, 1) for value in found]} ms"
    t.note(note)
    expect(is_told(found), note)


@sinks_case("volume-goes-both-ways", timeout=90)
def volume(t, server):
    probe = server.probe(0.3)
    probe.wait("ready", 20)
    expect(until(server.sink, 5), "the output is not in the list of the server")
    expect(server.sink()["description"] == TITLE, f"title: {server.sink()['description']!r}")
    clicks = Clicks(server, 12)
    probe.wait("click", 10)

    def set_and_wait(percent, is_muted, *commands):
        here = probe.here()
        for command in commands:
            server.pactl(*command)
        matches = lambda event: abs(event["percent"] - percent) < 0.6 and event["muted"] == is_muted
        probe.wait("volume", 5, matches, after=here)

    set_and_wait(40, False, ("set-sink-volume", NAME, "40%"))
    # The sound is not scaled to 6 %: the speakers have the volume. A click loses some height where the server resamples.
    here = probe.here()
    probe.wait("click", 5, after=here)
    click = probe.wait("click", 5, after=probe.here())
    expect(0.3 < click["amplitude"] < 0.6, f"the sound is scaled: {click}")
    set_and_wait(40, True, ("set-sink-mute", NAME, "1"))
    set_and_wait(45, False, ("set-sink-mute", NAME, "0"), ("set-sink-volume", NAME, "+5%"))
    probe.send("volume 70 heard")
    expect(until(lambda: server.percent() == 70, 5), f"the mixer shows {server.percent()} %, not 70")
    probe.send("volume 70 muted")
    expect(until(lambda: server.sink()["mute"], 5), "the mixer does not show the mute")
    expect(clicks.ended.wait(40), "the client did not end")
    probe.wait("idle", 15)


@sinks_case("two-clients-are-mixed", timeout=60)
def two(t, server):
    probe = server.probe(0.3)
    probe.wait("ready", 20)
    expect(until(server.sink, 5), "the output is not in the list of the server")
    clients = [Clicks(server, 6, 0.25)]
    time.sleep(0.3)  # clicks of both are apart
    clients.append(Clicks(server, 6, 0.4))
    for client in clients:
        expect(client.ended.wait(30) and client.error is None, f"a client did not play: {client.error}")
    expect(len(probe.all("click")) >= 8, f"clicks are missing: {len(probe.all('click'))}")
    probe.wait("idle", 15)
    probe.send("totals")
    totals = probe.wait("totals", 5)
    expect(totals["largest"] <= 882, f"a block is longer than 20 ms: {totals}")


@sinks_case("server-may-restart", timeout=120)
def restart(t, server):
    server.stop()
    probe = server.probe(0.3)
    probe.wait("lost", 20)
    server.start()
    probe.wait("ready", 30)
    expect(until(server.sink, 5), "the output is not in the list of the server")
    here = probe.here()
    server.stop()
    probe.wait("lost", 10, after=here)
    time.sleep(3)
    server.start()
    here = probe.here()
    probe.wait("ready", 30, after=here)
    expect(until(server.sink, 5), "the output was not made again")


@sinks_case("killed-program-leaves-nothing", timeout=60)
def killed(t, server):
    probe = server.probe(0.3)
    probe.wait("ready", 20)
    expect(until(server.sink, 5), "the output is not in the list of the server")
    os.kill(probe.process.pid, signal.SIGKILL)
    expect(until(lambda: server.sink() is None, 10), "the output is there after the program was killed")
    left = [name for name in os.listdir(server.folder) if name.startswith("tutti-sink-")]
    expect(not left, f"left behind: {left}")


@sinks_case("idle-output-costs-nothing", timeout=60, quiet=True)
def idle(t, server):
    probe = server.probe(0.5)
    probe.wait("ready", 20)
    clicks = Clicks(server, 2)
    clicks.ended.wait(20)
    probe.wait("idle", 20)

    def ticks():
        with open(f"/proc/{probe.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    before = ticks()
    time.sleep(10)
    used = (ticks() - before) / os.sysconf("SC_CLK_TCK")
    t.notes.append(f"{server.kind}: {used * 1000:.0f} ms of processor time in 10 s without sound")
    expect(used <= 0.05, f"{used:.2f} s of processor time in 10 s without sound")
