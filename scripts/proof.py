#!/usr/bin/env python3
"""Judges the steps that `make proof` has just run, and with --write writes docs/proof.md.

proof.py [--write]

Results of steps are kept in .build/proof.json, so that a proof can be run in parts: the page says of each step when, and on which
commit, it was last run. More than 2 % of the cases that passed in a second run only are a failure of their own.
Exit status: 0 nothing failed, 1 otherwise.
"""

import argparse
import datetime
import fnmatch
import json
import pathlib
import platform
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOGS = ROOT / ".build/logs"
KEPT = ROOT / ".build/proof.json"
PAGE = ROOT / "docs/proof.md"
REPEATED_LIMIT = 0.02
# In the order of the page; all others of check.sh only prepare.
STEPS = {
    "examples": "examples and the benchmark program, as a user's package",
    "docs": "documentation, site, links",
    "api": "public interface against the last release",
    "packages": "packages and archives on a fresh machine",
    "fuzz": "fuzz targets, new inputs",
    "houses": "houses in virtual time",
    "house-faults": "faults put in on purpose, each found by a house",
    "race": "the engine's core under the thread sanitizer",
    "interop": "cases with real programs, four labs at once",
    "timing": "cases that measure time",
    "hostile": "attacks, short form",
    "demo": "`tutti demo` to its end",
    "fresh": "build and tests on the other release of Debian",
}
# The README's promises, and the cases that show them.
CAPABILITIES = [
    ("Minutes of sound in the speaker, sent faster than real time", ["*control.depth-*", "apps.flexible-buffering*", "players.audiobook-*"]),
    ("A link that is cut is not heard", ["*faults.*", "web.resets-*"]),
    ("Pause, seek and skip at once", ["*control.pause-*", "*control.seek-*", "*control.next-*", "*-seeks-and-skips*", "house.pause-reacts"]),
    ("An edited queue changes what the speaker holds, without a gap", ["*control.remove-*", "*control.insert-*", "*queue-edit*", "*an-edited-queue*"]),
    ("Every room on one timeline", ["*rooms.*", "*in-step*", "members.*"]),
    ("Every frame of a lossless source, AAC untouched", ["*content.*", "players.every-frame-*"]),
    ("Realtime and AirPlay 1 speakers, too", ["kinds.*"]),
    ("Other makers' ways (stand-ins)", ["standins.*"]),
    ("Titles, pictures, volume and buttons", ["*metadata*", "buttons.*", "*volume*", "items.titles-*"]),
    ("Passwords and PINs", ["*password*", "pairing.*", "speaker.pyatv-pairs-*"]),
    ("A speaker for other senders", ["raop.*", "speaker.pyatv-*"]),
    ("One clock for all programs of a machine", ["clock.*"]),
    ("Finding speakers, and saying why one is silent", ["*discovery.*", "doctor.*", "*refusals.*"]),
    ("Apple's playback API", ["apps.*", "players.*", "items.*"]),
    ("Web addresses and radio", ["web.*", "*web.*", "players.hls-*", "players.radio"]),
    ("This machine's outputs", ["local.*", "apps.*-here"]),
    ("The house and its page", ["house.*", "comfort.*"]),
    ("Control from MPD, MQTT, MPRIS and the shell", ["mpd.*", "mqtt.*", "mpris.*", "shell.*", "commands.*", "surfaces.*"]),
    ("Any program's sound", ["sinks.*", "live.*"]),
    ("Announcements, levelling, crossfade", ["announce.*", "levels.*"]),
    ("Films in step with the speakers", ["pictures.*"]),
    ("Attacks leave the music alone", ["hostile:*"]),
]


def processor():
    with open("/proc/cpuinfo") as file:
        name = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())
    count = len([line for line in open("/proc/cpuinfo") if line.startswith("processor")])
    return f"{count} × {name}, Linux {platform.release().split('-')[0]}"


def read_steps():
    """The results of the run that has just ended."""
    found = {}
    for step in STEPS:
        result = LOGS / f"{step}.result"
        if not result.exists():
            continue
        passed, failed, skipped = map(int, result.read_text().split())
        seconds, cases, failures = LOGS / f"{step}.seconds", LOGS / f"{step}.json", LOGS / f"{step}.failures"
        span = LOGS / f"{step}.span"
        found[step] = {
            "passed": passed, "failed": failed, "skipped": skipped,
            "seconds": int(seconds.read_text()) if seconds.exists() else 0,
            "span": list(map(int, span.read_text().split())) if span.exists() else None,
            "commit": (LOGS / f"{step}.commit").read_text().strip(), "date": datetime.date.today().isoformat(), "machine": processor(),
            "cases": json.loads(cases.read_text()) if cases.exists() else [],
            "failures": failures.read_text().splitlines() if failures.exists() else [],
        }
    return found


