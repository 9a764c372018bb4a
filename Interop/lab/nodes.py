"""The nodes of a lab, their links and their files: r1, r2, … hold receivers, s1, s2, … senders.

They hang on the switch, a bridge in a network namespace of its own.
"""

import os

from .processes import LabError, run

SWITCH = "sw"
NAMESPACES = "/run/netns"
# Sockets in the file system cross network namespaces: without this a program would browse the machine's own network
# through its avahi daemon. `ip netns exec` gives the command its own mounts.
HIDE_SOCKETS = 'for d in /run/avahi-daemon /run/dbus; do [ ! -d $d ] || mount -t tmpfs tmpfs $d; done; exec "$@"'


class Nodes:
    """The nodes of one lab. A place is a room, counted from 1, or the name of a node."""

    def __init__(self, state, prefix):
        """`state` is the folder of this lab's logs and output; `prefix` begins the names of its namespaces."""
        self.state, self.prefix = os.path.abspath(state), prefix
        self.rooms, self.rate, self.offset_step = 0, 44100, 0
        self.classic_rooms = set()  # rooms with AirPlay 1 only
        self.is_ours = False  # rooms are speakers of our own, not shairport-sync

    # Names and files

    @staticmethod
    def node(place):
        return f"r{place}" if isinstance(place, int) else place

    def name(self, room):
        return f"Room {room}"

    def address(self, place):
        """The IPv4 address: 10.77.0.11 of r1, 10.77.0.1 of s1."""
        node = self.node(place)
        return f"10.77.0.{int(node[1:]) + (10 if node[0] == 'r' else 0)}"

    def endpoint(self, room):
        """The address and port of a room's receiver."""
        return f"{self.address(room)}:{5000 if room in self.classic_rooms else 7000}"

    def namespace(self, place):
        return f"{self.prefix}-{self.node(place)}"

    def file(self, place, *name):
        """A file of a node; without a name the folder of its files."""
        return os.path.join(self.state, self.node(place), *name)

    def size(self, room, name="audio.raw"):
        """Bytes that a room's file has by now."""
        try:
            return os.path.getsize(self.file(room, name))
        except OSError:
            return 0

    # Commands, as words

    def inside(self, place, *command):
        """The command in a node's network."""
        return ["ip", "netns", "exec", self.namespace(place), *command]

    def program(self, place, *command):
        """The command in a node's network, without this machine's avahi and D-Bus."""
        return self.inside(place, "sh", "-c", HIDE_SOCKETS, "lab", *command)

    def sender_command(self, *command, node="s1"):
        """The command, inside a sender's network; it dies with this process."""
        return self.program(node, "setpriv", "--pdeathsig", "KILL", *command)

    # Namespaces and links

    def ip(self, place, *lines, check=True):
        """Runs lines of `ip` in the network namespace of a node or the switch."""
        run(["ip", "-n", self.namespace(place), "-batch", "-"], text="\n".join(lines), check=check)

    def make_switch(self):
        run(["ip", "netns", "add", self.namespace(SWITCH)])
        bridge = "link add br0 type bridge mcast_snooping 0 stp_state 0 forward_delay 0"
        self.ip(SWITCH, bridge, "link set br0 up", "link set lo up")

    def make_node(self, node):
        """Makes a node's network namespace and plugs it into the switch."""
        run(["ip", "netns", "add", self.namespace(node)])
        # The same hardware address in every run, so that device identifiers stay the same.
        self.ip(
            node,
            "link set lo up",
            f"link add eth0 type veth peer name p-{node} netns {self.namespace(SWITCH)}",
            f"link set eth0 address 02:4c:41:42:{ord(node[0]):02x}:{int(node[1:]):02x}",
        )
        self.ip(SWITCH, f"link set p-{node} master br0 up")
        # No wait for duplicate address detection: addresses are usable at once. A kernel may be without IPv6.
        settings = "net.ipv6.conf.eth0.accept_dad=0", "net.ipv6.conf.eth0.dad_transmits=0"
        run(self.inside(node, "sysctl", "-qw", *settings), check=False)
        address = f"addr add {self.address(node)}/24 brd + dev eth0"
        self.ip(node, "link set eth0 up", address, "route add 224.0.0.0/4 dev eth0")

    def remove_namespaces(self):
        """Deletes the network namespaces of this lab, and no others."""
        names = os.listdir(NAMESPACES) if os.path.isdir(NAMESPACES) else []
        for name in [name for name in names if name.startswith(self.prefix + "-")]:
            try:
                run(["ip", "netns", "del", name])
            except LabError:
                # A second process may have done the same.
                if os.path.exists(os.path.join(NAMESPACES, name)):
                    raise
