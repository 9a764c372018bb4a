"""A sound server with one loudspeaker clock for all rooms of a lab, and recordings of what it plays."""

import os
import signal
import subprocess
import sys

import numpy as np

import listening

from . import scripts
from .machine import HERE
from .processes import LabError, read_tail, until, write
from .receivers import ReceiverPrograms


class SoundServer(ReceiverPrograms):
    """PulseAudio, in a container of its own without a network."""

    def start_sound_server(self, rooms, rate):
        write(self.file("pa", "pa.conf"), scripts.pulseaudio_configuration(rooms, rate))
        self.start_container("pa", self.outer_in_root("pa"), scripts.PULSEAUDIO)
        if not until(lambda: os.path.exists(self.file("pa", "sock")), 10):
            raise LabError("PulseAudio did not start: " + "; ".join(read_tail(self.file("pa", "pa.log"), 3)))

    def recorder(self, path, seconds=3600):
        """The command that records all rooms, as words, until the time is over or it is interrupted.

        The file has 2 channels for each room, S16LE; PATH.idx says when each piece came.
        """
        # Not in the time namespaces: the recorder's time stamps are on this machine's own clock.
        inside = ["nsenter", "-t", str(self.init_of("pa")), "-m", "-p", "-i", "-u", "-r", "-w"]
        # --foreground: an interrupt of the process group reaches parec.
        limit = ["timeout", "--foreground", "-s", "INT", str(seconds)]
        record = [
            "parec", "-s", "unix:/mnt/pa/sock", "-d", "room.monitor", f"--rate={self.rate}", f"--channels={2 * self.rooms}",
            f"--channel-map={scripts.channel_map(self.rooms)}", "--format=s16le", "--raw", "--latency-msec=20",
        ]
        return [sys.executable, os.path.join(HERE, "stamp.py"), path, *inside, *limit, *record]

    def record(self, path):
        return Recording(self, path)


class Recording:
    """All rooms of a lab with the sound server, sample-locked, from now until `stop`."""

    def __init__(self, lab, path):
        self.lab, self.path = lab, path
        for old in (path, path + ".idx"):
            if os.path.exists(old):
                os.remove(old)
        self.process = subprocess.Popen(
            lab.recorder(path),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        until(lambda: self.has_begun() or self.process.poll() is not None, 10, interval=0.01)
        if not self.has_begun():
            self.stop()
            raise LabError("the recorder did not start")

    def has_begun(self):
        return os.path.exists(self.path + ".idx") and os.path.getsize(self.path + ".idx")

    def stop(self):
        """Ends the recorder; the file then is complete."""
        for sign, wait in ((signal.SIGINT, 5), (signal.SIGKILL, 5)):
            try:
                # The group is ours: the recorder was started as the leader of a session.
                if self.process.poll() is None:
                    os.killpg(self.process.pid, sign)
                self.process.wait(wait)
                return
            except subprocess.TimeoutExpired:
                continue

    def samples(self):
        """All channels: columns 2r and 2r+1 are room r+1."""
        return listening.read_raw(self.path, 2 * self.lab.rooms)

    def room(self, samples, room):
        return np.ascontiguousarray(samples[:, 2 * room - 2 : 2 * room])

    def start_time(self):
        """When frame 0 was heard, monotonic seconds: the piece that was least late says."""
        frame_bytes = 4 * self.lab.rooms
        return min(
            (came / 1e9 - (offset + length) / frame_bytes / listening.RATE for came, offset, length in pieces(self.path)), default=None
        )

    def drift(self):
        """By how much a frame lasts longer than its nominal time, as a share of it: the line through the least late pieces of each
        ten seconds says. 0 for recordings of less than a minute, in which no drift matters."""
        frame_bytes, least = 4 * self.lab.rooms, {}
        for came, offset, length in pieces(self.path):
            heard = (offset + length) / frame_bytes / listening.RATE
            late = came / 1e9 - heard
            window = int(heard / 10)
            least[window] = min(least.get(window, (late, heard)), (late, heard))
        if len(least) < 6:
            return 0.0
        late, heard = np.array(list(least.values())).T
        return float(np.polyfit(heard, late - late[0], 1)[0])


def pieces(path):
    """Rows of monotonic ns, offset and length: when each piece of a file came, from the list beside it."""
    with open(path + ".idx") as file:
        for line in file:
            parts = line.split()
            if len(parts) == 4 and line.endswith("\n"):  # the last line may be half written
                yield int(parts[0]), int(parts[2]), int(parts[3])
