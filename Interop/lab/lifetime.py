"""A lab from `up` to `down`, and labs whose owner has ended."""

import contextlib
import glob
import os
import shutil
import sys

from .faults import Faults
from .machine import make_root
from .output import Output
from .processes import LabError, alive, end_all, started_at, write
from .recording import SoundServer

OWNER = "owner"  # the file that names the process which a lab shall not outlive


class Lab(SoundServer, Output, Faults):
    """One lab. Several can be up at once, each with a folder and with names of its own."""

    has_owner = False
    up_file = property(lambda self: os.path.join(self.state, "up"))
    is_up = property(lambda self: os.path.exists(self.up_file))

    @classmethod
    def of_this_process(cls, folder):
        """A lab that ends with this process; if this one cannot end it, `remove_left_overs` of a later one does.

        `folder` holds the state of all labs of this project; each has its own below it.
        """
        prefix = f"tutti-{os.getpid()}"
        lab = cls(os.path.join(folder, prefix), prefix)
        lab.has_owner = True
        return lab

    def recall(self):
        """Learns how many rooms a lab has that another process has made. Throws LabError if it is down."""
        if not self.is_up:
            raise LabError("this lab is down: `up` makes it")
        with open(self.up_file) as file:
            self.rooms, self.rate = (int(word) for word in file.read().split())

    def up(self, receivers):
        """Makes the lab and returns when all receivers listen. Throws LabError; `down` then clears up."""
        if self.is_up:
            raise LabError("this lab is up already: take it down first")
        if not receivers.speaker:
            make_root()
        shutil.rmtree(self.state, ignore_errors=True)
        os.makedirs(self.file("pa"))
        if self.has_owner:
            write(os.path.join(self.state, OWNER), f"{os.getpid()} {started_at(os.getpid())}\n")
        write(self.up_file, f"{receivers.count} {receivers.rate}\n")
        self.rooms, self.rate, self.offset_step = receivers.count, receivers.rate, receivers.offset_step
        self.is_ours = bool(receivers.speaker)
        self.classic_rooms = {room for room in range(1, receivers.count + 1) if receivers.protocol_of(room) == "ap1"}
        self.make_switch()
        for sender in range(1, receivers.senders + 1):
            self.make_node(f"s{sender}")
        if receivers.backend == "pa":
            self.start_sound_server(receivers.count, receivers.rate)
        rooms = range(1, receivers.count + 1)
        for room in rooms:
            os.makedirs(self.file(room))
            self.make_node(self.node(room))
            self.start_receiver(room, receivers)
        for room in rooms:
            self.wait_listening(room)
        for room in rooms:
            self.wait_registered(room, 0)

    def down(self):
        """Ends all that `up` started; safe to call twice, and after a failed `up`."""
        self.rooms = 0
        if not os.path.isdir(self.state):
            return
        if not end_all(self.state):
            print(f"lab: some processes of {self.state} do not end", file=sys.stderr)
        self.remove_namespaces()
        with contextlib.suppress(FileNotFoundError):  # a second process may be doing the same
            os.remove(self.up_file)

    def remove(self):
        """Takes the lab down, and its logs and output away."""
        self.down()
        shutil.rmtree(self.state, ignore_errors=True)

    def owner_has_ended(self):
        """Whether the process that made this lab has ended; false if that is not known."""
        number, owner = self.prefix.rpartition("-")[2], os.path.join(self.state, OWNER)
        if os.path.exists(owner):
            return alive(owner) is None
        # Made just now, or by an earlier version.
        return number.isdigit() and started_at(number) is None


def remove_left_overs(folder):
    """Takes down labs of runs that were ended without a chance to do it themselves."""
    for state in glob.glob(os.path.join(os.path.abspath(folder), "tutti-*")):
        lab = Lab(state, os.path.basename(state))
        if lab.owner_has_ended():
            lab.remove()
