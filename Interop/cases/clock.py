"""One clock for a machine: programs share UDP 319 and 320, and take over from each other."""

import glob
import os
import signal
import time
from dataclasses import dataclass

import numpy as np

import clocks
import listening
import sound
from cases import case, expect
from lab import WAVE_HEADER, Receivers
from listening import RATE
from player import Player, Skipped

SENDER = "10.77.0.1"  # the sender's machine, on which all of these programs run
PORT = 7000
ROOMS = 50e-6  # largest allowed distance between two rooms, seconds


@dataclass
class Room:
    program: Player
    port: int
    file: str

    def heard(self, source):
        return listening.Finder(source).hear(listening.read_raw(self.file, skip_bytes=WAVE_HEADER))

    def times(self, until):
        """Frames of the virtual device and their play times, seconds; the log has a pair each second, up to `until`."""
        end = time.monotonic() + 3
        while True:
            with open(self.file + ".times") as file:
                pairs = [line.split() for line in file if line.endswith("\n") and line[:1].isdigit()]
            frames, hosts = np.array([(int(at), int(host)) for at, host in pairs], dtype=np.float64).T
            if frames[-1] >= until:
                return frames, hosts / 1e9
            expect(time.monotonic() < end, f"the device logged times up to frame {frames[-1]:.0f} of {until}")
            time.sleep(0.1)


def speaker(t, name, port=PORT, *options):
    """`tutti speaker` on the sender's own machine: with name, port and output, without clock or address options."""
    file = t.place(f"{name.lower().replace(' ', '-')}.wav")
    words = ["--name", name, "--output", f"wave:{file}", "--volume-curve", "fixed", "--json", *options]
    if port != PORT:
        words += ["--port", str(port)]
    program = t._start(Player, "speaker", *words)
    program.wait("started", 10)
    return Room(program, port, file)


def play(t, path, *to):
    words = [word for target in to for word in ("--to", target)]
    return t._start(Player, "play", path, *words, "--json")


def music(t, seconds, seed):
    source = t.sounds.noise(f"noise-{seconds}-{seed}", seconds, seed=seed)
    return t.sounds.encoded(f"noise-{seconds}-{seed}.flac", source), sound.read_wav(source)


def expect_whole(room, source, what):
    heard = room.heard(source)
    expect(len(heard.pieces) == 1 and heard.foreign == 0, f"{what}: {heard}")
    piece = heard.pieces[0]
    expect(piece.start == 0 and piece.count == len(source), f"{what}: {len(source) - piece.count} frames missing: {heard}")
    return piece


