#!/usr/bin/env python3
"""Tests of the runner's own judgement, without a lab: verdicts from attempts, and what a witness's record says.

Exit status: 0 all hold, 1 otherwise.
"""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from verdict import REPEATS, Attempt, beside_a_witness, three_attempts  # noqa: E402  the path comes first
from witness import ORDINARY_LIMIT, RENDER_LIMIT, Testimony, testimony  # noqa: E402

QUIET = Testimony(render=1, ordinary=2, pressure=0.1, steal=0, seconds=10)
NOISY = Testimony(render=1, ordinary=ORDINARY_LIMIT + 1, pressure=0.9, steal=0, seconds=10)
PASSED = Attempt("passed", "")


def failed(witness=None):
    return Attempt("failed", "a gap", witness)


class Verdicts(unittest.TestCase):
    def test_a_failure_on_a_quiet_machine_is_a_failure_at_once(self):
        self.assertEqual(beside_a_witness([failed(QUIET)]), "failed")
        self.assertEqual(beside_a_witness([failed(NOISY), failed(QUIET)]), "failed")

    def test_a_failure_that_nobody_watched_is_a_failure_at_once(self):
        self.assertEqual(beside_a_witness([failed()]), "failed")
        self.assertEqual(beside_a_witness([failed(testimony([], 1, 2))]), "failed")

    def test_a_failure_on_a_noisy_machine_is_repeated_until_it_passes(self):
        self.assertIsNone(beside_a_witness([failed(NOISY)]))
        self.assertEqual(beside_a_witness([failed(NOISY), failed(NOISY), PASSED]), "passed")

    def test_a_case_that_never_passes_fails(self):
        self.assertIsNone(beside_a_witness([failed(NOISY)] * REPEATS))
        self.assertEqual(beside_a_witness([failed(NOISY)] * (REPEATS + 1)), "failed")

    def test_three_failures_of_the_check_are_one(self):
        self.assertIsNone(three_attempts([failed()] * 2))
        self.assertEqual(three_attempts([failed()] * 3), "failed")
        self.assertEqual(three_attempts([failed(), PASSED]), "passed")

    def test_a_skipped_case_stays_skipped(self):
        skipped = Attempt("skipped", "no lab")
        self.assertEqual(beside_a_witness([skipped]), "skipped")
        self.assertEqual(three_attempts([skipped]), "skipped")


class Records(unittest.TestCase):
    # Ten lines a second; something waits for two fifths of the time, one tick is stolen in the line at 2.0 s.
    LINES = [(0.1 * n, 100.0, 200.0, 4e4 * n, 1.0 if n >= 20 else 0.0) for n in range(1, 40)]

    def test_a_lateness_counts_for_the_case_that_ran_then(self):
        late = RENDER_LIMIT * 1000 + 1
        lines = [(at, late if 1.95 < at < 2.05 else render, *rest) for at, render, *rest in self.LINES]
        self.assertFalse(testimony(lines, 1.5, 2.5).is_quiet)
        self.assertTrue(testimony(lines, 2.5, 3.5).is_quiet)
        self.assertTrue(testimony(lines, 0.5, 1.5).is_quiet)

    def test_the_line_after_the_end_tells_of_the_end(self):
        lines = [*self.LINES[:20], (3.0, 100.0, ORDINARY_LIMIT * 1000 + 1, 2e6, 1.0)]
        self.assertFalse(testimony(lines, 1.5, 2.5).is_quiet)

    def test_a_machine_on_which_half_of_the_time_something_waits_is_noisy(self):
        lines = [(at, render, ordinary, pressure * 2, steal) for at, render, ordinary, pressure, steal in self.LINES]
        self.assertTrue(testimony(self.LINES, 1.0, 3.0).is_quiet)
        self.assertFalse(testimony(lines, 1.0, 3.0).is_quiet)

    def test_pressure_is_a_part_of_the_time_and_steal_milliseconds(self):
        seen = testimony(self.LINES, 1.0, 3.0)
        self.assertAlmostEqual(seen.pressure, 0.4, delta=0.01)
        self.assertGreater(seen.steal, 0)


if __name__ == "__main__":
    ended = unittest.main(exit=False, verbosity=0)
    sys.exit(0 if ended.result.wasSuccessful() else 1)
