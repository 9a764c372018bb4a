"""The sender's cases once more, with speakers of our own in the place of shairport-sync."""

from dataclasses import replace

from cases import CASES, OURS, PIPE

# Those of players choose their speakers themselves.
for entry in [entry for entry in CASES if entry.lab == PIPE and not entry.name.startswith(("players.", "clock."))]:
    CASES.append(replace(entry, name=f"speaker.{entry.name}", lab=OURS))
