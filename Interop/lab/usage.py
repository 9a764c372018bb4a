"""The cost of the programs of a node."""

import os

NAMES = ("shairport-sync", "nqptp", "tutti")


def usage(lab, node):
    """Lines with CPU seconds and memory of each program in the node's network namespace."""
    network, lines = os.readlink(f"/proc/{lab.init_of(node)}/ns/net"), []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline") as file:
                name = os.path.basename(file.read().split("\0")[0])
            if name not in NAMES or os.readlink(f"/proc/{pid}/ns/net") != network:
                continue
            with open(f"/proc/{pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
            with open(f"/proc/{pid}/status") as file:
                memory = [line.replace(":", "=").split() for line in file if line.startswith(("VmRSS", "VmHWM"))]
        except OSError:
            continue  # it ended meanwhile
        seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        lines.append(" ".join([name, f"cpu_s={seconds:.2f}"] + [f"{key}{size} kB" for key, size, _ in memory]))
    return lines