def apart(rooms, source):
    """The largest time difference between two rooms, one value for each tenth of a second."""
    lines = []
    for room in rooms:
        piece = expect_whole(room, source, "a room")
        frames, hosts = room.times(piece.at + len(source))
        places = np.arange(0, len(source), RATE // 10)
        lines.append(np.interp(places + piece.at, frames, hosts))
    return float(np.max(np.abs(lines[0] - lines[1])))


def owner(programs):
    """The program that serves the clock: the holder of its term's lock."""
    for program in programs:
        for path in glob.glob(f"/proc/{program.process.pid}/fdinfo/*"):
            try:
                with open(path) as file:
                    if "OFDLCK" in file.read():
                        return program
            except OSError:
                continue
    return None


def wait_owner(programs, within=2.0):
    end = time.monotonic() + within
    while time.monotonic() < end:
        found = owner(programs)
        if found:
            return found
        time.sleep(0.002)
    expect(False, f"no program serves the clock {within:g} s after its owner ended")


@case("clock.a-speaker-and-a-player-of-one-machine", timeout=60)
def one_machine(t):
    path, source = music(t, 3, seed=41)
    room = speaker(t, "Cellar")
    for target in (f"{SENDER}:{PORT}", "127.0.0.1", "Cellar"):
        before = len(room.heard(source).pieces)
        player = play(t, path, target)
        player.expect_end(within=25)
        time.sleep(0.3)  # the device plays a little later
        heard = room.heard(source)
        expect(len(heard.pieces) == before + 1 and heard.foreign == 0, f"to {target}: {heard}")
        expect(heard.pieces[-1].count == len(source), f"to {target}: {heard}")
    status = room.program.all("status")[-1]
    expect(status["missingFrames"] == 0, f"counted as missing: {status}")


@case("clock.ten-programs-and-owners-killed", timeout=120)
def killed(t):
    path, source = music(t, 14, seed=42)
    first = speaker(t, "First", 7100)
    groups = []
    for index in range(3):
        rooms = [speaker(t, f"Group {index} room {number}", 7200 + 10 * index + number) for number in range(2)]
        groups.append((rooms, play(t, path, *(f"{SENDER}:{room.port}" for room in rooms))))
    programs = [first.program]
    for rooms, player in groups:
        programs += [room.program for room in rooms] + [player]
    expect(len(programs) == 10, "ten programs")
    for _, player in groups:
        player.wait_position(1.5, within=25)
    expect(owner(programs) is first.program, "the first program serves")
    gone, gaps = [], []
    for _ in range(3):
        serving = wait_owner(programs)
        os.kill(serving.process.pid, signal.SIGKILL)
        killed_at = time.monotonic()
        gone.append(serving)
        programs.remove(serving)
        wait_owner(programs)
        gaps.append(time.monotonic() - killed_at)
        time.sleep(2)
    # Newly started programs find the clock, too.
    late = speaker(t, "Late", 7300)
    whole = [(rooms, player) for rooms, player in groups if player not in gone and not any(r.program in gone for r in rooms)]
    expect(whole, "at least one group had no owner in it")
    distances = []
    for rooms, player in whole:
        player.expect_end(within=40)
        time.sleep(0.3)
        distances.append(apart(rooms, source))
        expect(distances[-1] <= ROOMS, f"the rooms were up to {distances[-1] * 1e6:.0f} µs apart")
        for room in rooms:
            expect(room.program.all("status")[-1]["missingFrames"] == 0, "frames are counted as missing")
    late.program.process.send_signal(signal.SIGTERM)
    t.note(
        f"3 owners killed, {len(whole)} groups whole, successors after {', '.join(f'{gap * 1000:.0f}' for gap in gaps)} ms, "
        f"rooms at most {max(distances) * 1e6:.1f} µs apart"
    )


@case("clock.an-owner-is-stopped-goes-on-and-ends", timeout=90)
def stopped(t):
    path, source = music(t, 14, seed=43)
    first = speaker(t, "First", 7100)
    rooms = [speaker(t, f"Room {number}", 7200 + number) for number in (1, 2)]
    player = play(t, path, *(f"{SENDER}:{room.port}" for room in rooms))
    programs = [first.program, *(room.program for room in rooms), player]
    player.wait_position(1.5, within=25)
    expect(owner(programs) is first.program, "the first program serves")
    os.kill(first.program.process.pid, signal.SIGSTOP)
    stopped_at = time.monotonic()
    successor = wait_owner(programs[1:], within=4)
    after = time.monotonic() - stopped_at
    # A program started while the first owner is suspended joins the second.
    newcomer = speaker(t, "Newcomer", 7300)
    os.kill(first.program.process.pid, signal.SIGCONT)
    time.sleep(1)
    expect(owner([first.program]) is None and owner(programs[1:]) is successor, "the first program is a member now")
    # The owner exits normally, and so does the newcomer.
    for program in (first.program, newcomer.program):
        program.process.send_signal(signal.SIGTERM)
        program.expect_exit(8)
    player.expect_end(within=40)
    time.sleep(0.3)
    distance = apart(rooms, source)
    expect(distance <= ROOMS, f"the rooms were up to {distance * 1e6:.0f} µs apart")
    t.note(f"another serves {after:.2f} s after the stop; rooms at most {distance * 1e6:.1f} µs apart")


def foreign_clock(t):
    """Starts a foreign program that holds a port of the clock in the sender's network."""
    code = (
        "import socket,sys,time\n"
        "s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.bind(('0.0.0.0',319))\n"
        "open('/proc/self/comm','w').write('ptp4l')\n"
        "print('{\"event\":\"bound\"}',flush=True); time.sleep(60)\n"
    )
    other = t._run(Player, ["/usr/bin/python3", "-c", code])
    other.wait("bound", 5)
    return other


@case("clock.a-foreign-clock-is-named", timeout=30)
def foreign(t):
    path, _ = music(t, 3, seed=41)
    other = foreign_clock(t)
    player = play(t, path, t.lab.address(1))
    error = player.wait("error", 10)
    expect("ptp4l" in error["message"] and "systemctl stop ptp4l" in error["message"], f"the message: {error}")
    player.expect_exit(8, status=75)
    other.process.kill()


TWO_MACHINES = Receivers(1, senders=2)
LEADER = "10.77.0.2"  # the second sender's machine, on which the clock that insists runs
LINE = 100e-6  # largest error of a followed clock's line after SETTLED, seconds
SETTLED = 5.0


def follower(t):
    """A program that follows the clock that insists, and tells the line twenty times a second."""
    if not os.access(t.apps, os.X_OK):
        raise Skipped("no program that follows a clock: scripts/release.sh SampleAppsRunner")
    program = t._run(Player, [t.apps, "clock", LEADER])
    program.wait("ready", 10)
    return program


def errors(program, leader, since=0.0):
    """Seconds after the first line, and how far the line is from the truth, in seconds, of all lines after `since`."""
    lines = program.all("line")
    first = lines[0]["_at"]
    told = [(line["_at"] - first, (line["network"] - leader.truth(line["wall"])) / 1e9) for line in lines]
    return np.array([pair for pair in told if pair[0] >= since])


def expect_leader(leader):
    words = leader.words()
    expect("SLAVE" not in words and "UNCALIBRATED" not in words, f"our clock was offered to it: {words[-400:]}")


@case("clock.follows-a-clock-that-insists", lab=TWO_MACHINES, timeout=120, quiet=True)
def insists(t):
    with clocks.LeadingClock(t, "s2", SENDER) as leader:
        leader.wait_leading()
        program = follower(t)
        time.sleep(15)
        found = errors(program, leader, SETTLED)
        worst = float(np.max(np.abs(found[:, 1])))
        line = program.all("line")[-1]
        expect(worst <= LINE, f"the line is off by {worst * 1e6:.1f} us")
        expect(abs(line["ppm"] - leader.ppm) < 5, f"the rate is off: {t.plain(line)}")
        expect(0 < line["settled"] < 2, f"known well enough after {line['settled']:.2f} s")
        expect(line["generation"] == 0, f"followed anew: {t.plain(line)}")
        expect_leader(leader)
        t.note(f"{worst * 1e6:.1f} us at most after {SETTLED:g} s, {line['settled']:.2f} s until it is known well enough")
    # A silent clock's line goes on.
    time.sleep(6)
    line = program.all("line")[-1]
    lost = abs(line["network"] - leader.truth(line["wall"])) / 1e9
    expect(line["silent"] > 5 and lost <= LINE, f"after {line['silent']:.1f} s of silence off by {lost * 1e6:.1f} us")
    # It comes back as a restarted speaker does, with another epoch.
    with clocks.LeadingClock(t, "s2", SENDER, epoch=3) as leader:
        leader.wait_leading()
        time.sleep(10)
        line = program.all("line")[-1]
        off = abs(line["network"] - leader.truth(line["wall"])) / 1e9
        expect(off <= LINE, f"10 s after a restart off by {off * 1e6:.1f} us")
        expect(line["generation"] > 0, f"not followed anew: {t.plain(line)}")
        expect_leader(leader)


@case("clock.follows-through-another-programs-clock", lab=TWO_MACHINES, timeout=90, quiet=True)
def insists_through_another(t):
    room = speaker(t, "Cellar")
    with clocks.LeadingClock(t, "s2", SENDER) as leader:
        leader.wait_leading()
        program = follower(t)
        expect(not program.all("ready")[-1]["serves"], "the speaker's program serves")
        time.sleep(8)
        # Its own estimate goes on when the serving program ends.
        room.program.process.kill()
        time.sleep(7)
        found = errors(program, leader, SETTLED)
        worst = float(np.max(np.abs(found[:, 1])))
        line = program.all("line")[-1]
        expect(worst <= LINE, f"the line is off by {worst * 1e6:.1f} us")
        expect(line["silent"] < 1 and line["generation"] == 0, f"not followed on: {t.plain(line)}")
        expect_leader(leader)
        t.note(f"{worst * 1e6:.1f} us at most after {SETTLED:g} s")
