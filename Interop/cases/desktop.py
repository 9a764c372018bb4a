"""Players of a desktop into our output, each with its own way to the sound server; a film whose pictures wait for the sound."""

import os
import statistics
import subprocess
import time

import numpy as np

from cases import expect
from cases.sinks import NAME, PipeWire, sinks_case
from films.ears import Click
from films.eyes import Eyes, XServer
from films.film import Film
from films.steps import flashes, pair
from lab.processes import until
from listening import RATE

CLICKS = 5
SLOWEST = 0.010  # seconds, the median: mpv corrects by whole pictures of 40 ms, on a busy machine now and then


def clicks(count):
    """A click in the middle of each second."""
    samples = np.zeros((RATE * count, 2), "<i2")
    for second in range(count):
        start = second * RATE + RATE // 2
        samples[start : start + 20] = 20_000
    return samples


def players(server, path):
    """The commands by name, with what their environment has more than the server's."""
    found = {
        "paplay": (["paplay", f"--device={NAME}", path], {}),
        "ffplay": (["ffplay", "-nodisp", "-autoexit", "-loglevel", "error", path], {"SDL_AUDIODRIVER": "pulse", "PULSE_SINK": NAME}),
        "mpv": (["mpv", "--no-config", "--no-video", "--really-quiet", "--ao=pulse", f"--audio-device=pulse/{NAME}", path], {}),
    }
    if isinstance(server, PipeWire):
        found["pw-play"] = (["pw-play", "--target", NAME, path], {})
    return found


# Alone: a player that a busy machine lets run late pauses between two clicks, whoever listens.
@sinks_case("players-of-desktops-are-heard", quiet=True)
def heard(t, server):
    """Each click of a file arrives once, loud, and a second after the one before it."""
    path = t.sounds.source(f"mid-clicks-{CLICKS}", lambda: clicks(CLICKS))
    probe = server.probe(0.3)
    probe.wait("ready", 20)
    expect(until(server.sink, 5), "the output is not in the list of the server")
    for name, (command, more) in players(server, path).items():
        here = probe.here()
        with open(os.path.join(t.folder, name + ".log"), "wb") as log:
            result = subprocess.run(command, env={**server.environment, **more}, stdout=log, stderr=log, stdin=subprocess.DEVNULL, timeout=30)
        expect(result.returncode == 0, f"{name} ended with status {result.returncode}")
        probe.wait("idle", 15, after=here)
        found = probe.all("click", here)
        expect(len(found) == CLICKS, f"{name}: {len(found)} clicks of {CLICKS}: {found}")
        times = [event["heardAt"] for event in found]
        steps = [later - earlier for earlier, later in zip(times, times[1:])]
        expect(all(abs(step - 1) < 0.002 for step in steps), f"{name}: clicks are {steps} s apart")
        # A resampler rings before a click: where a block ends there, its height is that of the ringing.
        expect(statistics.median(abs(event["amplitude"]) for event in found) > 0.3, f"{name}: clicks are quiet: {found}")
        t.note(f"{name}: {max(abs(step - 1) for step in steps) * 1000:.2f} ms off a second at most")


@sinks_case("pictures-of-a-film-wait", timeout=120, quiet=True)
def film(t, server):
    """mpv shows the flash of each second when its click is heard, at an output that tells a tenth of a second and one that tells 1.5 s."""
    film = Film(12, sound_rate=RATE)
    path = film.made(t.sounds)
    with XServer(t.folder) as screen:
        environment = {**server.environment, "DISPLAY": screen.name}
        for latency in (0.1, 1.5):
            probe = server.probe(latency)
            probe.wait("ready", 20)
            expect(until(server.sink, 5), "the output is not in the list of the server")
            time.sleep(2)  # PulseAudio tells a wrong latency of an output that is used in the second of its making
            command = ["mpv", "--no-config", "--really-quiet", "--vo=x11", "--no-osc", "--ao=pulse", f"--audio-device=pulse/{NAME}", path]
            with Eyes(screen.name, film.stem, film, t.folder) as eyes, open(os.path.join(t.folder, "mpv.log"), "ab") as log:
                result = subprocess.run(command, env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL, timeout=60)
            expect(result.returncode == 0, f"mpv ended with status {result.returncode}")
            heard = [Click(event["heardAt"]) for event in probe.all("click")]
            found = pair(flashes(eyes.pictures, film), heard)
            note = f"told {latency} s: click after flash {found.listed()} ms"
            t.note(f"{note}; {eyes.figures()}")
            expect(len(found.each) >= 10, f"flashes or clicks are missing: {found}")
            # mpv measures the output's delay in the first seconds.
            expect(abs(statistics.median(found.distances[3:])) <= SLOWEST * 1000, note)
            probe.send("close")
            probe.wait("closed", 10)
            probe.expect_exit(10)
