"""The times at which clicks of a film are heard: on Tutti's wave outputs and on the lab's loudspeakers."""

import os
import statistics
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from films.film import BURST, CODES, HEIGHT, TONE, TONES
from listening import RATE
from player import Failed

LOUD = HEIGHT // 2
APART = 0.2  # seconds between two clicks at least: at twice the rate they are half a second apart
SETTLING = 3.0  # seconds until libpulse has measured a stream's latency
LISTEN = 9  # seconds of clicks that tell the loudspeaker's time


@dataclass(frozen=True)
class Click:
    at: float  # monotonic seconds
    tone: int | None = None  # the film's second modulo 16, if it is known


def find(samples, rate=RATE):
    """The clicks in 16 bit sound: pairs of the first frame and the tone's code, or None where no tone is clear."""
    loud = np.flatnonzero(np.abs(samples[:, 0].astype(np.int32)) > LOUD)
    if not len(loud):
        return []
    first = np.concatenate([[True], np.diff(loud) > APART * rate])
    return [(int(at), tone(samples[at:, 0], rate)) for at in loud[first]]


def tone(samples, rate):
    """The code of the tone behind an onset. Changed rates of playback shorten a click or make it longer, its pitch stays."""
    piece = samples[int(BURST * rate) : int(TONE / 2 * rate)].astype(np.float64)
    if len(piece) < 0.01 * rate:
        return None
    piece = piece * np.hanning(len(piece))
    turns = 2j * np.pi * np.arange(len(piece)) / rate
    strength = np.abs(np.exp(-TONES[:, None] * turns[None]) @ piece)
    best = int(np.argmax(strength))
    others = np.delete(strength, [(best - 1) % CODES, best, (best + 1) % CODES])
    return best if strength[best] > 2 * others.max() and strength[best] > 100 * len(piece) else None


def of_wave(file):
    """The clicks of a wave output of Tutti's, a player's or a speaker's, in this machine's monotonic time."""
    from cases.live import Times, recorded

    if not os.path.exists(file + ".times"):
        return []
    samples = recorded(file)
    found = find(samples)
    times = Times(file) if found else None
    return [Click(times.of(frame), code) for frame, code in found]


class Loudspeaker:
    """Records a lab with the sound server, and knows when each frame is heard.

    Pieces of a recording come when the server likes. So a client of libpulse plays clicks into another room meanwhile, and says when they
    are heard: receivers ask libpulse in the same way. Its clicks in the recording give the time of every frame.
    """

    def __init__(self, t, room=1, other=2):
        from cases.sinks import Clicks

        self.room, self.other = room, other
        self.recording = t.record()
        server = SimpleNamespace(folder=t.folder, environment=dict(os.environ, PULSE_SERVER=f"unix:{t.lab.file('pa', 'sock')}"))
        self.client = Clicks(server, LISTEN, sink=f"r{other}")

    def clicks(self):
        """Ends the recording. Also fills `doubt`, the seconds between the client's sayings, and `early`: by how much the recorder's own
        times would be earlier."""
        if not self.client.ended.wait(LISTEN + 20) or self.client.error is not None:
            raise Failed(f"the client that tells the loudspeaker's time did not play: {self.client.error}")
        self.recording.stop()
        samples = self.recording.samples()
        begin, drift = self._begin(self.recording.room(samples, self.other)), self.recording.drift()
        found = find(self.recording.room(samples, self.room))
        return [Click(begin + frame / RATE * (1 + drift), code) for frame, code in found]

    def _begin(self, samples):
        """When the recording's first frame was heard."""
        loud = np.flatnonzero(samples[:, 0] > 8000)
        told = self.client.expected
        if not len(loud) or not told:
            raise Failed("the client that tells the loudspeaker's time was not heard")
        said = [first for at, first in told if at - told[0][0] >= SETTLING]
        self.doubt = max(said) - min(said)
        # The clicks are whole seconds apart: the recorder's own times say which one it is.
        rough = self.recording.start_time()
        begin = statistics.median(said) - int(loud[0]) / RATE
        begin += round(rough - begin)
        self.early = begin - rough
        return begin
