#!/usr/bin/env python3
"""A bad wire: passes Ethernet frames between two interfaces of the network namespace it runs in, with delay,
jitter, loss, duplication, reordering, a rate limit or a blackout. It serves where the kernel has no netem.

wire.py IF_A IF_B CONTROL      CONTROL: a JSON file, read again whenever it changes:
  {"ab": {"delay_ms": 20, "jitter_ms": 5, "loss": 0.01, "dup": 0, "reorder": 0.01, "rate_kbit": 0,
          "queue_kb": 256, "down": false, "syns": 0}, "ba": {...}, "seed": 1}

A missing key is 0 or false, a missing direction passes everything. Jitter never reorders: a frame waits for
the one before it; `reorder` sends that share of the frames without waiting. `syns` is the number of TCP connection
requests that are lost, the first ones since the file changed. CONTROL.stats is rewritten every second.
"""

import heapq
import json
import os
import random
import select
import socket
import sys
import time

ALL_PROTOCOLS = 0x0003  # ETH_P_ALL
RECEIVE_BUFFER = 4 << 20
LARGEST_FRAME = 70000
FRAMES_PER_TURN = 64  # so that one busy direction does not hold up the other
POLL = 0.02  # seconds between two looks at the control file
ETHERNET = 14  # bytes before the IP packet
IPV4, TCP = b"\x08\x00", 6
SYN, ACK = 0x02, 0x10


def asks_for_connection(frame):
    """Whether an Ethernet frame is the first packet of a TCP connection, over IPv4."""
    if len(frame) <= ETHERNET or frame[12:14] != IPV4 or frame[ETHERNET + 9] != TCP:
        return False
    flags = ETHERNET + (frame[ETHERNET] & 15) * 4 + 13
    return len(frame) > flags and frame[flags] & (SYN | ACK) == SYN


class Wire:
    def __init__(self, interfaces, control):
        self.sockets = [self.open(name) for name in interfaces]
        self.control = control
        self.faults, self.seen, self.random = {}, 0, random.Random(1)
        self.syns = [0, 0]  # lost since the control file changed
        self.free_at, self.last_at = [0.0, 0.0], [0.0, 0.0]
        self.stats = [dict(got=0, sent=0, lost=0, dup=0, reordered=0, queue_drop=0, syns=0) for _ in range(2)]
        self.waiting, self.count = [], 0
        self.checked, self.wrote = 0.0, 0.0

    @staticmethod
    def open(name):
        opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PROTOCOLS))
        opened.bind((name, 0))
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        opened.setblocking(False)
        return opened

    def run(self):
        while True:
            self.look_at_control()
            self.send_due()
            wait = POLL
            if self.waiting:
                wait = min(POLL, max(0.0, self.waiting[0][0] - time.monotonic()))
            for ready in select.select(self.sockets, [], [], wait)[0]:
                self.receive(self.sockets.index(ready))

    def look_at_control(self):
        now = time.monotonic()
        if now - self.checked > POLL:
            self.checked = now
            try:
                changed = os.stat(self.control).st_mtime_ns
                if changed != self.seen:
                    with open(self.control) as file:
                        self.faults, self.seen = json.load(file), changed
                    self.random, self.syns = random.Random(self.faults.get("seed", 1)), [0, 0]
            except (OSError, ValueError):
                pass  # not there yet, or half written: the next look has it
        if now - self.wrote > 1:
            self.wrote = now
            with open(self.control + ".stats", "w") as file:
                json.dump({"ab": self.stats[0], "ba": self.stats[1]}, file)

    def send_due(self):
        now = time.monotonic()
        while self.waiting and self.waiting[0][0] <= now:
            _, _, way, frame = heapq.heappop(self.waiting)
            try:
                self.sockets[1 - way].send(frame)
                self.stats[way]["sent"] += 1
            except OSError:
                self.stats[way]["queue_drop"] += 1

    def receive(self, way):
        faults = self.faults.get("ab" if way == 0 else "ba", {})
        for _ in range(FRAMES_PER_TURN):
            try:
                frame, address = self.sockets[way].recvfrom(LARGEST_FRAME)
            except OSError:  # nothing more to read, or the interface is down
                return
            if address[2] != socket.PACKET_OUTGOING:
                self.accept(way, frame, faults)

    def accept(self, way, frame, faults):
        stats, now = self.stats[way], time.monotonic()
        stats["got"] += 1
        if faults.get("down") or self.random.random() < faults.get("loss", 0):
            stats["lost"] += 1
            return
        if self.syns[way] < faults.get("syns", 0) and asks_for_connection(frame):
            self.syns[way] += 1
            stats["syns"] += 1
            return
        at = self.after_rate_limit(way, len(frame), faults, now)
        if at is None:
            stats["queue_drop"] += 1
            return
        at += faults.get("delay_ms", 0) / 1e3 + self.random.random() * faults.get("jitter_ms", 0) / 1e3
        if faults.get("reorder", 0) and self.random.random() < faults["reorder"]:
            at = now
            stats["reordered"] += 1
        else:
            at = self.last_at[way] = max(at, self.last_at[way])
        for copy in range(2 if self.random.random() < faults.get("dup", 0) else 1):
            self.count += 1
            stats["dup"] += copy
            heapq.heappush(self.waiting, (at, self.count, way, frame))

    def after_rate_limit(self, way, length, faults, now):
        """When the frame has left the limited link; None when the queue before it is full."""
        rate = faults.get("rate_kbit", 0)
        if not rate:
            return now
        self.free_at[way] = max(self.free_at[way], now)
        if (self.free_at[way] - now) * rate / 8 > faults.get("queue_kb", 256):
            return None
        self.free_at[way] += length * 8 / 1000 / rate
        return self.free_at[way]


if __name__ == "__main__":
    Wire(sys.argv[1:3], sys.argv[3]).run()
