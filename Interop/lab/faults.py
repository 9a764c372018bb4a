"""Faults of a lab's links: cables that are pulled, and wires that delay, lose or hold back frames."""

import json
import os
import sys

from .machine import HERE
from .nodes import SWITCH, Nodes
from .processes import LabError, read_tail, run, start, stop, until, write


class Faults(Nodes):
    """Cuts and bad wires, a node each."""

    def cut(self, place, how="silent"):
        """Cuts the link of a node: unplugged behind the switch, the switch's port down, or the node's own port down."""
        node = self.node(place)
        ways = {
            "silent": (SWITCH, f"link set {self.port(node)} nomaster"),
            "carrier": (SWITCH, f"link set p-{node} down"),
            "node": (node, "link set eth0 down"),
        }
        self.ip(*ways[how])

    def heal(self, place):
        """Ends a cut of any way."""
        node = self.node(place)
        self.ip(node, "link set eth0 up")
        self.ip(SWITCH, f"link set {self.port(node)} master br0", f"link set p-{node} up")
        # A port that was down has lost its routes.
        self.ip(node, "route replace 224.0.0.0/4 dev eth0", check=False)

    def wire(self, place, faults):
        """Puts wire.py between a node and the switch, or changes its faults: a dictionary as wire.py describes it.

        The direction `ab` is from the node, `ba` to it.
        """
        node = self.node(place)
        control = self.file(node, "wire.json")
        os.makedirs(self.file(node), exist_ok=True)
        write(control, json.dumps(faults))
        if self.is_wired(node):
            return
        self.ip(SWITCH, f"link add w-{node} type veth peer name x-{node}")
        # Whole frames with their checksums must pass the relay.
        for link in (f"w-{node}", f"x-{node}", f"p-{node}"):
            run(self.inside(SWITCH, "sysctl", "-qw", f"net.ipv6.conf.{link}.disable_ipv6=1"))
            self.keep_checksums(SWITCH, link)
        self.keep_checksums(node, "eth0")
        self.ip(SWITCH, f"link set p-{node} nomaster up", f"link set x-{node} master br0 up", f"link set w-{node} up")
        if os.path.exists(control + ".stats"):
            os.remove(control + ".stats")
        command = [sys.executable, os.path.join(HERE, "wire.py"), f"p-{node}", f"w-{node}", control]
        start(self.inside(SWITCH, *command), self.file(node, "wire.pid"), self.file(node, "wire.log"))
        if not until(lambda: self.size(node, "wire.json.stats"), 10):
            raise LabError("wire.py did not start: " + "; ".join(read_tail(self.file(node, "wire.log"), 5)))

    def wire_counts(self, place):
        """What wire.py has counted at a node until the second before now, by the direction."""
        with open(self.file(self.node(place), "wire.json.stats")) as file:
            return json.load(file)

    def unwire(self, place):
        """Takes the wire away again."""
        node = self.node(place)
        stop(self.file(node, "wire.pid"))
        os.remove(self.file(node, "wire.pid"))
        self.ip(SWITCH, f"link del w-{node}", f"link set p-{node} master br0")

    def is_wired(self, node):
        return os.path.exists(self.file(node, "wire.pid"))

    def port(self, node):
        """The switch's port that leads to a node: behind the bad wire, if there is one."""
        return f"x-{node}" if self.is_wired(node) else f"p-{node}"

    def keep_checksums(self, node, link):
        run(self.inside(node, "ethtool", "-K", link, "tx", "off", "tso", "off", "gso", "off", "gro", "off"), check=False)
