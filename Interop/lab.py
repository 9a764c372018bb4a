"""The lab (lab/lab.sh) as an object: rooms, their output, recordings, faults."""

import glob
import os
import shutil
import signal
import subprocess
import time
import zlib

import numpy as np

import listening

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "lab", "lab.sh")
MAKE_ROOT = os.path.join(HERE, "lab", "make-root.sh")
BUILD = os.path.join(os.path.dirname(HERE), ".build")
MEMORY = "/dev/shm"
ROOM = 3 << 30  # bytes that all recordings of a run may take, with some to spare
PORT = 7000
WAVE_HEADER = 44  # bytes before the samples of our speakers' wave files
PROGRAMS = ("ip", "unshare", "nsenter", "setpriv", "ethtool", "ffmpeg", "mmdebstrap", "zstd")


class LabError(Exception):
    pass


def unavailable():
    """Why this machine cannot run the lab, or None. May take a minute: it makes the lab's root."""
    if os.geteuid() != 0:
        return "not root: the lab needs network namespaces"
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing:
        return "programs missing: " + ", ".join(missing)
    tried = subprocess.run(
        ["unshare", "--net", "--mount", "--pid", "--ipc", "--uts", "--time", "--fork", "true"], capture_output=True, text=True
    )
    if tried.returncode != 0:
        return "namespaces not allowed here: " + last_line(tried.stderr)
    # Namespaces alone are not enough in some containers: a link between two of them is.
    name = f"tutti-probe-{os.getpid()}"
    tried = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
    if tried.returncode == 0:
        link = ["ip", "-n", name, "link", "add", "probe0", "type", "veth", "peer", "name", "probe1"]
        tried = subprocess.run(link, capture_output=True, text=True)
    subprocess.run(["ip", "netns", "del", name], capture_output=True)
    if tried.returncode != 0:
        return "network namespaces not allowed here: " + last_line(tried.stderr)
    try:
        made = subprocess.run([MAKE_ROOT], capture_output=True, text=True, timeout=1200)
    except subprocess.TimeoutExpired:
        return "the Debian mirror did not serve the receivers' programs in 20 minutes"
    if made.returncode != 0:
        return "the receivers' programs cannot be had: " + last_line(made.stderr)
    return None


def folder():
    """The folder of the labs' state and recordings, made if it is not there: in memory where there is room.

    Recorders write as sound cards play, in real time. On a disk that a build keeps busy they would wait for it, and what
    was let out meanwhile would look like sound that a speaker lost.
    """
    path = os.path.join(BUILD, "lab")
    if free_memory() >= ROOM:
        path = os.path.join(MEMORY, f"tutti-lab-{zlib.crc32(BUILD.encode()):08x}")
    os.makedirs(path, exist_ok=True)
    return path


def free_memory():
    """Bytes that files in memory can take."""
    try:
        space = os.statvfs(MEMORY)
        with open("/proc/meminfo") as file:
            available = next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        return 0
    return min(space.f_bavail * space.f_frsize, available)


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "no message"


def read_tail(path, lines):
    try:
        with open(path, errors="replace") as file:
            return file.read().splitlines()[-lines:]
    except OSError:
        return []


