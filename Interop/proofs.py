#!/usr/bin/env python3
"""Tests of the runner's own judgement, without a lab: verdicts from attempts, what a witness's record says, the order of cases, the
packets that a bad wire knows.

Exit status: 0 all hold, 1 otherwise.
"""

import os
import sys
import unittest
from types import SimpleNamespace

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from lab.wire import asks_for_connection  # noqa: E402  the path comes first
from schedule import Schedule  # noqa: E402
from verdict import REPEATS, Attempt, beside_a_witness, three_attempts  # noqa: E402
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


def entry(name, lab="a", timeout=60, apart=None):
    return SimpleNamespace(name=name, lab=lab, timeout=timeout, apart=apart)


class Order(unittest.TestCase):
    def test_a_lab_is_kept_and_the_longest_case_comes_first(self):
        schedule = Schedule([entry("short"), entry("long", timeout=90), entry("elsewhere", lab="b", timeout=600)])
        self.assertEqual([schedule.next("a").name for _ in range(3)], ["long", "short", "elsewhere"])
        self.assertIsNone(schedule.next("a"))
        self.assertEqual(schedule.waiting, [])

    def test_a_measured_length_counts_in_place_of_the_limit(self):
        schedule = Schedule([entry("short", timeout=600), entry("long", timeout=60)], {"short": 5, "long": 40})
        self.assertEqual([schedule.next("a").name for _ in range(2)], ["long", "short"])

    def test_a_worker_without_a_lab_takes_the_kind_with_the_most_left(self):
        schedule = Schedule([entry("one", lab="b", timeout=100), entry("two"), entry("three")])
        self.assertEqual(schedule.next(None).lab, "a")

    def test_cases_with_the_same_resource_begin_first_and_never_run_at_once(self):
        schedule = Schedule([entry("plain", timeout=600), entry("page", apart="processor"), entry("sender", timeout=50, apart="processor")])
        page = schedule.next("a")
        self.assertEqual(page.name, "page")
        self.assertEqual(schedule.next("a").name, "plain")
        self.assertIsNone(schedule.next("a"))
        self.assertEqual([waiting.name for waiting in schedule.waiting], ["sender"])
        schedule.ended(page)
        self.assertEqual(schedule.next("b").name, "sender")

    def test_the_end_of_another_case_frees_no_resource(self):
        schedule = Schedule([entry("page", apart="processor"), entry("sender", apart="processor"), entry("plain")])
        schedule.next("a")
        schedule.ended(schedule.next("a"))
        self.assertIsNone(schedule.next("a"))

    def test_a_lab_is_left_for_another_while_its_cases_are_kept_apart(self):
        schedule = Schedule([entry("page", apart="processor"), entry("sender", apart="processor"), entry("elsewhere", lab="b")])
        schedule.next("a")
        self.assertEqual(schedule.next("a").name, "elsewhere")


def tcp(flags, kind=b"\x08\x00", protocol=6, options=0):
    """An Ethernet frame with an empty TCP packet."""
    ip = bytes([0x45 + options // 4, 0, 0, 0, 0, 0, 0, 0, 64, protocol]) + bytes(10 + options)
    return bytes(12) + kind + ip + bytes(13) + bytes([flags]) + bytes(6)


class WirePackets(unittest.TestCase):
    def test_the_first_packet_of_a_connection_is_known(self):
        self.assertTrue(asks_for_connection(tcp(0x02)))
        self.assertTrue(asks_for_connection(tcp(0x02, options=8)))
        # With the flags of ECN.
        self.assertTrue(asks_for_connection(tcp(0xC2)))

    def test_other_packets_are_not(self):
        for frame in (tcp(0x12), tcp(0x10), tcp(0x18), tcp(0x02, protocol=17), tcp(0x02, kind=b"\x86\xdd"), tcp(0x02)[:47], b""):
            self.assertFalse(asks_for_connection(frame))


if __name__ == "__main__":
    ended = unittest.main(exit=False, verbosity=0)
    sys.exit(0 if ended.result.wasSuccessful() else 1)
