"""What attempts at a case amount to: passed, failed, or to be tried again.

A case in real time may fail because the machine stood still. `beside_a_witness` lets a failure count at once if the witness saw
a quiet machine, and repeats it otherwise; `three_attempts` needs no witness: only three failures in a row are one.
"""

import json
from dataclasses import dataclass

# Repetitions of a failure that the machine may have caused.
REPEATS = 5
ATTEMPTS = 3


@dataclass
class Attempt:
    outcome: str  # passed, failed or skipped
    text: str  # the first line that the case said
    witness: object = None  # the Testimony about a failure
    seconds: float = 0.0

    def as_json(self):
        witness = str(self.witness) if self.witness else None
        return {"outcome": self.outcome, "text": self.text, "witness": witness, "seconds": round(self.seconds, 1)}


def beside_a_witness(attempts):
    """The verdict on a case of the proof: its outcome, or None if it is to be repeated, alone."""
    last = attempts[-1]
    if last.outcome != "failed":
        return last.outcome
    if not last.witness or not last.witness.may_excuse or len(attempts) > REPEATS:
        return "failed"
    return None


def three_attempts(attempts):
    """The verdict on a case of the check."""
    last = attempts[-1]
    return last.outcome if last.outcome != "failed" or len(attempts) >= ATTEMPTS else None


def report_end(attempts, verdict):
    """Prints which cases passed in a second run and which failed, and the counts; returns the outcome of each case.

    `attempts` are those of each case, by its name.
    """
    outcomes = {name: verdict(tries) for name, tries in attempts.items()}
    passed_again = [name for name, outcome in outcomes.items() if outcome == "passed" and len(attempts[name]) > 1]
    failed = [name for name, outcome in outcomes.items() if outcome == "failed"]
    for title, names in (("Passed in a second run:", passed_again), ("Failed:", failed)):
        if names:
            print(f"\n{title}")
        for name in names:
            doubted = [attempt for attempt in attempts[name] if attempt.outcome == "failed"][-1]
            print(f"  {name}: {doubted.text}" + (f" ({doubted.witness})" if doubted.witness else ""))
    counts = ", ".join(f"{list(outcomes.values()).count(outcome)} {outcome}" for outcome in ("passed", "failed", "skipped"))
    print(f"{counts}; {len(passed_again)} in a second run", flush=True)
    return outcomes


def write_results(path, attempts, outcomes):
    """Writes each case with its attempts, as JSON."""
    with open(path, "w") as file:
        json.dump([
            {"name": name, "outcome": outcomes[name], "attempts": [attempt.as_json() for attempt in tries]}
            for name, tries in attempts.items()
        ], file, indent=1)
