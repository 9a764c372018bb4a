"""Python environments with packages of others, made once in the lab's cache."""

import fcntl
import os
import subprocess
import sys

from making import making
from player import Skipped


def programs(name, *packages):
    """The folder of an environment's programs.

    name: how the packages are called where they cannot be had."""
    cache = os.environ.get("TUTTI_LAB_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "tutti-lab"
    )
    folder = os.path.join(cache, packages[0].replace("==", "-"))
    os.makedirs(cache, exist_ok=True)
    # Several labs may make it at the same time.
    with making(), open(folder + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        make(name, folder, packages)
    return os.path.join(folder, "bin")


def make(name, folder, packages):
    done = os.path.join(folder, "complete")
    if os.path.exists(done):
        return
    for command in (
        [sys.executable, "-m", "venv", "--clear", folder],
        [os.path.join(folder, "bin", "pip"), "install", "-q", "--disable-pip-version-check", *packages],
    ):
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode != 0:
            last = (made.stderr.strip() or made.stdout.strip() or "no message").splitlines()[-1]
            raise Skipped(f"{name} cannot be had: {last}")
    open(done, "w").close()
