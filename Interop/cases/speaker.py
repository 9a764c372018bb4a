"""The sender's cases that depend on the kind of receiver, repeated with our own speakers."""

from dataclasses import replace
from fnmatch import fnmatch

from cases import CASES, OURS, PIPE

# Left out: cases without a receiver (local.*), refusals before a receiver is contacted, sources (content.format.*, web.*) beyond one of
# each wire format, since decoding does not depend on the receiver, and what houses in virtual time show
# (Tests/Houses/VirtualHouseTests).
TWICE = (
    "control.pause-and-resume-lose-nothing",
    "control.depth-of-aac-*",
    "control.metadata-*",
    "content.aac-passes-untouched",
    "content.format.wav-24-96000.wav",
    "content.format.aac-48000.m4a",
    "discovery.play-by-name",
    "discovery.speakers-lists-all-rooms",
    "discovery.info",
    "faults.link-down-20-s-*",
    "refusals.wrong-password",
    "refusals.password-not-given",
    "refusals.right-password-plays",
)

for entry in [entry for entry in CASES if entry.lab == PIPE]:
    if any(fnmatch(entry.name, pattern) for pattern in TWICE):
        CASES.append(replace(entry, name=f"speaker.{entry.name}", lab=OURS))
