#!/usr/bin/env python3
"""Runs a command, keeps its output in a file and notes when each piece of it came.

stamp.py OUT.raw COMMAND...      OUT.raw.idx: a line a piece: CLOCK_MONOTONIC ns, CLOCK_REALTIME ns, offset, length
"""

import os
import signal
import subprocess
import sys
import time


def main(out, *command):
    # An interrupt ends the command before us; what it still sends is kept.
    signal.signal(signal.SIGINT, lambda *_: None)
    output = subprocess.Popen(command, stdout=subprocess.PIPE).stdout.fileno()
    at = 0
    with open(out, "wb", buffering=0) as raw, open(out + ".idx", "w", buffering=1) as index:
        while piece := os.read(output, 65536):
            monotonic, wall = time.monotonic_ns(), time.time_ns()
            raw.write(piece)
            index.write(f"{monotonic} {wall} {at} {len(piece)}\n")
            at += len(piece)


main(*sys.argv[1:])
