#!/usr/bin/env python3
"""Reads a FIFO for ever; keeps the bytes and notes when each piece of them came.

tap.py FIFO OUT.raw      OUT.raw.idx: a line a piece: CLOCK_MONOTONIC ns, CLOCK_REALTIME ns, offset, length
"""

import fcntl
import os
import select
import sys
import time

PIPE_BYTES = 1 << 16  # what the kernel gives by default; said, because a larger pipe would blur the times


def main(fifo, out):
    # Opened for writing too: then there is no end of file when the writer goes away.
    fd = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
    try:
        fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    except OSError:
        pass  # the default serves too
    at = 0
    with open(out, "wb", buffering=0) as raw, open(out + ".idx", "w", buffering=1) as index:
        while True:
            select.select([fd], [], [])
            try:
                piece = os.read(fd, 65536)
            except BlockingIOError:
                continue
            monotonic, wall = time.monotonic_ns(), time.time_ns()
            raw.write(piece)
            index.write(f"{monotonic} {wall} {at} {len(piece)}\n")
            at += len(piece)


main(*sys.argv[1:3])
