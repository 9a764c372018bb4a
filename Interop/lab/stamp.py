#!/usr/bin/env python3
"""Keeps standard input in a file and notes when each piece of it came.

stamp.py OUT.raw      OUT.raw.idx: a line a piece: CLOCK_MONOTONIC ns, CLOCK_REALTIME ns, offset, length
"""

import os
import signal
import sys
import time


def main(out):
    # An interrupt ends the writer before us; what it still sends is kept.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    at = 0
    with open(out, "wb", buffering=0) as raw, open(out + ".idx", "w", buffering=1) as index:
        while piece := os.read(0, 65536):
            monotonic, wall = time.monotonic_ns(), time.time_ns()
            raw.write(piece)
            index.write(f"{monotonic} {wall} {at} {len(piece)}\n")
            at += len(piece)


main(sys.argv[1])
