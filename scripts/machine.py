#!/usr/bin/env python3
"""Names sources of the engine that have time, queues, sockets or chance from elsewhere than their `Machine`.

The engine is everything from the player down to the sockets, in ENGINE. What it has from its machine runs in virtual time too
(docs/testing.md). Exit status: 0 none does, 1 some do.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGINE = [
    "AirPlay/ClockService", "AirPlay/AirPlaySender", "AirPlay/AirPlayReceiver", "Player/Playback", "Sound/AudioOutput/Virtual",
    "Sound/PCM", "Sound/Resampling", "Protocols",
]
ELSEWHERE = re.compile(
    r"\bDispatch(?:Queue|Source|Semaphore|Group|Time)\b|\bSerialQueue\(label|\bTask\.(?:sleep|pause)\b|\bContinuousClock\b|\bSuspendingClock\b"
    r"|\bSystemClock\b|\bDate(?:\(\)|\.now\b)|\bRealtimeThread\b|\bThread\b\s*[.({]|\busleep\(|\bSocketPoller\b|\bWakeSignal\("
    r"|\bTCPConnection\.connect\b|\bTCPListener\(|\bUDPSocket\(at|\bNetworkInterfaces\b|\bUUID\(\)|\.random\(in: (?:[^(),]|\([^()]*\))*\)"
)
# Sources that deal with other programs of the machine, and why they need what is real.
EXCEPTIONS = {
    "AirPlay/ClockService/Service/ClockRendezvous.swift": "waits, before there is a clock, for the program that serves it",
}


def findings():
    for folder in ENGINE:
        for path in sorted((ROOT / "Sources" / folder).rglob("*.swift")):
            if str(path.relative_to(ROOT / "Sources")) in EXCEPTIONS:
                continue
            for number, line in enumerate(path.read_text().split("\n"), 1):
                code = line.split("//")[0]
                if found := ELSEWHERE.search(code):
                    yield f"{path.relative_to(ROOT)}:{number}: `{found[0]}` is not of the machine that the engine is given"


if __name__ == "__main__":
    found = list(findings())
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
