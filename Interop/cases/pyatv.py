"""pyatv, a sender of other people's, from PyPI: it finds our speaker, and what it plays is heard frame by frame."""

import os
import subprocess
import sys

import listening
import sound
from cases import OURS, case, expect
from cases.content import expect_like, expect_whole
from player import Failed, Skipped

# Versions that are known to fit: a later srptools may pair in another way.
PACKAGES = ("pyatv==0.18.0", "srptools==1.0.1")


def programs():
    """The folder of pyatv's programs; made once, in the lab's cache."""
    cache = os.environ.get("TUTTI_LAB_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "tutti-lab"
    )
    folder = os.path.join(cache, "pyatv-0.18.0")
    done = os.path.join(folder, "complete")
    if not os.path.exists(done):
        for command in (
            [sys.executable, "-m", "venv", "--clear", folder],
            [os.path.join(folder, "bin", "pip"), "install", "-q", "--disable-pip-version-check", *PACKAGES],
        ):
            made = subprocess.run(command, capture_output=True, text=True)
            if made.returncode != 0:
                last = (made.stderr.strip() or made.stdout.strip() or "no message").splitlines()[-1]
                raise Skipped(f"pyatv cannot be had: {last}")
        open(done, "w").close()
    return os.path.join(folder, "bin")


def atvremote(t, *arguments, within=60):
    command = t.lab.sender_command(os.path.join(programs(), "atvremote"), *arguments)
    environment = dict(os.environ, HOME=t.folder)
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=within, stdin=subprocess.DEVNULL, env=environment
        )
    except subprocess.TimeoutExpired as expired:
        raise Failed(f"atvremote {arguments[-1]} did not end: {expired.stdout or b''!r}") from expired
    return done.stdout + done.stderr


def identifier(t):
    """What pyatv calls the first room."""
    said = atvremote(t, "--scan-hosts", t.lab.address(1), "scan")
    expect(t.lab.name(1) in said, f"pyatv does not find the speaker: {said[-500:]}")
    lines = [line.strip(" -") for line in said.splitlines()]
    found = [lines[at + 1] for at, line in enumerate(lines) if line == "Identifiers:" and at + 1 < len(lines)]
    expect(found, f"pyatv gives no identifier: {said[-500:]}")
    return found[0]


@case("speaker.pyatv-scans-and-plays", lab=OURS, timeout=120)
def scans_and_plays(t):
    source = t.sounds.noise("noise-8", 8, seed=6)
    name = identifier(t)
    mark = t.lab.mark()
    said = atvremote(t, "--scan-hosts", t.lab.address(1), "--id", name, f"stream_file={source}")
    t.lab.settle(1)
    heard = listening.trim(t.lab.heard(1, mark))
    expect(len(heard) > 0, f"nothing was heard; pyatv said: {said[-800:]}")
    source = sound.read_wav(source)
    found = listening.Finder(source).hear(heard).pieces
    if not found or found[0].count < len(source) // 2:
        # pyatv's clock comes over the network: one that was measured badly, on a busy machine, is followed, and then
        # every frame is resampled. All of it must be there all the same; noise half a frame off is like itself to 0.64.
        t.note("its clock was followed")
        return expect_like(heard, source, 0.6)
    expect_whole(heard, source, "what pyatv played")
