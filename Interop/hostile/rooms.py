"""Four speakers of ours: three play noise from one sender all the time, one may be taken over by attackers."""

import os
import time

import lab as labs
import listening
import sound
from listening import RATE, Finder
from network import Network
from player import Failed, Player
from sender import gets_in
from watch import Held, Printed, Process, describe_loss, lost_frames

PLAYING, VICTIM = (1, 2, 3), 4
BUFFER = "10"  # seconds; small, so that memory is steady soon after the start
LAB = labs.Receivers(4, speaker="PROGRAM", senders=3, offset_step=1000, arguments=("--buffer", BUFFER))
SECONDS = 240  # of noise; then it is played again


class Rooms:
    def __init__(self, lab, program, sounds, folder):
        self.lab, self.program, self.sounds, self.folder = lab, os.path.abspath(program), sounds, folder
        self.legitimate, self.attacker, self.visitor = (Network(f"{lab.prefix}-s{node}") for node in (1, 2, 3))
        self.player, self.source, self.plays, self.checked = None, None, 0, {}
        self.is_warm = False
        # A newcomer's address is unused before: speakers count how often an address begins to pair.
        self.visitors = [f"10.77.0.{host}" for host in range(20, 50)]
        self.visitor.add_addresses(self.visitors)

    # The music

    def address(self, room):
        return self.lab.address(room)

    def start(self):
        """Plays to the three rooms; returns when all play and their buffers are full."""
        path = self.sounds.noise(f"hostile-{SECONDS}", SECONDS, seed=77)
        flac = self.sounds.encoded(f"hostile-{SECONDS}.flac", path)
        if self.source is None:
            self.source = sound.read_wav(path)
            self.finder = Finder(self.source[: 20 * RATE])
        to = [word for room in PLAYING for word in ("--to", f"{self.address(room)}:{labs.PORT}")]
        self.warm_up()
        mark = self.lab.mark()
        self.plays += 1
        command = self.lab.sender_command(self.program, "play", flac, *to, "--json")
        self.player = Player(command, self.folder, f"music-{self.plays}")
        self.player.wait_position(1.5, within=20)
        self.until = time.monotonic() + SECONDS - 3
        self.offsets, self.checked = {}, {}
        for room in PLAYING:
            heard = self.lab.heard(room, mark)
            pieces = self.finder.hear(heard).pieces
            if not pieces:
                raise Failed(f"room {room} does not play what it is sent")
            # From a frame of the room's file to the source's.
            self.offsets[room] = pieces[-1].start - (mark[room] // 4 + pieces[-1].at)
        time.sleep(1.5)

    def play(self, seconds):
        """Keeps the music playing for a number of seconds from now on."""
        if self.player is None or self.player.poll() is not None or time.monotonic() + seconds > self.until:
            self.stop()
            self.start()

    def warm_up(self):
        """Plays once in the room that attackers may take over, so that its memory is that of a used speaker."""
        if self.is_warm:
            return
        path = self.sounds.noise("hostile-visit", 2, seed=78)
        command = self.lab.sender_command(self.program, "play", path, "--to", f"{self.address(VICTIM)}:{labs.PORT}", "--json")
        visitor = Player(command, self.folder, "warm-up")
        try:
            visitor.wait("ended", 15)
        finally:
            visitor.close()
        self.is_warm = True

    def stop(self):
        if self.player:
            self.player.close()
            self.player = None

    # Checks after each attack

    def lets_in(self, room):
        """Seconds until a newcomer has paired and opened a session beside the music, or None and the reason."""
        self.visitors.append(self.visitors.pop(0))
        return gets_in(self.visitor, self.address(room), source=self.visitors[-1])

    def processes(self):
        found = []
        for room in (*PLAYING, VICTIM):
            found.append(Process(f"room {room}", self.lab.pid(room)))
        if self.player:
            found.append(Process("the sender", self.player.process.pid))
        return found

    def watch(self):
        return Watch(self)

    def frames(self, room):
        return max(0, self.lab.size(room, "audio.wav") - labs.WAVE_HEADER) // 4


class Watch:
    """Spans from before an attack to after it."""

    def __init__(self, rooms):
        self.rooms = rooms
        # From the end of the last check: a buffer may hide an attack's effect for seconds.
        self.frames = {room: rooms.checked.get(room, rooms.frames(room)) for room in PLAYING}
        files = [rooms.lab.file(room, name) for room in (*PLAYING, VICTIM) for name in ("speaker.json", "speaker.log", "console.log")]
        files.append(rooms.player.stderr_path)
        self.printed = Printed(files)
        self.ended = {room: rooms.lab.ended(room) for room in (*PLAYING, VICTIM)}
        self.held = Held(rooms.processes())

    def check(self, gets_in_at):
        """(Problem, figures): the gravest problem first."""
        wrong, figures = [], []
        for room, count in self.ended.items():
            if self.rooms.lab.ended(room) != count:
                wrong.append(f"room {room} has ended")
        if self.rooms.player.poll() is not None:
            wrong.append("the sender of the music has ended")
        for room in gets_in_at if not wrong else ():
            seconds, reason = self.rooms.lets_in(room)
            if seconds is None:
                wrong.append(f"a legitimate sender does not get into room {room} within 10 s: {reason}")
            else:
                figures.append(f"let in after {seconds:.2f} s")
        if not wrong:
            problem, held = self.held.check()
            wrong += [problem] if problem else []
            figures.append(held)
        lost, played = self.lost()
        wrong += lost
        figures.append(f"{0 if not lost else 'not 0'} of {played / RATE:.1f} s lost")
        problem = self.printed.check()
        wrong += [problem] if problem else []
        return wrong, figures

    def lost(self):
        """The frames that rooms failed to play, and the frames that each had to play."""
        wrong, played = [], 0
        for room in PLAYING:
            first, end = self.frames[room], self.rooms.frames(room)
            heard = listening.read_raw(self.rooms.lab.file(room, "audio.wav"), skip_bytes=labs.WAVE_HEADER + 4 * first)
            heard = heard[: end - first]
            offset = first + self.rooms.offsets[room]
            played = max(played, len(heard))
            self.rooms.checked[room] = end
            if count := lost_frames(heard, self.rooms.source, offset):
                wrong.append(f"room {room} lost {count} of {len(heard)} frames ({describe_loss(heard, self.rooms.source, offset)})")
        if played == 0:
            wrong.append("no room has played a frame")
        return wrong, played