class Lab:
    """One lab, up from `up` to `down`. Rooms are counted from 1."""

    def __init__(self, folder):
        """`folder` holds the state of all labs of this project; each run has its own below it."""
        self.prefix = f"tutti-{os.getpid()}"
        self.state = os.path.join(os.path.abspath(folder), self.prefix)
        self.rooms = 0
        self.offset_step = 0.0
        self.is_ours = False  # rooms are speakers of our own, not shairport-sync

    def up(self, rooms, *options):
        self.run("up", str(rooms), *options, timeout=120)
        self.rooms = int(rooms)
        self.is_ours = "--speaker" in options
        self.offset_step = float(options[options.index("--offset-step") + 1]) if "--offset-step" in options else 0.0
        for room in range(1, self.rooms + 1):
            self.wait_registered(room, 0)

    def registrations(self, room):
        """How often the room's shairport-sync has told that its mDNS entries are in place."""
        try:
            with open(self._file(room, "shairport-sync.log"), errors="replace") as file:
                return file.read().count("successfully added")
        except OSError:
            return 0

    def wait_registered(self, room, before, limit=15):
        """A receiver that gets a session before its mDNS entries are in place ends with an assertion; not ours."""
        if self.is_ours:
            return
        end = time.monotonic() + limit
        while self.registrations(room) <= before:
            if time.monotonic() > end:
                raise LabError(f"room {room} did not register with mDNS")
            time.sleep(0.05)

    def down(self):
        self.rooms = 0
        if os.path.isdir(self.state):
            self.run("down", timeout=60)

    def environment(self):
        return dict(os.environ, TUTTI_LAB_STATE=self.state, TUTTI_LAB_PREFIX=self.prefix)

    def run(self, *arguments, timeout=30):
        done = subprocess.run(
            [SCRIPT, *arguments], env=self.environment(), capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL
        )
        if done.returncode != 0:
            raise LabError(f"lab.sh {' '.join(arguments)}: {last_line(done.stderr)}")
        return done.stdout

    # Names

    def name(self, room):
        return f"Room {room}"

    def address(self, room):
        return f"10.77.0.{10 + room}"

    def sender_command(self, *command):
        """The command, inside the sender's network; it dies with this process."""
        # As in lab.sh, but without a shell script's start, which would count in a measured start.
        inner = (
            "for d in /run/avahi-daemon /run/dbus; do [ ! -d $d ] || mount -t tmpfs tmpfs $d; done; "
            'exec setpriv --pdeathsig KILL "$@"'
        )
        return ["ip", "netns", "exec", f"{self.prefix}-s1", "sh", "-c", inner, "lab", *command]

    # What the rooms play (pipe backend)

    def _file(self, room, name):
        return os.path.join(self.state, f"r{room}", name)

    def size(self, room, name="audio.raw"):
        try:
            return os.path.getsize(self._file(room, name))
        except OSError:
            return 0

    def mark(self):
        """Call before something plays; give the result to `heard`."""
        if self.is_ours:
            return {room: max(0, self.size(room, "audio.wav") - WAVE_HEADER) // 4 * 4 for room in range(1, self.rooms + 1)}
        return {room: self.size(room) // 4 * 4 for room in range(1, self.rooms + 1)}

    def heard(self, room, mark):
        """What the room's output got since `mark`: call `settle` before, when the play has ended."""
        if self.is_ours:
            return listening.read_raw(self._file(room, "audio.wav"), skip_bytes=WAVE_HEADER + mark[room])
        return listening.read_raw(self._file(room, "audio.raw"), skip_bytes=mark[room])

    def settle(self, room, quiet=0.3, limit=5.0):
        """Returns when nothing came for `quiet` seconds; our speakers write on, so theirs is silence."""
        if self.is_ours:
            end = time.monotonic() + limit
            while time.monotonic() < end:
                time.sleep(quiet)
                size = max(WAVE_HEADER, self.size(room, "audio.wav") - int(quiet * listening.RATE) * 4)
                if not listening.read_raw(self._file(room, "audio.wav"), skip_bytes=size // 4 * 4).any():
                    return
            return
        end, size, since = time.monotonic() + limit, self.size(room), time.monotonic()
        while time.monotonic() < end and time.monotonic() - since < quiet:
            time.sleep(0.02)
            if self.size(room) != size:
                size, since = self.size(room), time.monotonic()

    def arrivals(self, room, name="audio.raw"):
        """Columns: monotonic ns, offset, length, a row for each piece that came."""
        rows = []
        with open(self._file(room, name + ".idx")) as file:
            for line in file:
                parts = line.split()
                if len(parts) == 4 and line.endswith("\n"):
                    rows.append((int(parts[0]), int(parts[2]), int(parts[3])))
        return np.array(rows, dtype=np.int64).reshape(-1, 3)

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
        with open(self._file(room, "audio.wav.times")) as file:
            pairs = [line.split() for line in file if line.endswith("\n") and line[:1].isdigit()]
        frames, hosts = np.array([(int(at), int(host)) for at, host in pairs], dtype=np.float64).T
        return frames, hosts / 1e9 - self.offset_step * room

    def metadata(self, room, skip_bytes=0):
        with open(self._file(room, "metadata.raw"), "rb") as file:
            file.seek(skip_bytes)
            return file.read()

    # The receivers

    def press(self, room, method):
        """A button of the room's shairport-sync: a method of its remote control on D-Bus."""
        name = "org.gnome.ShairportSync"
        self.run(
            "enter", f"r{room}", "dbus-send", "--system", "--print-reply", f"--dest={name}", "/" + name.replace(".", "/"),
            f"{name}.RemoteControl.{method}",
        )

    def ended(self, room):
        """How often the room's shairport-sync has ended, by itself or killed."""
        return len(read_tail(self._file(room, "ended"), 1000))

    def kill(self, room):
        self.run("kill", f"r{room}")
        if self.is_ours:  # the next run of the program begins a new file
            os.replace(self._file(room, "audio.wav"), self._file(room, "audio-before.wav"))

    def restart(self, room):
        self.run("restart", f"r{room}")

    def cut(self, room, how="silent"):
        self.run("cut", f"r{room}", how)

    def heal(self, room):
        self.run("heal", f"r{room}")

    def log(self, room):
        """All that the room's shairport-sync has logged."""
        with open(self._file(room, "shairport-sync.log"), errors="replace") as file:
            return file.read()

    def logs(self, lines=8):
        """The last lines of the receivers' logs, for a failure's report."""
        text = []
        for room in range(1, self.rooms + 1):
            for path in sorted(glob.glob(self._file(room, "*.log"))):
                name = os.path.basename(path)
                if name not in ("shairport-sync.log", "nqptp.log", "console.log", "speaker.log"):
                    continue
                # nqptp says little that helps, and says it often.
                tail = read_tail(path, min(lines, 3) if name == "nqptp.log" else lines)
                if tail:
                    text += [f"--- {self.name(room)} {name}", *tail]
        return text

    def keep_logs(self, folder):
        paths = glob.glob(os.path.join(self.state, "r*", "*.log"))
        for path in paths + glob.glob(os.path.join(self.state, "r*", "speaker.json")):
            room = os.path.basename(os.path.dirname(path))
            shutil.copy(path, os.path.join(folder, f"{room}-{os.path.basename(path)}"))

    def record(self, path):
        return Recording(self, path)


class Recording:
    """All rooms of the pa backend, sample-locked, from now until `stop`."""

    def __init__(self, lab, path):
        self.lab, self.path = lab, path
        for old in (path, path + ".idx"):
            if os.path.exists(old):
                os.remove(old)
        self.process = subprocess.Popen(
            [SCRIPT, "rec", path],
            env=lab.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        end = time.monotonic() + 10
        while not (os.path.exists(path + ".idx") and os.path.getsize(path + ".idx")):
            if time.monotonic() > end or self.process.poll() is not None:
                self.stop()
                raise LabError("the recorder did not start")
            time.sleep(0.01)

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
        best = None
        with open(self.path + ".idx") as file:
            for line in file:
                parts = line.split()
                if len(parts) == 4 and line.endswith("\n"):
                    came, end = int(parts[0]), int(parts[2]) + int(parts[3])
                    start = came / 1e9 - end / frame_bytes / listening.RATE
                    best = start if best is None else min(best, start)
        return best


def remove_left_overs(folder):
    """Takes down labs of runs that were ended without a chance to do it themselves."""
    for state in glob.glob(os.path.join(os.path.abspath(folder), "tutti-*")):
        owner = os.path.basename(state).rpartition("-")[2]
        if owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
            lab = Lab(folder)
            lab.state, lab.prefix = state, os.path.basename(state)
            lab.down()
            shutil.rmtree(state, ignore_errors=True)
