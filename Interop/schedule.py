"""The order of Interop's cases: several labs at once, a lab kept while it is needed, the longest cases first."""


class Schedule:
    """Cases waiting for a worker.

    The length of a case is what it took last; before that, a third of its time limit stands for it. Cases that need the same resource are kept apart, and begin first, so that
    none of them waits for another at the end. Cases that measure time are not included: they run alone, after all others.
    """

    def __init__(self, entries, lengths=None):
        """`lengths` are in seconds, by the cases' names."""
        self.lengths = lengths or {}
        self.waiting = sorted(entries, key=lambda entry: (entry.apart is None, -self._length(entry)))
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

    def _length(self, entry):
        return self.lengths.get(entry.name, entry.timeout / 3)

    def _longest_kind(self, entries):
        left = {}
        for entry in entries:
            left[entry.lab] = left.get(entry.lab, 0) + self._length(entry)
        return max(left, key=left.get)
