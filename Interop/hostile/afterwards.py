"""After all attacks: effects hidden by buffers show by now."""

import time

from attacks import attack
from rooms import BUFFER, VICTIM


@attack("afterwards.rooms-play-on-and-a-visitor-is-heard", limit=60, short=True)
def play_on(t):
    t.plays(VICTIM)
    time.sleep(t.many(float(BUFFER) + 2, 1))
