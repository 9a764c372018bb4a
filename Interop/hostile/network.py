"""Sockets in the lab's network namespaces, made by this process: attack traffic cannot leave them."""

import contextlib
import ctypes
import multiprocessing
import os
import socket
import struct
import subprocess

_LIBRARY = ctypes.CDLL(None, use_errno=True)
_NEW_NET = 0x40000000  # CLONE_NEWNET


@contextlib.contextmanager
def attacking(body, processes=1):
    """Runs `body(number, stop, total)` in separate processes until the block ends; yields the shared `total`.

    Threads of this process would delay the legitimate sender, whose time is measured.
    """
    context = multiprocessing.get_context("fork")
    stop, total = context.Event(), context.Value("q", 0)
    started = [context.Process(target=body, args=(number, stop, total), daemon=True) for number in range(processes)]
    for process in started:
        process.start()
    try:
        yield total
    finally:
        stop.set()
        for process in started:
            process.join(5)
            process.kill()


class Network:
    """One node's network. A socket stays in its namespace; only the thread that makes it changes."""

    def __init__(self, namespace):
        self.namespace = namespace

    @contextlib.contextmanager
    def inside(self):
        """Moves the calling thread into the namespace for the duration of a block."""
        with open("/proc/thread-self/ns/net") as home, open(f"/run/netns/{self.namespace}") as there:
            self._enter(there)
            try:
                yield
            finally:
                self._enter(home)

    @staticmethod
    def _enter(file):
        if _LIBRARY.setns(file.fileno(), _NEW_NET) != 0:
            raise OSError(ctypes.get_errno(), "setns")

    def make(self, family=socket.AF_INET, kind=socket.SOCK_STREAM, protocol=0):
        with self.inside():
            return socket.socket(family, kind, protocol)

    def connect(self, address, port, source=None, timeout=5.0, receive_buffer=None):
        made = self.make()
        try:
            if receive_buffer:
                made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            if source:
                made.bind((source, 0))
            made.settimeout(timeout)
            made.connect((address, port))
        except OSError:
            made.close()
            raise
        return made

    def listen(self, port=0, address="0.0.0.0", backlog=512):
        made = self.make()
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((address, port))
        made.listen(backlog)
        return made

    def add_addresses(self, addresses):
        """More addresses on eth0, so that traffic comes from many."""
        lines = "".join(f"addr replace {address}/24 dev eth0\n" for address in addresses)
        subprocess.run(["ip", "-n", self.namespace, "-batch", "-"], input=lines, text=True, check=True)


def closed_at_once(made):
    """Closes with a reset, which leaves nothing waiting in the kernel."""
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    except OSError:
        pass
    made.close()


def allow_many_descriptors():
    import resource

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65536) if most > 0 else 65536, most))
    os.environ.setdefault("PYTHONUNBUFFERED", "1")


def checksum(data):
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def syn(source, destination, source_port, port):
    """An IPv4 packet that requests a connection, from any address."""
    ends = socket.inet_aton(source), socket.inet_aton(destination)
    segment = struct.pack("!HHIIBBHHH", source_port, port, source_port * 65537 & 0xFFFFFFFF, 0, 5 << 4, 2, 64240, 0, 0)
    pseudo = ends[0] + ends[1] + struct.pack("!BBH", 0, 6, len(segment))
    segment = segment[:16] + struct.pack("!H", checksum(pseudo + segment)) + segment[18:]
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(segment), source_port, 0, 64, 6, 0, *ends)
    return head + segment
