#!/usr/bin/env python3
"""Names sources of the engine that have time, queues, sockets or chance from elsewhere than their `Machine`.

The engine is everything from the player down to the sockets, in ENGINE, and the manners of devices, which rooms of simulated
houses have. What it has from its machine runs in virtual time too (docs/testing.md). Exit status: 0 none does, 1 some do.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGINE = [
    "AirPlay/ClockService", "AirPlay/AirPlaySender", "AirPlay/AirPlayReceiver", "Player/Playback",
    "Sound/AudioOutput/Interface", "Sound/AudioOutput/Specification", "Sound/AudioOutput/Virtual", "Sound/AudioOutput/Wave",
    "Sound/PCM", "Sound/Resampling", "Protocols", "Base", "../Tests/Support/DeviceManners",
]
ELSEWHERE = re.compile(
    # Time, queues and threads.
    r"\bDispatch(?:Queue|Source|Semaphore|Group|Time|WallTime)\b|\bdeadline: \.now\(\)|\bSerialQueue\(label|\bTask\.(?:sleep|pause)\b"
    r"|\bContinuousClock\b|\bSuspendingClock\b|\bSystemClock\b|\bDate(?:\(\)|\.now\b|\(timeIntervalSinceNow\b)|\bsystemUptime\b"
    r"|\bclock_(?:gettime|nanosleep)\(|\bgettimeofday\(|\btime\(nil\)|\b(?:nano|u)sleep\(|\bTimer\b\s*[.(]"
    r"|\bRealtimeThread\b|\bThread\b\s*[.({]|\bThreadLoop\(|\bSocketPoller\b|\bWakeSignal\("
    # Sockets and addresses.
    r"|\bTCPConnection\.connect\b|\bTCPListener\(|\bUDPSocket\(at|\bUDPPortProbe\(|\bNetworkInterfaces\b|\bMachineIdentity\b"
    # Chance. What is secret has SecureRandom.
    r"|\bUUID\(\)|\bSystemRandomNumberGenerator\b|\bBool\.random\(\)|\.random\(in: (?:[^(),]|\([^()]*\))*\)"
    r"|\.(?:shuffled?|randomElement)\(\)|\barc4random|\bgetrandom\("
    # What has the system's machine if none is named, as tests need it.
    r"|\b(?:ClockService|PacketStore|SenderIdentity|SilentRoute)\((?!\s*$)(?!.*\b(?:machine|alarm):)"
)
# Sources that need what is real, and why.
EXCEPTIONS = {
    "AirPlay/ClockService/Service/ClockRendezvous.swift": "waits, before there is a clock, for the program that serves it",
    "Player/Playback/PlayQueue/PlayQueue.swift": "a value of programs, which have no machine; one that wants its own chance passes it",
    "Player/Playback/PlayQueue/PlayQueue+Editing.swift": "the same",
}


def findings():
    for folder in ENGINE:
        for path in sorted((ROOT / "Sources" / folder).resolve().rglob("*.swift")):
            if path.relative_to(ROOT).as_posix().removeprefix("Sources/") in EXCEPTIONS:
                continue
            for number, line in enumerate(path.read_text().split("\n"), 1):
                code = line.split("//")[0]
                if found := ELSEWHERE.search(code):
                    yield f"{path.relative_to(ROOT)}:{number}: `{found[0]}` is not of the machine that the engine is given"


if __name__ == "__main__":
    found = list(findings())
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
