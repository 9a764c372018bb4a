"""What the lab needs of the machine that it runs on, and where it keeps its files."""

import os
import shutil
import zlib

from .processes import LabError, run

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(os.path.dirname(os.path.dirname(HERE)), ".build")
CACHE = os.environ.get("TUTTI_LAB_CACHE") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "tutti-lab"
)
ROOT = os.path.join(CACHE, "root-sid")  # Debian sid with the receivers' programs
MEMORY = "/dev/shm"
ROOM = 3 << 30  # bytes that all recordings of a run may take, with some to spare
# With the packages that hold those of another name.
PROGRAMS = ("ip", "unshare", "nsenter", "setpriv", "ethtool", "ffmpeg", "mmdebstrap", "zstd")
PACKAGES = {"ip": "iproute2", "unshare": "util-linux", "nsenter": "util-linux", "setpriv": "util-linux"}


def unavailable():
    """Why this machine cannot run the lab, or None. May take a minute: it makes the lab's root."""
    if reason := missing():
        return reason
    try:
        run(["unshare", "--net", "--mount", "--pid", "--ipc", "--uts", "--time", "--fork", "true"])
    except LabError as error:
        return f"namespaces not allowed here: {error}"
    # Namespaces alone are not enough in some containers: a link between two of them is.
    name = f"tutti-probe-{os.getpid()}"
    try:
        run(["ip", "netns", "add", name])
        run(["ip", "-n", name, "link", "add", "probe0", "type", "veth", "peer", "name", "probe1"])
    except LabError as error:
        return f"network namespaces not allowed here: {error}"
    finally:
        run(["ip", "netns", "del", name], check=False)
    try:
        make_root()
    except LabError as error:
        return str(error)
    return None


def missing():
    """What has to be there before anything is tried, or None."""
    if os.geteuid() != 0:
        return "not root: the lab needs network namespaces"
    if programs := [name for name in PROGRAMS if not shutil.which(name)]:
        packages = sorted({PACKAGES.get(name, name) for name in programs})
        return f"programs missing: {', '.join(programs)}; apt-get install {' '.join(packages)}"
    return None


def make_root():
    """Makes the folder with the receivers' programs, unless it is there. Throws LabError if it cannot be had."""
    try:
        run([os.path.join(HERE, "make-root.sh")], timeout=1200)
    except LabError as error:
        raise LabError(f"the receivers' programs cannot be had from the Debian mirror: {error}") from None


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