def repeated(steps):
    """Cases that passed in a second run only, and how many cases there are."""
    cases = [(step, case) for step, result in steps.items() for case in result["cases"] if case["outcome"] != "skipped"]
    return [(step, case) for step, case in cases if case["outcome"] == "passed" and len(case["attempts"]) > 1], len(cases)


def named(step, case):
    return ("hostile:" if step == "hostile" else "") + case["name"]


def capability_rows(steps):
    cases = {named(step, case): case for step, result in steps.items() for case in result["cases"]}
    for title, patterns in CAPABILITIES:
        shown = [name for name in cases if any(fnmatch.fnmatch(name, pattern) for pattern in patterns)]
        outcomes = [cases[name]["outcome"] for name in shown]
        counts = ", ".join(f"{outcomes.count(word)} {word}" for word in ("passed", "failed", "skipped") if word in outcomes)
        yield f"| {title} | {', '.join(f'`{pattern}`' for pattern in patterns)} | {counts or 'not run'} |"


def seconds_of_all(steps):
    """The time in which at least one step ran: some run at once."""
    spans = sorted(result["span"] for result in steps.values() if result.get("span"))
    seconds = sum(result["seconds"] for result in steps.values() if not result.get("span"))
    reached = 0
    for start, end in spans:
        seconds += max(0, end - max(start, reached))
        reached = max(reached, end)
    return seconds


def page(steps):
    lines = [
        "# Proof", "",
        "Written by `make proof WRITE=1`; [testing.md](testing.md) says what the steps are and how a failure is judged. A step that was run",
        "earlier, alone, has its own commit and date.", "",
        "## What the README promises", "",
        "| capability | cases | last result |", "|---|---|---|", *capability_rows(steps), "",
        "## Steps", "",
        "| step | content | passed | failed | skipped | seconds | commit | date |", "|---|---|---|---|---|---|---|---|",
    ]
    for step, content in STEPS.items():
        if result := steps.get(step):
            figures = [result[key] for key in ("passed", "failed", "skipped", "seconds", "commit", "date")]
            # A step without tests of its own.
            if not any(figures[:3]):
                figures[:3] = ["ok", "", ""]
            lines.append(f"| {step} | {content} | {' | '.join(map(str, figures))} |")
        else:
            lines.append(f"| {step} | {content} | not run | | | | | |")
    machines = sorted({result["machine"] for result in steps.values()})
    seconds = seconds_of_all(steps)
    again, count = repeated(steps)
    lines += ["", f"{seconds // 60} minutes in these steps, of which those that only compute run two at once, without the builds that they need. Machine: {'; '.join(machines)}.", "", "## What did not pass at once", ""]
    if count:
        lines.append(f"{len(again)} of {count} cases passed in a second run only ({100 * len(again) / count:.1f} %; at most {100 * REPEATED_LIMIT:.0f} % are allowed).")
        lines.append("")
    for step, result in steps.items():
        for case in result["cases"]:
            doubted = [attempt for attempt in case["attempts"] if attempt["outcome"] == "failed"]
            if doubted:
                word = "passed after all" if case["outcome"] == "passed" else "**failed**"
                lines.append(f"- `{case['name']}` ({step}): {word}, in {len(case['attempts'])} attempts.")
                lines += [f"  - {attempt['text'][:300]}" + (f" *{attempt['witness']}*" if attempt["witness"] else "") for attempt in doubted]
        if result["failures"] and not any(case["outcome"] == "failed" for case in result["cases"]):
            lines += [f"- **{text[:300]}**" for text in result["failures"]]
    skipped = [(step, case) for step, result in steps.items() for case in result["cases"] if case["outcome"] == "skipped"]
    if skipped:
        lines += ["", "## Skipped", "", *(f"- `{case['name']}` ({step}): {case['attempts'][-1]['text']}" for step, case in skipped)]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="write docs/proof.md")
    options = parser.parse_args()
    now = read_steps()
    steps = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    steps.update(now)
    steps = {step: steps[step] for step in STEPS if step in steps}
    KEPT.write_text(json.dumps(steps, indent=1))
    if options.write:
        PAGE.write_text(page(steps))
    again, count = repeated(now)
    if count:
        print(f"{len(again)} of {count} cases passed in a second run only ({100 * len(again) / count:.1f} %)")
    if count and len(again) > REPEATED_LIMIT * count:
        print(f"Too many: at most {100 * REPEATED_LIMIT:.0f} % may depend on the machine.")
        return 1
    return 1 if any(result["failed"] for result in now.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
