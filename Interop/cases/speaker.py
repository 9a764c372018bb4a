"""The sender's cases once more, with speakers of our own in the place of shairport-sync."""

from dataclasses import replace

from cases import CASES, OURS, PIPE

for entry in [entry for entry in CASES if entry.lab == PIPE]:
    CASES.append(replace(entry, name=f"speaker.{entry.name}", lab=OURS))
