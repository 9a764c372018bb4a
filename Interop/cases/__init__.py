"""The cases of Interop/run.py: functions that take a `Stage` and raise `Failed` when an expectation does not hold."""

from dataclasses import dataclass
from typing import Callable

from lab import Receivers
from player import Failed

PASSWORD = "open-sesame"
# Our speakers fade audio that stops midway, over this many frames.
FADE = 48

# Labs that cases share. Receivers' clocks differ by 1000 s each, so that one that ignored the clock would be seen.
# Room 3 of the first wants a password.
PIPE = Receivers(3, offset_step=1000, passwords=(("r3", PASSWORD),))
PROGRAM = "PROGRAM"  # stands for the program under test
# Less than the default buffer, so that there is something left to send when a link is cut.
OURS = Receivers(3, speaker=PROGRAM, offset_step=1000, passwords=(("r3", PASSWORD),), arguments=("--buffer", "40"))
AIRPLAY_1 = Receivers(1, protocol="ap1")
# The same receiver, with a second record: of a speaker that takes encrypted sound only.
RSA = Receivers(1, protocol="ap1", record=(("et", "1"),))
FAIRPLAY = Receivers(1, protocol="ap1", record=(("et", "3,5"),))
# A room of each kind of session: buffered, realtime (`--stream`), AirPlay 1.
KINDS = Receivers(3, protocol="ap2,ap2,ap1", offset_step=1000)
# Rooms 4 and 5 are the loudspeakers of our own speaker and of this machine.
FIVE = Receivers(5, backend="pa", protocol="ap2,ap2,ap1,ap1,ap1", senders=2, offset_step=1000, tolerance=2e-4)
KINDS_SPEAKERS = Receivers(3, backend="pa", protocol="ap2,ap2,ap1", offset_step=1000)
SPEAKERS = Receivers(2, backend="pa", offset_step=1000)
# The lab's loudspeakers drift by 50 ppm, and by default shairport-sync plays 56 ms resampled once that has become 2 ms.
UNCORRECTED = Receivers(2, backend="pa", offset_step=1000, tolerance=5e-3)


@dataclass
class Case:
    name: str
    lab: Receivers
    timeout: float  # seconds; then its processes are ended
    run: Callable
    is_alone: bool = False  # measures time: runs while nothing else of this run does
    is_quiet: bool = False  # measures time: runs beside other quiet cases only, and few of them
    apart: str | None = None  # a resource; no two cases that need the same one run at once

    @property
    def measures_time(self):
        return self.is_alone or self.is_quiet


# The resource of cases with a browser, which takes a whole core, and of those with another program's sender, which is
# late when it gets no processor in time.
PROCESSOR = "processor"

CASES = []


def case(name, lab=PIPE, timeout=60, alone=False, quiet=False, apart=None):
    def register(function):
        CASES.append(Case(name, lab, timeout, function, alone, quiet, apart))
        return function

    return register


def expect(condition, message):
    if not condition:
        raise Failed(message)


def load():
    """All cases; a second call returns the same ones."""
    # Importing a module registers its cases.
    from . import announce, apps, clock, comfort, commands, content, control, desktop, discovery, doctor, faults, house, items, kinds, levels, live, local, members, mpd, mpd_commands, mpris, mqtt, pairing, places, players, readme  # noqa: F401
    from . import film_places, house_faults, pictures, playing, pyatv, raop, refusals, rooms, shell, sinks, standins, standins_apple, standins_devices, standins_groups, streams, surfaces_attacked, terminal, waiting, web, zone_outputs  # noqa: F401

    # This module repeats some of those.
    from . import speaker  # noqa: F401

    return sorted(CASES, key=lambda entry: (entry.lab != PIPE, entry.lab == OURS))
