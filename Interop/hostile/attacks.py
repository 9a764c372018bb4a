"""The list of attacks: functions that take a `Bench` and raise `Failed` where an answer itself is wrong."""

import fnmatch
from dataclasses import dataclass
from typing import Callable

from player import Failed


@dataclass
class Attack:
    name: str
    run: Callable
    limit: float  # seconds for the attack itself
    short: bool  # belongs to the short form
    rooms: bool  # runs while three rooms play


ATTACKS = []


def attack(name, limit=30, short=False, rooms=True):
    def register(function):
        ATTACKS.append(Attack(name, function, limit, short, rooms))
        return function

    return register


def expect(condition, message):
    if not condition:
        raise Failed(message)


def load():
    """All attacks; importing registers them. The order groups them by kind."""
    import proofs  # noqa: F401, I001  first: a checker that sees nothing makes all that follows worthless
    import connections  # noqa: F401
    import heads  # noqa: F401
    import pairing  # noqa: F401
    import clocks  # noqa: F401
    import paired  # noqa: F401
    import streams  # noqa: F401
    import texts  # noqa: F401
    import comebacks  # noqa: F401
    import receivers  # noqa: F401
    import speakers  # noqa: F401
    import network_names  # noqa: F401
    import web  # noqa: F401
    import files  # noqa: F401
    import film_damage  # noqa: F401
    import film_sizes  # noqa: F401
    import film_texts  # noqa: F401
    import afterwards  # noqa: F401  last

    return ATTACKS


def choose(patterns, is_short):
    known = load()
    if not patterns:
        return [entry for entry in known if entry.short or not is_short], []
    unmatched = [pattern for pattern in patterns if not any(fnmatch.fnmatch(entry.name, pattern) for entry in known)]
    return [entry for entry in known if any(fnmatch.fnmatch(entry.name, pattern) for pattern in patterns)], unmatched
