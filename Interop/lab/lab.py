#!/usr/bin/env python3
"""The lab by hand: rooms with real AirPlay receivers, faults of their links, recordings of what they play.

Nodes: r1..rN receivers (10.77.0.11, ...), s1..sK senders (10.77.0.1, ...).
Environment: TUTTI_LAB_STATE folder of this lab's logs and output, TUTTI_LAB_PREFIX of its namespaces (both make labs that
run at the same time distinct), TUTTI_LAB_CACHE as in make-root.sh, TUTTI_LAB_VERBOSITY of shairport-sync (0 to 3).
Output: STATE/rN/audio.raw and audio.raw.idx (pipe), metadata: STATE/rN/metadata.raw, logs: STATE/rN/*.log.
"""

import argparse
import json
import os
import subprocess
import sys

# The package, not this file, is `lab`.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from lab import BUILD, Lab, LabError, Receivers  # noqa: E402  the path above comes first
from lab.machine import missing  # noqa: E402
from lab.processes import alive  # noqa: E402
from lab.usage import usage  # noqa: E402


def up(lab, options):
    if reason := missing():
        raise LabError(reason)
    speaker = os.path.abspath(options.speaker) if options.speaker else ""
    ppm = tuple(options.ppm.split(",")) if options.ppm else ()
    lab.up(
        Receivers(
            options.rooms, options.backend, options.proto, options.offset_step, options.rate, options.senders, options.name,
            tuple(pair.partition("=")[::2] for pair in options.password), speaker, ppm, tuple(options.arguments),
        )
    )
    print(f"up: {options.rooms} receivers, {options.senders} senders; state in {lab.state}")


def status(lab, _):
    if not lab.is_up:
        return print("down")
    for node in sorted(os.listdir(lab.state)):
        if os.path.exists(lab.file(node, "pid")):
            print(node, alive(lab.file(node, "pid")) or "gone")


def browse(lab, options):
    for kind in ("_airplay._tcp", "_raop._tcp"):
        subprocess.run(lab.enter(options.node, "timeout", "10", "avahi-browse", "-rtp", kind))


def become(command):
    os.execvp(command[0], command)


def record(lab, options):
    lab.recall()
    become(lab.recorder(options.file, options.seconds))


def parsed(words):
    """The options, from a table of the verbs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(metavar="VERB", required=True)

    def verb(name, call, text, node=True):
        made = verbs.add_parser(name, help=text, description=text)
        made.set_defaults(call=call)
        if node:
            made.add_argument("node", metavar="NODE")
        return made

    made = verb("up", up, "make N receivers; returns when all of them listen", node=False)
    made.add_argument("rooms", type=int, metavar="N")
    made.add_argument("--backend", choices=("pipe", "pa"), default="pipe", help="pa: one loudspeaker clock for all rooms")
    made.add_argument("--proto", default="ap2", help="ap2 or ap1; ap2,ap1 for one room each")
    made.add_argument("--offset-step", type=int, default=0, metavar="SECONDS", help="between the clocks of the rooms")
    made.add_argument("--rate", type=int, default=44100)
    made.add_argument("--senders", type=int, default=1, metavar="K")
    made.add_argument("--name", default="Room", help="of the rooms, before their numbers")
    made.add_argument("--password", action="append", default=[], metavar="NODE=WORD", help="may be given again")
    made.add_argument("--speaker", metavar="PROGRAM", help="rooms with `PROGRAM speaker` and wave outputs, not shairport-sync")
    made.add_argument("--ppm", metavar="A,B,...", help="errors of the speakers' devices, e.g. --ppm=40,-25")
    made.usage = f"{parser.prog} up N [options] [-- arguments of the receiver]"
    verb("down", lambda lab, _: lab.down(), "end all that `up` started; safe to call twice, and after a failed `up`", node=False)
    verb("status", status, "the containers and their processes", node=False)
    for name, call, text in (
        ("exec", lambda lab, o: become(lab.program(o.node, *o.command)), "run a command of this machine in a node's network"),
        ("enter", lambda lab, o: become(lab.enter(o.node, *o.command)), "run a command of the lab's root inside a node"),
    ):
        verb(name, call, text).add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND...")
    verb("browse", browse, "what avahi sees from a node", node=False).add_argument("node", nargs="?", default="r1", metavar="NODE")
    verb("kill", lambda lab, o: lab.kill(o.node), "end a node's receiver as a crash would")
    verb("restart", lambda lab, o: lab.restart(o.node), "start it again")
    made = verb("cut", lambda lab, o: lab.cut(o.node, o.how), "cut a link: silent: unplugged behind the switch; carrier: the "
                "switch's port down; node: the node's own port down")
    made.add_argument("how", choices=("silent", "carrier", "node"))
    verb("heal", lambda lab, o: lab.heal(o.node), "end a cut")
    made = verb("wire", lambda lab, o: lab.wire(o.node, o.faults), "put wire.py between a node and the switch, or change its faults")
    made.add_argument("faults", nargs="?", type=json.loads, default={}, metavar="JSON", help="ab: from the node, ba: to it")
    verb("unwire", lambda lab, o: lab.unwire(o.node), "take the wire away")
    made = verb("rec", record, "record all rooms of the pa backend, until then or an interrupt: 2N channels, S16LE", node=False)
    made.add_argument("file", metavar="FILE", help="FILE.idx says when each piece came")
    made.add_argument("seconds", nargs="?", type=float, default=3600, metavar="SECONDS")
    verb("cpu", lambda lab, o: print("\n".join(usage(lab, o.node))), "CPU seconds and memory of a node's programs")
    # Only a receiver's own arguments stand behind `--`.
    end = words.index("--") if words[:1] == ["up"] and "--" in words else len(words)
    options = parser.parse_args(words[:end])
    options.arguments = words[end + 1 :]
    return options


def main():
    options = parsed(sys.argv[1:])
    state = os.environ.get("TUTTI_LAB_STATE") or os.path.join(BUILD, "lab", "default")
    lab = Lab(state, os.environ.get("TUTTI_LAB_PREFIX") or "tutti-lab")
    try:
        options.call(lab, options)
    except LabError as error:
        sys.exit(f"lab: {error}")


if __name__ == "__main__":
    main()
