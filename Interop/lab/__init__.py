"""The lab: real AirPlay receivers on one machine, with their output, recordings and faults.

Each receiver is a small container (own network, mounts, processes, IPC, host name and, if asked, time) with its own D-Bus,
avahi, nqptp and shairport-sync, or a speaker of our own. They hang on one bridge that lives in a network namespace of its
own, so nothing of it touches the machine's network. Needs root. `lab.py` is the lab by hand.
"""

from .lifetime import Lab, remove_left_overs
from .machine import BUILD, folder, unavailable
from .output import WAVE_HEADER
from .processes import LabError
from .receivers import Receivers

PORT = 7000  # of AirPlay 2

__all__ = ["BUILD", "PORT", "WAVE_HEADER", "Lab", "LabError", "Receivers", "folder", "remove_left_overs", "unavailable"]
