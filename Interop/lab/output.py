"""What the rooms of a lab have played so far: sound, its times, and metadata."""

import time

import numpy as np

import listening

from .nodes import Nodes
from .recording import pieces

WAVE_HEADER = 44  # bytes before the samples of our speakers' wave files


class Output(Nodes):
    """The pipes of shairport-sync and the wave files of our speakers."""

    def mark(self):
        """Call before something plays; give the result to `heard`."""
        rooms = range(1, self.rooms + 1)
        if self.is_ours:
            return {room: max(0, self.size(room, "audio.wav") - WAVE_HEADER) // 4 * 4 for room in rooms}
        return {room: self.size(room) // 4 * 4 for room in rooms}

    def heard(self, room, mark):
        """What the room's output got since `mark`: call `settle` before, when the play has ended."""
        if self.is_ours:
            return listening.read_raw(self.file(room, "audio.wav"), skip_bytes=WAVE_HEADER + mark[room])
        return listening.read_raw(self.file(room, "audio.raw"), skip_bytes=mark[room])

    def settle(self, room, quiet=0.3, limit=5.0):
        """Returns when nothing came for `quiet` seconds; our speakers write on, so theirs is silence."""
        if self.is_ours:
            end = time.monotonic() + limit
            while time.monotonic() < end:
                time.sleep(quiet)
                size = max(WAVE_HEADER, self.size(room, "audio.wav") - int(quiet * listening.RATE) * 4)
                if not listening.read_raw(self.file(room, "audio.wav"), skip_bytes=size // 4 * 4).any():
                    return
            return
        end, size, since = time.monotonic() + limit, self.size(room), time.monotonic()
        while time.monotonic() < end and time.monotonic() - since < quiet:
            time.sleep(0.02)
            if self.size(room) != size:
                size, since = self.size(room), time.monotonic()

    def arrivals(self, room, name="audio.raw"):
        """Columns: monotonic ns, offset, length, a row for each piece that came."""
        return np.array(list(pieces(self.file(room, name))), dtype=np.int64).reshape(-1, 3)

    def arrival(self, room, offset, name="audio.raw"):
        """When the byte at `offset` came, monotonic seconds; of our speakers' sound, when it was heard."""
        if self.is_ours and name == "audio.raw":
            return self.played_at(room, offset // 4)
        rows = self.arrivals(room, name)
        row = int(np.searchsorted(rows[:, 1], offset, side="right")) - 1
        return rows[max(row, 0), 0] / 1e9

    def played_at(self, room, frame):
        """When one of our speakers' virtual devices played this frame, monotonic seconds of this machine."""
        frames, hosts = self.play_times(room)
        if frame > frames[-1] and len(frames) > 1:
            host = hosts[-1] + (frame - frames[-1]) * (hosts[-1] - hosts[-2]) / (frames[-1] - frames[-2])
        else:
            host = np.interp(frame, frames, hosts)
        return float(host)

    def play_times(self, room):
        """Frames of one of our speakers' virtual devices, and when it played them, monotonic seconds of this machine."""
        with open(self.file(room, "audio.wav.times")) as file:
            pairs = [line.split() for line in file if line.endswith("\n") and line[:1].isdigit()]
        frames, hosts = np.array([(int(at), int(host)) for at, host in pairs], dtype=np.float64).T
        return frames, hosts / 1e9 - self.offset_step * room

    def metadata(self, room, skip_bytes=0):
        with open(self.file(room, "metadata.raw"), "rb") as file:
            file.seek(skip_bytes)
            return file.read()
