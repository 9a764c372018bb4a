"""The order of Interop's cases: several labs at once, a lab kept while it is needed, the longest cases first."""


class Schedule:
    """Cases waiting for a worker.

    A case's time limit stands for its length. Cases that need the same resource are kept apart, and begin first, so that
    none of them waits for another at the end. Cases that measure time are not included: they run alone, after all others.
    """

    def __init__(self, entries):
        self.waiting = sorted(entries, key=lambda entry: (entry.apart is None, -entry.timeout))
        self.taken = set()  # resources of cases that run

    def next(self, kind):
        """The next case for a worker whose lab is of this kind; None when no case waits, or none of those can run now."""
        ready = [entry for entry in self.waiting if entry.apart not in self.taken]
        if not ready:
            return None
        entry = self._first(ready, kind) or self._first(ready, self._longest_kind(ready))
        self.waiting.remove(entry)
        if entry.apart:
            self.taken.add(entry.apart)
        return entry

    def ended(self, entry):
        """Gives the resource of a case back that was next, and has ended."""
        self.taken.discard(entry.apart)

    @staticmethod
    def _first(entries, kind):
        return next((entry for entry in entries if entry.lab == kind), None)

    @staticmethod
    def _longest_kind(entries):
        left = {}
        for entry in entries:
            left[entry.lab] = left.get(entry.lab, 0) + entry.timeout
        return max(left, key=left.get)
