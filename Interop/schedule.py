"""The order of Interop's cases: several labs at once, a lab kept while it is needed, the longest cases first."""


class Schedule:
    """Cases waiting for a worker.

    A case's time limit stands for its length. Cases that measure time are not included: they run alone, after all others.
    """

    def __init__(self, entries):
        self.waiting = sorted(entries, key=lambda entry: -entry.timeout)

    def next(self, kind):
        """The next case for a worker whose lab is of this kind; None when no case waits."""
        if not self.waiting:
            return None
        return self._take(kind) or self._take(self._longest_kind())

    def _take(self, kind):
        for entry in self.waiting:
            if entry.lab == kind:
                self.waiting.remove(entry)
                return entry
        return None

    def _longest_kind(self):
        left = {}
        for entry in self.waiting:
            left[entry.lab] = left.get(entry.lab, 0) + entry.timeout
        return max(left, key=left.get)
