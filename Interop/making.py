"""What cases need and what is made once: test files, programs, environments. The time of the making is not the case's."""

import contextlib
import time

_spent, _since, _depth = 0.0, 0.0, 0


def seconds():
    """How long this process has made things, or waited for another worker that makes one, so far."""
    return _spent + (time.monotonic() - _since if _depth else 0.0)


@contextlib.contextmanager
def making():
    """Counts the time of the body; from the thread of the cases."""
    global _spent, _since, _depth
    if _depth == 0:
        _since = time.monotonic()
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1
        if _depth == 0:
            _spent += time.monotonic() - _since
