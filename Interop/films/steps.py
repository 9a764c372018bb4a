"""How much later than its flash each click of a film is heard."""

import statistics
from dataclasses import dataclass, field

from films.film import CODES

REACH = CODES / 2 - 0.5  # seconds: farther away is a click of another second
UNKNOWN_REACH = 0.5  # the same for a click whose tone is not known
LATE = 3  # frames that may be missing at a flash: a later one still tells its time


@dataclass(frozen=True)
class Flash:
    at: float  # monotonic seconds
    second: int  # of the film
    doubt: float = 0.0  # seconds by which `at` may be wrong in each direction


def flashes(pictures, film, rate=1.0, start=0.0, end=float("inf")):
    """The film's whole seconds as they were seen, from the pictures that the eyes saw.

    A second counts when playback crosses it: with its own frame, or up to three later where that one was missed, less the time by which
    those are due later. What a seek or a start shows first is no such frame.
    """
    found, before = [], None
    for picture in pictures:
        number = picture.number
        if number is None:
            continue
        if before is not None and before < number <= before + 2 * LATE * max(1, rate) + 1:
            second = number // film.beat
            late = number - second * film.beat
            at = picture.at - late * film.frame / rate
            if before < second * film.beat and late <= LATE * max(1, rate) and start <= at < end:
                found.append(Flash(at, second, picture.doubt))
        before = number
    return found


@dataclass
class Steps:
    """Distances in milliseconds, positive where the sound is later."""

    each: list = field(default_factory=list)  # pairs of the film's second and its distance
    lone_flashes: list = field(default_factory=list)
    lone_clicks: list = field(default_factory=list)

    @property
    def distances(self):
        return [distance for _, distance in self.each]

    @property
    def median(self):
        return statistics.median(self.distances) if self.each else float("nan")

    @property
    def worst(self):
        return max(self.distances, key=abs) if self.each else float("nan")

    def __str__(self):
        if not self.each:
            return f"no pairs of {len(self.lone_flashes)} flashes and {len(self.lone_clicks)} clicks"
        text = f"median {self.median:+.1f} ms, worst {self.worst:+.1f} ms of {len(self.each)}"
        lone = [f"{len(alone)} {name} alone" for alone, name in ((self.lone_flashes, "flashes"), (self.lone_clicks, "clicks")) if alone]
        return ", ".join([text, *lone])

    def listed(self):
        return " ".join(f"{second}: {distance:+.1f}" for second, distance in self.each)

    def __add__(self, other):
        return Steps(self.each + other.each, self.lone_flashes + other.lone_flashes, self.lone_clicks + other.lone_clicks)


def pair(flashes, clicks):
    """Pairs each flash with the click of the same second that is nearest in time, the nearest pairs first."""
    candidates = []
    for place, flash in enumerate(flashes):
        for other, click in enumerate(clicks):
            distance = click.at - flash.at
            known = click.tone is not None
            if abs(distance) <= (REACH if known else UNKNOWN_REACH) and (not known or click.tone == flash.second % CODES):
                candidates.append((abs(distance), place, other))
    taken, used = {}, set()
    for _, place, other in sorted(candidates):
        if place not in taken and other not in used:
            taken[place] = other
            used.add(other)
    each = [(flash.second, (clicks[taken[place]].at - flash.at) * 1000) for place, flash in enumerate(flashes) if place in taken]
    lone = [flash for place, flash in enumerate(flashes) if place not in taken]
    return Steps(each, lone, [click for other, click in enumerate(clicks) if other not in used])
