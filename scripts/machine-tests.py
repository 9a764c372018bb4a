#!/usr/bin/env python3
"""Names test files that use sockets, threads, watches of files or other programs, and whose suites lack the tag `machine`.

Such tests depend on the scheduler of the machine; docs/testing.md says what they must keep to. Exit status: 0 all are tagged, 1 not.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
USES = re.compile(
    r"\b(TCPListener|TCPConnection|UDPSocket|LocalChannel|LocalListener|socketpair|PulseServerProcess|HTTPServer\(|Process\(\)"
    r"|FolderWatch\(|ReadinessLoop\(|RealtimeThread|Thread\.detach|pthread_create|Pipe\(\)|SpeakerStage|FakeReceiver"
    r"|ScriptedServer|ScriptedBroker|FakeBus|LoopbackServer|TestServer\(|FakeService|Elsewhere|WebClient\()"
)
# Sockets and loops of machines in virtual time, on one thread.
VIRTUAL = re.compile(r"\bimport TuttiVirtualTime\b")


def untagged():
    for path in sorted((ROOT / "Tests").rglob("*.swift")):
        text = path.read_text()
        code = re.sub(r"//[^\n]*", "", text)
        if "@Test" in code and "SampleApps" not in path.parts and USES.search(code) and not VIRTUAL.search(code) and ".tags(.machine)" not in code:
            yield path.relative_to(ROOT)


if __name__ == "__main__":
    found = list(untagged())
    for path in found:
        print(f"{path}: its suite needs the tag: @Suite(…, .tags(.machine))")
    sys.exit(1 if found else 0)
